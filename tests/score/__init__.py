"""Tests of jpevalb.score."""
