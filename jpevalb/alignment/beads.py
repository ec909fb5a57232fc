"""Beads: what a path through two runs of characters says of sentences and of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, TypeAlias

from ..trees.frozen import field, frozen, replace

Point: TypeAlias = tuple[int, int, int]
"""Gold tokens, system tokens and pairs of equal characters up to a place of a path that is between
tokens on both sides."""


class Unit(NamedTuple):
    """Tokens of both sides that stand for each other: half-open token ranges inside a bead."""

    gold_start: int
    gold_end: int
    system_start: int
    system_end: int


@frozen
class Bead:
    """Gold and system sentences that carry the same text.

    Attributes:
        gold: Half-open range of 0-based gold sentence numbers; may be empty.
        system: Half-open range of 0-based system sentence numbers; may be empty.
        aligned: False where one side has text and the other has none; True also where
            neither has any.
    """

    gold: tuple[int, int]
    system: tuple[int, int]
    aligned: bool


@frozen
class AlignedBead(Bead):
    """A bead with its words aligned as well.

    Attributes:
        gold: Half-open range of 0-based gold sentence numbers; may be empty.
        system: Half-open range of 0-based system sentence numbers; may be empty.
        aligned: False where one side has text and the other has none.
        units: Tokens that stand for each other, in order; half-open ranges of tokens
            counted from 0 through the bead's sentences.
        equal: Characters of the comparison texts that the alignment pairs with an equal one;
            ``None`` where all words are equal, so that nothing was compared.
        sizes: Characters of the comparison texts of gold and of the system, where they were counted.
    """

    units: tuple[Unit, ...]
    equal: int | None = field(default=None, compare=False)
    sizes: tuple[int, int] | None = field(default=None, compare=False, repr=False)

    def moved(self, gold: int, system: int) -> AlignedBead:
        """The same bead where so many sentences more are before it on either side."""
        (a, b), (c, d) = self.gold, self.system
        return replace(self, gold=(a + gold, b + gold), system=(c + system, d + system))


def one_to_one(n: int) -> tuple[Unit, ...]:
    """The units of two lists of ``n`` tokens that stand for each other one by one."""
    return _kept_one_to_one(n) if n <= 256 else tuple([Unit(i, i + 1, i, i + 1) for i in range(n)])


@lru_cache(maxsize=257)
def _kept_one_to_one(n: int) -> tuple[Unit, ...]:
    return tuple([Unit(i, i + 1, i, i + 1) for i in range(n)])


def alone_units(tokens: int, *, gold: bool) -> tuple[Unit, ...]:
    """The units of tokens that the other side lacks: one each."""
    if gold:
        return tuple([Unit(k, k + 1, 0, 0) for k in range(tokens)])
    return tuple([Unit(0, 0, k, k + 1) for k in range(tokens)])


class Piece(NamedTuple):
    """Sentences with words between two sentence ends of both sides."""

    gold: tuple[int, int]
    """The first gold sentence and the one behind the last, counted among those with words."""
    system: tuple[int, int]
    """The first of the system's sentences with words, and the one behind the last."""
    units: tuple[Unit, ...]
    """Tokens that stand for each other, counted from the first of the piece."""
    equal: int
    """Pairs of equal characters."""
    sizes: tuple[int, int]
    """Characters of gold and of the system."""


def with_blanks(
    bead: AlignedBead,
    gold: tuple[Sequence[Sequence[str]], Sequence[Sequence[str]]],
    system: tuple[Sequence[Sequence[str]], Sequence[Sequence[str]]],
) -> AlignedBead:
    """A bead with the tokens of sentences that were taken to have none: each in the unit before it.

    The same tokens on both sides stand for each other one by one, whatever they are.

    Args:
        bead: The bead, whose units count only the other sentences' tokens.
        gold: The words of all gold sentences; and once more, but none of those that have no text.
        system: The words of all the system's sentences, in the same two ways.

    Cost: O(tokens of the bead).
    """
    mine, other = (
        _places(words[slice(*span)], kept[slice(*span)])
        for (words, kept), span in ((gold, bead.gold), (system, bead.system))
    )
    n, m = mine[-1], other[-1]
    if n == m and [*chain(*gold[0][slice(*bead.gold)])] == [*chain(*system[0][slice(*bead.system)])]:
        units = one_to_one(n)
    elif n and m and not (len(mine) > 1 and len(other) > 1):
        units = (Unit(0, n, 0, m),)
    elif not bead.units:
        units = alone_units(n or m, gold=not m)
    else:
        units = tuple([Unit(mine[a], mine[b], other[c], other[d]) for a, b, c, d in bead.units])
    return replace(bead, units=units, sizes=None)


def _places(words: Sequence[Sequence[str]], kept: Sequence[Sequence[str]]) -> list[int]:
    """Where each token of the sentences that were kept starts among all; 0 for the first; and the end."""
    found: list[int] = []
    start = 0
    for sentence, those in zip(words, kept):
        found += range(start, start + len(those))
        start += len(sentence)
    return [0, *found[1:], start] if found else [start]


def beads_of(
    pieces: Sequence[Piece], unlike: Sequence[bool], gold: Sequence[int], system: Sequence[int]
) -> list[AlignedBead]:
    """The beads of a path: each sentence of both sides in one, in order.

    A sentence without words is paired with one at its place that only the other side has, or with
    one without words; else it stands alone.

    Args:
        pieces: The pieces of the path, in order.
        unlike: Of which of them the two sides have nothing to do with each other; then each of
            their sentences stands alone.
        gold: The number of tokens of each gold sentence.
        system: The number of tokens of each of the system's sentences.

    Cost: O(pieces + sentences).
    """
    found: list[AlignedBead] = []
    sides = _Side(gold), _Side(system)
    for piece, apart in zip(pieces, unlike):
        ranges = piece.gold, piece.system
        alone = [begin == end for begin, end in ranges]
        if apart:
            for side, (begin, end) in zip(sides, ranges):
                side.wait_for_blanks(side.full[begin])
                _give_out(sides, found)
                for k in range(begin, end):
                    side.wait_for_blanks(side.full[k])
                    side.waiting.append(alone_units(side.lengths[side.full[k]], gold=side is sides[0]))
            continue
        if not any(alone):
            for side, (begin, _) in zip(sides, ranges):
                side.wait_for_blanks(side.full[begin])
            _give_out(sides, found)
            starts = sides[0].at, sides[1].at
            for side, (_, end) in zip(sides, ranges):
                side.at = side.full[end - 1] + 1
            spans = (starts[0], sides[0].at), (starts[1], sides[1].at)
            found.append(AlignedBead(*spans, True, piece.units, piece.equal, piece.sizes))
            continue
        side, other, begin = (
            (sides[0], sides[1], ranges[0][0]) if alone[1] else (sides[1], sides[0], ranges[1][0])
        )
        side.wait_for_blanks(side.full[begin])
        if any(other.waiting):
            # They have nothing to do with each other, and a blank has its place beside one of them.
            _give_out(sides, found)
        side.waiting.append(piece.units)
    for side in sides:
        side.wait_for_blanks(side.count)
    _give_out(sides, found)
    return found


class _Side:
    """One side's sentences.

    Attributes:
        lengths: How many tokens each has.
        count: How many there are.
        full: The numbers of those with words.
        at: The number of the first that is in no bead yet.
        waiting: The units of the next ones, which have no counterpart; none for one without words.
    """

    __slots__ = ("at", "count", "full", "lengths", "waiting")

    def __init__(self, lengths: Sequence[int]) -> None:
        self.lengths = lengths
        self.count = len(lengths)
        self.full = [number for number, tokens in enumerate(lengths) if tokens]
        self.at = 0
        self.waiting: list[tuple[Unit, ...]] = []

    def wait_for_blanks(self, number: int) -> None:
        """Lets all sentences before one wait; those that do not yet have no words."""
        self.waiting += [()] * (number - self.at - len(self.waiting))


def _give_out(sides: tuple[_Side, _Side], found: list[AlignedBead]) -> None:
    """Makes beads of sentences without counterpart: with the blank in its place, or by itself."""
    mine, other = sides
    for k in range(max(len(mine.waiting), len(other.waiting))):
        units = [side.waiting[k] if k < len(side.waiting) else () for side in sides]
        spans = []
        for side in sides:
            begin = side.at
            side.at += k < len(side.waiting)
            spans.append((begin, side.at))
        text = bool(units[0] or units[1])
        found.append(AlignedBead(spans[0], spans[1], not text, units[0] or units[1], 0 if text else None))
    mine.waiting.clear()
    other.waiting.clear()
