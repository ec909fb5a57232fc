"""Tests of jpevalb.commands."""
