"""Runs the examples of README.md and docs/: commands print what stands there, Python runs as doctests."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .commands import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def console_examples():
    """(command, expected output) of each ``$`` line in the console blocks."""
    for page in PAGES:
        for block in blocks(page, "console"):
            for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = example.partition("\n")
                yield command, output


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """The commands on the path, as pip would put them there."""
    folder = tmp_path_factory.mktemp("path")
    for name, home in (("jpevalb", "jpevalb.cli:run"), ("jpevalb-average", "jpevalb.average_command:run")):
        module, function = home.split(":")
        script = folder / name
        script.write_text(
            f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\n"
            f"from {module} import {function}\nif __name__ == '__main__':\n    sys.exit({function}())\n"
        )
        script.chmod(0o755)
    return dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}", COLUMNS="110")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A folder that looks like the checkout and may be written to."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("golden_outputs", "params"):
        os.symlink(ROOT / name, folder / name)
    return folder


@pytest.mark.parametrize(
    ("command", "expected"), list(console_examples()), ids=lambda text: text.split("\n")[0][:90]
)
def test_console_example(command: str, expected: str, environment, checkout: Path):
    done = subprocess.run(
        command, shell=True, cwd=checkout, env=environment, capture_output=True, check=False, timeout=120
    )
    found = done.stdout.decode() + done.stderr.decode()
    # A line of three dots stands for any number of lines.
    pattern = r"(?:.*\n)*?".join(map(re.escape, expected.split("...\n")))
    assert re.fullmatch(pattern, found), f"printed:\n{found}\nexpected:\n{expected}"


@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.name
)
def test_python_examples(page: Path, monkeypatch):
    monkeypatch.chdir(ROOT)
    parser = doctest.DocTestParser()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    test = parser.get_doctest("\n".join(blocks(page, "python")), {}, page.name, str(page), 0)
    assert test.examples
    runner.run(test)
    assert runner.failures == 0


def test_every_option_is_in_the_readme():
    from jpevalb.options import parser

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    options = [action.option_strings[-1] for action in parser()._actions if action.option_strings]
    assert [option for option in options if f"`{option}" not in text and option != "--help"] == []
