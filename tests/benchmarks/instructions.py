"""Counts the instructions of whole processes, which repeat to the per mille on a busy machine.

    EVALB_SOURCE=FOLDER python -m tests.benchmarks.instructions [--only TEXT] [--write]

The input is made and has the size of section 23 of the Penn Treebank.  Ratios are to evalb in C, compiled
from the ``evalb.c`` of the folder, and to reading both files with plain Python.  With ``--write`` the tables
of README.md and docs/speed.md are replaced.  Needs valgrind.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from .modes import SENTENCES
from .processes import AVERAGE, JPEVALB, SLOWS, make_input

ROOT = Path(__file__).parents[2]
PYTHON = (sys.executable, "-c")

READ = """
import sys
for path in sys.argv[1:]:
    for line in open(path, encoding="utf-8"):
        stack = [[]]
        for token in line.replace("(", " ( ").replace(")", " ) ").split():
            if token == "(":
                stack.append([])
            elif token == ")":
                tree = stack.pop()
                stack[-1].append(tree)
            else:
                stack[-1].append(token)
"""
UPDATE = """
import sys
from itertools import cycle, islice
from nltk.tree import Tree
from jpevalb import Evaluator
first, second = ([Tree.fromstring(line) for line in open(path).readlines()[:300]] for path in sys.argv[1:3])
evaluator = Evaluator()
for gold, system in islice(cycle(zip(first, second)), int(sys.argv[3])):
    evaluator.update(gold, system)
"""


class Run(NamedTuple):
    """A command whose instructions are counted.

    Attributes:
        name: Name of the row.
        inputs: Names of its files.
        options: Arguments behind the files.
        program: What runs it.
        in_readme: True if README.md has the row.
    """

    name: str
    inputs: tuple[str, ...]
    options: tuple[str, ...] = ()
    program: tuple[str, ...] = tuple(JPEVALB)
    in_readme: bool = False


TREES, ONE = ("gold", "sys1"), ("gold.1", "sys1.1")
PLAIN = "reading both files with plain Python"
EVALB = "`evalb` in C"
NEW = "`Evaluator.update`, nltk trees, one call"
FEW, MANY = 100, 2_100
"""Calls of two runs, whose difference leaves out the start."""
RUNS = (
    Run(PLAIN, TREES, (), (*PYTHON, READ)),
    Run("legacy mode", TREES, ("-evalb", "COLLINS.prm"), in_readme=True),
    Run("alignment mode, one sentence", ONE),
    Run("brackets and tags", TREES, ("--metrics", "brackets,tags"), in_readme=True),
    Run("the same with `--prm COLLINS`", TREES, ("--metrics", "brackets,tags", "--prm", "COLLINS.prm")),
    Run("the same as JSON", TREES, ("--metrics", "brackets,tags", "--output", "json")),
    Run("default report", TREES, in_readme=True),
    Run("default report as JSON", TREES, ("--output", "json")),
    Run("`--analysis`", TREES, ("--analysis",)),
    Run("HTML", TREES, ("--output", "html")),
    Run("HTML, one sentence", ONE, ("--output", "html")),
    Run("comparison of three, brackets", (*TREES, "sys2", "sys3"), ("--metrics", "brackets")),
    Run(NEW, TREES, (str(FEW),), (*PYTHON, UPDATE)),
    Run("discontinuous, 600 pairs", ("gold.disc.600", "sys.disc.600")),
    Run("`jpevalb-average`, three files of 600", ("sys1.600", "sys2.600", "sys3.600"), (), tuple(AVERAGE)),
)


def instructions(command: list[str], folder: Path) -> float:
    """Return the millions of instructions of a command; it runs once before, so that bytecode is written."""
    variables = {name: value for name, value in os.environ.items() if name not in SLOWS}
    # The same hashes in each run; with -S, what an editable install adds at each start is left out.
    variables["PYTHONHASHSEED"] = "0"
    variables["PYTHONPATH"] = os.pathsep.join([str(ROOT), sysconfig.get_path("purelib")])
    counting = ["valgrind", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={folder}/counts"]
    for words in (command, [*counting, *command]):
        done = subprocess.run(
            words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=variables, check=False
        )
        if done.returncode:
            sys.exit(f"{words} ended with {done.returncode}: {done.stderr[-300:]}")
    [count] = re.findall(r"I\s+refs:\s+([\d,]+)", done.stderr)
    return int(count.replace(",", "")) / 1e6


def command_of(run: Run, folder: Path) -> list[str]:
    paths = [str(folder / name) for name in run.inputs]
    return [run.program[0], "-S", *run.program[1:], *paths, *run.options]


def shortened(folder: Path) -> None:
    """Write the first sentences of files that a row needs."""
    for name in {name for run in RUNS for name in run.inputs}:
        stem, _, lines = name.rpartition(".")
        if lines.isdecimal():
            text = (folder / stem).read_text("utf-8").splitlines(keepends=True)
            (folder / name).write_text("".join(text[: int(lines)]), "utf-8")


def counts(folder: Path, only: str) -> Iterator[tuple[str, float]]:
    """Yield name and millions of instructions of each run."""
    source = Path(os.environ.get("EVALB_SOURCE", ""), "evalb.c")
    if "EVALB_SOURCE" in os.environ:
        program = str(folder / "evalb")
        subprocess.run(["gcc", "-w", "-O2", "-std=gnu89", "-o", program, source], check=True)
        prm = ROOT / "params" / "COLLINS.prm"
        yield EVALB, instructions([program, "-p", str(prm), *(str(folder / name) for name in TREES)], folder)
    for run in RUNS:
        if run.name.startswith(only) or run.name == PLAIN:
            count = instructions(command_of(run, folder), folder)
            if run.name == NEW:
                more = run._replace(options=(str(MANY),))
                count = (instructions(command_of(more, folder), folder) - count) / (MANY - FEW)
            yield run.name, count


def table(found: dict[str, float], names: list[str]) -> str:
    """Return a Markdown table of some runs, with ratios."""
    lines = ["| run | million instructions | ÷ `evalb` in C | ÷ plain Python |", "| --- | --- | --- | --- |"]
    for name in names:
        count = found[name]
        ratios = ["" if base not in found else f"{count / found[base]:.2f}" for base in (EVALB, PLAIN)]
        cells = [name, f"{count:,.2f}" if count < 10 else f"{count:,.0f}"]
        lines.append(f"| {' | '.join(cells + (['', ''] if name == NEW else ratios))} |")
    return "\n".join(lines)


BEGIN, END = "<!-- instructions -->", "<!-- end of instructions -->"


def replaced(text: str, new: str) -> str:
    """Return a page with another table."""
    head, _, rest = text.partition(BEGIN)
    return f"{head}{BEGIN}\n\n{new}\n\n{END}{rest.partition(END)[2]}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sentences", type=int, default=SENTENCES)
    parser.add_argument("--only", metavar="TEXT", default="", help="runs whose name begins so")
    parser.add_argument(
        "--write", action="store_true", help="replace the tables of README.md and docs/speed.md"
    )
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("instructions are not counted: valgrind is not installed")
        return
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_input(folder, options.sentences)
        shortened(folder)
        for run, count in counts(folder, options.only):
            found[run] = count
            print(f"{run:<42}{count:12,.2f}", file=sys.stderr, flush=True)
    print(table(found, list(found)))
    if options.write:
        rows = [PLAIN, *([EVALB] if EVALB in found else []), *[run.name for run in RUNS if run.in_readme]]
        for path, names in ((ROOT / "docs" / "speed.md", list(found)), (ROOT / "README.md", rows)):
            path.write_text(replaced(path.read_text("utf-8"), table(found, names)), "utf-8")


if __name__ == "__main__":
    main()
