"""Tests of jpevalb.legacy."""
