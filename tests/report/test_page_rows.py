"""Rows of sentences for the script of a page: trees, words, alignment and corrections."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest
from hypothesis import given, settings, strategies as st

from jpevalb import evaluate
from jpevalb.errors.causes import CAUSES, load_classes
from jpevalb.errors.corrections import correction_codes
from jpevalb.page.collected import row_of, tree_text
from jpevalb.settings.params import Params
from jpevalb.trees.tree import Tree
from tests.support.gapped import evaluated
from tests.support.random_trees import trees
from tests.support.report_pages import (
    GOLD,
    SYSTEM,
    hostile_trees,
    html_report,
    page_data,
    row_dict,
    treebank_pair,
    words_of,
)


def tree_of(text, words, labels):
    """Read a ``tree_text`` back, in another way than the page does."""
    names, marks, parents, word_parents = [], [], [], [-1] * len(words)
    node, seen = -1, 0
    for closed, label, mark, place in re.findall(r"(\))|\((\d+)([-=+*#~]?)|(?::(\d+))?\.", text):
        if closed:
            node = parents[node]
        elif label:
            parents.append(node)
            node = len(names)
            names.append(labels[int(label)])
            marks.append(mark)
        else:
            word_parents[int(place or seen)] = node
            seen += 1
    return names, marks, parents, word_parents


@given(trees(tagged=False), st.data())
@settings(max_examples=60)
def test_trees_come_back(tree, data):
    marks = data.draw(st.dictionaries(st.sampled_from(range(len(tree))), st.sampled_from("=-+*#~")))
    numbers = {"unused": "0"}
    names, found, parents, word_parents = tree_of(text_of(tree, marks, numbers), tree.words, list(numbers))
    assert tuple(names) == tree.labels
    assert tuple(parents) == tree.parents
    assert tuple(word_parents) == tree.word_parents
    assert {node: mark for node, mark in enumerate(found) if mark} == marks


def text_of(tree, marks, numbers):
    labels = [numbers.setdefault(label, str(len(numbers))) for label in tree.labels]
    return tree_text(tree.columns, labels, marks)


def test_a_tree_of_any_depth():
    depth = 50_000
    tree = Tree.parse("(X " * depth + "(T a)" + ")" * depth)
    assert text_of(tree, {}, {}) == "(0" * depth + "(1.)" + ")" * depth


def test_gaps_and_nodes_without_words():
    assert text_of(Tree.parse("(S (A a) b (C c))"), {}, {}) == "(0(1.).(2.))"
    gap = Tree.build(["S", "X", "Y"], [-1, 0, 0], ["a", "b", "c"], [1, 2, 1])
    assert text_of(gap, {1: "+"}, {"S": "0"}) == "(0(1+:0.:2.)(2:1.))"
    tree = Tree.parse("(S (A) (B (T a)) (C) c (D))")
    numbers = {}
    names, _, parents, _ = tree_of(text_of(tree, {}, numbers), tree.words, list(numbers))
    assert (tuple(names), tuple(parents)) == (tree.labels, tree.parents)


def data_of(gold, system, metrics="brackets", **options):
    """The rows of sentences as dicts, with their labels."""
    evaluation = evaluate(gold, system, metrics=metrics, **options)
    numbers = defaultdict(lambda: str(len(numbers)))
    rows = [row_dict(row_of(sentence, "").complete(numbers)) for sentence in evaluation.sentences]
    return {"rows": rows, "labels": list(numbers)}


def test_marks_and_words():
    data = data_of(GOLD, SYSTEM)
    assert [row["number"] for row in data["rows"]] == [1, 2, 3, 4, 5, 6]
    row = data["rows"][0]
    names, marks, _, _ = tree_of(row["goldTree"], words_of(row, "gold"), data["labels"])
    assert [name for name, mark in zip(names, marks) if mark == "-"] == ["NP", "NP"]
    assert [name for name, mark in zip(names, marks) if mark == "~"] == ["NN"]
    names, marks, _, _ = tree_of(row["systemTree"], words_of(row, "system"), data["labels"])
    assert [name for name, mark in zip(names, marks) if mark == "+"] == ["ADVP"]
    assert [name for name, mark in zip(names, marks) if mark == "*"] == ["VP"]
    assert [name for name, mark in zip(names, marks) if mark == "~"] == ["RB"]
    assert (row["gold"], row["system"], row["matched"]) == (7, 7, 5)
    assert data["rows"][1]["systemTree"] == data["rows"][1]["systemWords"] == 0
    assert data["rows"][2]["units"] == [1, 1, 2, 1, 1, 1, 1, 1]
    assert [row["rightToLeft"] for row in data["rows"]] == [0, 0, 0, 0, 1, 1]


def test_equal_tags_are_no_other_tags():
    params = Params(eq_labels=(("NN", "NNP"),))
    gold, system = ["(S (NN a) (VB b))"], ["(S (NNP a) (NN b))"]
    row = data_of(gold, system, prm=params)["rows"][0]
    assert (row["goldTree"].count("~"), row["systemTree"].count("~")) == (1, 1)
    assert data_of(gold, system)["rows"][0]["goldTree"].count("~") == 2


def test_counts_in_the_rows_add_up():
    for row in data_of(*treebank_pair())["rows"]:
        system = row["systemTree"] or row["goldTree"]
        signs = {
            side: {sign: text.count(sign) for sign in "=-+*#"}
            for side, text in (("g", row["goldTree"]), ("s", system))
        }
        assert signs["g"]["="] == signs["s"]["="] + signs["s"]["#"] == row["matched"]
        assert signs["g"]["="] + signs["g"]["-"] == row["gold"]
        assert sum(signs["s"].values()) == row["system"]


def unrolled(runs):
    return [(g + k, s + k) for g, s, n in zip(runs[::3], runs[1::3], runs[2::3]) for k in range(n)]


def test_pairs_are_the_matches():
    gold = ["(S (A (B (T a))) (C (T b) (U c)))"]
    system = ["(S (B (A (T a))) (C (T b) (U c)))"]
    row = data_of(gold, gold)["rows"][0]
    assert row["pairs"] == 0
    # The k-th match of one side is not that of the other, so all pairs are told, tags too.
    row = data_of(gold, system)["rows"][0]
    assert unrolled(row["pairs"]) == [(0, 0), (1, 2), (2, 1), (3, 3), (4, 4), (5, 5), (6, 6)]


def quick_rows(gold, system, metrics="brackets", **options):
    """The rows of a page without the page."""
    return data_of(gold, system, metrics=metrics, **options)["rows"]


@pytest.mark.parametrize(
    ("gold", "system", "units", "pairs"),
    [
        # Words that stand for each other one by one, and words that do not.
        ("(S (A a) (B b))", "(S (A a) (B x))", 0, 0),
        ("(S (A ab) (B c))", "(S (A a) (A b) (B c))", [1, 2, 1, 1], 0),
        ("(S (A a) (A b) (B c))", "(S (A ab) (B c))", [2, 1, 1, 1], 0),
        # The matches are in the same order, whatever else there is.
        ("(S (A (T a)) (B (T b)))", "(S (X (Y (A (T a)))) (B (T b)))", 0, 0),
        # They are not, and tags count of words that stand alone for each other, where both have one.
        (
            "(S (A (B (T ab) (U cd))) (V e))",
            "(S (B (A (T abc) (U d))) (V e))",
            [2, 2, 1, 1],
            [(0, 0), (1, 2), (2, 1), (5, 5)],
        ),
        ("(S (A (B (T a))) b)", "(S (B (A (T a))) (U b))", 0, [(0, 0), (1, 2), (2, 1), (3, 3)]),
    ],
)
def test_units_and_matches_of_a_row(gold, system, units, pairs):
    (row,) = quick_rows([gold], [system], tags="yes")
    assert row["units"] == units
    assert (unrolled(row["pairs"]) if row["pairs"] else 0) == pairs


def test_rows_of_sentences_that_cannot_be_read():
    trees = ["(S (A a))", "(S", "(S (C c))"], ["(S (A a))", "(S (B b))", "(S"]
    rows = quick_rows(*trees, on_error="skip", pair="order")
    assert [[note.partition(":")[0] for note in row["notes"]] for row in rows] == [
        [],
        ["gold sentence 2"],
        ["system sentence 3"],
    ]


def test_a_sentence_has_the_id_of_gold_or_else_of_the_system():
    def named(id):
        return Tree.build(["S"], [-1], ["a"], [0], id=id)

    pairs = [("g", "s"), (None, "s"), ("g", None), (None, None)]
    gold, system = zip(*[(named(one), named(other)) for one, other in pairs])
    assert [row["id"] for row in quick_rows(gold, system, pair="order")] == ["g", "s", "g", 0]


def test_causes_have_their_nodes():
    result = evaluate(["(S (A (T a)) (T b))"], ["(S (B (T a)) (T b))"], metrics="brackets")
    classes = load_classes(None, lang="en")
    ((cause, step, *_),) = result.sentences[0].corrections(classes)
    # What is missed is gold's A, node 1, and B is extra.
    assert correction_codes([(cause, step)] * 2) == ";".join([f"{CAUSES.index(cause)}l-1+1"] * 2)
    gold = "(S (V a) (VP (V b) (NP (N c) (PP (P d) (N e)) (Q q))))"
    system = "(S (V a) (VP (V b) (NP (N c)) (PP (P d) (N e) (Q q))))"
    codes = correction_codes(evaluate([gold], [system], metrics="brackets").sentences[0].corrections(classes))
    # A move has the system nodes that move in front: the tag Q, node 9 or so, or the PP above it.
    assert re.fullmatch(r"(\d+[a-z][\d,]*-[\d,]*\+[\d,]*;?)+", codes)
    assert any(re.match(r"\d+m\d", code) for code in codes.split(";"))
    # A bracket that is added moves nothing.
    added = evaluate(["(S (NP (N a)) (V b))"], ["(S (N a) (V b))"], metrics="brackets").sentences[0]
    assert re.fullmatch(r"\d+a-1\+", correction_codes(added.corrections(classes)))


def test_words_with_blanks_stay_whole():
    tree = hostile_trees(["X"], ["a b", "", "c"])
    (row,) = quick_rows(tree, tree)
    assert row["goldWords"] == ["a b", "", "c"]


def test_ids_and_trees_with_gaps_are_in_the_page():
    data = page_data(html_report(evaluated(ids=["1", "<i>2", "3"])))
    assert data["rows"][0][1]["id"] == "<i>2"
    # A word that does not follow the one before it has its number.
    assert [":" in row["goldTree"] for row in data["rows"][0]] == [True, True, False]
