"""Every case of golden_outputs/evalb, with compiled and interpreted kernels."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from jpevalb.kernels import implementation
from tests.support.commands import jpevalb
from tests.support.evalb_cases import CASES

RESULTS = {"stdout", "stderr", "rc", "args", "about"}


def test_there_are_cases():
    assert len(CASES) >= 40


def check(case: Path, folder: Path, *more: str, pure: bool | None = None) -> None:
    """Runs a case in a folder and compares all that it prints."""
    for file in case.iterdir():
        if file.name not in RESULTS:
            shutil.copy(file, folder)
    dialect = "spmrl" if (case / "about").read_text().startswith("evalb_spmrl:") else "evalb"
    arguments = json.loads((case / "args").read_text())
    done = jpevalb("--dialect", dialect, *arguments, *more, cwd=folder, pure=pure)
    assert done.stdout == (case / "stdout").read_bytes()
    assert done.stderr == (case / "stderr").read_bytes()
    assert done.returncode == int((case / "rc").read_text())


@pytest.mark.parametrize("pure", [False, True], ids=["compiled", "interpreted"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_prints_what_the_c_program_prints(case: Path, pure: bool, tmp_path: Path):
    if not pure and implementation() == "interpreted":
        pytest.skip("no compiled kernels here")
    check(case, tmp_path, pure=pure)


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.name.startswith("late-")], ids=lambda case: case.name
)
def test_two_processes_print_the_same(case: Path, tmp_path: Path):
    check(case, tmp_path, "--jobs", "2")
