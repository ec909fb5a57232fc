"""Beads: groups of sentences and units of tokens, made from a path through both texts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

from ..trees.frozen import field, frozen, replace
from ..trees.typed import NamedTuple, TypeAlias

# Gold tokens, system tokens and equal characters before a point of a path that is between tokens on both
# sides
Point: TypeAlias = tuple[int, int, int]


class Unit(NamedTuple):
    """Smallest span of whole tokens on both sides, as half-open ranges of the bead's tokens."""

    gold_start: int
    gold_end: int
    system_start: int
    system_end: int


@frozen
class Bead:
    """Gold and system sentences that carry the same text (Gale & Church 1993).

    Attributes:
        gold: Half-open range of 0-based gold sentence numbers; may be empty.
        system: Half-open range of 0-based system sentence numbers; may be empty.
        aligned: False if exactly one side has text.
    """

    gold: tuple[int, int]
    system: tuple[int, int]
    aligned: bool


@frozen
class AlignedBead(Bead):
    """A bead with aligned words.

    Attributes:
        gold: Half-open range of 0-based gold sentence numbers; may be empty.
        system: Half-open range of 0-based system sentence numbers; may be empty.
        aligned: False if exactly one side has text.
        units: Corresponding tokens, in order: half-open ranges of tokens, counted through the bead's
            sentences.
        equal: Characters of the comparison texts that are aligned with equal ones; ``None`` if all words are
            equal and nothing was compared.
        sizes: Lengths in characters of the comparison texts of gold and system, if known.
    """

    units: tuple[Unit, ...]
    equal: int | None = field(default=None, compare=False)
    sizes: tuple[int, int] | None = field(default=None, compare=False, repr=False)

    def moved(self, gold: int, system: int) -> AlignedBead:
        """Return the same bead with more sentences before it on either side."""
        (a, b), (c, d) = self.gold, self.system
        return replace(self, gold=(a + gold, b + gold), system=(c + system, d + system))


def one_to_one(n: int) -> tuple[Unit, ...]:
    """Return the units of two lists of ``n`` tokens that correspond one by one."""
    return _kept_one_to_one(n) if n <= 256 else tuple([Unit(i, i + 1, i, i + 1) for i in range(n)])


@lru_cache(maxsize=257)
def _kept_one_to_one(n: int) -> tuple[Unit, ...]:
    return tuple([Unit(i, i + 1, i, i + 1) for i in range(n)])


def alone_units(tokens: int, *, gold: bool) -> tuple[Unit, ...]:
    """Return one unit for each token of a side without a counterpart."""
    if gold:
        return tuple([Unit(k, k + 1, 0, 0) for k in range(tokens)])
    return tuple([Unit(0, 0, k, k + 1) for k in range(tokens)])


class Piece(NamedTuple):
    """Sentences between two sentence ends of both sides; sentences without words do not count."""

    gold: tuple[int, int]  # half-open range of sentences
    system: tuple[int, int]
    units: tuple[Unit, ...]  # tokens are counted from the first of the piece
    equal: int  # pairs of equal characters
    sizes: tuple[int, int]  # characters of gold and of the system


def with_blanks(
    bead: AlignedBead,
    gold: tuple[Sequence[Sequence[str]], Sequence[Sequence[str]]],
    system: tuple[Sequence[Sequence[str]], Sequence[Sequence[str]]],
) -> AlignedBead:
    """Return a bead with the tokens of sentences that were treated as empty, each in the unit before it.

    ``gold`` and ``system`` are the words of all sentences, and the same with empty lists for those sentences.
    The units of the bead count tokens of the other sentences only.  Identical tokens correspond one by one.
    """
    gold_starts, system_starts = (
        _token_starts(words[slice(*span)], kept[slice(*span)])
        for (words, kept), span in ((gold, bead.gold), (system, bead.system))
    )
    n, m = gold_starts[-1], system_starts[-1]
    if n == m and [*chain(*gold[0][slice(*bead.gold)])] == [*chain(*system[0][slice(*bead.system)])]:
        units = one_to_one(n)
    elif n and m and not (len(gold_starts) > 1 and len(system_starts) > 1):
        units = (Unit(0, n, 0, m),)
    elif not bead.units:
        units = alone_units(n or m, gold=not m)
    else:
        units = tuple(
            [
                Unit(gold_starts[a], gold_starts[b], system_starts[c], system_starts[d])
                for a, b, c, d in bead.units
            ]
        )
    return replace(bead, units=units, sizes=None)


def _token_starts(words: Sequence[Sequence[str]], kept: Sequence[Sequence[str]]) -> list[int]:
    """Return the index of each kept token among all tokens, 0 for the first, and the number of tokens."""
    starts: list[int] = []
    start = 0
    for sentence, kept_words in zip(words, kept):
        starts += range(start, start + len(kept_words))
        start += len(sentence)
    return [0, *starts[1:], start] if starts else [start]


def beads_of(
    pieces: Sequence[Piece], unrelated_pieces: Sequence[bool], gold: Sequence[int], system: Sequence[int]
) -> list[AlignedBead]:
    """Return the beads of a path, with each sentence of both sides in one bead, in order.

    A sentence without words is paired with the sentence at its position if only the other side has that, or
    if it has no words either; otherwise it stays alone.

    Args:
        pieces: The pieces of the path.
        unrelated_pieces: For each piece True if its sides are unrelated; its sentences then stay alone.
        gold, system: The number of tokens of each sentence.
    """
    beads: list[AlignedBead] = []
    sides = _BeadSide(gold), _BeadSide(system)
    for piece, unrelated in zip(pieces, unrelated_pieces):
        ranges = piece.gold, piece.system
        alone = [begin == end for begin, end in ranges]
        if unrelated:
            for side, (begin, end) in zip(sides, ranges):
                side.wait_for_blanks(side.full[begin])
                _flush(sides, beads)
                for k in range(begin, end):
                    side.wait_for_blanks(side.full[k])
                    side.waiting.append(alone_units(side.lengths[side.full[k]], gold=side is sides[0]))
            continue
        if not any(alone):
            for side, (begin, _) in zip(sides, ranges):
                side.wait_for_blanks(side.full[begin])
            _flush(sides, beads)
            starts = sides[0].at, sides[1].at
            for side, (_, end) in zip(sides, ranges):
                side.at = side.full[end - 1] + 1
            spans = (starts[0], sides[0].at), (starts[1], sides[1].at)
            beads.append(AlignedBead(*spans, True, piece.units, piece.equal, piece.sizes))
            continue
        side, opposite, begin = (
            (sides[0], sides[1], ranges[0][0]) if alone[1] else (sides[1], sides[0], ranges[1][0])
        )
        side.wait_for_blanks(side.full[begin])
        if any(opposite.waiting):
            # Sentences that wait on both sides are unrelated; an empty sentence pairs with one of them.
            _flush(sides, beads)
        side.waiting.append(piece.units)
    for side in sides:
        side.wait_for_blanks(side.count)
    _flush(sides, beads)
    return beads


class _BeadSide:
    """The sentences of one side.

    Attributes:
        lengths: Number of tokens of each sentence.
        count: Number of sentences.
        full: Indices of the sentences with words.
        at: Index of the first sentence that is not in a bead yet.
        waiting: Units of the next sentences, which have no counterpart; ``()`` for one without words.
    """

    __slots__ = ("at", "count", "full", "lengths", "waiting")

    def __init__(self, lengths: Sequence[int]) -> None:
        self.lengths = lengths
        self.count = len(lengths)
        self.full = [number for number, tokens in enumerate(lengths) if tokens]
        self.at = 0
        self.waiting: list[tuple[Unit, ...]] = []

    def wait_for_blanks(self, number: int) -> None:
        """Let all sentences before ``number`` wait; those that do not wait yet have no words."""
        self.waiting += [()] * (number - self.at - len(self.waiting))


def _flush(sides: tuple[_BeadSide, _BeadSide], beads: list[AlignedBead]) -> None:
    """Make beads of the waiting sentences, with the empty sentence at the same position or alone."""
    gold, system = sides
    for k in range(max(len(gold.waiting), len(system.waiting))):
        units = [side.waiting[k] if k < len(side.waiting) else () for side in sides]
        spans = []
        for side in sides:
            begin = side.at
            side.at += k < len(side.waiting)
            spans.append((begin, side.at))
        text = bool(units[0] or units[1])
        beads.append(AlignedBead(spans[0], spans[1], not text, units[0] or units[1], 0 if text else None))
    gold.waiting.clear()
    system.waiting.clear()
