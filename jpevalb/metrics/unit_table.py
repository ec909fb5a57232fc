"""Tables of the counts of units."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from math import nan
from operator import index
from typing import Any, TypeAlias

from ..base.errors import SettingsError

Counts: TypeAlias = "UnitTable | Iterable[Sequence[int]]"
"""Units by columns: a :class:`UnitTable`, rows of whole numbers or a two-dimensional array."""

Interval: TypeAlias = "tuple[float, float] | None"


class UnitTable:
    """Counts of units: for each figure a numerator and a denominator."""

    def __init__(self, units: int, columns: Sequence[array[int]]) -> None:
        self.units = units
        self.columns = columns  # one number of each unit
        #: Sums of the columns in random samples of units, which :mod:`.resampling` keeps here: for a kind of
        #: sample, a number of samples and a seed an array with a row for each column.
        self.sampled: dict[tuple[str, int, int], Any] = {}

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
    def totals(self) -> list[float]:
        """Sums of the columns over all units, rounded as in random samples."""
        return [float(sum(column)) for column in self.columns]

    @cached_property
    def rates(self) -> list[float]:
        """Figures of the sum of all units; NaN if a denominator is 0."""
        pairs = zip(self.totals[0::2], self.totals[1::2])
        return [top / bottom if bottom else nan for top, bottom in pairs]

    def part(self, some: slice) -> UnitTable:
        """Return a table of some figures, with their sums in the samples."""
        columns = slice(2 * some.start, 2 * some.stop)
        table = UnitTable(self.units, self.columns[columns])
        table.sampled = {sample: sums[columns] for sample, sums in self.sampled.items()}
        return table


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


def differences(first: UnitTable, second: UnitTable) -> list[float]:
    """Return the second system's figures minus the first's."""
    return [y - x for x, y in zip(first.rates, second.rates)]


def tries_all(units: int, samples: int) -> bool:
    """Return True if each way to swap the units is tried once, because there are no more than ``samples``."""
    return units < 63 and 1 << units <= samples
