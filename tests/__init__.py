"""The tests of jpevalb."""
