"""Tests of jpevalb.settings."""
