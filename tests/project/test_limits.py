"""The documentation states the numbers of the code."""

from __future__ import annotations

import dataclasses
import importlib.util
import pkgutil
import re

import pytest

import jpevalb
from jpevalb.alignment import stream
from jpevalb.base import files, streams
from jpevalb.base.counts import Counts
from jpevalb.comparison.sources import TESTED
from jpevalb.metrics import mapping
from jpevalb.settings.settings import Settings
from tests.support.commands import ROOT


@pytest.fixture(scope="module")
def limits():
    page = ROOT / "docs" / "metrics.md"
    if not page.exists():
        pytest.skip("the pages are not here")
    return " ".join(page.read_text(encoding="utf-8").split())


def test_the_number_of_tested_labels_is_documented():
    page = ROOT / "docs" / "reports.md"
    if not page.exists():
        pytest.skip("the pages are not here")
    assert f"the {TESTED} most frequent gold labels" in page.read_text(encoding="utf-8")


def numbers(pattern: str, text: str) -> list[int]:
    """Return the numbers of the only match of a pattern."""
    (found,) = re.findall(pattern, text)
    return [int(number.replace(",", "")) for number in ([found] if isinstance(found, str) else found)]


def test_limits_are_as_documented(limits):
    same_words = numbers(r"read (\d+) sentences at a time, others in pieces of", limits)
    assert same_words == [stream.TOGETHER]
    assert numbers(r"in pieces of ([\d,]+) to ([\d,]+) characters", limits) == list(stream.WINDOWS[:2])
    assert numbers(r"up to (\d+) million characters", limits) == [stream.WINDOWS[-1] // 10**6]
    sizes = numbers(r"a line has at most (\d+) MiB, a list of labels or contractions (\d+) MiB", limits)
    assert sizes == [files.LONGEST >> 20, streams._MAX_BYTES >> 20]
    steps = numbers(r"at most (\d+) · 10\^(\d+) steps", limits)
    assert steps[0] * 10 ** steps[1] == mapping.MOST_STEPS
    (factor,) = numbers(r"(\d+) \(n \+ 1\) \(m \+ 1\) bytes", limits)
    nodes, gigabytes = numbers(r"Two sentences of ([\d,]+) nodes need the default of (\d+) GB", limits)
    assert Settings().most_memory == gigabytes * 10**9
    assert 1 <= factor * (nodes + 1) ** 2 / Settings().most_memory < 1.03


def test_the_schema_has_what_metrics_declare():
    spec = importlib.util.spec_from_file_location("schema", ROOT / "docs" / "schema.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    text = module.FILE.read_text(encoding="utf-8")
    assert module.schema(text) == text


# Readers and runs fill them step by step, or they hold what is computed when asked for.
GROWING = {"Utterance", "LegacyResult", "SystemRows"}


def test_only_counts_can_be_changed():
    """Settings and results are shared by rows and caches.  Counts are many, so they are not frozen."""
    seen = 0
    for module in pkgutil.walk_packages(jpevalb.__path__, "jpevalb."):
        if "kernels" in module.name or module.name == "jpevalb.__main__":
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            if not isinstance(value, type) or not dataclasses.is_dataclass(value):
                continue
            if value.__module__ != module.name or name in GROWING:
                continue
            seen += 1
            assert value.__dataclass_params__.frozen != issubclass(value, Counts), (module.name, name)
            assert "__slots__" in vars(value), (module.name, name)
    assert seen > 40
