"""Leaf-ancestor: worked examples of lineages, a recursive edit distance, and reports."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings, strategies as st

from jpevalb import Tree, evaluate
from jpevalb.metrics.tree_similarity import SCALE, lineages, similarities
from tests.support.random_trees import trees


def shown(tree) -> list[str]:
    return [
        " ".join([item if isinstance(item, str) else item[0] for item in one]) for one in lineages(tree, str)
    ]


def test_lineages_by_hand():
    assert shown(Tree.parse("(S (NP (D the) (N cat)) (VP (V saw) (NP (N it))))")) == [
        "S ( NP",  # begins S, which is higher than NP
        "S ) NP",
        "S VP (",
        ") S VP NP (",  # ends S; begins NP
    ]
    assert shown(Tree.parse("(S (V go))")) == [") S ("]


def test_lineages_with_gaps():
    # X has the words 0 and 2; Y, inside it, only 2.
    tree = Tree.build(["S", "X", "Y", "N", "N", "N"], [-1, 0, 1, 1, 0, 2], ["a", "b", "c"], [3, 4, 5])
    found = shown(tree)
    assert found[1] == "S"
    assert found[0] == "S ( ] X"
    assert found[2] == ") S X [ Y ("


def test_by_hand():
    gold, system = "(S (NP (D the) (N cat)) (V sat))", "(S (D the) (VP (N cat) (V sat)))"
    # the: S ( NP and S (: 2 of 5 items shared, twice; cat: S ) NP and S VP (; sat: ) S and ) S VP.
    for one, two, mean in (
        (gold, system, pytest.approx((4 / 5 + 2 / 6 + 4 / 5) / 3)),
        (gold, gold, 1.0),
        ("", "", None),
        ("(X (A a))", "(Y (A a))", pytest.approx(2 * 2 / 6)),
    ):
        # A run of trees without words is an error, so another pair follows.
        first, _ = evaluate([one, gold], [two, gold], metrics="leaf").sentences
        assert first.record["leaf"].mean == mean


def slow_lineage(tree: Tree, word: int) -> list:
    """Compute lineages by the definition, from the words of each constituent."""

    def words(node):
        found = set()
        for place, parent in enumerate(tree.word_parents):
            while parent >= 0:
                if parent == node:
                    found.add(place)
                parent = tree.parents[parent]
        return found

    above = [node for node in tree if word in words(node) and not tree.preterminals[node]]
    first = {}
    for node in above:
        mine = words(node)
        if word + 1 not in mine:
            first.setdefault(")" if word == max(mine) else "]", node)
        if word - 1 not in mine:
            first.setdefault("(" if word == min(mine) else "[", node)
    found = []
    for node in above:
        found += [sign for sign in ")]" if first.get(sign) == node]
        found.append((tree.labels[node],))
        found += [sign for sign in "([" if first.get(sign) == node]
    return found


def slow_distance(one, two) -> int:
    @cache
    def best(i, j):
        if not i or not j:
            return i + j
        return min(
            best(i - 1, j) + 1, best(i, j - 1) + 1, best(i - 1, j - 1) + 2 * (one[i - 1] != two[j - 1])
        )

    return best(len(one), len(two))


@given(trees(max_words=6), st.data())
@settings(max_examples=100, deadline=None)
def test_the_definition(gold, data):
    count = len(gold.words)
    system = data.draw(trees(max_words=count, min_words=count))
    total = Fraction(0)
    for word in range(count):
        one, two = slow_lineage(gold, word), slow_lineage(system, word)
        assert list(lineages(gold, str)[word]) == one
        size = len(one) + len(two)
        total += 1 - Fraction(slow_distance(one, two), size) if size else 1
    pairs = [(word, word) for word in range(count)]
    found = similarities(lineages(gold, str), lineages(system, str), pairs)
    assert sum(found) / SCALE == pytest.approx(float(total))


def test_words_without_counterpart():
    found = evaluate(
        ["(S (NP (D H) (N CL)))"], ["(S (NP (N CL)))"], metrics="leaf"
    ).total["leaf"]  # fmt: skip
    # CL: ) S NP and ) S ( NP share 3 of 7; H has none.
    assert (found.words, found.alone) == (2, 1)
    assert found.mean == pytest.approx(6 / 7 / 2)


def test_counterparts_are_those_of_the_alignment():
    found = evaluate(
        ["(S (X (D H)) (N CL) (V x))"], ["(S (N CL) (V x))"], metrics="leaf"
    ).total["leaf"]  # fmt: skip
    # CL: S and S ( share 1 of 3, twice; x: ) S on both sides; H has no counterpart.
    assert (found.words, found.alone) == (3, 1)
    assert found.similarity == SCALE + round(Fraction(2, 3) * SCALE)


def test_labels_count_as_in_the_brackets():
    found = evaluate(["(TOP (S-X (A a)))"], ["(S (A a))"], metrics="leaf").total["leaf"]
    assert found.mean == 1.0
    assert evaluate(["(X (A a))"], ["(Y (A a))"], metrics="leaf", unlabeled=True).total["leaf"].mean == 1.0
