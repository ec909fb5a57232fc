"""Units of resampling, their resamples and the sums of these, identical to the last bit on every machine."""

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
"""Maximum number of cells of a block of resamples: 8 MiB of floats."""
_NEAR = 1 << 16
_ROWS = 32
"""Cells that fit the processor's cache, and rows worth a product: a block is no larger than either needs."""

_KEPT = 1 << 23
"""Maximum number of cells of the resamples that are cached: 16 MiB."""
_FEW_UNITS = (1 << 16) - 1
"""Maximum number of units for which two bytes hold how often a unit is drawn."""

_TILE = 1 << 18
"""Multiplications up to which OpenBLAS uses no threads."""
_TILE_ROWS = 64


def draws(units: int, samples: int, seed: int) -> Iterator[Floats]:
    """Yield blocks of resamples: for each unit the number of times it is drawn, ``units`` in a row.

    A raw word gives two draws, its low half first; a half h picks the unit h * units >> 32, which favours
    no unit by more than units / 2**32.  A comparison repeats the same draws, so the last ones are cached.
    """
    few = units <= _FEW_UNITS and units * samples <= _KEPT
    for times in _kept(units, samples, seed) if few else _drawn(units, samples, seed):
        yield times.astype(np.float64)


@lru_cache(maxsize=1)
def _kept(units: int, samples: int, seed: int) -> list[NDArray[np.uint16]]:
    return [times.astype(np.uint16) for times in _drawn(units, samples, seed)]


def _drawn(units: int, samples: int, seed: int) -> Iterator[Counts]:
    source = np.random.PCG64(seed)
    words = (units + 1) // 2
    for rows in _blocks(samples, units):
        raw = source.random_raw(rows * words).astype("<u8").view("<u4").reshape(rows, 2 * words)
        picked = (raw[:, :units].astype(np.uint64) * np.uint64(units) >> np.uint64(32)).astype(np.int64)
        picked += np.arange(rows, dtype=np.int64)[:, None] * units
        yield np.bincount(picked.ravel(), minlength=rows * units).reshape(rows, units)


def swaps(units: int, samples: int, seed: int) -> Iterator[Floats]:
    """Yield blocks of rows with 1 for each swapped unit: bit i of a row's raw words for unit i."""
    source = np.random.PCG64(seed)
    words = (units + 63) // 64
    for rows in _blocks(samples, units):
        raw = source.random_raw(rows * words).astype("<u8").view(np.uint8).reshape(rows, 8 * words)
        yield np.unpackbits(raw, axis=1, count=units, bitorder="little").astype(np.float64)


def all_swaps(units: int) -> Iterator[Floats]:
    """Yield blocks of rows with 1 for each swapped unit: every way to swap, once."""
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
    """Return a function that computes ``weights @ columns`` without intermediate rounding.

    So neither the processor nor the number of threads matters.  The weights are whole numbers of 0 or more
    and sum to at most the number of units in a row.  Doubles hold whole numbers up to 2**53; larger columns
    are multiplied in pieces of fewer bits.
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
    """Return ``left @ right``, computed in tiles for which OpenBLAS uses no threads.

    Its threads wait in busy loops: with fewer free processors than threads (a shared machine, a container)
    a large product takes many times as long.  These thin products gain little from threads anyway.
    """
    product = np.zeros((len(left), right.shape[1]))
    width = max(1, _TILE // (_TILE_ROWS * max(1, right.shape[1])))
    for row in range(0, len(left), _TILE_ROWS):
        target, rows = product[row : row + _TILE_ROWS], left[row : row + _TILE_ROWS]
        for place in range(0, len(right), width):
            target += rows[:, place : place + width] @ right[place : place + width]
    return product


def once(counts: Counts) -> Floats:
    """Return the weights of the corpus itself."""
    return np.ones((1, len(counts)))


# -- units ----------------------------------------------------------------------


@frozen
class Units:
    """Units of resampling: stretches of gold sentences that are the same for several systems.

    Attributes:
        ends: Number of gold sentences up to the end of each unit.
        of: For each system, the unit of each of its beads.
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
        at = 0
        for start, end in ranges:
            if start != at or end < start:
                raise SettingsError(
                    f"system {number} has a bead of the gold sentences from {start} to {end}; "
                    f"expected one that begins at {at}"
                )
            at = end
        if ends is not None and at != gold:
            raise SettingsError(
                f"system 1 was scored against {gold} gold sentences and system {number} against {at}; "
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
    """Return counts as a table of units by columns; raise a SettingsError for anything else."""
    table = np.asarray(counts)
    if table.ndim != 2 or not (np.issubdtype(table.dtype, np.integer) or table.size == 0):
        raise SettingsError(
            f"found counts of shape {table.shape} and type {table.dtype}; "
            "expected units by columns of integers"
        )
    return table.astype(np.int64)


def paired(first: Counts, second: Counts) -> tuple[Counts, Counts]:
    """Return both tables; raise a SettingsError if their units or columns differ."""
    first, second = table_of(first), table_of(second)
    if first.shape != second.shape:
        raise SettingsError(
            f"the systems have {len(first)} and {len(second)} units of {first.shape[1]} and "
            f"{second.shape[1]} columns; a paired test needs the same units on both sides"
        )
    return first, second


def check_samples(samples: int, seed: int) -> None:
    """Raise a SettingsError for an invalid number of resamples or seed."""
    for name, number in (("number of resamples", samples), ("seed", seed)):
        if not isinstance(number, Integral):
            raise SettingsError(f"found the {name} {number!r}; expected a whole number")
    if samples < 1:
        raise SettingsError(f"found {samples} resamples; expected 1 or more")
    if seed < 0:
        raise SettingsError(f"found the seed {seed}; expected 0 or more")


def check_confidence(confidence: float) -> None:
    """Raise a SettingsError for a confidence that is not between 0 and 1."""
    if not isinstance(confidence, Real) or not 0 < confidence < 1:
        raise SettingsError(
            f"found the confidence {confidence!r}; expected a number between 0 and 1, such as 0.95"
        )
