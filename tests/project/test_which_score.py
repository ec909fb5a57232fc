"""docs/from-evalb.md: each command runs, and its report has the figure."""

from __future__ import annotations

import re

import pytest

from tests.support.commands import ROOT, jpevalb

ROWS = [
    line.strip("| ").split(" | ")
    for line in (ROOT / "docs" / "from-evalb.md").read_text(encoding="utf-8").splitlines()
    if line.count(" | ") == 2 and ("`jpevalb GOLD" in line or "`jpevalb --dialect" in line)
]
FILES = {"G.ctm": "gold.ctm", "S.ctm": "e2e.ctm", "ANSWERS": "answers.jsonl"}
FIELD = "choices.0.message.content"
EXAMPLES = ROOT / "examples"


def test_the_table_has_rows():
    assert len(ROWS) == 13


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_command_prints_its_figure(row):
    task, command, figure = row
    given, *others = re.findall(r"`([^`]+)`", command)
    words = given.split()[1:]
    calls = [words] + [[*words[:-1], other] for other in others]
    system = "e2e.mrg" if "raw text" in task or "speech" in task else "sys.mrg"
    files = {**FILES, "GOLD": "gold.mrg", "SYS": system}
    for call in calls:
        done = jpevalb(*[files.get(word, FIELD if word == "FIELD" else word) for word in call], cwd=EXAMPLES)
        assert done.returncode == 0, done.stderr
        for name in re.findall(r"`([^`]+)`", figure):
            found = re.search(rf"^{re.escape(name)} += +[0-9]", done.stdout.decode(), re.MULTILINE)
            assert found is not None, (call, name)
