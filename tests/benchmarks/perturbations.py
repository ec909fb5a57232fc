"""Struct-IoU against worse and worse word boundaries, as in Figure 5 of Shi et al. 2024.

    python -m tests.benchmarks.perturbations [GOLD TIMES] [--sentences 200] [--runs 5]

For each perturbation (noise, insert, delete) and each delta the mean score of the perturbed
gold trees is printed, with its standard deviation over the runs.  TIMES is a CTM file or
TextGrids; without files a made-up treebank is spoken at an even pace.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path

from jpevalb import Tree, perturb
from jpevalb.formats.read import read
from jpevalb.formats.timings import read_timings
from jpevalb.metrics.struct_iou import StructIouCounts, struct_iou_counts
from jpevalb.metrics.times import Timings

from .treebank import make_treebank

DELTAS = tuple(step / 10 for step in range(11))

Timed = tuple[Tree, list[tuple[float, float]]]
Curve = list[tuple[float, float, float]]


def spoken(tree: Tree, rng: random.Random) -> list[tuple[float, float]]:
    """Times as if the words were read out: 60 ms a letter and now and then a pause."""
    found = []
    clock = 0.2
    for word in tree.words:
        if rng.random() < 0.1:
            clock += rng.uniform(0.05, 0.6)
        end = clock + (0.05 + 0.06 * len(word)) * rng.uniform(0.7, 1.4)
        found.append((clock, end))
        clock = end
    return found


def made(sentences: int) -> Iterator[Timed]:
    """A made-up treebank with made-up times."""
    rng = random.Random(1)
    for line in make_treebank(sentences, seed=1):
        tree = Tree.parse(line)
        yield tree, spoken(tree, rng)


def curve(kind: str, corpus: Sequence[Timed], runs: int) -> Curve:
    """(delta, mean, deviation over the runs) of the mean score of the perturbed gold trees."""
    found: Curve = []
    for delta in DELTAS:
        scores = []
        for run in range(runs):
            records = []
            for number, (tree, times) in enumerate(corpus):
                other = perturb.KINDS[kind](tree, times, delta, run * len(corpus) + number)
                records.append(
                    struct_iou_counts(tree, other.tree, gold_times=times, system_times=other.times)
                )
            mean = StructIouCounts.sum(records).mean
            scores.append(0.0 if mean is None else mean)
        found.append((delta, statistics.fmean(scores), statistics.stdev(scores) if runs > 1 else 0.0))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="GOLD TIMES")
    parser.add_argument("--sentences", type=int, default=200)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    if options.files:
        gold, timings = options.files
        trees = list(read(gold))
        fitted = Timings(read_timings(timings))
        corpus = [(tree, fitted.times(tree)) for tree in trees]
        fitted.finish()
    else:
        corpus = list(made(options.sentences))
    curves = {kind: curve(kind, corpus, options.runs) for kind in perturb.KINDS}
    print("delta " + "".join(f"{kind:>18}" for kind in curves))
    for place, delta in enumerate(DELTAS):
        cells = "".join(f"{points[place][1]:9.4f} ± {points[place][2]:.4f}" for points in curves.values())
        print(f"{delta:5.1f} {cells}")


if __name__ == "__main__":
    main()
