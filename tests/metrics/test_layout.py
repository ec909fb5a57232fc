"""The layout of JSON objects gives what ``of_bead`` gives."""

import json
import random
from dataclasses import dataclass

import pytest

from jpevalb.base.counts import Counts
from jpevalb.metrics import metric_of
from jpevalb.metrics.record import BeadCounts, Record, schema_of
from jpevalb.report.json import _counts
from jpevalb.settings.registry import REGISTRY

KINDS = {"beads": BeadCounts, **{name: metric_of(name).counts for name in REGISTRY if name != "analysis"}}


@pytest.mark.parametrize("name", KINDS)
def test_a_row_has_the_same_object_as_its_record(name):
    schema = schema_of(((name, KINDS[name]),), False)
    generator = random.Random(name)
    for most in (0, 1, 40):
        for _ in range(20):
            numbers = tuple([generator.randint(0, most) for _ in schema.places])
            record = Record(schema, numbers, schema.tables)
            try:
                expected = record.of_bead()
            except ValueError:
                continue  # no bead is without references
            assert f"{{{_counts(record)}}}" == json.dumps(expected)


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
    record = Record.of({"beads": BeadCounts(1), "flagged": Flagged(1, 2, True)})
    assert _counts(record).endswith('"flagged": {"optional": 1, "layout": 2, "right": true}')
