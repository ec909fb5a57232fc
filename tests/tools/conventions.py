"""Compares the conventions with the tools' own functions, where they can be installed.

    python -m tests.tools.conventions [--environment FOLDER]

makes a virtual environment, installs the tools there, and scores made-up corpora (:mod:`convention_oracle`)
with them and with jpevalb.  The status is 1 if a count differs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import jpevalb
from tests.support import convention_oracle as oracle

# Packages and a program that reads lines of a gold and a system tree, and prints the sums of the tool.
TOOLS = {
    "pyevalb": (
        ["PYEVALB==0.1.3", "pytablewriter"],
        """
import json, sys
from PYEVALB import parser, scorer
total = [0] * 5
for line in sys.stdin:
    trees = [parser.create_from_bracket_string(text) for text in json.loads(line)]
    try:
        row = scorer.Scorer().score_trees(*trees)
    except (scorer.LengthUnmatch, scorer.WordsUnmatch):
        continue
    counts = row.gold_brackets, row.test_brackets, row.matched_brackets, row.correct_tags, row.words
    total = [a + b for a, b in zip(total, counts)]
print(json.dumps(total))
""",
    ),
}


def figures_of(python: Path, program: str, pairs: list[tuple[str, str]]) -> list[int]:
    """Return the sums that a tool computes for pairs of trees."""
    lines = "".join([json.dumps(pair) + "\n" for pair in pairs])
    done = subprocess.run(
        [python, "-c", program], input=lines, capture_output=True, text=True, check=True, timeout=600
    )
    found: list[int] = json.loads(done.stdout)
    return found


def compare(folder: Path) -> int:
    """Compare each tool with its convention; return the number of corpora that differ."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    wrong = 0
    for name, (packages, program) in TOOLS.items():
        subprocess.run([python, "-m", "pip", "install", "-q", *packages], check=True, timeout=600)
        for seed in range(10):
            # The tool's reader ends words at an underscore, and has no sentence without a parse.
            pairs = [
                pair
                for pair in zip(*oracle.corpus(seed, 60))
                if pair[1] != "(())" and "_" not in "".join(pair)
            ]
            gold, system = map(list, zip(*pairs))
            [[row]] = jpevalb.conventions(gold, [system], [name]).results
            own = [row.gold, row.predicted, row.matched, row.correct_tags, row.tagged]
            found = figures_of(python, program, pairs)
            print(f"{name}, corpus {seed}: {found} {'equal' if own == found else f'jpevalb {own}'}")
            wrong += own != found
    return wrong


def main() -> int:
    """Run the comparison; return 1 if a count differs."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--environment", type=Path)
    folder = options.parse_args().environment
    if folder is not None:
        return int(compare(folder) > 0)
    with tempfile.TemporaryDirectory() as made:
        return int(compare(Path(made)) > 0)


if __name__ == "__main__":
    sys.exit(main())
