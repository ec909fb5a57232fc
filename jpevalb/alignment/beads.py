"""Beads: groups of sentences and units of tokens, made from a path through both texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

from . import Unit

# Gold tokens, system tokens and equal characters before a point of a path that is between tokens on both
# sides
Point: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class AlignedBead:
    """Gold and system sentences that carry the same text, with aligned words."""

    gold: tuple[int, int]  #: half-open range of 0-based gold sentence numbers; may be empty
    system: tuple[int, int]  #: half-open range of 0-based system sentence numbers; may be empty
    aligned: bool  #: False if exactly one side has text
    #: half-open ranges of corresponding tokens, in order, counted through the bead's sentences
    units: tuple[Unit, ...]
    #: characters of the comparison texts that are aligned with equal ones; ``None`` if all words are equal
    #: and nothing was compared
    equal: int | None = field(default=None, compare=False)
    #: lengths in characters of the comparison texts of gold and system, if known
    sizes: tuple[int, int] | None = field(default=None, compare=False, repr=False)

    def moved(self, gold: int, system: int) -> AlignedBead:
        """Return the same bead with more sentences before it on either side."""
        (a, b), (c, d) = self.gold, self.system
        return replace(self, gold=(a + gold, b + gold), system=(c + system, d + system))


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


class Piece(NamedTuple):
    """Sentences between two sentence ends of both sides; sentences without words do not count."""

    gold: tuple[int, int]  # half-open range of sentences
    system: tuple[int, int]
    units: tuple[Unit, ...]  # tokens are counted from the first of the piece
    equal: int  # pairs of equal characters
    sizes: tuple[int, int]  # characters of gold and of the system


def beads_of(
    pieces: Sequence[Piece], unrelated_pieces: Sequence[bool], gold: Sequence[int], system: Sequence[int]
) -> list[AlignedBead]:
    """Return the beads of a path, with each sentence of both sides in one bead, in order.

    A sentence without words is paired with the sentence at its position if only the other side has that, or
    if it has no words either; otherwise it stays alone, and so do the sentences of unrelated pieces.
    ``gold`` and ``system`` are the numbers of tokens of the sentences.
    """
    beads: list[AlignedBead] = []
    lengths = gold, system
    full = [[number for number, tokens in enumerate(side) if tokens] for side in lengths]
    at = [0, 0]  # the first sentence of each side that is in no bead yet
    # Units of the next sentences, which have no counterpart; () for one without words.
    waiting: tuple[list[tuple[Unit, ...]], list[tuple[Unit, ...]]] = [], []

    def wait_for_blanks(side: int, number: int) -> None:
        # All sentences before that number that do not wait yet have no words.
        waiting[side].extend([()] * (number - at[side] - len(waiting[side])))

    def flush() -> None:
        """Make beads of the waiting sentences, each with the empty sentence at its position, if any."""
        for both in zip_longest(*waiting):
            starts = list(at)
            for side, one in enumerate(both):
                at[side] += one is not None
            units = both[0] or both[1] or ()
            spans = (starts[0], at[0]), (starts[1], at[1])
            beads.append(AlignedBead(*spans, not units, units, 0 if units else None))
        for one in waiting:
            one.clear()

    for piece, unrelated in zip(pieces, unrelated_pieces):
        ranges = piece.gold, piece.system
        if unrelated:
            for side, (begin, end) in enumerate(ranges):
                wait_for_blanks(side, full[side][begin])
                flush()
                for number in full[side][begin:end]:
                    wait_for_blanks(side, number)
                    tokens = lengths[side][number]
                    waiting[side].append(with_unaligned((), *((0, tokens) if side else (tokens, 0))))
            continue
        sides = [side for side, (begin, end) in enumerate(ranges) if begin < end]
        for side in sides:
            wait_for_blanks(side, full[side][ranges[side][0]])
        if len(sides) == 2:
            flush()
            i, j = at
            at = [full[side][end - 1] + 1 for side, (_, end) in enumerate(ranges)]
            beads.append(AlignedBead((i, at[0]), (j, at[1]), True, piece.units, piece.equal, piece.sizes))
            continue
        (side,) = sides
        if any(waiting[1 - side]):
            # Sentences that wait on both sides are unrelated; an empty sentence pairs with one of them.
            flush()
        waiting[side].append(piece.units)
    for side, numbers in enumerate(lengths):
        wait_for_blanks(side, len(numbers))
    flush()
    return beads
