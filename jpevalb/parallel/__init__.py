"""Scoring on several processes or machines: who works, how files are divided, what comes back."""
