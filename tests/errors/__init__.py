"""Tests of jpevalb.errors."""
