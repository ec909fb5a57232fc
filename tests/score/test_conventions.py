"""Figures under all conventions: stored ones, a slow oracle, and files as a user has them.

``python -m tests.score.test_conventions`` computes the stored figures again, with the oracle.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import jpevalb
from jpevalb.cli import main
from jpevalb.score.conventions import ConventionResult, conventions
from jpevalb.settings.convention import TOOLS, Convention
from tests.support import convention_oracle as oracle
from tests.support.commands import ROOT

STORED = Path(__file__).parent / "conventions.json"
SEEDS = (1, 2, 3)
IN_ORDER = [convention for convention in map(Convention.of, TOOLS) if convention.compare != "aligned"]


def rows_of(gold, system, names=IN_ORDER) -> dict[str, ConventionResult]:
    return {row.convention.name: row for row in conventions(gold, [system], names).results[0]}


def percent(row: ConventionResult):
    if row.stopped:
        return None
    rates = row.recall, row.precision, row.f1, row.complete_match, row.tag_accuracy
    shown = [None if rate is None else pytest.approx(100 * rate, abs=2e-6) for rate in rates]
    return [*shown, row.sentences, row.left_out]


def figures_of(seed: int, size: int = 60):
    gold, system = oracle.corpus(seed, size)
    trees = [[oracle.parse(text) for text in side] for side in (gold, system)]
    return {rules.name: oracle.figures(*trees, rules) for rules in IN_ORDER}


@pytest.mark.parametrize("seed", SEEDS)
def test_stored_figures(seed):
    stored = json.loads(STORED.read_text())[str(seed)]
    found = rows_of(*oracle.corpus(seed))
    assert len(found) == len(stored) == 24
    assert {name: percent(row) for name, row in found.items()} == stored


@pytest.mark.parametrize("seed", range(100, 110))
def test_a_slow_oracle(seed):
    found = rows_of(*oracle.corpus(seed, 15))
    assert {name: percent(row) for name, row in found.items()} == figures_of(seed, 15)


@pytest.mark.parametrize("seed", range(10))
def test_odd_corpora(seed):
    """Traces of one side only, more words, bare words: as the oracle has it, in the table and in a run."""
    every = list(zip(*oracle.odd_corpus(seed)))
    disco_dop = Convention.of("disco-dop")
    for some in (every, [pair for pair in every if not oracle.stops(*pair, disco_dop)]):
        golds, systems = map(list, zip(*some))
        trees = [[oracle.parse(text) for text in side] for side in (golds, systems)]
        for name, row in rows_of(golds, systems).items():
            assert percent(row) == oracle.figures(*trees, row.convention), name
            if not row.stopped:
                run = jpevalb.evaluate(golds, systems, convention=name, on_error="skip")
                found = run.total.brackets
                assert (found.gold, found.system, found.matched) == (row.gold, row.predicted, row.matched)
                f1 = row.f1 and pytest.approx(row.f1)
                assert (found.complete, found.sentences, run.f1) == (row.complete, row.sentences, f1)


@pytest.mark.parametrize("seed", range(8))
def test_evalb_spmrl_counts_as_legacy_mode(seed):
    """But in legacy mode the first bracket cuts a list, and a sentence of one word may count twice."""
    pairs = zip(*(oracle.odd_corpus(seed) if seed % 2 else oracle.corpus(seed, 40)))
    pairs = [("(S (X a))",) * 2, *[pair for pair in pairs if len(oracle.below(oracle.parse(pair[0]))) > 1]]
    gold, system = map(list, zip(*pairs))
    params = jpevalb.Params.load("spmrl").replace(max_error=1000)
    total = jpevalb.legacy.evaluate(gold, system, params, dialect="spmrl").total
    [row] = rows_of(gold, system, ["evalb_spmrl"]).values()
    assert (row.gold, row.predicted, row.matched) == (total.gold, total.system, total.matched)
    assert (row.sentences, row.complete, row.correct_tags) == (total.valid, total.complete, total.tags)


FLAT = "(S (A a) (X (B b) (C c)) (D d))"
TRACE = "(ROOT (S (NP (-NONE- *)) (VP (VB go) (NP (DT the) (NN way)))))"
WAY = "(ROOT (S (VP (VB go) (NP (DT the) (NN way)))))"
COUNTED = [
    # convention, gold, system; brackets of gold, of the system and matched ones, complete, sentences; F1
    ("evalb_spmrl", "(S (NP (TOP yes)) (VP (NN b) (NN c)))", "", (3, 3, 3, 1, 1), "100.00"),
    ("evalb_spmrl", "(ROOT yes)", "", (0, 0, 0, 1, 1), "-"),
    ("evalb_spmrl", "(S (NN a) (NN b))", "(S (NN a))", (0, 0, 0, 1, 1), "-"),
    ("evalb_spmrl", "(S (NN a) (NN b))", "(S (NN a) (NN c))", (0, 0, 0, 0, 0), None),
    ("disco-dop", TRACE, WAY, (3, 3, 3, 1, 1), "100.00"),
    ("disco-dop", WAY, WAY.replace("way)", "way) (. .)"), None, None),
    ("disco-dop", WAY.replace("way)", "way) (NN out)"), WAY, None, None),
    *[
        (name, FLAT, FLAT.replace(" (D d)", ""), (1, 2, 1, 0, 1), "66.67")
        for name in ("tnpcfg", "tnpcfg-corpus", "taa")
    ],
    *[(name, FLAT, FLAT.replace(" b", " z"), (1, 1, 1, 1, 1), "100.00") for name in ("kim", "kim-corpus")],
    ("kim", FLAT, FLAT.replace(" (D d)", ""), (1, 1, 1, 1, 1), "100.00"),
    ("stanza", "(ROOT (NN a))", "", (0, 0, 0, 0, 1), "-"),
    # It writes all tags of the system as DT, and a bracket above a tree that is (DT w).
    ("diora", "(DT w)", "", (1, 1, 1, 1, 1), "100.00"),
    ("diora", "(S (NN w))", "(NN w)", (1, 1, 1, 1, 1), "100.00"),
    ("diora", "(NN w)", "", (0, 1, 0, 0, 1), "0.00"),
]


@pytest.mark.parametrize(("name", "gold", "system", "counts", "f1"), COUNTED)
def test_single_sentences(name, gold, system, counts, f1, tmp_path, capsys):
    """In the table, in a run, and as the command prints it."""
    files = [tmp_path / "gold", tmp_path / "system"]
    for file, text in zip(files, (gold, system or gold)):
        file.write_text(text + "\n")
    [row] = rows_of(*files, [name]).values()
    assert (counts is None) == bool(row.stopped)
    status = main([*map(str, files), "--convention", name, "--score-only"])
    assert (status, capsys.readouterr().out.strip()) == (int(f1 in (None, "-")), f1 or "")
    if counts is None:
        with pytest.raises(jpevalb.TreeError, match=f"{name} stops here"):
            jpevalb.evaluate(*files, convention=name)
        return
    assert (row.gold, row.predicted, row.matched, row.complete, row.sentences) == counts
    options = {"convention": name, "on_error": "skip", "by_label": True, "analysis": True}
    if not row.sentences:
        with pytest.raises(jpevalb.InputError, match="so there is no figure"):
            jpevalb.evaluate(*files, **options)
        return
    run = jpevalb.evaluate(*files, **options)
    found = run.total.brackets
    assert (found.gold, found.system, found.matched, found.complete, found.sentences) == counts
    assert run.report("html")
    assert run.report("json", details=True)


def test_evalb_spmrl_stops_after_eleven_errors():
    gold, system = ["(S (NN a) (NN b))"] * 12, ["(S (NN a))"] * 12
    with pytest.raises(
        jpevalb.InputError, match=r"12 sentences have other words .*evalb_spmrl stops after 11"
    ):
        jpevalb.evaluate(gold, system, convention="evalb_spmrl")
    found = jpevalb.evaluate(gold[1:], system[1:], convention="evalb_spmrl")
    [item] = found.standardised
    assert (item.count, item.what) == (11, "sentences of another length, which count without brackets")


def test_figures_differ():
    """The stored corpora tell most conventions apart: a rule without effect would not be tested."""
    stored = json.loads(STORED.read_text())
    shown = {name: json.dumps([stored[str(seed)][name] for seed in SEEDS]) for name in stored["1"]}
    alike = {name for name in shown if list(shown.values()).count(shown[name]) > 1}
    assert alike == {"supar", "hanlp", "supar-unlabeled", "hanlp-unlabeled", "benepar", "ctb-punct"}


def test_the_example_of_the_page():
    """Conventions have different figures for it, apart from those with the same rules for brackets."""
    rows = conventions(ROOT / "examples/conventions.gold", [ROOT / "examples/conventions.system"]).results[0]
    assert len({round(10000 * row.f1) for row in rows}) == 20
    trees = [
        [oracle.parse(line) for line in (ROOT / f"examples/conventions.{side}").read_text().splitlines()]
        for side in ("gold", "system")
    ]
    for row in rows:
        if row.convention in IN_ORDER:
            assert percent(row) == oracle.figures(*trees, row.convention)


@pytest.mark.parametrize("name", ["least", "whole", "repeats", "decided_by", "mean", "words", "cut"])
def test_one_rule_changes_the_figure(name):
    values = {"least": 2, "whole": "drop root", "repeats": "once", "decided_by": "gold", "mean": "sentences"}
    changed = Convention.of("evalb").replace(
        **{name: {**values, "words": (3, 5), "cut": ""}[name]}, name="own"
    )
    gold, system = oracle.corpus(1)
    rows = rows_of(gold, system, [Convention.of("evalb"), changed])
    trees = [[oracle.parse(text) for text in side] for side in (gold, system)]
    assert percent(rows["own"]) == oracle.figures(*trees, changed)
    assert rows["own"].f1 != rows["evalb"].f1


def test_the_own_convention_aligns_words():
    gold = ["(TOP (S (NP (NN ab)) (VP (VB c))))", "(TOP (X (NN d)))"]
    system = ["(TOP (S (NP (NN a) (NN b)) (VP (VB c))))"]
    table = conventions(gold, [system], ["jpevalb", "evalb"])
    own, evalb = table.results[0]
    expected = jpevalb.evaluate(gold, system).total
    assert (own.convention.name, own.f1) == ("jpevalb", expected.brackets.f1)
    assert (own.sentences, own.tag_accuracy) == (expected.brackets.sentences, expected["tags"].accuracy)
    assert (evalb.f1, evalb.stopped) == (None, "2 gold sentences, 1 of the system")


def test_files_longer_than_what_is_counted_at_once():
    """A tool that stops has the counts of the sentences before, wherever it stops."""
    gold = [WAY] * 140
    rows = rows_of(gold, [*[WAY] * 70, "(S (NN a))", *[WAY] * 69], ["disco-dop", "evalb"])
    row, evalb = rows["disco-dop"], rows["evalb"]
    assert (row.stopped, row.sentences, row.matched) == ("words differ in sentence 71", 70, 210)
    assert (evalb.sentences, evalb.left_out, evalb.matched) == (139, 1, 556)


def test_gaps():
    gold = ["(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)) (. 3=.))"]
    system = ["(S (VP (VB 0=wake) (NP (PRP 1=me)) (RP 2=up)) (. 3=.))"]
    rows = rows_of(gold, system, ["taa", "disco-dop", "evalb"])
    # Over wake and up: gold only; over wake, me and up: the system only.  taa drops S.
    assert [rows["taa"].gold, rows["taa"].predicted, rows["taa"].matched] == [1, 1, 0]
    assert [rows["disco-dop"].gold, rows["disco-dop"].predicted, rows["disco-dop"].matched] == [3, 3, 2]
    # Without the word of the gap, a yield is one block: 0=wake 2=up after -NONE- goes.
    gapped = [gold[0].replace("PRP", "-NONE-")]
    rows = rows_of(gapped, ["(S (VP (VB 0=wake) (RP 1=up)) (. 2=.))"], ["evalb"])
    assert [rows["evalb"].gold, rows["evalb"].predicted, rows["evalb"].matched] == [2, 2, 2]


def test_most_gaps():
    gold = ["(S (VP (VB 0=a) (X 2=c) (Y 4=e)) (NP (N 1=b) (N 3=d)) (. 5=.))"]
    two, one = (Convention.of("taa").replace(most_gaps=gaps, name=str(gaps)) for gaps in (2, 1))
    rows = rows_of(gold, gold, [two, one, Convention.of("taa")])
    assert (rows["2"].gold, rows["1"].gold, rows["taa"].gold) == (2, 1, 1)


def test_tags_are_cut_as_each_convention_says():
    rules = Convention.of("evalb_spmrl").replace(name="long", cut="^=")
    rows = rows_of(["(S (NN-X a) (VB b))"], ["(S (NN a) (VB b))"], [Convention.of("evalb_spmrl"), rules])
    assert (rows["evalb_spmrl"].tag_accuracy, rows["long"].tag_accuracy) == (1.0, 0.5)


def test_one_file_is_one_system(tmp_path):
    (tmp_path / "one").write_text("(S (NP (N a) (N b)) (V c))\n")
    for system in (tmp_path / "one", str(tmp_path / "one")):
        table = conventions(["(S (NP (N a) (N b)) (V c))"], system, ["evalb"])
        assert ([*table.systems], [row.f1 for row in table.results[0]]) == (["one"], [1.0])


def test_rates_of_counts():
    row = ConventionResult(Convention.of("evalb"), sentences=4, gold=2, tagged=2)
    assert (row.recall, row.precision, row.f1, row.complete_match) == (0.0, None, 0.0, 0.0)
    assert (row.tag_accuracy, row.to_dict()["standardised"], row.stopped) == (0.0, [], "")


def test_what_is_dropped_is_counted():
    gold = ["(TOP (S (NP (NN a)) (, ,) (-NONE- *) (VP (VB b)) (. .)))"]
    row = rows_of(gold, gold, ["evalb"])["evalb"].to_dict()
    assert row["standardised"] == [
        {"side": side, "what": "words dropped", "count": 3} for side in ("gold", "system")
    ]
    assert (row["signature"], row["gold"], row["f1"]) == ("convention:evalb", 3, 1.0)


def test_rankings():
    """A system that is better with labels may be worse without."""
    gold = ["(TOP (S (NP (NN a) (NN b)) (VP (VB c) (NN d))))"]
    labels = ["(TOP (S (NP (NN a) (NN b)) (VB c) (NN d)))"]
    spans = ["(TOP (S (X (NN a) (NN b)) (Y (VB c) (NN d))))"]
    table = conventions(gold, {"labels": labels, "spans": spans}, "evalb,urnng")
    assert table.rankings() == {(("spans",), ("labels",)): ["urnng"], (("labels",), ("spans",)): ["evalb"]}
    table = conventions(gold, {"labels": labels, "spans": spans}, "urnng,supar,evalb", published=0.8)
    lines = table.report("text").splitlines()
    assert "# the ranking of the systems changes: 2 rankings" in lines
    frequent = lines.index("# labels > spans: supar, evalb")
    assert lines[frequent + 1] == "# spans > labels: urnng"
    # The published figure is compared with those of the first system.
    assert "# published 80.00, within 0.05 (*): urnng, supar, evalb" in lines
    same = conventions(gold, {"labels": labels, "gold": gold}, "evalb,urnng")
    assert same.rankings() == {(("gold",), ("labels",)): ["evalb", "urnng"]}


def test_rows_name_what_differs_from_evalb_in_six_words_or_less():
    gold, system = oracle.corpus(1, 10)
    table = conventions(gold, [system], "all")
    rules = [one.differences(Convention.of("evalb")) for one in table.conventions]
    assert {0, 1, 2, 3} <= {len(some) for some in rules}
    rows = table.report("markdown").splitlines()[4 : 4 + len(rules)]
    for row, some in zip(rows, rules):
        few = [count for count in range(1, len(some) + 1) if len(" ".join(some[:count]).split()) <= 6]
        more = [f"and {len(some) - len(few)} more"] if len(some) > len(few) else []
        assert visible_cell(row) == ("; ".join([*some[: len(few)], *more]) or "-")
    lines = table.report("text").splitlines()
    assert max(map(len, lines)) <= 80
    for row, some in zip(lines[2:], rules):
        ends = ["; ".join([*some[:shown], f"and {len(some) - shown} more"]) for shown in range(1, len(some))]
        assert row.endswith(("; ".join(some) or " -", f" {len(some)} rules", *ends))


def visible_cell(row):
    """Return the last cell of a row of Markdown, without escapes."""
    return row.rstrip(" |").rpartition(" | ")[2].strip().replace("\\", "")


def test_published():
    gold = ["(ROOT (S (NP-SBJ (NN a)) (VP (VB b)) (. .)))"]
    system = ["(ROOT (S (NP (NN a)) (VP (VB b)) (. .)))"]
    table = conventions(gold, [system], "evalb,supar", published=0.7504)
    assert [row.convention.name for row in table.results[0] if table.is_near(row)] == ["supar"]
    assert repr(table) == "ConventionTable(conventions=2, systems=['system 1'])"
    assert table.report("markdown").startswith("## Conventions")
    first, *rules = map(str, table.separating)
    assert first == "supar (75.00), evalb (100.00): 1 of 6 rules that differ changes F1 alone:"
    assert rules == ["labels end at -=: 100.00"]


def test_a_rule_that_leaves_no_match():
    labels = ["(TOP (S (NN a) (NN b)))"]
    table = conventions(labels, [["(TOP (X (NN a) (NN b)))"]], "urnng,evalb", published=1.0)
    assert [str(one) for one in table.separating[1:]] == ["labelled: 0.00"]


if __name__ == "__main__":
    STORED.write_text(json.dumps({seed: figures_of(seed) for seed in SEEDS}, indent=1) + "\n")
