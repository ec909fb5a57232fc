"""Errors of joined and split sentences: their only cause is the sentence boundary."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from jpevalb import Tree, evaluate
from tests.benchmarks.treebank import make_treebank

GOLD = [*make_treebank(60, 5)]
"""Trees with one constituent over all words, below a root that does not count."""


def root(tree: str) -> str:
    """Return a tree without its ROOT."""
    return tree[tree.index(" ") + 1 : -1]


def label(tree: str) -> str:
    return tree[1 : tree.index(" ")]


WAYS = {
    "roots kept": lambda one, two: f"(TOP {one} {two})",
    "two trees on a line": lambda one, two: f"(TOP {one}) (TOP {two})",
    "new parent": lambda one, two: f"(TOP (X {one} {two}))",
    "parent of the same label": lambda one, two: f"(TOP ({label(one)} {one} {two}))",
    "roots merged": lambda one, two: f"(TOP ({label(one)} {root(one)} {root(two)}))",
    "roots replaced": lambda one, two: f"(TOP (X {root(one)} {root(two)}))",
    "second below the first": lambda one, two: f"(TOP ({label(one)} {root(one)} {two}))",
    "first below the second": lambda one, two: f"(TOP ({label(two)} {one} {root(two)}))",
}
"""Ways to join two sentences, and the number of unmatched constituents for each pair."""

ERRORS = (0, 0, 1, 1, 3, 3, 2, 2)


@pytest.mark.parametrize(("way", "errors"), [*zip(WAYS.values(), ERRORS)], ids=[*WAYS])
@pytest.mark.parametrize("swapped", [False, True])
def test_joined_pairs(way, errors, swapped):
    joined = list(GOLD)
    for first in range(0, 40, 8):
        joined[first : first + 2] = [way(*map(root, joined[first : first + 2]))]
    check(*((joined, GOLD) if swapped else (GOLD, joined)), times=5, errors=5 * errors)


@pytest.mark.parametrize("cuts", [1, 2, 4])
@pytest.mark.parametrize("swapped", [False, True])
def test_sentences_cut_between_any_words(cuts, swapped):
    """Constituents over a cut are on both sides of it."""
    rng = random.Random(cuts)
    pieces: list[str] = []
    for number, text in enumerate(GOLD):
        tree = Tree.parse(text)
        size = len(tree.words)
        ends = sorted(rng.sample(range(1, size), min(cuts, size - 1))) if number % 3 == 0 else []
        pieces += [restricted(tree, *span) for span in pairwise([0, *ends, size])]
    check(*((pieces, GOLD) if swapped else (GOLD, pieces)), times=20, errors=None)


def restricted(tree: Tree, first: int, last: int) -> str:
    """Return a tree without the words outside a range, and without the nodes above these alone."""
    children = tree.children()

    def text(node):
        if node < 0:
            return tree.words[~node] if first <= ~node < last else ""
        inside = " ".join(filter(None, map(text, children[node])))
        return inside and f"({tree.labels[node]} {inside})"

    return text(0)


def check(gold, system, times, errors):
    result = evaluate(gold, system, metrics="brackets,segmentation", analysis=True)
    found = result.total["analysis"].causes
    brackets, counts = result.total.brackets, result.total["segmentation"]
    if errors is None:
        errors = brackets.wrong()
        assert errors > 3 * times
    assert brackets.wrong() == counts.sentence_errors == errors
    assert counts.token_errors == 0
    if errors:
        assert [(cause, count.times, count.brackets) for cause, count in found.items()] == [
            ("sentence boundary", times, errors)
        ]
    else:
        assert found == {}


def causes(gold, system, **options):
    result = evaluate(gold, system, metrics="brackets", **options)
    return [
        (
            correction.cause,
            *(" ".join(sorted(map(str, items))) for items in (correction.missed, correction.extra)),
        )
        for sentence in result.sentences
        for correction in sentence.corrections()
    ]


TWO = ["(S (NP (NN a)) (VP (VB b) (NP (NN c) (NN d))))", "(S (NP (NN e)) (VP (VB f)))"]


def test_other_errors_keep_their_causes():
    # The roots merged; and below them a node less, which is missed with or without the joined root.
    system = ["(S (NP (NN a)) (VP (VB b) (NN c) (NN d)) (NP (NN e)) (VP (VB f)))"]
    assert causes(TWO, system) == [
        ("sentence boundary", "S[0:4] S[4:6]", "S[0:6]"),
        ("NP boundary", "NP[2:4]", ""),
    ]
    # A phrase of the second sentence in the verb phrase of the first: gold's phrase is what it has there.
    system = ["(S (NP (NN a)) (VP (VB b) (NP (NN c) (NN d)) (NP (NN e))) (VP (VB f)))"]
    assert causes(TWO, system) == [("sentence boundary", "S[0:4] S[4:6] VP[1:4]", "S[0:6] VP[1:5]")]
    assert causes(TWO, [system[0].replace("VP", "X")]) == [
        ("sentence boundary", "S[0:4] S[4:6]", "S[0:6] X[1:5]"),
        ("different label", "VP[5:6]", "X[5:6]"),
        ("verb arguments", "VP[1:4]", ""),
    ]
    (found,) = causes(TWO, [system[0].replace("VP", "X")], unlabeled=True)
    assert found == ("sentence boundary", "S[0:4] S[4:6] VP[1:4]", "S[0:6] X[1:5]")
    # Another label for a root is an error of its own: the sentence is there.
    system = ["(X (NP (NP (NN a)) (VP (VB b) (NP (NN c) (NN d)))) (S (NP (NN e)) (VP (VB f))))"]
    assert causes(TWO, system) == [
        ("sentence boundary", "", "X[0:6]"),
        ("different label", "S[0:4]", "NP[0:4]"),
    ]


def test_equal_labels():
    gold = ["(S (ADVP (A a) (A b)))", "(S (NN c) (NN d))"]
    system = ["(S (PRT (A a) (A b) (NN c)) (NN d))"]
    assert len(causes(gold, system, prm="COLLINS")) == 1
    assert len(causes(gold, system)) == 2


def test_a_sentence_end_inside_of_a_unit():
    """A unit that both sentences share is in each of them."""
    gold = ["(S (NP (NN ab) (NN c)))", "(S (VP (VB d) (VB ef)))"]
    system = ["(S (NP (NN ab) (NN cd)) (VP (VB ef)))"]
    assert causes(gold, system) == [
        ("sentence boundary", "S[0:2] S[1:3]", "S[0:3]"),
        ("single-word phrase", "", "VP[2:3]"),
        ("verb arguments", "VP[1:3]", ""),
    ]


def test_sentences_without_constituents():
    """A failed parse beside another sentence, and one with nothing but the joined root."""
    assert causes(TWO, ["((NN a) (VB b) (NN c) (NN d) (NN e) (VB f))"]) == [
        ("no parse", "NP[0:1] NP[2:4] NP[4:5] S[0:4] S[4:6] VP[1:4] VP[5:6]", "")
    ]
    assert causes(["(S (NN a))", "(S (NN b))"], ["(S (NP (NN a)) (NN b))"]) == [
        ("sentence boundary", "S[0:1] S[1:2]", "S[0:2]"),
        ("single-word phrase", "", "NP[0:1]"),
    ]
