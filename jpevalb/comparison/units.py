"""Units of resampling: stretches of gold sentences that several systems' alignments share."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from ..model.errors import SettingsError
from ..model.frozen import frozen


@frozen
class Units:
    """Stretches of gold sentences that are the same for several systems.

    Attributes:
        ends: Where each stretch ends: the number of gold sentences up to there.
        of: For each system, for each of its beads the unit that it belongs to.
    """

    ends: tuple[int, ...]
    of: tuple[tuple[int, ...], ...]

    def __len__(self) -> int:
        return max(len(self.ends), any(self.of))

    @property
    def gold(self) -> int:
        """The number of gold sentences."""
        return self.ends[-1] if self.ends else 0


def common_units(alignments: Sequence[Sequence[tuple[int, int]]]) -> Units:
    """The smallest stretches of gold that consist of whole beads for every system.

    Systems may split and merge sentences in different ways, so bead i of one is
    not bead i of the other; a paired test needs units that are the same gold
    sentences for all.  A place between two gold sentences is an end of a unit if
    and only if no system has a bead across it.  A bead without gold sentences
    belongs to the unit before it, at the beginning of the file to the first; if
    gold is empty, all belongs to one unit.

    Args:
        alignments: For each system the half-open ranges of gold sentences of its
            beads, in order.

    Raises:
        SettingsError: a system's ranges do not cover gold one after the other, or
            two systems' are about different numbers of gold sentences.

    Cost: O(beads * log(beads)).

    >>> common_units([[(0, 1), (1, 3), (3, 4)], [(0, 2), (2, 3), (3, 3), (3, 4)]])
    Units(ends=(3, 4), of=((0, 0, 1), (0, 0, 0, 1)))
    """
    ends: set[int] | None = None
    gold = 0
    for place, ranges in enumerate(alignments):
        at = 0
        for start, end in ranges:
            if start != at or end < start:
                raise SettingsError(
                    f"system {place + 1} has a bead of the gold sentences from {start} to {end}; "
                    f"expected one that begins at {at}"
                )
            at = end
        if ends is not None and at != gold:
            raise SettingsError(
                f"system 1 was scored against {gold} gold sentences and system {place + 1} against {at}; "
                "a comparison needs the same gold sentences for all"
            )
        gold = at
        own = {end for start, end in ranges if start < end}
        ends = own if ends is None else ends & own
    cuts = sorted(ends or ())
    of = tuple(tuple([bisect_left(cuts, end) for _, end in ranges]) for ranges in alignments)
    return Units(tuple(cuts), of)
