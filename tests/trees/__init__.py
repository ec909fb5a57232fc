"""Tests of jpevalb.trees."""
