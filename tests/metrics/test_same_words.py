"""The same word in other forms: every metric treats it as the same."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import pytest

from jpevalb import Tree, concept_accuracy, evaluate, struct_iou, tree_node_accuracy, word_accuracy
from jpevalb.base.errors import TreeError
from jpevalb.trees.words import alike

METRICS = "brackets,tags,segmentation,functions,leaf,tedeval,siou,nodes,concepts"
TREES = [
    "(S (NP-SBJ (NP (NNG 학생)) (JX 은)) (VP (NP-OBJ (NNG 책) (JKO 을)) (VV 읽었다)) (SF .))",
    "(S (NP-SBJ (NP (NNG 값)) (JX 는)) (VP (ADVP (MAG 왜)) (NP (NN ＡＢＣ)) (VV 싼가)))",
    "(S (NP (NN café)) (VP (VB naïve) (NP (NN Σίσυφος))) (. …))",
]
SYSTEM = [tree.replace("(VP (", "(VP (X (ZZ und)) (").replace("NNG", "NNP") for tree in TREES]

# Gold and system words of a perfect tagger
FORMS = [
    *[("I", "I"), ("do", "Do"), ("n't", "n’t"), ("see", "see"), ("-LRB-", "("), ("a\\/b", "a/b")],
    *[("-RRB-", ")"), ("``", "“"), ("it", "IT"), ("''", "”"), ("fi", "ﬁ"), ("...", "…")],
]


def figures(gold, system, **options):
    return evaluate(gold, system, metrics=METRICS, **options).figures


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_gold_against_itself_in_another_normal_form(form):
    other = [unicodedata.normalize(form, tree) for tree in TREES]
    same = figures(TREES, TREES)
    assert figures(TREES, other) == figures(other, TREES) == same
    assert {value for name, value in same.items() if name != "average_crossing"} == {1.0, None}


@pytest.mark.parametrize("form", ["NFD", "NFKD"])
def test_a_system_in_another_normal_form_has_the_same_figures(form):
    expected = figures(TREES, SYSTEM)
    found = figures(TREES, [unicodedata.normalize(form, tree) for tree in SYSTEM])
    assert {name: value for name, value in expected.items() if value != found[name]} == {}
    assert all(0 < expected[name] < 1 for name in ("tag_accuracy", "node_accuracy", "struct_iou"))


def perfect_tagger() -> tuple[Tree, Tree]:
    labels = ["S", *[f"T{number}" for number in range(len(FORMS))]]
    parents = [-1] + [0] * len(FORMS)
    gold, system = (
        Tree.build(labels, parents, words, range(1, len(labels))) for words in map(list, zip(*FORMS))
    )
    return gold, system


def test_a_perfect_tagger():
    gold, system = perfect_tagger()
    result = evaluate([gold], [system], metrics=METRICS)
    tags = result.total.tags
    assert (tags.gold, tags.correct, tags.units, tags.units_correct) == (12, 12, 12, 12)
    assert {value for name, value in result.figures.items() if name != "average_crossing"} == {1.0, None}
    assert "Tags of aligned words     = 100.00" in result.report()
    for accuracy in (tree_node_accuracy, word_accuracy, concept_accuracy):
        assert accuracy(gold, system).accuracy == 1.0
    assert struct_iou(gold, system, unit="auto") == 1.0


def test_other_words_stay_other_words():
    gold = Tree.parse("(S (A ca) (B n't) (C colour) (D 1))")
    for words, correct in ((("can", "not", "color", "2"), 0), (("CA", "n`t", "Colour", "１"), 4)):
        system = replace(gold, words=words)
        tags = evaluate([gold], [system], metrics="tags").total.tags
        assert (tags.correct, tags.units, tags.units_correct) == (correct, 4, 4)
        assert word_accuracy(gold, system).correct == correct


def test_words_have_the_first_spelling():
    assert alike(("a", "B"), ("a", "B")) == (("a", "B"), ("a", "B"))
    assert alike(("The", "the", "a\\*"), ("THE", "a*", "b")) == (("The", "The", "a\\*"), ("The", "a\\*", "b"))
    # Blanks alone are one word, and never that of a word with text.
    assert alike((" ", "x"), ("　", "\\")) == ((" ", "x"), (" ", "\\"))


def test_units_of_several_tokens_are_left_out():
    gold = "(S (A can) (B not) (C go))"
    tags = evaluate([gold], ["(S (A cannot) (X go))"], metrics="tags").total.tags
    assert (tags.gold, tags.correct, tags.units, tags.units_correct, tags.unit_accuracy) == (3, 0, 1, 0, 0.0)
    alone = evaluate([gold], [""], metrics="tags").total.tags
    assert (alone.gold, alone.units, alone.unit_accuracy, alone.shown) == (3, 0, None, False)


def test_a_word_that_occurs_twice():
    """Tags are compared place by place over units, and as a multiset otherwise."""
    gold, system = "(S (IN that) (DT that) (NN x))", "(S (DT that) (IN that) (NN x))"
    for sides in ([gold, system], [Tree.parse(gold), Tree.parse(system)]):
        tags = evaluate(*[[side] for side in sides], metrics="tags").total.tags
        assert (tags.correct, tags.units, tags.units_correct) == (3, 3, 1)
    tags = evaluate([gold], [system], metrics="tags", convention="discontinuous").total.tags
    assert (tags.correct, tags.units, tags.units_correct) == (1, 3, 1)


@pytest.mark.parametrize("form", ["NFD", "NFKD"])
def test_words_that_must_be_identical(form):
    """Discontinuous mode rejects other words, but not the same words in another form."""
    options = {"convention": "discontinuous", "metrics": METRICS.replace("segmentation,", "")}
    other = [unicodedata.normalize(form, tree) for tree in TREES]
    found = evaluate(TREES, other, **options)
    assert found.figures == evaluate(TREES, TREES, **options).figures
    assert (found.f1, found.total.tags.accuracy) == (1.0, 1.0)
    with pytest.raises(TreeError, match="word 1 is 'can', but 'ca' in gold"):
        evaluate(["(S (A ca) (B n't))"], ["(S (A can) (B not))"], **options)
