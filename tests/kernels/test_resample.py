"""The kernel of resampling, compared with NumPy's random words and with sums in fractions."""

from __future__ import annotations

import math
from array import array
from fractions import Fraction

import numpy as np
import pytest

from jpevalb.metrics import resampling

FIRST = [(3, 4), (1, 6), (0, 0), (1, 1), (4, 7)]
SECOND = [(4, 4), (1, 5), (3, 6), (0, 1), (7, 7)]
SEEDS = (0, 1, 12345, 2**32 - 1, 2**32, 2**64 + 3, 2**128 - 1, 2**130 + 7, 10**60)


@pytest.fixture
def resample(kernel, monkeypatch):
    module = kernel("resample")
    monkeypatch.setattr(resampling, "Words", module.Words)
    return module


def places(columns, words=1):
    """The place of each column: the number of its first word, no shift, a mask of all bits, no factor."""
    return array("q", [number for column in range(columns) for number in (words * column, 0, -1, 1)])


def in_blocks(rows):
    """The words of each unit, four at a time."""
    blocks = range(0, len(rows[0]), 4)
    return array("q", [word for k in blocks for row in rows for word in [*row[k : k + 4], 0, 0, 0][:4]])


def halves(source, units):
    """The draws of a resample; each begins with a fresh word."""
    words = [int(source.random_raw()) for _ in range(math.ceil(units / 2))]
    return [half * units >> 32 for word in words for half in (word & 0xFFFFFFFF, word >> 32)][:units]


@pytest.mark.parametrize("units", [1, 2, 3, 63, 64, 65, 129])
def test_draws_are_those_of_pcg64(resample, units):
    for seed in SEEDS:
        source = np.random.PCG64(seed)
        # Three figures, in two blocks: the means of the squares of the units, of 1 and of their numbers.
        cells = in_blocks([(unit * unit, 1, 1, 1, unit, 1) for unit in range(units)])
        found = resample.drawn(cells, units, places(6), False, 3, resampling.seeded(seed)).tolist()
        drawn = [halves(source, units) for _ in range(3)]
        assert found[:3] == [sum(unit**2 for unit in picked) / units for picked in drawn]
        assert found[3:] == [1, 1, 1] + [sum(picked) / units for picked in drawn]


@pytest.mark.parametrize("numbers", [[], [0], [0, 0], [6, 0, 4], [9, 6, 15], [7], [3, 2, 2**62]])
def test_extent_of_a_column(resample, numbers):
    expected = min(numbers, default=0), max(numbers, default=0), math.gcd(*numbers)
    assert resample.extent(array("q", numbers)) == expected


def test_columns_with_negative_numbers_are_not_divided(resample):
    assert resample.extent(array("q", [4, -(2**63), 8])) == (-(2**63), 8, 1)


def test_columns_share_a_word(resample):
    cells = array("q", bytes(8 * 8))
    resample.add_column(cells, 1, array("q", [3, 5]), 0)
    resample.add_column(cells, 1, array("q", [1, 7]), 40)
    assert cells.tolist() == [0, 3 + (1 << 40), 0, 0, 0, 5 + (7 << 40), 0, 0]


def test_no_units(resample):
    words = resampling.seeded(0)
    assert resample.drawn(array("q"), 0, array("q"), False, 3, words).tolist() == []
    assert all(map(math.isnan, resample.drawn(array("q"), 0, places(2), False, 3, words)))


def test_no_figures():
    assert resampling.UnitTable(5, []).resampled(3, 0).tolist() == []


def pairs(first, second):
    return [(*one, *two) for one, two in zip(first, second)]


def ends(swaps):
    """The differences for which a shuffle is extreme, in fractions."""
    sums = [[0, 0], [0, 0]]
    totals = [[0, 0], [0, 0]]
    for swap, *rows in zip(swaps, FIRST, SECOND):
        for side in (0, 1):
            for k in (0, 1):
                sums[side ^ swap][k] += rows[side][k]
                totals[side][k] += rows[side][k]
    if 0 in (sums[0][1], sums[1][1]):
        return -math.inf, math.inf
    observed, found = (Fraction(*two) - Fraction(*one) for one, two in (totals, sums))
    denominators = [
        sum(-there[1] if swap else here[1] for swap, here, there in zip(swaps, *sides))
        for sides in ((FIRST, SECOND), (SECOND, FIRST))
    ]
    share = sum(Fraction(part, total[1]) for part, total in zip(denominators, sums)) / 2
    below = (observed - found) / (1 - share) if share != 1 else None
    above = (observed + found) / (1 + share) if share != -1 else None
    if None in (below, above):
        return -math.inf, math.inf
    return min(below, above), max(below, above)


@pytest.mark.parametrize("wide", [False, True])
def test_every_way_to_swap_comes_once(resample, wide):
    cells = pairs(FIRST, SECOND)
    if wide:
        cells = [[half for cell in row for half in (cell >> 32, cell & 0xFFFFFFFF)] for row in cells]
    lows, highs = resample.swapped(in_blocks(cells), 5, places(4, 1 + wide), wide, 32, None)
    assert len(lows) == len(highs) == 32
    for number, found in enumerate(zip(lows, highs)):
        assert found == pytest.approx(tuple(map(float, ends([number >> i & 1 for i in range(5)]))), abs=1e-12)


@pytest.mark.parametrize("units", [63, 64, 65, 128, 200])
def test_swaps_are_the_bits_of_pcg64(resample, units):
    source = np.random.PCG64(7)
    first = [(unit * 7 % 9, 9) for unit in range(units)]
    second = [(unit * 5 % 8, 9) for unit in range(units)]
    cells = in_blocks(pairs(first, second))
    lows, highs = resample.swapped(cells, units, places(4), False, 4, resampling.seeded(7))
    assert len(lows) == len(highs) == 4
    change = [(two[0] - one[0]) / 9 / units for one, two in zip(first, second)]
    for low, high in zip(lows, highs):
        bits = sum(int(source.random_raw()) << 64 * k for k in range(math.ceil(units / 64)))
        swaps = [bits >> i & 1 for i in range(units)]
        difference = sum(-one if swap else one for one, swap in zip(change, swaps))
        share = 1 - 2 * sum(swaps) / units
        both = (sum(change) - difference) / (1 - share), (sum(change) + difference) / (1 + share)
        assert (low, high) == pytest.approx((min(both), max(both)))
