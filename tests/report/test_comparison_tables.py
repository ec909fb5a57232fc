"""Tables of comparisons: columns, order, names, baseline, Holm's correction and groups."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from types import SimpleNamespace

import pytest
from hypothesis import given, strategies as st

from jpevalb import Params, compare, evaluate
from jpevalb.base.errors import SettingsError
from jpevalb.commands.arguments import gold_title
from jpevalb.commands.evaluate import main
from jpevalb.comparison import sources
from jpevalb.comparison.result import Decision, holm, make_group, parse_groups
from jpevalb.comparison.sources import LabelRows, label_figure
from jpevalb.metrics import Figure
from jpevalb.metrics.significance import permutation
from jpevalb.report.comparison import shown_p, stars
from tests.support.commands import ROOT, jpevalb

RIGHT = "(S (NP (N a)) (VP (V b) (NP (N c))))"
FLAT = "(S (N a) (V b) (NP (N c)))"
WRONG = "(S (NP (N a) (V b)) (NP (N c)))"
GOLD = [RIGHT] * 12
SYSTEMS = {"flat": [FLAT] * 8 + [RIGHT] * 4, "wrong": [WRONG] * 6 + [RIGHT] * 6, "good": [RIGHT] * 12}


@pytest.fixture(scope="module")
def found():
    return compare(GOLD, SYSTEMS, metrics="brackets")


def test_scores_intervals_and_marks_are_one_table(found):
    head, rule, *rows = found.report(width=200, sort="none").split("\n\n")[0].splitlines()
    assert head.split()[:4] == ["System", "P", "R", "F"]
    assert set(rule) == {"-", " "}
    for system, row in zip(found.systems, rows):
        low, high = system.intervals["f1"]
        assert f"{100 * system['f1']:.2f} ± {50 * (high - low):.2f}{stars(system.decisions.get('f1'))}" in row
    assert "p-values" not in found.report()
    assert "± half the 95 % confidence interval (expanded bootstrap percentiles, 1,000 " in found.report()
    assert "(paired permutation, all shuffles, against flat)" in found.report()


def test_a_comparison_with_its_sentences_is_the_one_without(found):
    kept = compare(GOLD, SYSTEMS, metrics="brackets", keep=True)
    assert (kept.details is None, found.details) == (False, None)
    assert kept == found
    assert repr(kept) == repr(found)
    assert found.baseline is found.systems[0]
    assert list(found.p_values) == ["wrong", "good"]
    # What JSON has of it is it.
    assert json.loads(json.dumps(found.to_dict())) == found.to_dict()


def test_five_systems_fit_twelve_lines(tmp_path):
    (tmp_path / "gold").write_text("\n".join(GOLD))
    for number in range(5):
        (tmp_path / f"parser-{number}").write_text("\n".join([WRONG] * number + GOLD[number:]))
    done = jpevalb("gold", *[f"parser-{number}" for number in range(5)], cwd=tmp_path)
    lines = done.stdout.decode().splitlines()
    assert len(lines) <= 14
    assert max(len(line) for line in lines if not line.startswith("#")) <= 100


def test_columns_without_room_are_named(found):
    text = found.report(width=40)
    assert text.splitlines()[0].split() == ["System", "P", "F"]
    assert (
        "# not shown (table too wide): R, Sent. F, Complete, Tags, Crossing; "
        "select with --columns, or use --verbose\n" in text.replace("\n#   ", " ")
    )
    assert max(map(len, text.splitlines())) <= 40
    assert "no room" not in found.report(width=200)
    assert "no room" not in found.report(width=40, columns=["P", "R", "F"])


@pytest.fixture(scope="module")
def two():
    """Two systems with the same figures in each sentence, so that intervals have no width."""
    systems = {"flat": [FLAT] * 12, "good": GOLD}
    return {
        confidence: compare(
            GOLD, systems, metrics="brackets", samples=200, confidence=confidence, groups={"ours": (1, 2)}
        )
        for confidence in (0.95, None)
    }


def test_as_many_columns_as_fit_are_shown(two):
    # Columns of 6, 13, 14 and 16 with two blanks between them; marks have columns of their own.
    shown = {width: two[0.95].report(width=width).splitlines()[0].split() for width in (55, 53, 37, 35, 5)}
    assert shown == {
        55: ["System", "P", "R", "F"],
        53: ["System", "P", "F"],
        37: ["System", "F"],
        35: ["System", "F"],
        5: ["System", "F"],
    }


def test_a_table_for_no_terminal_has_a_hundred_columns():
    reports = [
        compare(GOLD[:1], {"x" * n: [FLAT]}, metrics="brackets", test=None, confidence=None).report
        for n in range(40, 70)
    ]
    wide = [max(map(len, report().split("\n#")[0].splitlines())) for report in reports]
    assert 95 < max(wide) <= 100
    # With a width, names are shortened before columns move below.
    assert ["xxx…xxx" in report(width=100) for report in reports] == [
        "Crossing" not in report().splitlines()[0] for report in reports
    ]


def test_numbers_without_marks_have_room_for_them_in_latex(two):
    def rows(confidence):
        text = two[confidence].report("latex", columns=["P", "R"], sort="none").split("Groups")[0]
        return [line.split() for line in text.splitlines() if "&" in line]

    assert rows(None) == [
        ["System", "&", "P", "&", "R", "\\\\"],
        ["flat", "&", "100.00", "&", "50.00\\phantom{$^{*}$}", "\\\\"],
        ["good", "&", "100.00", "&", "\\textbf{100.00}${}^{*}$", "\\\\"],
    ]
    # Below an interval there is room enough.
    assert [" ".join(row[5:-1]) for row in rows(0.95)[1:]] == [
        "50.00${}_{\\pm 0.00}$",
        "\\textbf{100.00}${}^{*}_{\\pm 0.00}$",
    ]


@pytest.mark.parametrize(
    ("width", "pieces"),
    [
        # Four columns of 6 with two blanks between them.
        (30, [["P", "R", "F"]]),
        (29, [["P", "R"], ["F"]]),
        (22, [["P", "R"], ["F"]]),
        (21, [["P"], ["R"], ["F"]]),
        (5, [["P"], ["R"], ["F"]]),
    ],
)
def test_a_wide_table_is_continued_below(two, width, pieces):
    text = two[None].report(width=width, columns=["P", "R", "F"], verbose=True)
    title = "p-values of the difference from flat (paired permutation, 200 shuffles, Holm over each table, "
    table = text.split(title)[1].partition("\n")[2]
    lines = table.split("\nGroups")[0].splitlines()
    assert [line.split()[1:] for line in lines if line.startswith("System")] == pieces


def test_pieces_of_a_table_have_as_many_columns(two):
    # The first two columns take 5 + 2 + 9, the others 6, 6, 6, 7, 8, 6 and 8 and two blanks before each.
    for width, pieces in (
        (77, ["P R F Sent. F Complete Tags Crossing"]),
        (76, ["P R F Sent. F", "Complete Tags Crossing"]),
    ):
        lines = two[None].report(width=width).split("Groups of systems")[1].splitlines()
        heads = [" ".join(line.split()) for line in lines if line.startswith("Group ")]
        assert heads == [f"Group Figure {columns}" for columns in pieces]


def test_csv_has_a_row_for_each_system():
    systems = {"=flat": [FLAT] * 12, "good": GOLD}

    def rows(systems, **how):
        found = compare(GOLD, systems, metrics="brackets", **how)
        lines = found.report("csv", columns=["F"], sort="none").splitlines()
        assert {line.rpartition(",")[2] for line in lines[1:]} == {found.signature}
        return [line.split(",")[:-2] for line in lines]

    assert rows(systems, samples=200) == [
        ["system", "f1", "f1_low", "f1_high", "f1_p", "f1_p_holm", "f1_difference_low", "f1_difference_high"],
        ["'=flat", "66.67", "66.67", "66.67", "", "", "", ""],
        ["good", "100.00", "100.00", "100.00", "0.00497512", "0.00497512", "33.33", "33.33"],
    ]
    assert rows(systems, samples=200, confidence=None) == [
        ["system", "f1", "f1_p", "f1_p_holm"],
        ["'=flat", "66.67", "", ""],
        ["good", "100.00", "0.00497512", "0.00497512"],
    ]
    assert rows({"one": [FLAT] * 12}, test=None) == [
        ["system", "f1", "f1_low", "f1_high"],
        ["one", "66.67", "66.67", "66.67"],
    ]


def test_a_signature_is_escaped_as_a_formula(tmp_path):
    (tmp_path / "a;=b.prm").write_text("DELETE_LABEL TOP\n")
    how = {"prm": tmp_path / "a;=b.prm", "test": None, "confidence": None, "metrics": "brackets"}
    text = compare(GOLD[:1], {"one": GOLD[:1]}, **how).report("csv")
    assert (
        text.splitlines()[1].rpartition(",")[2].startswith("jpevalb:0.1.0 convention:jpevalb prm:a;'=b.prm#")
    )


def test_skipped_sentences_of_a_system_are_listed():
    gold = ["(S (A a) (B b))", "(S (C c))", "(S (D ddd))", "(S (E eeee))"]
    systems = {"one": ["(S (A a) (B b) (C c))", "(S (D ddd))", "(S"], "two": gold}
    text = compare(gold, systems, metrics="brackets", samples=20, on_error="skip").report()
    resampled = "resampled in 3 units, as the alignment joins sentences"
    assert f"\n# two: Sent. F over 4 sentences, {resampled}\n" in text
    left_out = "1 sentence without a parse, 1 system sentence that cannot be read"
    assert f"\n# one: Sent. F over 3 sentences, {resampled}, {left_out}\n" in text


@pytest.mark.parametrize("columns", [["F", "P"], ["f1", "precision"], ["f", "PRECISION", "F"]])
def test_columns_by_name_or_title(found, columns):
    assert found.report(columns=columns).splitlines()[0].split() == ["System", "F", "P"]
    (first, *_) = csv.DictReader(io.StringIO(found.report("csv", columns=columns)))
    assert [key for key in first if key in ("f1", "precision", "recall")] == ["f1", "precision"]


def test_an_unknown_measure_is_reported(found):
    for how in ({"columns": ["P", "FF"]}, {"sort": "FF"}):
        with pytest.raises(SettingsError, match=r"^unknown measure 'FF'; expected one of P \(precision\), "):
            found.report(**how)


def names(text: str) -> list[str]:
    return [line.split()[0] for line in text.split("\n\n")[0].splitlines()[2:]]


def test_systems_are_sorted_the_best_first(found):
    assert names(found.report()) == ["good", "flat", "wrong"]
    assert names(found.report(sort="none")) == ["flat", "wrong", "good"]
    f1 = {system.name: system["f1"] for system in found.systems}
    assert names(found.report(sort="F")) == sorted(f1, key=lambda name: -f1[name])
    assert names(found.report(sort="average_crossing"))[-1] == "wrong"
    tables = found.report("markdown", sort="F")
    assert tables.index("| good") < tables.index("| flat")


def test_a_system_without_the_measure_comes_last():
    systems = {"none": ["(TOP (N a) (V b) (N c))"] * 2, "wrong": [WRONG] * 2, "flat": [FLAT] * 2}
    found = compare(GOLD[:2], systems, metrics="brackets", test=None, confidence=None)
    assert [system["precision"] for system in found.systems] == [None, 2 / 3, 1]
    assert names(found.report(sort="P")) == ["flat", "wrong", "none"]
    assert tables_of(found.report(columns=["Crossing"], sort="none"))[""][1:] == [
        ["none", "0.00"],
        ["wrong", "1.00"],
        ["flat", "0.00"],
    ]


def test_the_baseline_comes_first_and_groups_stay_theirs(found):
    other = compare(
        GOLD, SYSTEMS, metrics="brackets", baseline="wrong", groups={"both": (1, 3), "bad": [1, 2]}
    )
    assert [system.name for system in other.systems] == ["wrong", "flat", "good"]
    assert other.systems[0].p_values == {}
    assert [group.systems for group in other.groups] == [("flat", "good"), ("flat", "wrong")]
    alone = compare(GOLD, {name: SYSTEMS[name] for name in ("wrong", "good")}, metrics="brackets")
    assert other.p_values["good"] == alone.p_values["good"]
    with pytest.raises(SettingsError, match="unknown system 'best'; expected one of flat, wrong"):
        compare(GOLD, SYSTEMS, baseline="best")


def test_the_best_figure_is_bold(found):
    rows = [
        line for line in found.report("latex", columns=["P", "F"], sort="none").splitlines() if " & " in line
    ][1:]
    assert [row.count("\\textbf") for row in rows] == [1, 0, 2]
    assert "\\textbf" not in compare(GOLD, {"a": GOLD, "b": GOLD}, metrics="brackets").report("latex")


@pytest.mark.parametrize(
    ("p", "marks", "shown"),
    [
        (0.0004, "***", "< 0.001"),
        (0.00099, "***", "< 0.001"),
        (0.001, "**", "0.0010"),
        (0.00996, "**", "0.0100"),
        (0.04994, "*", "0.0499"),
    ],
)
def test_marks(p, marks, shown):
    assert stars(Decision("differs", 0.1, p=p)) == marks
    assert stars(Decision("few", 0.1, p=p)) == stars(None) == ""
    assert shown_p(p) == shown


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


@pytest.mark.parametrize(
    ("correction", "family", "note"),
    [
        ("pairs", (("flat", "wrong"), ("flat", "good"), ("wrong", "good")), "F over all pairs"),
        ("baseline", (("flat", "wrong"), ("flat", "good")), "F over all systems"),
        ("none", (), "not corrected"),
    ],
)
def test_f1_is_corrected_for_its_family_and_others_for_their_table(correction, family, note):
    found = compare(GOLD, SYSTEMS, metrics="brackets", by_label=True, correction=correction)
    alone = {
        (a, b): compare(GOLD, {a: SYSTEMS[a], b: SYSTEMS[b]}, metrics="brackets").p_values[b]["f1"]
        for a, b in family
    }
    expected = dict(zip(alone, holm(list(alone.values()))))
    for group in ("", "F by label"):
        names = [one.name for one in found.measures if one.group == group and one.name != "f1"]
        keys = [(system, name) for name in names for system in ("wrong", "good")]
        p_values = [found.p_values[system][name] for system, name in keys]
        expected |= dict(zip(keys, holm(p_values) if family else p_values))
    for system in found.systems[1:]:
        key = ("flat", system.name)
        expected[system.name, "f1"] = expected.get(key, system.p_values["f1"])
        for name, decision in system.decisions.items():
            assert decision.p == expected[system.name, name]
    assert ("correction:" in found.signature) == (correction != "pairs")
    assert note in found.report()
    assert found.to_dict()["correction"] == correction


def test_options_that_no_test_uses_are_rejected():
    with pytest.raises(SettingsError, match="expected one of pairs, baseline, none"):
        compare(GOLD, SYSTEMS, correction="bonferroni")
    with pytest.raises(SettingsError, match="correction='none' without a test; leave out correction"):
        compare(GOLD, SYSTEMS, test=None, correction="none")
    with pytest.raises(SettingsError, match="ties='split', which only the sign test uses; leave out ties"):
        compare(GOLD, SYSTEMS, ties="split")
    compare(GOLD, SYSTEMS, test=None, correction="pairs", ties="drop", metrics="brackets")


# -- the command ----------------------------------------------------------------------------


def test_the_command_takes_all_of_them(capsys):
    readme = ROOT / "examples"
    files = [str(readme / name) for name in ("gold.mrg", "sys.mrg", "gold.mrg")]
    how = [
        "--names",
        "ours,best",
        "--against",
        "best",
        "--sort",
        "F",
        "--columns",
        "P,F",
        "--correction",
        "none",
    ]
    assert main([*files, *how]) == 0
    shown = capsys.readouterr().out
    result = compare(files[0], {"ours": files[1], "best": files[2]}, baseline="best", correction="none")
    assert shown == result.report(sort="F", columns=("P", "F"))
    assert main([*files, *how, "--verbose"]) == 0
    assert "p-values of the difference from best" in capsys.readouterr().out
    how = [*how[:4], *how[-2:]]
    assert main([*files, *how, "--output", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["baseline"] == "best"
    for wrong in ("a", "a,b,c", "a,a"):
        assert main([*files, "--names", wrong]) == 2
        assert "different name" in capsys.readouterr().err


def test_tables_are_as_wide_as_the_terminal(tmp_path, monkeypatch, capsys):
    readme = ROOT / "examples"
    files = [str(readme / name) for name in ("gold.mrg", "sys.mrg", "gold.mrg")]
    found = compare(files[0], files[1:], samples=20)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    # Narrower than 40 columns no table can be read.
    for columns, width in ((60, 60), (10, 40)):
        monkeypatch.setenv("COLUMNS", str(columns))
        assert main([*files, "--samples", "20"]) == 0
        assert capsys.readouterr().out == found.report(width=width)
    # With a name of sixteen letters one more column has a place in 40, and none in 39.
    named = compare(files[0], {"sixteen_letters_": files[1], "b": files[2]}, samples=20)
    assert named.report(width=39) != named.report(width=40)
    assert main([*files, "--samples", "20", "--names", "sixteen_letters_,b"]) == 0
    assert capsys.readouterr().out == named.report(width=40)
    assert main([*files, "--samples", "20", "--out", str(tmp_path / "r.txt")]) == 0
    assert (tmp_path / "r.txt").read_text() == found.report()
    # What only a page shows is not counted for others.
    assert main([*files, "--samples", "20", "--output", "csv"]) == 0
    assert capsys.readouterr().out == found.report("csv")


def test_one_system_may_have_the_tables_of_a_comparison(capsys):
    files = [str(ROOT / "examples" / name) for name in ("gold.mrg", "sys.mrg")]
    assert main([*files, "--columns", "F"]) == 0
    assert capsys.readouterr().out == compare(files[0], files[1:], test=None).report(columns=["F"])


def test_the_name_of_the_gold_side_on_a_page():
    def title(gold, *more_gold):
        return gold_title(SimpleNamespace(gold=gold, more_gold=more_gold))

    assert (title("-"), title("a/x.mrg"), title("a/")) == ("standard input", "x.mrg", "a/")
    assert title("a/x.mrg", "b/y.mrg", "z") == "x.mrg or y.mrg or z"


def test_legacy_mode_has_them_too():
    files = [f"examples/{name}" for name in ("gold.mrg", "sys.mrg", "gold.mrg")]
    how = ["--names", "ours,best", "--against", "best", "--columns", "F", "--verbose"]
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
        [[2 * count.matched, count.gold + count.system] for count in (row["NP"] for row in some)]
        for some in (rows, [evaluate(GOLD[:1], GOLD[:1], by_label=True).total["labels"].labels] * len(GOLD))
    ]
    assert [(good.p_values["label_NP"], good.differences["label_NP"])] == permutation(*tables)
    data = result.to_dict()["systems"][2]
    assert data["differences"]["label_NP"] == list(good.differences["label_NP"])
    half = 50 * (good.differences["label_NP"][1] - good.differences["label_NP"][0])
    row = next(line for line in result.report().splitlines() if line.startswith("NP "))
    assert f"± {half:.2f}{stars(good.decisions['label_NP'])}" in row
    verbose = result.report(verbose=True)
    assert "F by label: intervals of the difference from flat" in verbose
    assert "95 % confidence intervals of the difference from flat" in verbose
    assert "±" not in verbose


def tables_of(text):
    """The tables of a report in text by their titles, each a list of rows."""
    blocks = [block.splitlines() for block in text.split("\n\n") if "---" in block]
    return {
        block[0] if not block[1].startswith("-") else "": [
            re.split("  +", line) for line in block if "---" not in line
        ][not block[1].startswith("-") :]
        for block in blocks
    }


def test_a_win_is_a_better_figure():
    """Three sentences are better, with more matched constituents and fewer that cross; one is the same."""
    systems = {"wrong": [WRONG] * 3 + [RIGHT], "good": GOLD[:4]}
    found = compare(GOLD[:4], systems, metrics="brackets", test="sign", confidence=None)
    tables = tables_of(found.report(columns=["F", "Crossing", "Tags"], verbose=True))
    assert tables["Wins, ties and losses against wrong"] == [
        ["System", "F", "Crossing", "Tags"],
        ["good", "3/1/0", "3/1/0", "0/4/0"],
    ]


def test_labels_have_p_values_and_intervals_in_tables_of_their_own():
    systems = {"flat": [FLAT] * 9 + [RIGHT.replace("VP", "X")] * 3, "good": GOLD}
    found = compare(GOLD, systems, metrics="brackets", by_label=True, samples=500)
    tables = tables_of(found.report(verbose=True))
    # What gold does not have is no measure.
    assert tables["F by label"] == [
        ["Label", "Gold", "flat", "good", "difference"],
        ["NP", "24", "76.92", "100.00", "+23.08*"],
        ["S", "12", "100.00", "100.00", "+0.00"],
        ["VP", "12", "0.00", "100.00", "+100.00**"],
        ["X", "0", "0.00", "-", "-"],
    ]
    for kind, rows in (
        ("p-values", [["Label", "good"], ["NP", "0.0120"], ["S", "1.0000"], ["VP", "0.0060"]]),
        (
            "intervals of the difference from flat",
            [["Label", "good"], ["NP", "14.89 to 31.91"], ["S", "0.00 to 0.00"], ["VP", "100.00 to 100.00"]],
        ),
    ):
        assert tables[f"F by label: {kind}"] == rows
    assert [row[0] for row in tables["F by label: intervals"]] == ["Label", "NP", "S", "VP"]
    untested = compare(
        GOLD[:4], systems, metrics="brackets", by_label=True, test=None, samples=None, confidence=None
    )
    assert [title for title in tables_of(untested.report(verbose=True)) if title] == ["F by label"]
    assert "|:--------|-------:|-------:|-------:|-------------:|\n| NP " in untested.report("markdown")


def test_labels_that_gold_has_most_come_first_and_lengths_are_text():
    gold = ["(S (Z (N a)) (Z (N b)) (B (N c)))"] * 2
    found = compare(gold, [gold], analysis=True, metrics="brackets", test=None, confidence=None)
    assert [row[:2] for row in tables_of(found.report())["F by label"]] == [
        ["Label", "Gold"],
        ["Z", "4"],
        ["B", "2"],
        ["S", "2"],
    ]
    assert "| Length   |   Sentences |   system 1 |\n|:---------|------------:|" in found.report("markdown")


@pytest.mark.parametrize("names", [("without", "with"), ("with", "without")])
def test_a_label_has_the_largest_gold_count_of_all_systems(names):
    """Gold traces are scored only for the system that has traces, so the counts of NP differ."""
    gold = ["(S (NP (-NONE- *)) (VP (V go) (NP (N home))))"] * 2
    systems = {"with": gold, "without": ["(S (VP (V go) (NP (N home))))"] * 2}
    counts = {name: evaluate(gold, system, by_label=True) for name, system in systems.items()}
    assert {name: one.total["labels"].labels["NP"].gold for name, one in counts.items()} == {
        "with": 4,
        "without": 2,
    }
    found = compare(gold, {name: systems[name] for name in names}, analysis=True, confidence=None)
    assert tables_of(found.report())["F by label"] == [
        ["Label", "Gold", *names, "difference"],
        ["NP", "4", "100.00", "100.00", "+0.00"],
        ["S", "2", "100.00", "100.00", "+0.00"],
        ["VP", "2", "100.00", "100.00", "+0.00"],
    ]


@pytest.mark.parametrize("names", [("apart", "joined"), ("joined", "apart")])
def test_a_length_has_the_largest_number_of_sentences_of_all_systems(names):
    """A system that joins two sentences has fewer and longer ones."""
    words = " ".join(f"(N w{number})" for number in range(6))
    gold = [f"(S {words})", f"(S {words.replace('w', 'v')})", "(S (N a))"]
    systems = {"apart": gold, "joined": [f"(S {words} {words.replace('w', 'v')})", "(S (N a))"]}
    found = compare(gold, {name: systems[name] for name in names}, analysis=True, test=None, confidence=None)
    rows = [
        ["1-10", "3", {"apart": "100.00", "joined": "100.00"}],
        ["11-20", "1", {"apart": "-", "joined": "0.00"}],
    ]
    assert tables_of(found.report())["F by length of the sentence"] == [
        ["Length", "Sentences", *names],
        *[[length, number, *(rates[name] for name in names)] for length, number, rates in rows],
    ]


def test_the_table_of_labels_has_the_twenty_most_frequent():
    for n in (20, 21):
        gold = ["(S " + " ".join([f"(X{i} (N a))" for i in range(1, n)]) + ")"]
        found = compare(gold, [gold], by_label=True, metrics="brackets", test=None, confidence=None)
        title = "F by label" + (" (the 20 most frequent of 21)" if n > 20 else "")
        assert len(tables_of(found.report())[title]) == 21
        assert found.report("csv").count("\nlabels,") == n


def test_a_difference_from_an_undefined_figure_is_undefined():
    """Gold has no constituents: a system without any has lost no points of F1, and none can be lost."""
    systems = {"one": ["(S (NN a))"] * 2, "none": ["(NN a)"] * 2}
    found = compare(["(NN a)"] * 2, systems, analysis=True, metrics="brackets", test=None, confidence=None)
    assert tables_of(found.report())["Points of F1 lost by cause"] == [
        ["Cause", "one", "none", "difference"],
        ["no gold parse", "100.00", "-", "-"],
    ]


def test_without_intervals_differences_have_none():
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
    for number, sentence in enumerate(result.sentences):
        rows.add(number, sentence.record)
    for label, found in (("NP", (2, 3)), ("VP", (2, 2)), ("X", (0, 0))):
        rate = label_figure(label, unlabeled=False)
        assert rate.counts(result.total) == found
        assert rate.value(result.total) == (found[0] / found[1] if found[1] else None)
    recall = label_figure("NP", unlabeled=True)
    assert (recall.counts(result.total), recall.value(result.total)) == ((1, 2), 0.5)
    for label, f1, shares in (("VP", [[0, 2], [0, 2]], [[0, 1], [0, 1]]), ("X", [[0, 0]] * 2, [[0, 0]] * 2)):
        assert [column.tolist() for column in rows.columns(label, 2, recall=False)] == f1
        assert [column.tolist() for column in rows.columns(label, 2, recall=True)] == shares
    assert [column.tolist() for column in rows.columns("NP", 2, recall=False)] == [[2, 0], [3, 0]]
    assert [column.tolist() for column in rows.columns("NP", 2, recall=True)] == [[1, 0], [2, 0]]


def test_the_labels_that_are_measured_are_the_most_frequent(monkeypatch):
    monkeypatch.setattr(sources, "TESTED", 2)
    result = compare(GOLD, SYSTEMS, by_label=True, metrics="brackets", samples=20)
    assert [measure.title for measure in result.measures if measure.name.startswith("label_")] == ["NP", "S"]
    text = result.report("csv")
    rows = csv.DictReader(io.StringIO(text[text.index("table,label,") :]))
    tested = {row["label"]: bool(row["difference"]) for row in rows if row["system"] == "good"}
    assert tested == {"NP": True, "S": True, "VP": False}
    # Two VP a sentence, and one each of the others.
    verbs = ["(S (VP (V a) (VP (V b) (NP (N c)))))"] * 4
    result = compare(verbs, [verbs, verbs], by_label=True, metrics="brackets", samples=20)
    assert [measure.title for measure in result.measures if measure.name.startswith("label_")] == ["VP", "NP"]


# -- groups of systems --------------------------------------------------------------

GROUPED = ["(S (NP (N a) (N b)) (VP (V c)))"] * 4
SEEDS = [
    GROUPED,
    GROUPED[:2] + ["(S (NP (N a)) (VP (N b) (V c)))"] * 2,
    ["(S (NP (N a)) (VP (N b) (V c)))"] * 4,
]


def test_a_divided_table_of_groups_names_its_rows_in_each_piece():
    found = compare(GROUPED, SEEDS, test=None, confidence=None, groups={"ours": (1, 2, 3)})
    text = found.report(width=60)
    lines = text[text.index("Groups of systems") :].splitlines()
    heads = [line.split()[:2] for line in lines if line.startswith("Group ")]
    assert len(heads) > 1
    assert heads == [["Group", "Figure"]] * len(heads)
    assert [line.split()[1] for line in lines if line.startswith("ours")] == [
        *("mean", "deviation", "best")
    ] * len(heads)
    assert max([len(line) for line in lines[1:] if line[:1] != "#"]) <= 60


def test_a_group_has_mean_deviation_and_best():
    found = compare(GROUPED, SEEDS, test=None, confidence=None, groups={"ours": (1, 2, 3), "one": [2]})
    ours, one = found.groups
    # F1 is 1, (6 + 2) / 12 and 1/3; their mean 2/3, the sum of squares 2/9, over two 1/9.
    assert (ours.name, ours.systems) == ("ours", ("system 1", "system 2", "system 3"))
    assert ours.mean["f1"] == pytest.approx(2 / 3)
    assert ours.deviation["f1"] == pytest.approx(1 / 3)
    assert ours.best["f1"] == 1.0
    # Fewer crossing constituents are better: 0 for the first.
    assert ours.best["average_crossing"] == 0.0
    assert (one.mean["f1"], one.deviation["f1"]) == (found.systems[1]["f1"], None)
    assert found.to_dict()["groups"][1]["systems"] == ["system 2"]
    assert "groups" not in compare(GROUPED, SEEDS, test=None).to_dict()
    text = found.report()
    assert "Groups of systems (sample standard deviation)\n" in text
    assert re.search(r"^ours +mean +66\.67 +66\.67 +66\.67 ", text, re.MULTILINE)
    assert re.search(r"^ours +deviation +33\.33 ", text, re.MULTILINE)
    assert re.search(r"^one +deviation +- ", text, re.MULTILINE)
    for format in ("markdown", "latex", "csv", "html"):
        assert "ours" in found.report(format)


def test_a_group_with_an_undefined_figure_has_no_mean_of_it():
    measures = [Figure("f1", "F"), Figure("crossing", "Crossing", "number", larger_is_better=False)]
    systems = [("a", {"f1": None, "crossing": 2.0}), ("b", {"f1": 0.5, "crossing": 1.0})]
    group = make_group("ours", systems, measures)
    assert group.mean == {"f1": None, "crossing": 1.5}
    assert group.deviation == {"f1": None, "crossing": pytest.approx(0.5**0.5)}
    assert group.best == {"f1": 0.5, "crossing": 1.0}
    alone = make_group("one", systems[:1], measures)
    assert (alone.mean["crossing"], alone.deviation["crossing"]) == (2.0, None)
    assert alone.best == {"f1": None, "crossing": 2.0}


def test_places_of_groups_have_nine_digits_at_most():
    assert parse_groups(["a=999999999", "b = 2 , 1"]) == {"a": (999999999,), "b ": (2, 1)}
    for text in ("a=1000000000", "a=\u0663", "a=", "a=-1"):
        with pytest.raises(SettingsError, match=f"got the group {text!r}; expected a name and numbers"):
            parse_groups([text])


def test_groups_in_tables_and_on_a_page():
    how = {"test": None, "confidence": None, "metrics": "brackets"}
    found = compare(GROUPED, SEEDS, groups={"=ours": (1, 2, 3), "one": [2]}, **how)
    table = found.report("markdown", columns=["F"]).split("deviation)\n\n")[1].splitlines()
    assert [line.split("|")[1:4] for line in table[:3]] == [
        [" Group   ", " Figure    ", "      P "],
        [":--------", ":----------", "-------:"],
        [" =ours   ", " mean      ", "  66.67 "],
    ]
    assert "groups,'=ours,deviation,33.33," in found.report("csv")
    page = found.report("html")
    for name, deviation, best in (
        ("=ours (system 1, system 2, system 3)", "33.33", "100.00"),
        ("one (system 2)", "-", "66.67"),
    ):
        figures = ", ".join([f"{title} 66.67 ± {deviation} (best {best})" for title in ("P", "R", "F")])
        assert f"<bdi>{name}: {figures}, " in page


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ours", "got the group 'ours'; expected a name and numbers of systems, such as ours=1,2,3"),
        ("=1,2", "got the group '=1,2'; expected a name and numbers of systems, such as ours=1,2,3"),
        ("a=1,x", "got the group 'a=1,x'; expected a name and numbers of systems, such as ours=1,2,3"),
        ("a=1,4", "got 4 in the group 'a'; expected the numbers of its systems, from 1 to 3"),
        ("a=0", "got 0 in the group 'a'; expected the numbers of its systems, from 1 to 3"),
        ("a=2,2", "got [2, 2] as the group 'a'; expected at least one system, each once"),
    ],
)
def test_groups_without_meaning(tmp_path, capsys, text, message):
    for name, sentences in zip("gabc", [GROUPED, *SEEDS]):
        (tmp_path / name).write_text("".join([tree + "\n" for tree in sentences]))
    paths = [str(tmp_path / name) for name in "gabc"]
    assert main([*paths, "--group", text]) == 2
    assert capsys.readouterr().err == f"jpevalb: {message}\n"
    assert main([*paths, "--group", "x=1", "--group", "x=2"]) == 2
    assert "the group 'x' twice" in capsys.readouterr().err


def test_seeds_of_an_induced_grammar(tmp_path, capsys):
    """Recall by gold label, for the labels of the systems mean nothing; and their mean."""
    gold = tmp_path / "gold"
    gold.write_text("(S (NP (N a) (N b)) (VP (V c) (N d)) (. .))\n" * 2)
    for name, tree in (
        ("1", "(X (X (X (X (X a) (X b)) (X c)) (X d)) (X .))"),
        ("2", "(X (X (X a) (X (X b) (X (X c) (X d)))) (X .))"),
    ):
        (tmp_path / name).write_text(f"{tree}\n" * 2)
    argv = [str(gold), str(tmp_path / "1"), str(tmp_path / "2"), "--convention", "unsupervised"]
    argv += ["--test", "none"]
    assert main([*argv, "--group", "ours=1,2"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^Recall by gold label\nLabel +Gold +1 +2 +difference\n", out, re.MULTILINE)
    assert re.search(r"^NP +2 +100\.00 +0\.00 +-100\.00$", out, re.MULTILINE)
    assert re.search(r"^VP +2 +0\.00 +100\.00 +\+100\.00$", out, re.MULTILINE)
    assert "\nX " not in out
    assert re.search(r"^ours +mean +50\.00 +50\.00 +50\.00 ", out, re.MULTILINE)
    assert main([*argv, "--output", "json"]) == 0
    counts = json.loads(capsys.readouterr().out)["systems"][0]["counts"]
    assert (counts["labels"]["NP"]["recall"], counts["baselines"]["left"]["f1"]) == (1.0, 0.5)
