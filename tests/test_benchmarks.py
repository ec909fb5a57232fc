"""The benchmarks run, on input of a few sentences; what they time is not looked at."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks.growth import WORK, exponent
from tests.benchmarks.modes import MODES
from tests.benchmarks.treebank import make_trees

ROOT = Path(__file__).parents[1]


def output_of(module: str, *arguments: str) -> list[str]:
    ran = subprocess.run(
        [sys.executable, "-m", f"tests.benchmarks.{module}", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


def test_every_mode_is_timed() -> None:
    lines = output_of("modes", "--sentences", "10", "--copies", "1", "3", "--runs", "1")
    assert lines[0].startswith("python -c pass 0.")
    assert [line[:28].strip() for line in lines[2:]] == [
        mode.name for mode in MODES for copies in (1, 3) if copies <= mode.most
    ]
    for line in lines[2:]:
        copies, seconds, processor, *rest = [float(figure.replace(",", "")) for figure in line[28:].split()]
        assert seconds > 0
        assert processor > 0
        assert len(rest) == 5
        if copies == 1:
            assert rest[-1] == 1.0


def test_exponent_of_power_laws() -> None:
    assert exponent([1, 2, 4], [3, 12, 48]) == pytest.approx(2)
    assert exponent([10, 20, 40], [5, 10, 20]) == pytest.approx(1)


@pytest.mark.parametrize("name", WORK)
def test_work_is_done(name: str) -> None:
    trees = make_trees(12, 3, 1)
    assert WORK[name](trees, trees)()


def test_peers_that_are_not_there_are_named() -> None:
    lines = output_of("peers", "--sentences", "3", "--runs", "1")
    assert [line[:28].strip() for line in lines[1:]] == [
        "md5sum",
        "read both files: jpevalb",
        "read both files: nltk",
        "score: jpevalb -evalb",
        "score: PYEVALB",
    ]
