"""Foundations: errors, text, files, counts, values of options."""
