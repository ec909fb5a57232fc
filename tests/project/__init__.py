"""Tests of README, docs, packages and releases."""
