"""Fuzzing: ``python -m tests.fuzz.readers --seconds 600``, and so with each module here that has a target."""
