"""The layout of the tests: folders that mirror the package, and no test module that imports another."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import jpevalb
from tests.mutants import RESULTS, TESTS as TESTED, module_tests, path_of, read_results, write_results

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


def test_named_tuples_have_no_other_base():
    """Python 3.10 refuses them."""
    for path in Path(jpevalb.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and "NamedTuple" in map(ast.unparse, node.bases):
                assert len(node.bases) == 1, f"{path.name}:{node.lineno}"


def test_mutants_name_modules_and_tests_that_exist():
    assert [name for name in TESTED if not path_of(name).exists()] == []
    tests = {path.stem for path in TESTS.glob("*/test_*.py")}
    assert {name for names in TESTED.values() for name in names} - tests == set()
    rows = read_results(RESULTS.read_text(encoding="utf-8"))[1]
    assert len(rows) > 50
    assert [name for name in rows if not path_of(name).exists()] == []


@pytest.mark.slow
def test_mutants_find_the_tests_of_every_module():
    package = Path(jpevalb.__file__).parent
    modules = [*package.rglob("*.py"), *package.rglob("*.js")]
    assert len(modules) > 100
    # A module that is only a docstring has nothing to change.
    names = [
        path.relative_to(package).as_posix().removesuffix(".py")
        for path in modules
        if path.suffix == ".js" or len(ast.parse(path.read_text(encoding="utf-8")).body) > 1
    ]
    assert [name for name in names if not module_tests(name)] == []
    assert module_tests("metrics/discontinuous") == [
        TESTS / "metrics" / f"test_{name}.py" for name in ("discontinuous", "rates")
    ]
    assert module_tests("metrics/no_such_module") == []


def test_mutants_read_what_they_have_written():
    found = read_results(RESULTS.read_text(encoding="utf-8"))
    assert read_results(write_results(*found)) == found
    assert any(one.survivors for one in found[1].values())
