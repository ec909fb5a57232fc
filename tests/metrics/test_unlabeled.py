"""Unlabelled brackets beside the labelled ones."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from jpevalb import evaluate
from jpevalb.metrics.variants import UnlabeledCounts
from tests.support.random_trees import trees

GOLD = ["(S (NP (NP (NN a)) (NN b)) (VP (VB c)))", "(S (NP (NN a)))"]
SYSTEM = ["(S (X (NN a) (NN b)) (VP (VB c)))", "(X (S (NN a)))"]


def counts(gold, system, **options) -> UnlabeledCounts:
    found: UnlabeledCounts = evaluate(gold, system, metrics="brackets,unlabeled", **options).total[
        "unlabeled"
    ]
    return found


def test_by_hand():
    # Spans 0-3, 0-2, 0-1, 2-3 against 0-3, 0-2, 2-3; the second sentence has 0-1 twice on both sides.
    assert counts(GOLD, SYSTEM) == UnlabeledCounts(2, 6, 5, 5, 1)
    # Over the same words, constituents without labels are sets.
    assert counts(GOLD, SYSTEM, convention="discontinuous") == UnlabeledCounts(2, 5, 4, 4, 1)
    result = evaluate(GOLD, SYSTEM, metrics="brackets,unlabeled")
    assert result.total.brackets.matched == 3
    assert result.figures["unlabeled_f1"] == 10 / 11
    assert result.figures["unlabeled_complete_match"] == 0.5
    assert result.total["unlabeled"].to_dict() == {
        "sentences": 2, "gold": 6, "system": 5, "matched": 5, "complete": 1,
        "complete_match": 0.5, "recall": 5 / 6, "precision": 1.0, "f1": 10 / 11,
    }  # fmt: skip


def test_gaps():
    gold = ["(S (VP 0=wake (RP 2=up)) (NP 1=me))"]
    assert counts(gold, ["(S (X 0=wake (RP 2=up)) (NP 1=me))"], tags="yes") == UnlabeledCounts(1, 2, 2, 2, 1)
    assert counts(gold, ["(S (VP 0=wake) (NP 1=me (RP 2=up)))"], tags="yes") == UnlabeledCounts(1, 2, 2, 1, 0)


def test_without_constituents():
    assert counts(["(NN a)"], ["(NN a)"]) == UnlabeledCounts(1, 0, 0, 0, 1)
    assert counts(["(S (NN a))"], [""]) == UnlabeledCounts(1, 1, 0, 0, 0)
    assert UnlabeledCounts().f1 is None
    for convention in ("jpevalb", "discontinuous"):
        brackets = evaluate(["(NN a)"], ["null"], convention=convention).total.brackets
        unlabeled = counts(["(NN a)"], ["null"], convention=convention)
        assert unlabeled.complete == brackets.complete == 0


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"prm": "COLLINS"},
        {"convention": "discontinuous"},
        {"convention": "discontinuous least:2 whole:drop-all"},
    ],
)
@given(data=st.data())
def test_the_same_as_an_unlabelled_run(options, data):
    counted = data.draw(st.lists(st.integers(1, 8), min_size=1, max_size=3))  # no sentence is an error
    shape = {"words": st.just("a"), "continuous": "convention" not in options}
    gold, system = [
        [data.draw(trees(min_words=count, max_words=count, **shape)) for count in counted] for _ in range(2)
    ]
    found = counts(gold, system, **options)
    brackets = evaluate(gold, system, unlabeled=True, **options).total.brackets
    assert (found.gold, found.system, found.matched, found.complete, found.sentences) == (
        brackets.gold, brackets.system, brackets.matched, brackets.complete, brackets.sentences,
    )  # fmt: skip
    assert counts(gold, gold, **options).f1 in (None, 1.0)
