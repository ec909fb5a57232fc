"""A short run of every fuzz target on seeded input; ``python -m tests.fuzz.NAME`` runs them longer."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.support.commands import ROOT

pytestmark = pytest.mark.slow

# Runs of each target
RUNS = {
    "readers": 1000,
    "params": 500,
    "legacy": 150,
    "aligner": 600,
    "kernels": 100,
    "commands": 350,
    "answers": 500,
    "c_program": 150,
}

CODE = """
import importlib, sys
sys.argv += ["--engine", "random"]  # not with atheris
module = importlib.import_module("tests.fuzz." + sys.argv[1])
from tests.fuzz.driver import run_random
print(run_random(module.target, seed=int(sys.argv[2]), runs=int(sys.argv[3])))
"""


@pytest.mark.parametrize("name", RUNS)
def test_no_finding(name):
    """Run in a separate process: a target changes streams, folders and functions."""
    runs = RUNS[name]
    if name == "c_program" and not os.environ.get("EVALB_SOURCE"):
        pytest.skip("EVALB_SOURCE names no folder with the C programs")
    if os.environ.get("JPEVALB_PURE") == "1":
        if name in ("kernels", "legacy"):
            pytest.skip("compares the implementations, which the run on compiled kernels does")
        runs //= 8
    done = subprocess.run(
        [sys.executable, "-c", CODE, name, "7", str(runs)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=300,
        check=False,
    )
    if "no compiled kernels here" in done.stderr:
        pytest.skip("no compiled kernels here")
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout == f"{runs}\n"


def test_a_finding_is_reported(tmp_path):
    """The driver must not swallow what a target raises."""
    code = (
        "from tests.fuzz.driver import run_random\n"
        "def target(choices):\n"
        "    assert choices.number(20) != 13\n"
        "run_random(target, seed=1, runs=1000)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=dict(os.environ, TMPDIR=str(tmp_path)),
        check=False,
    )
    assert done.returncode == 1
    assert "AssertionError" in done.stderr
    [kept] = tmp_path.glob("finding-*.bin")
    assert kept.read_bytes()[0] % 21 == 13
