"""setup.py: its messages without a compiler, and reproducible archives."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile

import pytest

from tests.support.commands import ROOT

# Older ones do not know the licence expression of pyproject.toml.
pytest.importorskip("setuptools", minversion="77")

pytestmark = pytest.mark.skipif(
    not (ROOT / "setup.py").exists(), reason="these are no sources, but an installed package's tests"
)


@pytest.fixture
def sources(tmp_path):
    made = tmp_path / "sources"
    left_out = shutil.ignore_patterns("*.so", "*.pyd", "*.c", "__pycache__")
    shutil.copytree(ROOT / "jpevalb", made / "jpevalb", ignore=left_out)
    shutil.copytree(ROOT / "params", made / "params")
    shutil.copytree(ROOT / "docs" / "man", made / "docs" / "man")
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE", "MANIFEST.in"):
        shutil.copy(ROOT / name, made / name)
    return made


def setup(sources, *arguments, **variables):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("JPEVALB")}
    return subprocess.run(
        [sys.executable, "-W", "ignore", "setup.py", "-q", *arguments],
        cwd=sources,
        env={**environment, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="the variable CC")
def test_one_line_reports_a_missing_compiler(sources):
    pytest.importorskip("Cython", minversion="3.1")
    done = setup(sources, "build_ext", "--inplace", CC="false")
    assert (done.returncode, done.stdout) == (0, "")
    [line] = done.stderr.splitlines()
    assert line.startswith("jpevalb: there is no C compiler that works (")
    assert line.endswith("); the kernels stay interpreted, with the same results, many times slower")
    assert not list((sources / "jpevalb" / "kernels").glob("*.c"))
    done = setup(sources, "build_ext", "--inplace", CC="false", JPEVALB_EXT="1")
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert line.startswith(
        "setup.py: JPEVALB_EXT=1 asks for compiled kernels, and there is no C compiler that"
    )
    assert "expected auto, 0 or 1" in setup(sources, "--version", JPEVALB_EXT="2").stderr


def test_a_wheel_without_kernels_is_for_every_system(sources):
    done = setup(sources, "bdist_wheel", "--dist-dir", "made", JPEVALB_EXT="0")
    assert done.returncode == 0, done.stderr
    [wheel] = (sources / "made").glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith("entry_points.txt")]
        lines = archive.read(name).decode().splitlines()
    assert lines[:3] == [
        *("[console_scripts]", "jpevalb = jpevalb.cli:run"),
        "jpevalb-average = jpevalb.commands.average:run",
    ]


@pytest.mark.slow
def test_two_sdists_of_the_same_files_are_the_same(sources):
    made = []
    for number, folder in enumerate(("first", "second")):
        for path in sources.rglob("*"):
            os.utime(path, (1_700_000_000 + 5000 * number,) * 2)
        os.chmod(sources / "LICENSE", (0o640, 0o664)[number])
        done = setup(sources, "sdist", "--dist-dir", folder)
        assert done.returncode == 0, done.stderr
        [archive] = (sources / folder).glob("*.tar.gz")
        made.append(archive.read_bytes())
    assert made[0] == made[1]
