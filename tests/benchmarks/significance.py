"""Significance tests on made counts: their speed, their error rates, and the coverage of their intervals.

    python -m tests.benchmarks.significance                   # times
    python -m tests.benchmarks.significance --simulate 1000   # error rates and coverage

Section 23 of the Penn Treebank has 2,416 sentences; the counts that are timed have about as many
constituents, and nine figures as a comparison shows.  A simulated comparison has 200 sentences of 5 to 40
constituents.  Sentences differ in difficulty, which both systems share.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from jpevalb.metrics.significance import bootstrap, intervals, permutation, sign

LEVEL = 0.05
EASY = 0.9
"""Mean share of gold constituents that the first system finds."""


def made(units: int, figures: int) -> tuple[np.ndarray, np.ndarray]:
    """Return counts of two systems: for each figure a numerator and a denominator a unit."""
    rng = np.random.default_rng(1)
    whole = rng.integers(1, 40, (units, figures))
    first, second = (np.empty((units, 2 * figures), dtype=np.int64) for _ in range(2))
    for table, share in ((first, 0.90), (second, 0.905)):
        table[:, 0::2] = rng.binomial(whole, share)
        table[:, 1::2] = whole
        # One figure as Struct-IoU has it: a sum of fractions in units of 1e-12.
        table[:, 0] = rng.integers(0, 10**12, units)
        table[:, 1] = 10**12
    return first, second


def timed(name: str, call: Callable[[], object], repeats: int) -> None:
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    print(f"{name:34} {best:8.3f} s")


# -- simulation ------------------------------------------------------------------


def compared(rng: np.random.Generator, units: int, worse: float) -> list[np.ndarray]:
    """Return F of two systems on the same sentences, as numerators and denominators.

    The second system finds the share 1 - ``worse`` of what the first one finds.  Systems have 10 % more or
    fewer constituents than gold in a sentence, the same number on average.
    """
    gold = rng.integers(5, 41, units)
    shares = rng.beta(9, 9 * (1 - EASY) / EASY, units)
    tables = []
    for factor in (1.0, 1.0 - worse):
        matched = rng.binomial(gold, shares * factor)
        size = np.maximum(matched, np.rint(gold * rng.uniform(0.9, 1.1, units)).astype(np.int64))
        tables.append(np.stack([2 * matched, gold + size], axis=1))
    return tables


def simulated(
    comparisons: int, *, units: int = 200, worse: float = 0.0, seed: int = 1, **samples: int
) -> dict:
    """Return how often each test rejects that the systems are equal, and each interval holds the truth."""
    truth = np.zeros((2, 2), dtype=np.int64)
    rng = np.random.default_rng(10**6)
    for _ in range(50):
        truth += [table.sum(axis=0) for table in compared(rng, 20_000, worse)]
    first_f, second_f = truth[:, 0] / truth[:, 1]
    counts = dict.fromkeys(
        (
            "bootstrap rejects",
            "permutation rejects",
            "sign rejects",
            "bootstrap covers",
            "permutation covers",
            "one system's interval covers",
            "p and interval contradict",
        ),
        0,
    )
    rng = np.random.default_rng(seed)
    for number in range(comparisons):
        first, second = compared(rng, units, worse)
        for name, test in (("bootstrap", bootstrap), ("permutation", permutation)):
            how = {"samples": samples[name]} if name in samples else {}
            ((p, (low, high)),) = test(first, second, seed=number, **how)
            counts[f"{name} rejects"] += p < LEVEL
            counts[f"{name} covers"] += low <= second_f - first_f <= high
            counts["p and interval contradict"] += (p < LEVEL) == (low <= 0 <= high)
        counts["sign rejects"] += sign(first, second)[0].p < LEVEL
        how = {"samples": samples["bootstrap"]} if "bootstrap" in samples else {}
        ((low, high),) = intervals(first, seed=number, **how)
        counts["one system's interval covers"] += low <= first_f <= high
    return {name: count / comparisons for name, count in counts.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--units", type=int, default=2416)
    parser.add_argument("--figures", type=int, default=9)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--simulate", type=int, metavar="N", help="N comparisons of 200 sentences")
    options = parser.parse_args()
    if options.simulate:
        for worse in (0.0, 0.02, 0.2):
            print(f"{options.simulate} comparisons, second system {100 * worse:g} % worse")
            for name, share in simulated(options.simulate, worse=worse).items():
                print(f"  {name:30} {share:.3f}")
        return
    first, second = made(options.units, options.figures)
    print(f"{options.units} units, {options.figures} figures, best of {options.repeats}")
    timed("permutation, 10,000 shuffles", partial(permutation, first, second), options.repeats)
    timed("bootstrap, 1,000 resamples", partial(bootstrap, first, second), options.repeats)
    timed("intervals, 1,000 resamples", partial(intervals, first), options.repeats)
    timed("sign", partial(sign, first, second), options.repeats)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
