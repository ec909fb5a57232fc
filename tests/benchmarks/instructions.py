"""Counts the instructions of whole processes, which repeat to the per mille on a busy machine.

    EVALB_SOURCE=FOLDER python -m tests.benchmarks.instructions [--only TEXT] [--write]

The input is made and has the size of section 23 of the Penn Treebank.  Ratios are to evalb in C, compiled
from the ``evalb.c`` of the folder, and to reading both files with plain Python.  jpevalb is a wheel of this
checkout in an environment of its own.  With ``--write`` the tables of README.md and docs/speed.md are
replaced.  Ends with status 1 if a row is above its ceiling.  Needs valgrind.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from .modes import SENTENCES
from .processes import ROOT, SLOWS, installed, installed_command, make_input

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
        ceiling: Maximum of millions of instructions; 0 if there is none.
        options: Arguments behind the files.
        program: Name of the command, or code in Python.
        in_readme: True if README.md has the row.
    """

    name: str
    inputs: tuple[str, ...]
    ceiling: int = 0
    options: tuple[str, ...] = ()
    program: str = "jpevalb"
    in_readme: bool = False


TREES, ONE = ("gold", "sys1"), ("gold.1", "sys1.1")
PLAIN = "reading both files with plain Python"
EVALB = "`evalb` in C"
NEW = "`Evaluator.update`, nltk trees, one call"
BRACKETS = ("--metrics", "brackets,tags")
FEW, MANY = 100, 2_100
"""Calls of two runs, whose difference leaves out the start."""
RUNS = (
    Run(PLAIN, TREES, program=READ),
    Run("evalb's report", TREES, 160, ("-evalb", "COLLINS.prm"), in_readme=True),
    Run("evalb's report, one sentence", ONE, 75, ("-evalb", "COLLINS.prm")),
    Run("default report, one sentence", ONE, 400),
    Run("brackets and tags", TREES, 750, BRACKETS, in_readme=True),
    Run("the same with `--prm COLLINS`", TREES, 800, (*BRACKETS, "--prm", "COLLINS.prm")),
    Run("the same as JSON", TREES, 1300, (*BRACKETS, "--as", "json")),
    Run("default report", TREES, 1700, in_readme=True),
    Run("default report as JSON", TREES, 3000, ("--as", "json")),
    Run("`--analysis`", TREES, 3600, ("--analysis",)),
    Run("HTML", TREES, 7000, ("--as", "html")),
    Run("HTML, one sentence", ONE, 1000, ("--as", "html")),
    Run("comparison of three, brackets", (*TREES, "sys2", "sys3"), 2300, ("--metrics", "brackets")),
    Run(NEW, TREES, 0, (str(FEW),), UPDATE),
    Run("discontinuous, 600 pairs", ("gold.disc.600", "sys.disc.600"), 440),
    Run(
        "`jpevalb-average`, three files of 600",
        ("sys1.600", "sys2.600", "sys3.600"),
        600,
        program="jpevalb-average",
    ),
)
PER_PAIR = {"evalb's report": 40, "brackets and tags": 130, "the same as JSON": 300, "default report": 450}
"""Rows that are also counted on five copies of their files, with the ceiling of a pair in thousands."""
COPIES = 5
PLAIN_OF_CEILINGS = 1_418
"""Millions of instructions of the loop in plain Python with the build for which the ceilings were set."""


def instructions(command: list[str], folder: Path) -> float:
    """Return the millions of instructions of a command; it runs once before, so that bytecode is written."""
    variables = {name: value for name, value in os.environ.items() if name not in SLOWS}
    variables["PYTHONHASHSEED"] = "0"
    counting = ["valgrind", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={folder}/counts"]
    for words in (command, [*counting, *command]):
        done = subprocess.run(
            words,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=variables,
            cwd=folder,  # code would import the package of a checkout
            check=False,
        )
        if done.returncode:
            sys.exit(f"{words} ended with {done.returncode}: {done.stderr[-300:]}")
    [count] = re.findall(r"I\s+refs:\s+([\d,]+)", done.stderr)
    return int(count.replace(",", "")) / 1e6


def command_of(run: Run, folder: Path) -> list[str]:
    paths = [str(folder / name) for name in run.inputs]
    code = "\n" in run.program
    program = [str(installed() / "python"), "-c", run.program] if code else installed_command(run.program)
    return [*program, *paths, *run.options]


def shortened(folder: Path) -> None:
    """Write the first sentences of files that a row needs, and copies of the files of a pair."""
    for name in {name for run in RUNS for name in run.inputs}:
        stem, _, lines = name.rpartition(".")
        if lines.isdecimal():
            text = (folder / stem).read_text("utf-8").splitlines(keepends=True)
            (folder / name).write_text("".join(text[: int(lines)]), "utf-8")
    for name in TREES:
        (folder / f"{name}.copies").write_bytes((folder / name).read_bytes() * COPIES)


def counts(folder: Path, only: str, sentences: int) -> Iterator[tuple[str, float]]:
    """Yield name and millions of instructions of each run, and thousands of a pair under ``name, a pair``."""
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
            if run.name in PER_PAIR:
                more = run._replace(inputs=tuple([f"{name}.copies" for name in run.inputs]))
                added = instructions(command_of(more, folder), folder) - count
                yield f"{run.name}, a pair", 1000 * added / (sentences * (COPIES - 1))


def ceiling_of(name: str, found: dict[str, float]) -> int:
    """Return the ceiling of a row, scaled to the measured build of Python; 0 for a row without a ceiling."""
    ceilings = {f"{run}, a pair": ceiling for run, ceiling in PER_PAIR.items()}
    ceilings |= {run.name: run.ceiling for run in RUNS}
    return round(ceilings.get(name, 0) * found[PLAIN] / PLAIN_OF_CEILINGS)


def shown(count: float) -> str:
    return f"{count:,.2f}" if count < 10 else f"{count:,.0f}"


def table(found: dict[str, float], names: list[str], *, ceilings: bool = True) -> str:
    """Return a Markdown table of some runs, with ratios."""
    heads = ["run", "million instructions", *["ceiling"] * ceilings, "÷ `evalb` in C", "÷ plain Python"]
    rows = [heads, ["---"] * len(heads)]
    for name in names:
        count, ceiling = found[name], ceiling_of(name, found)
        ratios = [
            "" if base not in found or name == NEW else f"{count / found[base]:.2f}"
            for base in (EVALB, PLAIN)
        ]
        rows.append([name, shown(count), *[f"{ceiling:,}" if ceiling else ""] * ceilings, *ratios])
    return "\n".join([f"| {' | '.join(row)} |" for row in rows])


def table_of_pairs(found: dict[str, float]) -> str:
    """Return a Markdown table of what one more pair of sentences costs."""
    lines = ["| run | thousand instructions a pair | ceiling |", "| --- | --- | --- |"]
    for name in PER_PAIR:
        pair = f"{name}, a pair"
        if pair in found:
            lines.append(f"| {name} | {shown(found[pair])} | {ceiling_of(pair, found)} |")
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
        for run, count in counts(folder, options.only, options.sentences):
            found[run] = count
            print(f"{run:<42}{count:12,.2f}", file=sys.stderr, flush=True)
    runs = [name for name in found if not name.endswith(", a pair")]
    tables = f"{table(found, runs)}\n\n{table_of_pairs(found)}"
    print(tables)
    if options.write:
        rows = [PLAIN, *([EVALB] if EVALB in found else []), *[run.name for run in RUNS if run.in_readme]]
        for path, new in (
            (ROOT / "docs" / "speed.md", tables),
            (ROOT / "README.md", table(found, rows, ceilings=False)),
        ):
            path.write_text(replaced(path.read_text("utf-8"), new), "utf-8")
    above = [name for name, count in found.items() if count > (ceiling_of(name, found) or count)]
    if above:
        sys.exit(f"above the ceiling: {'; '.join(above)}")


if __name__ == "__main__":
    main()
