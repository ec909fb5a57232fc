"""Citations: every paper that the pages and the package name is in ``docs/references.md``."""

from __future__ import annotations

import re

import pytest

from jpevalb.cli import main
from tests.support.commands import ROOT

ENTRY = re.compile(r"- (?P<names>\D*?) (?P<year>\d{4})\. (?:\[[^]]+\]\(https://\S+\)|[^[]+)\. \S.*")
CITED = re.compile(
    r"(?P<first>[A-Z][\w'-]*?\w)(?:'s)?(?: et al\.|(?:,? [A-Z]\w+)*,? &\s[A-Z]\w+)?,? \(?(?P<year>[12]\d{3})"
)
NO_PAPERS = {"Unicode", "GB", "Python", "CoNLL-", "CoNLL", "Sphinx", "Copyright", "SPMRL"}
FILES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "jpevalb").rglob("*.py")),
]


def entries() -> dict[tuple[str, str], str]:
    """Return the lines of the list by (name of an author, year)."""
    found = {}
    for line in (ROOT / "docs/references.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("- "):
            entry = ENTRY.fullmatch(line)
            assert entry, f"no title or no venue: {line}"
            for name in re.findall(r"[A-ZÀ-Ž][\w'-]+", entry["names"]):
                found[name, entry["year"]] = line
    return found


def test_every_paper_is_in_the_list():
    known = entries()
    missing = {
        (match["first"], match["year"], path.name)
        for path in FILES
        for match in CITED.finditer(path.read_text(encoding="utf-8"))
        if match["first"] not in NO_PAPERS and (match["first"], match["year"]) not in known
    }
    assert sorted(missing) == []


def test_a_citation_is_noticed():
    text = "Source: Yeh 2000, van Cranenburgh et al. 2016; Kim, Dyer & Rush (2019) and O'Neill 2014."
    assert [(match["first"], match["year"]) for match in CITED.finditer(text)] == [
        ("Yeh", "2000"), ("Cranenburgh", "2016"), ("Kim", "2019"), ("O'Neill", "2014"),
    ]  # fmt: skip


def test_cite_prints_the_entry_of_this_version(capsys: pytest.CaptureFixture[str]):
    assert main(["--cite"]) == 0
    printed = capsys.readouterr().out
    version = re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert version is not None
    assert f"  version = {{{version[1]}}},\n" in printed
    assert printed.count("{") == printed.count("}")
