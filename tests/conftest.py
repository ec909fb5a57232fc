"""Fixtures that every test module may use."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

import hypothesis
import pytest

import jpevalb.kernels

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


CORE = Path(jpevalb.kernels.__file__).parent


def load_kernel(name: str, kind: str) -> ModuleType:
    """The kernel module ``name`` as ``"compiled"`` or ``"interpreted"`` code; skips where there is none."""
    if kind == "compiled":
        module = importlib.import_module(f"jpevalb.kernels.{name}")
        if module.__file__ is None or module.__file__.endswith(".py"):
            pytest.skip("no compiled kernels here")
        return module
    alias = f"jpevalb.kernels.interpreted_{name}"
    if alias not in sys.modules:
        spec = importlib.util.spec_from_file_location(alias, CORE / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[alias] = module
        spec.loader.exec_module(module)
    return sys.modules[alias]


@pytest.fixture(params=["compiled", "interpreted"])
def kernel(request):
    """``kernel("scan")`` is that kernel; the test runs once for each implementation."""
    return lambda name: load_kernel(name, request.param)
