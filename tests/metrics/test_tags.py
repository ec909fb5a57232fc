"""Tags of aligned words and of words paired by position; worked examples."""

from __future__ import annotations

import pytest

from jpevalb import Settings, Tree
from jpevalb.alignment.pair import FIRST, Pair
from jpevalb.metrics.brackets import TagCounts, Tags, other_tags
from jpevalb.settings.params import Params
from jpevalb.trees.sentence import Sentence
from tests.support.rules import rules_of

CONVENTIONS = {
    "jpevalb": "jpevalb",
    "in place": "discontinuous",
    "any words": "discontinuous compare:no",
}
RULES = {name: rules_of(Params(eq_labels=(("N", "NNP"),)), text) for name, text in CONVENTIONS.items()}


def pair(gold: str, system: str, mode: str = "jpevalb") -> Pair:
    """Build a sentence from words as ``a/N``, or ``a`` without a tag."""
    sides = []
    for text in (gold, system):
        words, _, tags = zip(*[token.partition("/") for token in text.split()])
        tagged = [word for word, tag in enumerate(tags) if tag]
        labels = ["S", *[tags[word] for word in tagged]]
        above = [1 + tagged.index(word) if tag else 0 for word, tag in enumerate(tags)]
        tree = Tree.build(labels, [-1] + [0] * len(tagged), words, above)
        sides.append([Sentence(1, tree, tree)])
    return Pair(FIRST, *sides, RULES[mode], {} if mode == "jpevalb" else None)


@pytest.mark.parametrize(
    ("gold", "system", "aligned", "in_place"),
    [
        ("a/N b/V", "a/N b/V", (2, 2, 2), (2, 2, 2)),
        ("a/N b/V", "a/N b/A", (2, 2, 1), (2, 2, 1)),
        ("a/N b/V", "a/NNP b/X", (2, 2, 1), (2, 2, 1)),
        ("a/X b/N", "a/A b/X", (2, 2, 0), (2, 2, 0)),
        # Words as they are, wherever they stand; the only unit is of one of them, and the other is alone on
        # both sides.  Or the words of one place.
        ("a/N b/V", "b/V a/N", (2, 2, 2, 1, 1), (2, 2, 0)),
        ("a/N b/V", "c/N d/V", (2, 2, 0, 2, 2), (2, 2, 2)),
        ("a/N b/V", "ab/N", (2, 1, 0, 0, 0), (2, 1, 1)),
        ("a/N b/V c/A", "ab/N c/A", (3, 2, 1, 1, 1), (3, 2, 1)),
        # Without a tag there is nothing to be right; in place they do not count.
        ("a/N b c/V d e", "a b/V c/V d e/N", (5, 5, 2), (2, 3, 1)),
        ("a b", "a b", (2, 2, 2), (0, 0, 0)),
    ],
)
def test_correct_tags(gold, system, aligned, in_place):
    words = [[token.partition("/")[0] for token in side.split()] for side in (gold, system)]
    other = "in place" if words[0] == words[1] else "any words"
    for mode, expected in (("jpevalb", aligned), (other, in_place)):
        metric = Tags(Settings(convention=CONVENTIONS[mode]), RULES[mode])
        # Units have one token each, unless it says otherwise.
        units = expected[3:] or (expected[0], expected[2])
        one = pair(gold, system, mode)
        differing = int(expected is aligned and one.gold.words != one.system.words)
        assert metric.count(one) == TagCounts(*expected[:3], *units, differing)
        assert metric.zero() == TagCounts(0, 0, 0, 0, 0, 0) == TagCounts()
        assert metric.count(one).shown == bool(differing)


def test_accuracy():
    assert (TagCounts(4, 5, 3).accuracy, TagCounts(0, 1, 0).accuracy) == (0.75, None)


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        ("a/N b/V", "a/N b/V", []),
        ("a/N b/V c/X", "a/X b/A c/X", [(0, "N", 0, "X"), (1, "V", 1, "A")]),
        ("a/B b/V", "a/A b/V", [(0, "B", 0, "A")]),
        # Equal tags are none, and neither are words without one.
        ("a/N b c/V d/X", "a/NNP b/V c d/A", [(3, "X", 3, "A")]),
        # Only words one to one, whatever is before them.
        ("a/N cd/V e/X", "a/N c/V d/A e/V", [(2, "X", 3, "V")]),
        ("a/N c/V d/A e/V", "a/N cd/X e/X", [(3, "V", 2, "X")]),
        ("a/N bc/V d/V", "ab/N c/V d/V", []),
        ("cd/N e/V f/A g/X", "c/N d/V e/A fg/X", [(1, "V", 2, "A")]),
        ("c/N d/V e/A fg/X", "cd/N e/V f/A g/X", [(2, "A", 1, "V")]),
    ],
)
def test_other_tags(gold, system, expected):
    found = other_tags(pair(gold, system))
    assert [(*mine, *other) for mine, other in found] == expected
