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
    lines = output_of("modes", "--sentences", "10", "--copies", "1", "--runs", "1")
    assert lines[0].startswith("python -c pass 0.")
    assert [line[:28].strip() for line in lines[2:]] == [mode.name for mode in MODES]
    some = [mode for mode in MODES if mode.name.startswith("full report, ")]
    assert {mode.most < 3 for mode in some} == {True, False}
    more = output_of("modes", "--sentences", "5", "--copies", "3", "--runs", "1", "--only", "full report, ")
    assert [line[:28].strip() for line in more[2:]] == [mode.name for mode in some if mode.most >= 3]
    for line in lines[2:]:
        copies, seconds, processor, *rest = [float(figure.replace(",", "")) for figure in line[28:].split()]
        assert seconds > 0
        assert processor > 0
        assert len(rest) == 5
        assert (copies, rest[-1]) == (1, 1.0)


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
