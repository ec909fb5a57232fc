"""Links of README.md, CONTRIBUTING.md and docs/, as a code host shows them."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.support.commands import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCED = re.compile(r"^( *)(`{3,}|:{3,})[^\n]*\n.*?^ *\2 *$", re.MULTILINE | re.DOTALL)
HEADING_LEVELS = 3
"""Levels of headings that have anchors in the pages that Sphinx makes (``myst_heading_anchors``)."""


def anchors_of(text: str) -> set[str]:
    """Return the anchors that a code host gives to the headings of a page."""
    anchors: set[str] = set()
    counts: Counter[str] = Counter()
    for marks, title in re.findall(r"^(#+) +(.+?) *#*$", FENCED.sub("", text), re.MULTILINE):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        anchor = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        if len(marks) <= HEADING_LEVELS:
            anchors.add(f"{anchor}-{counts[anchor]}" if counts[anchor] else anchor)
        counts[anchor] += 1
    return anchors


def faults_of(path: Path) -> list[str]:
    """Return the faults of a page's links and roles, one line each."""
    faults = []
    text = path.read_text(encoding="utf-8")
    prose = re.sub(r"(``+).*?\1", "code", FENCED.sub("", text), flags=re.DOTALL)
    faults += [f"role {role}" for role in re.findall(r"\{[a-z:]+\}`[^`]*`", prose)]
    prose = re.sub("`[^`]*`", "code", prose)
    links = re.findall(r"(?<!\\)\[([^\[\]]*)\]\(<?([^)>\s]*)[^)]*\)", prose)
    # An image that is a link: its own text counts.
    links += [("image", target) for target in re.findall(r"\]\([^)]*\)\]\(([^)\s]*)\)", prose)]
    links += [("html", target) for target in re.findall(r"""(?:href|src)=["']([^"']*)["']""", prose)]
    for title, target in links:
        if not title.strip():
            faults.append(f"no text: []({target})")
        name, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", name):
            continue
        page = path.parent / name if name else path
        if not page.exists():
            faults.append(f"no such file: {target}")
        elif anchor and anchor not in anchors_of(page.read_text(encoding="utf-8")):
            faults.append(f"no such heading: {target}")
    return faults


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_have_texts_and_lead_somewhere(path: Path):
    assert faults_of(path) == []


def test_anchors_are_those_of_a_code_host():
    text = """# A title: `--option`, and more
## Twice
## Twice
#### Too deep
```sh
# comment
```
### [Link](a.md)
"""
    assert anchors_of(text) == {"a-title---option-and-more", "twice", "twice-1", "link"}


def test_faults_are_found(tmp_path: Path):
    (tmp_path / "other.md").write_text("# One\n")
    (tmp_path / "page.md").write_text("""# Title
[fine](other.md), [fine](other.md#one), [fine](#title), [fine](https://example.org/a#b)
`[](code.md)`, ``{py:x}`y` ``
[](other.md) [ ](#title) [gone](gone.md) [no heading](other.md#two) [no heading](#titel)
![](other.md) [![badge](gone.svg)](gone.html) <img src="gone.png"> {py:func}`jpevalb.read`
```{eval-rst}
:py:class:`fine` {py:func}`fine` [](fine.md)
```
{doc}`other`
""")
    assert faults_of(tmp_path / "page.md") == [
        "role {py:func}`jpevalb.read`",
        "role {doc}`other`",
        "no text: [](other.md)",
        "no text: [](#title)",
        "no such file: gone.md",
        "no such heading: other.md#two",
        "no such heading: #titel",
        "no text: [](other.md)",
        "no such file: gone.svg",
        "no such file: gone.html",
        "no such file: gone.png",
    ]
