"""Misspelled options of the library's calls are found by type checkers."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from jpevalb.settings.params import Params
from jpevalb.settings.settings import Settings
from tests.support.commands import ROOT

pytestmark = pytest.mark.slow

WIDER = {"metrics": "str | Sequence[str]"}
WIDER |= dict.fromkeys(("punctuation", "cut_at", "drop_subtrees", "only_tags"), "str | Iterable[str]")
"""Types of calls, which are converted to those of the fields."""


def annotations(path, name):
    """Return the annotations of a class as they are written."""
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef) and node.name == name:
            return {
                item.target.id: ast.unparse(item.annotation)
                for item in node.body
                if isinstance(item, ast.AnnAssign)
            }
    raise AssertionError(f"{path} has no class {name}")


def test_options_are_the_fields_of_settings():
    fields = annotations("jpevalb/settings/settings.py", "Settings")
    assert annotations("jpevalb/settings/keywords.py", "Options") == {**fields, **WIDER}
    assert list(fields) == list(Settings.__match_args__)


def test_a_comparison_takes_the_fields_of_params_too():
    fields = annotations("jpevalb/settings/params.py", "Params")
    more = set(fields) - {"name", "messages", "cutoff"} | {"dialect"}
    assert set(annotations("jpevalb/comparison/__init__.py", "CompareOptions")) == more
    assert Params().replace(**{name: getattr(Params(), name) for name in more - {"dialect"}}) == Params()


CALLS = """\
import jpevalb
trees = ["(S (A a))"]
jpevalb.evaluate(trees, trees, metrics="brackets", cutoff=20, punctuation=".", prm=jpevalb.Params())
jpevalb.compare(trees, [trees], lang="ko", dialect="spmrl", labeled=False)
jpevalb.Evaluator(unlabeled=True)
jpevalb.Settings.preset("ptb", by_label=True).replace(least_words=2)
jpevalb.evaluate(trees, trees, metrcs="brackets")
jpevalb.compare(trees, [trees], metrcs="brackets")
jpevalb.Evaluator(metrcs="brackets")
jpevalb.Settings(metrcs="brackets")
jpevalb.Settings.preset("ptb", metrcs="brackets")
jpevalb.Settings().replace(metrcs="brackets")
jpevalb.discontinuous_f1("", "", metrcs="brackets")
jpevalb.evaluate(trees, trees, cutoff="20")
"""


def test_mypy_finds_a_misspelled_option(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "calls.py").write_text(CALLS)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", tmp_path / "calls.py"],
        cwd=ROOT, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    errors = [line for line in done.stdout.splitlines() if "calls.py:" in line and ": error: " in line]
    assert [int(line.split(":")[1]) for line in errors] == [*range(7, 15)], done.stdout
    assert all('"metrcs"' in line for line in errors[:-1])
    assert "cutoff" in errors[-1]
