"""Units of resampling of several systems."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from ..base.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Units:
    """Units of resampling: stretches of gold sentences that are the same for several systems."""

    ends: tuple[int, ...]  # number of gold sentences up to the end of each unit
    of: tuple[tuple[int, ...], ...]  # for each system, the unit of each of its beads

    def __len__(self) -> int:
        return max(len(self.ends), any(self.of))

    @property
    def gold(self) -> int:
        """The number of gold sentences."""
        return self.ends[-1] if self.ends else 0


def common_units(alignments: Sequence[Sequence[tuple[int, int]]]) -> Units:
    """Return the smallest stretches of gold that consist of whole beads for every system.

    Systems may split and merge sentences differently, so bead i of one is not bead i of another; a paired
    test needs units that are the same gold sentences for all.  A unit ends between two gold sentences if
    and only if no system has a bead across that point.  A bead without gold sentences belongs to the unit
    before it, or to the first; if gold is empty, there is one unit.

    ``alignments`` has for each system the half-open ranges of gold sentences of its beads, in order.  A
    SettingsError is raised if they do not cover the same gold sentences one after the other.

    >>> common_units([[(0, 1), (1, 3), (3, 4)], [(0, 2), (2, 3), (3, 3), (3, 4)]])
    Units(ends=(3, 4), of=((0, 0, 1), (0, 0, 0, 1)))
    """
    ends: set[int] | None = None
    gold = 0
    for number, ranges in enumerate(alignments, 1):
        starts, bounds = zip(*ranges) if ranges else ((), ())
        for start, end, at in zip(starts, bounds, (0, *bounds)):
            if not at == start <= end:
                raise SettingsError(
                    f"system {number} has a bead of the gold sentences from {start} to {end}; "
                    f"expected one that begins at {at}"
                )
        total = bounds[-1] if bounds else 0
        if ends is not None and total != gold:
            raise SettingsError(
                f"system 1 was scored against {gold} gold sentences and system {number} against {total}; "
                "a comparison needs the same gold sentences for all"
            )
        gold = total
        own = set(bounds) - {0}
        ends = own if ends is None else ends & own
    cuts = sorted(ends or ())
    of = [
        # As many beads as units: each bead is one.
        range(len(cuts)) if len(ranges) == len(cuts) else [bisect_left(cuts, end) for _, end in ranges]
        for ranges in alignments
    ]
    return Units(tuple(cuts), tuple(map(tuple, of)))
