"""Runs under a convention: all figures of a run, with the counts of the table of conventions."""

from __future__ import annotations

import pickle
import random

import pytest

import jpevalb
from jpevalb import Convention, Settings, SettingsError, TreeError
from jpevalb.cli import main
from jpevalb.score.conventions import RunConventions, conventions
from jpevalb.score.signature import signature_of
from jpevalb.settings.convention import PRESETS
from tests.support import convention_oracle as oracle

METRICS = ("brackets", "tags", "unlabeled", "functions", "leaf", "tedeval", "siou", "nodes", "baselines")


def counts_of(evaluation):
    brackets = evaluation.total.brackets
    counts = brackets.gold, brackets.system, brackets.matched, brackets.complete, brackets.sentences
    return *counts, evaluation.f1 and pytest.approx(evaluation.f1, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_runs_have_the_counts_of_the_table(seed):
    gold, system = oracle.corpus(seed, 20)
    for row in conventions(gold, [system]).results[0]:
        name = row.convention.name
        if row.stopped:
            with pytest.raises(TreeError, match=f"{name} stops here"):
                jpevalb.evaluate(gold, system, convention=name)
            continue
        found = jpevalb.evaluate(gold, system, convention=name, on_error="skip")
        expected = row.gold, row.predicted, row.matched, row.complete, row.sentences, row.f1
        assert counts_of(found) == expected, name
        if row.tagged and name != "jpevalb":
            tags = found.total["tags"]
            assert (tags.gold, tags.correct) == (row.tagged, row.correct_tags), name


def test_a_run_is_counted_as_files_are():
    """Also if it has more sentences than are counted at once."""
    gold, system = oracle.corpus(1, 150)
    counts = RunConventions("sys")
    run = jpevalb.evaluate(gold, system)
    assert list(counts.follow(run.sentences)) == list(run.sentences)
    assert counts.in_order
    expected = conventions(gold, {"sys": system})
    assert counts.table(run.total).to_dict() == expected.to_dict()


@pytest.mark.slow
def test_all_metrics_and_reports():
    gold, system = oracle.corpus(1, 15)
    for name in ("evalb", "supar", "stanza", "pyevalb", "berkeley", "tnpcfg-corpus", "on-lstm", "jp-evalb"):
        # Some tools bear fewer pairs with other words than this corpus has.
        options = {"convention": name, "metrics": METRICS, "by_label": True, "on_error": "skip"}
        found = jpevalb.evaluate(gold, system, analysis=True, **options)
        assert f"convention:{name} " in found.report()
        assert name in found.report("html")
        assert found.report("json", details=True)
        several = jpevalb.evaluate(gold, system, jobs=2, **options)
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


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        ({}, ""),
        ({"unlabeled": True}, "labeled:no"),
        ({"convention": "supar words:2"}, "words:2|"),
        ({"convention": "supar words:2|150"}, "words:2|150"),
        ({"convention": "supar least:3 whole:drop-root"}, "least:3 whole:drop-root"),
        ({"convention": "supar only-tags:NN|VB", "unlabeled": True}, "labeled:no only-tags:NN|VB"),
        ({"drop_subtrees": "EDITED"}, "drop-whole:EDITED"),
        ({"convention": "supar cut-at:_|##"}, "cut-at:##|_"),
        ({"convention": "supar least:2 repeats:once"}, "least:2 repeats:once"),
        ({"prm": "sample", "unlabeled": True}, None),
    ],
)
def test_options_are_rules(options, rules):
    settings = Settings(**{"convention": "supar", **options})
    signature = signature_of(settings)
    assert Convention.parse(signature) == settings.rules()
    if rules is not None:
        assert signature.split()[1:] == ["convention:supar", *rules.split(), "pair:auto"]
    again = Settings(convention=settings.rules())
    assert again.rules() == settings.rules()


def test_a_prm_is_read_into_the_rules():
    rules = Settings(convention="evalb", prm="COLLINS").rules()
    evalb = Convention.of("evalb")
    assert rules == evalb.replace(quote_tags=frozenset(jpevalb.Params.load("COLLINS").quote_labels))
    gold = ["(TOP (S (NP (NN a)) (VP (VB b)) (. .)))"]
    found = jpevalb.evaluate(gold, gold, convention="supar", punctuation="VB")
    assert found.total.brackets.gold == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"convention": "suppar"}, r"unknown convention 'suppar'; did you mean supar\?"),
        ({"convention": "supar compare:aligned"}, "only jpevalb aligns words"),
        ({"convention": "evalb", "pair": "align"}, "pair='align' aligns words, but convention='evalb'"),
        ({"convention": "jpevalb least:2"}, "rule least needs words that are compared in order"),
        ({"convention": "jpevalb words:0|5"}, "rule words needs words that are compared in order"),
    ],
)
def test_errors(options, message):
    with pytest.raises(SettingsError, match=message):
        jpevalb.evaluate(["(S (NN a))"], ["(S (NN a))"], **options)


CHANGES = {
    "prm": ["sample", "negra", "COLLINS"],
    "unlabeled": [True],
    "punctuation": [", . :", "NN"],
}
CHANGED_RULES = {
    "cut": ["^-=#|", ".-=", "~-=|"],
    "cut-tags": ["all", "compared"],
    "cut-at": ["_", "%7C|#"],
    "equal": ["NP>VP|VP>PP"],
    "no-bracket": ["NP|SBAR_x", "none"],
    "no-bracket-system": ["NP|VP"],
    "root-children": ["first"],
    "drop-whole": ["NP-SBJ|PP", "NP"],
    "drop-tags": [".|-NONE-", "NN"],
    "drop-words": ["the|dog"],
    "drop-below-root": ["yes"],
    "only-tags": ["NN|NNS|VBZ|DT"],
    "decided-by": ["gold", "token"],
    "least": ["2", "0", "3"],
    "whole": ["drop-all", "drop-gold", "drop-root"],
    "most-gaps": ["0", "1"],
    "only-gaps": ["yes"],
    "repeats": ["once", "first", "any"],
    "bare-tags": ["NN|DT"],
    "empty": ["parsed", "incomplete"],
    "no-parse": ["missed"],
    "words": ["0|5", "2|", "3|9"],
    "compare": ["number", "no"],
    "unlike": ["counted"],
    "mean": ["sentences"],
    "tags": ["none", "as-written"],
}
OF_RUNS = ("decided-by", "least", "whole", "most-gaps", "cut-at", "words", "compare", "repeats", "only-tags")


@pytest.mark.parametrize("seed", range(0, 120, 3))
def test_options_without_a_convention(seed):
    """The compiled rules of a run count as the general ones of the table do."""
    gold, system = oracle.corpus(seed, 12)
    chance = random.Random(seed)
    options = {name: chance.choice(CHANGES[name]) for name in chance.sample(list(CHANGES), seed % 2)}
    changed = [f"{name}:{chance.choice(CHANGED_RULES[name])}" for name in chance.sample(OF_RUNS, 2)]
    options["convention"] = " ".join(["discontinuous", *changed])
    rules = Settings(**options).rules()
    assert Convention.parse(rules.signature) == rules
    [[row]] = conventions(gold, [system], [rules]).results
    found = jpevalb.evaluate(gold, system, **options).total
    assert (row.gold, row.predicted, row.matched, row.complete) == (
        *(found.brackets.gold, found.brackets.system, found.brackets.matched, found.brackets.complete),
    ), options


@pytest.mark.parametrize("rule", CHANGED_RULES)
def test_each_rule_has_a_signature_and_acts_in_the_command(rule, tmp_path, capsys):
    files = [tmp_path / "gold", tmp_path / "system"]
    corpus = [[*plain, *odd] for plain, odd in zip(oracle.corpus(3, 40), oracle.odd_corpus(8))]
    for file, side in zip(files, corpus):
        file.write_text("\n".join(side))
    base = "evalb" if rule in ("compare", "unlike", "decided-by") else "evalb compare:no"
    texts = [base, *[f"{base} {rule}:{value}" for value in CHANGED_RULES[rule]]]
    assert len({Convention.named(text).signature for text in texts}) == len(texts)
    for text in texts[1:]:
        rules = Convention.named(text)
        assert rules == Convention.parse(rules.signature)
        if rules.cut_at or rules.drop_below_root or rules.only_gaps:
            continue  # the oracle has no such rule
        trees = [[oracle.parse(tree) for tree in side] for side in corpus]
        expected = oracle.figures(*trees, rules)
        status = main([*map(str, files), "--convention", text, "--score-only", "--on-error", "skip"])
        shown = "-" if expected[2] is None else f"{expected[2]:.2f}"
        assert (status, capsys.readouterr().out.strip()) == (int(shown == "-"), shown), text


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_conventions(name):
    rules = Settings().replace(convention=name).rules()
    assert Convention.parse(rules.signature) == rules
    assert rules.name == Settings().replace(convention=name).convention.split()[0]


def test_advice_runs():
    """Numbers that a corpus replaced: the message says how to compare words by position."""
    gold, system = ["(S (NP (CD 20,000) (NN men)) (VP (VB ran)))"], ["(S (NP (CD N) (NN men)) (VP (VB ran)))"]
    with pytest.raises(TreeError, match=r"word 1 is 'N', but '20,000' in gold.*compare:number'") as caught:
        jpevalb.evaluate(gold, system, convention="discontinuous")
    assert "pair='align'" in str(caught.value)
    for options in ({"convention": "discontinuous compare:number"}, {"on_error": "skip"}, {"pair": "align"}):
        jpevalb.evaluate(gold, system, **{"convention": "discontinuous", **options})
    with pytest.raises(TreeError, match="disco-dop stops here") as caught:
        jpevalb.evaluate(gold, system, convention="disco-dop")
    assert "pair='align'" not in str(caught.value)
    assert jpevalb.evaluate(gold, system, convention="disco-dop compare:number").f1 == 1
    preset = Settings().replace(convention="unsupervised")
    assert jpevalb.evaluate(gold, system, settings=preset).f1 == 1
    with pytest.raises(TreeError, match="3 words, but 2 in gold; expected trees") as caught:
        jpevalb.evaluate(["(S (NN a) (NN b))"], system, settings=preset)
    assert "; on_error='skip' counts it as unparsed" in str(caught.value)


@pytest.mark.parametrize(("name", "gaps"), [("evalb", False), ("kim", False), ("disco-dop", True)])
def test_only_tools_for_gaps_have_their_columns(name, gaps):
    found = jpevalb.evaluate(["(S (A (B a) (B b)))"], ["(S (A (B a) (B b)))"], convention=name)
    for format in ("text", "csv"):
        head, *rows = found.report(format).splitlines()
        assert ("Discontinuous" in head or "discontinuous_f1" in head) == gaps
    assert len(head.split(",")) == len(rows[0].split(","))


def test_brackets_over_dropped_words():
    """Berkeley counts them at their place; a subtree that is left out has none."""
    gold = ["(ROOT (S (NP (NN a)) (X (. .)) (EDITED (NN b))))"]
    system = ["(ROOT (S (X (. .)) (NP (NN a)) (EDITED (NN b))))"]
    found = jpevalb.evaluate(gold, system, convention="berkeley").total.brackets
    assert (found.gold, found.system, found.matched) == (4, 4, 3)
    [missed] = jpevalb.evaluate(gold, system, convention="berkeley").sentences[0].missed
    assert str(missed) == "X[1:1]"
    found = jpevalb.evaluate(gold, system, convention="berkeley", drop_subtrees="EDITED").total.brackets
    assert (found.gold, found.system, found.matched) == (3, 3, 2)


def test_missed_brackets_where_brackets_match_any_number_of_times():
    gold, system = "(S (NP (N a) (N b)) (VP (V c)))", "(S (N a) (N b) (VP (VP (V c))))"
    (found,) = jpevalb.evaluate([gold], [system], convention="supar repeats:any").sentences
    assert (list(map(str, found.missed)), list(map(str, found.extra))) == (["NP[0:2]"], [])


def test_reports_name_the_mean():
    """Under a convention whose figure is the mean of sentences, headlines and citations have it."""
    gold = ["(S (NP (N a) (N b)) (VP (V c) (N d)))", "(S (A (N a) (N b) (N c) (N d)) (B (V e) (V f)))"]
    system = [gold[0], "(S (N a) (X (N b) (N c) (N d) (V e)) (V f))"]
    found = jpevalb.evaluate(gold, system, convention="kim")
    assert (found.f1, found.total.brackets.f1) == (0.5, pytest.approx(4 / 7))
    assert "\nmean F1 50.00   up to 40 words 50.00" in found.report()
    page = found.report("html")
    assert "scores mean F1 50.00" in page
    compared = jpevalb.compare(gold, {"one": system, "other": gold}, convention="kim", samples=10)
    assert compared.f1 == {"one": 0.5, "other": 1.0}


def test_excluded_sentences_are_listed():
    gold = ["(TOP (S (NN a) (NN b)))", "(TOP (S (NN c) (NN d)))"]
    system = ["(TOP (S (NN a) (NN x)))", "(TOP (S (NN c) (NN d)))"]
    found = jpevalb.evaluate(gold, system, convention="evalb")
    assert (found.n_sentences, found.states["excluded"], found.left_out[0].reason) == (1, 1, "words differ")
    assert "1 excluded" in found.report()
