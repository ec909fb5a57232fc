"""Tests of jpevalb.kernels."""
