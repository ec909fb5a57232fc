"""How often a test claims a difference between equal systems, and how often it finds a true one.

    python -m tests.benchmarks.claims              # equal systems
    python -m tests.benchmarks.claims --better .013    # the last system finds so much more of gold

Each row is a number of systems and of sentences; the figures are shares of 500 made corpora (``--corpora``)
in which F1 of any two systems is called different: by the permutation test with Holm's correction for all
pairs, which is the default; by the same test against the first system without a correction; by the bootstrap
likewise.  Sentences differ in difficulty, which all systems share, and a quarter is alike in all systems.
"""

from __future__ import annotations

import argparse
from array import array
from itertools import combinations

import numpy as np

from jpevalb.comparison.result import LEAST, UNTESTED, Decision, decisions
from jpevalb.metrics.resampling import resample, shuffle
from jpevalb.metrics.significance import bootstrap, permutation
from jpevalb.metrics.unit_table import UnitTable, differences

SAMPLES = 10_000


def corpus(rng: np.random.Generator, systems: int, units: int, better: float) -> list[UnitTable]:
    """Return the counts of F1 of some systems; the last finds ``better`` more of gold."""
    gold = np.maximum(1, rng.lognormal(2.4, 0.7, units).astype(int))
    difficulty = rng.beta(5, 1.1, units) + rng.normal(0, 0.05, units)
    alike, first = rng.random(units) < 0.25, np.empty(0)
    tables = []
    for system in range(systems):
        gain = better * (system == systems - 1)
        share = np.clip(difficulty + rng.normal(0, 0.1, units) + gain, 0.01, 0.999)
        own = np.maximum(1, gold + rng.integers(-1, 2, units))
        matched = rng.binomial(np.minimum(gold, own), share)
        columns = np.array([2 * matched, gold + own])
        first = first if tables else columns
        columns[:, alike] = first[:, alike]
        tables.append(UnitTable(units, [array("q", column) for column in columns]))
    return tables


def claims(tables: list[UnitTable], test: str, samples: int, *, pairs: bool) -> list[tuple[int, int]]:
    """Return the pairs that differ: of all pairs with a correction, or of those with the first without."""
    sample, run = (shuffle, permutation) if test == "permutation" else (resample, bootstrap)
    sample(tables, samples, 1)
    chosen = [(a, b) for a, b in combinations(range(len(tables)), 2) if pairs or not a]
    family = []
    for a, b in chosen:
        (found,) = run(tables[a], tables[b], confidence=None, samples=samples, seed=1)
        (points,) = differences(tables[a], tables[b])
        family.append(Decision(UNTESTED, points, units=tables[a].units, p_alone=found.p))
    decided = decisions(family, test, samples, corrected=pairs)
    return [pair for pair, one in zip(chosen, decided) if one.real]


def shares(
    systems: int, units: int, *, corpora: int, samples: int = SAMPLES, better: float = 0.0, seed: int = 1
) -> list[float]:
    """Return the shares of corpora with a claim; with ``better``, one about the first and the last system."""
    rng = np.random.default_rng([systems, units, seed])
    ways = (("permutation", True), ("permutation", False), ("bootstrap", False))
    counts = [0] * len(ways)
    for _ in range(corpora):
        tables = corpus(rng, systems, units, better)
        for way, (test, pairs) in enumerate(ways):
            found = claims(tables, test, samples, pairs=pairs)
            counts[way] += (0, systems - 1) in found if better else bool(found)
    return [count / corpora for count in counts]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--corpora", type=int, default=500)
    parser.add_argument("--better", type=float, default=0.0)
    options = parser.parse_args()
    print("systems sentences  permutation, Holm  permutation alone  bootstrap alone")
    for systems in (2, 5, 12):
        for units in (LEAST["permutation"], 50, 300, *((900,) if options.better else ())):
            row = shares(systems, units, corpora=options.corpora, better=options.better)
            print(f"{systems:7} {units:9}  " + "  ".join([f"{share:17.3f}" for share in row]), flush=True)


if __name__ == "__main__":
    main()
