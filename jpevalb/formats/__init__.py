"""Formats of treebanks: readers, detection, writers, and the times of words."""
