"""Repairs: worked examples of the steps from one tree to another; together they explain every error."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from hypothesis import given, settings, strategies as st

from jpevalb import Tree, evaluate
from jpevalb.alignment.pair import Constituents
from jpevalb.errors import corrections as module, search
from jpevalb.errors.search import Child, ConstituentTree, Step
from tests.support.random_trees import trees

pytestmark = pytest.mark.slow


class Sides(NamedTuple):
    """The arguments of ``steps``."""

    gold: ConstituentTree
    system: ConstituentTree
    units: tuple | None = None


def sides(gold: Tree, system: Tree, units: tuple | None = None) -> Sides:
    """Both sides with constituents matched as multisets of label and yield, in preorder."""
    found = []
    for side, tree in enumerate((gold, system)):
        preterminal = tree.preterminals
        yields = tree.yields()
        nodes = [
            node
            for node, label in enumerate(tree.labels)
            if yields[node] and not preterminal[node] and label not in ("", "ROOT")
        ]
        labels = [tree.labels[node] for node in nodes]
        masks = [yields[node] for node in nodes]
        if units is not None:
            of_word = units[side]
            words = range(len(tree.words))
            masks = [sum({1 << of_word[word] for word in words if mask >> word & 1}) for mask in masks]
        found.append((tree, Constituents(labels, [], [], nodes, []), [*zip(labels, masks)]))
    (*first, keys), (*second, others) = found
    free: dict = {}
    for place, key in enumerate(others):
        free.setdefault(key, []).append(place)
    partners = [free[key].pop(0) if free.get(key) else -1 for key in keys]
    place_of = {partner: place for place, partner in enumerate(partners)}
    other = ConstituentTree(*second, [place_of.get(place, -1) for place in range(len(others))], str)
    return Sides(ConstituentTree(*first, partners, str, other.homes), other, units)


def steps_of(gold: ConstituentTree, system: ConstituentTree, units: tuple | None = None) -> list[Step]:
    """The steps, with indices of constituents, and ``~w`` for word ``w``, in place of nodes."""
    steps = []
    of_gold, of_system = ({node: index for index, node in enumerate(side.nodes)} for side in (gold, system))
    word_parents = [system.node_of(~word) for word in range(len(system.tags))]
    for step in module.steps(gold, system, units):
        run = [of_system[node] if node in of_system else ~word_parents.index(node) for node in step.run]
        missed = tuple(of_gold[node] for node in step.missed)
        extra = tuple(of_system[node] for node in step.extra)
        steps.append(step._replace(missed=missed, extra=extra, run=tuple(run)))
    return steps


def brackets_of(step) -> int:
    """Number of bracket errors that a step corrections."""
    return len(step.missed) + len(step.extra)


def check(pair: Sides, steps) -> None:
    """Each missed gold constituent and each extra one of the system's is explained exactly once."""
    missed, extra = (
        [place for place, partner in enumerate(side.partners) if partner < 0] for side in pair[:2]
    )
    assert sorted(place for step in steps for place in step.missed) == missed
    assert sorted(place for step in steps for place in step.extra) == extra
    assert all(brackets_of(step) > 0 for step in steps)
    assert sum(brackets_of(step) for step in steps) == len(missed) + len(extra)
    for step in steps:
        if step.kind == "relabel":
            assert len(step.missed) == len(step.extra) == 1
        elif step.kind == "add":
            assert (len(step.missed), step.extra) == (1, ())
        elif step.kind == "remove":
            assert (step.missed, len(step.extra)) == ((), 1)
        elif step.kind == "move":
            assert brackets_of(step) >= 2


def shown(gold: str, system: str) -> list[str]:
    """The steps in a line each: what is done, how many brackets, with what."""
    pair = sides(Tree.parse(gold), Tree.parse(system))
    steps = steps_of(*pair)
    check(pair, steps)
    lines = []
    for step in steps:
        what = {
            "relabel": f"{step.was} to {step.label}",
            "move": f"out of {step.was or 'top'} into {step.label or 'top'}",
        }.get(step.kind, step.label)
        run = " ".join(part.label.lower() if part.word else part.label for part in step.parts)
        lines.append(f"{step.kind} {what}: {run} = {brackets_of(step)}")
    return lines


LOW = "(VP (V saw) (NP (NP (D the) (N man)) (PP (P of) (NP (NP (N war)) (PP (P on) (N tv))))))"
HIGH = "(VP (V saw) (NP (NP (D the) (N man)) (PP (P of) (NP (N war)))) (PP (P on) (N tv)))"


@pytest.mark.parametrize(
    ("gold", "system", "steps", "back"),
    [
        ("(S (NP (N a)) (VP (V b)))", "(S (NP (N a)) (VP (V b)))", [], []),
        (
            "(S (NP (N a)) (ADVP (R b)))",
            "(S (NP (N a)) (ADJP (R b)))",
            ["relabel ADJP to ADVP: r = 2"],
            ["relabel ADVP to ADJP: r = 2"],
        ),
        # A phrase attached to the noun in place of the verb.
        (
            "(VP (V eat) (NP (N fish)) (PP (P with) (NP (N forks))))",
            "(VP (V eat) (NP (NP (N fish)) (PP (P with) (NP (N forks)))))",
            ["remove NP: NP PP = 1"],
            ["add NP: NP PP = 1"],
        ),
        # A move through several nodes is one step: NP over the man, PP over of and NP over war are one
        # word too long, one NP over war is gone.  Back again the inner NP is put around.
        (HIGH, LOW, ["move out of NP into VP: PP = 5"], ["move out of VP into PP: PP = 5"]),
        # Sideways between sisters
        (
            "(S (NP (D a) (N b)) (VP (N c) (V d) (V e)))",
            "(S (NP (D a) (N b) (N c)) (VP (V d) (V e)))",
            ["move out of NP into VP: n = 4"],
            ["move out of VP into NP: n = 4"],
        ),
        # Into the lowest of several nodes: C, which gets it too, is over all words then, and still extra.
        (
            "(S (B (W a) (W b) (W c)) (W d))",
            "(S (W a) (C (B (W b) (W c)) (W d)))",
            ["move out of S into B: w = 2", "remove C: S = 1"],
            None,
        ),
        # A move must correct more than relabelling.  b out of C would correct as much: C has the place of
        # gold's then, and B goes.
        (
            "(S (W a) (W b) (C (W c) (W d)))",
            "(S (W a) (C (W b) (B (W c) (W d))))",
            ["relabel B to C: w w = 2", "remove C: w C = 1"],
            None,
        ),
        # Several children move together.
        (
            "(S (VP (V a) (NP (N b)) (PP (P c) (N d))) (X e))",
            "(S (VP (V a)) (NP (N b)) (PP (P c) (N d)) (X e))",
            ["move out of S into VP: NP PP = 2"],
            None,
        ),
        # An extra node in the way is removed first; one next to it stays until nothing is missing.
        (
            "(S (A (X a) (X b)) (B (X c) (X d)))",
            "(S (X a) (C (X b) (X c)) (X d))",
            ["remove C: x x = 1", "add A: x x = 1", "add B: x x = 1"],
            None,
        ),
        (
            "(S (A (X a) (X b)) (X c) (X d))",
            "(S (X a) (X b) (C (X c) (X d)))",
            ["add A: x x = 1", "remove C: x x = 1"],
            None,
        ),
        # A missing node goes around an extra one that it holds.
        (
            "(S (A (X a) (X b) (X c)) (X d))",
            "(S (C (X a) (X b)) (X c) (X d))",
            ["add A: C x = 1", "remove C: x x = 1"],
            ["add C: x x = 1", "remove A: C x = 1"],
        ),
        # Unary chains in another order are no error.
        ("(S (X (Y (A a) (B b))) (C c))", "(S (Y (X (A a) (B b))) (C c))", [], []),
        (
            "(T (S (VP (A a) (B b))) (C c))",
            "(T (VP (X (A a) (B b))) (C c))",
            ["relabel X to S: VP = 2"],
            None,
        ),
        # A node over one phrase has that as its only part.
        (
            "(VP (V want) (S (VP (T to) (VP (V go)))))",
            "(VP (V want) (VP (T to) (VP (V go))))",
            ["add S: VP = 1"],
            ["remove S: VP = 1"],
        ),
        # Of equal constituents each is explained.
        (
            "(S (NP (A a) (B b)) (C c))",
            "(S (NP (NP (NP (A a) (B b)))) (C c))",
            ["remove NP: NP = 1", "remove NP: NP = 1"],
            None,
        ),
    ],
)
def test_steps(gold, system, steps, back):
    assert shown(gold, system) == steps
    assert back is None or shown(system, gold) == back


@pytest.mark.parametrize(
    ("gold", "system", "steps"),
    [
        # Several children move together, out of a node that only they and one more make up, and into one.
        ("(S (B a b c))", "(S (B a) b c)", ["move out of S into B: x x = 2"]),
        ("(S a b (A c))", "(S (A (B a) b c))", ["move out of A into S: B x = 2", "remove B: x = 1"]),
        # a, under an extra node of another label, is no place for b.
        ("(S a b (B c))", "(S (A a) (B b c))", ["move out of B into S: x = 2", "remove A: x = 1"]),
        ("(S a (B b c))", "(S (B a b) (B c))", ["move out of B into B: x = 3"]),
        # A missing node goes around what moves, or around that and a new sister; of two the first.
        ("(S (B a) (B b c))", "(S (B a b c))", ["move out of B into S: x x = 3"]),
        ("(S (B (B a b) c))", "(S a b (B c))", ["move out of S into B: x x = 3"]),
        (
            "(S (B (A (B a b)) c))",
            "(S a b (B c))",
            ["move out of S into B: x x = 3", "add B: A = 1"],
        ),
        ("(S (A a b) (B c d))", "(S a (B (A b c) d))", ["move out of A into S: x = 4"]),
        # Both A get shorter: one is gold's then, and the other has a single child and goes.
        ("(S a b (A c))", "(S a (A (A b c)))", ["move out of A into S: x = 3"]),
        (
            "(S (A (A a b c d e)) (A (B f g)))",
            "(S (B (A (A a b)) (A c d) (A e (A f) (A g))))",
            [
                "move out of A into B: x = 3",
                "move out of A into A: A x = 3",
                "move out of B into S: A = 2",
                "remove A: x x = 1",
                "remove A: x = 1",
                "remove A: x = 1",
            ],
        ),
        # The A that is put around c and d comes to be like an extra one, of which one stays.
        (
            "(S (B (A a) b) (A (A (B c) (A d e) f)))",
            "(S (B (A a b) c) (B d) (A (A e f)))",
            [
                "move out of B into S: x = 3",
                "move out of A into A: x B = 3",
                "move out of A into B: x = 2",
                "add B: x = 1",
                "add A: B x = 1",
                "remove B: x = 1",
            ],
        ),
    ],
)
def test_small_moves(gold, system, steps):
    """Words are children with the tag X; S is over all of them and matched."""

    def tagged(text):
        return re.sub(r"(?<=[ (])([a-z])(?=[ )])", r"(X \1)", text)

    assert shown(tagged(gold), tagged(system)) == steps


def described(step) -> tuple:
    """Everything about a step except its kind and label."""
    beside = " ".join(part.label.lower() if part.word else part.label for part in step.beside)
    return step.above, beside, step.one_word, step.missed, step.extra, step.run


NOUN = "(S (X z) (NP (NP (N a)) (PP (P b) (N c))) (V d))"
FLAT = "(S (X z) (NP (N a)) (PP (P b) (N c)) (V d))"


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        # Left and right of the run before the move, then after it; its words and constituents.
        (
            "(S (NP (D a) (N b)) (VP (N c) (V d) (V e)))",
            "(S (NP (D a) (N b) (N c)) (VP (V d) (V e)))",
            [("S", "n v", True, (1, 2), (1, 2), (~2,))],
        ),
        (
            "(S (VP (V a) (NP (N b)) (PP (P c) (N d))) (X e))",
            "(S (VP (V a)) (NP (N b)) (PP (P c) (N d)) (X e))",
            [("S", "VP x v", False, (1,), (1,), (2, 3))],
        ),
        (
            "(S (X a) (NP (N b) (N c)) (V d))",
            "(S (NP (X a) (N b) (N c)) (V d))",
            [("S", "n NP", True, (1,), (1,), (~0,))],
        ),
        # The two that get shorter, and the one over a single child that goes.
        (HIGH, LOW, [("VP", "NP NP", False, (3, 1), (3, 1, 4), (6,))]),
        (LOW, HIGH, [("VP", "NP NP", False, (1, 3, 4), (1, 3), (5,))]),
        (NOUN, FLAT, [("S", "x v", False, (1,), (), (1, 2))]),
        (FLAT, NOUN, [("S", "x v", False, (), (1,), (2, 3))]),
        (
            "(S (NP (N a)) (ADVP (R b) (R c)) (X d))",
            "(S (NP (N a)) (ADJP (R b) (R c)) (X d))",
            [("S", "NP x", False, (2,), (2,), (~1, ~2))],
        ),
        (
            "(S (A (X a) (X b)) (B (X c) (Y d)))",
            "(S (X a) (C (X b) (X c)) (Y d))",
            [
                ("S", "x y", False, (), (1,), (~1, ~2)),
                ("S", "x", False, (1,), (), (~0, ~1)),
                ("S", "A", False, (2,), (), (~2, ~3)),
            ],
        ),
        (
            "(S (X z) (NP (N a)) (V d))",
            "(S (X z) (N a) (V d))",
            [("S", "x v", True, (1,), (), (~1,))],
        ),
    ],
)
def test_descriptions_of_steps(gold, system, expected):
    assert [described(step) for step in steps_of(*sides(Tree.parse(gold), Tree.parse(system)))] == expected


def test_a_side_without_constituents():
    """All errors are one step, because there is nothing to correct."""
    sides = "(S (NP (N a)) (V b))", "(ROOT (N a) (V b))"
    for gold, system, kind in ((*sides, "unparsed"), (*sides[::-1], "unexpected")):
        (step,) = evaluate([gold], [system], metrics="brackets").sentences[0].corrections()
        assert (step.step.kind, len(step.missed) + len(step.extra), step.nodes) == (kind, 2, ())
    assert shown("(ROOT (N a))", "(ROOT (N a))") == []


def test_trees_with_gaps():
    # Gold's VP is "a ... c"; the system has "a b c" in one, and b moves up.
    gold = Tree.build(["S", "VP", "V", "N", "R"], [-1, 0, 1, 0, 1], ["a", "b", "c"], [2, 3, 4])
    system = Tree.build(["S", "VP", "V", "N", "R"], [-1, 0, 1, 1, 1], ["a", "b", "c"], [2, 3, 4])
    for pair, move in ((sides(gold, system), ("VP", "S")), (sides(system, gold), ("S", "VP"))):
        steps = steps_of(*pair)
        check(pair, steps)
        assert [(step.kind, step.was, step.label, step.parts) for step in steps] == [
            ("move", *move, (Child("N", True),))
        ]
    # The system has no VP: what stands between its words stays where it is.
    flat = Tree.build(["S", "V", "N", "R"], [-1, 0, 0, 0], ["a", "b", "c"], [1, 2, 3])
    pair = sides(gold, flat)
    steps = steps_of(*pair)
    check(pair, steps)
    assert [(step.kind, step.label, step.parts) for step in steps] == [
        ("add", "VP", (Child("V", True), Child("R", True)))
    ]


@st.composite
def pairs(draw, *, continuous: bool, max_words: int = 9):
    gold = draw(trees(continuous=continuous, max_words=max_words, tagged=draw(st.booleans())))
    size = len(gold.words)
    system = draw(trees(continuous=continuous, min_words=size, max_words=size, tagged=draw(st.booleans())))
    return gold, system


@st.composite
def nearly_equal_pairs(draw):
    """Two trees that differ in some constituents and labels."""
    tree = draw(trees(continuous=draw(st.booleans()), max_words=9, tagged=draw(st.booleans())))

    def other(label):
        return draw(st.sampled_from([label] * 5 + ["", "NP"]))

    return tuple(
        Tree.build([*map(other, tree.labels)], tree.parents, tree.words, tree.word_parents) for _ in range(2)
    )


@given(st.one_of(pairs(continuous=True), pairs(continuous=False), nearly_equal_pairs()))
@settings(max_examples=400)
def test_random_trees_are_explained_whole(pair):
    both = sides(*pair)
    check(both, steps_of(*both))


@given(pairs(continuous=True), st.data())
@settings(max_examples=110)
def test_units_that_hold_several_words(pair, data):
    # Some neighbours share a unit, on both sides or on one.
    gold, system = pair
    cuts = data.draw(st.lists(st.booleans(), min_size=len(gold.words), max_size=len(gold.words)))
    units = [sum(cuts[1 : place + 1]) for place in range(len(gold.words))]

    both = sides(gold, system, (units, units))
    check(both, steps_of(*both))


def test_a_missing_node_is_put_over_a_constituent_where_units_are_given():
    gold = Tree.parse("(S (X (NP (A a) (B b)) (C c)) (D d))")
    system = Tree.parse("(S (NP (A a) (B b)) (C c) (D d))")
    (step,) = steps_of(*sides(gold, system, (range(4), range(4))))
    assert (step.kind, step.label, [part.label for part in step.parts]) == ("add", "X", ["NP", "C"])


def test_no_move_leaves_a_gap_where_gold_has_none():
    # The first two words are one unit.  With c moved instead of d the second B would be over b and d.
    gold = Tree.parse("(A (B (T a) (T b) (T c)) (T d))")
    system = Tree.parse("(A (B (T a)) (B (T b) (T c) (T d)))")
    steps = steps_of(*sides(gold, system, ((0, 0, 1, 2), (0, 0, 1, 2))))
    assert [(step.kind, step.was, step.label, step.run) for step in steps] == [
        ("move", "B", "A", (~3,)),
        ("remove", "B", "B", (~0,)),
    ]


@pytest.mark.parametrize(
    ("gold", "system", "units", "expected"),
    [
        # A is over the one unit twice in the system and once in gold: one of them is right, the other is B.
        ("(B (A (T a)) (T b))", "(A (A (T a)) (T b))", (0, 0), [("relabel", "B", (1, ~1))]),
        # The node that stands in the way goes first, though what shares a unit could be put together before.
        (
            "(A (B (T a) (T b) (T c)) (T d))",
            "(A (T a) (T b) (A (T c) (T d)))",
            (0, 1, 1, 2),
            [("remove", "A", (~2, ~3)), ("add", "B", (~0, ~1, ~2))],
        ),
        # A is over the first unit still where one of its two words is gone.
        (
            "(S (T a) (A (T b)) (T c) (T d))",
            "(S (A (T a) (T b) (T c)) (T d))",
            (0, 1, 0, 2),
            [("add", "A", (~1,)), ("remove", "A", (~0, ~2))],
        ),
        # Nothing moves into A through B, which matches, though B is over the same units then.
        (
            "(A (T a) (B (T b) (T c) (A (T d) (T e) (T f)) (T g)))",
            "(A (T a) (B (T b) (T c) (T d) (A (T e) (T f) (T g))))",
            (0, 0, 0, 0, 1, 1, 1),
            [("add", "A", (0,)), ("remove", "A", (~4, ~5, ~6))],
        ),
    ],
)
def test_corrections_where_words_share_units(gold, system, units, expected):
    pair = sides(Tree.parse(gold), Tree.parse(system), (units, units))
    steps = steps_of(*pair)
    check(pair, steps)
    assert [(step.kind, step.label, step.run) for step in steps] == expected


def work_of(pair: Sides, monkeypatch) -> int:
    """Return the smallest budget of work with which the steps are those without a limit."""
    monkeypatch.setattr(module, "WORK_A_WORD", 0)
    monkeypatch.setattr(module, "WORK", 10_000)
    wanted = steps_of(*pair)
    least, enough = 0, 10_000
    while least < enough:
        middle = (least + enough) // 2
        monkeypatch.setattr(module, "WORK", middle)
        if steps_of(*pair) == wanted:
            enough = middle
        else:
            least = middle + 1
    return enough


@pytest.mark.parametrize(("left", "kinds"), [(0, ["remove", "add"]), (1, ["relabel"])])
def test_no_step_without_a_budget(monkeypatch, left, kinds):
    monkeypatch.setattr(module, "WORK", left)
    monkeypatch.setattr(module, "WORK_A_WORD", 0)
    pair = sides(Tree.parse("(ROOT (Y (T a) (T b)))"), Tree.parse("(ROOT (X (T a) (T b)))"))
    assert [step.kind for step in steps_of(*pair)] == kinds


def test_each_node_climbed_to_counts(monkeypatch):
    # The word that moves first hangs from a chain of three nodes, or the word behind it does.
    chain = "(A (A (A (T {}))))"
    works = []
    for b, c in ((chain.format("b"), "(T c)"), ("(T b)", chain.format("c"))):
        gold = Tree.parse(f"(ROOT (X (T a) {b}) (Y {c} (T d)) (T e))")
        system = Tree.parse(f"(ROOT (X (T a)) {b} (Y {c}) (T d) (T e))")
        works.append(work_of(sides(gold, system, (range(5), range(5))), monkeypatch))
    assert works[0] == works[1] + 3


@pytest.mark.parametrize("name", ["STEPS", "WORK", "MOST_BITS"])
@given(pairs(continuous=False), st.integers(-5, 60))
@settings(max_examples=100)
def test_limits_leave_nothing_unexplained(name, pair, limit):
    both = sides(*pair)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "WORK_A_WORD", 0)
        patch.setattr(search if name == "STEPS" else module, name, limit)
        check(both, steps_of(*both))


@pytest.mark.parametrize(
    ("units", "bits"),
    [
        # Two extra nodes and two missing ones over five leaves.
        (None, 20),
        # Six constituents over the five units of the system's words; gold has a word more.
        ((range(6), range(5)), 30),
    ],
)
def test_how_large_a_tree_may_be_in_which_anything_is_moved(monkeypatch, units, bits):
    gold = "(ROOT (S (NP (D a) (N b)) (VP (N c) (V d) (V e))) (. f))"
    system = "(ROOT (S (NP (D a) (N b) (N c)) (VP (V d) (V e))))"
    pair = sides(Tree.parse(gold), Tree.parse(system), units)
    for most, kinds in ((bits, ["move"]), (bits - 1, ["remove", "remove", "add", "add"])):
        monkeypatch.setattr(module, "MOST_BITS", most)
        steps = steps_of(*pair)
        check(pair, steps)
        assert [step.kind for step in steps] == kinds


def test_units_that_cross_in_one_tree_are_matched_as_they_are():
    # "ab" and "c" are one word in gold, where X and Y share it: no error.
    result = evaluate(
        ["(S (X (A w) (B ab)) (Y (C cd) (D e)))"],
        ["(S (X (A w) (B abc)) (Y (C d) (D e)))"],
        metrics="brackets",
    )
    assert not result.sentences[0].missed


def test_of_alike_nodes_over_shared_words_the_matched_one_stays():
    # The last gold words have no counterpart; S over S is right once and wrong once.
    gold = "((S (S (S (N a) (N a)) (N a) (N a)) (N a)) (N a) (N a) (N b))"
    for system in (
        "((N b) (S (S (N a) (N a) (N a) (N a))) (N a) (N a) (N a))",
        "((N b) (S (S (N a) (S (N a) (N a) (N a)) (N a))) (N a) (N a))",
    ):
        result = evaluate([gold], [system], metrics="brackets").sentences[0]
        corrected = result.corrections()
        assert sorted(item for correction in corrected for item in correction.missed) == sorted(result.missed)
        assert len([item for correction in corrected for item in correction.extra]) == len(result.extra)
