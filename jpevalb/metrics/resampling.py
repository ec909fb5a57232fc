"""Random resamples and shuffles of the units of a corpus.

Random numbers are the 64-bit words of NumPy's PCG64 (O'Neill 2014), seeded by its SeedSequence (O'Neill
2015).  NumPy promises that both stay the same.  Sums are exact.  So results do not depend on the machine.

Sums are kept in the tables.  So tables that are sampled together share the draws, and each pair of them is
tested without another draw.

This module is imported only where something is sampled: importing NumPy takes longer than scoring a small
file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from math import inf, nan
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from .unit_table import Interval, UnitTable, differences, tries_all

Floats: TypeAlias = npt.NDArray[np.float64]
Times: TypeAlias = npt.NDArray[Any]  # how often each unit is in a sample, a row for each sample

CELLS = 1 << 20  # maximum number of cells of ``Times`` in memory
TOLERANCE = 1e-12  # figures this close are equal: a tie must not depend on the rounding of a division


def resample(tables: Sequence[UnitTable], samples: int, seed: int) -> None:
    """Keep in each of some tables of the same units their sums over random resamples.

    A resample draws as many units as there are, with replacement.  It begins with a fresh random word.  A
    word gives two draws, its low half first.  A half h draws the unit h * units >> 32, which favours no unit
    by more than units / 2**32.
    """
    units, source = tables[0].units, np.random.PCG64(seed)

    def draw(first: int, count: int) -> Times:
        words = source.random_raw(count * -(-units // 2)).astype("<u8")
        halves = words.view("<u4").reshape(count, -1)[:, :units]
        drawn = halves.astype(np.int64) * units >> 32
        drawn += units * np.arange(count)[:, None]  # each resample counts its own units
        return np.bincount(drawn.ravel(), minlength=count * units).reshape(count, units)

    _keep_sums("resamples", tables, samples, seed, draw, samples)


def shuffle(tables: Sequence[UnitTable], samples: int, seed: int) -> None:
    """Keep in each of some tables of the same units the sums over the units that shuffles swap.

    Unit i is swapped if bit i of the next random words is set.  A shuffle begins with a fresh word.  If
    ``tries_all``, unit i is swapped if bit i of the number of the shuffle is set.
    """
    units, source = tables[0].units, np.random.PCG64(seed)
    exhaustive = tries_all(units, samples)
    size = -(-units // 64)  # words of a shuffle

    def draw(first: int, count: int) -> Times:
        words = np.arange(first, first + count) if exhaustive else source.random_raw(count * size)
        octets = words.astype("<u8").view(np.uint8).reshape(count, -1)
        return np.unpackbits(octets, axis=1, bitorder="little")[:, :units]

    _keep_sums("shuffles", tables, samples, seed, draw, 1 << units if exhaustive else samples)


def _keep_sums(
    kind: str,
    tables: Sequence[UnitTable],
    samples: int,
    seed: int,
    draw: Callable[[int, int], Times],
    drawn: int,
) -> None:
    """Add up the columns of all tables in ``drawn`` samples; ``draw(first, count)`` returns some of them."""
    units = tables[0].units
    # Floats take a tenth of the time of whole numbers; those of 24 bits half of that of those of 53.
    bits = units.bit_length()
    floats, unit = (np.float32, 1 << 24 - bits) if bits <= 16 else (np.float64, 1 << 53 - bits)
    parts = [[_digits(column, unit) for column in table.columns] for table in tables]
    # Many columns have equal digits, such as those of gold: each is added up once.
    distinct = [*dict.fromkeys([digits for column in chain(*parts) for digits, _ in column])]
    cells = np.frombuffer(b"".join(distinct), np.int64).reshape(len(distinct), units).astype(floats)
    sums = np.empty((len(distinct), drawn))
    step = max(1, CELLS // max(1, units))
    for first in range(0, drawn, step):
        count = min(step, drawn - first)
        sums[:, first : first + count] = cells @ draw(first, count).T.astype(floats)
    found = dict(zip(distinct, sums.astype(np.int64)))
    for table, columns in zip(tables, parts):
        rows = []
        for own in columns:
            # Whole numbers are exact, so that only the last step rounds.
            number: Any = np.int64 if own[0][1] * unit * units < 1 << 63 else object
            rows.append(sum([found[digits].astype(number) * factor for digits, factor in own]))
        table.sampled[kind, samples, seed] = np.array(rows, np.float64).reshape(len(rows), drawn)


def _digits(column: Any, unit: int, factor: int = 1) -> list[tuple[bytes, int]]:
    """Return numbers below a unit, and a factor for each, that add up to a column; the largest come first."""
    numbers = np.asarray(column)
    if int(np.max(np.abs(numbers), initial=0)) < unit:
        return [(numbers.tobytes(), factor)]
    return [*_digits(numbers // unit, unit, factor * unit), ((numbers % unit).tobytes(), factor)]


def resampled(table: UnitTable, samples: int, seed: int) -> Floats:
    """Return the figures of a table in random resamples, a row for each figure; NaN if undefined."""
    if ("resamples", samples, seed) not in table.sampled:
        resample([table], samples, seed)
    return _rates(table.sampled["resamples", samples, seed])


def swapped(table: UnitTable, samples: int, seed: int) -> Floats:
    """Return the sums of a table over the units that shuffles swap, a row for each column."""
    if ("shuffles", samples, seed) not in table.sampled:
        shuffle([table], samples, seed)
    return table.sampled["shuffles", samples, seed]  # type: ignore[no-any-return]


def _rates(sums: Floats) -> Floats:
    """Return the quotients of rows of numerators and denominators; NaN if a denominator is 0."""
    tops, bottoms = sums[0::2], sums[1::2]
    return np.divide(tops, bottoms, out=np.full_like(tops, nan), where=bottoms != 0)


def bounds(table: UnitTable, tail: float, samples: int, seed: int) -> list[Interval]:
    """Return the quantiles ``tail`` and 1 - ``tail`` of each figure; ``None`` if no resample has one."""
    intervals: list[Interval] = []
    for figures in resampled(table, samples, seed):
        ordered = np.sort(figures[~np.isnan(figures)]).tolist()
        ends = [_quantile(ordered, share) for share in (tail, 1 - tail) if ordered]
        intervals.append((ends[0], ends[1]) if ends else None)
    return intervals


def _quantile(ordered: list[float], share: float) -> float:
    """Return a quantile as ``numpy.quantile`` does, whose import of masked arrays takes longer than a run."""
    place = share * (len(ordered) - 1)
    below = int(place)
    low, high = ordered[below], ordered[min(below + 1, len(ordered) - 1)]
    part = place - below
    return high - (high - low) * (1 - part) if part >= 0.5 else low + (high - low) * part


def bootstrap_ranges(
    first: UnitTable, second: UnitTable, samples: int, seed: int
) -> Iterator[tuple[Floats, Floats]]:
    """Yield for each figure the lowest and the highest true difference for which each resample is extreme."""
    figures = resampled(first, samples, seed), resampled(second, samples, seed)
    for one, two, observed in zip(*figures, differences(first, second)):
        distances = np.abs(two - one - observed)
        distances[np.isnan(distances)] = inf  # An undefined figure is extreme for every difference.
        yield _snapped(observed - distances), _snapped(observed + distances)


def permutation_ranges(
    first: UnitTable, second: UnitTable, samples: int, seed: int
) -> Iterator[tuple[Floats, Floats]]:
    """Yield for each figure the lowest and the highest true difference for which each shuffle is extreme."""
    swaps = swapped(first, samples, seed), swapped(second, samples, seed)
    totals = [np.array(table.totals)[:, None] for table in (first, second)]
    for figure, observed in enumerate(differences(first, second)):
        rows = slice(2 * figure, 2 * figure + 2)
        from_one, from_two = (sums[rows] for sums in swaps)
        rest_of_one, rest_of_two = (total[rows] - sums[rows] for total, sums in zip(totals, swaps))
        one, two = rest_of_one + from_two, rest_of_two + from_one
        shuffled = _rates(two)[0] - _rates(one)[0]
        with np.errstate(divide="ignore", invalid="ignore"):
            # Removing delta lowers the difference of the corpus by delta, of the shuffle by delta * share.
            kept = (rest_of_one - from_two)[1] / one[1], (rest_of_two - from_one)[1] / two[1]
            share = (kept[0] + kept[1]) / 2
            # |shuffled - delta * share| >= |observed - delta| holds between the two delta of equality.
            ends = _reached(observed - shuffled, 1 - share), _reached(observed + shuffled, 1 + share)
        lows, highs = np.minimum(*ends), np.maximum(*ends)  # NaN if one of them is
        unbounded = np.isnan(lows) | np.isnan(shuffled)
        yield np.where(unbounded, -inf, _snapped(lows)), np.where(unbounded, inf, _snapped(highs))


def _reached(distance: Floats, rate: Floats) -> Floats:
    """Return the difference at which a distance is reached; NaN if no difference reaches it, or all do."""
    distance = _snapped(distance)
    beyond = np.where(distance == 0, nan, np.copysign(inf, distance))
    return np.where(rate > 0, distance / rate, beyond)


def _snapped(differences: Floats) -> Floats:
    """Return differences of figures; 0 for those that may come from rounding."""
    return np.where(np.abs(differences) < TOLERANCE, 0.0, differences)
