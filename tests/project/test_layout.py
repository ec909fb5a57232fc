"""The layout of the tests: folders that mirror the package, and no test module that imports another."""

from __future__ import annotations

import re
from pathlib import Path

import jpevalb
from tests.mutants import TESTS as TESTED

TESTS = Path(__file__).parents[1]
OTHER_FOLDERS = {"benchmarks", "fuzz", "project", "support", "tools"}


def test_folders_mirror_the_package():
    package = Path(jpevalb.__file__).parent
    rooms = {path.parent.name for path in package.glob("*/__init__.py")}
    folders = {path.parent.name for path in TESTS.glob("*/__init__.py")}
    assert folders - OTHER_FOLDERS <= rooms
    assert not list(TESTS.glob("test_*.py"))


def test_no_test_module_imports_another():
    modules = [*TESTS.rglob("*.py")]
    assert len(modules) > 100
    imports = re.compile(r"^ *(?:from|import) .*(?:\btest_|conftest)\w*", re.MULTILINE)
    found = {path.name: imports.findall(path.read_text(encoding="utf-8")) for path in modules}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_mutants_name_modules_and_tests_that_exist():
    package = Path(jpevalb.__file__).parent
    assert [name for name in TESTED if not (package / f"{name}.py").exists()] == []
    tests = {path.stem for path in TESTS.glob("*/test_*.py")}
    assert {name for names in TESTED.values() for name in names} - tests == set()
