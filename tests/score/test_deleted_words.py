"""Words that a .prm deletes: gold decides once words are aligned; tags of the system delete none."""

from __future__ import annotations

import re

import pytest

import jpevalb
from jpevalb import Evaluator, Params, evaluate

GOLD = ["(TOP (S (NP (DT the) (NN cat)) (VP (VBD sat)) (. .)))", "(TOP (NP (NN Rain) (, ,) (NN sun)))"]
SYSTEM = [
    "(TOP (S (NP (DT the)) (VP (NN cat) (VBD sat)) (. .)))",
    "(TOP (S (NP (NN Rain)) (, ,) (NP (NN sun))))",
]
# The same with other tokens and sentence ends
SPLIT = ["(TOP (S (NP (DT the)) (VP (NN c) (NN at) (VBD sat)) (. .)) (S (NP (NN Rain)) (, ,) (NP (NN sun))))"]


def with_tags(trees: list[str], tag: str) -> list[str]:
    return [re.sub(r"\([^ ()]+ (?=[^ ()]+\))", f"({tag} ", tree) for tree in trees]


@pytest.mark.parametrize(("system", "pair"), [(SYSTEM, "align"), (SPLIT, "align"), (SYSTEM, "order")])
@pytest.mark.parametrize("convention", ["jpevalb", "discontinuous"])
def test_tags_of_the_system_delete_no_words(system, pair, convention):
    if convention == "discontinuous" and pair == "order":
        pair = "align"
    options = {"prm": "COLLINS", "convention": convention, "pair": pair, "metrics": ("brackets", "tags")}
    expected = evaluate(GOLD, system, **options)
    for tag in (".", "-LRB-", ","):
        other = with_tags(system, tag)
        assert f"({tag} sat)" in " ".join(other)
        for jobs in (1, 2):
            found = evaluate(GOLD, other, **options, jobs=jobs)
            assert found.total.brackets == expected.total.brackets
            assert found.total.sentences == expected.total.sentences


def test_an_evaluator():
    expected, found = (Evaluator(prm="COLLINS") for _ in range(2))
    expected.update(GOLD, SYSTEM)
    found.update(GOLD, with_tags(SYSTEM, "."))
    assert found.f1 == expected.f1


def test_words_without_a_partner_are_deleted_by_their_own_tags():
    gold = ["(TOP (S (NP (NN a)) (VP (VB b) (NP (-NONE- *T*)))))"]
    system = ["(TOP (S (NP (NN a) (. !)) (VP (VB b))))"]
    total = evaluate(gold, system, prm=Params(delete_labels=("TOP", "-NONE-", "."))).total
    assert (total.brackets.gold, total.brackets.system, total.brackets.matched) == (3, 3, 3)
    # Gold has the word, and keeps it.
    total = evaluate(["(S (NP (NN a) (NN b)))"], ["(S (NP (NN a) (. b)))"], prm="COLLINS").total
    assert (total.brackets.matched, total.tags.gold, total.tags.correct) == (2, 2, 1)


def test_a_unit_goes_if_its_gold_words_go():
    # -- is one word of gold, and two words of the system.
    gold = ["(TOP (S (NP (NN a)) (: --) (VP (VB b))))"]
    system = ["(TOP (S (NP (NN a) (X -)) (X -) (VP (VB b))))"]
    total = evaluate(gold, system, prm="COLLINS").total
    assert (total.brackets.gold, total.brackets.system, total.brackets.matched) == (3, 3, 3)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_sentence_without_words_is_skipped_as_in_evalb(jobs):
    """Sentences whose words are all deleted count neither as complete matches nor for crossings."""
    gold = [*GOLD, "(TOP (X (. .)))", "(TOP (X (Y (. .)) (, ,)))"]
    system = [GOLD[0], SYSTEM[1], "(TOP (X (. .)))", "(TOP (X (, .) (, ,)))"]
    found = evaluate(gold, system, prm="COLLINS", metrics="brackets", jobs=jobs).total.brackets
    legacy = jpevalb.legacy.evaluate(gold, system, Params.load("COLLINS")).total
    assert (found.sentences, found.complete, found.no_crossing) == (2, 1, 2)
    assert (legacy.valid, legacy.complete, legacy.no_crossing) == (2, 1, 2)
    assert found.complete_match == legacy.complete_match == 0.5
    assert evaluate(gold, system, metrics="brackets").total.brackets.sentences == 4
