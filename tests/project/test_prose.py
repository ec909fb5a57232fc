"""README.md, CONTRIBUTING.md and docs/: usual words, and modules that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.commands import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```[^\n]*\n.*?^```$", re.MULTILINE | re.DOTALL)
STUMBLES = re.compile(r"\b(told|said|(?:is|are) none|of (?:its|their) own|in any case)\b", re.IGNORECASE)
"""Words that make a reader stumble; the usual words are report, print, list, no, separate."""

MADE = {"docs/_build/html/api.html"}
"""Files that a command of the pages makes."""


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_use_the_usual_words(path: Path):
    prose = re.sub(r"`[^`\n]*`", "", BLOCK.sub("", path.read_text(encoding="utf-8")))
    assert [found[0] for found in STUMBLES.finditer(prose)] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_files_that_pages_name_exist(path: Path):
    text = BLOCK.sub("", path.read_text(encoding="utf-8"))
    for name in re.findall(r"`((?:jpevalb|tests|docs|golden_outputs)/[\w/.-]*)`", text):
        # A last part in capitals stands for any name.
        assert name in MADE or (ROOT / re.sub(r"[A-Z]+$", "", name)).exists(), name


@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("*.md")), ids=lambda path: path.name)
def test_pages_begin_with_what_a_reader_can_do_and_an_example(path: Path):
    text = path.read_text(encoding="utf-8")
    if path.name in ("index.md", "options.md"):
        return
    beginning = text.partition("```")[0]
    assert re.search(r"^After this page you ", beginning, re.MULTILINE)
