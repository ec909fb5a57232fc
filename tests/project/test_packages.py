"""The sdist and the wheel, built and installed in fresh environments.

Left out unless asked for (``make test-packages``): the builds fetch what they
need from a package index.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.packages

ROOT = Path(__file__).parents[2]
CASE = ROOT / "golden_outputs" / "evalb" / "basic-plain"

# Files that the tests of a wheel need, away from the sources.
TEST_SOURCES = re.findall(
    r'"(.*?)"',
    re.search(r"^test-sources = (.*)$", (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)[1],
)


def run(*command: object, ok: bool = True, cwd: Path, **variables: str) -> str:
    """Return the output of a command (both streams); only the given JPEVALB_* variables are set."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("JPEVALB")}
    ran = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**environment, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert (ran.returncode == 0) == ok, ran.stdout
    return ran.stdout


def environment(folder: Path) -> Path:
    """A fresh virtual environment: the folder of its commands."""
    folder.parent.mkdir(exist_ok=True)
    run(sys.executable, "-m", "venv", folder, cwd=folder.parent)
    return folder / ("Scripts" if os.name == "nt" else "bin")


def install(commands: Path, *what: object, ok: bool = True, **variables: str) -> str:
    pip = (commands / "python", "-m", "pip", "--disable-pip-version-check", "install", "-v")
    return run(*pip, *what, ok=ok, cwd=commands, **variables)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist."""
    folder = tmp_path_factory.mktemp("build")
    left_out = shutil.ignore_patterns(
        "*.so", "*.c", "*.egg-info", "build", "dist", "__pycache__", ".*", "_build"
    )
    shutil.copytree(ROOT, folder / "sources", ignore=left_out)
    run(sys.executable, "-m", "build", "--sdist", "--outdir", folder / "dist", cwd=folder / "sources")
    return folder / "dist"


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of an environment that has nothing but pip, and never gets Cython."""
    commands = environment(tmp_path_factory.mktemp("bare") / "env")
    assert "Cython" not in run(commands / "python", "-m", "pip", "list", cwd=commands)
    return commands


@pytest.fixture(scope="module")
def sdist(built: Path) -> Path:
    (found,) = built.glob("*.tar.gz")
    return found


@pytest.fixture(scope="module")
def wheel(bare: Path, sdist: Path, built: Path) -> Path:
    """The wheel of the sdist, compiled where there is no Cython beforehand.

    Without optimisation, which takes most of the time: how setup.py compiles is what all other tests run on.
    """
    quick = {}
    if os.name != "nt":
        compiler = built / "quick-cc"
        compiler.write_text(f'#!/bin/sh\nexec {os.environ.get("CC", "cc")} "$@" -O0\n')
        compiler.chmod(0o755)
        quick["CC"] = str(compiler)
    run(
        *(bare / "python", "-m", "pip", "--disable-pip-version-check", "wheel", "--no-deps"),
        *("--wheel-dir", built, sdist),
        cwd=built,
        JPEVALB_EXT="1",
        **quick,
    )
    assert "Cython" not in run(bare / "python", "-m", "pip", "list", cwd=bare)
    (found,) = built.glob("*.whl")
    return found


def test_sdist_has_the_sources_and_nothing_built(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    folders = ("jpevalb", "params", "golden_outputs", "tests", "examples")
    built = (".so", ".c", ".pyd", ".pyc")
    sources = {
        path.relative_to(ROOT).as_posix()
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.suffix not in built and not path.name.startswith(".")
    }
    assert not {name for name in sources - names if "/." not in name}
    assert {"LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml", "setup.py", "Makefile"} <= names
    assert not [name for name in names if name.endswith((".c", ".so", ".pyd", ".pyc"))]


def test_wheel_has_what_runs_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {"jpevalb/py.typed", "jpevalb/prm/COLLINS.prm", "jpevalb/alignment/exceptions/en.tsv"} <= set(
        names
    )
    kernels = [path.stem for path in (ROOT / "jpevalb" / "kernels").glob("*.py")]
    for kernel in kernels:
        compiled = any(
            name.startswith(f"jpevalb/kernels/{kernel}.") and name.endswith((".so", ".pyd")) for name in names
        )
        assert compiled == (kernel not in ("__init__", "cython_shim")), kernel
    assert not [
        name
        for name in names
        if name.endswith(".c") or name.startswith(("tests", "golden_outputs", "examples"))
    ]


def test_wheel_runs_and_passes_the_tests_of_the_sdist(wheel: Path, sdist: Path, tmp_path: Path) -> None:
    commands = environment(tmp_path / "env")
    install(commands, f"{wheel}[test]")
    version = run(commands / "jpevalb", "--version", cwd=tmp_path)
    assert "(compiled kernels" in version
    report = run(commands / "jpevalb", CASE / "gold", CASE / "sys", "-evalb", "COLLINS.prm", cwd=tmp_path)
    assert "Bracketing FMeasure" in report
    run(commands / "jpevalb", CASE / "gold", CASE / "sys", "--out", "page.html", cwd=tmp_path)
    assert "</html>" in (tmp_path / "page.html").read_text("utf-8")
    assert "usage: jpevalb-average" in run(commands / "jpevalb-average", "--help", cwd=tmp_path)
    with tarfile.open(sdist) as archive:
        archive.extractall(
            tmp_path / "unpacked", **({"filter": "data"} if hasattr(tarfile, "data_filter") else {})
        )
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    for name in TEST_SOURCES:
        shutil.move(unpacked / name, tmp_path / name)
    modules = (
        "test_readme",
        "test_golden_evalb",
        "test_drop_in",
    )
    files = [next((tmp_path / "tests").glob(f"*/{name}.py")) for name in modules]
    run(commands / "python", "-m", "pytest", "-p", "no:cacheprovider", *files, cwd=tmp_path)


@pytest.mark.parametrize(
    "variables", [{"JPEVALB_EXT": "0"}, {"CC": "false"}], ids=["not wanted", "no compiler"]
)
def test_sdist_installs_interpreted(
    sdist: Path, bare: Path, tmp_path: Path, variables: dict[str, str]
) -> None:
    install(bare, "--no-deps", sdist, **variables)
    assert "(interpreted kernels" in run(bare / "jpevalb", "--version", cwd=tmp_path)
    report = run(bare / "jpevalb", CASE / "gold", CASE / "sys", "-evalb", "COLLINS.prm", cwd=tmp_path)
    assert "Bracketing FMeasure" in report
    run(bare / "python", "-m", "pip", "uninstall", "--yes", "jpevalb", cwd=tmp_path)


def test_compiling_can_be_demanded(sdist: Path, bare: Path) -> None:
    output = install(bare, "--no-deps", sdist, ok=False, JPEVALB_EXT="1", CC="false")
    assert (
        "setup.py: JPEVALB_EXT=1 asks for compiled kernels, and there is no C compiler that works" in output
    )
