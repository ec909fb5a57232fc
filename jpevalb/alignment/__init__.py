"""Alignment of two treebanks whose sentences and words differ."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple


class Unit(NamedTuple):
    """Smallest span of whole tokens on both sides, as half-open ranges of the bead's tokens.

    In a bead of one side each token is a unit.
    """

    gold_start: int  #: first gold token
    gold_end: int  #: last gold token + 1
    system_start: int  #: first system token
    system_end: int  #: last system token + 1


class Bead(NamedTuple):
    """Gold and system sentences that carry the same text (Gale & Church 1993)."""

    gold: tuple[int, int]  #: half-open range of 0-based gold sentence numbers; may be empty
    system: tuple[int, int]  #: half-open range of 0-based system sentence numbers; may be empty
    aligned: bool  #: False if exactly one side has text


@lru_cache(maxsize=256)
def one_to_one(n: int) -> tuple[Unit, ...]:
    """Return the units of two lists of ``n`` tokens that correspond one by one."""
    return tuple([Unit(i, i + 1, i, i + 1) for i in range(n)])


def with_unaligned(units: Iterable[Unit], gold: int, system: int) -> tuple[Unit, ...]:
    """Return units of so many gold and system tokens, and one for each token that is in none of them.

    >>> with_unaligned([Unit(1, 2, 0, 1)], 2, 2)[::2]
    (Unit(gold_start=0, gold_end=1, system_start=0, system_end=0), \
Unit(gold_start=2, gold_end=2, system_start=1, system_end=2))
    """
    found: list[Unit] = []
    i = j = 0
    for unit in (*units, Unit(gold, gold, system, system)):
        if i < unit[0] or j < unit[2]:
            found += [Unit(k, k + 1, j, j) for k in range(i, unit[0])]
            found += [Unit(unit[0], unit[0], k, k + 1) for k in range(j, unit[2])]
        found.append(unit)
        _, i, _, j = unit
    return tuple(found[:-1])
