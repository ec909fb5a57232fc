"""Fixtures of tests with workers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from jpevalb.score import run as run_module


@pytest.fixture
def small(monkeypatch):
    """Cut files into many small chunks instead of a few large ones."""
    monkeypatch.setattr(run_module, "FIRST_CHUNK", 7)
    monkeypatch.setattr(run_module, "CHUNK", 31)


@pytest.fixture(scope="session")
def threads():
    with ThreadPoolExecutor(3) as pool:
        yield pool
