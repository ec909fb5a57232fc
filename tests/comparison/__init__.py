"""Tests of jpevalb.comparison."""
