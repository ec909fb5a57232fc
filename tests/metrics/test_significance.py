"""Significance tests, compared with exhaustive oracles in fractions, and with scipy if it is installed."""

from __future__ import annotations

import math
import statistics
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from jpevalb.base.errors import JpevalbError
from jpevalb.metrics.resampling import resampled
from jpevalb.metrics.significance import binomial_p, bootstrap, intervals, permutation, sign
from jpevalb.metrics.unit_table import UnitTable
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
    return np.rint(resampled(UnitTable.of(table), samples, seed).T * units).astype(np.int64)


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


def made_systems():
    place = np.arange(200, dtype=np.int64)
    matched = place * 7 % 9
    other = np.clip(matched + (place * 5 % 11 > 4) - place % 2, 0, 10)
    return np.stack([matched, np.full(200, 10)], axis=1), np.stack([other, np.full(200, 10)], axis=1)


@pytest.mark.parametrize(
    ("options", "reached", "differences", "interval"),
    [
        (
            {},  # the default seed, 12345
            (170, 1776),
            [(-0.002999999999999947, 0.01699999999999985), (-0.0028301886792452854, 0.016666666666666573)],
            (0.3715, 0.43949892067831725),
        ),
        (
            {"seed": 2**64 + 3},
            (166, 1851),
            [(-0.0025000000000000022, 0.016499999999999904), (-0.0026785714285714308, 0.016483516483516376)],
            (0.37050107932168275, 0.4415),
        ),
    ],
)
def test_known_results(options, reached, differences, interval):
    """A change of the random words, of their use, of the sums or of the default seed would change these."""
    first, second = made_systems()
    (one,), (two,) = bootstrap(first, second, samples=1000, **options), permutation(first, second, **options)
    assert (one.p, two.p) == (reached[0] / 1001, reached[1] / 10_001)
    assert [one.interval, two.interval] == differences
    assert intervals(second, **options) == [interval]


def test_a_clear_difference_has_the_least_p():
    first, second = np.array([[5, 10]] * 100), np.array([[8, 10]] * 100)
    assert ps(bootstrap(first, second)) == [1 / 10_001]
    assert ps(permutation(first, second)) == [1 / 10_001]
    assert sign(first, second) == [(2.0**-99, 100, 0, 0)]


# -- sign -------------------------------------------------------------------------


def test_binomial_p_of_few_throws_has_all_digits():
    for n in range(1, 60):
        for wins in range(n + 1):
            tail = Fraction(sum(math.comb(n, i) for i in range(max(wins, n - wins), n + 1)), 2**n)
            assert abs(binomial_p(wins, n - wins) / min(1, 2 * tail) - 1) < 1e-15
    assert binomial_p(0, 0) == 1.0
    # Both tails of an odd number of throws are all there is, however the sums round.
    assert all(1 - 1e-9 < binomial_p(k, k - 1) <= 1 for k in range(1, 1200))


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


@pytest.mark.parametrize(
    ("outcomes", "dropped", "split"),
    [
        # Wins, losses and ties; p without ties; p if ties are split, one of an odd number left out.
        ((4, 0, 0), 2 / 16, 2 / 16),
        ((4, 0, 1), 2 / 16, 2 / 16),
        ((4, 0, 2), 2 / 16, 2 * (6 + 1) / 64),
        ((4, 0, 3), 2 / 16, 2 * (6 + 1) / 64),
        ((1, 1, 0), 1.0, 1.0),
        ((0, 0, 2), 1.0, 1.0),
        ((22, 9, 700), 0.02945, 0.65719),
    ],
)
def test_ties_of_a_sign_test(outcomes, dropped, split):
    wins, losses, ties = outcomes
    first = np.array([(1, 10)] * wins + [(2, 10)] * losses + [(3, 10)] * ties)
    second = np.array([(2, 10)] * wins + [(1, 10)] * losses + [(3, 10)] * ties)
    assert sign(first, second) == [(pytest.approx(dropped, abs=1e-5), *outcomes)]
    assert sign(first, second, ties="split") == [(pytest.approx(split, abs=1e-5), *outcomes)]


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


# Quantiles of t with n - 1 degrees of freedom
T = [(4, 0.5, 0.764892), (4, 0.8, 1.637744), (10, 0.95, 2.262157), (30, 0.95, 2.045230)]


@pytest.mark.parametrize(("units", "confidence", "t"), T)
def test_the_interval_is_the_expanded_quantiles_of_all_resamples(units, confidence, t):
    matched = [0, 1, 3, 4, 2, 2, 2, 1, 3, 4][:units] * (units // min(units, 10))
    table = np.array([matched, [4] * units]).T
    if units == 4:
        figures = [sum(matched[i] for i in drawn) / 16 for drawn in product(range(4), repeat=4)]
    else:
        figures = resampled(UnitTable.of(table), 40_000, 7)[0]
    tail = statistics.NormalDist().cdf(-t * math.sqrt(units / (units - 1)))
    ((low, high),) = intervals(table, confidence=confidence, samples=40_000)
    step = 1 / (4 * units)  # between two figures
    assert abs(low - np.quantile(figures, tail)) < 1.01 * step * (units > 4) + 1e-12
    assert abs(high - np.quantile(figures, 1 - tail)) < 1.01 * step * (units > 4) + 1e-12


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
    # Two units are the fewest that have an expanded one: a quarter of the resamples are either twice.
    assert intervals([[9, 10], [1, 10]], confidence=0.4) == [(0.1, 0.9)]


# -- sums -------------------------------------------------------------------------


def test_rows_of_a_unit_are_added():
    rows = [[1, 2], [3, 4], [5, 6]]
    columns = UnitTable.of(rows).columns

    def summed(*units):
        return [column.tolist() for column in UnitTable.summed(columns, *units).columns]

    assert summed([0, 0, 1], 2) == [[4, 5], [6, 6]]
    assert summed([0, 1, 2], 3) == [[1, 3, 5], [2, 4, 6]]
    assert summed([], 1) == [[0], [0]]


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
        (lambda: sign(ONE, ONE, ties="keep"), "ties='keep'; expected one of drop, split"),
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


def test_a_tie_does_not_depend_on_the_rounding_of_a_division():
    first = np.array([(4, 9), (1, 5), (9, 7), (8, 5)])
    second = np.array([(5, 6), (9, 5), (5, 7), (8, 5)])
    assert ps(permutation(first, second)) == [permutation_p(first, second, Fraction(0))] == [0.75]
    first = np.array([(5, 6), (6, 5), (8, 11), (6, 11)])
    second = np.array([(8, 6), (5, 9), (7, 6), (8, 12)])
    expected = bootstrap_p(first, second, Fraction(0), 20, 1)
    assert ps(bootstrap(first, second, samples=20, seed=1)) == [float(expected)] == [15 / 21]


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
    assert bootstrap(first, second, confidence=None) == [(1 / 10_001, None)]
    assert bootstrap(first, first, samples=1, seed=0) == [(1.0, None)]


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
