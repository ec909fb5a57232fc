"""Averages of unlabelled trees, compared with an exhaustive search over all trees."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from jpevalb import SettingsError, Tree, TreeError
from jpevalb.averaging import agreement, average, find_average, heaviest as candidates_module
from jpevalb.averaging.heaviest import Candidates, Component
from jpevalb.averaging.search import best_of_count
from jpevalb.averaging.yields import Ensemble, best_known
from jpevalb.base.errors import TooLargeError
from tests.benchmarks.averaging import ensemble
from tests.support.averages import (
    Family,
    Yield,
    all_trees,
    hard_ensembles,
    is_continuous,
)
from tests.support.random_trees import trees


def is_binary(family: Family) -> bool:
    n = max(len(words) for words in family)
    return len(family) == 2 * n - 1


def family_of(tree: Tree) -> Family:
    n = len(tree.words)
    return frozenset(
        [tuple(i for i in range(n) if words >> i & 1) for words in tree.yields() if words]
        + [(i,) for i in range(n)]
        + [tuple(range(n))]
    )


def tree_of(family: Family) -> Tree:
    """A tree without tags that has just these yields."""
    n = max(len(words) for words in family)
    nodes = sorted((words for words in family if len(words) > 1 or n == 1), key=len, reverse=True)
    parents = [
        max((j for j in range(i) if set(words) <= set(nodes[j])), default=-1) for i, words in enumerate(nodes)
    ]
    word_parents = [max(i for i, words in enumerate(nodes) if word in words) for word in range(n)]
    return Tree.build(["X"] * len(nodes), parents, [f"w{i}" for i in range(n)], word_parents)


def score(family: Family, inputs: list[Family], weights: list[int]) -> Fraction:
    """The sum of the weighted F1 scores."""
    return sum(
        (
            Fraction(2 * weight * len(family & other), len(family) + len(other))
            for weight, other in zip(weights, inputs)
        ),
        Fraction(0),
    )


def in_order(family: Family) -> list[tuple[int, int, Yield]]:
    return sorted((words[0], -len(words), words) for words in family)


def best_of_all(inputs: list[Family], weights: list[int]) -> Family:
    """The average by its definition, ties included."""
    n = max(len(words) for words in inputs[0])
    best: list[Family] = []
    most = Fraction(-1)
    for tree in all_trees(n):
        found = score(tree, inputs, weights)
        if found >= most:
            best = [tree] if found > most else [*best, tree]
            most = found
    return min(best, key=lambda tree: (len(tree), in_order(tree)))


@st.composite
def inputs_and_weights(draw, *, n_words, continuous=False, binary=False):
    """Trees drawn around one or a few, so that they agree and disagree; and weights, some of them 0."""
    n = draw(n_words)
    pool = all_trees(n, continuous)
    if binary:
        pool = [tree for tree in pool if is_binary(tree)]
    heads = draw(st.lists(st.sampled_from(pool), min_size=1, max_size=4))
    chosen = draw(st.lists(st.sampled_from(heads) | st.sampled_from(pool), min_size=1, max_size=8))
    weights = draw(
        st.just([1] * len(chosen))
        | st.lists(st.integers(0, 5), min_size=len(chosen), max_size=len(chosen)).filter(any)
    )
    return chosen, weights


def check(chosen: list[Family], weights: list[int]) -> None:
    inputs = [tree_of(family) for family in chosen]
    found = average(inputs, weights)
    expected = best_of_all(chosen, weights)
    assert family_of(found) == expected
    assert agreement(found, inputs, weights) == score(expected, chosen, weights) / sum(weights)


COUNTS = [1, 1, 4, 26, 236, 2752]  # Schröder's fourth problem (OEIS A000311)
CONTINUOUS = [1, 1, 3, 11, 45, 197]  # the little Schröder numbers (A001003)


def test_the_oracle_knows_all_trees():
    assert [len(set(all_trees(n))) for n in range(1, 7)] == COUNTS
    assert [len(all_trees(n, True)) for n in range(1, 7)] == CONTINUOUS
    assert [sum(map(is_binary, all_trees(n))) for n in range(1, 7)] == [1, 1, 3, 15, 105, 945]


class TestBestOfAllTrees:
    @settings(max_examples=50, deadline=None)
    @given(case=inputs_and_weights(n_words=st.integers(1, 5)))
    def test_discontinuous(self, case):
        check(*case)

    @settings(max_examples=40, deadline=None)
    @given(case=inputs_and_weights(n_words=st.integers(3, 5), binary=True))
    def test_discontinuous_and_binary(self, case):
        check(*case)

    @settings(max_examples=16, deadline=None)
    @given(case=inputs_and_weights(n_words=st.just(6), continuous=True))
    def test_continuous(self, case):
        check(*case)

    @settings(max_examples=16, deadline=None)
    @given(case=inputs_and_weights(n_words=st.just(6), continuous=True, binary=True))
    def test_continuous_and_binary(self, case):
        check(*case)


@settings(max_examples=40, deadline=None)
@given(case=inputs_and_weights(n_words=st.integers(1, 6)))
def test_binary_averages(case):
    """The most hits of all binary trees; with inputs of one size, the most F1."""
    chosen, weights = case
    n = max(len(words) for words in chosen[0])
    inputs = [tree_of(family) for family in chosen]
    found = family_of(average(inputs, weights, binary=True))
    assert is_binary(found)
    binary = [tree for tree in all_trees(n) if is_binary(tree)]

    def hits(tree):
        return sum(weight * len(tree & other) for weight, other in zip(weights, chosen))

    assert hits(found) == max(map(hits, binary))
    used = [len(tree) for tree, weight in zip(chosen, weights) if weight]
    if len(set(used)) == 1:
        assert score(found, chosen, weights) == max(score(tree, chosen, weights) for tree in binary)
    if all(map(is_continuous, chosen)):
        assert is_continuous(found)


def test_binary_averages_are_completed_to_the_right():
    flat = "(S (A a) (B b) (C c) (D d))"
    assert average([flat], binary=True).to_bracket() == "(S (A a) (S (B b) (S (C c) (D d))))"
    half = "(S (X (Y (A a) (B b) (C c))) (D d) (E e))"
    assert average([half], binary=True).to_bracket() == ("(S (X (Y (A a) (Y (B b) (C c)))) (S (D d) (E e)))")
    gaps = Tree.build(["S", "X"], [-1, 0], list("abcde"), [1, 0, 1, 0, 1])
    assert [words for _, words in average([gaps], binary=True).constituents()] == [
        0b11111,  # S: X, b, d
        0b10101,  # X: a, c, e
        0b10100,
        0b01010,  # b, d
    ]


@settings(max_examples=100, deadline=None)
@given(tree=trees(tagged=False), count=st.integers(1, 6), binary=st.booleans())
def test_copies_of_a_tree_average_to_it(tree, count, binary):
    found = average([tree] * count, binary=binary)
    if binary:
        assert family_of(found) >= family_of(tree)
    else:
        assert found == tree


def test_no_input_agrees_better():
    for made, weights, _ in hard_ensembles(2, 40):
        found = agreement(average(made, weights), made, weights)
        assert found >= max(agreement(tree, made, weights) for tree in made)


@pytest.mark.parametrize("binary", [False, True])
def test_order_and_scale_change_nothing(binary):
    for made, weights, rng in hard_ensembles(3, 25):
        if binary:
            made = made[:4]
            weights = weights and weights[:4]
        expected = average(made, weights, binary=binary)
        order = rng.sample(range(len(made)), len(made))
        given = weights or [1] * len(made)
        for scale in (7, Fraction(1, 3), 0.1, 1e-3 / 7):
            scaled = [given[k] * scale for k in order]
            assert average([made[k] for k in order], scaled, binary=binary) == expected


def test_weight_decides():
    left, right = "(S (X (A a) (B b)) (C c))", "(S (A a) (X (B b) (C c)))"
    assert average([left, right], [2, 1]).to_bracket() == left
    assert average([left, right], ["0.1", "0.2"]).to_bracket() == right
    assert average([right, left, left], [3, 1, 1]).to_bracket() == right


def test_ties_go_to_fewer_constituents_then_to_the_first():
    left, right = "(S (X (A a) (B b)) (C c))", "(S (A a) (X (B b) (C c)))"
    split = Tree.build(["S", "X", "A", "B", "C"], [-1, 0, 1, 0, 1], list("abc"), [2, 3, 4])
    # Each of the three has 4 of 5 constituents in common with the others, 1 + 2 * 4/5
    # in all; the flat tree has 4 of its 4 in common with each, 3 * 8/9.
    found = average([right, split, left])
    assert agreement(found, [right, split, left]) == Fraction(8, 9)
    assert found.to_bracket() == "(S (A a) (B b) (C c))"
    # Of two trees either has 1 + 4/5, the flat one 2 * 8/9.  A block comes before its likes with gaps.
    assert average([right, left]).to_bracket() == left
    assert average([split, right]) == split
    assert average([split, left]).to_bracket() == left


def tree_with(n: int, *yields: Yield) -> Tree:
    return tree_of(frozenset([*yields, *[(i,) for i in range(n)], tuple(range(n))]))


def test_ties_between_sizes():
    """Either of two trees is their average; the smaller one is taken."""
    small = tree_with(5, (0, 1, 2), (0, 1, 2, 3))
    large = tree_with(5, (0, 2, 3, 4), (2, 3, 4), (2, 4))
    assert average([small, large]) == average([large, small]) == small


def test_a_size_that_no_price_gives():
    """The best tree has as many constituents as are worth it at no common price."""
    inputs = [
        tree_with(10, (0, 1, 2, 3), (0, 3), (4, 5, 6, 7, 8, 9), (4, 8), (5, 6)),
        tree_with(10, tuple(range(1, 10)), (1, 3), (1, 3, 5), (2, 7, 8, 9), (7, 8, 9), (8, 9)),
        tree_with(10, (0, 1, 2, 3, 5), (0, 3, 5), (4, 6, 7, 8, 9), (4, 6, 8)),
    ]
    assert average(inputs, [2, 1, 2]) == tree_with(10, (0, 1, 2, 3, 5))


@settings(max_examples=150, deadline=None)
@given(case=st.data())
def test_best_of_count(case):
    """One size on its own, for weights that averaging would not come by."""
    sets = case.draw(
        st.sets(st.integers(1, 62).filter(lambda bits: bits.bit_count() > 1), min_size=1, max_size=8)
    )
    graph = Candidates(Ensemble(6, (), (), {}, 0), [(1, key) for key in sets])
    most = case.draw(st.sampled_from([1, 2, 4, 100]))
    values = {key: case.draw(st.integers(1, most)) for key in graph.keys}
    yields = graph.keys
    best: dict[int, tuple[int, list[int]]] = {}
    for choice in range(1 << len(yields)):
        places = [i for i in range(len(yields)) if choice >> i & 1]
        if any(yields[i] & yields[j] not in (0, yields[i], yields[j]) for i in places for j in places):
            continue
        total = sum(values[graph.keys[i]] for i in places)
        known = best.get(len(places), (-1, []))
        if total > known[0] or (total == known[0] and places < known[1]):
            best[len(places)] = total, places
    sums = [best[count][0] + 1000 for count in range(len(best))]
    for count, (_, places) in best.items():
        keys, found = best_of_count(graph, count, values, 1000, 0.0)
        assert sorted(map(graph.keys.index, keys)) == places
        assert found == sums
    assert best_of_count(graph, len(best), values, 1000, 0.0) == (None, sums)


class TestCandidates:
    """The first two yields conflict, the third conflicts with none; the first tree has one, the other two."""

    keys = 0b11, 0b110, 0b11000
    ensemble = Ensemble(6, (3, 2), (8, 9), dict(zip(keys, (0b01, 0b10, 0b10))), 7)

    def test_yields(self):
        first, second, third = self.keys
        made = Candidates(self.ensemble, [(2, third), (2, second), (3, first)])
        assert (made.keys, made.free, made.crossing) == (list(self.keys), [third], [first, second])
        assert made.components == [Component([first, second], [0b11, 0b110])]
        assert list(made.prefixes([9])) == [[9], [9, first], [9, first, third]]
        assert made.greedy() == [third, first]
        assert made.components[0].sums({first: 5, second: 4}) == {first: [0, 5], second: [0, 4]}

    def test_labels_over_yields(self):
        """The first yield has two of them, which come and go together."""
        first, second, third = self.keys
        pairs = [(third, "X", 0), (second, "X", 0), (first, "Y", 0), (first, "X", 0)]
        ensemble = Ensemble(6, (3, 2), (1, 3), {0: 0b10, 1: 0b10, 2: 0b01, 3: 0b11}, 0, pairs)
        made = Candidates(ensemble, [(1, 0), (2, 1), (3, 2), (1, 3)])
        assert (made.keys, made.free, made.crossing) == ([3, 2, 1, 0], [0], [3, 2, 1])
        assert made.components == [Component([3, 2, 1], [first, first, second])]
        assert made.greedy() == [0, 2, 3]
        assert made.components[0].sums({3: 1, 2: 3, 1: 2}) == {first: [0, 3, 4], second: [0, 2]}

    def test_more_conflicts_than_memory_has_room_for(self, monkeypatch):
        monkeypatch.setattr(candidates_module, "_MOST_PAIRS", 0)
        with pytest.raises(TooLargeError) as caught:
            Candidates(self.ensemble, [(1, key) for key in self.keys])
        assert str(caught.value) == (
            "the trees of 6 words disagree too much to be averaged: more than 0 pairs of their "
            "constituents conflict; leave the sentence out"
        )

    def test_scores_of_sets(self):
        """Seven constituents are in all trees; the sum is of F1 times weight."""
        first, second, third = self.keys
        assert self.ensemble.score([first]) == 3 * Fraction(16, 16) + 2 * Fraction(14, 17)
        assert self.ensemble.score([second, third, -1]) == 3 * Fraction(14, 18) + 2 * Fraction(18, 19)
        assert Ensemble(1, (3, 2), (0, 1), {5: 0b10}, 0).score([]) == 3
        everywhere = Ensemble(2, (3, 2), (1, 1), {5: 0b11}, 0)
        assert [everywhere.keys_of(k) for k in range(2)] == [[5], [5]]
        assert [self.ensemble.keys_of(k) for k in range(2)] == [[first], [second, third]]
        assert best_known(self.ensemble, [[third]]) == [first]
        assert best_known(self.ensemble, [[first, third]]) == [first]
        assert best_known(self.ensemble, [[first, third]], len) == [first, third]


def test_a_limit_gives_a_tree_that_is_no_worse_than_the_inputs():
    rng = random.Random(5)
    unfinished = 0
    for binary in (False, True):
        for arity in (0, 0.2):
            made = ensemble(60, 9, rng, heads=2, gaps=0.6, apart=1.0, noise=0.15, arity=arity)
            found = find_average(made, binary=binary, limit=1e-9)
            unfinished += not found.exact
            best = agreement(found.tree, made)
            if not binary:
                assert best >= max(agreement(tree, made) for tree in made)
            else:
                assert is_binary(family_of(found.tree))
            assert found.tree.words == made[0].words
    assert unfinished >= 1


def out_of_time(*_):
    raise TimeoutError


def test_an_unfinished_search_is_marked(monkeypatch):
    """Wherever time runs out, the best known tree comes back."""
    rng = random.Random(6)
    for arity in (0, 0.2):
        made = ensemble(40, 4, rng, heads=2, gaps=0.3, apart=1.0, noise=0.05, arity=arity)
        for module, name in (
            ("heaviest", "Component.above"),
            ("search", "heaviest"),
        ):
            with monkeypatch.context() as patch:
                patch.setattr(f"jpevalb.averaging.{module}.{name}", out_of_time)
                found = find_average(made)
            if not found.exact:
                assert agreement(found.tree, made) >= max(agreement(tree, made) for tree in made)
        with monkeypatch.context() as patch:
            patch.setattr("jpevalb.averaging.heaviest.heaviest", out_of_time)
            found = find_average(made, binary=True)
        assert not found.exact
        assert is_binary(family_of(found.tree))


def test_too_much_disagreement(monkeypatch):
    monkeypatch.setattr(candidates_module, "_MOST_PAIRS", 3)
    left = Tree.parse("(S (X (X (X (X a b) c) d) e) f)")
    right = Tree.parse("(S a (X b (X c (X d (X e f)))))")
    with pytest.raises(ValueError, match=r"of 6 words disagree too much .* more than 3 pairs"):
        average([left, right])


@pytest.mark.slow
def test_deep_and_long_trees():
    n = 2_000
    words = [f"w{place}" for place in range(n)]
    right = Tree.build(["X"] * (n - 1), range(-1, n - 2), words, [*range(n - 1), n - 2])
    left = Tree.build(["X"] * (n - 1), range(-1, n - 2), words, [n - 2, *range(n - 2, -1, -1)])
    flat = Tree.build(["X"], [-1], words, [0] * n)
    assert average([right, left, right]) == right
    assert average([right, flat, right]) == right
    assert average([left, left, flat], binary=True) == left
    chain = Tree.build(["X"] * n, range(-1, n - 1), ["a", "b"], [n - 1] * 2)
    assert average([chain, chain]) == chain
    over_word = Tree.build(["X"] * n, range(-1, n - 1), ["a"], [n - 1])
    assert average([over_word, over_word]) == over_word


class TestErrors:
    def test_no_trees(self):
        with pytest.raises(SettingsError, match="no trees to average; expected one or more"):
            average([])
        with pytest.raises(SettingsError, match="no trees to compare with"):
            agreement("(S a)", [])

    def test_numbers_of_words(self):
        with pytest.raises(TreeError, match=r"^the number of words is 1 in tree 3 and 2 in tree 1; expected"):
            average(["(S a b)", "(S a b)", "(S a)"])
        with pytest.raises(TreeError, match=r"^the number of words is 2 in tree 2 and 1 in tree 1; expected"):
            average(["(S a)", "(S a b)"])

    def test_words(self):
        with pytest.raises(TreeError, match=r"^word 2 is 'c' in tree 2 and 'b' in tree 1; expected the same"):
            average(["(S a b)", "(S a c)"], [1, 0])

    def test_one_tree(self):
        with pytest.raises(TreeError, match=r"^got one tree; expected a list of trees$"):
            average("(S (A a))")

    def test_no_tree(self):
        with pytest.raises(TreeError, match="got an object of type int; expected a Tree"):
            average([1])


def test_no_words():
    assert average(["(())", ""]) == Tree.parse("")
    assert average([Tree.build([], [], [], [], "s1")]).id == "s1"
    assert agreement("", ["", ""]) == 1


def test_one_word():
    assert average(["(NN a)", "(S (NP (NN a)))", "(S (NP (NN a)))"]).to_bracket() == "(S (NP (NN a)))"
    assert agreement("(NN a)", ["(S (NP (NN a)))"]) == 1


def test_ids():
    first = Tree.build(["S"], [-1], ["a"], [0], None)
    second = Tree.build(["S"], [-1], ["a"], [0], "s2")
    assert average([first, second]).id == "s2"
