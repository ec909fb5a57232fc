"""The tables of comparisons: one by default, columns, order, names, the baseline, and Holm's correction."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jpevalb import Params, compare, evaluate
from jpevalb.commands.evaluate import main
from jpevalb.comparison import holm, sources
from jpevalb.comparison.labels import LabelRows, rate_of
from jpevalb.comparison.significance import bootstrap, intervals_of_differences
from jpevalb.metrics import Measure
from jpevalb.model.errors import SettingsError
from jpevalb.report.cells import p_value, stars

from .commands import ROOT, jpevalb

RIGHT = "(S (NP (N a)) (VP (V b) (NP (N c))))"
FLAT = "(S (N a) (V b) (NP (N c)))"
WRONG = "(S (NP (N a) (V b)) (NP (N c)))"
GOLD = [RIGHT] * 12
SYSTEMS = {
    "flat": [FLAT] * 8 + [RIGHT] * 4,
    "wrong": [WRONG] * 6 + [RIGHT] * 6,
    "good": [RIGHT] * 12,
}


@pytest.fixture(scope="module")
def found():
    return compare(GOLD, SYSTEMS, metrics="brackets")


def test_scores_intervals_and_marks_are_one_table(found):
    head, rule, *rows = found.report(width=200).split("\n\n")[0].splitlines()
    assert head.split()[:4] == ["System", "P", "R", "F"]
    assert set(rule) == {"-", " "}
    for system, row in zip(found.systems, rows):
        low, high = system.intervals["f1"]
        assert f"{100 * system['f1']:.2f} ± {50 * (high - low):.2f}{stars(system.p_values.get('f1'))}" in row
    assert "p-values" not in found.report()
    assert "± half the 95 % confidence interval (bootstrap percentiles, 1,000 resamples)" in found.report()
    assert "(paired bootstrap, 1,000 resamples, against flat)" in found.report()


def test_five_systems_fit_twelve_lines(tmp_path):
    (tmp_path / "gold").write_text("\n".join(GOLD))
    for number in range(5):
        (tmp_path / f"parser-{number}").write_text("\n".join([WRONG] * number + GOLD[number:]))
    done = jpevalb("gold", *[f"parser-{number}" for number in range(5)], cwd=tmp_path)
    lines = done.stdout.decode().splitlines()
    assert len(lines) <= 12
    assert max(len(line) for line in lines if not line.startswith("#")) <= 100


def test_what_has_no_room_is_named(found):
    text = found.report(width=40)
    assert text.splitlines()[0].split() == ["System", "P"]
    assert (
        "# no room for R, F, Sent. F, Complete, Tags, Crossing: --columns, or all of them by --verbose\n"
        in text
    )
    assert "no room" not in found.report(width=200)
    assert "no room" not in found.report(width=40, columns=["P", "R", "F"])


@pytest.mark.parametrize("columns", [["F", "P"], ["f1", "precision"], ["f", "PRECISION", "F"]])
def test_columns_by_name_or_title(found, columns):
    assert found.report(columns=columns).splitlines()[0].split() == ["System", "F", "P"]
    (first, *_) = csv.DictReader(io.StringIO(found.report("csv", columns=columns)))
    assert [key for key in first if key in ("f1", "precision", "recall")] == ["f1", "precision"]


def test_an_unknown_measure_is_told(found):
    for how in ({"columns": ["P", "FF"]}, {"sort": "FF"}):
        with pytest.raises(
            SettingsError, match=r"^found the measure 'FF'; expected one of P \(precision\), "
        ):
            found.report(**how)


def names(text: str) -> list[str]:
    return [line.split()[0] for line in text.split("\n\n")[0].splitlines()[2:]]


def test_systems_are_sorted_the_best_first(found):
    assert names(found.report()) == ["flat", "wrong", "good"]
    f1 = {system.name: system["f1"] for system in found.systems}
    assert names(found.report(sort="F")) == sorted(f1, key=lambda name: -f1[name])
    assert names(found.report(sort="average_crossing"))[-1] == "wrong"
    tables = found.report("markdown", sort="F")
    assert tables.index("| good") < tables.index("| flat")


def test_the_baseline_comes_first_and_groups_stay_theirs(found):
    other = compare(GOLD, SYSTEMS, metrics="brackets", baseline="wrong", groups={"both": (1, 3)})
    assert [system.name for system in other.systems] == ["wrong", "flat", "good"]
    assert other.systems[0].p_values == {}
    assert other.groups[0].systems == ("flat", "good")
    alone = compare(GOLD, {name: SYSTEMS[name] for name in ("wrong", "good")}, metrics="brackets")
    assert other.p_values["good"] == alone.p_values["good"]
    with pytest.raises(
        SettingsError, match="found the baseline 'best'; expected the name of a system: flat, wrong"
    ):
        compare(GOLD, SYSTEMS, baseline="best")


def test_the_best_figure_is_bold(found):
    rows = [line for line in found.report("latex", columns=["P", "F"]).splitlines() if " & " in line][1:]
    assert [row.count("\\textbf") for row in rows] == [1, 0, 2]
    assert "\\textbf" not in compare(GOLD, {"a": GOLD, "b": GOLD}, metrics="brackets").report("latex")


@pytest.mark.parametrize(
    ("p", "marks", "shown"),
    [
        (0.0004, "***", "< 0.001"),
        (0.00099, "***", "< 0.001"),
        (0.001, "**", "0.0010"),
        # Stars by what is printed.
        (0.00996, "*", "0.0100"),
        (0.04994, "*", "0.0499"),
        (0.04996, "", "0.0500"),
        (0.05, "", "0.0500"),
        (None, "", None),
    ],
)
def test_marks_are_those_of_the_p_value_that_is_printed(p, marks, shown):
    from types import SimpleNamespace

    assert stars(p) == marks
    assert p_value(SimpleNamespace(p_values={"f1": p}), Measure("f1", "F")) == shown


# -- Holm --------------------------------------------------------------------------------


@given(st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=7))
def test_holm_rejects_what_the_procedure_rejects(p_values):
    """The definition: at each level the smallest p-values are rejected one by one, until one is too large."""
    adjusted = holm(p_values)
    assert [value is None for value in adjusted] == [value is None for value in p_values]
    tests = sorted([(p, place) for place, p in enumerate(p_values) if p is not None])
    for level in (0.01, 0.05, 0.3, 0.999):
        rejected = set()
        for rank, (p, place) in enumerate(tests):
            if (len(tests) - rank) * p > level:
                break
            rejected.add(place)
        assert {
            place for place, value in enumerate(adjusted) if value is not None and value <= level
        } == rejected


def test_p_values_are_corrected_figure_by_figure():
    plain = compare(GOLD, SYSTEMS, metrics="brackets")
    other = compare(GOLD, SYSTEMS, metrics="brackets", correction="holm")
    for key in ("precision", "recall", "f1"):
        expected = holm([plain.p_values[name][key] for name in ("wrong", "good")])
        assert [other.p_values[name][key] for name in ("wrong", "good")] == expected
    assert "correction:holm" in other.signature
    assert "corrected for the number of systems (Holm)" in other.report()
    assert other.to_dict()["correction"] == "holm"
    assert "correction" not in plain.to_dict()
    with pytest.raises(SettingsError, match="expected one of none, holm"):
        compare(GOLD, SYSTEMS, correction="bonferroni")


def test_what_no_test_looks_at_is_refused():
    with pytest.raises(
        SettingsError, match="found correction='holm', but no test whose p-values it corrects"
    ):
        compare(GOLD, SYSTEMS, test=None, correction="holm")
    with pytest.raises(
        SettingsError, match="found ties='split', which only the sign test can use; leave it out"
    ):
        compare(GOLD, SYSTEMS, ties="split")
    compare(GOLD, SYSTEMS, test=None, correction="none", ties="drop", metrics="brackets")


# -- the command ----------------------------------------------------------------------------


def test_the_command_takes_all_of_them(capsys):
    readme = ROOT / "golden_outputs" / "readme"
    files = [str(readme / name) for name in ("gold.mrg", "sys.mrg", "gold.mrg")]
    how = [
        "--names",
        "ours,best",
        "--baseline",
        "best",
        "--sort",
        "F",
        "--columns",
        "P,F",
        "--correction",
        "holm",
    ]
    assert main([*files, *how]) == 0
    shown = capsys.readouterr().out
    result = compare(files[0], {"ours": files[1], "best": files[2]}, baseline="best", correction="holm")
    assert shown == result.report(sort="F", columns=("P", "F"))
    assert main([*files, *how, "--verbose"]) == 0
    assert "p-values of the difference from best" in capsys.readouterr().out
    assert main([*files, *how, "--output", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["baseline"] == "best"
    for wrong in ("a", "a,b,c", "a,a"):
        assert main([*files, "--names", wrong]) == 2
        assert "expected a name of its own for each" in capsys.readouterr().err


def test_legacy_mode_has_them_too():
    files = [f"golden_outputs/readme/{name}" for name in ("gold.mrg", "sys.mrg", "gold.mrg")]
    how = ["--names", "ours,best", "--baseline", "best", "--columns", "F", "--verbose"]
    done = jpevalb(*files, "-evalb", *how, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, b"")
    lines = done.stdout.decode().splitlines()
    assert [line.split()[0] for line in lines[:4:1] if line[0] != "-"] == ["System", "best", "ours"]
    assert lines[0].split() == ["System", "F"]


# -- labels and differences ------------------------------------------------------------------


def test_differences_have_intervals_and_labels_are_measures():
    result = compare(GOLD, SYSTEMS, metrics="brackets", by_label=True)
    flat, wrong, good = result.systems
    assert flat.differences == {}
    assert wrong.differences.keys() == wrong.rates.keys() == good.differences.keys()
    for system, sentences in zip(result.systems, SYSTEMS.values()):
        alone = evaluate(GOLD, sentences, by_label=True).total["labels"].labels
        for label in ("S", "NP", "VP"):
            assert system[f"label_{label}"] == alone[label].f1
    # NP over one word is found everywhere, the other in four sentences of flat, and in all of good's.
    rows = [
        evaluate([gold], [own], by_label=True).total["labels"].labels
        for gold, own in zip(GOLD, SYSTEMS["flat"])
    ]
    tables = [
        np.array([[2 * count.matched, count.gold + count.system] for count in (row["NP"] for row in some)])
        for some in (rows, [evaluate(GOLD[:1], GOLD[:1], by_label=True).total["labels"].labels] * len(GOLD))
    ]
    assert good.p_values["label_NP"] == bootstrap(*tables)[0]
    assert good.differences["label_NP"] == intervals_of_differences(*tables)[0]
    data = result.to_dict()["systems"][2]
    assert data["differences"]["label_NP"] == list(good.differences["label_NP"])
    half = 50 * (good.differences["label_NP"][1] - good.differences["label_NP"][0])
    row = next(line for line in result.report().splitlines() if line.startswith("NP "))
    assert f"± {half:.2f}{stars(good.p_values['label_NP'])}" in row
    verbose = result.report(verbose=True)
    assert "F by label: intervals of the difference from flat" in verbose
    assert "95 % confidence intervals of the difference from flat" in verbose
    assert "±" not in verbose


def test_without_intervals_there_are_none_of_differences():
    result = compare(GOLD, SYSTEMS, metrics="brackets", by_label=True, confidence=None)
    assert [system.differences for system in result.systems] == [{}, {}, {}]
    assert "±" not in result.report()
    assert "difference" in result.report()


def test_a_label_that_is_made_equal_to_another_has_its_f_alone():
    gold = ["(S (NP (N a)) (VP (V b)))", "(S (ADVP (N a)) (VP (V b)))"] * 3
    system = ["(S (NP (N a)) (VP (V b)))", "(S (PRT (N a)) (VP (V b)))"] * 3
    params = Params(eq_labels=(("ADVP", "PRT"),))
    result = compare(gold, [system, gold], by_label=True, prm=params, metrics="brackets", samples=20)
    names = {measure.name for measure in result.measures}
    assert {"label_NP", "label_VP"} <= names
    assert "label_ADVP" not in names
    rows = [line.split() for line in result.report().splitlines()]
    assert ["ADVP", "3", "0.00", "100.00", "-"] in rows


def test_a_sentence_without_a_label_adds_nothing_to_it():
    gold = ["(S (NP (N a)) (NP (N b)))", "(S (VP (V b)))"]
    system = ["(S (NP (N a)) (N b))", "(S (VP (V b)))"]
    rows = LabelRows()
    result = evaluate(gold, system, by_label=True, metrics="brackets")
    for sentence in result.sentences:
        rows.add(sentence.record)
    for label, found in (("NP", (2, 3)), ("VP", (2, 2)), ("X", (0, 0))):
        rate = rate_of(label, unlabeled=False)
        assert rate.counts(result.total) == found
        assert rate.value(result.total) == (found[0] / found[1] if found[1] else None)
    recall = rate_of("NP", unlabeled=True)
    assert (recall.counts(result.total), recall.value(result.total)) == ((1, 2), 0.5)
    assert rows.size == 2
    assert rows.columns(["VP", "NP", "X"], recall=False) == [[0, 0, 2, 3, 0, 0], [2, 2, 0, 0, 0, 0]]
    assert rows.columns(["VP", "NP", "X"], recall=True) == [[0, 0, 1, 2, 0, 0], [1, 1, 0, 0, 0, 0]]


def test_the_labels_that_are_measured_are_the_most_frequent(monkeypatch):
    monkeypatch.setattr(sources, "TESTED", 2)
    result = compare(GOLD, SYSTEMS, by_label=True, metrics="brackets", samples=20)
    assert [measure.title for measure in result.measures if measure.name.startswith("label_")] == ["NP", "S"]
    text = result.report("csv")
    rows = csv.DictReader(io.StringIO(text[text.index("table,label,") :]))
    tested = {row["label"]: bool(row["difference"]) for row in rows if row["system"] == "good"}
    assert tested == {"NP": True, "S": True, "VP": False}
