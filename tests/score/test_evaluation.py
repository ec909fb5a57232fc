"""Parts of an evaluation: sentences that were left out, and the arguments of a report."""

from __future__ import annotations

import json

import pytest

from jpevalb import evaluate
from jpevalb.score.evaluation import LeftOut

GOLD = ["(S (N a))", "(S (N b))"]


@pytest.mark.parametrize(
    ("first", "after", "both"),
    [
        # Gold alone, the system alone, and both, a bead each.
        ((3, (2, 3), (5, 5)), (4, (3, 4), (5, 5)), (3, (2, 4), (5, 5))),
        ((3, (2, 4), (5, 5)), (5, (4, 5), (5, 5)), (3, (2, 5), (5, 5))),
        ((3, (2, 2), (5, 7)), (5, (2, 2), (7, 8)), (3, (2, 2), (5, 8))),
        ((1, (0, 1), (4, 5)), (2, (1, 2), (5, 6)), (1, (0, 2), (4, 6))),
        # Another number, and sentences in between.
        ((3, (2, 3), (5, 5)), (5, (3, 4), (5, 5)), None),
        ((3, (2, 3), (5, 5)), (4, (4, 5), (5, 5)), None),
        ((3, (2, 3), (5, 5)), (4, (3, 4), (6, 6)), None),
        ((3, (2, 2), (5, 6)), (4, (2, 2), (7, 8)), None),
        # Text on other sides.
        ((3, (2, 3), (5, 5)), (4, (3, 3), (5, 6)), None),
        ((3, (2, 3), (5, 6)), (4, (3, 4), (6, 6)), None),
        ((3, (2, 3), (5, 6)), (4, (3, 3), (6, 7)), None),
        ((3, (2, 2), (5, 6)), (4, (2, 3), (6, 7)), None),
        ((3, (2, 3), (5, 5)), (4, (3, 4), (5, 6)), None),
    ],
)
def test_consecutive_beads_are_joined(first, after, both):
    for state in ("unaligned", "no parse"):
        expected = both and LeftOut(state, *both)
        assert LeftOut(state, *first).joined(LeftOut(state, *after)) == expected
    assert LeftOut("unlike", *first).joined(LeftOut("unlike", *after)) is None


def test_sizes_of_what_was_left_out():
    assert LeftOut("unaligned", 3, (2, 5), (7, 7)).size == 3
    assert LeftOut("unaligned", 3, (2, 2), (7, 9)).size == 2
    # Where all sentences are too short to be scored, no word is to blame.
    assert evaluate(["(NP (NN a))"], ["(NP (NN a))"], convention="kim").excluded_share == 0
    assert LeftOut("no parse", 3, (1, 2), (7, 8)).size == 1


def test_reports_have_their_sentences_but_no_details():
    result = evaluate(GOLD, GOLD)
    sentences = json.loads(result.report("json"))["sentences"]
    assert len(sentences) == 2
    assert "gold_words" not in sentences[0]
    assert sentences == json.loads(result.report("json", details=False, quiet=False))["sentences"]
    assert set(sentences[0]) < set(json.loads(result.report("json", details=True))["sentences"][0])
    assert "sentences" not in json.loads(result.report("json", quiet=True))


def test_evaluations_are_equal_whatever_made_them():
    result = evaluate(GOLD, GOLD)
    assert result == evaluate(GOLD, GOLD)
    assert all(one != other for one, other in zip(result.metrics, evaluate(GOLD, GOLD).metrics))


def test_figures_of_each_mode():
    aligned = evaluate(GOLD, GOLD, convention="jpevalb", metrics="brackets").figures
    apart = evaluate(GOLD, GOLD, convention="discontinuous", metrics="brackets").figures
    same = {"complete_match", "discontinuous_f1", "f1", "precision", "recall", "sentence_f1", "tag_accuracy"}
    assert set(aligned) == {*same, "average_crossing", "unit_tag_accuracy"}
    assert set(apart) == {*same, "continuous_f1"}
    assert (aligned["f1"], apart["f1"], aligned["discontinuous_f1"]) == (1.0, 1.0, None)
