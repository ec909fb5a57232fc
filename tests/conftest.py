"""Fixtures that every test module may use."""

from __future__ import annotations

import os

import hypothesis
import pytest

import jpevalb.kernels
from tests.support.kernels import load_kernel

# How long an example takes says nothing where the machine has other things to do.  Each run has other
# examples, so that many runs see more than one with more of them.
hypothesis.settings.register_profile("any machine", deadline=None, max_examples=40)
hypothesis.settings.load_profile("any machine")
# The profile of `make test-quick`
hypothesis.settings.register_profile("quick", deadline=None, max_examples=8)

INTERPRETED = jpevalb.kernels.implementation() == "interpreted"
# Nobody asked for interpreted kernels: there is no C compiler, and all tests would take an hour or more.
NOT_COMPILED = INTERPRETED and os.environ.get("JPEVALB_PURE") != "1"
if INTERPRETED:
    # A line that says so would stand in the output of every command.
    os.environ["JPEVALB_PURE"] = "1"
if NOT_COMPILED:
    # For the processes that share the tests
    os.environ["JPEVALB_TESTS"] = "few"
FEW = os.environ.get("JPEVALB_TESTS") == "few"
if FEW:
    hypothesis.settings.load_profile("quick")


def pytest_report_header():
    """Say which kernels are tested."""
    if FEW:
        return "kernels: not compiled; without slow tests, with few random examples (JPEVALB_PURE=1 runs all)"
    return f"kernels: {jpevalb.kernels.implementation()}"


def pytest_collection_modifyitems(config, items):
    """Put slow tests first: a file of them that began last would leave the other processes without work."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    if FEW:
        slow = [item for item in items if item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)
        items[:] = items[len(slow) :]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Change into an empty folder; modules that read the same files everywhere fill it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(params=["compiled", "interpreted"])
def kernel(request):
    """``kernel("scan")`` is that kernel; the test runs once for each implementation."""
    return lambda name: load_kernel(name, request.param)
