"""Tests of jpevalb.base."""
