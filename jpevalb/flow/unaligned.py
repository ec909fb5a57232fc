"""Unaligned: beads that have text on one side only, named by stretches."""

from __future__ import annotations

from typing import TypeAlias

from ..alignment import Bead
from ..model.counts import NAMED

UnalignedStretch: TypeAlias = tuple[int, Bead]
"""The number of the first bead, and the sentences of all its beads; each has one a side at most."""


def beads_in(bead: Bead) -> int:
    """How many beads a stretch has.

    >>> beads_in(Bead((4, 4), (10, 13), False))
    3
    """
    return max(bead.gold[1] - bead.gold[0], bead.system[1] - bead.system[0])


def add_stretch(found: list[UnalignedStretch], number: int, bead: Bead) -> None:
    """Adds a bead or a stretch behind others; the last one goes on if nothing is between.

    Cost: O(1).

    >>> found = []
    >>> for number in (3, 4, 5, 9):
    ...     add_stretch(found, number, Bead((number - 1, number), (2, 2), False))
    >>> [(number, bead.gold) for number, bead in found]
    [(3, (2, 5)), (9, (8, 9))]
    """
    if found:
        first, last = found[-1]
        if (
            first + beads_in(last) == number
            and last.gold[1] == bead.gold[0]
            and last.system[1] == bead.system[0]
            and _sides(last) == _sides(bead)
        ):
            found[-1] = (
                first,
                Bead((last.gold[0], bead.gold[1]), (last.system[0], bead.system[1]), False),
            )
            return
    if len(found) < NAMED:
        # A stretch goes on: it has no units.
        found.append((number, Bead(bead.gold, bead.system, bead.aligned)))


def _sides(bead: Bead) -> tuple[bool, bool]:
    return bead.gold[1] > bead.gold[0], bead.system[1] > bead.system[0]
