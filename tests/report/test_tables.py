"""CSV, TSV, Markdown and LaTeX: cells, totals, undefined figures and escaped text."""

from __future__ import annotations

import csv
import dataclasses
import io
import re
import subprocess
import sys

import pytest

from jpevalb import cli, compare, evaluate
from jpevalb.base.errors import SettingsError
from jpevalb.base.text import is_utf8, number_of, padded, right_to_left, visible, width_of
from jpevalb.commands.evaluate import main
from jpevalb.report.table import EvalbRows
from jpevalb.report.writers import spreadsheet_cell
from jpevalb.trees.tree import Tree
from tests.support.commands import ROOT
from tests.support.with_gaps import evaluate_with_gaps, left_out_lines as left_out

GOLD = [
    "(S (NP (DT the) (NN cat)) (VP (VBD sat)))",
    "(S (NP (PRP I)) (VP (VBP go)))",
    "(S (NP (PRP it)) (VP (VBZ ends)))",
    "(NN fine)",
]
SYSTEM = [
    "(S (NP (DT the)) (VP (NN cat) (VBD sat)))",
    "(S (S (NP (PRP I)) (VP (VBP go))) (S (NP (PRP it)) (VP (VBZ ends))))",
    "(NN fine)",
]


def table(text, delimiter=","):
    return list(csv.DictReader(io.StringIO(text), delimiter=delimiter))


def test_a_metric_of_several_columns_numbers_those_behind_the_first():
    text = evaluate(GOLD, SYSTEM, metrics="brackets", more_gold=[GOLD, GOLD]).report("csv")
    assert text.splitlines()[0].endswith(",tag_accuracy,references,references_2,references_3,signature")


def test_fields_of_the_text_report_have_no_blanks():
    """An id that is text, one that is empty, one that has no letter that can be shown, and none."""
    trees = [dataclasses.replace(Tree.parse("(S (A a))"), id=id) for id in ("a b!", "", "\x1b", "é")]
    result = evaluate_with_gaps([*trees[:2], "(S", *trees[2:]], trees[:3], pair="order", on_error="skip")
    rows = [line.split() for line in result.report().splitlines()[3:8]]
    assert [row[1:3] for row in rows] == [["a_b!", "1"], ["-", "1"], ["-", "0"], ["_", "1"], ["é", "1"]]
    assert [row[-1] for row in rows] == ["ok", "ok", "no_gold", "missing", "missing"]
    assert [row["id"] for row in table(result.report("csv"))] == ["a b!", "", "", "\\x1b", "é", ""]


def test_tsv_is_the_same_table():
    result = evaluate(GOLD, SYSTEM)
    assert table(result.report("tsv"), "\t") == table(result.report("csv"))
    assert [len(line.split("\t")) for line in result.report("tsv").splitlines()] == [
        len(EvalbRows.head_fields) + len(EvalbRows.counted) + 3
    ] * 5


@pytest.mark.parametrize("name", ["csv", "tsv"])
def test_quiet_is_the_header_and_the_totals(name):
    result = evaluate(GOLD, SYSTEM)
    lines = result.report(name).splitlines()
    assert result.report(name, quiet=True).splitlines() == [lines[0], lines[-1]]


def test_a_sentence_that_one_side_does_not_have():
    rows = table(evaluate(["(S (A a))", "(S (B b))"], ["(S (A a))"]).report("csv"))
    alone = next(row for row in rows if row["unaligned"] == "1")
    assert (alone["gold_from"], alone["gold_to"], alone["system_from"], alone["system_to"]) == (
        "2",
        "2",
        "",
        "",
    )
    assert rows[-1]["unaligned"] == "1"
    rows = table(evaluate(["(S (A a))", "(S (B b))"], ["(S (A a))", "(S"], on_error="skip").report("csv"))
    assert [row["unparsed"] for row in rows] == ["0", "1", "1"]


def test_no_bracket_at_all():
    result = evaluate(["(A a)"], ["(A a)"])
    rows = table(result.report("csv"))
    assert [row["sentence"] for row in rows] == ["1", "total"]
    assert (rows[1]["gold"], rows[1]["f1"]) == ("0", "")
    assert "Bracketing FMeasure       =      -        -\n" in result.report()
    assert result.report(verbose=True).count("Bracketing FMeasure       =   0.00\n") == 2
    # The text report has a dash for what is undefined.
    sums = result.report().splitlines()[5]
    assert sums.split()[:5] == ["-", "-", "0", "0", "0"]
    assert "|  **total** |" in result.report("markdown")
    assert "Bracketing F1 & -- & --" in " ".join(result.report("latex").split())


def test_labels_with_signs_that_mean_something():
    tree = r"(S (NP|<x> (A a)) (P_$ (B b)) (%&#~^\ (C c)) (*{}[ (D d)) (`' (E e)))"
    result = evaluate([tree], [tree], by_label=True)
    text = result.report("markdown")
    rows = [line for line in text.split("## Labels")[1].splitlines() if line.startswith("|")]
    assert {line.replace(r"\|", "").count("|") for line in rows} == {11}
    cells = {line.replace(r"\|", "\0").split("|")[1].strip().replace("\0", r"\|") for line in rows[2:]}
    assert cells == {"S", r"NP\|&lt;x&gt;", r"P\_\$", r"%&amp;\#\~^\\", r"\*\{\}\[", r"\`'"}
    text = result.report("latex")
    for label in (
        r"NP\textbar{}\textless{}x\textgreater{}",
        r"P\_\$",
        r"\%\&\#\textasciitilde{}\textasciicircum{}\textbackslash{}",
        r"{*}\{\}{[}",
        r"\textasciigrave{}\textquotesingle{}",
    ):
        assert f"\n{label} " in text


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "＝", "\t=", " ="])
def test_formulas_are_text_in_a_spreadsheet(sign):
    shown = spreadsheet_cell(f"{sign}1+1")
    assert shown.startswith(("'", "\\x09"))
    tree = Tree.parse("(S (A a) (B b))")
    named = Tree(
        tree.labels, tree.parents, tree.starts, tree.ends, tree.words, tree.word_parents, id=f"{sign}1+1"
    )
    result = evaluate_with_gaps([named], [named])
    for name, delimiter in (("csv", ","), ("tsv", "\t")):
        rows = table(result.report(name), delimiter)
        assert rows[0]["id"] == shown
        assert (rows[0]["overall_f1"], rows[-1]["sentence"]) == ("100.00", "total")


def test_labels_are_escaped_as_formulas():
    found = evaluate(["(S (NP (A a)) (B b))"], ["(S (+X (A a)) (B b))"], by_label=True, metrics="brackets")
    rows = [line.split(",") for line in found.report("csv").splitlines() if line.startswith("labels,")]
    assert [(row[1], row[-1]) for row in rows] == [("NP", "'+X:1"), ("S", ""), ("'+X", "")]


@pytest.mark.parametrize(("name", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_names_of_systems_are_escaped_in_headers(name, delimiter):
    gold, systems = ["(S (A a))"], {"=cmd": ["(S (A a))"], "b": ["(X (A a))"]}
    found = compare(gold, systems, test=None, analysis=True).report(name)
    headers = [line.split(delimiter) for line in found.splitlines() if f"{delimiter}b" in line]
    cells = {cell for header in headers for cell in header}
    assert "'=cmd" in cells
    assert "=cmd" not in cells


def test_pairs_of_references_have_two_columns_for_programs_and_one_for_readers():
    gold = ["(S (A a))"]
    found = evaluate(gold, gold, more_gold=[gold], metrics="brackets")
    assert "\nagreement,reference 1,reference 2,100.00," in found.report("csv")
    assert "\n| reference 2 against reference 1 | 100.00 |" in found.report("markdown")
    assert "\nreference 2 against reference 1 100.00 " in found.report()


def test_negative_numbers_stay_numbers():
    result = evaluate(["(S (A a))"], ["(S (B b) (C c) (D d) (E e))"], pair="order")
    row = table(result.report("csv"))[0]
    assert float(row["nodes"]) < 0
    assert f"${row['nodes']}$" in result.report("latex")
    assert f"| {row['nodes']} |" in " ".join(result.report("markdown").split())


def test_text_stays_on_its_line():
    named = Tree(("S",), (-1,), (0,), (1,), ("a",), (0,), id='x,"y"\n\t\x1b[31m\u202e')
    for name in ("csv", "tsv"):
        text = evaluate_with_gaps([named], [named]).report(name)
        assert text.count("\n") == 3
        assert not any(sign in text for sign in "\x1b\u202e\r")
    text = evaluate_with_gaps([named], [named]).report("csv")
    assert table(text)[0]["id"] == 'x,"y"\\x0a\\x09\\x1b[31m\\u202e'
    # What belongs to a language stays.
    assert visible("می\u200cروم क\u094dष\u200d a\u00a0b") == "می\u200cروم क\u094dष\u200d a\u00a0b"


def test_columns_of_a_terminal():
    # Joiners and marks take none, Chinese signs two.
    widths = {"": 0, "abc": 3, "né": 2, "می\u200cروم": 5, "क\u094dष": 2, "猫だ": 4}
    assert {text: width_of(text) for text in widths} == widths
    assert (padded("né", 4), padded("猫", 4, right=True), padded("long", 2)) == ("né  ", "  猫", "long")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["שלום", "."], True),
        (["كتب", "PC", "12"], True),
        (["hello", "שלום"], False),
        (["123", "."], False),
        ([], False),
        (["日本語"], False),
        (["NEIM", "HL"], False),
        # Letters count one each, and other signs nothing.
        (["א"], True),
        (["שלום", "éàü"], True),
        (["שלום", "čtyř"], False),
        (["אב", "——…"], True),
        (["——…"], False),
    ],
)
def test_right_to_left(words, expected):
    assert right_to_left(words) is expected


def test_numbers_have_fifteen_ascii_digits_or_less():
    texts = ("9" * 15, "007", "9" * 16, "\u0663", "+1", "")
    assert list(map(number_of, texts)) == [10**15 - 1, 7, None, None, None, None]


def test_names_of_utf8():
    assert all(map(is_utf8, (None, "utf8", "UTF-8", "utf_8_sig")))
    assert not any(map(is_utf8, ("latin-1", "utf-16", "cp1252")))


def test_skipped_sentences_are_named():
    result = evaluate(["(S (A a))", "(S (B b))"], ["(S (A a))"])
    assert "\n- unaligned: gold sentence 2\n" in result.report("markdown")
    assert "\n% unaligned: gold sentence 2\n" in result.report("latex")


def test_exact_lines_of_skipped_sentences():
    letters = [f"(S (A {letter * 3}))" for letter in "abcdefghijkl"]
    # Gold lacks a partner for b to d, f, h, i, k and l: three stretches of several beads, two of one.
    result = evaluate(letters, [letters[place] for place in (0, 4, 6, 9)])
    assert left_out(result) == (
        "unaligned: gold sentences 2-4",
        "unaligned: gold sentence 6",
        "unaligned: gold sentences 8-9",
        "unaligned: gold sentences 11-12",
    )
    back = evaluate(letters[::2], letters)
    assert left_out(back)[0] == "unaligned: system sentence 2"
    assert left_out(back)[5:] == ("unaligned: and 1 more",)
    gold = ["(S (A it))", *[f"(S (A {sign * 2}) (B cdefg))" for sign in "klmnop"], "(S (B rains))"]
    result = evaluate(gold, [line.replace("cdefg", "vwxyz") for line in gold])
    assert left_out(result)[0] == (
        "unlike: gold sentence 2, system sentence 2: 29 % of the characters are equal"
    )
    assert left_out(result)[5:] == ("unlike: and 1 more",)
    # Three of eleven.
    gold = ["(S (A it) (B rains))", "(S (A abcdefghijk))", "(S (A it) (B rains))"]
    (told,) = left_out(evaluate(gold, [gold[0], "(S (A abcuvwxyzmn))", gold[2]], align_ratio=0.5))
    assert told.endswith(": 27 % of the characters are equal")
    gold, system = [*letters, *["(S"] * 3], [*letters, *["(S"] * 3]
    result = evaluate(gold, system, on_error="skip")
    assert [line.partition(": the tree")[0] for line in left_out(result)] == [
        "unreadable: gold sentence 13",
        "unreadable: system sentence 13",
        "unreadable: gold sentence 14",
        "unreadable: system sentence 14",
        "unreadable: gold sentence 15",
        "unreadable: and 1 more",
        "invalid: 3 (sentences 13, 14, 15)",
    ]
    assert "| Unparsed sentences | 6 | 6 |" in " ".join(result.report("markdown").split())
    assert "Unparsed gold sentences = 3\n" in re.sub(" +", " ", result.report(verbose=True))


def blocks(text, delimiter=","):
    """The tables of a file of several: for each its name and its rows."""
    found = []
    for row in csv.reader(io.StringIO(text), delimiter=delimiter):
        if row[0] == "table":
            found.append((None, row[1:], []))
        else:
            name, head, rows = found[-1]
            assert name in (None, row[0])
            found[-1] = (row[0], head, [*rows, dict(zip(head, row[1:], strict=True))])
    return {name: rows for name, _, rows in found}


@pytest.mark.parametrize("name", ["csv", "tsv"])
def test_several_tables_are_blocks_with_their_names(name, tmp_path, capsys):
    (tmp_path / "gold").write_text("(S (NP (DT the) (NN cat)) (VP (VBD sat)))\n")
    (tmp_path / "system").write_text("(S (XP (DT the) (NN cat)) (VP (VBD sat)))\n")
    delimiter = "," if name == "csv" else "\t"
    for option, tables in (
        ("--by-label", ["sentences", "labels"]),
        ("--analysis", ["sentences", "causes", "labels", "confusions", "lengths"]),
    ):
        assert main([str(tmp_path / "gold"), str(tmp_path / "system"), option, "--output", name]) == 0
        text = capsys.readouterr().out
        assert list(blocks(text, delimiter)) == tables
        alone = evaluate(tmp_path / "gold", tmp_path / "system").report(name)
        rows = blocks(text, delimiter)["sentences"]
        # The options are no part of the signature, so that the sentences are those of the one table.
        assert rows == table(alone, delimiter)
        labels = {row["label"]: row for row in blocks(text, delimiter)["labels"]}
        assert {label: (row["gold"], row["system"], row["matched"]) for label, row in labels.items()} == {
            "S": ("1", "1", "1"),
            "NP": ("1", "0", "0"),
            "VP": ("1", "1", "1"),
            "XP": ("0", "1", "0"),
        }
        assert (labels["NP"]["confused"], labels["NP"]["recall"], labels["NP"]["precision"]) == (
            "XP:1",
            "0.00",
            "",
        )
    assert blocks(text, delimiter)["confusions"] == [{"gold": "NP", "system": "XP", "count": "1"}]
    quiet = evaluate(tmp_path / "gold", tmp_path / "system", analysis=True).report(name, quiet=True)
    assert blocks(quiet, delimiter) == {
        **blocks(text, delimiter),
        "sentences": blocks(text, delimiter)["sentences"][-1:],
    }


def test_csv_has_all_the_rows_that_a_table_for_reading_leaves_out():
    names = [f"X{place}" for place in range(30)]
    gold = [f"(S (A (N a) (N b)) ({name} (N c) (N d)))" for name in names]
    system = ["(S (A (N a) (N b)) (Y (N c) (N d)))"] * 30
    result = evaluate(gold, system, analysis=True)
    assert len(blocks(result.report("csv"))["confusions"]) == 30
    text = result.report("markdown", quiet=True)
    table_of = text.split("## Confusions")[1].split("\n## ")[0]
    assert sum(line.startswith("| X") for line in table_of.splitlines()) == 20
    assert "\n- confusions: and 10 more kinds, 10 constituents\n" in text
    assert "\n# and 10 more kinds, 10 constituents\n" in result.report("text", quiet=True)


SIDES = ("(S (NP (DT the) (NN cat)) (VP (VBD sat)))\n", "(S (XP (DT the) (NN cat)) (VP (VBD sat)))\n")


@pytest.fixture
def cats(tmp_path, monkeypatch):
    """A folder with two files that differ in a label."""
    monkeypatch.chdir(tmp_path)
    for name, text in zip(("gold", "system"), SIDES):
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("name", ["csv", "tsv"])
@pytest.mark.parametrize("systems", [["system"], ["system", "gold"], ["system", "gold", "-evalb"]])
def test_each_table_is_a_file_with_its_own_header(name, systems, cats, capsys):
    delimiter = "," if name == "csv" else "\t"
    more = [] if "-evalb" in systems else ["--analysis"]
    call = ["gold", *systems, *more, "--output", name]
    assert cli.main(call) == 0
    text = capsys.readouterr().out
    together = blocks(text, delimiter) if more else {"systems": table(text, delimiter)}
    assert cli.main([*call, "--out", "tables/"]) == 0
    (cats / "there").mkdir()
    assert cli.main([*call, "--out", "there"]) == 0
    assert capsys.readouterr().out == ""
    written = {path.stem: path.read_text() for path in (cats / "tables").iterdir()}
    assert {path.name: path.read_text() for path in (cats / "there").iterdir()} == {
        f"{key}.{name}": text for key, text in written.items()
    }
    assert {key: table(text, delimiter) for key, text in written.items()} == together


def test_one_table_from_the_library():
    result = evaluate([SIDES[0]], [SIDES[1]], analysis=True)
    everything = blocks(result.report("csv"))
    assert table(result.report("csv", table="labels")) == everything["labels"]
    assert table(result.report("tsv", table="sentences"), "\t") == everything["sentences"]
    alone = evaluate([SIDES[0]], [SIDES[1]])
    assert alone.report("csv", table="sentences") == alone.report("csv")
    # A program finds the columns also if there is nothing to report.
    same = evaluate([SIDES[0]], [SIDES[0]], analysis=True)
    assert "confusions" not in blocks(same.report("csv"))
    assert same.report("csv", table="confusions") == "gold,system,count\n"
    systems = compare([SIDES[0]], {"one": [SIDES[1]], "two": [SIDES[0]]}, analysis=True)
    assert table(systems.report("csv", table="causes")) == blocks(systems.report("csv"))["causes"]
    for report in (result.report, systems.report):
        with pytest.raises(
            SettingsError, match="'labels' for the output format json, which cannot write one"
        ):
            report("json", table="labels")
        with pytest.raises(SettingsError, match="got the table 'x'; expected one of s"):
            report("csv", table="x")


def test_a_folder_of_tables_is_written_whole_and_over_no_input(cats, capsys):
    (cats / "bad").write_text(SIDES[1] + "(S (A a)\n")
    (cats / "two").write_text(SIDES[0] * 2)
    assert main(["two", "bad", "--out", "tables/"]) == 1
    assert not (cats / "tables").exists()
    (cats / "gold").rename(cats / "sentences.csv")
    assert main(["sentences.csv", "system", "--out", "./"]) == 2
    assert "is the input file 'sentences.csv'; write to another file" in capsys.readouterr().err
    assert (cats / "sentences.csv").read_text() == SIDES[0]
    assert main(["system", "system", "--out", "system/"]) == 1
    assert capsys.readouterr().err == "jpevalb: system/: cannot make the folder: File exists\n"


def test_tabulate_is_imported_where_it_is_used():
    code = (
        "import sys; from jpevalb.commands.evaluate import main; "
        "main([*sys.argv[1:3], '--quiet']); main([*sys.argv[1:3], '--output', 'latex']); "
        "assert 'tabulate' not in sys.modules; "
        "main([*sys.argv[1:3], '--output', 'markdown']); assert 'tabulate' in sys.modules"
    )
    files = [ROOT / "examples" / name for name in ("gold.mrg", "sys.mrg")]
    done = subprocess.run([sys.executable, "-c", code, *files], cwd=ROOT, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_behind_a_label_are_the_three_that_it_is_confused_with_most():
    gold = ["(S (A (N a) (N b)) (N c))"] * 10
    system = [line.replace("(A", f"({label}") for line, label in zip(gold, "BBBBCCCDDE")]
    text = evaluate(gold, system, by_label=True, metrics="brackets").report(quiet=True)
    (line,) = [line for line in text.splitlines() if line.startswith("A ")]
    assert line.split() == ["A", "10", "0", "0", "10", "0", "0.00", "-", "0.00", "B:4", "C:3", "D:2"]
