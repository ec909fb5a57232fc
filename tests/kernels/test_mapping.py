"""The mapping kernel, compared with all mappings of small trees; the cost of large trees."""

from __future__ import annotations

import random
import time
from array import array

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from jpevalb import evaluate
from jpevalb.base.errors import SettingsError, TooLargeError, TreeError
from jpevalb.kernels.mapping import SCALE
from jpevalb.metrics import mapping
from jpevalb.metrics.mapping import LabelNumbers, Mapping, tree_mapping
from jpevalb.metrics.node_accuracy import NodeCounts, tree_node_accuracy
from jpevalb.metrics.struct_iou import StructIouCounts, overlap_mapping, struct_iou, struct_iou_counts
from jpevalb.trees.tree import Tree
from tests.support.tree_oracles import (
    best_counts,
    best_overlap,
    both,  # noqa: F401
    brackets,
    close,
    constituents,
    heaviest,
    is_valid,
    nodes_and_words,
    overlap,
    random_bracket,
    without_types,
)

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("both")]
thorough = settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

TYPES = {
    "default": None,
    "none": lambda label, kind: 0,
    "labels": {"A": "tag", "B": 7},
    "words": lambda label, kind: (kind, label in "xA"),
    "position": "position",
    "by label": "label",
    "untyped": "none",
}


def items_of(text, types):
    """The nodes and words of a tree with the types that the oracle knows."""
    tree = Tree.parse(text)
    if types == "none":
        return without_types(nodes_and_words(tree))
    if types == "label":
        return nodes_and_words(tree, lambda label, kind: kind if kind == "word" else f"-{label}")
    if isinstance(types, dict):
        return nodes_and_words(tree, lambda label, kind: kind if kind == "word" else types.get(label, kind))
    return nodes_and_words(tree, None if types == "position" else types)


@st.composite
def word_times(draw, count: int) -> list[tuple[float, float]]:
    """Times in eighths of a second, exact in binary; gaps and words without length come up."""
    cuts = sorted(draw(st.lists(st.integers(0, 24), min_size=2 * count, max_size=2 * count)))
    return [(cuts[2 * i] / 8, cuts[2 * i + 1] / 8) for i in range(count)]


class TestAgainstAllMappings:
    @thorough
    @given(brackets(), brackets(), st.booleans())
    def test_overlap(self, gold, system, strict):
        one, two = constituents(Tree.parse(gold)), constituents(Tree.parse(system))
        score = struct_iou(gold, system, strict_terminals=strict)
        if not one and not two:
            assert score is None
        else:
            assert close(score, 2 * best_overlap(one, two, strict) / (len(one) + len(two)))

    @thorough
    @given(st.data(), brackets(), brackets(), st.booleans())
    def test_overlap_in_time(self, data, gold, system, drop_roots):
        gold, system = Tree.parse(gold), Tree.parse(system)
        times = [data.draw(word_times(len(tree.words))) for tree in (gold, system)]
        one = constituents(gold, times[0], drop_roots)
        two = constituents(system, times[1], drop_roots)
        score = struct_iou(gold, system, gold_times=times[0], system_times=times[1], drop_roots=drop_roots)
        if not one and not two:
            assert score is None
        else:
            assert close(score, 2 * best_overlap(one, two) / (len(one) + len(two)))

    @pytest.mark.parametrize("types", TYPES.values(), ids=TYPES)
    @thorough
    @given(brackets(words="xA"), brackets(words="xA"))
    def test_labels(self, types, gold, system):
        one, two = items_of(gold, types), items_of(system, types)
        counts = tree_node_accuracy(gold, system, types=types)
        assert counts == NodeCounts(*best_counts(one, two))


class TestMapping:
    @thorough
    @given(brackets(12), brackets(12), st.booleans())
    def test_overlaps_sum_to_the_score(self, gold, system, strict):
        one, two = constituents(Tree.parse(gold)), constituents(Tree.parse(system))
        found = overlap_mapping(gold, system, strict_terminals=strict)
        place1 = {item.node: at for at, item in enumerate(one)}
        place2 = {item.node: at for at, item in enumerate(two)}
        pairs = [(place1[x], place2[y]) for x, y in found.pairs]
        assert is_valid(one, two, pairs)
        assert list(found.pairs) == sorted(found.pairs)
        assert found.overlaps is not None
        for (i, j), value in zip(pairs, found.overlaps, strict=True):
            assert close(value, overlap(one[i], two[j], strict))
            assert value > 0
        counts = struct_iou_counts(gold, system, strict_terminals=strict)
        assert sum(found.overlaps) == counts.overlap / 2**40
        assert sorted([x for x, _ in found.pairs] + list(found.gold_only)) == [item.node for item in one]
        assert sorted([y for _, y in found.pairs] + list(found.system_only)) == [item.node for item in two]

    @pytest.mark.parametrize("types", TYPES.values(), ids=TYPES)
    @thorough
    @given(brackets(12, words="xA"), brackets(12, words="xA"))
    def test_labels_sum_to_the_counts(self, types, gold, system):
        one, two = items_of(gold, types), items_of(system, types)
        found = tree_mapping(gold, system, types=types)
        node1, node2 = ({item.node: at for at, item in enumerate(items)} for items in (one, two))
        word1, word2 = ({item.word: at for at, item in enumerate(items)} for items in (one, two))
        pairs = [(node1[x], node2[y]) for x, y in found.pairs]
        pairs += [(word1[x], word2[y]) for x, y in found.word_pairs]
        pairs += [(node1[x], word2[y]) for x, y in found.node_word_pairs]
        pairs += [(word1[x], node2[y]) for x, y in found.word_node_pairs]
        assert is_valid(one, two, pairs)
        assert all(one[i].kind == two[j].kind for i, j in pairs)
        correct = sum(one[i].label == two[j].label for i, j in pairs)
        counts = tree_node_accuracy(gold, system, types=types)
        assert counts == NodeCounts(
            correct, len(pairs) - correct, len(one) - len(pairs), len(two) - len(pairs)
        )
        assert len(found.gold_only) + len(found.gold_words_only) == counts.deleted
        assert len(found.system_only) + len(found.system_words_only) == counts.inserted

    def test_equal_labels_are_preferred_where_the_overlap_is_the_same(self):
        # In the flexible reading NN may be NP; both give the same sum.
        found = overlap_mapping("(S (NP (NN a)))", "(S (NN a))")
        assert found.pairs == ((0, 0), (2, 1))
        assert found.gold_only == (1,)
        assert overlap_mapping("(NP (NN a))", "(NN a)").pairs == ((1, 0),)
        assert overlap_mapping("(NN a)", "(NP (NN a))").pairs == ((0, 1),)

    def test_to_dict(self):
        found = overlap_mapping("(S (A a) (B b))", "(S (A a))")
        assert found.to_dict() == {
            "pairs": [[0, 0], [1, 1]],
            "gold_only": [2],
            "system_only": [],
            "word_pairs": [],
            "gold_words_only": [],
            "system_words_only": [],
            "overlaps": [0.5, 1.0],
        }
        assert "overlaps" not in tree_mapping("(S a)", "(S a)").to_dict()

    def test_dummy_roots_are_in_no_list(self):
        found = tree_mapping("(TOP (S (A a)))", "( (ROOT (S (A a))) (ROOT (B b)))")
        assert found == Mapping(((1, 2), (2, 3)), (), (5,), ((0, 0),), (), (1,))

    def test_empty_trees(self):
        assert tree_mapping("", "(S (A a))") == Mapping((), (), (0, 1), (), (), (0,))
        assert overlap_mapping("", "") == Mapping((), (), (), overlaps=())


class TestLargerTrees:
    @pytest.mark.parametrize("seed", range(12))
    @pytest.mark.parametrize("bends", [(0.5, 0.5), (0.0, 0.0), (1.0, 1.0), (0.9, 0.1), (0.1, 0.9)])
    def test_against_forests(self, seed, bends):
        rng = random.Random(seed)
        gold, system = (random_bracket(rng, 9, bend) for bend in bends)
        one, two = constituents(Tree.parse(gold)), constituents(Tree.parse(system))
        expected = 2 * heaviest(one, two, overlap) / (len(one) + len(two))
        assert close(struct_iou(gold, system), expected)

        def weight(a, b):
            return 0 if a.kind != b.kind else 3001 if a.label == b.label else 1000

        one, two = nodes_and_words(Tree.parse(gold)), nodes_and_words(Tree.parse(system))
        correct, other = _counts(heaviest(one, two, weight))
        counts = tree_node_accuracy(gold, system)
        assert (counts.correct, counts.substituted) == (correct, other)

    @pytest.mark.parametrize("seed", range(4))
    def test_a_tree_inside_a_larger_one_is_found_far_from_its_place(self, seed):
        gold = random_bracket(random.Random(seed), 30, 0.3)
        around = " ".join(["(V q)"] * 40)
        system = f"(E (F {around}) {gold} (F {around}))"
        parts = len(Tree.parse(gold).labels) + 30
        assert tree_node_accuracy(gold, system) == NodeCounts(parts, 0, 0, 163)
        assert tree_node_accuracy(system, gold) == NodeCounts(parts, 0, 163, 0)

    def test_trees_with_nothing_in_common_are_mapped_as_well_as_similar_ones(self):
        gold, system = "(S " + "(A a) " * 40 + ")", "(T " + "(B b) " * 45 + ")"
        assert tree_node_accuracy(gold, system) == NodeCounts(0, 81, 0, 10)
        # Every tag may be aligned with the tag in its place.
        assert struct_iou_counts(gold, system).overlap == 40 * SCALE

    def test_the_last_tree_of_a_forest_is_not_the_forest(self):
        gold = "(A (A (A (U x) (T z)) (U z)) (A (T y) (T x)))"
        system = "(A (A (A (T z) (A (T w) (T w))) (T v)) (U w))"
        one, two = constituents(Tree.parse(gold)), constituents(Tree.parse(system))
        expected = heaviest(one, two, lambda a, b: overlap(a, b, True))
        for sides in ((gold, system), (system, gold)):
            assert close(struct_iou(*sides, strict_terminals=True), 2 * expected / (len(one) + len(two)))


# Interpreted steps take fifty times as long; what would be quadratic shows at either size.
MOST = {"compiled": 100_000, "interpreted": 20_000}


@pytest.fixture
def kind(request):
    """Which implementation the test has been given."""
    return request.node.callspec.params["kernel"]


class TestSize:
    @pytest.mark.parametrize("change", ["nothing", "the lowest label", "the word"])
    def test_100_000_nodes_deep(self, change, kind):
        depth = MOST[kind]
        gold = "(A " * depth + "x" + ")" * depth
        system = gold
        if change == "the lowest label":
            system = "(A " * (depth - 1) + "(B x" + ")" * depth
        elif change == "the word":
            system = gold.replace("x", "y")
        counts = tree_node_accuracy(gold, system)
        assert counts.correct == depth + 1 - (change != "nothing")
        assert counts.substituted == (change != "nothing")
        assert struct_iou(gold, system, strict_terminals=True) == 1 - (change == "the lowest label") / depth

    def test_100_000_words_long(self, kind):
        size = MOST[kind]
        words = ["(A x)"] * size
        gold = "(S " + " ".join(words) + ")"
        words[size // 2] = "(B y)"
        system = "(S " + " ".join(words) + ")"
        assert tree_node_accuracy(gold, system) == NodeCounts(2 * size - 1, 2)
        assert struct_iou(gold, system) == 1
        assert struct_iou(gold, system, strict_terminals=True) == size / (size + 1)

    def test_a_change_at_the_end_of_each_level_costs_no_more_than_once(self):
        depth = 20_000
        gold = "(A " * depth + "(B x)" + " (C y))" * depth
        system = "(A " * depth + "(B z)" + " (C y))" * depth
        begin = time.process_time()
        assert tree_node_accuracy(gold, system).substituted == 1
        assert time.process_time() - begin < 10

    def test_size_is_checked_before_allocation(self):
        depth = 30_000
        gold = Tree.parse("(A " * depth + "x" + ")" * depth)
        system = Tree.parse("(B " + "(A " * depth + "x" + ")" * (depth + 1))
        for metric in (struct_iou, overlap_mapping, tree_node_accuracy, tree_mapping):
            with pytest.raises(
                TooLargeError, match=r"^the trees differ in parts of 30,00. and .* GB .* 1 GB .*; allow more"
            ):
                metric(gold, system)
        found = evaluate([gold], [system]).total
        assert found["siou"] == StructIouCounts(undefined=1)
        assert found["nodes"].nodes == NodeCounts(undefined=1)

    def test_too_many_steps(self, monkeypatch):
        monkeypatch.setattr(mapping, "MOST_STEPS", 3)
        with pytest.raises(TooLargeError, match="steps"):
            tree_mapping("(A (B x))", "(C (A x) (B y))")


# Labels and tags that have a number; -1 leaves the node out.
NAMES = dict(S=0, A=1, N=2, E=3, TOP=4, **{"-": -1}), dict(A=1, C=5, D=6, N=2, **{"-": -1})


def rows_of(found, columns):
    """The columns asked for of each row."""
    rows, stride, numbers = found[:3]
    return [tuple(numbers[column * stride + row] for column in columns) for row in range(rows)]


class TestNodes:
    """The tables that the mapping kernel takes, by hand."""

    tree = Tree.parse("(TOP (S (A a) (E) (- (N (C b) (D c))) (N (- d) (D e))))")

    def test_intervals(self, kernel):
        """A tag over no time is counted; what hangs from a node left out hangs from the one above."""
        begins, stops = [0.0, 1.0, 1.5, 2.5, 3.0], [1.0, 1.0, 2.5, 3.0, 4.0]
        nodes = kernel("mapping").LabelledNodes(self.tree.columns, array("i"), NAMES)
        found = kernel("mapping").interval_nodes(nodes, (begins, stops), {"TOP"})
        # Parent, size, label, whether it is a tag, node.
        assert rows_of(found, (0, 1, 2, 3, 4)) == [
            (-1, 6, 0, 0, 1),
            (0, 1, 1, 1, 2),
            (0, 2, 2, 0, 5),
            (2, 1, 6, 1, 7),
            (0, 2, 2, 0, 8),
            (4, 1, 6, 1, 10),
        ]
        rows, stride, _, axis, still = found
        assert (rows, stride, still) == (6, 11, 1)
        assert list(axis[:rows]) == [0.0, 0.0, 1.0, 1.5, 2.5, 3.0]
        assert list(axis[stride : stride + rows]) == [4.0, 1.0, 2.5, 2.5, 4.0, 4.0]

    def test_types(self, kernel):
        """A tag and its word are one row; a word without a tag is a row."""
        text = "(TOP (S (A a) b (E) (- (C a) (N (D c) b))))"
        words = array("i", (1, 0, 1, 2, 0))
        nodes = kernel("mapping").LabelledNodes(Tree.parse(text).columns, words, NAMES)
        found = kernel("mapping").typed_nodes(nodes, None, {"TOP"})
        # Parent, size, label, kind, word, kind of the word, node, place of the word.
        assert rows_of(found, (0, 1, 2, 3, 5, 6, 4, 7)) == [
            (-1, 8, 0, 0, -1, -1, 1, -1),
            (0, 1, 1, 1, 1, 0, 2, 0),
            (0, 1, -1, -1, 0, 0, -1, 1),
            (0, 1, 3, 0, -1, -1, 3, -1),
            (0, 1, 5, 1, 1, 0, 5, 2),
            (0, 3, 2, 0, -1, -1, 6, -1),
            (5, 1, 6, 1, 2, 0, 7, 3),
            (5, 1, -1, -1, 0, 0, -1, 4),
        ]
        assert found[3] is None


class TestErrors:
    def test_discontinuous(self):
        gaps = Tree.build(["S", "A", "B"], [-1, 0, 0], ["x", "y", "z"], [1, 2, 1])
        whole = Tree.parse("(S (A x) (B y))")
        for metric in (struct_iou, struct_iou_counts, tree_node_accuracy, tree_mapping, overlap_mapping):
            with pytest.raises(TreeError, match="the gold tree is discontinuous"):
                metric(gaps, whole)
            with pytest.raises(TreeError, match="the system tree is discontinuous"):
                metric(whole, gaps)

    def test_types(self):
        with pytest.raises(SettingsError, match="got int for types"):
            tree_mapping("(S x)", "(S x)", types=3)


class TestLabelNumbers:
    def test_labels_and_tags_are_apart(self):
        names = LabelNumbers(label=lambda label: label.split("-")[0])
        assert struct_iou("(S-1 (NP-SBJ (-X- a)))", "(S (NP (-X- a)))", names=names) == 1
        assert struct_iou("(S (-X- a))", "(S (-Y- a))", names=names, strict_terminals=True) == 0.5

    def test_types_by_label_are_those_of_labels_for_phrases_and_of_tags_for_tags(self):
        names = LabelNumbers(label=lambda label: label.split("-")[0])
        counts = tree_node_accuracy("(S (NP-1 (A a)))", "(S (NP (A a)))", names=names, types="label")
        assert counts == NodeCounts(4)
        counts = tree_node_accuracy("(S (NP (A-1 a)))", "(S (NP (A a)))", names=names, types="label")
        assert counts == NodeCounts(3, 0, 1, 1)

    def test_a_node_may_be_taken_out(self):
        names = LabelNumbers(label=lambda label: None if label == "X" else label)
        gold, system = "(S (X (A a) (X (B b))))", "(S (A a) (B b))"
        assert struct_iou(gold, system, names=names) == 1
        assert tree_node_accuracy(gold, system, names=names) == NodeCounts(5)
        assert overlap_mapping(gold, system, names=names).pairs == ((0, 0), (2, 1), (4, 2))
        no_tags = LabelNumbers(tag=lambda tag: None)
        assert tree_node_accuracy("(S (A a) (B b))", "(S a b)", names=no_tags) == NodeCounts(3)

    def test_functions_are_called_once_per_label(self):
        seen = []
        names = LabelNumbers(label=lambda label: seen.append(label) or label)
        for _ in range(3):
            struct_iou_counts("(S (A a))", "(S (S (B a)))", names=names)
            tree_node_accuracy("(S (A a))", "(S (S (B a)))", names=names)
        assert seen == ["S"]

    def test_many_labels_do_not_fill_the_memory(self, monkeypatch):
        monkeypatch.setattr(LabelNumbers, "_MOST", 20)
        names = LabelNumbers()
        for number in range(200):
            text = f"(S{number} (A{number} a))"
            assert struct_iou(text, text, names=names) == 1
            assert len(names.labels) < 25
            assert len(names.tags) < 25


def _counts(weight: float) -> tuple[int, int]:
    """C and S of 1000 * (3 C + S) + C."""
    correct = int(weight) % 1000
    return correct, int(weight) // 1000 - 3 * correct
