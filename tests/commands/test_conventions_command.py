"""``--convention`` of the command, in each format."""

from __future__ import annotations

import csv
import json

import pytest

from jpevalb import conventions
from jpevalb.report.conventions import sheet_of
from jpevalb.report.writers import html_of as html_of_sheet
from jpevalb.settings.convention import PRESETS, PURPOSES, TOOLS
from tests.support.commands import jpevalb as run


def jpevalb(*words):
    """Run the command; its output as text."""
    done = run(*words)
    done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
    return done


GOLD = "(ROOT (S (NP-SBJ (NN a)) (VP (VB b)) (. .)))\n"
ONE = GOLD.replace("-SBJ", "")
OTHER = GOLD.replace("VP", "X")


@pytest.fixture
def files(tmp_path):
    paths = [tmp_path / name for name in ("gold", "one", "other")]
    for path, text in zip(paths, (GOLD, ONE, OTHER)):
        path.write_text(text)
    return list(map(str, paths))


def test_the_list():
    done = jpevalb("--convention")
    assert done.returncode == 0
    conventions, presets = done.stdout.split("\n\n")
    assert [line.split()[0] for line in conventions.splitlines()[2:]] == list(TOOLS)
    assert [line.split()[0] for line in presets.splitlines()[2:-2]] == list(PRESETS) == list(PURPOSES)
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "Stanza, CoreNLP" in done.stdout


def test_text(files):
    done = jpevalb(*files[:2], "--convention", "supar,evalb", "--published", "75")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "-- Conventions --"
    assert lines[1].split()[:3] == ["Convention", "F1", "sents"]
    assert lines[2].split()[:3] == ["evalb", "100.00", "1"]
    assert lines[3].split()[:3] == ["supar", "75.00*", "1"]
    assert max(map(len, lines)) <= 80
    assert "labels as written" in lines[3]
    assert lines[4] == "# published 75.00, within 0.05 (*): supar"


def test_json(files):
    done = jpevalb(*files[:2], "--convention", "all", "--as", "json")
    rows = json.loads(done.stdout)["conventions"]
    assert {row["name"] for row in rows} == set(TOOLS)
    by_name = {row["name"]: row for row in rows}
    row = by_name["supar"]
    assert (row["recall"], row["precision"], row["f1"], row["complete_match"], row["sentences"]) == (
        *(0.75, 0.75, 0.75, 0.0, 1),
    )
    assert row["tag_accuracy"] is None
    assert by_name["jpevalb"]["f1"] == 1.0


def test_tables(files):
    rows = list(csv.reader(jpevalb(*files[:2], "--convention", "all", "--as", "csv").stdout.splitlines()))
    assert rows[0] == [
        *("convention", "recall", "precision", "f1", "complete_match", "tag_accuracy", "sentences", "differs")
    ]
    assert len(rows) == 1 + len(TOOLS)
    figures = [float(row[3] or -1) for row in rows[1:]]
    assert figures == sorted(figures, reverse=True)
    assert {row[0]: row[-1] for row in rows}["evalb"] == ""
    assert "| supar" in jpevalb(*files[:2], "--convention", "supar,supar", "--as", "markdown").stdout
    lines = jpevalb(*files[:2], "--convention", "supar,supar", "--as", "latex").stdout.splitlines()
    cells = [[cell.strip() for cell in line.split("&")][:4] for line in lines if line.startswith("supar")]
    assert cells[0] == ["supar", "75.00", "75.00", "75.00"]


def test_a_page(files, tmp_path):
    path = tmp_path / "table.html"
    named = ["--convention", "supar,evalb", "--names", "<b>"]
    assert jpevalb(*files[:2], *named, "-o", str(path)).returncode == 0
    text = path.read_text()
    assert text.startswith("<!DOCTYPE html>")
    assert '<th scope="row">supar</th><td>75.00</td>' in text
    assert "<h1>Conventions</h1>" in text
    assert "<script" not in text
    several = ["--convention", "supar,evalb", "--names", "<b>,B"]
    jpevalb(*files, *several, "-o", str(path))
    text = path.read_text()
    assert "<b>" not in text
    assert "&lt;b&gt;" in text


def test_several_systems(files):
    done = jpevalb(*files, "--convention", "evalb,supar", "--names", "A,B")
    assert done.stdout.splitlines()[1].split()[:3] == ["Convention", "A", "B"]
    assert "# A > B: evalb\n# A = B: supar\n" in done.stdout
    done = jpevalb(*files, "--convention", "evalb,benepar", "--names", "A,B")
    assert "# the 2 conventions that score all systems rank them alike: A > B" in done.stdout
    found = json.loads(jpevalb(*files, "--convention", "evalb,supar", "--as", "json").stdout)
    assert [row["system"] for row in found["conventions"]] == ["one", "other", "one", "other"]
    assert found["rankings"] == [
        {"systems": [["one"], ["other"]], "conventions": ["evalb"]},
        {"systems": [["one", "other"]], "conventions": ["supar"]},
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--convention", "evalbb"], "unknown convention 'evalbb'; did you mean evalb?"),
        (["--convention", "all", "--analysis"], "--analysis does not go with a table of conventions; "),
        (["--convention", "all", "--prm", "nk"], "--prm does not go with a table of conventions; "),
        (["--convention", "all", "--out", "./"], "--out ./: a table of conventions is one file; "),
        (["--convention", "all", "--names", "A,B"], "--names A,B: got 2 different names for 1 system"),
        (["--published", "68.3x"], "got '68.3x'"),
    ],
)
def test_errors(files, words, message):
    done = jpevalb(*files[:2], *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_page_of_one_system_has_the_table(files, tmp_path, monkeypatch):
    done = jpevalb(*files[:2], "--as", "html")
    assert (done.returncode, done.stderr) == (0, "")
    fold = done.stdout.partition("F1 by the rules of other tools: ")[2].partition("</details>")[0]
    assert fold.startswith("66.67 to 100.00</summary>")
    assert '<th scope="row">supar</th><td>75.00</td>' in fold
    for without in (["--quiet"], ["--convention", "supar"], ["--repair"]):
        assert "rules of other tools" not in jpevalb(*files[:2], "--as", "html", *without).stdout
    from jpevalb.commands import evaluate as command

    monkeypatch.setattr(command, "MOST_OF_CONVENTIONS", 50)
    assert "rules of other tools" not in html_of(files[:2], tmp_path)


def exported(*ids):
    """Return sentences of different words in the export format."""
    return "".join(
        [
            f"#BOS {id}\n{'w' * id}\tN\t--\tHD\t500\nv\tV\t--\tHD\t0\n#500\tNP\t--\t--\t0\n#EOS {id}\n"
            for id in ids
        ]
    )


CORPORA = {
    "other sentence ends": (
        "(S (N a) (V b) (N c))\n(S (V d))\n(S (N e))\n",
        "(S (N a))\n(S (V b) (N c) (V d))\n(S (N e))\n",
        {},
    ),
    "gold has more": ("(S (N a) (V b))\n(S (N c))\n", "(S (N a) (V b))\n", {}),
    "an error": (
        "(S (N a) (V b))\n(S (N c))\n(S (N d))\n",
        "(S (N a) (V b))\n(S (N c\n(X (N d))\n",
        {"on_error": "skip"},
    ),
    "traces": ("(S (NP (-NONE- *)) (VP (V b)))\n", "(S (VP (V b)))\n", {}),
    "gaps": ("(S (X (N 0=a) (V 2=c)) (N 1=b))\n", "(S (N 0=a) (X (V 2=c) (N 1=b)))\n", {}),
    "by id": (exported(1, 2), exported(2, 1), {"format": "export"}),
    "a parameter file": ("(S (NP (N a)) (ADVP (V b)))\n", "(S (NP (N a)) (PRT (V b)))\n", {"prm": "COLLINS"}),
    "gold without tags": ("(S (X a b) c)\n", "(S (X (N a)) (V b) (N c))\n", {}),
}


@pytest.mark.parametrize("case", CORPORA)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_table_of_a_page_is_that_of_the_files(case, jobs, tmp_path):
    gold, system, options = CORPORA[case]
    paths = [tmp_path / "gold", tmp_path / "sys"]
    for path, text in zip(paths, (gold, system)):
        path.write_text(text)
    words = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    done = jpevalb(*map(str, paths), "--as", "html", "--jobs", jobs, *words)
    assert done.returncode == 0
    reading = {name: value for name, value in options.items() if name in ("on_error", "format")}
    table = conventions(paths[0], {"sys": paths[1]}, **reading)
    assert html_of_sheet(sheet_of(table)) in done.stdout


def html_of(files, folder):
    from jpevalb.cli import main

    assert main([*files, "--as", "html", "--out", str(folder / "page.html")]) == 0
    return (folder / "page.html").read_text()
