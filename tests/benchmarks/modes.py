"""Times every mode as a whole process, on input the size of section 23 and on 10 and 100 copies of it.

    python -m tests.benchmarks.modes [--copies 1 10 100] [--runs 5] [--only legacy]

A row is a mode on so many copies of 2,416 made sentences a side (seeded):
seconds and processor time (medians), sentences and megabytes a second, peak
memory in MiB (no less than the some 15 of this process), the ratio to ``md5sum``
of the same files timed in turn with it, and the growth: processor time without
start-up, over that of one copy times the number of copies.  1.00 is linear.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from .processes import NOTHING, Time, installed_command, make_input, md5sum, median, run

SENTENCES = 2416


class Mode(NamedTuple):
    """A command to time.

    Attributes:
        name: What the row is called.
        inputs: Names of its files, gold first.
        arguments: What follows or replaces the names, ``{}`` standing for the files.
        most: The largest number of copies that it is given.
        pure: Whether it runs on interpreted kernels.
        program: Name of the command.
    """

    name: str
    inputs: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    most: int = 1000
    pure: bool = False
    program: str = "jpevalb"


TREES = ("gold", "sys1")
ALL = ("gold", "sys1", "sys2", "sys3", "sys4", "sys5")
MODES = (
    Mode("legacy", TREES, ("-evalb", "COLLINS.prm")),
    Mode("legacy, spmrl", TREES, ("--dialect", "spmrl", "-evalb", "COLLINS.prm")),
    Mode("legacy, interpreted", TREES, ("-evalb", "COLLINS.prm"), 1, True),
    Mode("brackets, tags", TREES, ("--metrics", "brackets,tags")),
    Mode("brackets, tags, --jobs 2", TREES, ("--metrics", "brackets,tags", "--jobs", "2")),
    Mode("brackets, tags, interpreted", TREES, ("--metrics", "brackets,tags"), 1, True),
    Mode("brackets, tags, noisy text", ("gold", "noisy"), ("--metrics", "brackets,tags")),
    Mode("Struct-IoU", TREES, ("--metrics", "siou")),
    Mode("tree node accuracy", TREES, ("--metrics", "nodes")),
    Mode("full report", TREES),
    Mode("full report, --jobs 2", TREES, ("--jobs", "2")),
    Mode("full report, interpreted", TREES, (), 1, True),
    Mode("full report, JSON", TREES, ("--output", "json"), 10),
    Mode("full report, HTML", TREES, ("--output", "html"), 1),
    Mode("5 systems, bootstrap", ALL, ("--metrics", "brackets,tags"), 10),
    Mode("discontinuous", ("gold.disc", "sys.disc")),
    Mode("discontinuous, --jobs 2", ("gold.disc", "sys.disc"), ("--jobs", "2")),
    Mode("average of 5", ALL[1:], (), 10, False, "jpevalb-average"),
)


def copied(path: Path, copies: int) -> Path:
    """The file so many times over, written once."""
    if copies == 1:
        return path
    target = path.with_name(f"{path.name}.x{copies}")
    if not target.exists():
        block = path.read_bytes()
        with open(target, "wb") as file:
            for _ in range(copies):
                file.write(block)
    return target


def start_up(mode: Mode, folder: Path, runs: int) -> float:
    """Processor seconds of the mode on one sentence."""
    paths = []
    for name in mode.inputs:
        path = folder / f"one.{name}"
        with open(folder / name, "rb") as file:
            path.write_bytes(file.readline())
        paths.append(path)
    return median([run(_command(mode, paths), **_variables(mode)) for _ in range(runs)]).processor


def measure(mode: Mode, paths: list[Path], runs: int) -> tuple[Time, float]:
    """Times a mode and the yardstick in turn; the ratio is of processor times."""
    ours, theirs = [], []
    for _ in range(runs):
        ours.append(run(_command(mode, paths), **_variables(mode)))
        theirs.append(run(md5sum(*paths)))
    return median(ours), median(ours).processor / median(theirs).processor


def _command(mode: Mode, paths: list[Path]) -> list[str]:
    return [*installed_command(mode.program), *map(str, paths), *mode.arguments]


def _variables(mode: Mode) -> dict[str, str]:
    return {"JPEVALB_PURE": "1" if mode.pure else "0"}


def rows(mode: Mode, folder: Path, copies: list[int], runs: int, sentences: int) -> Iterator[str]:
    """The table's rows of one mode."""
    begun = start_up(mode, folder, runs)
    first: float | None = None
    for number in copies:
        if number > mode.most:
            continue
        paths = [copied(folder / name, number) for name in mode.inputs]
        # The large runs are long enough to be timed once or twice.
        took, ratio = measure(mode, paths, max(1, runs if number == 1 else runs // number + 1))
        work = max(took.processor - begun, 1e-9)
        if number == 1:
            first = work
        growth = f"{work / (first * number):8.2f}" if first else " " * 8
        size = sum(map(os.path.getsize, paths)) / 1e6
        yield (
            f"{mode.name:<28}{number:>5}{took.seconds:>9.3f}{took.processor:>9.3f}"
            f"{number * sentences / took.seconds:>13,.0f}{size / took.seconds:>8.1f}{took.memory:>7.0f}"
            f"{ratio:>10.1f} {growth}"
        )


def main(report: Callable[[str], None] = lambda line: print(line, flush=True)) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--copies", type=int, nargs="+", default=[1, 10, 100])
    parser.add_argument("--runs", type=int, default=5, help="runs on one copy; fewer on many (5)")
    parser.add_argument("--sentences", type=int, default=SENTENCES)
    parser.add_argument("--only", metavar="TEXT", help="modes whose name begins so")
    options = parser.parse_args()
    nothing = median([run(NOTHING) for _ in range(11)])
    version = median([run([*installed_command("jpevalb"), "--version"]) for _ in range(11)])
    report(
        f"python -c pass {nothing.processor:.4f} s of processor time; jpevalb --version "
        f"{version.processor / nothing.processor:.2f} times that"
    )
    report(
        f"{'mode':<28}{'x':>5}{'seconds':>9}{'CPU s':>9}{'sentences/s':>13}{'MB/s':>8}{'MiB':>7}"
        f"{'x md5sum':>10} {'growth':>8}"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_input(folder, options.sentences)
        for mode in MODES:
            if mode.name.startswith(options.only or ""):
                for row in rows(mode, folder, options.copies, options.runs, options.sentences):
                    report(row)


if __name__ == "__main__":
    main()
