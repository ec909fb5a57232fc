"""Fixtures that every test module may use."""

from __future__ import annotations

import os

import hypothesis
import pytest

import jpevalb.kernels
from tests.support.kernels import load_kernel

# How long an example takes says nothing where the machine has other things to do.  Each run has other
# examples, so that many runs see more than one with more of them.
hypothesis.settings.register_profile("any machine", deadline=None, max_examples=60)
hypothesis.settings.load_profile("any machine")
# The profile of `make test-quick`
hypothesis.settings.register_profile("quick", deadline=None, max_examples=8)

if jpevalb.kernels.implementation() == "interpreted":
    # A line that says so would stand in the output of every command.
    os.environ["JPEVALB_PURE"] = "1"


def pytest_collection_modifyitems(items):
    """Put slow tests first: a file of them that began last would leave the other processes without work."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Change into an empty folder; modules that read the same files everywhere fill it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(params=["compiled", "interpreted"])
def kernel(request):
    """``kernel("scan")`` is that kernel; the test runs once for each implementation."""
    return lambda name: load_kernel(name, request.param)
