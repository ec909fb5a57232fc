"""The command lines: options, what each call does, and what it says; legacy mode has its own."""
