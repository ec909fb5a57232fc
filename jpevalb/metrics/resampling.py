"""Tables of the counts of units, and their random resamples."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain
from math import nan
from operator import index
from typing import TypeAlias

from ..base.counts import column_of
from ..base.errors import SettingsError
from ..kernels.resample import Words, add_column, drawn, extent

Counts: TypeAlias = "UnitTable | Iterable[Sequence[int]]"
"""Units by columns: a :class:`UnitTable`, rows of whole numbers or a two-dimensional array."""


class UnitTable:
    """Counts of units: for each figure a numerator and a denominator."""

    def __init__(self, units: int, columns: Sequence[array[int]]) -> None:
        self.units = units
        self.columns = columns  # one number of each unit
        self._figures: dict[tuple[int, int], array[float]] = {}

    @classmethod
    def of(cls, counts: Counts) -> UnitTable:
        """Return counts as a table; raise a SettingsError for anything but rows of whole numbers."""
        if isinstance(counts, cls):
            return counts
        rows: list[list[int]] = []
        for row in counts:  # type: ignore[union-attr]
            try:
                rows.append([index(number) for number in row])
            except TypeError:
                raise SettingsError(
                    f"got the counts {row!r} of a unit; expected a sequence of whole numbers"
                ) from None
            if len(rows[-1]) != len(rows[0]):
                raise SettingsError(
                    f"got {len(rows[-1])} counts for a unit and {len(rows[0])} for the first; "
                    "expected as many for each"
                )
        # An array without rows still knows its columns.
        columns = zip(*rows) if rows else [()] * getattr(counts, "shape", (0, 0))[-1]
        return cls(len(rows), [array("q", column) for column in columns])

    @classmethod
    def summed(cls, columns: Sequence[array[int]], unit_of: Sequence[int], units: int) -> UnitTable:
        """Return the sums of rows by their units, which ascend."""
        if units == len(unit_of) == len(set(unit_of)):
            return cls(units, columns)
        sums = []
        for column in columns:
            cells = array("q", bytes(8 * units))
            for unit, number in zip(unit_of, column):
                cells[unit] += number
            sums.append(cells)
        return cls(units, sums)

    @cached_property
    def rates(self) -> list[float]:
        """The figures of the sum of all units; NaN if a denominator is 0."""
        # Sums are rounded first, as in resamples.
        sums = [float(sum(column)) for column in self.columns]
        return [top / bottom if bottom else nan for top, bottom in zip(sums[0::2], sums[1::2])]

    def first(self, count: int | None) -> UnitTable:
        """Return a table of the first figures; of all if ``count`` is None."""
        if count is None or 2 * count == len(self.columns):
            return self
        table = UnitTable(self.units, self.columns[: 2 * count])
        table._figures = {key: found[: key[0] * count] for key, found in self._figures.items()}
        return table

    def for_kernel(self) -> tuple[array[int], int, array[int], bool]:
        """Return words, units, the places of the columns, and whether the table is ``wide``, for the kernel.

        A place is the number of a word, a shift, a mask and a factor.  A column is kept without its
        factor; equal ones share a place, and columns share a word if their sums over all units fit into
        its 63 bits.  In a wide table, where some sum does not fit, each column has two words.
        """
        contents = [column.tobytes() for column in self.columns]
        distinct = dict(zip(contents, self.columns))
        extents = {content: extent(column) for content, column in distinct.items()}
        lowest = min([low for low, *_ in extents.values()], default=0)
        highest = max([high for _, high, _ in extents.values()], default=0)
        wide = (max(highest, -lowest) * self.units).bit_length() > 62
        # Columns by content, with their places.
        places: dict[bytes, tuple[int, int, int]] = {}
        filled: list[int] = []  # bits of each word that are in use
        parts: list[tuple[int, array[int], int]] = []  # word, column and shift
        found: dict[bytes, tuple[int, ...]] = {}
        for content, column in distinct.items():
            _, most, factor = extents[content]
            factor = 1 if wide else factor or 1
            if factor != 1:
                column = column_of([number // factor for number in column])
            key = column.tobytes()
            if key not in places:
                size = 63 if wide or lowest < 0 else (most // factor * self.units).bit_length()
                place = next((k for k, bits in enumerate(filled) if bits + size <= 63), len(filled))
                if place == len(filled):
                    filled.append(0)
                shift = filled[place]
                filled[place] += size
                places[key] = place, shift, -1 if size == 63 else (1 << size) - 1
                if wide:
                    parts.append((place, column_of([number >> 32 for number in column]), 0))
                    parts.append((place + 1, column_of([number & 0xFFFFFFFF for number in column]), 0))
                    filled.append(63)
                else:
                    parts.append((place, column, shift))
            found[content] = *places[key], factor
        blocks = max(1, -(-len(filled) // 4))
        cells = array("q", bytes(8 * 4 * blocks * self.units))
        for place, column, shift in parts:
            add_column(cells, place // 4 * 4 * self.units + place % 4, column, shift)
        flat = array("q", chain.from_iterable([found[content] for content in contents]))
        return cells, self.units, flat, wide

    def resampled(self, samples: int, seed: int) -> array[float]:
        """Return the figures of all resamples, figure by figure, for intervals and tests."""
        if (samples, seed) not in self._figures:
            resample([self], samples, seed)
        return self._figures[samples, seed]


def joined(tables: Sequence[UnitTable]) -> UnitTable:
    """Return one table with the columns of several tables of the same units."""
    return UnitTable(tables[0].units, [column for table in tables for column in table.columns])


def resample(tables: Sequence[UnitTable], samples: int, seed: int) -> None:
    """Draw the resamples of tables of the same units at once: drawing takes as long as adding up."""
    figures = drawn(*joined(tables).for_kernel(), samples, seeded(seed))
    for table in tables:
        size = samples * (len(table.columns) // 2)
        table._figures[samples, seed], figures = figures[:size], figures[size:]


def paired(first: Counts, second: Counts) -> tuple[UnitTable, UnitTable]:
    """Return both tables; raise a SettingsError if their units or columns differ."""
    one, two = UnitTable.of(first), UnitTable.of(second)
    widths = len(one.columns), len(two.columns)
    if one.units != two.units or widths[0] != widths[1]:
        raise SettingsError(
            f"the systems have {one.units} and {two.units} units of {widths[0]} and {widths[1]} columns; "
            "a paired test needs the same units on both sides"
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
