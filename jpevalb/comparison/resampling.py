"""Tables of the counts of units, their random resamples, and the units of several systems."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from numbers import Integral, Real
from operator import index
from typing import TypeAlias

from ..kernels.resample import Words, drawn
from ..trees.errors import SettingsError
from ..trees.frozen import frozen

Counts: TypeAlias = "UnitTable | Iterable[Sequence[int]]"
"""Units by columns: a :class:`UnitTable`, rows of whole numbers or a two-dimensional array."""


@frozen
class UnitTable:
    """Counts of units: for each figure a numerator and a denominator.

    Attributes:
        units: Number of units.
        columns: Numbers of a unit.
        cells: The numbers of unit 0, then those of unit 1.
    """

    units: int
    columns: int
    cells: array[int]

    @classmethod
    def of(cls, counts: Counts) -> UnitTable:
        """Return counts as a table; raise a SettingsError for anything but rows of whole numbers."""
        if isinstance(counts, cls):
            return counts
        # An array without rows still knows its columns.
        columns = getattr(counts, "shape", (0, 0))[-1]
        rows: list[list[int]] = []
        for row in counts:  # type: ignore[union-attr]
            try:
                rows.append([index(number) for number in row])
            except TypeError:
                raise SettingsError(
                    f"found the counts {row!r} of a unit; expected a sequence of whole numbers"
                ) from None
            if len(rows[-1]) != len(rows[0]):
                raise SettingsError(
                    f"found {len(rows[-1])} counts for a unit and {len(rows[0])} for the first; "
                    "expected as many for each"
                )
        columns = len(rows[0]) if rows else columns
        return cls(len(rows), columns, array("q", chain.from_iterable(rows)))

    @classmethod
    def summed(
        cls, rows: Sequence[Sequence[int]], unit_of: Sequence[int], units: int, columns: int
    ) -> UnitTable:
        """Return the sums of rows by their units."""
        if len(rows) == units == len(unit_of) == len(set(unit_of)):
            return cls(units, columns, array("q", chain.from_iterable(rows)))
        cells = array("q", bytes(8 * units * columns))
        for unit, row in zip(unit_of, rows):
            for place, number in enumerate(row, unit * columns):
                cells[place] += number
        return cls(units, columns, cells)

    def column(self, number: int) -> array[int]:
        """Return a column."""
        return self.cells[number :: self.columns]

    def beside(self, other: UnitTable) -> UnitTable:
        """Return a table with the columns of another of the same units at the right."""
        cells = array("q", bytes(16 * len(self.cells)))
        width = 2 * self.columns
        for number in range(self.columns):
            cells[number::width] = self.column(number)
            cells[self.columns + number :: width] = other.column(number)
        return UnitTable(self.units, width, cells)

    def sums(self) -> list[int]:
        """Return the sum of each column."""
        return [sum(self.column(number)) for number in range(self.columns)]

    def for_kernel(self) -> tuple[array[int], int, array[int], bool]:
        """Return cells, units, the place of each column, and whether the cells are ``wide``, for the kernel.

        Equal columns share a place.  Wide cells are in two parts, whose sums over all units fit into 64 bits.
        """
        columns = [self.column(number).tobytes() for number in range(self.columns)]
        places = {column: place for place, column in enumerate(dict.fromkeys(columns))}
        most = max(max(self.cells), -min(self.cells)) if self.cells else 0
        wide = most * self.units >= 1 << 62
        parts = [array("q", column) for column in places]
        if wide:
            halves = [([cell >> 32 for cell in part], [cell & 0xFFFFFFFF for cell in part]) for part in parts]
            parts = [array("q", half) for pair in halves for half in pair]
        cells = array("q", bytes(8 * len(parts) * self.units))
        for place, part in enumerate(parts):
            cells[place :: len(parts)] = part
        return cells, self.units, array("q", [places[column] for column in columns]), wide

    def resampled(self, samples: int, seed: int) -> array[float]:
        """Return the figures of resamples; the same ones serve intervals and tests of several systems."""
        return _resampled(self.cells.tobytes(), self.units, self.columns, samples, seed)


@lru_cache(maxsize=3)
def _resampled(cells: bytes, units: int, columns: int, samples: int, seed: int) -> array[float]:
    table = UnitTable(units, columns, array("q", cells))
    return drawn(*table.for_kernel(), samples, seeded(seed))


def paired(first: Counts, second: Counts) -> tuple[UnitTable, UnitTable]:
    """Return both tables; raise a SettingsError if their units or columns differ."""
    one, two = UnitTable.of(first), UnitTable.of(second)
    if (one.units, one.columns) != (two.units, two.columns):
        raise SettingsError(
            f"the systems have {one.units} and {two.units} units of {one.columns} and "
            f"{two.columns} columns; a paired test needs the same units on both sides"
        )
    return one, two


def seeded(seed: int) -> Words:
    """Return the random words of a seed: those of NumPy's ``PCG64(seed)``.

    Source: O'Neill 2015, "Developing a seed_seq alternative", which ``numpy.random.SeedSequence`` follows.
    """
    all_bits = 0xFFFFFFFF
    factor = 0x43B0D7E5

    def hashed(number: int) -> int:
        nonlocal factor
        number ^= factor
        factor = factor * 0x931E8875 & all_bits
        number = number * factor & all_bits
        return number ^ number >> 16

    def mixed(first: int, second: int) -> int:
        number = first * 0xCA01F9DD - second * 0x4973F715 & all_bits
        return number ^ number >> 16

    parts = [seed >> shift & all_bits for shift in range(0, max(1, seed.bit_length()), 32)]
    pool = [hashed(part) for part in [*parts, 0, 0, 0, 0][:4]]
    for source in range(4):
        for target in range(4):
            if source != target:
                pool[target] = mixed(pool[target], hashed(pool[source]))
    for part in parts[4:]:
        pool = [mixed(number, hashed(part)) for number in pool]
    factor, state = 0x8B51F9DD, 0
    for place in range(8):
        number = pool[place % 4] ^ factor
        factor = factor * 0x58F38DED & all_bits
        number = number * factor & all_bits
        state |= (number ^ number >> 16) << 32 * place
    words = [state >> 64 * place & (1 << 64) - 1 for place in range(4)]
    start, step = words[0] << 64 | words[1], (words[2] << 65 | words[3] << 1 | 1) % (1 << 128)
    multiplier = 0x2360ED051FC65DA44385DF649FCCF645
    start = ((step + start) * multiplier + step) % (1 << 128)
    low = (1 << 64) - 1
    return Words(start >> 64, start & low, step >> 64, step & low)


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
