"""Units of resampling, resamples of them and their sums: the same to the last bit on every machine."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from numbers import Integral, Real
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..trees.errors import SettingsError
from ..trees.frozen import frozen

Counts: TypeAlias = NDArray[np.int64]
"""Units by columns."""
Floats: TypeAlias = NDArray[np.float64]

_BLOCK = 1 << 20
"""Cells of a block of resamples: 8 MiB of floats, whatever the number of resamples."""
_NEAR = 1 << 16
_ROWS = 32
"""Cells that stay near the processor, and rows worth a product: a block has no more than either needs."""

_KEPT = 1 << 23
"""Cells of the resamples that are kept, 16 MiB of them."""
_FEW_UNITS = (1 << 16) - 1
"""Units of which none can be drawn more often than two bytes hold."""

_TILE = 1 << 18
"""Multiplications up to which OpenBLAS uses no threads."""
_TILE_ROWS = 64


def draws(units: int, samples: int, seed: int) -> Iterator[Floats]:
    """How often each resample has each unit: blocks of rows, each row adding up to ``units``.

    A raw word gives two draws, its low half first; a half h picks the unit
    h * units >> 32, which favours no unit by more than units / 2**32.  A comparison asks for the
    same ones for each interval and test, so those of the last call are kept where they are few.
    """
    few = units <= _FEW_UNITS and units * samples <= _KEPT
    for counted in _kept(units, samples, seed) if few else _drawn(units, samples, seed):
        yield counted.astype(np.float64)


@lru_cache(maxsize=1)
def _kept(units: int, samples: int, seed: int) -> list[NDArray[np.uint16]]:
    return [counted.astype(np.uint16) for counted in _drawn(units, samples, seed)]


def _drawn(units: int, samples: int, seed: int) -> Iterator[Counts]:
    source = np.random.PCG64(seed)
    words = (units + 1) // 2
    for rows in _blocks(samples, units):
        raw = source.random_raw(rows * words).astype("<u8").view("<u4").reshape(rows, 2 * words)
        picked = (raw[:, :units].astype(np.uint64) * np.uint64(units) >> np.uint64(32)).astype(np.int64)
        picked += np.arange(rows, dtype=np.int64)[:, None] * units
        yield np.bincount(picked.ravel(), minlength=rows * units).reshape(rows, units)


def swaps(units: int, samples: int, seed: int) -> Iterator[Floats]:
    """Blocks of rows of 0 and 1: which units are swapped.  Bit i of a row's raw words says it of unit i."""
    source = np.random.PCG64(seed)
    words = (units + 63) // 64
    for rows in _blocks(samples, units):
        raw = source.random_raw(rows * words).astype("<u8").view(np.uint8).reshape(rows, 8 * words)
        yield np.unpackbits(raw, axis=1, count=units, bitorder="little").astype(np.float64)


def all_swaps(units: int) -> Iterator[Floats]:
    """Blocks of rows of 0 and 1: every way to swap, once."""
    places = np.arange(units, dtype=np.int64)
    start = 0
    for rows in _blocks(1 << units, units):
        numbers = np.arange(start, start + rows, dtype=np.int64)
        yield (numbers[:, None] >> places & 1).astype(np.float64)
        start += rows


def _blocks(samples: int, units: int) -> Iterator[int]:
    units = max(1, units)
    size = max(1, min(_BLOCK // units, max(_ROWS, _NEAR // units)))
    for start in range(0, samples, size):
        yield min(size, samples - start)


def exact_sums(columns: Counts) -> Callable[[Floats], Floats]:
    """A function that gives ``weights @ columns`` without rounding on the way.

    So the order of adding does not matter, and with it neither the processor nor
    the number of threads.  ``weights`` are whole numbers of 0 or more, in a row
    no more than there are units all together.  Doubles hold whole numbers up to
    2**53; columns too large for that are multiplied in pieces of fewer bits.
    """
    bits = 53 - int(columns.shape[0]).bit_length()
    sizes, signs = np.abs(columns), np.sign(columns)
    width = int(sizes.max(initial=0)).bit_length()
    pieces = [
        (2.0**shift, ((sizes >> shift & (1 << bits) - 1) * signs).astype(np.float64))
        for shift in range(0, max(1, width), bits)
    ]

    def sums(weights: Floats) -> Floats:
        total = np.zeros((len(weights), columns.shape[1]))
        for scale, piece in reversed(pieces):
            total += _product(weights, piece) * scale
        return total

    return sums


def _product(left: Floats, right: Floats) -> Floats:
    """``left @ right`` in tiles that OpenBLAS computes without threads.

    Its threads wait for each other in busy loops, so with fewer free processors
    than threads (a shared machine, a container) a large product takes many
    times as long, and on a free machine these thin ones gain little.
    """
    found = np.zeros((len(left), right.shape[1]))
    width = max(1, _TILE // (_TILE_ROWS * max(1, right.shape[1])))
    for row in range(0, len(left), _TILE_ROWS):
        target, rows = found[row : row + _TILE_ROWS], left[row : row + _TILE_ROWS]
        for place in range(0, len(right), width):
            target += rows[:, place : place + width] @ right[place : place + width]
    return found


def once(counts: Counts) -> Floats:
    """The weights of the corpus itself."""
    return np.ones((1, len(counts)))


# -- units ----------------------------------------------------------------------


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


# -- checks ---------------------------------------------------------------------


def table_of(counts: Counts) -> Counts:
    """Units by columns.

    Raises:
        SettingsError: anything else.
    """
    table = np.asarray(counts)
    if table.ndim != 2 or not (np.issubdtype(table.dtype, np.integer) or table.size == 0):
        raise SettingsError(
            f"found counts of shape {table.shape} and type {table.dtype}; "
            "expected units by columns of integers"
        )
    return table.astype(np.int64)


def paired(first: Counts, second: Counts) -> tuple[Counts, Counts]:
    """Both tables.

    Raises:
        SettingsError: they have not the same units and columns.
    """
    first, second = table_of(first), table_of(second)
    if first.shape != second.shape:
        raise SettingsError(
            f"the systems have {len(first)} and {len(second)} units of {first.shape[1]} and "
            f"{second.shape[1]} columns; a paired test needs the same units on both sides"
        )
    return first, second


def check_samples(samples: int, seed: int) -> None:
    """Raises SettingsError for a number of resamples or a seed that is none."""
    for name, number in (("number of resamples", samples), ("seed", seed)):
        if not isinstance(number, Integral):
            raise SettingsError(f"found the {name} {number!r}; expected a whole number")
    if samples < 1:
        raise SettingsError(f"found {samples} resamples; expected 1 or more")
    if seed < 0:
        raise SettingsError(f"found the seed {seed}; expected 0 or more")


def check_confidence(confidence: float) -> None:
    """Raises SettingsError for a confidence that is not between 0 and 1."""
    if not isinstance(confidence, Real) or not 0 < confidence < 1:
        raise SettingsError(
            f"found the confidence {confidence!r}; expected a number between 0 and 1, such as 0.95"
        )
