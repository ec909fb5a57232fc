"""Runs under a convention: all figures of a run, with the counts of the table of conventions."""

from __future__ import annotations

import pickle

import pytest

import jpevalb
from jpevalb import Convention, Settings, SettingsError, TreeError
from jpevalb.score.conventions import conventions
from jpevalb.score.signature import signature_of
from jpevalb.settings.convention import CONVENTIONS
from tests.support import convention_oracle as oracle

METRICS = ("brackets", "tags", "unlabeled", "functions", "leaf", "tedeval", "siou", "nodes", "baselines")
RUN = [name for name, rules in CONVENTIONS.items() if rules.least > 0]  # Berkeley's has no trees


def counts_of(evaluation):
    brackets = evaluation.total.brackets
    counts = brackets.gold, brackets.system, brackets.matched, brackets.complete, brackets.sentences
    return *counts, evaluation.f1 and pytest.approx(evaluation.f1, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_runs_have_the_counts_of_the_table(seed):
    gold, system = oracle.corpus(seed, 20)
    for row in conventions(gold, [system], RUN).results[0]:
        name = row.convention.name
        if row.stopped:
            with pytest.raises(TreeError, match="words differ from gold; the tool of this convention stops"):
                jpevalb.evaluate(gold, system, convention=name)
            continue
        found = jpevalb.evaluate(gold, system, convention=name)
        expected = row.gold, row.predicted, row.matched, row.complete, row.sentences, row.f1
        assert counts_of(found) == expected, name
        if row.tagged and name != "jpevalb":
            tags = found.total["tags"]
            assert (tags.gold, tags.correct) == (row.tagged, row.correct_tags), name


def test_all_metrics_and_reports():
    gold, system = oracle.corpus(1, 15)
    for name in ("evalb", "supar", "stanza", "pyevalb", "tnpcfg-corpus", "on-lstm", "jp-evalb"):
        found = jpevalb.evaluate(gold, system, convention=name, metrics=METRICS, analysis=True, by_label=True)
        assert f"convention:{name} " in found.report()
        assert name in found.report("html")
        assert found.report("json", details=True)
        several = jpevalb.evaluate(gold, system, convention=name, metrics=METRICS, jobs=2, by_label=True)
        assert counts_of(several) == counts_of(found)


def test_evaluators_and_comparisons():
    gold, system = oracle.corpus(3, 15)
    for name in ("stanza", "kim", "pyevalb"):
        expected = jpevalb.evaluate(gold, system, convention=name)
        evaluator = jpevalb.Evaluator(convention=name)
        evaluator.update(gold, system)
        assert evaluator.record.brackets == expected.total.brackets
        assert pickle.loads(pickle.dumps(evaluator)).record == evaluator.record
        compared = jpevalb.compare(gold, [system, gold], convention=name, samples=50)
        assert compared.systems[0]["f1"] == pytest.approx(expected.total.brackets.f1)


def test_legacy_mode_has_the_figures_of_evalb():
    gold, system = oracle.corpus(3, 40)
    legacy = jpevalb.legacy.evaluate(gold, system, jpevalb.Params.load("COLLINS").replace(max_error=1000))
    found = jpevalb.evaluate(gold, system, convention="evalb")
    assert found.f1 == pytest.approx(legacy.total.f1)


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        ({}, ""),
        ({"unlabeled": True}, "labeled:no"),
        ({"exclude_trivial": True}, "least:2 whole:drop%20all"),
        ({"max_fanout": 2}, "most-gaps:1"),
        ({"least_words": 2}, "words:2|"),
        ({"drop_subtrees": "EDITED"}, "drop-whole:EDITED"),
        ({"cut_at": "_"}, "cut:.-=_ cut-tags:all"),
        ({"convention": "supar least:2 repeats:once"}, "least:2 repeats:once"),
        ({"prm": "sample", "unlabeled": True}, None),
    ],
)
def test_options_are_rules(options, rules):
    settings = Settings(mode="discontinuous", **{"convention": "supar", **options})
    signature = signature_of(settings)
    assert Convention.parse(signature) == settings.rules()
    if rules is not None:
        assert signature.split()[2:] == ["convention:supar", *rules.split(), "pair:auto"]
    again = Settings(mode="discontinuous", convention=settings.rules())
    assert again.rules() == settings.rules()


def test_a_prm_is_read_into_the_rules():
    rules = Settings(mode="discontinuous", convention="evalb", prm="COLLINS").rules()
    evalb = CONVENTIONS["evalb"]
    assert rules == evalb.replace(quote_tags=frozenset(jpevalb.Params.load("COLLINS").quote_labels))
    gold = ["(TOP (S (NP (NN a)) (VP (VB b)) (. .)))"]
    found = jpevalb.evaluate(gold, gold, convention="supar", punctuation="VB")
    assert found.total.brackets.gold == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"convention": "suppar"}, r"unknown convention 'suppar'; did you mean supar\?"),
        ({"convention": "berkeley"}, "counts brackets over dropped words, which only --conventions does"),
        (
            {"convention": "supar", "mode": "alignment"},
            "mode='alignment' aligns words, but convention='supar'",
        ),
        ({"convention": "jpevalb least:2"}, "rules of jpevalb cannot be changed"),
    ],
)
def test_errors(options, message):
    with pytest.raises(SettingsError, match=message):
        jpevalb.evaluate(["(S (NN a))"], ["(S (NN a))"], **options)


def test_excluded_sentences_are_listed():
    gold = ["(TOP (S (NN a) (NN b)))", "(TOP (S (NN c) (NN d)))"]
    system = ["(TOP (S (NN a) (NN x)))", "(TOP (S (NN c) (NN d)))"]
    found = jpevalb.evaluate(gold, system, convention="evalb")
    assert (found.n_sentences, found.states["excluded"], found.left_out[0].reason) == (1, 1, "words differ")
    assert "Excluded sentences        =      1" in found.report()
