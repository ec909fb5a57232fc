"""README.md, CONTRIBUTING.md and docs/: usual words, and modules that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.commands import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```[^\n]*\n.*?^```$", re.MULTILINE | re.DOTALL)
STUMBLES = re.compile(
    r"\b(told|said|(?:is|are) none|of (?:its|their) own|in any case|after this page|private scripts?|"
    r"face to face|stands? alone|yardstick|wins against)\b",
    re.IGNORECASE,
)
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
    for name in re.findall(r"`((?:jpevalb|tests|docs|golden_outputs|examples)/[\w/.-]*)`", text):
        # A last part in capitals stands for any name.
        assert name in MADE or (ROOT / re.sub(r"[A-Z]+$", "", name)).exists(), name


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_are_not_appositions(path: Path):
    """``tables: [reports](reports.md)`` reads as if the page were a table; "See [reports]." does not."""
    prose = BLOCK.sub("", path.read_text(encoding="utf-8"))
    found = re.findall(r"[^\n|]*: \[[^]]*\]\([^)]*\)\.(?: |$)", prose, re.MULTILINE)
    assert [line for line in found if not line.startswith("- ")] == []
