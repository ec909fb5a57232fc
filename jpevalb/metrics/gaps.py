"""Gaps: the brackets whose yield is more than one block of words, told apart from the others."""

from __future__ import annotations

from collections.abc import Sequence

from ..alignment.pair import Pair
from ..model.counts import Matched
from . import Figure, Metric, f1_rate
from .brackets import matching
from .measures import DISCONTINUOUS_F1


class GapCounts(Matched):
    """Constituents whose yield has gaps, which are some of the brackets.

    Attributes:
        gold: Gold constituents that have gaps.
        system: The system's constituents that have gaps.
        matched: Pairs of a gold and a system constituent of one yield, with gaps, and label.
    """

    __slots__ = ()

    @property
    def shown(self) -> bool:
        """Whether reports show the record: only where a constituent has gaps."""
        return self.gold + self.system > 0


_NONE = GapCounts()


class Gaps(Metric):
    """The brackets whose yield has gaps, which are told apart from the others where there are any."""

    name = "gaps"
    counts = GapCounts
    heading = "Constituents with gaps"
    rates = (f1_rate(DISCONTINUOUS_F1, lambda record: record),)

    def count(self, pair: Pair) -> GapCounts:
        gold, system, partners, _ = matching(pair, self._labels)
        mine, other = gold[5], system[5]
        if mine is None and other is None:
            return _NONE
        return GapCounts(
            0 if mine is None else len(mine) - mine.count(0),
            0 if other is None else len(other) - other.count(0),
            sum([bits != 0 and place >= 0 for bits, place in zip(mine or (), partners)]),
        )

    def figures(self, record: GapCounts) -> Sequence[Figure]:
        return [
            Figure("Recall with gaps", record.recall),
            Figure("Precision with gaps", record.precision),
            Figure("F1 with gaps", record.f1),
        ]
