"""Averages of labelled trees, compared with an exhaustive search over labelled constituents."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import assume, given, settings, strategies as st

from jpevalb import SettingsError, Tree
from jpevalb.averaging import agreement, average, find_average
from jpevalb.averaging.heaviest import Candidates
from jpevalb.averaging.yields import chain_order, labeled_ensemble
from jpevalb.kernels.columns import hits
from tests.support.averages import all_trees, conflict, hard_ensembles, members

# A label over a set of words, as bits, and how many of the same stand above it.
Pair = tuple[int, str, int]


def pairs_of(tree: Tree) -> frozenset[Pair]:
    counts: Counter[tuple[int, str]] = Counter()
    found = set()
    for label, words in tree.constituents():
        if label and words:
            found.add((words, label, counts[words, label]))
            counts[words, label] += 1
    return frozenset(found)


def score(chosen: frozenset[Pair], inputs: list[frozenset[Pair]], weights: list[int]) -> Fraction:
    """The sum of the weighted labelled F1 scores."""
    total = Fraction(0)
    for pairs, weight in zip(inputs, weights):
        size = len(chosen) + len(pairs)
        total += weight * (Fraction(2 * len(chosen & pairs), size) if size else 1)
    return total


def in_order(chosen: frozenset[Pair]) -> list[tuple[int, int, list[int], str, int]]:
    return sorted(
        (members(words)[0], -len(members(words)), members(words), label, copy)
        for words, label, copy in chosen
    )


def best_of_all(inputs: list[frozenset[Pair]], weights: list[int]) -> frozenset[Pair]:
    """The average by its definition, ties included: every set of pairs whose yields do not conflict."""
    every = sorted(frozenset().union(*[pairs for pairs, weight in zip(inputs, weights) if weight]))
    best: list[frozenset[Pair]] = []
    most = Fraction(-1)
    for size in range(len(every) + 1):
        for chosen in map(frozenset, combinations(every, size)):
            if any(copy and (words, label, copy - 1) not in chosen for words, label, copy in chosen):
                continue
            if any(conflict(a, b) for (a, *_), (b, *_) in combinations(chosen, 2)):
                continue
            found = score(chosen, inputs, weights)
            if found > most:
                best, most = [chosen], found
            elif found == most and len(chosen) == len(best[0]):
                best.append(chosen)
    return min(best, key=in_order)


def majority_vote(inputs: list[frozenset[Pair]], weights: list[int]) -> frozenset[Pair]:
    """The pairs that more than half of the weight has."""
    votes: Counter[Pair] = Counter()
    for pairs, weight in zip(inputs, weights):
        for pair in pairs:
            votes[pair] += weight
    return frozenset(pair for pair, weight in votes.items() if 2 * weight > sum(weights))


@st.composite
def labelled_trees(draw, n: int, continuous: bool) -> Tree:
    """A tree of n tagged words, with chains of up to two labels, or none over the sentence or a word."""
    family = draw(st.sampled_from(all_trees(n, continuous)))
    labels, parents, places = [], [], []
    lowest: dict[tuple[int, ...], int] = {}
    for words in sorted(family, key=lambda words: (-len(words), words)):
        above = [other for other in lowest if set(words) < set(other)]
        parent = lowest[min(above, key=len)] if above else -1
        trivial = len(words) == n or len(words) == 1
        chain = draw(st.lists(st.sampled_from("AB"), min_size=not trivial, max_size=1 + draw(st.booleans())))
        for label in [*chain, *("T" * (len(words) == 1))]:
            labels.append(label)
            parents.append(parent)
            parent = len(labels) - 1
        lowest[words] = parent
        if len(words) == 1:
            places.append((words[0], parent))
    return Tree.build(labels, parents, [f"w{i}" for i in range(n)], [node for _, node in sorted(places)])


@st.composite
def cases(draw, most_words: int = 4, most_pairs: int = 11):
    n = draw(st.integers(1, most_words))
    continuous = draw(st.booleans())
    made = draw(st.lists(labelled_trees(n, continuous), min_size=1, max_size=3))
    while len(frozenset().union(*map(pairs_of, made))) > most_pairs:
        made.pop()
    assume(made)
    weights = draw(
        st.just([1] * len(made))
        | st.lists(st.integers(0, 4), min_size=len(made), max_size=len(made)).filter(any)
    )
    return made, weights


class TestBestOfAllTrees:
    @pytest.mark.slow
    @settings(max_examples=120, deadline=None)
    @given(case=cases())
    def test_small_trees(self, case):
        made, weights = case
        inputs = [pairs_of(tree) for tree in made]
        found = average(made, weights, labeled=True)
        expected = best_of_all(inputs, weights)
        assert pairs_of(found) == expected
        most = score(expected, inputs, weights)
        assert agreement(found, made, weights, labeled=True) == most / sum(weights)
        assert found.words == made[0].words
        assert set(found.tags) == {"T"}

    @settings(max_examples=60, deadline=None)
    @given(case=cases(most_words=5, most_pairs=40))
    def test_no_worse_than_the_vote(self, case):
        made, weights = case
        inputs = [pairs_of(tree) for tree in made]
        found = pairs_of(average(made, weights, labeled=True))
        vote = majority_vote(inputs, weights)
        assert score(found, inputs, weights) >= score(vote, inputs, weights)


def relabelled(tree: Tree, rng: random.Random, noise: float) -> Tree:
    """The tree with other labels: each constituent's goes by its words, but now and then by chance."""
    labels = [rng.choice("ABC") if rng.random() < noise else "ABC"[words % 7 % 3] for words in tree.yields()]
    return Tree.build(labels, tree.parents, tree.words, tree.word_parents)


def hard_labelled(seed: int, count: int):
    for made, weights, rng in hard_ensembles(seed, count):
        yield [relabelled(tree, rng, 0.2) for tree in made], weights, rng


@pytest.mark.slow
def test_hard_ensembles():
    """An answer is no worse than the vote and the inputs."""
    crossing = 0
    for made, weights, _ in hard_labelled(4, 12):
        found = find_average(made, weights, labeled=True)
        inputs = [pairs_of(tree) for tree in made]
        numbers = weights or [1] * len(made)
        numbered = labeled_ensemble(len(made[0].words), numbers, list(map(list, inputs)))
        crossing = max(
            crossing, len(Candidates(numbered, hits(numbered.supports, numbered.weights)[1]).crossing)
        )
        most = score(pairs_of(found.tree), inputs, numbers)
        vote = score(majority_vote(inputs, numbers), inputs, numbers)
        assert most >= max([vote, *[score(pairs, inputs, numbers) for pairs in inputs]])
        assert most == agreement(found.tree, made, weights, labeled=True) * sum(numbers)
    assert crossing > 40


def test_order_and_scale_change_nothing():
    for made, weights, rng in hard_labelled(5, 4):
        expected = average(made, weights, labeled=True)
        order = rng.sample(range(len(made)), len(made))
        given = weights or [1] * len(made)
        for scale in (7, Fraction(1, 3), 0.1):
            found = average([made[k] for k in order], [given[k] * scale for k in order], labeled=True)
            assert found == expected


@settings(max_examples=60, deadline=None)
@given(case=cases(most_pairs=40), count=st.integers(1, 4))
def test_copies_of_a_tree_average_to_it(case, count):
    tree = case[0][0]
    assert average([tree] * count, labeled=True) == tree
    assert agreement(tree, [tree] * count, labeled=True) == 1


XY = "(S (X (Y (A a) (B b))) (C c))"
YX = "(S (Y (X (A a) (B b))) (C c))"
X = "(S (X (A a) (B b)) (C c))"
LATE = "(S (A a) (X (B b) (C c)))"
XX = "(S (X (X (A a) (B b))) (C c))"
XZ = "(S (X (Z (A a) (B b))) (C c))"


@pytest.mark.parametrize(
    ("trees", "expected"),
    [
        pytest.param(
            # The issue of the unlabelled average: two systems have X, one each NP and VP.
            ["(S (NP (A a) (B b)) (C c))", "(S (VP (A a) (B b)) (C c))", LATE, LATE],
            LATE,
            id="labels count",
        ),
        pytest.param(
            # Each of the labels over {a b} has two of three: F1 is (6/7 + 6/7 + 4/6) with both,
            # and (4/6 + 4/6 + 4/5), (4/6 + 1 ...) with one of them alone.
            [XY, XY, "(S (Z (A a) (B b)) (C c))"],
            XY,
            id="a chain of two that two have",
        ),
        pytest.param([XY, XZ, X], X, id="each label over a yield on its own"),
        pytest.param([XY, XY, YX], XY, id="the order that most trees have"),
        pytest.param([YX, XY], XY, id="orders tie: the first in the order of code points"),
        pytest.param([XX, XX, X], XX, id="equal labels over one yield"),
        pytest.param(
            ["(S (NP (N a)) (B b))", "(S (NP (M a)) (B b))", "(S (N a) (B b))"],
            "(S (NP (N a)) (B b))",
            id="chains over words; tags are voted for",
        ),
        pytest.param(["(S (N a) b)", "(S (N a) b)", "(S (NP (N a)) b)"], "(S (N a) b)", id="no tag"),
        pytest.param(["(NN a)", "(NN a)", "(S (NP (NN a)))"], "(NN a)", id="no constituents weigh more"),
        pytest.param(["(NN a)", "(S (NP (NN a)))"], "(NN a)", id="no constituents weigh as much"),
        pytest.param(["(NN a)", "(S (NN a))", "(S (NN a))"], "(S (NN a))", id="no constituents weigh less"),
        pytest.param(
            [X, "(T (X (A a) (B b)) (C c))", "(U (X (A a) (B b)) (C c))"],
            "( (X (A a) (B b)) (C c))",
            id="no label over the sentence is worth it",
        ),
        pytest.param(["( (S (A a) (B b)))"] * 2 + ["(S (A a) (B b))"], "( (S (A a) (B b)))", id="bare root"),
        pytest.param(["( (S (A a) (B b)))", "(S (A a) (B b))"], "(S (A a) (B b))", id="a bare root of half"),
        pytest.param(["( (S (A a)))"], "( (S (A a)))", id="a bare root over one word"),
        pytest.param(["(S ( (A a) (B b)) (C c))"], "(S (A a) (B b) (C c))", id="no label inside"),
        pytest.param(["(S a (X b) (E))"] * 2, "(S a (X b))", id="nodes without words"),
    ],
)
def test_by_hand(trees, expected):
    assert average(trees, labeled=True).to_bracket() == expected


def test_scores_by_hand():
    """{a b} as NP and as VP, {b c} twice as X."""
    trees = ["(S (NP (A a) (B b)) (C c))", "(S (VP (A a) (B b)) (C c))", LATE, LATE]
    # Two constituents each: S in all, the other in itself.  S alone: 2/3 with each.
    assert [agreement(tree, trees, labeled=True) for tree in trees] == [
        Fraction(5, 8),
        Fraction(5, 8),
        Fraction(3, 4),
        Fraction(3, 4),
    ]
    assert agreement("(S (A a) (B b) (C c))", trees, labeled=True) == Fraction(2, 3)
    # Both labels over {a b} have three constituents, of which the first two trees have two: 4/5.
    both = "(S (NP (VP (A a) (B b))) (C c))"
    assert agreement(both, trees, labeled=True) == (2 * Fraction(4, 5) + 2 * Fraction(2, 5)) / 4
    # Without labels the first two agree: {a b} and {b c} have two trees each, and the first in order wins.
    assert average(trees).to_bracket() == "(S (NP (A a) (B b)) (C c))"
    assert agreement("(NN a)", ["(NN a)", "(S (NN a))"], [3, 1], labeled=True) == Fraction(3, 4)


def test_labels_with_gaps():
    made = [
        "(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)))",
        "(S (PRT (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)))",
        "(S (VP (VB 0=wake) (PRP 1=me)) (RP 2=up))",
        "(S (VP (VB 0=wake) (PRP 1=me)) (RP 2=up))",
    ]
    # With NP 2/3 + 2/3 + 4/5 + 4/5, without 2/5 + 2/5 + 1 + 1; the unlabelled average has it
    # by a vote, which ties.
    assert pairs_of(average(made, labeled=True)) == {(0b111, "S", 0), (0b011, "VP", 0), (0b010, "NP", 0)}
    assert pairs_of(average(made)) == {(0b111, "S", 0), (0b011, "VP", 0)}
    found = average(made, [3, 1, 1, 1], labeled=True)
    assert pairs_of(found) == {(0b111, "S", 0), (0b101, "VP", 0), (0b010, "NP", 0)}


class TestChainOrder:
    @pytest.mark.parametrize(
        ("chains", "expected"),
        [
            ([(1, "AB"), (1, "BC"), (1, "CD")], "ABCD"),
            ([(1, "DC"), (1, "CB"), (1, "BA")], "DCBA"),
            ([(2, "AB"), (3, "BA")], "BA"),
            ([(1, "AB"), (1, "BC"), (1, "CA")], "ABC"),  # a circle: each has 1 against it
            ([(1, "AB"), (2, "BC"), (3, "CA")], "BCA"),  # 3, 1 and 2 against A, B and C; then 3 and 0
            ([(1, "AAB"), (1, "ABA")], "AABA"[:2] + "B"),  # A once; then A has 1 against it, B as well
            ([(5, "C"), (1, "AC"), (1, "BC")], "ABC"),
            ([(1, "AB"), (1, "CB"), (9, "EF"), (9, "FE")], "ACBEF"),  # a circle behind what is placed
        ],
    )
    def test_by_hand(self, chains, expected):
        items = [
            (weight, [(label, chain[:place].count(label)) for place, label in enumerate(chain)])
            for weight, chain in chains
        ]
        assert "".join(chain_order(items)) == expected

    @given(
        chains=st.lists(
            st.tuples(st.integers(1, 3), st.lists(st.sampled_from("ABCD"), min_size=1, max_size=5)),
            min_size=1,
            max_size=4,
        )
    )
    def test_by_its_definition(self, chains):
        items = [
            (weight, [(label, chain[:place].count(label)) for place, label in enumerate(chain)])
            for weight, chain in chains
        ]
        left = {item for _, chain in items for item in chain}
        expected = []
        while left:
            rest = [(weight, [item for item in chain if item in left]) for weight, chain in items]
            against = {
                item: sum(weight for weight, chain in rest if item in chain and chain[0] != item)
                for item in left
            }
            top = min(left, key=lambda item: (against[item], item))
            expected.append(top[0])
            left.remove(top)
        assert chain_order(items) == tuple(expected)


def test_long_chains():
    n = 20_000
    chain = Tree.build(["X"] * n, range(-1, n - 1), ["a", "b"], [n - 1] * 2)
    other = Tree.build(["X", "Y"] * (n // 2), range(-1, n - 1), ["a", "b"], [n - 1] * 2)
    assert average([chain, chain], labeled=True) == chain
    assert average([chain, other, other], labeled=True) == other


def test_a_search_without_end_gives_a_tree_that_is_no_worse_than_the_inputs(monkeypatch):
    def out_of_time(*_):
        raise TimeoutError

    monkeypatch.setattr("jpevalb.averaging.search.heaviest", out_of_time)
    unfinished = 0
    for made, weights, _ in hard_labelled(6, 12):
        found = find_average(made, weights, labeled=True)
        unfinished += not found.exact
        most = agreement(found.tree, made, weights, labeled=True)
        assert most >= max(agreement(tree, made, weights, labeled=True) for tree in made)
    assert unfinished


def test_not_with_binary():
    with pytest.raises(SettingsError, match=r"^got both binary and labeled; .*: leave one of the two out$"):
        average(["(S a b)"], binary=True, labeled=True)


def test_no_words():
    assert average(["(())", ""], labeled=True) == Tree.parse("")
    assert agreement("", [""], labeled=True) == 1
