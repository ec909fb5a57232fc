"""Tests of jpevalb.report."""
