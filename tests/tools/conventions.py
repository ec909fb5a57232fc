"""Compares the conventions with the tools' own functions, where they can be installed.

    python -m tests.tools.conventions [--environment FOLDER]

makes a virtual environment, installs the tools there without their neural network libraries, and scores
made-up corpora (:mod:`convention_oracle`) with them and with jpevalb.  The status is 1 if a count differs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import jpevalb
from jpevalb import Convention
from jpevalb.score.conventions import ConventionResult
from tests.support import convention_oracle as oracle
from tests.tools.__main__ import python_of

START = """
import json, os, sys, types

def module(name, **names):
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(names)

def package(name):
    # Its __init__ is not run: it would import what these functions do not use.
    module(name, __path__=[os.path.join(path, *name.split(".")) for path in sys.path])

pairs = list(map(json.loads, sys.stdin))
"""
SPANS = """
DELETE = {"TOP", "S1", "-NONE-", ",", ":", "``", "''", ".", "?", "!", ""}
metric = SpanMetric()
for texts in pairs:
    gold, system = [factorize(fromstring(text), DELETE, {"ADVP": "PRT"}) for text in texts]
    metric([system], [gold])
sums = metric.gold, metric.pred, metric.ltp, metric.n_lcm, metric.utp, metric.n_ucm
print(json.dumps(list(map(int, sums))))
"""


class Tool(NamedTuple):
    """A tool, and a program that prints its sums for lines of a gold and a system tree."""

    conventions: dict[str, tuple[str, ...]]  # for each convention the counts that are printed; "" for others
    packages: list[str]
    program: str
    same_words: bool = False  # True if other words stop the tool
    source: str = ""  # a package that is unpacked, not built: its functions are in Python


_LABELED = ("gold", "predicted", "matched", "complete")
_SPANS = (*_LABELED, "", "")
_UNLABELED = ("gold", "predicted", "", "", "matched", "complete")
TOOLS = {
    "PYEVALB": Tool(
        {"pyevalb": ("gold", "predicted", "matched", "correct_tags", "tagged")},
        ["PYEVALB==0.1.3", "pytablewriter"],
        """
from PYEVALB import parser, scorer
total = [0] * 5
for texts in pairs:
    trees = [parser.create_from_bracket_string(text) for text in texts]
    try:
        row = scorer.Scorer().score_trees(*trees)
    except (scorer.LengthUnmatch, scorer.WordsUnmatch):
        continue
    counts = row.gold_brackets, row.test_brackets, row.matched_brackets, row.correct_tags, row.words
    total = [a + b for a, b in zip(total, counts)]
print(json.dumps(total))
""",
    ),
    "supar": Tool(
        {"supar": _SPANS, "supar-unlabeled": _UNLABELED},
        ["--no-deps", "supar==1.1.4", "nltk", "regex", "tqdm", "joblib", "click"],
        """
package("supar")
package("supar.utils")
module("supar.utils.logging", get_logger=lambda name: None, progress_bar=None)
from supar.utils.metric import SpanMetric
from supar.utils.transform import Tree
import nltk
factorize, fromstring = Tree.factorize, nltk.Tree.fromstring
"""
        + SPANS,
    ),
    "HanLP": Tool(
        {"hanlp": _SPANS, "hanlp-unlabeled": _UNLABELED},
        ["--no-deps", "hanlp==2.1.7", "phrasetree"],
        """
for name in ("hanlp", "hanlp.metrics", "hanlp.metrics.parsing", "hanlp.datasets", "hanlp.datasets.parsing",
             "hanlp.datasets.parsing.loaders"):
    package(name)
module("hanlp.metrics.metric", Metric=object)
module("hanlp_common", __path__=[])
module("hanlp_common.constant", BOS="", EOS="")
module("hanlp.common", __path__=[])
module("hanlp.common.dataset", TransformableDataset=object)
from hanlp.metrics.parsing.span import SpanMetric
from hanlp.datasets.parsing.loaders.constituency_dataset import factorize
from phrasetree.tree import Tree
fromstring = Tree.fromstring
"""
        + SPANS,
    ),
    "disco-dop": Tool(
        {"disco-dop": ("gold", "predicted", "matched", "complete", "correct_tags", "tagged")},
        [],
        """
import collections, collections.abc
collections.Set, collections.Iterable = collections.abc.Set, collections.abc.Iterable
package("discodop")
module("discodop.grammar", lcfrsproductions=lambda tree, words: [])
sys.modules["discodop"].grammar = sys.modules["discodop.grammar"]
module("discodop.treedist", treedist=None, newtreedist=None)
from discodop.eval import Evaluator, readparam
from discodop.treebank import BracketCorpusReader
reader = object.__new__(BracketCorpusReader)
reader.functions = "remove"
evaluator = Evaluator(readparam(os.path.join(os.environ["SOURCE"], "proper.prm")))
for number, texts in enumerate(pairs):
    items = [reader._parse(text) for text in texts]
    evaluator.add(number, items[0].tree, items[0].sent, items[1].tree, items[1].sent)
acc = evaluator.acc
tags = [gold == found for gold, found in zip(acc.goldpos, acc.candpos)]
counts = [sum(one.values()) for one in (acc.goldb, acc.candb, acc.goldb & acc.candb)]
print(json.dumps([*counts, int(acc.exact), sum(tags), len(tags)]))
""",
        same_words=True,
        source="disco-dop==0.5.2",
    ),
}


def sums_of(python: Path, tool: Tool, folder: Path, pairs: list[tuple[str, str]]) -> list[int]:
    """Return the sums that a tool computes for pairs of trees."""
    lines = "".join([json.dumps(pair) + "\n" for pair in pairs])
    done = subprocess.run(
        [python, "-c", START + tool.program],
        input=lines,
        capture_output=True,
        text=True,
        timeout=600,
        env={"SOURCE": str(folder), "PYTHONPATH": str(folder)},
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    found: list[int] = json.loads(done.stdout)
    return found


def install(python: Path, tool: Tool, folder: Path) -> Path:
    """Install a tool, or unpack its source; return the folder of the source."""
    pip = [str(python), "-m", "pip"]
    if tool.packages:
        subprocess.run([*pip, "install", "-q", *tool.packages], check=True, timeout=600)
    if not tool.source:
        return folder
    name = tool.source.replace("==", "-")
    if not (folder / name).exists():
        options = ["-q", "--no-deps", "-d", str(folder)]
        subprocess.run([*pip, "download", *options, tool.source], check=True, timeout=600)
        subprocess.run(["tar", "-xzf", f"{folder / name}.tar.gz", "-C", str(folder)], check=True)
    return folder / name


def corpus_of(seed: int, tool: Tool) -> list[tuple[str, str]]:
    """Return pairs of made-up trees that the tool's reader can read."""
    # Readers end words at an underscore, or have no sentence without a parse.  disco-dop does not equate
    # the labels of roots, which of two equal labels stands for both changes from run to run, and a tag that
    # is a whole tree may stop it.
    pairs = zip(*oracle.corpus(3 * seed if tool.same_words else seed, 60))
    if tool.same_words:
        pairs = chain(pairs, zip(*oracle.odd_corpus(seed)))
    return [
        pair
        for pair in pairs
        if pair[1] != "(())" and "_" not in "".join(pair)
        if not any(text.startswith(("(ADVP", "(PRT")) or text.count("(") == 1 for text in pair)
        if not (tool.same_words and oracle.stops(*pair, Convention.of("disco-dop")))
    ]


def compare(folder: Path) -> int:
    """Compare each tool with its conventions; return the number of corpora that differ."""
    python = python_of(folder)
    wrong = 0
    for title, tool in TOOLS.items():
        source = install(python, tool, folder)
        for seed in range(10):
            pairs = corpus_of(seed, tool)
            gold, system = map(list, zip(*pairs))
            found = sums_of(python, tool, source, pairs)
            [rows] = jpevalb.conventions(gold, [system], list(tool.conventions)).results
            for row in rows:
                names = tool.conventions[row.convention.name]
                own, its = _named(row, names), {name: n for name, n in zip(names, found) if name}
                print(f"{title}, {row.convention.name}, corpus {seed}: ", end="")
                print(f"{list(its.values())} {'equal' if own == its else f'jpevalb {own}'}")
                wrong += own != its
    return wrong


def _named(row: ConventionResult, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names if name}


def main() -> int:
    """Run the comparison; return 1 if a count differs."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--environment", type=Path)
    folder = options.parse_args().environment
    if folder is not None:
        return int(compare(folder.resolve()) > 0)
    with tempfile.TemporaryDirectory() as made:
        return int(compare(Path(made)) > 0)


if __name__ == "__main__":
    sys.exit(main())
