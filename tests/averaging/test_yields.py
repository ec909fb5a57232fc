"""Yields of trees, and trees of yields, compared with their definitions."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from jpevalb import Tree
from jpevalb.averaging.yields import assembled, in_order, labeled_ensemble, labeled_pairs
from jpevalb.kernels.columns import chains, hits, majority, majority_tag, tags_of
from tests.support.averages import members
from tests.support.random_trees import trees


@given(tree=trees(tagged=False, max_words=9))
def test_yields(tree):
    found = chains(tree.with_tags)
    expected: dict[int, tuple[str, ...]] = {}
    for label, bits, is_tag in zip(tree.labels, tree.yields(), tree.preterminals):
        if bits and not is_tag:
            expected[bits] = (*expected.get(bits, ()), label)
    assert list(found.items()) == list(expected.items())
    assert tree.constituents() == [(label, bits) for bits, chain in expected.items() for label in chain]
    assert assembled(tree.words, found, tree.tags) == tree


@given(case=st.data())
def test_order(case):
    n = case.draw(st.integers(1, 8))
    sets = case.draw(st.sets(st.integers(1, (1 << n) - 1), max_size=20))
    expected = sorted(sets, key=lambda bits: (members(bits)[0], -bits.bit_count(), members(bits)))
    assert in_order(sets) == expected


def test_a_node_without_words():
    """An empty node is in no chain, and its parent is not a preterminal."""
    tree = Tree.build(["S", "X", "E", "Y"], [-1, 0, 1, 0], ["a", "b"], [1, 3])
    assert (chains(tree.columns), tags_of(tree.columns)) == ({0b11: ("S",), 0b1: ("X",)}, (None, "Y"))


def test_pairs():
    """Equal labels over one yield are numbered; empty ones go."""
    found = labeled_pairs({0b111: ("", "S"), 0b11: ("NP", "", "NP"), 1: ("X", "Y", "X")})
    assert found == [(7, "S", 0), (3, "NP", 0), (3, "NP", 1), (1, "X", 0), (1, "Y", 0), (1, "X", 1)]


@pytest.mark.parametrize(
    ("binary", "expected"),
    [
        (False, "(S (A a) (B b) (C c) (D d))"),
        (True, "(S (A a) (S (B b) (S (C c) (D d))))"),
    ],
)
def test_assembled(binary, expected):
    assert str(assembled("abcd", {0b1111: ("S",)}, "ABCD", binary=binary)) == expected


def test_supports_and_hits():
    assert labeled_ensemble(4, [1, 1], [[(5, "A", 0), (5, "A", 1)], [(5, "A", 0)]]).supports == {0: 3, 1: 1}
    assert hits({5: 7, 7: 5, 9: 2, 8: 2, 3: 4}, (1, 4, 2)) == ([5], [(4, 9), (4, 8), (3, 7), (2, 3)])


@pytest.mark.parametrize(
    ("chains", "weights", "expected"),
    [
        ("aa", [1, 2], "a"),
        ("bc", [1, 2], "c"),
        ("ba", [1, 1], "a"),
        ([("b",), ("a", "a"), ("a",)], [1, 1, 1], ("a",)),
        ([None, ("b",), ("a",)], [5, 2, 1], ("b",)),
    ],
)
def test_majority(chains, weights, expected):
    assert majority(chains, weights) == expected


@pytest.mark.parametrize(
    ("tags", "weights", "expected"),
    [
        (("A", "A"), [1, 1], "A"),
        (("B", "A", None), [1, 1, 1], None),
        (("B", "A", None), [1, 2, 1], "A"),
    ],
)
def test_majority_of_tags(tags, weights, expected):
    assert majority_tag(tags, weights) == expected


@pytest.mark.parametrize(
    ("chains", "expected"),
    [({}, "( a)"), ({1: ()}, "( a)"), ({1: ("X",)}, "(X a)"), ({1: ("X", "Y")}, "(X (Y a))")],
)
def test_what_is_over_a_bare_word_is_its_tag(chains, expected):
    found = assembled("a", chains, [None])
    assert str(found) == expected
    assert found.tags == (expected.split()[-2].lstrip("("),)
