"""Trees without tags: a bracket over one word is a constituent."""

from __future__ import annotations

import io
import json
from math import isnan

import pytest

from jpevalb import Evaluator, Tree, compare, evaluate
from jpevalb.commands.evaluate import main

WITH = "(S (NP It) (VP sleeps (ADVP well)) .)"
OTHER = "(S (NP It) (VP sleeps (ADJP well)) .)"
TAGGED = "(S (NP (PRP It)) (VP (VBZ sleeps) (ADVP (RB well))) (. .))"
NO_TAGS = "trees without tags: a bracket over one word is a constituent"


def f1(gold, system, **options):
    return round(100 * evaluate(gold, system, **options).f1, 2)


@pytest.mark.parametrize("as_source", [list, iter, lambda texts: io.StringIO("\n".join(texts))])
def test_figures(as_source):
    for options in (
        {},
        {"pair": "order"},
        {"convention": "discontinuous"},
        {"format": "bracket"},
        {"format": "answers"},
    ):
        assert f1(as_source([WITH]), as_source([OTHER]), **options) == 75.0
        assert f1(as_source([WITH]), as_source([WITH]), **options) == 100.0
        assert f1(as_source([TAGGED]), as_source([WITH]), **options) == 100.0
        assert f1(as_source([OTHER]), as_source([TAGGED]), **options) == 75.0
    # Read as tags, ADVP and ADJP are not constituents.
    assert f1([WITH], [OTHER], tags="yes") == 100.0
    assert f1([TAGGED], [WITH], sys_tags="yes") == round(200 * 2 / 6, 2)
    assert f1([Tree.parse(WITH)], [Tree.parse(OTHER)]) == 75.0


def test_what_is_assumed_is_said():
    result = evaluate([TAGGED, TAGGED], [WITH, "(NP it)"])
    assert result.total.tags.accuracy is None
    assert result.signature.endswith(" sys-tags:none")
    (warning,) = [text for text in result.warnings if "tags" in text]
    assert warning.startswith("no tags in system (2 sentences): a bracket over one word is a constituent;")
    assert result.to_dict()["standardised"] == [{"side": "system", "what": NO_TAGS, "count": 2}]
    both = evaluate([WITH], [WITH])
    assert both.signature.endswith(" tags:none")
    assert [item.side for item in both.standardised] == ["gold", "system"]
    assert evaluate([TAGGED], [TAGGED]).to_dict()["standardised"] == []
    # The advice of the warning works.
    assert evaluate([WITH], [WITH], tags="yes").warnings == ()


def test_half_of_the_trees_decide():
    mixed = [WITH, WITH, TAGGED, TAGGED]
    assert evaluate(mixed, mixed).signature.endswith(" tags:none")
    few = [WITH, TAGGED, TAGGED, "(NN a)", "(())"]
    result = evaluate(few, [TAGGED] * 3 + few[3:], convention="jpevalb", on_error="skip")
    assert "tags:" not in result.signature
    assert "gold: 1 of 3 first trees have some words without a tag: 1" in result.warnings
    some = evaluate([WITH, WITH, TAGGED], [TAGGED] * 3)
    assert "gold: 1 of 3 first trees have no words without a tag: 3" in some.warnings


def test_the_command_agrees(tmp_path, capsys):
    (tmp_path / "gold").write_text((TAGGED + "\n") * 40)
    (tmp_path / "sys").write_text((OTHER + "\n") * 40)
    names = [str(tmp_path / "gold"), str(tmp_path / "sys")]
    for options in ({}, {"tags": "yes"}, {"tags": "none"}):
        expected = evaluate(*names, **options).to_dict()
        given = [text for name, value in options.items() for text in (f"--{name.replace('_', '-')}", value)]
        for jobs in ("1", "2"):
            assert main([*names, "--output", "json", "--jobs", jobs, *given]) == 0
            assert json.loads(capsys.readouterr().out) == expected
    assert evaluate(*names).f1 == 0.75


def test_systems_of_both_kinds_are_compared():
    golds = [TAGGED] * 5
    found = compare(golds, {"tagged": [TAGGED] * 5, "untagged": [WITH] * 5, "other": [OTHER] * 5})
    assert [system.rates["f1"] for system in found.systems] == [1.0, 1.0, 0.75]


def test_evaluator():
    evaluator = Evaluator()
    evaluator.update([WITH], [OTHER])
    evaluator.update(WITH, WITH)
    assert evaluator.compute()["f1"] == 0.875
    assert isnan(evaluator.compute()["tag_accuracy"])
    assert Evaluator(tags="none").settings.tags == "none"


def test_several_sentences_of_a_bead():
    gold = ["(S (NP It) sleeps)", "(S (NP He) (VP eats (NP bread)))"]
    assert f1(gold, ["(X (S (NP It) sleeps) (S (NP He) (VP eats (NP bread))))"]) == round(200 * 6 / 13, 2)


def test_gold_is_looked_at_anew_for_each_system():
    golds = ["(S (NP a b))", "(S (NP a) (VP b c))", "(S (NP (NN a)) (VP (VB b)))"]
    system = ["(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a)) (VP (VB b) (VB c)))", golds[2]]
    expected = evaluate(golds, system).warnings
    assert "gold: 1 of 3 first trees have no words without a tag: 3" in " ".join(expected)
    for found in compare(golds, {"one": system, "two": system, "three": system}).systems:
        assert list(found.warnings) == list(expected)
