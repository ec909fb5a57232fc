"""Trees with gaps in any alignment, compared with sets of units; metrics that are undefined on them."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings, strategies as st

from jpevalb import Settings, Tree
from jpevalb.alignment import Bead, Unit
from jpevalb.alignment.pair import FIRST, Pair
from jpevalb.base.counts import RunningSum
from jpevalb.metrics import make_metrics
from jpevalb.metrics.brackets import BracketCounts, Brackets, GapCounts
from jpevalb.metrics.node_accuracy import NodeCounts
from jpevalb.metrics.struct_iou import StructIouCounts
from jpevalb.settings.rules import RunRules
from jpevalb.trees.sentence import Sentence
from jpevalb.trees.tree import Constituent, blocks_of
from tests.support.random_trees import trees
from tests.support.rules import rules_of

LABELS = ("S", "NP", "NP-SBJ", "VP", "TOP", "VROOT", "")


def as_sentence(tree: Tree) -> Sentence:
    return Sentence(1, tree, tree)


@st.composite
def aligned_pairs(draw, **options):
    """Two trees whose words are aligned to units, as they are or with some that one side lacks."""
    gold, system = (draw(trees(max_words=6, labels=LABELS, tagged=False, **options)) for _ in range(2))
    n, m = len(gold.words), len(system.words)
    i = j = 0
    units = []
    for a, b in draw(st.lists(st.sampled_from([(1, 1), (1, 0), (0, 1), (2, 1), (1, 2)]), max_size=6)):
        if i + a <= n and j + b <= m:
            if a and b:
                units.append(Unit(i, i + a, j, j + b))
            i, j = i + a, j + b
    gold, system = (
        Tree(tree.labels, tree.parents, tree.starts, tree.ends, words, tree.word_parents)
        for tree, words in (
            (gold, tuple(f"g{place}" for place in range(n))),
            (system, tuple(f"s{place}" for place in range(m))),
        )
    )
    return Pair(FIRST, [as_sentence(gold)], [as_sentence(system)], rules_of(), {}, tuple(units))


def oracle(tree: Tree, units: list[int]) -> list[tuple[str, frozenset[int]]]:
    """List (label, units) of each counted node."""
    found = []
    yields = tree.yields()
    for node in tree:
        label = tree.labels[node].split("-")[0]
        below = [units[word] for word in range(len(units)) if yields[node] >> word & 1]
        if not below or tree.preterminals[node] or label in ("TOP", ""):
            continue
        found.append((label, frozenset(below) - {-1}))
    return found


def has_gap(units: frozenset[int]) -> bool:
    return bool(units) and len(units) < max(units) - min(units) + 1


@settings(max_examples=100)
@given(st.one_of(aligned_pairs(), aligned_pairs(continuous=True)))
def test_constituents_are_sets_of_units(pair):
    labels = rules_of()
    gold_units, system_units, _ = pair.unit_of_words()
    gold, system = oracle(pair.gold, gold_units), oracle(pair.system, system_units)
    # Constituents without units match nothing.
    matched = Counter([one for one in gold if one[1]]) & Counter(system)
    counted = Brackets(Settings(convention="jpevalb"), labels).count(pair)
    assert (counted.gold, counted.system, counted.matched) == (len(gold), len(system), matched.total())
    crossing = sum(
        times
        for (_, mine), times in Counter(system).items()
        if any(mine & other and not mine <= other and not other <= mine for _, other in gold)
    )
    assert counted.crossing == crossing
    names = [
        metric.name for metric in make_metrics(Settings(convention="jpevalb", metrics="brackets"), labels)
    ]
    assert names == ["brackets", "tags", "gaps", "alignment"]
    gaps = {metric.name: metric for metric in make_metrics(Settings(convention="discontinuous"), labels)}[
        "gaps"
    ]
    assert gaps.count(pair) == GapCounts(
        sum(has_gap(units) for _, units in gold),
        sum(has_gap(units) for _, units in system),
        sum(times for (_, units), times in matched.items() if has_gap(units)),
    )
    found = pair.matching
    shown = [
        [item for item, _ in found.matched] + found.missed,
        [it for _, it in found.matched] + found.extra,
    ]
    for side, expected in zip(shown, (gold, system)):
        assert Counter((item.label, as_set(item)) for item in side) == Counter(expected)
    assert len(found.crossing) == crossing


def as_set(item: Constituent) -> frozenset[int]:
    return frozenset(unit for start, end in item.blocks for unit in range(start, end))


@given(aligned_pairs(), st.sampled_from(["by_label", "analysis"]))
def test_labels_and_errors_of_trees_with_gaps_add_up(pair, what):
    chosen = Settings(convention="jpevalb", metrics="brackets", **{what: True})
    labels = RunRules(chosen)
    found = {metric.name: metric.count(pair) for metric in make_metrics(chosen, labels)}
    brackets = found["brackets"]
    counts = (found["labels"] if what == "by_label" else found["analysis"].labels).labels.values()
    assert sum(label.gold for label in counts) == brackets.gold
    assert sum(label.system for label in counts) == brackets.system
    assert sum(label.matched for label in counts) == brackets.matched


def test_as_many_words_on_both_sides_need_not_be_a_unit_each():
    """One gold word is aligned to both system words; causes once confused words with units."""
    gold = Tree.build(["S", "S", "N"], [-1, 0, 1], ["ab", "c"], [2, 0])
    system = Tree.build(["S", "S"], [-1, 0], ["a", "b"], [1, 0])
    units = Unit(0, 1, 0, 2), Unit(1, 2, 2, 2)
    chosen = Settings(convention="jpevalb", metrics="brackets", analysis=True)
    pair = Pair(FIRST, [as_sentence(gold)], [as_sentence(system)], RunRules(chosen), {}, units)
    metrics = make_metrics(chosen, pair.rules)
    found = {metric.name: metric.count(pair) for metric in metrics}
    assert (found["brackets"].matched, found["brackets"].gold, found["brackets"].system) == (1, 2, 1)
    assert sum(cause.brackets for cause in found["analysis"].causes.values()) == 1


def test_confusions_are_over_one_set_of_units():
    """NP and VP have the same ends, but not the same words."""
    words = ["a", "b", "c", "d"]
    gold = Tree.build(["S", "NP", "X"], [-1, 0, 0], words, [1, 2, 2, 1])
    other = Tree.build(["S", "VP", "X"], [-1, 0, 0], words, [1, 2, 1, 1])
    same = Tree.build(["S", "VP", "X"], [-1, 0, 0], words, [1, 2, 2, 1])
    chosen = Settings(convention="jpevalb", metrics="brackets", by_label=True)
    labels = RunRules(chosen)
    by_label = make_metrics(chosen, labels)[-1]
    for system, expected in ((other, {}), (same, {("NP", "VP"): 1})):
        pair = Pair(FIRST, [as_sentence(gold)], [as_sentence(system)], labels)
        assert by_label.count(pair).confused == expected


@given(st.sets(st.integers(0, 70), min_size=1))
def test_blocks(units):
    bits = sum(1 << unit for unit in units)
    blocks = blocks_of(bits)
    assert {unit for start, end in blocks for unit in range(start, end)} == units
    assert all(end < start for (_, end), (start, _) in zip(blocks, blocks[1:]))  # noqa: RUF007
    item = Constituent("NP", min(units), max(units) + 1, 0, bits if len(blocks) > 1 else 0)
    assert (item.blocks, item.words) == (blocks, bits)


GAPS = Tree.build(["S", "VP"], [-1, 0], ["a", "b", "c"], [1, 0, 1])
NONE = Tree.build(["S", "VP"], [-1, 0], ["a", "b", "c"], [0, 1, 1])


@pytest.mark.parametrize("sides", [(GAPS, NONE), (NONE, GAPS), (GAPS, GAPS)])
def test_tree_metrics_are_not_defined_on_gaps(sides):
    chosen = Settings(convention="jpevalb", metrics="siou,nodes,concepts")
    metrics = {metric.name: metric for metric in make_metrics(chosen, RunRules(chosen))}
    pair = Pair(FIRST, *[[as_sentence(tree)] for tree in sides], rules_of())
    assert pair.has_gaps
    siou, nodes = metrics["siou"], metrics["nodes"]
    assert siou.count(pair) == StructIouCounts(undefined=1, with_gaps=1)
    assert siou.mapping(pair) is None
    found = nodes.count(pair)
    assert found.nodes == NodeCounts(undefined=1, with_gaps=1)
    assert nodes.mapping(pair) is None
    assert metrics["concepts"].count(pair).words == NodeCounts(correct=3)
    other = Pair(FIRST, [as_sentence(NONE)], [as_sentence(NONE)], rules_of())
    assert not other.has_gaps
    total = siou.count(pair) + siou.count(other) + StructIouCounts(undefined=1)
    assert [(line.name, line.value) for line in siou.lines(total)][2:] == [
        ("Too large for Struct-IoU", 1),
        ("Gaps: no Struct-IoU", 1),
    ]
    assert siou.left_out(total) == [
        (1, "sentences too large for Struct-IoU"),
        (1, "sentences with gaps, without Struct-IoU"),
    ]
    assert total.mean == 1
    assert [line.name for line in nodes.lines(found)][1:] == ["Gaps: no node accuracy"]
    assert [line.name for line in nodes.lines(nodes.count(other))][1:] == []


def test_words_in_another_order_need_not_leave_gaps():
    """The words hang in another order than the nodes come in, and every yield is a block."""
    tree = Tree.build(["S", "NP"], [-1, 0], ["a", "b", "c"], [0, 1, 0])
    assert list(tree.word_parents) != sorted(tree.word_parents)
    pair = Pair(FIRST, [as_sentence(tree)], [as_sentence(tree)], rules_of())
    assert not pair.has_gaps
    assert Brackets(Settings(convention="jpevalb"), pair.rules).count(pair) == BracketCounts(
        *(1, 1, 1, 1, 0, 1, 1, 1, 10**12, 1)
    )


def test_a_bead_of_several_sentences_with_gaps():
    """Yields are numbered through the bead; the artificial root over its sentences is not scored."""
    gold = Pair(
        Bead((0, 2), (0, 1), True),
        [as_sentence(GAPS), as_sentence(GAPS)],
        [as_sentence(Tree.build(["S", "VP"], [-1, 0], list("abcabc"), [0, 0, 0, 1, 0, 1]))],
        rules_of(),
        {},
    )
    found = gold.matching
    assert [str(item) for item, _ in found.matched] == ["VP[3,5]"]
    assert [str(item) for item in found.missed] == ["S[0:3]", "VP[0,2]", "S[3:6]"]
    assert [str(item) for item in found.extra] == ["S[0:6]"]


# -- sums of many labels ------------------------------------------------------------------


@given(st.lists(st.integers(0, 5), max_size=600), st.integers(0, 600))
def test_a_running_sum_is_the_sum(numbers, asked):
    running = RunningSum(GapCounts())
    for place, number in enumerate(numbers):
        running.add(GapCounts(number, 1, 0))
        if place == asked:
            assert running.total() == GapCounts(sum(numbers[: place + 1]), place + 1, 0)
    assert running.total() == GapCounts(sum(numbers), len(numbers), 0)
    assert running.total() == running.total()
