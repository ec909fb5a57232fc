"""Sums over all sentences of a page: answers by state and length, and intervals of causes and labels."""

from __future__ import annotations

import pytest

from jpevalb import evaluate
from jpevalb.report.findings import Findings
from jpevalb.report.verdict import cost

TREE = "(S (NP (N a)) (VP (V b)))"
LONG = f"(S {' '.join(f'(N w{number})' for number in range(12))})"


def findings(gold, system, **options):
    found = evaluate(gold, system, **options)
    return Findings(found.sentences, found.settings, found.metrics, None)


def test_answers_by_state_and_length():
    answers = [TREE, f"```\n{TREE}\n```", "I cannot.", TREE.replace("a)", "x)"), LONG, TREE[:-1]]
    found = findings([TREE] * 4 + [LONG, TREE], answers, format="answers")
    assert [(number, state) for number, state, _ in found.answers] == [
        (1, "valid"),
        (2, "around"),
        (3, "none"),
        (4, "words"),
        (5, "valid"),
        (6, "cut"),
    ]
    assert found.other_words == [4]
    short, long = (dict(found.written[length]) for length in (0, 1))
    # Answers that are not trees count as empty; the tree with another word matches over its unit.
    assert short == {
        **{"gold": 15, "system": 6, "matched": 6},
        **dict.fromkeys(("valid", "around", "none", "words", "cut"), 1),
    }
    assert long == {"gold": 1, "system": 1, "matched": 1, "valid": 1}
    ends = found.intervals(0.95)
    steps = [ends[kind, name] for kind, name in ends if kind == "step"]
    assert steps
    assert all(0 <= low <= high <= 1 for low, high in steps)


def test_intervals_are_around_the_figures():
    gold, system = [TREE] * 40, [TREE.replace("NP", "X"), TREE] * 20
    found = findings(gold, system)
    ends = found.intervals(0.95)
    for item in found.analysis.causes:
        low, high = ends["cause", item.cause]
        assert cost(item, found.brackets) == pytest.approx(1 / 6)
        assert 0 < low < 1 / 6 < high < 1 / 3
    f1 = {item.label: item.counts.f1 for item in found.analysis.labels}
    low, high = ends["label", "NP"]
    assert f1["NP"] == pytest.approx(2 / 3)
    assert low < 2 / 3 < high
    assert ends["label", "S"] == (1.0, 1.0)
