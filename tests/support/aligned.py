"""What is true of any alignment, whatever the texts are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jpevalb import AlignedBead
from jpevalb.alignment import Unit


def check_units(units: Iterable[Unit], gold: int, system: int, blanks: bool = False) -> None:
    """Units are in order.  They have tokens of both sides; between two of them one side at most has some.

    With ``blanks`` tokens without characters may be between two units on both sides.
    """
    n = m = 0
    ends = []
    for unit in (*units, Unit(gold, gold, system, system)):
        assert blanks or n == unit.gold_start or m == unit.system_start
        assert n <= unit.gold_start <= unit.gold_end <= gold
        assert m <= unit.system_start <= unit.system_end <= system
        _, n, _, m = unit
        ends.append((unit.gold_start < unit.gold_end, unit.system_start < unit.system_end))
    both = bool(gold and system)
    assert ends[:-1] == (
        [(True, True)] * (len(ends) - 1) if both else [(gold > 0, system > 0)] * (gold + system)
    )


def check(
    gold: Sequence[Sequence[str]],
    system: Sequence[Sequence[str]],
    beads: Iterable[AlignedBead],
    blanks: bool = False,
) -> None:
    """Each sentence is in one bead and each token in one unit or in none, in order."""
    i = j = 0
    for bead in beads:
        assert (bead.gold[0], bead.system[0]) == (i, j)
        i, j = bead.gold[1], bead.system[1]
        sizes = sum(map(len, gold[slice(*bead.gold)])), sum(map(len, system[slice(*bead.system)]))
        check_units(bead.units, *sizes, blanks)
    assert (i, j) == (len(gold), len(system))
