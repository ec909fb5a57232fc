"""The layout of JSON objects gives what ``of_bead`` gives."""

import json
import random
from dataclasses import dataclass

import pytest

from jpevalb.base.counts import Counts, columns_of
from jpevalb.metrics import metric_of
from jpevalb.metrics.record import BeadCounts
from jpevalb.report.json import _text
from jpevalb.settings.registry import REGISTRY

KINDS = {"beads": BeadCounts, **{name: metric_of(name).counts for name in REGISTRY if name != "analysis"}}


@pytest.mark.parametrize("name", KINDS)
def test_a_row_has_the_same_object_as_its_record(name):
    columns, generator = columns_of(KINDS[name]), random.Random(name)
    for most in (0, 1, 40):
        for _ in range(20):
            numbers = tuple([generator.randint(0, most) for _ in columns.numbers])
            record = columns.record(numbers, columns.empty)
            try:
                expected = record.of_bead()
            except ValueError:
                continue  # no bead is without references
            assert json.loads(_text(columns, numbers)) == json.loads(json.dumps(expected))
            assert list(json.loads(_text(columns, numbers))) == list(expected)


def test_the_metrics_of_every_run_have_a_layout():
    for name in ("beads", "brackets", "tags", "gaps", "alignment", "segmentation"):
        assert KINDS[name].json_layout(KINDS[name].json_optional) is not None


@dataclass(frozen=True, slots=True)
class Flagged(Counts):
    """Counts of another package, which has names and types of its own."""

    optional: int = 0
    layout: int = 0
    right: bool = False


def test_a_count_may_be_a_flag():
    columns = columns_of(Flagged)
    assert _text(columns, (1, 2, True)) == '{"optional": 1, "layout": 2, "right": true}'
