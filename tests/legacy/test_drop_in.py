"""Output that scripts around evalb rely on."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import ROOT, jpevalb

CASE = ROOT / "golden_outputs" / "evalb" / "corpus-noisy-debug"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with gold, sys and nk.prm."""
    where = tmp_path_factory.mktemp("drop-in")
    shutil.copy(CASE / "gold", where / "gold")
    shutil.copy(CASE / "sys", where / "pred")
    shutil.copy(ROOT / "params" / "nk.prm", where / "nk.prm")
    return where


@pytest.fixture(scope="module")
def bin_folder(tmp_path_factory):
    """A folder with the command as pip writes it, and links called evalb and evalb_spmrl."""
    where = tmp_path_factory.mktemp("bin")
    script = where / "jpevalb"
    script.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\n"
        "from jpevalb.cli import run\nif __name__ == '__main__':\n    sys.exit(run())\n"
    )
    script.chmod(0o755)
    for name in ("evalb", "evalb_spmrl"):
        os.symlink(script, where / name)
    return where


@pytest.fixture(scope="module")
def report(folder):
    done = jpevalb("-p", "nk.prm", "gold", "pred", cwd=folder)
    assert done.returncode == 0
    return done.stdout.decode()


def test_regular_expressions_at_line_start(report):
    found = {
        name: re.findall(rf"^{name}\s+=\s+(\d+\.\d+)", report, re.MULTILINE)
        for name in ("Bracketing Recall", "Bracketing Precision", "Bracketing FMeasure", "Tagging accuracy")
    }
    assert {name: len(values) for name, values in found.items()} == dict.fromkeys(found, 2)
    recall, precision, f = (
        float(found[f"Bracketing {name}"][0]) for name in ("Recall", "Precision", "FMeasure")
    )
    assert f == pytest.approx(2 * recall * precision / (recall + precision), abs=0.011)


def test_rows_of_twelve_fields_sum_up(report):
    rows = [line.split() for line in report.splitlines()]
    rows = [row for row in rows if len(row) == 12 and row[0].isdigit()]
    assert [int(row[0]) for row in rows] == list(range(1, len(rows) + 1))
    matched, gold, system = (sum(int(row[column]) for row in rows) for column in (5, 6, 7))
    recall = re.search(r"^Bracketing Recall\s+=\s+(\S+)", report, re.MULTILINE)
    precision = re.search(r"^Bracketing Precision\s+=\s+(\S+)", report, re.MULTILINE)
    assert f"{100 * matched / gold:.2f}" == recall.group(1)
    assert f"{100 * matched / system:.2f}" == precision.group(1)


def test_only_rows_have_twelve_fields(report):
    """The client takes every such line, header included, and would fail to add words."""
    twelve = [line.split() for line in report.splitlines() if len(line.split()) == 12]
    header = [fields for fields in twelve if not fields[0].isdigit()]
    assert header == [["ID", "Len.", "Stat.", "Recal", "Prec.", "Bracket", "gold", "test", "Bracket", "Words",
                       "Tags", "Accracy"]]  # fmt: skip


def test_last_five_characters_of_the_f_measure_line(report):
    line = next(line for line in report.splitlines() if "FMeasure" in line)
    assert 0 < float(line[-5:]) < 100


def test_three_header_lines_then_rows_until_the_rule(report):
    lines = report.splitlines()[3:]
    rows = []
    for line in lines:
        if line.startswith("="):
            break
        rows.append([float(field) for field in line.split()])
    assert len(rows) == len((CASE / "gold").read_bytes().splitlines())
    assert all(len(row) == 12 for row in rows)


def test_splits_into_sections_of_key_and_number(report):
    sections = re.split(r"-- .+ --", report)[1:]
    assert len(sections) == 2
    values = []
    for section in sections:
        pairs = [line.split("=") for line in section.splitlines() if line.strip()]
        values.append({key.strip(): float(value) for key, value in pairs})
    assert [len(section) for section in values] == [12, 12]
    sentences = [section["Number of sentence"] for section in values]
    assert sentences == [len((CASE / "gold").read_bytes().splitlines()), 19]


def test_a_program_named_evalb_in_a_given_folder(folder, bin_folder, report):
    evalb = shlex.quote(str(bin_folder / "evalb"))
    done = subprocess.run(f"{evalb} -p nk.prm gold pred > out", shell=True, cwd=folder, check=False)
    assert done.returncode == 0
    assert (folder / "out").read_text() == report


def test_the_name_alone_makes_it_that_program(folder, bin_folder):
    """No flag and no .prm: evalb's defaults; the other name gives the other dialect."""
    plain = subprocess.run(
        [bin_folder / "evalb", "gold", "pred"], cwd=folder, capture_output=True, check=False
    )
    asked = jpevalb("--dialect", "evalb", "gold", "pred", cwd=folder)
    assert (plain.stdout, plain.stderr) == (asked.stdout, asked.stderr)
    plain = subprocess.run(
        [bin_folder / "evalb_spmrl", "-L", "gold", "pred"], cwd=folder, capture_output=True, check=False
    )
    asked = jpevalb("--dialect", "spmrl", "-L", "gold", "pred", cwd=folder)
    assert plain.stdout == asked.stdout
    assert plain.stdout.endswith(b"file: pred\n")


def test_changing_one_word(folder):
    """`evalb -p X gold test` and `jpevalb gold test -evalb X` print the same."""
    for prm in ("nk.prm", "COLLINS.prm", "new.prm"):
        old = jpevalb("-p", prm, "gold", "pred", cwd=folder)
        new = jpevalb("gold", "pred", "-evalb", prm, cwd=folder)
        assert (old.stdout, old.stderr, old.returncode) == (new.stdout, new.stderr, new.returncode)


def test_bundled_file_comes_second(folder, tmp_path):
    """An existing path wins over the bundled file of the same name."""
    shutil.copy(folder / "gold", tmp_path / "gold")
    shutil.copy(folder / "pred", tmp_path / "pred")
    bundled = jpevalb("gold", "pred", "-evalb", "COLLINS.prm", cwd=tmp_path).stdout
    (tmp_path / "COLLINS.prm").write_text("LABELED 0\n")
    own = jpevalb("gold", "pred", "-evalb", "COLLINS.prm", cwd=tmp_path).stdout
    assert bundled != own
    assert own == jpevalb("-p", Path("COLLINS.prm"), "gold", "pred", cwd=tmp_path).stdout
    # Without a name it is the bundled one.
    assert jpevalb("gold", "pred", "-evalb", cwd=tmp_path).stdout == bundled


def compared(text):
    """Parse a report as a program that compares two systems does: rows of twelve numbers by id."""
    rows = {}
    for line in text.splitlines():
        fields = line.split()
        if len(fields) == 12 and all(re.fullmatch(r"[0-9]+(\.[0-9]+)?", field) for field in fields):
            rows[int(fields[0])] = [float(field) for field in fields]
    return rows


def test_two_reports_are_compared_row_by_row(folder):
    """A randomised comparison shuffles rows of two reports and computes its figures from their counts."""
    reports = [jpevalb("-p", "nk.prm", "gold", name, cwd=folder).stdout.decode() for name in ("pred", "gold")]
    rows = [compared(text) for text in reports]
    assert list(rows[0]) == list(rows[1]) == list(range(1, len(rows[0]) + 1))
    for row, other in zip(rows[0].values(), rows[1].values()):
        if row[2] == other[2] == 0:
            # Length, gold brackets and words are the gold sentence's.
            assert (row[1], row[6], row[9]) == (other[1], other[6], other[9])
    for text, found in zip(reports, rows):
        matched, gold, test = (sum(row[place] for row in found.values()) for place in (5, 6, 7))
        assert f"Bracketing Recall         = {100 * matched / gold:6.2f}" in text
        assert f"Bracketing Precision      = {100 * matched / test:6.2f}" in text


def test_rows_have_twelve_numbers_whatever_is_in_them(tmp_path):
    """Errors, skipped sentences, words without brackets, and numbers wider than their columns."""
    long = "(S " + "(NN w) " * 1200 + ")"
    gold = [
        "(S (NN a))",
        "(S (NN a))",
        "(NN a)",
        "(S (NN a) (NN b))",
        long,
        "(S " * 1200 + "(NN a)" + ")" * 1200,
    ]
    system = ["(S (NN a))", "(())", "(NN a)", "(S (NN a))", long, "(S (NN a))"]
    gold += ["(S (NN a))"] * 10_000
    system += ["(S (NN a))"] * 10_000
    (tmp_path / "gold").write_text("\n".join(gold) + "\n")
    (tmp_path / "sys").write_text("\n".join(system) + "\n")
    done = jpevalb("-p", "COLLINS.prm", "gold", "sys", cwd=tmp_path)
    assert done.returncode == 0
    rows = compared(done.stdout.decode())
    assert list(rows) == list(range(1, len(gold) + 1))
    assert [rows[number][2] for number in range(1, 7)] == [0, 2, 0, 1, 0, 0]
    assert [rows[5][place] for place in (1, 9)] == [1200, 1200]
    assert rows[6][5:8] == [1, 1200, 1]
