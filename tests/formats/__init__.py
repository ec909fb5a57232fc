"""Tests of jpevalb.formats."""
