"""Whether a difference of two systems is real: the only place that decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..metrics.unit_table import Interval
from ..score.evaluation import LEVEL

LEAST = {"bootstrap": 50, "permutation": 10, "sign": 10}
"""Minimum number of units of each test: with fewer, more than 7 of 100 pairs of equal systems differ."""

DIFFERS, ALIKE = "differs", "alike"
UNTESTED, UNDEFINED, FEW, REACH, MIXED = "untested", "undefined", "few", "reach", "mixed"


class Difference(NamedTuple):
    """The difference of two systems in a figure, the second's minus the first's, with its test."""

    units: int  #: number of units that were resampled
    points: float | None  #: the difference, in [-1, 1] for a rate; ``None`` if a figure is undefined
    interval: Interval = None  #: its confidence interval
    p: float | None = None  #: p-value of this test alone
    won: int | None = None  #: of a sign test: wins of the second system minus its losses


class Decision(NamedTuple):
    """Result of a test of the difference of two systems in a figure."""

    #: ``"differs"`` or ``"alike"``; otherwise the reason for neither: ``"untested"``; ``"undefined"``, no
    #: figure; ``"few"`` units for the test or for the number of tests; ``"reach"``, too few resamples for the
    #: number of tests; ``"mixed"``, a sign test that points the other way than the difference
    outcome: str
    points: float | None  #: the second system's figure minus the first's
    interval: Interval = None  #: of the difference, not corrected
    p: float | None = None  #: corrected for the tests of its family
    tests: int = 1  #: number of tests of its family

    @property
    def real(self) -> bool:
        """True if the systems differ beyond chance."""
        return self.outcome == DIFFERS

    def turned(self) -> Decision:
        """Return the decision on the first system minus the second."""
        ends = self.interval
        return self._replace(
            points=None if self.points is None else -self.points,
            interval=None if ends is None else (-ends[1], -ends[0]),
        )


def decisions(
    family: Sequence[Difference], test: str | None, samples: int, *, corrected: bool = True
) -> list[Decision]:
    """Decide on differences that are corrected for their number, as a sentence may pick out any of them.

    Args:
        family: The differences.
        test: The test; ``None`` for none.
        samples: Number of its resamples; 0 for a test without resamples.
        corrected: Correct the p-values by Holm's method.
    """
    p_values = [one.p for one in family]
    tests = sum([p is not None for p in p_values]) if corrected else 1
    if corrected:
        p_values = holm(p_values)

    def outcome(one: Difference, p: float | None) -> str:
        if test is None:
            return UNTESTED
        if one.points is None or p is None:
            return UNDEFINED
        # With n units, swaps and signs give no p-value below 2 / 2 ** n.
        least = 0.0 if test == "bootstrap" else 2.0 ** (1 - one.units)
        if one.units < LEAST[test] or tests * least >= LEVEL:
            return FEW
        if samples and not reaches(tests, samples):
            return REACH
        if p >= LEVEL:
            return ALIKE
        # The sign test counts sentences: most may be lost by the system with the larger figure.
        return MIXED if one.won is not None and one.won * one.points <= 0 else DIFFERS

    return [Decision(outcome(one, p), one.points, one.interval, p, tests) for one, p in zip(family, p_values)]


def reaches(tests: int, samples: int) -> bool:
    """Return True if a number of resamples suffices for a corrected p-value below 0.05."""
    return tests / (samples + 1) < LEVEL


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Correct p-values for the number of tests: return the smallest level at which each is rejected.

    Undefined p-values (``None``) are not counted as tests.

    Source: Holm 1979, A simple sequentially rejective multiple test procedure.

    >>> holm([0.01, 0.04, None, 0.03])
    [0.03, 0.06, None, 0.06]
    """
    corrected: list[float | None] = [None] * len(p_values)
    tests = sorted([(p, index) for index, p in enumerate(p_values) if p is not None])
    level = 0.0
    for rank, (p, index) in enumerate(tests):
        level = max(level, min(1.0, (len(tests) - rank) * p))
        corrected[index] = level
    return corrected


def letters_of(names: Sequence[str], apart: Sequence[frozenset[str]]) -> list[tuple[str, ...]]:
    """Return sets of systems that are not distinguished: two share a set unless their pair is in ``apart``.

    The sets are in the order of the names.  No set could be left out.

    Source: Piepho 2004, An algorithm for a letter-based representation of all-pairwise comparisons: insert,
    absorb and sweep.

    >>> letters_of(["a", "b", "c"], [frozenset("ac")])
    [('a', 'b'), ('b', 'c')]
    """
    sets = [frozenset(names)]
    for pair in apart:
        split = [one - {name} for one in sets if one >= pair for name in pair]
        sets = [one for one in sets if not one >= pair]
        sets += [one for one in split if not any(one < other for other in [*sets, *split])]
        sets = list(dict.fromkeys(sets))
    # Sweep: leave out a set whose systems and pairs are all in other sets.
    shared = {one: [(a, b) for a in one for b in one] for one in sets}
    for one in sorted(sets, key=len):
        others = [other for other in sets if other != one]
        if all(any(a in other and b in other for other in others) for a, b in shared[one]):
            sets = others
    return sorted(
        [tuple([name for name in names if name in one]) for one in sets],
        key=lambda one: [names.index(name) for name in one],
    )
