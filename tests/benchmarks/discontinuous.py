"""Times readers, writers and scoring on made treebanks of discontinuous trees.

Run ``python -m tests.benchmarks.discontinuous [SENTENCES]``.  Each figure is the best of
three, beside it the time of the baseline: splitting the same file into fields or
pieces and no more.  The second table has the whole processes of jpevalb and, if it is installed,
disco-dop, with the scores that each prints.
"""

from __future__ import annotations

import os
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from jpevalb import Tree
from jpevalb.formats.read import read
from jpevalb.formats.writers import write
from jpevalb.score.run import Run
from tests.support.with_gaps import discontinuous_settings

from .processes import installed_command, run

LABELS = ("S", "VP", "NP", "PP", "AP", "CNP", "CS")
TAGS = ("NN", "VVFIN", "ART", "ADJA", "APPR", "PPER", "$,", "$.")
ROUNDS = 3
DISCODOP = """
import sys
sys.argv[1:1] = ["eval"]
from discodop.cli import main
main()
"""
SCORES = {
    "recall": ("Bracketing Recall", "labeled recall"),
    "precision": ("Bracketing Precision", "labeled precision"),
    "F1": ("Bracketing FMeasure", "labeled f-measure"),
    "exact": ("Complete match", "exact match"),
    "tags": ("Tagging accuracy", "pos accuracy"),
}
"""Scores of the second table, with the beginnings of the lines that jpevalb and disco-dop print."""


def make_tree(rng: random.Random, n_words: int, id: str) -> Tree:
    """A random tree in which about one constituent in twelve has a gap, as in German treebanks."""
    labels = [rng.choice(TAGS) for _ in range(n_words)]
    parents = [-1] * n_words
    parts = list(range(n_words))  # the parts side by side, by their first word
    while len(parts) > 1:
        size = min(len(parts), rng.choice((1, 2, 2, 2, 3, 3, 4)))
        begin = rng.randrange(len(parts) - size + 1)
        chosen = list(range(begin, begin + size))
        if size > 1 and chosen[-1] + 1 < len(parts) and rng.random() < 0.08:
            chosen[-1] += 1
        node = len(labels)
        labels.append(rng.choice(LABELS))
        parents.append(-1)
        for place in chosen:
            parents[parts[place]] = node
        for place in reversed(chosen[1:]):
            del parts[place]
        parts[chosen[0]] = node
    words = [f"w{rng.randrange(5_000)}" for _ in range(n_words)]
    return Tree.build(labels, parents, words, list(range(n_words)), id)


def parse_of(rng: random.Random, tree: Tree) -> Tree:
    """A tree like a parser's: one label in ten is another, one node in ten hangs elsewhere."""
    labels, parents = list(tree.labels), list(tree.parents)
    for node in range(1, len(labels)):
        if rng.random() < 0.1 and labels[node] in LABELS:
            labels[node] = rng.choice(LABELS)
        if rng.random() < 0.1 and parents[parents[node]] >= 0:
            parents[node] = parents[parents[node]]
    return Tree.build(labels, parents, tree.words, tree.word_parents, tree.id)


def make_treebank(n: int, seed: int = 1) -> Iterator[tuple[Tree, Tree]]:
    """Gold trees and a system's, 5 to 45 words long."""
    rng = random.Random(seed)
    for number in range(1, n + 1):
        gold = make_tree(rng, rng.randint(5, 45), str(number))
        yield gold, parse_of(rng, gold)


def best(job: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        job()
        times.append(time.perf_counter() - begin)
    return min(times)


def _split(path: Path) -> int:
    with path.open(encoding="utf-8") as lines:
        return sum(len(line.split()) for line in lines)


def main(n: int) -> None:
    pairs = list(make_treebank(n))
    trees = [gold for gold, _ in pairs]
    words = sum(len(tree.words) for tree in trees)
    print(
        f"{n} sentences, {words} words, {sum(map(len, trees))} nodes; "
        f"{sum(not tree.is_continuous for tree in trees)} trees with gaps; seconds, best of {ROUNDS}"
    )
    with tempfile.TemporaryDirectory() as folder:
        print(f"{'format':<22}{'MB':>7}{'split':>8}{'read':>8}{'write':>8}")
        for format in ("discbracket", "discbracket-indices", "export3", "export4"):
            path = Path(folder) / format
            wrote = best(lambda: write(trees, path, format))  # noqa: B023
            assert list(read(path)) == trees
            split = best(lambda: _split(path))  # noqa: B023
            took = best(lambda: sum(1 for _ in read(path)))  # noqa: B023
            print(f"{format:<22}{path.stat().st_size / 1e6:7.1f}{split:8.2f}{took:8.2f}{wrote:8.2f}")
        gold, system = Path(folder) / "gold", Path(folder) / "system"
        write(trees, gold, "export4")
        write((parse for _, parse in pairs), system, "export4")
        parses = [parse for _, parse in pairs]
        alone = best(lambda: sum(1 for _ in Run(trees, parses, discontinuous_settings())))
        whole = best(lambda: sum(1 for _ in Run(gold, system, discontinuous_settings())))
        print(f"score trees in memory {alone:.2f}, two export files {whole:.2f}")
        write(trees, gold, "discbracket")
        write((parse for _, parse in pairs), system, "discbracket")
        compare_tools(Path(folder), str(gold), str(system))


def compare_tools(folder: Path, *files: str) -> None:
    """Time the tools on two discbracket files, and print their scores side by side."""
    print(f"\n{'tool':<12}{'CPU s':>8}{'MiB':>7}" + "".join([f"{name:>11}" for name in SCORES]))
    ours = [*installed_command("jpevalb"), *files, "--quiet"]
    theirs = [sys.executable, "-c", DISCODOP, *files, "--fmt=discbracket"]
    # The scores of all sentences are in the first column of jpevalb and in the second of disco-dop.
    for column, (name, command) in enumerate((("jpevalb", ours), ("disco-dop", theirs)), 1):
        if command is theirs and find_spec("discodop") is None:
            print(f"{name:<12}{'not installed':>15}")
            continue
        printed = folder / "printed"
        paths = (
            {"PYTHONPATH": os.environ["PYTHONPATH"]}
            if command is theirs and "PYTHONPATH" in os.environ
            else {}
        )
        took = run(command, output=printed, **paths)
        text = printed.read_text("utf-8")
        names = [pair[column - 1] for pair in SCORES.values()]
        scores = [re.search(rf"{name}\D+([\d.]+)\D+([\d.]+)", text) for name in names]
        shown = "".join([f"{score[column] if score else '-':>11}" for score in scores])
        print(f"{name:<12}{took.processor:>8.2f}{took.memory:>7.0f}{shown}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
