"""The documentation states the numbers of the code."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import re

import pytest

import jpevalb
from jpevalb.alignment import stream
from jpevalb.comparison import labels
from jpevalb.metrics import mapping
from jpevalb.trees import files, params
from jpevalb.trees.settings import Settings
from tests.support.commands import ROOT


@pytest.fixture(scope="module")
def limits():
    page = ROOT / "docs" / "limits.md"
    if not page.exists():
        pytest.skip("the pages are not here")
    return " ".join(page.read_text(encoding="utf-8").split())


def test_the_page_of_reports_says_how_many_labels_are_tested():
    page = ROOT / "docs" / "reports.md"
    if not page.exists():
        pytest.skip("the pages are not here")
    assert f"the {labels.TESTED} most frequent labels" in page.read_text(encoding="utf-8")


def test_limits_are_what_the_page_says(limits):
    in_step, least, most = re.search(
        r"same words are read (\d+) sentences at a time, others by ([\d,]+) to ([\d,]+) characters", limits
    ).groups()
    assert int(in_step) == stream.TOGETHER
    assert [int(least.replace(",", "")), int(most.replace(",", ""))] == list(stream.WINDOWS[:2])
    [millions] = re.findall(r"up to (\d+) million characters of either file", limits)
    assert int(millions) == stream.WINDOWS[-1] // 10**6
    [sentence, small] = re.findall(r"(\d+) MiB", limits)
    assert (int(sentence), int(small)) == (files.LONGEST >> 20, params._MAX_BYTES >> 20)
    assert "more than 2 * 10^10 steps" in limits
    assert mapping.MOST_STEPS == 2 * 10**10
    # 16 (n + 1) (m + 1) bytes for 8,000 nodes each are the default.
    assert "16 (n + 1) (m + 1) bytes" in limits
    assert "two sentences of 8,000 nodes take the 1 GB" in limits
    assert Settings().most_memory == 10**9
    assert 1.0 <= 16 * 8001**2 / 1e9 < 1.03


# Readers fill them line by line, or they hold what is computed when asked for.
GROWING = {"Utterance", "LegacyResult"}


def test_records_cannot_be_changed():
    """Counts and settings are shared by rows, sums and caches."""
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
            assert value.__dataclass_params__.frozen, (module.name, name)
            assert "__slots__" in vars(value), (module.name, name)
    assert seen > 50
