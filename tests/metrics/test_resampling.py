"""Random resamples and shuffles, compared with sums of single units in Python's numbers."""

from __future__ import annotations

import math
import subprocess
import sys
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from jpevalb.metrics import resampling
from jpevalb.metrics.resampling import permutation_ranges, resample, resampled, shuffle, swapped
from jpevalb.metrics.unit_table import UnitTable
from tests.support.commands import ROOT

FIRST = [(3, 4), (1, 6), (0, 0), (1, 1), (4, 7)]
SECOND = [(4, 4), (1, 5), (3, 6), (0, 1), (7, 7)]


def draws(units, samples, seed):
    """Return the units of each resample, word by word."""
    source = np.random.PCG64(seed)
    for _ in range(samples):
        words = [int(source.random_raw()) for _ in range(math.ceil(units / 2))]
        yield [half * units >> 32 for word in words for half in (word & 0xFFFFFFFF, word >> 32)][:units]


@pytest.mark.parametrize("seed", [0, 1, 12345, 2**32, 2**64 + 3, 10**60])
@pytest.mark.parametrize("units", [1, 2, 3, 64, 65, 129])
def test_draws_are_the_halves_of_random_words(units, seed):
    table = UnitTable.of([(unit * unit, 1, unit, 3) for unit in range(units)])
    squares, numbers = resampled(table, 3, seed).tolist()
    drawn = list(draws(units, 3, seed))
    assert squares == [sum(unit**2 for unit in some) / units for some in drawn]
    assert numbers == [sum(some) / (3 * units) for some in drawn]


@pytest.mark.parametrize("units", [63, 64, 65, 200])
def test_swaps_are_the_bits_of_random_words(units):
    table, source = UnitTable.of([(unit**2, 9) for unit in range(units)]), np.random.PCG64(7)
    for square, nines in swapped(table, 4, 7).T.tolist():
        bits = sum(int(source.random_raw()) << 64 * k for k in range(math.ceil(units / 64)))
        assert square == sum(unit**2 for unit in range(units) if bits >> unit & 1)
        assert nines == 9 * (bits & (1 << units) - 1).bit_count()


def extreme(swaps):
    """Return the differences for which a shuffle is extreme, in fractions."""
    sums, totals = [[0, 0], [0, 0]], [[0, 0], [0, 0]]
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
    if share in (1, -1):
        return -math.inf, math.inf
    return tuple(sorted([(observed - found) / (1 - share), (observed + found) / (1 + share)]))


def test_every_way_to_swap_comes_once():
    ((lows, highs),) = permutation_ranges(UnitTable.of(FIRST), UnitTable.of(SECOND), 32, 0)
    assert len(lows) == len(highs) == 32
    for number, found in enumerate(zip(lows, highs)):
        assert found == pytest.approx(
            tuple(map(float, extreme([number >> i & 1 for i in range(5)]))), abs=1e-12
        )


@given(
    st.lists(st.tuples(*[st.integers(-(2**62), 2**62)] * 2, st.integers(-9, 9)), min_size=1, max_size=9),
    st.integers(0, 2**80),
)
@settings(max_examples=80, deadline=None)
def test_sums_are_rounded_once(rows, seed):
    """Sums that do not fit into 64 bits are exact, too."""
    found = resampled(UnitTable.of([(a, b, c, b) for a, b, c in rows]), 3, seed).T.tolist()
    for figures, drawn in zip(found, draws(len(rows), 3, seed)):
        a, b, c = (float(sum(column)) for column in zip(*[rows[unit] for unit in drawn]))
        assert repr(figures) == repr([a / b, c / b] if b else [math.nan, math.nan])


@pytest.mark.parametrize("size", [2**44, 2**50, 2**54, 2**61])
@pytest.mark.parametrize("units", [1000, 4096, 65536])
def test_sums_of_many_units_that_do_not_fit_into_floats_or_64_bits(size, units):
    odd = [size + 7919 * unit for unit in range(units)]
    (figures,) = resampled(UnitTable.of([(one, 2 * size) for one in odd]), 3, 0).tolist()
    expected = [sum([odd[unit] for unit in drawn]) for drawn in draws(units, 3, 0)]
    assert figures == [float(one) / (2 * units * size) for one in expected]


@pytest.mark.parametrize("least", [-3, 0])
def test_tables_that_are_sampled_together_have_the_sums_of_each(least, monkeypatch):
    generator = np.random.default_rng(5)
    tables = [UnitTable.of(generator.integers(least, 10**size, (50, 4))) for size in (1, 6, 14, 17)]
    resample(tables, 20, 3)
    shuffle(tables, 20, 3)
    monkeypatch.setattr(resampling, "CELLS", 150)  # blocks of three samples
    for table in tables:
        again = UnitTable(table.units, table.columns)
        for sample in (resampled, swapped):
            assert (sample(table, 20, 3) == sample(again, 20, 3)).all()
            assert (sample(table, 20, 4) != sample(again, 20, 3)).any()
        assert (resampled(table.part(slice(1, 2)), 20, 3) == resampled(table, 20, 3)[1:]).all()
        assert (swapped(table.part(slice(0, 1)), 20, 3) == swapped(table, 20, 3)[:2]).all()


@pytest.mark.parametrize("sample", [resampled, swapped])
@pytest.mark.parametrize("units", [0, 5])
def test_no_figures_or_no_units(units, sample):
    assert sample(UnitTable(units, []), 3, 0).shape == (0, 3 if units or sample is resampled else 1)
    assert not np.nan_to_num(sample(UnitTable.of(np.zeros((units, 2), int)), 3, 0)).any()


@pytest.mark.parametrize("sample", [resample, shuffle])
def test_memory_does_not_grow_with_the_number_of_samples(sample):
    """All draws at once would take 160 MB of each kind of array."""
    table = UnitTable.of([(1, 2)] * 20_000)
    tracemalloc.start()
    try:
        sample([table], 1_000, 0)
        assert tracemalloc.get_traced_memory()[1] < 60e6
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("call", "loaded"),
    [
        ("", False),
        ("jpevalb.evaluate(gold, gold).report('text')", False),
        ("jpevalb.compare(gold, [gold, gold], test=None, confidence=None)", False),
        ("jpevalb.compare(gold, [gold, gold], test='sign', confidence=None)", False),
        ("jpevalb.compare(gold, [gold, gold], test=None)", True),
        ("jpevalb.compare(gold, [gold, gold], test='permutation', confidence=None)", True),
        ("jpevalb.evaluate(gold, gold).intervals", True),
    ],
)
def test_numpy_is_imported_only_to_resample(call, loaded):
    code = f"import sys, jpevalb; gold = ['(S (NN a) (NN b))'] * 10; {call}\nprint('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == f"{loaded}\n"
