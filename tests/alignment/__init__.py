"""Tests of jpevalb.alignment."""
