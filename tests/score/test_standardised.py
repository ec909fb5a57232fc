"""What the rules have changed in the trees, with counts: in JSON and in every report."""

from __future__ import annotations

import json

import pytest

import jpevalb
from jpevalb import Settings, Tree, evaluate
from jpevalb.settings.convention import TOOLS, Convention
from tests.support import convention_oracle as oracle

GOLD = [
    "(TOP (S (NP-SBJ (NN a) (, ,)) (EDITED (UH uh)) (VP (VB b)) (. .)))",
    "(TOP (S (NP (NN c) (-NONE- *T*)) (VP (VB d)) (. .)))",
]
SYSTEM = [
    "(TOP (S (NP (NN a)) (, ,) (NP (UH uh)) (VP (VB b)) (NN .)))",
    "(TOP (S (NP (NN c)) (VP (VB d)) (. .)))",
]


def changed(gold, system, **options):
    result = evaluate(gold, system, **options)
    assert json.loads(result.report("json"))["standardised"] == result.to_dict()["standardised"]
    return {(item.side, item.what): item.count for item in result.standardised}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"traces": "keep"}, {}),
        ({}, {("gold", "traces removed"): 1}),
        (
            {"prm": "COLLINS"},
            {
                ("gold", "words dropped"): 3,
                ("gold", "traces removed"): 1,
                # Gold decides; the second system's sentence has no partner for the trace.
                ("system", "words dropped"): 3,
            },
        ),
        (
            {"drop_subtrees": "EDITED", "traces": "keep"},
            {
                ("gold", "words dropped"): 1,
                ("gold", "subtrees dropped"): 1,
                ("system", "words dropped"): 1,
            },
        ),
        ({"convention": "jpevalb cut-at:SB", "traces": "keep"}, {("gold", "labels cut"): 1}),
        # The words of the first sentences differ, as the system's wrong tag keeps its full stop.
        (
            {"convention": "evalb"},
            {
                ("gold", "roots not counted"): 1,
                ("gold", "words dropped"): 1,
                ("gold", "traces removed"): 1,
                ("system", "roots not counted"): 1,
                ("system", "words dropped"): 1,
            },
        ),
        (
            {"convention": "jp-evalb"},
            {
                ("gold", "roots not counted"): 1,
                ("gold", "words dropped"): 1,
                ("gold", "traces removed"): 1,
                ("gold", "subtrees dropped"): 2,
                ("system", "roots not counted"): 1,
                ("system", "words dropped"): 1,
                ("system", "subtrees dropped"): 1,
            },
        ),
    ],
)
@pytest.mark.parametrize("how", ["texts", "trees", "workers"])
def test_counts(options, expected, how):
    gold, system = GOLD, SYSTEM
    if how == "trees":
        gold, system = ([Tree.parse(text) for text in side] for side in (GOLD, SYSTEM))
    found = changed(gold, system, jobs=2 if how == "workers" else 1, **options)
    assert found == expected


def test_a_subtree_that_is_all_of_a_tree():
    gold = ["(TOP (EDITED (UH uh) (UH um)))", GOLD[1]]
    found = changed(gold, gold, drop_subtrees="EDITED", traces="keep")
    assert found == {(side, what): count for side in ("gold", "system")
                     for what, count in (("words dropped", 2), ("subtrees dropped", 1))}  # fmt: skip


def test_only_the_root_itself_is_kept():
    gold = ["(TOP (EDITED (UH uh) (UH um)))", "(TOP (S (NN b)))"]
    found = changed(gold, gold, convention="jp-evalb drop-whole:EDITED")
    assert found["gold", "subtrees dropped"] == found["system", "subtrees dropped"] == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(TOP (S (NP (NN a) (NN b)) (VP (VB c))))", "(S (NP (NN a) (NN b)) (VP (VB c)))"),
        ("(TOP (S (NN a)))", "(S (NN a))"),
        # A root that is not a bracket stays over several nodes, under a label that no tree has.
        ("(TOP (NP (NN a)) (VP (VB b)))", "(@S (NP (NN a)) (VP (VB b)))"),
    ],
)
def test_roots_of_standardised_trees(text, expected):
    pair = evaluate([text], [text], convention="evalb").sentences[0].pair
    assert (str(pair.gold), str(pair.system)) == (expected, expected)


def test_quotes():
    """evalb restores a quotation mark that one side only has dropped."""
    gold = ["(TOP (S (NP (NN a)) (POS ') (VP (VB b))))"]
    found = changed(gold, [gold[0].replace("POS", "''")], convention="benepar")
    assert found == {
        ("gold", "roots not counted"): 1,
        ("system", "roots not counted"): 1,
        ("system", "quotes put back"): 1,
    }


def test_words_by_position():
    gold, system = ["(S (NP (CD 20,000) (NN men)) (VP (VB ran)))"], ["(S (NP (CD N) (NN men)) (VP (VB ran)))"]
    for options in ({"convention": "kim"}, {"settings": Settings().replace(convention="unsupervised")}):
        result = evaluate(gold, system, **options)
        assert [(item.side, item.what, item.count) for item in result.standardised] == [
            ("system", "words that differ from gold at their position", 1)
        ]
        assert "system: 1 word different from gold at the same position" in result.warnings[0]
    assert not evaluate(gold, gold, convention="kim").standardised


@pytest.mark.parametrize("name", TOOLS)
def test_words_of_the_table(name):
    """A run drops as many words as the table, where no sentence is left out for another reason."""
    gold, system = oracle.corpus(3, 30)
    rows = jpevalb.conventions(gold, [system], [name]).results[0]
    if rows[0].stopped or Convention.of(name).compare == "aligned":
        return
    found = evaluate(gold, system, convention=name).standardised
    sums = dict.fromkeys(("gold", "system"), 0)
    for item in found:
        sums[item.side] += item.count * (item.what in ("words dropped", "traces removed"))
    assert tuple(sums.values()) == rows[0].dropped


def test_lines_of_reports():
    result = evaluate(GOLD, SYSTEM, prm="COLLINS")
    for format in ("text", "markdown", "latex", "html"):
        for line in ("gold and system: 3 words dropped each", "gold: 1 trace removed"):
            assert line in result.report(format)
    assert "dropped" not in evaluate(GOLD[:1], SYSTEM[:1]).report()


def test_notes_of_a_comparison():
    compared = jpevalb.compare(GOLD, {"one": SYSTEM, "other": GOLD}, prm="COLLINS", samples=10)
    notes = [system.notes for system in compared.systems]
    assert notes == [("3 words dropped",), ("3 words dropped", "1 trace removed")]


def test_trees_without_tags():
    """Tools read a bracket over one word as a tag in any file; a word without a tag has no empty tag."""
    gold = ["(S (NP It) (VP sleeps (ADVP well)) .)"]
    system = [gold[0].replace("ADVP", "ADJP")]
    for name in ("evalb", "supar", "berkeley"):
        [[row]] = jpevalb.conventions(gold, [system], [name]).results
        assert row.f1 == evaluate(gold, system, convention=name).f1 == 1.0
    # Of the brackets S, NP, VP and ADVP the last differs.
    assert evaluate(gold, system, convention="supar", tags="none").f1 == 0.75
