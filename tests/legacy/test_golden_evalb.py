"""Every case of golden_outputs/evalb, with compiled and interpreted kernels."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sys
from pathlib import Path

import pytest

from jpevalb.kernels import implementation
from tests.support.commands import COMMAND, ROOT, jpevalb
from tests.support.evalb_cases import CASES
from tests.support.terminal import in_terminal

RESULTS = {"stdout", "stderr", "rc", "args", "about", "merged", "terminal"}


def test_there_are_cases():
    assert len(CASES) >= 40


def prepared(case: Path, folder: Path) -> list[str]:
    """Copies the input of a case to a folder; returns the arguments."""
    for file in case.iterdir():
        if file.name not in RESULTS:
            shutil.copy(file, folder)
    dialect = "spmrl" if (case / "about").read_text().startswith("evalb_spmrl:") else "evalb"
    return ["--dialect", dialect, *json.loads((case / "args").read_text())]


def check(case: Path, folder: Path, *more: str, pure: bool | None = None) -> None:
    """Runs a case in a folder and compares all that it prints."""
    done = jpevalb(*prepared(case, folder), *more, cwd=folder, pure=pure)
    assert done.stdout == (case / "stdout").read_bytes()
    assert done.stderr == (case / "stderr").read_bytes()
    assert done.returncode == int((case / "rc").read_text())


@pytest.mark.parametrize("pure", [False, True], ids=["compiled", "interpreted"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_prints_what_the_c_program_prints(case: Path, pure: bool, tmp_path: Path):
    if not pure and implementation() == "interpreted":
        pytest.skip("no compiled kernels here")
    check(case, tmp_path, pure=pure)


def test_an_option_of_other_modes_for_speed_has_no_effect(tmp_path: Path):
    check(CASES[0].parent / "basic-plain", tmp_path, "--jobs", "2")


@pytest.mark.parametrize("unbuffered", [False, True])
@pytest.mark.parametrize(
    "case", [case for case in CASES if (case / "merged").exists()], ids=lambda case: case.name
)
def test_both_streams_in_one_file_are_in_the_order_of_the_c_program(
    case: Path, unbuffered: bool, tmp_path: Path
):
    """C writes messages at once, and the report whenever a block of 4,096 bytes is full."""
    arguments = prepared(case, tmp_path)
    with open(tmp_path / "log", "wb") as log:
        jpevalb(*arguments, cwd=tmp_path, stdout=log, stderr=log, unbuffered=unbuffered)
    assert (tmp_path / "log").read_bytes() == (case / "merged").read_bytes()


@pytest.mark.parametrize(
    "case", [case for case in CASES if (case / "terminal").exists()], ids=lambda case: case.name
)
def test_on_a_terminal_the_streams_are_in_the_order_of_the_c_program(case: Path, tmp_path: Path):
    """C writes each line of the report at once."""
    command = [sys.executable, "-c", COMMAND, *prepared(case, tmp_path)]
    _, text = in_terminal(command, cwd=tmp_path, environment={**os.environ, "PYTHONPATH": str(ROOT)})
    assert text == (case / "terminal").read_text().replace("\r\n", "\n")


def test_a_small_report_is_one_write(tmp_path: Path):
    """Or its reader, such as `head -1`, may have gone before the second."""
    case = CASES[0].parent / "basic-plain"
    arguments = prepared(case, tmp_path)
    for unbuffered in (False, True):
        read, write = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with read, write:
            jpevalb(*arguments, cwd=tmp_path, stdout=write, unbuffered=unbuffered)
            # A packet for each write
            assert read.recv(1 << 20) == (case / "stdout").read_bytes()
