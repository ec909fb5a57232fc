"""Time, processor time and peak memory of whole processes, next to yardsticks."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
NOTHING = [sys.executable, "-c", "pass"]

# A Python that may not keep its byte code compiles jpevalb anew at every start; PYTHONPATH may name another
# jpevalb than the installed one.
SLOWS = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONPATH")


@cache
def installed() -> Path:
    """Return the folder of the commands of an environment that has a wheel of this checkout.

    An editable install would be measured with its import hook.  The environment is made anew if a source is
    newer; the folder BENCH, if that is set, is used as it is.
    """
    home = Path(os.environ.get("BENCH") or ROOT / "build" / "bench")
    sources = [
        *(ROOT / "jpevalb").rglob("*.[phctj]*"),
        *(ROOT / name for name in ("setup.py", "pyproject.toml")),
    ]
    changed = max(path.stat().st_mtime for path in sources if path.suffix not in (".pyc", ".c"))
    done = home / "installed"
    if "BENCH" not in os.environ and not (done.exists() and done.stat().st_mtime > changed):
        print("jpevalb is built and installed for the benchmarks", file=sys.stderr, flush=True)
        shutil.rmtree(home, ignore_errors=True)
        here, there = [sys.executable, "-m"], [str(home / "bin" / "python"), "-m"]
        _quietly(*here, "venv", str(home))
        _quietly(*here, "build", "--no-isolation", "--outdir", str(home / "dist"), str(ROOT))
        [wheel] = (home / "dist").glob("*.whl")
        # Launchers that an old pip writes import re.
        _quietly(*there, "pip", "install", "--upgrade", "pip")
        _quietly(*there, "pip", "install", str(wheel), "nltk")
        done.touch()
    return home / "bin"


def _quietly(*command: str) -> None:
    variables = {name: value for name, value in os.environ.items() if name not in SLOWS}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**variables, "JPEVALB_EXT": "1"})


def installed_command(name: str) -> list[str]:
    """Return an installed command as a process, with its interpreter."""
    return [str(installed() / "python"), str(installed() / name)]


class Time(NamedTuple):
    """Time and memory of a run."""

    seconds: float
    """From start to end."""
    processor: float
    """User and system time of the process and of those it waited for, in seconds."""
    memory: float
    """Peak resident memory of the largest single process in MiB."""


def run(command: Sequence[str], *, output: str | Path = os.devnull, **environment: str) -> Time:
    """Runs a command once and writes its output to a file; ends this process if it fails."""
    variables = {**{name: os.environ[name] for name in os.environ if name not in SLOWS}, **environment}
    started = time.perf_counter()
    with open(output, "wb") as file:
        process = subprocess.Popen(list(command), stdout=file, env=variables)
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
