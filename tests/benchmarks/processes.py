"""Time, processor time and peak memory of whole processes, next to yardsticks."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import NamedTuple

JPEVALB = [sys.executable, "-c", "import sys; from jpevalb.cli import run; sys.exit(run())"]
AVERAGE = [sys.executable, "-c", "import sys; from jpevalb.commands.average import run; sys.exit(run())"]
NOTHING = [sys.executable, "-c", "pass"]

# A Python that may not keep its byte code compiles jpevalb anew at every start.
SLOWS = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")


class Time(NamedTuple):
    """Time and memory of a run."""

    seconds: float
    """From start to end."""
    processor: float
    """User and system time of the process and of those it waited for, in seconds."""
    memory: float
    """Peak resident memory of the largest single process in MiB."""


def run(command: Sequence[str], **environment: str) -> Time:
    """Runs a command once, its output thrown away; ends this process if it fails."""
    variables = {**{name: os.environ[name] for name in os.environ if name not in SLOWS}, **environment}
    started = time.perf_counter()
    with open(os.devnull, "wb") as null:
        process = subprocess.Popen(list(command), stdout=null, env=variables)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - started
    if process.returncode:
        sys.exit(f"{command} ended with {process.returncode}")
    return Time(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def make_input(folder: object, sentences: int) -> None:
    """Writes the input files, in a process of their own.

    A process begins with the memory of the one that started it, so what times
    others stays small.
    """
    run(
        [sys.executable, "-m", "tests.benchmarks.inputs", "--sentences", str(sentences), "--out", str(folder)]
    )


def median(runs: Sequence[Time]) -> Time:
    """The median of each figure."""
    return Time(*[statistics.median(column) for column in zip(*runs)])


def md5sum(*paths: object) -> list[str]:
    """The yardstick: the command that reads the same files and does next to nothing."""
    return [shutil.which("md5sum") or sys.exit("md5sum, the yardstick, is not installed"), *map(str, paths)]
