"""The kernel of yields, compared with their definitions."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jpevalb import Tree
from tests.support.averages import key_of, members
from tests.support.random_trees import trees

both = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@both
@given(tree=trees(tagged=False, max_words=9), shift=st.sampled_from([0, 70]))
def test_yields(kernel, tree, shift):
    if shift:  # a long sentence, whose bit sets take more than one word of memory
        tree = Tree.build(
            [*tree.labels, "S"],
            [parent if parent >= 0 else len(tree) for parent in tree.parents] + [-1],
            [*["w"] * shift, *tree.words],
            [*[len(tree)] * shift, *tree.word_parents],
        )
    n = len(tree.words)
    fields = tree.labels, tree.parents, tree.starts, tree.ends, tree.word_parents
    chains, root_chain, unaries, tags = kernel("yields").tree_yields(tree.columns)
    expected: dict[int, tuple[str, ...]] = {}
    unary: list[tuple[str, ...]] = [()] * n
    root: tuple[str, ...] = ()
    for label, bits in tree.constituents():
        if bits.bit_count() == 1:
            unary[bits.bit_length() - 1] += (label,)
        elif bits == (1 << n) - 1:
            root += (label,)
        else:
            expected[bits] = (*expected.get(bits, ()), label)
    assert list(chains.items()) == [(key_of(bits, n), chain) for bits, chain in expected.items()]
    assert root_chain == root
    assert unaries == unary
    assert tags == [() if tag is None else (tag,) for tag in tree.tags]
    again = kernel("yields").assemble(n, [*chains], [*chains.values()], root_chain, unaries, tags, False)
    labels, parents, starts, _, word_parents = again
    assert Tree.build(labels, parents, tree.words, word_parents) == tree
    assert starts is None or again == fields
    assert (starts is None) == (not tree.is_continuous or (n > 1 and not root))


@both
@given(case=st.data())
def test_order(kernel, case):
    n = case.draw(st.integers(1, 8))
    sets = case.draw(st.sets(st.integers(1, (1 << n) - 1), max_size=20))
    yields = kernel("yields")
    found = yields.in_order([key_of(bits, n) for bits in sets], n)
    expected = sorted(sets, key=lambda bits: (members(bits)[0], -bits.bit_count(), members(bits)))
    assert [yields.bit_set(key, n) for key in found] == expected
    assert [yields.span(key, n) for key in found] == [
        (members(bits)[0], bits.bit_length(), bits.bit_count()) for bits in expected
    ]


def test_a_node_without_words(kernel):
    """An empty node is in no chain, and its parent is not a preterminal."""
    tree = Tree.build(["S", "X", "E", "Y"], [-1, 0, 1, 0], ["a", "b"], [1, 3])
    found = kernel("yields").tree_yields(tree.columns)
    assert found == ({}, ("S",), [("X",), ()], [(), ("Y",)])
    assert tree.tags == (None, "Y")


def test_pairs(kernel):
    """Equal labels over one yield are numbered; empty ones, and those over a sentence of one word, go."""
    pairs = kernel("yields").pairs
    assert pairs(3, {2: ("NP", "", "NP")}, ("S",), [("A",), ("X", "Y", "X"), ()]) == [
        *[(2, "NP", 0), (2, "NP", 1), (3, "S", 0)],
        *[(1, "A", 0), (6, "X", 0), (6, "Y", 0), (6, "X", 1)],
    ]
    assert pairs(1, {}, ("S",), [("A",)]) == [(1, "A", 0)]
    assert pairs(2, {}, ("",), [(), ()]) == []


@pytest.mark.parametrize(
    ("binary", "labels", "parents"),
    [(False, "SABCD", [-1, 0, 0, 0, 0]), (True, "SASBSCD", [-1, 0, 0, 2, 2, 4, 4])],
)
def test_assemble(kernel, binary, labels, parents):
    tags = [(tag,) for tag in "ABCD"]
    found = kernel("yields").assemble(4, [], [], ("S",), [()] * 4, tags, binary)
    places = [labels.index(tag) for tag in "ABCD"]
    assert Tree(*found[:4], tuple("abcd"), found[4]) == Tree.build(labels, parents, "abcd", places)


def test_supports(kernel):
    assert kernel("yields").supports([[5, -5], [], [5]]) == {5: 0b101, -5: 0b001}


def test_keys_by_hits(kernel):
    supports = {5: 0b111, 7: 0b101, 9: 0b010, 8: 0b010, -3: 0b100}
    assert kernel("yields").by_hits(supports, (1, 4, 2)) == ([5], [(4, 9), (4, 8), (3, 7), (2, -3)])


def test_chains_of_keys_are_voted_for(kernel):
    chains = [{5: ("A",), 7: ("B",)}, {5: ("C",)}, {5: ("C",), 7: ("A",)}]
    assert kernel("yields").voted(chains, [7, 5], [1, 1, 1]) == [("A",), ("C",)]


@pytest.mark.parametrize(
    ("columns", "weights", "expected"),
    [
        ([["a", "b"], ["a", "c"]], [1, 2], ["a", "c"]),
        ([["b"], ["a"], [None]], [1, 1, 5], ["a"]),
        ([[("b",)], [("a", "a")], [("a",)]], [1, 1, 1], [("a",)]),
        ([[None], ["z"]], [9, 1], ["z"]),
        ([[]], [1], []),
        ([], [], []),
    ],
)
def test_majority(kernel, columns, weights, expected):
    assert kernel("yields").majority(columns, weights) == expected
