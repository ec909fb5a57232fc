"""Times jpevalb and other tools if they are installed: PYEVALB and NLTK.

    python -m tests.benchmarks.peers [--sentences 2416]

Whole processes on made input.  zss is a peer in ``tests.benchmarks.tree_metrics``, and evalb in
``tests.benchmarks.instructions``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from .modes import SENTENCES
from .processes import installed, installed_command, make_input, md5sum, median, run

READ = """
import sys
from nltk import Tree
for path in sys.argv[1:]:
    for line in open(path, encoding="utf-8"):
        Tree.fromstring(line)
"""
OURS = """
import sys
from jpevalb import read
for path in sys.argv[1:]:
    for tree in read(path):
        pass
"""
PYEVALB = """
import sys
from PYEVALB import scorer
scorer.Scorer().evalb(sys.argv[1], sys.argv[2], sys.argv[3])
"""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sentences", type=int, default=SENTENCES)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_input(folder, options.sentences)
        files = [str(folder / "gold"), str(folder / "sys1")]
        python = [sys.executable, "-c"]
        commands = {
            "md5sum": md5sum(*files),
            "read both files: jpevalb": [str(installed() / "python"), "-c", OURS, *files],
            "read both files: nltk": [*python, READ, *files],
            "score: jpevalb -evalb": [*installed_command("jpevalb"), *files, "-evalb", "COLLINS.prm"],
            "score: PYEVALB": [*python, PYEVALB, *files, str(folder / "report")],
        }
        print(f"{'what':<28}{'CPU s':>9}{'MiB':>7}{'x md5sum':>10}{'x jpevalb':>11}")
        yardstick = ours = 0.0
        for what, command in commands.items():
            module = {"nltk": "nltk", "PYEVALB": "PYEVALB"}.get(what.rpartition(" ")[2])
            if module and find_spec(module) is None:
                print(f"{what:<28}{'not installed':>20}")
                continue
            took = median([run(command) for _ in range(options.runs)])
            if what == "md5sum":
                yardstick = took.processor
            elif not module:
                ours = took.processor
            relative = f"{took.processor / ours:11.1f}" if ours else ""
            print(
                f"{what:<28}{took.processor:>9.3f}{took.memory:>7.0f}"
                f"{took.processor / yardstick:>10.1f}{relative}",
                flush=True,
            )


if __name__ == "__main__":
    main()
