"""What one side has and the other never has, by the labels, tags, roots, shapes and words of their trees."""

from __future__ import annotations

from collections import Counter

import pytest

from jpevalb import Tree, evaluate
from jpevalb.kernels.columns import inventory
from jpevalb.score.tally import added_root
from jpevalb.settings.rules import DUMMY_ROOT


def root_of(*texts, times=1):
    return added_root(
        Counter([item for text in texts for item in inventory(Tree.parse(text).columns, DUMMY_ROOT)] * times)
    )


@pytest.mark.parametrize(
    ("tree", "suspect"),
    [
        ("(S1 (S (NN a)))", "S1"),
        ("(S1 (A a) (B b))", "S1"),
        ("(VROOT (A a) (B b))", "VROOT"),
        ("(_top.2 (A a) (B b))", "_top.2"),
        ("(Xroot (A a))", "Xroot"),
        ("(XYROOT (A a))", None),
        ("(S2 (A a))", None),
        ("(XP (NP (N a)))", "XP"),
        ("(XP (NP a b))", "XP"),
        ("(XP (NP a))", None),  # the child is a tag
        ("(XP (NP (N a)) b)", None),
        ("(XP (NP (N a)) (E))", None),
        ("(XP (A a) (B b))", None),
        ("(S (NP (N a)))", None),  # phrases may be all there is
        ("(NP-SBJ=1 (NP (N a)))", None),
        ("(S1 (S (S1 (N a))))", None),
        ("( (A a) (B b))", None),
    ],
)
def test_a_root_that_looks_like_a_tools(tree, suspect):
    assert root_of(tree, times=10) == suspect
    # One tree is enough for the name of a root, three for a label that is above one child.
    named = suspect if suspect not in (None, "XP") else None
    assert root_of(tree, times=1) == named
    assert root_of(tree, times=2) == named
    assert root_of(tree, times=3) == suspect


def test_a_root_of_a_tool_is_above_every_tree_with_words():
    assert root_of(*["(S1 (S (NN a)))"] * 10, "(())", "") == "S1"
    other = "(S (S1 (NN a)))", "(TOP (NN a))", "(S1 (S1 (NN a)))"
    for text in other:
        assert root_of(*["(S1 (S (NN a)))"] * 10, text) is None


FLAT = "(S (NP (D a) (J b) (N c)) (VP (V d) (NP (N e))))"
BINARY = "(S (NP (D a) (BAR (J b) (N c))) (VP (V d) (NP (N e))))"
CHAIN = "(S (NP (D a) (J b) (N c)) (VP (V d) (NP (NX (N e) (N f)))))"
KINDS = {
    "labels": (FLAT, FLAT.replace("(VP", "(VX"), ["gold alone has VP (30 of 120 first "]),
    "one tag": (FLAT, FLAT.replace("(V ", "(W "), ["gold alone has V (30 of 150 first tags)"]),
    "lower case": (
        FLAT,
        FLAT.replace("(S ", "(s ").replace("NP", "np").replace("VP", "vp"),
        ["gold alone has NP, S, VP (120 of 120 first brackets), the system "],
    ),
    "a mark that no tool has": (
        FLAT,
        BINARY,
        [
            "the system alone has BAR (30 of 150 first brackets)",
            "gold alone has brackets with more than two children (30 of 90 first",
        ],
    ),
    "no mark": (
        FLAT,
        BINARY.replace("BAR", "NP"),
        ["gold alone has brackets with more than two children (30 of 90 first"],
    ),
    "a suffix that is no suffix": (
        FLAT,
        BINARY.replace("BAR", "NP_BAR"),
        ["the system alone has NP_BAR", "gold alone has brackets with more than two children"],
    ),
    "no chains": (
        CHAIN,
        CHAIN.replace("(NX (N e) (N f))", "(N e) (N f)"),
        ["gold alone has NX", "gold alone has brackets over one bracket"],
    ),
    "a suffix": (FLAT.replace("NP", "NP_SBJ"), FLAT, ["gold alone has NP_SBJ (60 of 2"]),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_one_side_has_and_the_other_never_has(kind):
    gold, system, expected = KINDS[kind]
    for convention in ("jpevalb", "discontinuous"):
        found = evaluate([gold] * 30, [system] * 30, convention=convention).warnings
        assert [any(text.startswith(start) for text in found) for start in expected] == [True] * len(expected)
        assert len(found) == len(expected)
    # Without labels there is nothing to compare, and a few errors of a parser are no kind.
    assert not any("labels" in text for text in evaluate([gold] * 30, [system] * 30, unlabeled=True).warnings)
    few = evaluate([gold] * 30, [system] * 3 + [gold] * 27).warnings
    assert evaluate([gold] * 30, [gold] * 30).warnings == () == few


def test_words_that_gold_never_has():
    gold = "(S (NP (D these) (J yellow) (N flowers)) (VP (V surround) (NP (N houses) (-LRB- -LRB-))))"
    hidden = gold.replace("yellow", "<unk>")
    text = evaluate([gold] * 30, [hidden] * 30).warnings[0]
    assert text.startswith("the system alone has <unk> (30 of 180 first words); check if a tool put such ")
    # Other spellings, parts of gold's words, and few words are no kind.
    spelled = gold.upper()
    parts = gold.replace("(N flowers)", "(N flow) (N ers)")
    for system in ([spelled] * 30, [parts] * 30, [hidden] * 15 + [gold] * 15):
        assert not any("first words" in text for text in evaluate([gold] * 30, system).warnings)


def test_one_label_of_an_answer():
    answers = [FLAT] * 80 + [FLAT.replace("(VP", "(FOO")]
    found = evaluate([FLAT] * 81, answers, format="answers", gold_format="bracket")
    assert [text for text in found.warnings if "alone" in text] == [
        "the system alone has FOO (1 of 324 first brackets); "
        "check that both have the labels of one treebank, or use unlabeled=True"
    ]
    assert evaluate([FLAT] * 81, answers).warnings == ()
