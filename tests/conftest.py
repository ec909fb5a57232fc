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

if jpevalb.kernels.implementation() == "interpreted":
    # A line that says so would stand in the output of every command.
    os.environ["JPEVALB_PURE"] = "1"

# Files of tests that take ten seconds and more, the longest first: begun last, one of them would keep one
# process busy and leave the others without work.
LONG = [
    "test_mapping",
    "test_parallel",
    "test_cluster",
    "test_hostile_files",
    "test_align_sentences",
    "test_interrupted",
    "test_discontinuous_parallel",
    "test_align_noise",
    "test_readme",
    "test_fuzz",
    "test_golden_evalb",
    "test_whole_output",
    "test_evalb_kernel",
    "test_averaging",
    "test_corpus",
    "test_brackets_kernel",
    "test_answer_counts",
    "test_repairs",
]


def pytest_collection_modifyitems(items):
    """Puts the files that take longest first."""
    places = {name: place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: places.get(item.path.stem, len(places)))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Change into an empty folder; modules that read the same files everywhere fill it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(params=["compiled", "interpreted"])
def kernel(request):
    """``kernel("scan")`` is that kernel; the test runs once for each implementation."""
    return lambda name: load_kernel(name, request.param)
