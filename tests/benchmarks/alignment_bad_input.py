"""Processor seconds and memory of input that has no good alignment, at sizes that tests have no time for.

    python -m tests.benchmarks.alignment_bad_input [--sentences 20000] [--characters 10000000]

Each case checks that every sentence is in one bead and every token in one unit, in order.
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from collections.abc import Iterator

from jpevalb import align

Corpus = list[list[str]]


def words(count: int, rng: random.Random, alphabet: str = "abcdefghijklmnop") -> list[str]:
    """So many words of two to eight letters."""
    return ["".join(rng.choices(alphabet, k=rng.randint(2, 8))) for _ in range(count)]


def cases(sentences: int, characters: int, rng: random.Random) -> Iterator[tuple[str, Corpus, Corpus]]:
    """Name, gold and system of each case."""
    many = [words(rng.randint(3, 25), rng) for _ in range(sentences)]
    yield "one of them against all", [many[sentences // 2]], many
    yield "another one against all", [words(20, rng)], many
    yield "all in one sentence", [[word for some in many for word in some]], many
    other = [["".join(chr(ord(char) + 800) for char in word) for word in some] for some in many]
    yield "another script, as many words", many, other
    greek = [words(rng.randint(3, 25), rng, "αβγδεζηθικλμνξοπ") for _ in range(sentences * 4 // 5)]
    yield "another script, other words", many, greek
    yield "all words equal", [["la"] * 7] * sentences, [["la"] * 7] * (sentences * 9 // 10)
    apart = [[[f"{side}{k}x{i}" for i in range(9)] for k in range(sentences)] for side in "gs"]
    yield "all words different", apart[0], apart[1]
    empty = [[] if rng.random() < 0.2 else some for some in many]
    yield "empty sentences anywhere", many, empty
    long = "".join(rng.choices("abcdefgh", k=characters))
    half = characters // 2
    for name, text in (
        ("itself", long),
        ("one character changed", long[:half] + "x" + long[half + 1 :]),
        ("backwards", long[::-1]),
        ("a short one", "short"),
    ):
        yield f"a long token and {name}", [["the", long, "end"], ["so"]], [["the", text, "end"], ["so"]]


def check(gold: Corpus, system: Corpus) -> int:
    """The number of beads, once it is sure that nothing is lost."""
    beads = align(gold, system)
    i = j = 0
    for bead in beads:
        assert (bead.gold[0], bead.system[0]) == (i, j)
        i, j = bead.gold[1], bead.system[1]
        n = m = 0
        for unit in bead.units:
            assert (unit.gold_start, unit.system_start) == (n, m)
            n, m = unit.gold_end, unit.system_end
        assert n == sum(map(len, gold[slice(*bead.gold)]))
        assert m == sum(map(len, system[slice(*bead.system)]))
    assert (i, j) == (len(gold), len(system))
    return len(beads)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sentences", type=int, default=20_000)
    parser.add_argument("--characters", type=int, default=10_000_000)
    options = parser.parse_args()
    print(f"{'case':42} {'beads':>8} {'s':>7} {'MiB so far':>10}")
    for name, gold, system in cases(options.sentences, options.characters, random.Random(1)):
        began = time.process_time()
        beads = check(gold, system)
        seconds = time.process_time() - began
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"{name:42} {beads:8d} {seconds:7.2f} {most:10d}", flush=True)


if __name__ == "__main__":
    main()
