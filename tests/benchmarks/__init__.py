"""Benchmarks: run one with ``python -m tests.benchmarks.NAME``; none of them needs data from outside."""
