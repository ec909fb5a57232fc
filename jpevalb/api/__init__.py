"""What ``jpevalb`` offers to programs: evaluations and comparisons, with workers and reports."""
