"""Helpers that several test modules share; oracles, made input and stored cases."""
