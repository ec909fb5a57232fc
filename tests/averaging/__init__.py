"""Tests of jpevalb.averaging."""
