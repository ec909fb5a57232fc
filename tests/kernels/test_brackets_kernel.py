"""The bracket kernel, compiled and interpreted, compared with the definitions."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jpevalb.kernels import brackets
from jpevalb.settings.labels import LabelPolicy
from jpevalb.settings.params import Params
from jpevalb.trees.tree import Tree
from tests.support.kernels import load_kernel
from tests.support.random_trees import trees

KERNELS = [load_kernel("brackets", "interpreted"), *([brackets] if brackets.COMPILED else [])]
SIZE = 9
spans = st.tuples(st.integers(0, SIZE - 1), st.integers(1, SIZE)).filter(lambda span: span[0] < span[1])
labelled = st.lists(st.tuples(st.sampled_from(["NP", "VP", "PRT", "ADVP"]), spans), max_size=14)


def as_columns(items, ordered=False):
    """Constituents as the kernel has them."""
    return (
        [label for label, _ in items],
        [start for _, (start, _) in items],
        [end for _, (_, end) in items],
        list(range(len(items))),
        ordered,
        None,
    )


def in_order(items):
    return sorted(items, key=lambda item: (item[1][0], -item[1][1]))


def greedy(gold, system, equal):
    """Each gold constituent in order takes the first free one of its span with an equal label."""
    free = list(range(len(system)))
    partners = []
    for label, span in gold:
        found = next(
            (
                place
                for place in free
                if system[place][1] == span
                and (system[place][0] == label or system[place][0] in equal.get(label, ()))
            ),
            -1,
        )
        if found >= 0:
            free.remove(found)
        partners.append(found)
    return partners


def crosses(one, other):
    return one[0] < other[0] < one[1] < other[1] or other[0] < one[0] < other[1] < one[1]


@given(gold=labelled, system=labelled)
def test_matching_by_hash_is_the_greedy_one(gold, system):
    run_on_both("matches", as_columns(gold), as_columns(system), {}, expected=greedy(gold, system, {}))


@given(gold=labelled.map(in_order), system=labelled.map(in_order))
def test_matching_in_order_is_the_greedy_one(gold, system):
    run_on_both(
        "matches", as_columns(gold, True), as_columns(system, True), {}, expected=greedy(gold, system, {})
    )


@given(gold=labelled, system=labelled)
def test_matching_with_equal_labels_is_the_greedy_one(gold, system):
    # Equality that is not transitive: ADVP = PRT, PRT = NP, but not ADVP = NP.
    equal = LabelPolicy(Params(eq_labels=(("ADVP", "PRT"), ("PRT", "NP")))).equal_brackets
    expected = greedy(gold, system, equal)
    run_on_both("matches", as_columns(gold), as_columns(system), equal, expected=expected)
    gold, system = in_order(gold), in_order(system)
    expected = greedy(gold, system, equal)
    run_on_both("matches", as_columns(gold, True), as_columns(system, True), equal, expected=expected)


@given(gold=labelled, system=labelled)
def test_as_many_match_as_the_multisets_share(gold, system):
    shared = sum((Counter(gold) & Counter(system)).values())
    assert len(gold) - greedy(gold, system, {}).count(-1) == shared


@given(gold=labelled, system=labelled)
def test_crossing_follows_the_definition(gold, system):
    expected = [any(crosses(span, other) for _, other in gold) for _, span in system]
    run_on_both("crossings", as_columns(gold), as_columns(system), SIZE, expected=expected)


# -- yields with gaps: sets of units ----------------------------------------------------------

SETS = st.one_of(st.sets(st.integers(0, SIZE - 1), min_size=1), spans.map(lambda span: set(range(*span))))
labelled_sets = st.lists(st.tuples(st.sampled_from(["NP", "VP"]), SETS), max_size=10)


def blocks(units):
    """The half-open blocks of a set of units."""
    begins = sorted(unit for unit in units if unit - 1 not in units)
    ends = sorted(unit + 1 for unit in units if unit + 1 not in units)
    return list(zip(begins, ends))


def bits_of(units):
    return sum(1 << unit for unit in units)


def sets_as_columns(items):
    gaps = [bits_of(units) if len(blocks(units)) > 1 else 0 for _, units in items]
    return (
        [label for label, _ in items],
        [min(units) for _, units in items],
        [max(units) + 1 for _, units in items],
        list(range(len(items))),
        False,
        gaps if any(gaps) else None,
    )


@given(gold=labelled_sets, system=labelled_sets)
def test_sets_match_and_cross_by_the_definition(gold, system):
    partners = greedy(gold, system, {})
    run_on_both("matches", sets_as_columns(gold), sets_as_columns(system), {}, expected=partners)
    expected = [
        any(mine & other and not mine <= other and not other <= mine for _, other in gold)
        for _, mine in system
    ]
    run_on_both("crossings", sets_as_columns(gold), sets_as_columns(system), SIZE, expected=expected)


def units_by_definition(below, units):
    """The set of units that hold any of a node's words, and of those without words that lie inside."""
    found = {units[word] for word in below}
    for before, after in pairwise(units):
        if before in found and after in found:
            found.update(range(before, after))
    return found


def constituents_by_definition(tree, units, size, labels, trivial=False, fanout=0):
    """Nodes over at least one word, no preterminals, whose label counts: label, set of units, node."""
    yields = tree.yields()
    for node in tree:
        below = [word for word in range(len(tree.words)) if yields[node] >> word & 1]
        label = labels.resolve(tree.labels[node])
        if not below or tree.preterminals[node] or label is None:
            continue
        found = units_by_definition(below, units)
        if trivial and len(found) in (1, size):
            continue
        if fanout and len(blocks(found)) > fanout:
            continue
        yield label, found, node


@given(
    tree=st.one_of(trees(tagged=False), trees(tagged=False, continuous=True)),
    data=st.data(),
    trivial=st.booleans(),
    fanout=st.sampled_from([0, 1, 2]),
)
def test_constituents_follow_the_definition(tree, data, trivial, fanout):
    labels = LabelPolicy(Params(delete_labels=("PP",)))
    n = len(tree.words)
    # Steps of 0: words that share a unit; of 2 and more: units without a word of this side.
    steps = data.draw(st.one_of(st.none(), st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    units = list(range(n)) if steps is None else [sum(steps[: place + 1]) for place in range(n)]
    size = data.draw(st.integers(0, 2)) + units[-1] + 1 if n else 0
    expected = list(constituents_by_definition(tree, units, size, labels, trivial, fanout))
    given_units = None if steps is None else units
    for kernel in KERNELS:
        names, starts, ends, nodes, ordered, gaps = kernel.constituents(
            *columns(tree), tree.word_parents, given_units, size, {}, labels.resolve, trivial, fanout
        )
        found = [
            bits or (1 << end) - (1 << start)
            for start, end, bits in zip(starts, ends, gaps or [0] * len(starts))
        ]
        assert list(zip(names, found, nodes)) == [(label, bits_of(it), node) for label, it, node in expected]
        assert list(zip(starts, ends)) == [(min(it), max(it) + 1) for _, it, _ in expected]
        assert [bits > 0 for bits in gaps or [0] * len(expected)] == [
            len(blocks(it)) > 1 for _, it, _ in expected
        ]
        keys = [(start, -end) for start, end in zip(starts, ends)]
        # What is in order may be told to be in none, not the other way round.
        assert not ordered or (keys == sorted(keys) and gaps is None)
        if tree.is_continuous and list(tree.word_parents) == sorted(tree.word_parents):
            assert ordered == (keys == sorted(keys))


@given(trees(tagged=False, continuous=True))
def test_a_tree_without_gaps_needs_no_bit_set(tree):
    for kernel in KERNELS:
        n = len(tree.words)
        found = kernel.constituents(
            *columns(tree), tree.word_parents, None, n, {}, lambda label: label, False, 0
        )
        assert found[5] is None


@given(trees(tagged=False))
def test_tags_are_those_of_the_tree(tree):
    children = tree.children()
    assert tree.tags == tuple(
        tree.labels[parent] if children[parent] == [-1 - word] else None
        for word, parent in enumerate(tree.word_parents)
    )


tokens = st.lists(st.tuples(st.sampled_from(["N", "V", None]), st.sampled_from("ab")), max_size=8)


@given(tokens, tokens)
def test_matching_tags_are_the_multiset_intersection(gold, system):
    run_on_both(
        "matching_tags",
        [tag for tag, _ in gold],
        tuple(word for _, word in gold),
        [tag for tag, _ in system],
        tuple(word for _, word in system),
        {},
        {},
        expected=sum((Counter(gold) & Counter(system)).values()),
    )


def test_equal_tags_and_words(kernel):
    matching = kernel("brackets").matching_tags
    equal_tags = {"N": ("V",), "V": ("N",)}
    equal_words = {"a": ("b",), "b": ("a",)}
    assert matching(["N", "V"], ("a", "c"), ["V", "N"], ("b", "c"), equal_tags, equal_words) == 2
    assert matching(["N", "V"], ("a", "c"), ["V", "N"], ("b", "c"), equal_tags, {}) == 1
    assert matching(["N"], ("a",), ["J", "V"], ("a", "b"), equal_tags, equal_words) == 1
    # Its like goes before another that is equal to it.
    assert matching(["V", "N"], ("a", "a"), ["J", "N", "V"], ("a", "a", "a"), equal_tags, {}) == 2


@pytest.mark.slow
def test_long_chains_cost_no_more_than_their_length(kernel):
    # A search through the chain would take 10^10 steps.
    n = 100_000
    chain = ["NP"] * n, [0] * n, [1] * n, list(range(n)), True, None
    other = ["VP"] * n, [0] * n, [1] * n, list(range(n)), True, None
    module = kernel("brackets")
    assert module.matches(chain, other, {}).count(-1) == n
    assert module.matches(chain, chain, {}) == list(range(n))
    nested = ["NP"] * n, list(range(n)), [n] * n, list(range(n)), True, None
    shifted = ["NP"] * n, [0] * n, list(range(n, 0, -1)), list(range(n)), True, None
    assert sum(module.crossings(nested, shifted, n)) == n - 2


def columns(tree):
    return tree.labels, tree.parents, tree.starts, tree.ends


def run_on_both(name, *arguments, expected):
    for kernel in KERNELS:
        assert getattr(kernel, name)(*arguments) == expected, kernel


def test_units_without_a_word_belong_to_what_has_the_words_on_both_sides(kernel):
    """A has the first and the last of three words; of the units between them none is A's."""
    tree = Tree.build(["S", "A", "B"], [-1, 0, 0], ["a", "b", "c"], [1, 2, 1])
    found = kernel("brackets").constituents(
        *columns(tree), tree.word_parents, [0, 3, 5], 6, {}, LabelPolicy(Params()).resolve, False, 0
    )
    assert (found[0], found[1], found[2], found[5]) == (["S", "A"], [0, 0], [6, 6], [0, 0b100001])
    # A and b: the two units between them are A's.
    tree = Tree.build(["S", "A", "B"], [-1, 0, 0], ["a", "b", "c", "d"], [1, 1, 2, 1])
    found = kernel("brackets").constituents(
        *columns(tree), tree.word_parents, [0, 3, 5, 7], 8, {}, LabelPolicy(Params()).resolve, False, 0
    )
    assert found[5] == [0, 0b10001111]


def test_unsorted_input_is_not_taken_as_sorted(kernel):
    """Else it would be matched by one walk over both sides."""
    resolve = LabelPolicy(Params()).resolve
    for starts, ends, ordered in (
        ((0, 0, 2), (4, 2, 4), True),
        ((0, 2, 0), (4, 4, 2), False),
        ((0, 0, 0), (4, 2, 4), False),
    ):
        found = kernel("brackets").constituents(
            ("S", "A", "B"), (-1, 0, 0), starts, ends, (1, 1, 2, 2), None, 4, {}, resolve, False, 0
        )
        assert found[:3] == (["S", "A", "B"], list(starts), list(ends))
        assert found[4] == ordered
