"""Tree node, word and concept accuracy: the paper's example, ties, types, records."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from jpevalb.formats.bracket import parse_discbracket
from jpevalb.metrics import node_accuracy
from jpevalb.metrics.node_accuracy import (
    NodeCounts,
    concept_accuracy,
    or_undefined,
    tree_node_accuracy,
    word_accuracy,
)
from jpevalb.trees.tree import Tree
from tests.support.tree_oracles import FLIGHT as GOLD, OTHER_FLIGHT as SYSTEM, both, brackets, random_bracket  # noqa: F401

pytestmark = pytest.mark.usefixtures("both")
quick = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


class TestWorkedExample:
    def test_nodes(self):
        counts = tree_node_accuracy(GOLD, SYSTEM)
        assert counts == NodeCounts(correct=9, substituted=2, deleted=3, inserted=2)
        assert (counts.accuracy, counts.cost) == (0.5, 23)
        assert NodeCounts(inserted=1).accuracy is NodeCounts().accuracy is None

    def test_concepts(self):
        assert concept_accuracy(GOLD, SYSTEM) == NodeCounts(0, 0, 6, 6)
        assert concept_accuracy(GOLD, SYSTEM).accuracy == -1

    def test_words(self):
        counts = word_accuracy(GOLD, SYSTEM)
        assert counts == NodeCounts(4, 1, 1, 1)
        assert counts.cost == 10


class TestNodes:
    @pytest.mark.parametrize(
        ("gold", "system", "counts"),
        [
            ("", "", NodeCounts()),
            ("(TOP)", "", NodeCounts()),
            ("(S (A a))", "", NodeCounts(deleted=3)),
            ("", "(S (A a))", NodeCounts(inserted=3)),
            # A dummy root is there or is not; neither counts.
            ("(TOP (S (A a)))", "(S (A a))", NodeCounts(3)),
            ("( (S (A a)))", "(ROOT (S (A a)))", NodeCounts(3)),
            ("(S (TOP a b))", "(S (ROOT a b))", NodeCounts(3, 1)),
            # Types: a phrase maps to no tag, a tag to no word.
            ("(S (A a))", "(S (A a b))", NodeCounts(2, 0, 1, 2)),
            ("(S (A a) b)", "(S a (A b))", NodeCounts(3, 0, 1, 1)),
            # A word under a tag maps to a word under a phrase.
            ("(S (A a) (B b))", "(S a b)", NodeCounts(3, 0, 2, 0)),
            # Nodes without words are phrases.
            ("(S (A) (B b))", "(S (A) (B b))", NodeCounts(4)),
            ("(S (A) (B b))", "(S (C) (B b))", NodeCounts(3, 1)),
        ],
    )
    def test_counts(self, gold, system, counts):
        assert tree_node_accuracy(gold, system) == counts

    def test_types(self):
        gold, system = "(S (X (A a)))", "(S (A (X a)))"
        assert tree_node_accuracy(gold, system) == NodeCounts(2, 2)
        assert tree_node_accuracy(gold, system, types=lambda label, kind: kind == "word") == NodeCounts(
            3, 0, 1, 1
        )
        assert tree_node_accuracy("(A a)", "(B a)", types={"B": "other"}) == NodeCounts(1, 0, 1, 1)
        kinds = []
        tree_node_accuracy("(S (A a) b)", "", types=lambda label, kind: kinds.append((label, kind)))
        assert kinds == [("S", "phrase"), ("A", "tag"), ("a", "word"), ("b", "word")]


class TestSequences:
    @quick
    @given(st.lists(st.sampled_from("abc"), max_size=9), st.lists(st.sampled_from("abc"), max_size=9))
    def test_words(self, gold, system):
        one = Tree.build(["S"], [-1], gold, [0] * len(gold))
        two = Tree.build(["S"], [-1], system, [0] * len(system))
        assert word_accuracy(one, two) == _best_alignment(
            [("", word) for word in gold], [("", word) for word in system]
        )

    @quick
    @given(brackets(14, labels="AB"), brackets(14, labels="AB"))
    def test_concepts(self, gold, system):
        assert concept_accuracy(gold, system) == _best_alignment(
            _concepts(Tree.parse(gold)), _concepts(Tree.parse(system))
        )

    def test_a_word_may_come_before_a_node_above_it(self):
        gold = parse_discbracket("(S (B (B (B (T 1=w1) (T 0=w1))) (T 2=w2)))")
        system = parse_discbracket("(S (S (T 1=w1) (S (T 0=w1) (T 2=w2))))")
        assert (word_accuracy(gold, system), concept_accuracy(gold, gold)) == (NodeCounts(3), NodeCounts(3))
        assert concept_accuracy(gold, system) == NodeCounts(0, 0, 3, 3)

    def test_ties_go_to_the_most_correct(self):
        assert word_accuracy("(S p q r)", "(S r s t)") == NodeCounts(1, 0, 2, 2)

    def test_concepts_of_one_slot(self):
        gold = "(TOP (Flight (From oslo) (To rome) (Day monday)))"
        assert concept_accuracy(gold, "(Flight (From oslo) (To paris))") == NodeCounts(1, 1, 1, 0)
        # A slot is the whole path: the same label elsewhere is another slot.
        assert concept_accuracy(gold, "(TOP (From oslo) (To rome))") == NodeCounts(0, 0, 3, 2)

    def test_100_000_words(self):
        rng = random.Random(1)
        words = [rng.choice("abcdefgh") for _ in range(100_000)]
        gold = Tree.build(["S"], [-1], words, [0] * len(words))
        near = Tree.build(["S"], [-1], [*words[:50_000], "x", *words[50_001:]], [0] * len(words))
        short = Tree.build(["S"], [-1], words[:50_000], [0] * 50_000)
        assert word_accuracy(gold, gold) == NodeCounts(100_000)
        assert word_accuracy(gold, near) == NodeCounts(99_999, 1)
        assert word_accuracy(gold, short) == NodeCounts(50_000, 0, 50_000, 0)

    def test_a_path_of_100_000_labels(self):
        text = "(A " * 100_000 + "x" + ")" * 100_000
        assert concept_accuracy(text, text) == NodeCounts(1)


def test_sequences_that_need_more_memory_than_allowed(monkeypatch):
    """Between the first and the last difference: equal ends are free."""
    gold, system = "(S a b c a)", "(S a d e f a)"
    for cells, expected in ((24, NodeCounts(2, 2, 0, 1)), (23, NodeCounts(undefined=1))):
        monkeypatch.setattr(node_accuracy, "MOST_MEMORY", 8 * cells)
        assert or_undefined(word_accuracy, gold, system) == expected


def test_paths_above_words(kernel):
    """Roots that do not count, a label that does not, and a tag that does not; one number a path."""
    tree = Tree.parse("(TOP (TOP (S (A a) b (TOP (A c)) (B d) (- (A e)) (C f g) (C h))))")
    numbers_of = {"S": 7, "TOP": 8, "C": 9, "A": 5}

    class Numbers(dict):
        def __init__(self, known):
            super().__init__(known)
            self.missed = []

        def __missing__(self, label):
            self.missed.append(label)
            return self.setdefault(label, numbers_of[label])

    names = Numbers({"-": -1}), Numbers({"B": -1})
    paths = {}
    nodes = kernel("mapping").LabelledNodes(tree.columns, range(8), names)
    numbers = [kernel("mapping").slot_numbers(nodes, skip, paths) for skip in ({"TOP"}, {"TOP"}, None)]
    # S; A, TOP and C below it; A below TOP.  A tag is no other label.
    assert numbers[0] == numbers[1] == [1, 0, 3, 0, 1, 4, 4, 4]
    assert [table.missed for table in names] == [["TOP", "S", "C"], ["A", "C"]]
    # TOP, TOP and S, which are three more, and then as before.
    assert numbers[2] == [8, 7, 10, 7, 8, 11, 11, 11]
    assert len(paths) == 12


def _concepts(tree: Tree) -> list[tuple[str, str]]:
    found = []
    for word, node in zip(tree.words, tree.word_parents):
        labels = []
        while node >= 0:
            labels.append(tree.labels[node])
            node = tree.parents[node]
        while labels and labels[-1] in ("", "TOP", "ROOT", "@S"):
            labels.pop()
        found.append((".".join(reversed(labels)), word))
    return found


def _best_alignment(gold: list[tuple[str, str]], system: list[tuple[str, str]]) -> NodeCounts:
    """By recursion over all alignments: the least (cost, -C, S)."""

    @cache
    def best(i: int, j: int) -> tuple[int, int, int]:
        if i == len(gold):
            return 3 * (len(system) - j), 0, 0
        if j == len(system):
            return 3 * (len(gold) - i), 0, 0
        found = []
        for step, cost in (((i + 1, j), 3), ((i, j + 1), 3)):
            rest = best(*step)
            found.append((rest[0] + cost, rest[1], rest[2]))
        if gold[i][0] == system[j][0]:
            rest = best(i + 1, j + 1)
            if gold[i] == system[j]:
                found.append((rest[0], rest[1] - 1, rest[2]))
            else:
                found.append((rest[0] + 4, rest[1], rest[2] + 1))
        return min(found)

    _, correct, other = best(0, 0)
    return NodeCounts.of(-correct, other, len(gold), len(system))
