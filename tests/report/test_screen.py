"""The text report on a terminal: six kinds of runs fit into 24 lines of 100 columns, and no line into two."""

from __future__ import annotations

import json
import os
import sys

import pytest

from tests.benchmarks.treebank import make_treebank
from tests.support.commands import COMMAND, jpevalb
from tests.support.json_schema import SCHEMA, errors
from tests.support.terminal import in_terminal

ENVIRONMENT = {name: text for name, text in os.environ.items() if name not in ("COLUMNS", "LINES")}
GAPPED = "(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)))"
WRONG = "(S (VP (VB 0=wake) (NP (PRP 1=me))) (RP 2=up))"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("screen")
    gold = list(make_treebank(140, seed=3))
    wrong = [line.replace("(NP ", "(QP ", number % 3) for number, line in enumerate(gold)]
    (folder / "gold").write_text("\n".join(gold) + "\n")
    (folder / "sys").write_text("\n".join(wrong) + "\n")
    (folder / "sys2").write_text("\n".join(gold[:50] + wrong[50:]) + "\n")
    joined = [f"(S {first} {second})" for first, second in zip(wrong[::2], wrong[1::2])]
    (folder / "tokens").write_text("\n".join(joined) + "\n")
    broken = [
        "I cannot" if number % 9 == 0 else text[: len(text) - number % 4] for number, text in enumerate(wrong)
    ]
    (folder / "answers.jsonl").write_text("".join(json.dumps({"output": text}) + "\n" for text in broken))
    for name, texts in (("gold.disc", [GAPPED] * 60), ("sys.disc", [GAPPED, WRONG] * 30)):
        (folder / name).write_text("\n".join(texts) + "\n")
    return folder


def on_screen(folder, *arguments: str, columns: int = 100) -> str:
    """Return what a call shows on a terminal of 24 lines, below its progress bar."""
    status, text = in_terminal(
        [sys.executable, "-c", COMMAND, *arguments],
        cwd=folder, environment=dict(ENVIRONMENT, TERM="xterm"), columns=columns,
    )  # fmt: skip
    assert status == 0, text
    return text.rpartition("\r")[2]


KINDS = {
    "plain": (["gold", "sys"], "F1 "),
    "other tokens": (["gold", "tokens"], "F1 "),
    "gaps": (["gold.disc", "sys.disc"], "F1 83.33   continuous 88.89   discontinuous 66.67   "),
    "answers": (["gold", "answers.jsonl"], "F1 "),
    "induction": (["gold", "sys", "--convention", "unsupervised"], "sentence-mean F1 "),
    "three systems": (["gold", "sys", "sys2", "tokens", "--samples", "20"], "System"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_screen_fits(folder, kind):
    arguments, headline = KINDS[kind]
    lines = on_screen(folder, *arguments).splitlines()
    assert sum(max(1, -(-len(line) // 100)) for line in lines) < 24
    if kind == "three systems":
        assert lines[0].startswith(headline)
        return
    assert any(line.startswith(headline) for line in lines[-5:])
    assert any(line.startswith("# signature: ") for line in lines[-3:])
    assert "all of them: --rows, or -o r.txt" in "\n".join(lines)
    # In a pipe the same call writes all rows, and the same figures.
    piped = jpevalb(*arguments, cwd=folder).stdout.decode().splitlines()
    figures = [line for line in piped if " = " in line]
    assert figures
    whole = "\n".join(lines).replace("\n    ", " ").splitlines()
    assert set(figures) <= set(whole)
    assert len(piped) > len(lines)


LONG = [f"a-name-of-a-system-that-many-people-would-call-long-{number}" for number in range(12)]
NARROW = {
    **{kind: arguments for kind, (arguments, _) in KINDS.items()},
    "few rows": ["few.gold", "few"],
    "few rows with gaps": ["few.disc", "few.disc"],
    "analysis": ["few.gold", "few", "--analysis"],
    "twelve systems": ["few.gold", *LONG, "--samples", "9"],
    "groups": ["few.gold", *LONG[:4], "--samples", "9", "--group", "first=1,2"],
    "conventions": ["few.gold", "few", "--convention", "all"],
    "conventions of two systems": ["few.gold", "few", "other", "--convention", "evalb,supar"],
    "conventions of three long names": ["few.gold", *LONG[:3], "--convention", "all"],
    "conventions of twelve systems": ["few.gold", *LONG, "--convention", "all"],
}


@pytest.mark.parametrize("kind", NARROW)
def test_no_line_is_wider_than_80_columns(folder, kind):
    wrong = (folder / "sys").read_text().splitlines(keepends=True)[:4]
    gold = (folder / "gold").read_text().splitlines(keepends=True)[:4]
    for name in ("few", "other", *LONG):
        (folder / name).write_text("".join(wrong))
    (folder / "few.gold").write_text("".join(gold))
    (folder / "few.disc").write_text(f"{GAPPED}\n" * 3)
    lines = on_screen(folder, *NARROW[kind], columns=80).splitlines()
    assert len(lines) > 5
    assert max(map(len, lines)) <= 80


def test_the_headline_of_a_task_comes_first(folder):
    answers, induction = (on_screen(folder, *KINDS[kind][0]) for kind in ("answers", "induction"))
    first = answers[answers.index("=== Summary") :].splitlines()[1:6]
    assert [line.split(" = ")[0].strip() for line in first] == [
        *("Usable answers", "Broken answers", "F1 as written", "F1 repaired", "F1 usable only")
    ]
    assert induction[induction.index("Words") :].splitlines()[1].startswith("Sentence-mean F1 ")
    for empty in ("Tagging", "Discontinuous", "gaps"):
        assert empty not in induction


def test_the_worst_rows_come_first(folder):
    lines = on_screen(folder, "gold", "sys").splitlines()
    rows = [
        line.split() for line in lines[3 : next(n for n, line in enumerate(lines) if line.startswith(" ..."))]
    ]
    assert 1 <= len(rows) <= 5
    errors = [int(row[6]) + int(row[7]) - 2 * int(row[5]) for row in rows]
    assert errors == sorted(errors, reverse=True)
    whole = jpevalb("gold", "sys", cwd=folder).stdout.decode().splitlines()
    of_all = [line.split() for line in whole[3:143]]
    assert max(int(row[6]) + int(row[7]) - 2 * int(row[5]) for row in of_all) == errors[0]
    # The hint is right: this option prints all of them.
    assert on_screen(folder, "gold", "sys", "--rows").splitlines()[3:143] == whole[3:143]
    # What the last lines name is what --view shows first.
    (named,) = [line for line in whole if line.startswith("F1 ")]
    number = named.split("worst: ")[1].split(",")[0]
    shown = jpevalb("gold", "sys", "--view", "worst:3", cwd=folder).stdout.decode()
    assert shown.startswith(f"Sentence {number}:")


def test_without_errors_there_are_no_worst_rows(folder):
    lines = on_screen(folder, "gold", "gold", "--metrics", "brackets").splitlines()
    assert lines[0] == " ... 140 rows; all of them: --rows, or -o r.txt"
    assert not any("worst" in line or "more notes" in line for line in lines)


def test_few_rows_are_all_shown(folder):
    (folder / "few").write_text("(S (NP (NN a)) (VP (VB b)))\n" * 50)
    text = on_screen(folder, "few", "few")
    assert text == jpevalb("few", "few", cwd=folder).stdout.decode()


def test_each_cutoff_has_a_column(folder):
    call = ["gold", "sys", "--metrics", "brackets", "--quiet", "--cutoff"]
    lines = jpevalb(*call, "20,5,10", cwd=folder).stdout.decode().splitlines()
    assert lines[0].split() == ["===", "Summary", "===", "All", "len<=5", "len<=10", "len<=20"]
    columns = [line.split(" = ")[1].split()[:4] for line in lines if line.startswith("Bracketing")]
    for place, cutoff in enumerate(("5", "10", "20"), 2):
        alone = jpevalb(*call, cutoff, cwd=folder).stdout.decode().splitlines()
        assert [line.split(" = ")[1].split()[1] for line in alone if line.startswith("Bracketing")] == [
            row[place - 1] for row in columns
        ]
    assert lines[-2].startswith(f"F1 {columns[2][0]}   up to 5 words {columns[2][1]}   up to 10 words ")
    one, two = (
        jpevalb(*call, "5,10", "--output", "json", "--jobs", jobs, cwd=folder).stdout for jobs in ("1", "2")
    )
    assert one == two
    content = json.loads(one)
    assert errors(content, SCHEMA) == []
    assert (content["cutoff_length"], [item["length"] for item in content["more_cutoffs"]]) == (10, [5])
    (short,) = content["more_cutoffs"]
    assert short["counts"]["sentences"]["length"] < content["cutoff"]["sentences"]["length"]
