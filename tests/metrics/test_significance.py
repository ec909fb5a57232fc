"""Significance tests, compared with exhaustive oracles in fractions, and with scipy if it is installed."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jpevalb.base.errors import JpevalbError, SettingsError
from jpevalb.metrics.resampling import UnitTable, resample
from jpevalb.metrics.significance import (
    _quantile,
    binomial_p,
    bootstrap,
    intervals,
    permutation,
    sign,
)
from tests.benchmarks.significance import simulated

pytestmark = pytest.mark.slow

counts = st.integers(0, 6)


@st.composite
def two_systems(draw, largest=7):
    """Matched, gold and system constituents of two systems on the same units; gold is the same."""
    rows = []
    for _ in range(draw(st.integers(0, largest))):
        gold = draw(counts)
        first, second = draw(counts), draw(counts)
        rows.append(
            (
                (draw(st.integers(0, min(gold, first))), gold, first),
                (draw(st.integers(0, min(gold, second))), gold, second),
            )
        )
    return (
        np.array([row[0] for row in rows], dtype=np.int64).reshape(-1, 3),
        np.array([row[1] for row in rows], dtype=np.int64).reshape(-1, 3),
    )


def prf(rows):
    """Numerators and denominators of precision, recall and F, from matched, gold and system constituents."""
    matched, gold, system = rows.T
    return np.stack([matched, system, matched, gold, 2 * matched, gold + system], axis=1)


def draws(units, samples, seed):
    """How often each unit is drawn, a row for each resample: figures of which one unit has the numerator."""
    table = np.ones((units, 2 * units), dtype=np.int64)
    table[:, 0::2] = np.eye(units)
    figures = np.array(UnitTable.of(table).resampled(samples, seed)).reshape(units, samples)
    return np.rint(figures.T * units).astype(np.int64)


def ps(tests):
    return [test.p for test in tests]


def exact_prf(rows):
    matched, gold, system = (sum(int(row[column]) for row in rows) for column in range(3))
    return [
        Fraction(numerator, denominator) if denominator else None
        for numerator, denominator in ((matched, system), (matched, gold), (2 * matched, gold + system))
    ]


def exact_differences(first, second):
    return [None if x is None or y is None else y - x for x, y in zip(exact_prf(first), exact_prf(second))]


def exact_permutation(first, second):
    """p of each figure over all ways to swap, in fractions."""
    observed = exact_differences(first, second)
    reached, ways = [0, 0, 0], 0
    for swaps in product((False, True), repeat=len(first)):
        one = [b if swap else a for a, b, swap in zip(first, second, swaps)]
        two = [a if swap else b for a, b, swap in zip(first, second, swaps)]
        ways += 1
        for figure, found in enumerate(exact_differences(one, two)):
            if found is None or (observed[figure] is not None and abs(found) >= abs(observed[figure])):
                reached[figure] += 1
    return [None if observed[k] is None else Fraction(reached[k], ways) for k in range(3)]


# -- permutation ------------------------------------------------------------------


@given(two_systems())
@settings(max_examples=60, deadline=None)
def test_permutation_of_few_units_is_exact(systems):
    first, second = systems
    expected = exact_permutation(first, second)
    found = ps(permutation(prf(first), prf(second)))
    assert found == [None if p is None else float(p) for p in expected]


def test_sampled_permutation_comes_near_the_exact_one(monkeypatch):
    rng = np.random.default_rng(1)
    first = np.stack([rng.integers(0, 8, 10), np.full(10, 10), rng.integers(8, 12, 10)], axis=1)
    second = np.stack([rng.integers(2, 8, 10), np.full(10, 10), rng.integers(8, 12, 10)], axis=1)
    exact = exact_permutation(first, second)
    assert all(0.02 < p < 0.9 for p in exact)
    # 1,023 shuffles are one too few for trying out all 1,024 ways.
    sampled = ps(permutation(prf(first), prf(second), samples=1023))
    assert sampled != [float(p) for p in exact]
    assert ps(permutation(prf(first), prf(second), samples=1024)) == [float(p) for p in exact]
    for found, p in zip(sampled, exact):
        assert round(found * 1024) == found * 1024
        assert abs(found - p) < 5 * math.sqrt(p * (1 - p) / 1023) + 1 / 1024


def test_a_figure_that_no_resample_has_has_no_interval():
    counts = np.array([[1, 1], [0, 0], [0, 0], [0, 0]])
    found = [intervals(counts, samples=1, seed=seed) for seed in range(20)]
    assert all(one in ([None], [(1.0, 1.0)]) for one in found)
    assert 0 < found.count([None]) < 20


def test_permutation_counts_ties_of_equal_rates():
    # 1/3 and 2/6 are one rate: all four shuffles are as extreme as what was observed.
    first, second = np.array([[1, 3], [0, 0]]), np.array([[2, 3], [0, 0]])
    assert ps(permutation(first, second)) == [1.0]


# -- bootstrap --------------------------------------------------------------------


def exact_bootstrap(first, second):
    """p of each figure over all ways to draw, and the differences themselves."""
    observed = exact_differences(first, second)
    reached, ways = [0, 0, 0], 0
    for drawn in product(range(len(first)), repeat=len(first)):
        ways += 1
        found = exact_differences([first[i] for i in drawn], [second[i] for i in drawn])
        for k in range(3):
            if found[k] is None or abs(found[k] - observed[k]) >= abs(observed[k]):
                reached[k] += 1
    return [Fraction(count, ways) for count in reached]


@pytest.mark.parametrize("seed", range(4))
def test_bootstrap_comes_near_all_resamples(seed):
    rng = np.random.default_rng(seed)
    gold = rng.integers(4, 9, 5)
    first = np.stack([rng.integers(0, 5, 5), gold, rng.integers(5, 9, 5)], axis=1)
    second = np.stack([rng.integers(1, 5, 5), gold, rng.integers(5, 9, 5)], axis=1)
    exact = exact_bootstrap(first, second)
    for found, p in zip(ps(bootstrap(prf(first), prf(second), samples=20_000)), exact):
        assert abs(found - p) < 5 * math.sqrt(p * (1 - p) / 20_000) + 1e-4


def test_bootstrap_p_is_a_centred_count():
    # Differences of the units: 1, 1, 1, 0.  Of the 256 resamples those are extreme whose mean is
    # 0 or 1.5 and more; the mean is 0 once in 256 and at most 1.
    first = np.array([[0, 1]] * 4)
    second = np.array([[1, 1]] * 3 + [[0, 1]])
    samples = 50_000
    (p,) = ps(bootstrap(first, second, samples=samples))
    assert abs(p - 1 / 256) < 5 * math.sqrt(1 / 256 / samples)


def test_draws_are_uniform_with_replacement():
    rows = draws(7, 30_000, 3)
    assert rows.shape == (30_000, 7)
    assert (rows.sum(axis=1) == 7).all()
    assert np.abs(rows.mean(axis=0) - 1).max() < 0.03
    # Binomial: P(0) = (6/7)**7, P(1) = (6/7)**6.
    for times, share in ((0, (6 / 7) ** 7), (1, (6 / 7) ** 6)):
        assert np.abs((rows == times).mean(axis=0) - share).max() < 0.02


# -- both -------------------------------------------------------------------------


@pytest.mark.parametrize("test", [bootstrap, permutation, sign])
@given(systems=two_systems(largest=40))
@settings(max_examples=30, deadline=None)
def test_swapping_the_systems_changes_nothing(test, systems):
    first, second = systems
    options = {} if test is sign else {"samples": 50}
    first, second = prf(first), prf(second)
    one, two = test(first, second, **options), test(second, first, **options)
    if test is sign:
        assert [(x.p, x.wins, x.losses, x.ties) for x in one] == [
            (x.p, x.losses, x.wins, x.ties) for x in two
        ]
    else:
        assert ps(one) == ps(two)
        for (_, ends), (_, back) in zip(one, two):
            assert ends == (back and (-back[1], -back[0]))


@pytest.mark.parametrize("test", [bootstrap, permutation])
@given(systems=two_systems(largest=40))
@settings(max_examples=20, deadline=None)
def test_identical_systems_do_not_differ(test, systems):
    first, _ = systems
    first = prf(first)
    defined = ~np.isnan(UnitTable.of(first).rates)
    assert ps(test(first, first.copy(), samples=30)) == [1.0 if known else None for known in defined]


@pytest.mark.parametrize("test", [bootstrap, permutation])
def test_a_seed_fixes_the_result(test):
    rng = np.random.default_rng(5)
    first = np.stack([rng.integers(0, 8, 101), np.full(101, 10), rng.integers(8, 12, 101)], axis=1)
    second = np.stack([rng.integers(0, 9, 101), np.full(101, 10), rng.integers(8, 12, 101)], axis=1)
    first, second = prf(first), prf(second)
    found = test(first, second, samples=500)
    assert test(first, second, samples=500) == found
    assert test(first, second, samples=500, seed=12345) == found
    assert test(first, second, samples=500, seed=1) != found


def made_systems():
    place = np.arange(200, dtype=np.int64)
    matched = place * 7 % 9
    other = np.clip(matched + (place * 5 % 11 > 4) - place % 2, 0, 10)
    return np.stack([matched, np.full(200, 10)], axis=1), np.stack([other, np.full(200, 10)], axis=1)


def test_the_random_words_are_used_as_stated():
    """One word after the other, in integers and fractions, gives the same resamples."""
    first, second = made_systems()
    change = (second - first)[:, 0].tolist()
    observed = sum(change)

    source = np.random.PCG64(3)
    reached = 1
    for _ in range(40):
        drawn = []
        for _ in range(100):
            word = int(source.random_raw())
            drawn += [(word & 0xFFFFFFFF) * 200 >> 32, (word >> 32) * 200 >> 32]
        reached += abs(sum(change[i] for i in drawn) - observed) >= abs(observed)
    assert ps(bootstrap(first, second, samples=40, seed=3)) == [reached / 41]

    source = np.random.PCG64(3)
    reached = 1
    for _ in range(40):
        bits = sum(int(source.random_raw()) << 64 * k for k in range(4))
        moved = sum(-change[i] if bits >> i & 1 else change[i] for i in range(200))
        reached += abs(moved) >= abs(observed)
    assert ps(permutation(first, second, samples=40, seed=3)) == [reached / 41]


def test_known_results():
    """A change of the random stream, of the sums or of the default seed would change these."""
    first, second = made_systems()
    assert (first[:, 0].sum(), second[:, 0].sum()) == (799, 813)
    assert ps(bootstrap(first, second)) == [170 / 1001]
    assert ps(permutation(first, second)) == [1776 / 10_001]
    assert intervals(second) == [(0.3715, pytest.approx(0.4390125, abs=1e-15))]


def test_a_clear_difference_has_the_least_p():
    first, second = np.array([[5, 10]] * 100), np.array([[8, 10]] * 100)
    assert ps(bootstrap(first, second)) == [1 / 1001]
    assert ps(permutation(first, second)) == [1 / 10_001]
    assert sign(first, second) == [(2.0**-99, 100, 0, 0)]


def test_p_is_uniform_where_there_is_no_difference():
    """Under the null hypothesis a test at level alpha rejects about alpha of the time."""
    rng = np.random.default_rng(11)
    found = {bootstrap: [], permutation: []}
    for _ in range(300):
        matched = rng.binomial(10, 0.8, (2, 60))
        first, second = (np.stack([side, np.full(60, 10)], axis=1) for side in matched)
        for test, p_values in found.items():
            p_values.extend(ps(test(first, second, samples=199)))
    for p_values in found.values():
        for level in (0.05, 0.2, 0.5):
            share = np.mean(np.array(p_values) <= level)
            assert abs(share - level) < 4 * math.sqrt(level * (1 - level) / 300) + 0.02


# -- sign -------------------------------------------------------------------------


@given(st.integers(0, 40), st.integers(0, 40))
def test_binomial_p_is_the_exact_tail(wins, losses):
    n, k = wins + losses, max(wins, losses)
    tail = Fraction(sum(math.comb(n, i) for i in range(k, n + 1)), 2**n)
    assert binomial_p(wins, losses) == pytest.approx(float(min(1, 2 * tail)), rel=1e-12)


@pytest.mark.parametrize(
    ("wins", "losses"), [(1100, 1000), (5000, 5200), (999, 1), (900, 100), (40_000, 39_000)]
)
def test_binomial_p_of_many_throws(wins, losses):
    n, k = wins + losses, max(wins, losses)
    term = total = math.comb(n, k)
    for i in range(k, n):
        term = term * (n - i) // (i + 1)
        total += term
    assert binomial_p(wins, losses) == pytest.approx(float(Fraction(2 * total, 2**n)), rel=1e-9)


def test_a_coin_without_a_throw_is_fair():
    assert binomial_p(0, 0) == 1.0


def test_a_p_is_never_above_one():
    """Both tails of an odd number of throws are all there is, however the sums round."""
    for k in range(1, 1200):
        assert 1 - 1e-9 < binomial_p(k, k - 1) <= 1


def test_p_of_few_throws_has_all_digits():
    """More than logarithms give."""
    for n in range(1, 60):
        for k in range(n // 2 + 1, n + 1):
            exact = 2 * sum(math.comb(n, i) for i in range(k, n + 1)) / 2**n
            assert abs(binomial_p(k, n - k) / exact - 1) < 1e-15


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        # wins, losses, ties; the binomial that is left when ties are split, one of an odd number left out.
        ([1, 1, 1, 1], [2, 2, 2, 2], (2 / 16, 4, 0, 0)),
        ([1, 1, 1, 1, 5], [2, 2, 2, 2, 5], (2 / 16, 4, 0, 1)),
        ([1, 1, 1, 1, 5, 5], [2, 2, 2, 2, 5, 5], (2 * (6 + 1) / 64, 4, 0, 2)),
        ([1, 1, 1, 1, 5, 5, 5], [2, 2, 2, 2, 5, 5, 5], (2 * (6 + 1) / 64, 4, 0, 3)),
        ([3, 1], [2, 2], (1.0, 1, 1, 0)),
        ([3, 3, 3], [2, 2, 4], (1.0, 1, 2, 0)),
        ([4, 4], [4, 4], (1.0, 0, 0, 2)),
    ],
)
def test_sign_splits_ties(first, second, expected):
    of = lambda matched: np.array([matched, [10] * len(matched)]).T  # noqa: E731
    assert sign(of(first), of(second), ties="split") == [expected]


def test_sign_leaves_out_ties():
    of = lambda matched: np.array([matched, [10] * len(matched)]).T  # noqa: E731
    assert sign(of([1, 1, 1, 1, 5, 5]), of([2, 2, 2, 2, 5, 5])) == [(2 / 16, 4, 0, 2)]
    assert sign(of([4, 4]), of([4, 4])) == [(1.0, 0, 0, 2)]
    # 22 wins and 9 losses, whatever the number of ties.
    first, second = [1] * 22 + [2] * 9 + [3] * 700, [2] * 22 + [1] * 9 + [3] * 700
    (found,) = sign(of(first), of(second))
    assert round(found.p, 3) == 0.029
    assert round(sign(of(first), of(second), ties="split")[0].p, 2) == 0.66
    with pytest.raises(SettingsError, match="ties='keep'; expected one of drop, split"):
        sign(of([1]), of([1]), ties="keep")


def test_sign_leaves_out_units_without_the_figure():
    first = np.array([[1, 2], [0, 0], [1, 2]])
    second = np.array([[2, 2], [1, 1], [0, 0]])
    assert sign(first, second) == [(1.0, 1, 0, 0)]
    assert sign(first[1:], second[1:]) == [(None, 0, 0, 0)]


def test_sign_sees_units_and_not_their_size():
    first = np.array([[99, 100], [0, 1], [0, 1], [0, 1], [0, 1], [0, 1]])
    second = np.array([[0, 100], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1]])
    assert sign(first, second) == [(2 * (1 + 6) / 64, 5, 1, 0)]


# -- intervals --------------------------------------------------------------------


def test_the_interval_is_the_quantiles_of_all_resamples():
    matched = [0, 1, 3, 4]
    table = np.array([matched, [4] * 4]).T
    figures = sorted(sum(matched[i] for i in drawn) / 16 for drawn in product(range(4), repeat=4))
    for confidence in (0.5, 0.8, 0.95):
        ((low, high),) = intervals(table, confidence=confidence, samples=40_000)
        assert low == np.quantile(figures, (1 - confidence) / 2)
        assert high == np.quantile(figures, (1 + confidence) / 2)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.floats(0, 1))
def test_quantiles_are_numpys_to_the_last_bit(figures, share):
    ordered = np.sort(figures)
    assert _quantile(ordered.tolist(), share) == np.quantile(ordered, share)


@given(two_systems(largest=12))
@settings(max_examples=30, deadline=None)
def test_intervals_widen_with_the_confidence(systems):
    table, _ = systems
    narrow = intervals(prf(table), confidence=0.5, samples=60)
    wide = intervals(prf(table), confidence=0.95, samples=60)
    for inner, outer in zip(narrow, wide):
        assert (inner is None) == (outer is None)
        if inner is not None:
            assert 0 <= outer[0] <= inner[0] <= inner[1] <= outer[1] <= 1


def test_intervals_hold_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(300):
        table = np.stack([rng.binomial(10, 0.7, 80), np.full(80, 10)], axis=1)
        ((low, high),) = intervals(table, confidence=0.9, samples=200)
        held += low <= 0.7 <= high
    assert 0.84 < held / 300 < 0.95


def test_undefined_figures_are_none_without_warnings():
    nothing = np.zeros((0, 2), dtype=np.int64)
    zeros = np.zeros((3, 2), dtype=np.int64)
    for table in (nothing, zeros, np.zeros((0, 2))):
        assert bootstrap(table, table) == [(None, None)]
        assert permutation(table, table) == [(None, None)]
        assert sign(table, table) == [(None, 0, 0, 0)]
        assert intervals(table) == [None]


def test_resamples_without_the_figure_raise_p_and_leave_the_interval():
    # Only one of three units has the figure, so some resamples have none.
    first, second = np.array([[0, 1], [0, 0], [0, 0]]), np.array([[1, 1], [0, 0], [0, 0]])
    without = (2 / 3) ** 3
    ((p, interval),) = bootstrap(first, second, samples=20_000)
    assert abs(p - without) < 0.02
    assert interval is None
    assert intervals(second) == [(1.0, 1.0)]


# -- sums -------------------------------------------------------------------------


@given(
    st.lists(st.tuples(*[st.integers(-(2**62), 2**62)] * 2, st.integers(-9, 9)), min_size=1, max_size=9),
    st.integers(0, 2**80),
)
@settings(max_examples=80, deadline=None)
def test_sums_are_rounded_once(rows, seed):
    """Also those that do not fit into 64 bits; columns that are the same are added once."""
    table = [(a, b, c, b, b, a) for a, b, c in rows]
    found = UnitTable.of(table).resampled(3, seed)
    for sample, times in enumerate(draws(len(rows), 3, seed).tolist()):
        sums = [sum(time * row[column] for time, row in zip(times, table)) for column in range(6)]
        figures = [float(a) / float(b) if b else math.nan for a, b in zip(sums[::2], sums[1::2])]
        assert repr(found[sample::3].tolist()) == repr(figures)


def test_rows_of_a_unit_are_added():
    rows = [[1, 2], [3, 4], [5, 6]]
    columns = UnitTable.of(rows).columns

    def summed(*units):
        return [column.tolist() for column in UnitTable.summed(columns, *units).columns]

    assert summed([0, 0, 1], 2) == [[4, 5], [6, 6]]
    assert summed([0, 1, 2], 3) == [[1, 3, 5], [2, 4, 6]]
    assert summed([], 1) == [[0], [0]]


@pytest.mark.parametrize("least", [-3, 0])
def test_tables_that_are_resampled_together_have_the_figures_of_each(least):
    generator = np.random.default_rng(5)
    tables = [UnitTable.of(generator.integers(least, 10**size, (50, 4))) for size in (1, 6, 14, 17)]
    resample(tables, 20, 3)
    for table in tables:
        again = UnitTable(table.units, table.columns)
        assert table.resampled(20, 3) == again.resampled(20, 3)
        assert table.resampled(20, 4) != again.resampled(20, 3)


# -- errors -----------------------------------------------------------------------

ONE = np.array([[1, 2]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: bootstrap(ONE, np.array([[1, 2], [1, 2]])),
            "the systems have 1 and 2 units of 2 and 2 columns; "
            "a paired test needs the same units on both sides",
        ),
        (
            lambda: sign(ONE, np.array([[1, 2, 3]])),
            "the systems have 1 and 1 units of 2 and 3 columns; "
            "a paired test needs the same units on both sides",
        ),
        (
            lambda: intervals([[1, 2], [1]]),
            "got 1 counts for a unit and 2 for the first; expected as many for each",
        ),
        (lambda: bootstrap(ONE, ONE, samples=0), "got 0 resamples; expected 1 or more"),
        (lambda: permutation(ONE, ONE, samples=-5), "got -5 resamples; expected 1 or more"),
        (
            lambda: bootstrap(ONE, ONE, samples=1.5),
            "got the number of resamples 1.5; expected a whole number",
        ),
        (lambda: permutation(ONE, ONE, seed=-1), "got the seed -1; expected 0 or more"),
        (
            lambda: intervals(ONE, confidence=1.0),
            "got the confidence 1.0; expected a number between 0 and 1, such as 0.95",
        ),
        (
            lambda: intervals(ONE, confidence=0.0),
            "got the confidence 0.0; expected a number between 0 and 1, such as 0.95",
        ),
        (
            lambda: intervals(ONE, confidence=95),
            "got the confidence 95; expected a number between 0 and 1, such as 0.95",
        ),
        (
            lambda: intervals(ONE, confidence=float("nan")),
            "got the confidence nan; expected a number between 0 and 1, such as 0.95",
        ),
        (
            lambda: intervals(ONE, confidence="high"),
            "got the confidence 'high'; expected a number between 0 and 1, such as 0.95",
        ),
        (
            lambda: sign(ONE / 2, ONE),
            "got the counts array([0.5, 1. ]) of a unit; expected a sequence of whole numbers",
        ),
    ],
)
def test_errors_are_one_clear_line(call, message):
    with pytest.raises(JpevalbError) as caught:
        call()
    assert str(caught.value) == message


def test_the_least_numbers_are_taken():
    assert bootstrap(ONE, ONE, samples=1, seed=0) == [(1.0, None)]


# -- scipy ------------------------------------------------------------------------


def test_agrees_with_scipy_permutation_test():
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(9)
    for _ in range(5):
        gold = rng.integers(3, 12, 11)
        first, second = (rng.binomial(gold, share) for share in (0.6, 0.7))

        def difference(x, y, axis, gold=gold):
            return (x.sum(axis=axis) - y.sum(axis=axis)) / gold.sum()

        expected = stats.permutation_test(
            (first, second), difference, permutation_type="samples", vectorized=True, n_resamples=np.inf
        )
        found = ps(permutation(np.stack([first, gold], axis=1), np.stack([second, gold], axis=1)))
        assert found == [pytest.approx(expected.pvalue)]


@given(st.integers(0, 300), st.integers(0, 300))
@settings(max_examples=40, deadline=None)
def test_agrees_with_scipy_binomtest(wins, losses):
    stats = pytest.importorskip("scipy.stats")
    if wins + losses:
        expected = stats.binomtest(wins, wins + losses).pvalue
        assert binomial_p(wins, losses) == pytest.approx(expected, rel=1e-9)


def test_agrees_with_scipy_bootstrap():
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(4)
    gold = rng.integers(3, 12, 100)
    matched = rng.binomial(gold, 0.8)
    expected = stats.bootstrap(
        (matched, gold),
        lambda x, y, axis: x.sum(axis=axis) / y.sum(axis=axis),
        paired=True,
        method="percentile",
        n_resamples=20_000,
        rng=np.random.default_rng(1),
    ).confidence_interval
    ((low, high),) = intervals(np.stack([matched, gold], axis=1), samples=20_000)
    width = expected.high - expected.low
    assert abs(low - expected.low) < 0.05 * width
    assert abs(high - expected.high) < 0.05 * width


# -- intervals of differences ----------------------------------------------------------


def bootstrap_p(first, second, delta, samples, seed):
    """p of a true difference, resample by resample in fractions."""
    observed = Fraction(*map(int, second.sum(axis=0))) - Fraction(*map(int, first.sum(axis=0)))
    reached = 1
    for weights in draws(len(first), samples, seed):
        (a, b), (c, d) = ((int(number) for number in weights @ rows) for rows in (first, second))
        reached += not b or not d or abs(Fraction(c, d) - Fraction(a, b) - observed) >= abs(observed - delta)
    return Fraction(reached, samples + 1)


def permutation_p(first, second, delta):
    """p of a true difference over all ways to swap the systems without it."""
    halves = [
        [(Fraction(int(a)) + sign * delta / 2 * int(b), int(b)) for a, b in rows]
        for rows, sign in ((first, 1), (second, -1))
    ]
    reached, observed = 0, None
    for swaps in product((False, True), repeat=len(first)):
        sums = [
            [sum(column) for column in zip(*[halves[side ^ swap][i] for i, swap in enumerate(swaps)])]
            for side in (0, 1)
        ]
        found = (
            None if 0 in (sums[0][1], sums[1][1]) else abs(sums[1][0] / sums[1][1] - sums[0][0] / sums[0][1])
        )
        observed = found if observed is None else observed
        reached += found is None or found >= observed
    return Fraction(reached, 1 << len(first))


FIRST = np.array([[3, 4], [1, 6], [2, 5], [1, 1], [4, 7], [3, 9], [2, 8]])
SECOND = np.array([[4, 4], [1, 5], [3, 6], [0, 1], [7, 7], [5, 8], [2, 8]])


@pytest.mark.parametrize("confidence", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("test", ["bootstrap", "permutation"])
def test_the_interval_has_all_differences_that_the_test_does_not_reject(test, confidence):
    if test == "bootstrap":
        ((p, (low, high)),) = bootstrap(FIRST, SECOND, confidence=confidence, samples=200, seed=7)
        p_of = partial(bootstrap_p, FIRST, SECOND, samples=200, seed=7)
    else:
        ((p, (low, high)),) = permutation(FIRST, SECOND, confidence=confidence)
        p_of = partial(permutation_p, FIRST, SECOND)
    assert p == float(p_of(Fraction(0)))
    alpha, near = 1 - confidence, Fraction(1, 10**9)
    low, high = Fraction(low), Fraction(high)
    assert p_of(low + near) >= alpha > p_of(low - near)
    assert p_of(high - near) >= alpha > p_of(high + near)
    assert all(p_of(low + share * (high - low) / 8) >= alpha for share in range(1, 8))


@pytest.mark.parametrize("test", [bootstrap, permutation])
@given(systems=two_systems(largest=12))
@settings(max_examples=60, deadline=None)
def test_p_and_the_interval_do_not_contradict_each_other(test, systems):
    first, second = map(prf, systems)
    for samples, confidence in ((19, 0.95), (40, 0.9), (200, 0.95), (200, 0.8)):
        for p, interval in test(first, second, samples=samples, confidence=confidence):
            if interval is not None:
                assert (interval[0] <= 0 <= interval[1]) == (p >= 1 - confidence - 1e-9)
            elif p is not None:
                assert p >= 1 - confidence - 1e-9


def test_too_few_resamples_give_no_interval():
    """With 18 resamples the smallest p is 1/19; of five units 2 of the 32 ways to swap are as extreme."""
    first, second = np.array([[1, 9]] * 5), np.array([[8, 9]] * 5)
    assert bootstrap(first, second, samples=18) == [(1 / 19, None)]
    assert bootstrap(first, second, samples=20)[0].interval == pytest.approx((7 / 9, 7 / 9))
    assert permutation(first, second) == [(2 / 32, None)]
    assert permutation(first, second, confidence=0.9)[0].interval == pytest.approx((7 / 9, 7 / 9))
    assert bootstrap(first, second, confidence=None) == [(1 / 1001, None)]


@pytest.mark.parametrize("worse", [0.0, 0.2])
def test_error_rates_and_coverage_of_made_comparisons(worse):
    """As ``python -m tests.benchmarks.significance --simulate 1000``, with fewer and smaller comparisons."""
    rates = simulated(200, units=50, worse=worse, seed=4, bootstrap=199, permutation=199)
    assert rates.pop("p and interval contradict") == 0
    for name, share in rates.items():
        if name.endswith("rejects"):
            assert share > 0.99 if worse else 0.02 < share < 0.08, name
        else:
            assert 0.91 < share < 0.98, name


@pytest.mark.parametrize("order", [1, -1])
def test_a_figure_that_one_system_lacks_has_no_p(order):
    lacking, other = [[(0, 0)] * 3, [(1, 2), (1, 2), (2, 2)]][::order]
    (test,) = permutation(lacking, other)
    assert (test.p, test.interval) == (None, None)


@pytest.mark.parametrize("order", [1, -1])
def test_shuffles_that_leave_one_system_without_a_denominator_are_extreme(order):
    # Of the eight shuffles, two have the difference of the corpus, two leave one system without a
    # denominator, and four have half the difference.
    first, second = [[(0, 0), (0, 0), (1, 2)], [(2, 2), (2, 2), (0, 0)]][::order]
    (test,) = permutation(first, second, confidence=None)
    assert test.p == 4 / 8
