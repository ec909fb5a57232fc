"""Sentences about results, for every report."""
