"""TedEval: worked examples, a search over all mappings, and reports."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings, strategies as st

from jpevalb import Params, evaluate, read
from jpevalb.metrics.tree_similarity import TedEvalCounts
from tests.support.random_trees import trees
from tests.support.tree_oracles import all_mappings, heaviest, nodes_and_words


def counts(gold, system, **options) -> TedEvalCounts:
    found: TedEvalCounts = evaluate([gold], [system], metrics="tedeval", **options).total["tedeval"]
    return found


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        # S, D, the, VP, V and saw stay; so do N and cat or NP, which cannot both be kept: 8 of 8 and 8.
        ("(TOP (S (NP (D the) (N cat)) (V saw)))", "(TOP (S (D the) (VP (N cat) (V saw))))", (7, 8, 8)),
        # H is deleted with its tag: 3 of 5 and 3.
        ("(S (P H) (N CL))", "(S (N CL))", (3, 5, 3)),
        # No relabelling: NP is deleted and VP added.
        ("(S (NP (A a)))", "(S (VP (A a)))", (3, 4, 4)),
        # Nor of tags, even of those that would be equal labels of phrases: X stays, in place of four others.
        (
            "(S (NN-A a) (NN-B b) (NN-C c) (NN-D d) (X e))",
            "(S (X f) (NN g) (NN h) (NN i) (NN k))",
            (2, 11, 11),
        ),
        # One word of the raw text, cut in two ways: no segment is equal.
        ("(S (A ab) (B c))", "(S (A a) (B bc))", (3, 5, 5)),
        # The same segments at other places are not in the same stretch: only one of them maps.
        ("(S (A x) (A y) (A x))", "(S (A x) (A y) (A x))", (7, 7, 7)),
        ("", "(S (A a))", (0, 0, 3)),
    ],
)
def test_by_hand(gold, system, expected):
    # A run without words of gold is an error, so another pair follows.
    first, _ = evaluate([gold, "(Z z)"], [system, "(Z z)"], metrics="tedeval").sentences
    found = first.record["tedeval"]
    assert (found.matched, found.gold, found.system) == expected
    first, _ = evaluate([system, "(Z z)"], [gold, "(Z z)"], metrics="tedeval").sentences
    back = first.record["tedeval"]
    assert (back.matched, back.system, back.gold) == expected
    assert found.mean == pytest.approx(2 * expected[0] / (expected[1] + expected[2]))


def test_segments_stay_in_their_units():
    """Without units the second x of gold could be the first of the system's."""
    found = counts("(S (A x) (B y) (C x))", "(S (A z) (B y) (C x) (D w))")
    # S, A, B y, C x; A z and x do not map, and neither does D w.
    assert (found.matched, found.gold, found.system) == (6, 7, 9)


TREES = trees(continuous=True, max_words=4, labels=("A", "B"), tags=("A", "T"), words=st.sampled_from("xy"))


@given(TREES, TREES)
@settings(max_examples=120, deadline=None)
def test_all_mappings(one, two):
    (result,) = evaluate([one], [two], metrics="tedeval", pair="order").sentences
    unit_of = [{}, {}]
    for number, (a, b, c, d) in enumerate(result.units):
        unit_of[0].update(dict.fromkeys(range(a, b), number))
        unit_of[1].update(dict.fromkeys(range(c, d), number))
    mine, other = nodes_and_words(one), nodes_and_words(two)

    def same(a, b):
        words = a.word >= 0, b.word >= 0
        if words[0] != words[1] or a.label != b.label:
            return False
        return not words[0] or unit_of[0].get(a.word, -1) == unit_of[1].get(b.word, -2)

    found = result.record["tedeval"]
    assert (found.gold, found.system) == (len(mine), len(other))
    assert found.matched == heaviest(mine, other, lambda a, b: int(same(a, b)))
    if len(mine) * len(other) <= 60:
        assert found.matched == max(len(pairs) for pairs in all_mappings(mine, other, same))


@given(TREES, TREES)
@settings(max_examples=60, deadline=None)
def test_the_distance_of_zhang_and_shasha(one, two):
    """Another program's edit distance, where a label and a word's unit are all that a node is."""
    zss = pytest.importorskip("zss", exc_type=ImportError)
    (result,) = evaluate([one], [two], metrics="tedeval", pair="order").sentences
    sides = []
    for side, tree in enumerate((one, two)):
        top = zss.Node(None)
        made: list = []
        for item in nodes_and_words(tree):
            unit = next(
                (k for k, of in enumerate(result.units) if of[2 * side] <= item.word < of[2 * side + 1]),
                -1 - (side if item.word >= 0 else 0),
            )
            made.append(zss.Node((item.label, unit)))
            (made[item.parent] if item.parent >= 0 else top).addkid(made[-1])
        sides.append(top)
    distance = zss.distance(
        *sides,
        zss.Node.get_children,
        insert_cost=lambda node: 1,
        remove_cost=lambda node: 1,
        update_cost=lambda a, b: 0 if a.label == b.label else 3,
    )
    found = result.record["tedeval"]
    assert distance == found.gold + found.system - 2 * found.matched


def test_counts_and_undefined_scores():
    assert TedEvalCounts.zero() == TedEvalCounts(0, 0, 0, 0, 0, 0)
    found = TedEvalCounts.of(3, 8, 9)
    assert (found.additions, found.deletions, found.sentences, found.undefined) == (6, 5, 1, 0)
    gap = "(S (X (A 0=a) (C 2=c)) (B 1=b))"
    trees = list(read(io.StringIO(gap), "discbracket"))
    result = evaluate([*trees, "(S (A a) (B b))"], [*trees, "(S (A a) (B b))"], metrics="tedeval")
    assert result.total["tedeval"] == TedEvalCounts.of(5, 5, 5) + TedEvalCounts(undefined=1)
    assert "\nWithout TedEval           =      1        1\n" in result.report()
    assert "Without TedEval" not in evaluate(["(S (A a))"], ["(S (A a))"], metrics="tedeval").report()


def test_memory_is_as_documented():
    """16 (n + 1) (m + 1) bytes for trees that differ all over, of n and m nodes."""
    gold = "(S (A a) (B b) (C c))"
    system = "(X (D d) (E e))"
    n, m = 7, 5
    needed = 16 * (n + 1) * (m + 1)
    assert counts(gold, system, most_memory=needed).undefined == 0
    assert counts(gold, system, most_memory=needed - 1).undefined == 1


def test_labels_that_a_prm_makes_equal():
    gold, system = "(S (ADVP (NN a)) (B b))", "(S (PRT (NE a)) (B b))"
    assert counts(gold, system) == TedEvalCounts.of(4, 6, 6)
    equal = Params(eq_labels=(("ADVP", "PRT"), ("NN", "NE")))
    assert counts(gold, system, prm=equal) == TedEvalCounts.of(6, 6, 6)
