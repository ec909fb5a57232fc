"""Recall of true beads around long insertions that only one file has.

Sentences of another treebank are put into one side or both sides of a corpus and its copy,
which is equal or noisy (``alignment_noise``).  Counted are the beads of the corpus
itself, so that 100 % means that nothing but the stretch was left out of step.

    python -m tests.benchmarks.alignment_gaps [--sentences 1000] [--lengths 50 200 300 1000 5000 20000]
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests.benchmarks.alignment_noise import Noise, Sample, make_sample, words_of
from tests.benchmarks.alignment_regimes import Span
from tests.benchmarks.treebank import make_treebank

LENGTHS = (50, 200, 300, 1000, 5000, 20_000)

KINDS = {
    "equal": Noise(),
    "noisy": Noise(merge=0.05, split=0.05, join_tokens=0.05, split_token=0.05, misspell=0.025, drop=0.025),
    "very noisy": Noise(
        merge=0.3, split=0.3, join_tokens=0.3, split_token=0.3, misspell=0.025, drop=0.025, insert=0.02
    ),
}
"""The copies: all noise but the first has 5 % errors in the words."""

PLACES = ("gold", "system", "both", "begin", "end", "again", "short")
"""Where the stretch is: in the middle of one side, or of both; at either end of the gold
side; five stretches in turn on either side; and one between 1,000 short sentences."""

_SHORT = (["Yes", "."], ["No", "."], ["Yes", "."], ["Thank", "you", "."])


class Stretch(NamedTuple):
    """Text inserted before a true bead."""

    bead: int
    gold: int
    system: int


def stretches(place: str, length: int, beads: int) -> list[Stretch]:
    """The stretches of one place; the system's is a fifth shorter where both sides have one."""
    middle = beads // 2
    if place == "gold":
        return [Stretch(middle, length, 0)]
    if place in ("system", "short"):
        return [Stretch(middle, 0, length)]
    if place == "both":
        return [Stretch(middle, length, length * 4 // 5)]
    if place == "begin":
        return [Stretch(0, length, 0)]
    if place == "end":
        return [Stretch(beads, length, 0)]
    return [Stretch(beads * k // 6, length * (k % 2), length * ((k + 1) % 2)) for k in range(1, 6)]


def with_stretches(sample: Sample, added: Sequence[Stretch], other: Iterator[list[str]]) -> Sample:
    """The sample with sentences of ``other`` put in; its true beads are those of the sample."""
    gold: list[list[str]] = []
    system: list[list[str]] = []
    beads: list[Span] = []
    at = {stretch.bead: stretch for stretch in added}
    for number in range(len(sample.beads) + 1):
        stretch = at.get(number)
        if stretch is not None:
            gold += [next(other) for _ in range(stretch.gold)]
            system += [next(other) for _ in range(stretch.system)]
        if number < len(sample.beads):
            a, b, c, d = sample.beads[number]
            beads.append((len(gold), len(gold) + b - a, len(system), len(system) + d - c))
            gold += sample.gold[a:b]
            system += sample.system[c:d]
    return Sample(gold, system, beads, sample.units)


def make(kind: str, place: str, length: int, sentences: int, seed: int) -> Sample:
    """One sample with its stretch."""
    gold = [words_of(line) for line in make_treebank(sentences, seed)]
    if place == "short":
        short = [list(_SHORT[k * k % 7 % len(_SHORT)]) for k in range(1000)]
        gold[sentences // 2 : sentences // 2] = short
    sample = make_sample(gold, KINDS[kind], random.Random(f"gap {seed}"))
    added = stretches(place, length, len(sample.beads))
    wanted = sum(stretch.gold + stretch.system for stretch in added)
    other = (words_of(line) for line in make_treebank(wanted, seed + 1000))
    return with_stretches(sample, added, other)


def found(sample: Sample) -> tuple[int, float]:
    """True beads found, and seconds."""
    began = time.perf_counter()
    share, _ = sample.found()
    return round(share * len(sample.beads)), time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--lengths", type=int, nargs="+", default=LENGTHS)
    parser.add_argument("--kinds", nargs="+", default=list(KINDS), choices=KINDS)
    parser.add_argument("--places", nargs="+", default=PLACES, choices=PLACES)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"{'copy':10} {'place':7}" + "".join([f"{length:>15,d}" for length in options.lengths]))
    for kind in options.kinds:
        for place in options.places:
            cells = []
            for length in options.lengths:
                sample = make(kind, place, length, options.sentences, options.seed)
                count, seconds = found(sample)
                cells.append(f"{100 * count / len(sample.beads):7.2f} % {seconds:4.1f}s")
            print(f"{kind:10} {place:7}" + "".join([f"{cell:>15}" for cell in cells]), flush=True)


if __name__ == "__main__":
    main()
