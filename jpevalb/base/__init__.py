"""What everything else stands on: errors, text, files, counts, values of options."""
