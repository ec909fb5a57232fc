"""Times the significance tests on made counts; run with ``python -m tests.benchmarks.significance``.

Section 23 of the Penn Treebank has 2,416 sentences; the made counts have about
as many constituents, and all nine figures that a comparison shows.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable

import numpy as np

from jpevalb.comparison.significance import bootstrap, intervals, permutation, sign


def made(units: int, figures: int) -> tuple[np.ndarray, np.ndarray]:
    """Counts of two systems: for each figure a numerator and a denominator a unit."""
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--units", type=int, default=2416)
    parser.add_argument("--figures", type=int, default=9)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    first, second = made(options.units, options.figures)
    print(f"{options.units} units, {options.figures} figures, best of {options.repeats}")
    timed("permutation, 10,000 shuffles", lambda: permutation(first, second), options.repeats)
    timed("bootstrap, 1,000 resamples", lambda: bootstrap(first, second), options.repeats)
    timed("intervals, 1,000 resamples", lambda: intervals(first), options.repeats)
    timed("sign", lambda: sign(first, second), options.repeats)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
