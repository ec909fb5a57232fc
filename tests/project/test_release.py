"""The version is the same everywhere."""

from __future__ import annotations

import re

import pytest

from jpevalb import __version__
from tests.support.commands import ROOT


def first(pattern: str, name: str) -> str:
    found = re.search(pattern, (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None, f"{name} has no line like {pattern}"
    return found[1]


def test_versions_agree():
    assert first(r'^version = "(.*)"$', "pyproject.toml") == __version__
    assert first(r"^version: (.*)$", "CITATION.cff") == __version__
    # Its first section is that of the version.
    assert first(r"^## (\S+)", "CHANGELOG.md") == __version__


def test_documented_targets_are_in_the_makefile():
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", text, re.MULTILINE))
    for name in ("README.md", "CONTRIBUTING.md"):
        page = (ROOT / name).read_text(encoding="utf-8")
        for words in re.findall(r"(?:`|^)make ([a-z -]+)", page, re.MULTILINE):
            assert set(words.split()) <= targets, words


def test_the_workflow_runs_what_a_change_must_pass_and_builds_wheels():
    path = ROOT / ".github" / "workflows" / "ci.yml"
    if not path.exists():
        pytest.skip("a source distribution has no workflows")
    text = path.read_text(encoding="utf-8")
    assert re.findall(r"^ +run: (\.ci/run)$", text, re.MULTILINE) == [".ci/run"]
    assert (ROOT / ".ci" / "run").exists()
    assert re.search(r"uses: pypa/cibuildwheel@v\d", text)
    # The oldest Python that is promised is one of those that it runs on.
    oldest = first(r'^requires-python = ">=(.*)"$', "pyproject.toml")
    assert f'python: ["{oldest}", ' in text


def test_a_tag_publishes_what_was_built_and_tested():
    path = ROOT / ".github" / "workflows" / "ci.yml"
    if not path.exists():
        pytest.skip("a source distribution has no workflows")
    publish = path.read_text(encoding="utf-8").partition("\n  publish:\n")[2]
    # Without the tagged jobs there is nothing to publish, and no password is stored.
    assert "needs: [wheels, sdist]" in publish
    assert "id-token: write" in publish
    assert "pypa/gh-action-pypi-publish@" in publish
    assert "password" not in publish.replace("no password", "")
