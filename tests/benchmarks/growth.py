"""Growth of time with the length of a sentence and the number of sentences.

    python -m tests.benchmarks.growth [--most 1280]

For each kind of work, in process: milliseconds a sentence at doubling lengths,
and the exponent of the power law that fits them best (1 is linear).  Then the
same for the number of sentences at the length of newspaper text.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence

import numpy as np

from jpevalb import Tree, average, discontinuous_f1, evaluate, legacy, struct_iou, tree_node_accuracy
from jpevalb.alignment.solve import word_units
from jpevalb.kernels import implementation

from .averaging import ensemble
from .treebank import make_treebank, make_trees, perturb_parse

Lines = list[str]
Work = Callable[[], object]

LEAST = 0.1
"""Seconds of work that a figure rests on at least."""


def _legacy(gold: Lines, system: Lines) -> Work:
    lines = [[line.encode() for line in side] for side in (gold, system)]
    return lambda: legacy.evaluate(*lines)


def _brackets(gold: Lines, system: Lines) -> Work:
    return lambda: evaluate(gold, system, metrics=("brackets", "tags")).total


def _units(gold: Lines, system: Lines) -> Work:
    # Every fifth token is joined with the next, so that words have to be aligned.
    pairs = []
    for line in gold:
        words = Tree.parse(line).words
        pairs.append(
            (words, ["".join(words[i : i + 1 + (i % 5 == 0)]) for i in range(len(words)) if i % 5 != 1])
        )
    return lambda: [word_units(words, joined, {}) for words, joined in pairs]


def _pairwise(measure: Callable[[Tree, Tree], object]) -> Callable[[Lines, Lines], Work]:
    def prepare(gold: Lines, system: Lines) -> Work:
        pairs = [(Tree.parse(g), Tree.parse(s)) for g, s in zip(gold, system)]
        return lambda: [measure(*pair) for pair in pairs]

    return prepare


def _average(gold: Lines, system: Lines) -> Work:
    rng = random.Random(1)
    trees = [ensemble(len(Tree.parse(line).words), 5, rng) for line in gold]
    return lambda: [average(five) for five in trees]


WORK: dict[str, Callable[[Lines, Lines], Work]] = {
    "legacy": _legacy,
    "brackets, tags": _brackets,
    "word units": _units,
    "Struct-IoU": _pairwise(struct_iou),
    "tree node accuracy": _pairwise(tree_node_accuracy),
    "discontinuous F1": _pairwise(discontinuous_f1),
    "average of 5": _average,
}


def seconds(work: Work) -> float:
    """Processor seconds of one call: the least of at least three, or of LEAST seconds of them."""
    found: list[float] = []
    while len(found) < 3 or sum(found) < LEAST:
        begin = time.process_time()
        work()
        found.append(time.process_time() - begin)
        if sum(found) > 10 * LEAST:
            break
    return min(found)


def exponent(sizes: Sequence[float], times: Sequence[float]) -> float:
    """The slope of the least-squares line through the logarithms of both."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--most", type=int, default=640, help="words of the longest sentence (640)")
    options = parser.parse_args()
    print(f"kernels: {implementation()}")
    lengths = [20 * 2**k for k in range(20) if 20 * 2**k <= options.most]
    texts = {}
    for length in lengths:
        gold = make_trees(length, max(20, 2560 // length), 1)
        rng = random.Random(length)
        texts[length] = gold, [perturb_parse(line, rng) for line in gold]
    print(f"{'milliseconds a sentence':<24}{''.join(f'{n:>6} words' for n in lengths)}  exponent")
    for name, prepare in WORK.items():
        times = [seconds(prepare(*texts[n])) / len(texts[n][0]) for n in lengths]
        row = "".join(f"{value * 1e3:12.3f}" for value in times)
        print(f"{name:<24}{row}{exponent(lengths, times):10.2f}", flush=True)
    numbers = [100 * 4**k for k in range(4)]
    gold = list(make_treebank(numbers[-1], 1))
    rng = random.Random(1)
    system = [perturb_parse(line, rng) for line in gold]
    print(f"\n{'seconds in all':<24}{''.join(f'{n:>8} sent' for n in numbers)}  exponent")
    for name, prepare in WORK.items():
        times = [seconds(prepare(gold[:n], system[:n])) for n in numbers]
        row = "".join(f"{value:13.3f}" for value in times)
        print(f"{name:<24}{row}{exponent(numbers, times):10.2f}", flush=True)


if __name__ == "__main__":
    main()
