"""The API page: every public name, every attribute of a result, types that resolve."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys

import pytest

import jpevalb
from jpevalb.base.counts import Counts
from jpevalb.metrics import metric_of
from jpevalb.settings.settings import REGISTRY
from tests.support.commands import ROOT

pytestmark = pytest.mark.slow

INTERNAL = {
    *("plain", "shown", "length_column", "json_keys"),
    *("picked", "of_bead", "moved", "numbers", "columns"),
}
"""Members that a run needs of its results; ``docs/conf.py`` excludes them, too."""

SELECTED = {"jpevalb.Settings", "jpevalb.Convention"}
"""Classes of which the page selects the members."""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Build the page of ``docs/api.md``, without the other pages."""
    for module in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(module)
    folder = tmp_path_factory.mktemp("pages")
    build = [
        "-q",
        "-b",
        "html",
        "-D",
        "root_doc=api",
        "-D",
        "include_patterns=api.md",
        str(ROOT / "docs"),
        str(folder),
    ]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *build], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    # Links to the other pages lead nowhere in this build.
    assert [line for line in done.stderr.splitlines() if "xref_missing" not in line] == []
    return (folder / "api.html").read_text(encoding="utf-8")


def described(page: str) -> set[str]:
    return set(re.findall(r'<dt[^>]* id="(jpevalb[\w.]*)"', page))


def value_of(name: str) -> object:
    """Return the object of a name that the page describes."""
    parts = name.split(".")
    for size in range(len(parts), 0, -1):
        try:
            value: object = __import__(".".join(parts[:size]), fromlist=["_"])
        except ModuleNotFoundError:
            continue
        for part in parts[size:]:
            value = getattr(value, part)
        return value
    raise AssertionError(name)


def test_types_resolve(page: str):
    assert re.findall(r"[\w.]* object at 0x", page) == []
    assert re.findall(r"Alias for field number \d+", page) == []


@pytest.mark.parametrize("name", sorted(set(jpevalb.__all__) - {"__version__", "legacy", "perturb"}))
def test_every_public_name_is_described(page: str, name: str):
    assert f"jpevalb.{name}" in described(page)


def test_every_attribute_of_a_class_is_described(page: str):
    names = described(page)
    missing = []
    for name in sorted(names):
        value = value_of(name) if name.split(".")[-1][:1].isupper() else None
        if not inspect.isclass(value) or name in SELECTED or issubclass(value, Exception):
            continue
        for kind in value.__mro__:
            if not kind.__module__.startswith("jpevalb") or (kind is Counts and value is not Counts):
                continue
            members = {**inspect.get_annotations(kind), **vars(kind)}
            public = {member for member in members if not member.startswith("_")} - INTERNAL
            missing += [f"{name}.{member}" for member in public if f"{name}.{member}" not in names]
    assert " ".join(sorted(set(missing))) == ""


def test_all_counts_are_described(page: str):
    """``total[metric]`` returns the counts of a metric, which may hold others."""
    for name in REGISTRY:
        metric_of(name)
    kinds, found = [Counts], set()
    while kinds:
        kinds += (kind := kinds.pop()).__subclasses__()
        if kind.__module__.startswith("jpevalb."):
            found.add(kind.__name__)
    assert len(found) > 20
    assert found - {name.split(".")[-1] for name in described(page)} == set()


def test_settings_have_sentences(page: str):
    """A field has the text of ``docs/options.md`` in the spelling of Python."""
    entry = page.partition('id="jpevalb.Settings.pair"')[2].partition("</dl>")[0]
    text = re.sub(r"<[^>]+>", "", entry)
    assert "How to pair sentences." in text
    assert "--" not in text
    assert "gold_times and sys_times" in text
