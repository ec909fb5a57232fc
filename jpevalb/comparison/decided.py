"""Whether a difference of two systems is real: the only place that decides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..metrics import Figure
from ..score.evaluation import LEVEL
from . import holm
from .result import Comparison, SystemPair

LEAST = {"bootstrap": 50, "permutation": 10, "sign": 10}
"""Minimum number of units of each test: with fewer, more than 7 of 100 pairs of equal systems differ."""

DIFFERS, ALIKE = "differs", "alike"
UNTESTED, UNDEFINED, FEW, REACH, MIXED = "untested", "undefined", "few", "reach", "mixed"


class Decision(NamedTuple):
    """What a test says about the difference of two systems in a figure."""

    #: ``"differs"`` or ``"alike"``; otherwise why neither can be said: no test, no figure, too few units, too
    #: few resamples for the number of tests, or a sign test that points the other way than the difference
    outcome: str
    points: float | None  #: the second system's figure minus the first's
    interval: tuple[float, float] | None = None  #: of the difference, not corrected
    p: float | None = None  #: corrected for the tests of its family

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


class Decisions:
    """The decisions on all differences of a comparison."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._pairs: dict[tuple[str, str], SystemPair] = {one.systems: one for one in comparison.pairs}
        self._systems = {one.name: one for one in comparison.systems}
        self._names = list(self._systems)
        self.tests = len(comparison.pairs) or len(self._names) - 1
        """Number of tests that F1 is corrected for."""

    def reaches(self, tests: int) -> bool:
        """Return True if the resamples suffice for a corrected p-value below 0.05."""
        samples = self._comparison.test_samples
        return not samples or tests / (samples + 1) < LEVEL

    def of_f1(self, first: str, second: str, figure: str = "f1") -> Decision:
        """Return the decision on F1, with Holm's correction for the number of pairs."""
        found = self._found(first, second, figure)
        if self._comparison.pairs:
            pair = self._pairs.get((first, second)) or self._pairs[second, first]
            if self.reaches(self.tests):
                found = found._replace(p=pair.corrected.get(figure))
        return self._decided(found, first, second, figure, self.tests)

    def of_section(self, base: str, figures: Iterable[Figure]) -> dict[tuple[str, str], Decision]:
        """Return the decisions on the figures of a section against a system, by system and figure.

        Holm's correction is for all tests of the section, since a sentence picks out the smallest p-values.
        """
        others = [name for name in self._names if name != base]
        found = {(name, one.name): self._found(base, name, one.name) for one in figures for name in others}
        corrected = holm([one.p for one in found.values()])
        tests = sum([p is not None for p in corrected])
        return {
            key: self._decided(one._replace(p=p), base, *key, tests)
            for (key, one), p in zip(found.items(), corrected)
        }

    def _found(self, first: str, second: str, figure: str) -> Decision:
        """Return a difference with its interval and its own p-value."""
        base, other = self._systems[first], self._systems[second]
        values = base.rates.get(figure), other.rates.get(figure)
        points = None if None in values else values[1] - values[0]  # type: ignore[operator]
        if (pair := self._pairs.get((first, second))) is not None:
            return Decision("", points, pair.intervals.get(figure), pair.p_values.get(figure))
        if (pair := self._pairs.get((second, first))) is not None:
            ends = pair.intervals.get(figure)
            return Decision("", points, ends and (-ends[1], -ends[0]), pair.p_values.get(figure))
        if base is self._comparison.baseline:
            return Decision("", points, other.differences.get(figure), other.p_values.get(figure))
        ends = base.differences.get(figure)
        return Decision("", points, ends and (-ends[1], -ends[0]), base.p_values.get(figure))

    def _decided(self, found: Decision, first: str, second: str, figure: str, tests: int) -> Decision:
        test = self._comparison.test
        if test is None:
            return found._replace(outcome=UNTESTED)
        if found.points is None or found.p is None:
            return found._replace(outcome=UNDEFINED)
        if min(self._systems[first].units, self._systems[second].units) < LEAST[test]:
            return found._replace(outcome=FEW)
        if not self.reaches(tests):
            return found._replace(outcome=REACH)
        if found.p >= LEVEL:
            return found._replace(outcome=ALIKE)
        # The sign test counts sentences: most may be lost by the system with the larger figure.
        counted = self._systems[second].outcomes.get(figure) if first == self._names[0] else None
        won = 0 if counted is None else counted.wins - counted.losses
        return found._replace(outcome=MIXED if won * found.points < 0 else DIFFERS)
