"""Two folders on the command line."""

from __future__ import annotations

import csv
import io
import json

import pytest

from jpevalb import evaluate
from jpevalb.cli import main
from tests.support.treebanks import alpino_xml, gapped_treebanks, noisy_treebanks


@pytest.fixture
def folders(folder):
    gold, system = noisy_treebanks(1, 30, 0.05)
    for name, side in (("gold", gold), ("sys", system)):
        (folder / name / "sub").mkdir(parents=True)
        (folder / name / "a.mrg").write_text("\n".join(side[:10]) + "\n")
        (folder / name / "sub" / "b.mrg").write_text("\n".join(side[10:]) + "\n")
        (folder / name / ".hidden").write_text("(")
    (folder / "gold.mrg").write_text("\n".join(gold) + "\n")
    (folder / "sys.mrg").write_text("\n".join(system) + "\n")
    return folder


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_row_for_each_file_and_one_for_all(folders, capsys, jobs):
    assert main(["gold/", "sys", "--output", "json", "--jobs", jobs]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["file"] for one in found["files"]] == ["a.mrg", "sub/b.mrg"]
    for one in found["files"]:
        alone = evaluate(f"gold/{one['file']}", f"sys/{one['file']}")
        assert one["f1"] == alone.f1
        assert one["struct_iou"] == alone.figures["struct_iou"]
    whole = evaluate("gold.mrg", "sys.mrg")
    total = {name: value for name, value in found["total"].items() if name in whole.figures}
    assert total == pytest.approx({name: whole.figures[name] for name in total}, nan_ok=True)
    assert found["total"]["sentences"] == sum(one["sentences"] for one in found["files"])


def test_tables(folders, capsys):
    assert main(["gold", "sys", "--metrics", "brackets,tags", "--output", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["file"] for row in rows] == ["a.mrg", "sub/b.mrg", "total"]
    assert "discontinuous_f1" not in rows[0]  # no file has such constituents
    assert main(["gold", "sys", "--metrics", "brackets,tags"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "-- Files --"
    assert lines[1].split()[:2] == ["File", "sentences"]
    assert lines[-2].split()[0] == "total"
    assert lines[-1].startswith("# signature: jpevalb:")


def test_the_total_is_marked_and_figures_have_their_forms(folder, capsys):
    right, wrong = "(S (NP (N a) (N b)) (VP (V c)))", "(S (NP (N a)) (VP (N b) (V c)))"
    for name, lines in (("gold", (right, right)), ("sys", (wrong, right))):
        (folder / name).mkdir()
        for file, line in zip("ab", lines):
            (folder / name / file).write_text(line + "\n")
    assert main(["gold", "sys", "--metrics", "brackets", "--output", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["f1"], row["average_crossing"]) for row in rows] == [
        ("33.33", "1.00"),
        ("100.00", "0.00"),
        ("66.67", "0.50"),
    ]
    assert main(["gold", "sys", "--metrics", "brackets", "--output", "markdown"]) == 0
    assert "| **total** | **2** | **66.67** |" in " ".join(capsys.readouterr().out.split())


def test_folders_of_alpino(folder, capsys):
    gold, system = gapped_treebanks(2, 6)
    for name, side in (("gold", gold), ("sys", system)):
        (folder / name).mkdir()
        for number, tree in enumerate(side):
            (folder / name / f"{number}.xml").write_text(alpino_xml([tree], number + 1))
    assert main(["gold", "sys", "--output", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["files"]) == 6
    assert found["total"]["f1"] == evaluate(gold, system, convention="discontinuous").f1


def test_files_with_other_figures_than_the_first(folders, capsys):
    """A figure of all files together is one that each of them has."""
    tree = "#BOS 1\nthe\tDT\t--\t--\t500\ncat\tNN\t--\t--\t500\n#500\tNP\t--\t--\t0\n#EOS 1\n"
    for side in ("gold", "sys"):
        (folders / side / "c.export").write_text(tree)
    assert main(["gold", "sys", "--output", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert ["token_f1" in one for one in (*found["files"], found["total"])] == [True, False, True, False]
    assert main(["gold", "sys", "--output", "csv"]) == 0
    rows = {row["file"]: row for row in csv.DictReader(io.StringIO(capsys.readouterr().out))}
    assert (rows["c.export"]["f1"], rows["c.export"]["token_f1"]) == ("100.00", "")
    assert int(rows["total"]["sentences"]) == sum(one["sentences"] for one in found["files"])
    assert rows["total"]["token_f1"] == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gold", "sys.mrg"], "gold is a folder and sys.mrg is none; give two folders or two files"),
        (
            ["gold.mrg", "sys"],
            "sys is a folder and gold.mrg is none; for the systems in it write sys/*, "
            "or give two folders or two files",
        ),
        (["gold", "sys", "sys"], "several systems or references as folders; "),
        (["gold", "sys", "--out", "a.html"], "--as html: folders have a table; give text, json"),
        (["gold", "sys", "--score-only"], "--score-only needs two files; leave it out for folders"),
        (["gold", "sys", "--analysis"], "--analysis needs two files; leave it out for folders"),
        (["gold", "sys", "--by-label"], "--by-label needs two files; leave it out for folders"),
        (["gold", "sys", "--test", "none"], "--test needs two files; leave it out for folders"),
        (["gold", "sys", "--cutoff", "40"], "--cutoff needs two files; leave it out for folders"),
        (["gold", "sys", "--convention", "all"], "gold is a folder; a table of conventions needs files"),
        (["gold.mrg", "sys", "--published", "50"], "sys is a folder; a table of conventions needs files"),
    ],
)
def test_what_folders_lack(folders, capsys, arguments, message):
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


def test_missing_files(folders, capsys):
    (folders / "gold" / "c.mrg").write_text("(S (N a))\n")
    (folders / "gold" / "d.mrg").write_text("(S (N a))\n")
    assert main(["gold", "sys"]) == 1
    assert (
        "jpevalb: sys: no file c.mrg and 1 more, which gold has; add or remove it" in capsys.readouterr().err
    )
    (folders / "empty").mkdir()
    (folders / "none").mkdir()
    assert main(["empty", "none"]) == 1
    assert "empty: no files in the folder" in capsys.readouterr().err
