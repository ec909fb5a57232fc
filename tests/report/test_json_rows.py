"""The JSON of a sentence is the object of its result."""

import json
import random
from dataclasses import dataclass

import pytest

from jpevalb import evaluate
from jpevalb.base.counts import Counts
from jpevalb.metrics import metric_of
from jpevalb.metrics.record import Record, SentenceCounts, schema_of
from jpevalb.report.json import _counts
from jpevalb.settings.settings import REGISTRY

KINDS = {
    "sentences": SentenceCounts,
    **{name: metric_of(name).counts for name in REGISTRY if name != "analysis"},
}


@pytest.mark.parametrize("name", KINDS)
def test_counts_of_a_metric(name):
    schema = schema_of(((name, KINDS[name]),))
    generator = random.Random(name)
    for most in (0, 1, 40):
        for _ in range(20):
            numbers = tuple([generator.randint(0, most) for _ in schema.places])
            record = Record(schema, numbers, tuple(schema.empty))
            try:
                expected = record[name].of_bead()
            except ValueError:
                continue  # no bead is without references
            assert _counts(record, name) == json.dumps(expected)


@dataclass(frozen=True, slots=True)
class Flagged(Counts):
    """Counts of another package, which has names and types of its own."""

    layout: int = 0
    right: bool = False


def test_a_count_may_be_a_flag():
    record = Record.of({"sentences": SentenceCounts(1), "flagged": Flagged(2, True)})
    assert _counts(record, "flagged") == '{"layout": 2, "right": true}'


@pytest.mark.parametrize("size", [1, 3])
def test_a_report_is_the_object_of_its_evaluation(size):
    result = evaluate(["(S (NP (NN a)) (VB b))"] * size, ["(S (NN a) (VB b))"] * size)
    assert json.loads(result.report("json")) == result.to_dict()


@pytest.mark.parametrize("details", [False, True])
def test_sentences_of_a_report(details):
    """Tables, such as those of labels, and lists, such as that of nodes, are no numbers."""
    gold = ["(S (NP (NN a)) (VP (VB b)))", "(S (NN c))", "(S (NP (NN a)) (VP (VB b)))"]
    system = ["(S (NP (NN a) (VB b)))", "", "(S (NP (NN a)) (VP (VB b)))"]
    result = evaluate(gold, system, by_label=True, analysis=True)
    lines = result.report("json", details=details).split('"sentences": [')[1].splitlines()[1:-2]
    for line, sentence in zip(lines, result.sentences, strict=True):
        expected = {**sentence.to_dict(result.metrics), **(sentence.details() if details else {})}
        assert line.strip().removesuffix(",") == json.dumps(expected)
