"""The counting kernel against definitions spelt out, on both implementations."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from jpevalb._core import brackets
from jpevalb.model.labels import Labels
from jpevalb.model.params import Params

from .conftest import load_kernel
from .random_trees import trees

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


def constituents_by_definition(tree, units, labels):
    """Nodes over at least one word, no preterminals, whose label counts."""
    yields = tree.yields()
    found = []
    for node in tree:
        below = [word for word in range(len(tree.words)) if yields[node] >> word & 1]
        label = labels.resolve(tree.labels[node])
        if below and not tree.preterminals[node] and label is not None:
            found.append((label, units[below[0]], units[below[-1]] + 1, node))
    return found


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
    equal = Labels(Params(eq_labels=(("ADVP", "PRT"), ("PRT", "NP")))).equal_brackets
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
def test_crossing_is_what_the_definition_says(gold, system):
    expected = [any(crosses(span, other) for _, other in gold) for _, span in system]
    run_on_both("crossings", as_columns(gold), as_columns(system), SIZE, expected=expected)


@given(tree=trees(tagged=False), data=st.data())
def test_constituents_are_what_the_definition_says(tree, data):
    labels = Labels(Params(delete_labels=("PP",)))
    for kernel in KERNELS:
        found = kernel.constituents(*columns(tree), None, {}, labels.resolve)
        assert list(zip(*found[:4])) == constituents_by_definition(tree, range(len(tree.words)), labels)
    steps = data.draw(st.lists(st.integers(0, 1), min_size=len(tree.words), max_size=len(tree.words)))
    units = [sum(steps[: place + 1]) for place in range(len(steps))]
    for kernel in KERNELS:
        found = kernel.constituents(*columns(tree), units, {}, labels.resolve)
        assert list(zip(*found[:4])) == constituents_by_definition(tree, units, labels)
        keys = [(start, -end) for start, end in zip(found[1], found[2])]
        assert found[4] == (keys == sorted(keys))


@given(trees(tagged=False))
def test_tags_are_those_of_the_tree(tree):
    run_on_both("tags", *columns(tree), tree.word_parents, expected=list(tree.tags))


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


def test_long_chains_cost_no_more_than_their_length(kernel):
    # A search through the chain would take 10^10 steps.
    n = 100_000
    chain = ["NP"] * n, [0] * n, [1] * n, list(range(n)), True
    other = ["VP"] * n, [0] * n, [1] * n, list(range(n)), True
    module = kernel("brackets")
    assert module.matches(chain, other, {}).count(-1) == n
    assert module.matches(chain, chain, {}) == list(range(n))
    nested = ["NP"] * n, list(range(n)), [n] * n, list(range(n)), True
    shifted = ["NP"] * n, [0] * n, list(range(n, 0, -1)), list(range(n)), True
    assert sum(module.crossings(nested, shifted, n)) == n - 2


def columns(tree):
    return tree.labels, tree.parents, tree.starts, tree.ends


def run_on_both(name, *arguments, expected):
    for kernel in KERNELS:
        assert getattr(kernel, name)(*arguments) == expected, kernel
