"""Tests of jpevalb.metrics."""
