"""Significance of the differences between two systems, and confidence intervals.

Counts are tables of integers.  A row is a unit of resampling, usually a sentence.  Each figure has two
columns, its numerator and its denominator.  A figure of a resample is the quotient of the sums over the
resample, just as a figure of the corpus is the quotient of the sums over the corpus.

The three tests are two-sided and test each figure separately.  Both systems need rows for the same units
in the same order:

============  ===========================================  =======================================
test          resamples                                    null hypothesis
============  ===========================================  =======================================
bootstrap     units with replacement                       the expected figures are equal
permutation   swaps of whole units between the systems     the units' two outputs are exchangeable
sign          none (exact)                                 a unit is as likely a win as a loss
============  ===========================================  =======================================

Bootstrap and permutation give the p-value and the confidence interval of a difference from the same
resamples.  The interval is the inverted test: all differences whose p-value is at least 1 - confidence.
So 0 is outside the interval if and only if p < 1 - confidence.  Neither is corrected for the
number of tests.

Random numbers are the raw 64-bit words of NumPy's PCG64, whose stream is the same in all versions and on
all platforms; the sums are exact, so results depend only on the counts, the seed and the number of
resamples.
"""

from __future__ import annotations

from math import ceil, comb, exp, lgamma, log
from typing import TypeAlias

import numpy as np

from ..trees.errors import SettingsError
from ..trees.frozen import NamedTuple
from .resampling import Counts, Floats, all_swaps, draws, exact_sums, once, paired, swaps, table_of
from .resampling import check_confidence as check_confidence
from .resampling import check_samples as check_samples

Interval: TypeAlias = "tuple[float, float] | None"

SEED = 12345
CONFIDENCE = 0.95
BOOTSTRAP_SAMPLES = 1_000
PERMUTATION_SAMPLES = 10_000

TOLERANCE = 1e-12
"""Figures this close count as equal: a tie must not depend on the rounding of a division."""


def rates(sums: Floats) -> Floats:
    """Divide columns 0, 2, 4, ... by columns 1, 3, 5, ...; NaN if a denominator is 0.

    >>> rates(np.array([3.0, 4.0, 1.0, 0.0]))
    array([0.75,  nan])
    """
    numerator, denominator = sums[..., 0::2], sums[..., 1::2]
    quotients = np.full(numerator.shape, np.nan)
    np.divide(numerator, denominator, out=quotients, where=denominator != 0)
    return quotients


# -- tests of the difference between two systems ---------------------------------


class ResamplingTest(NamedTuple):
    """The difference of a figure, the second system's minus the first's, tested by resampling."""

    p: float | None
    """Two-sided p-value in (0, 1]; ``None`` if a system's figure is undefined."""
    interval: Interval
    """Confidence interval of the difference.  ``None`` if no confidence was given, or if it is unbounded,
    because there are too few resamples or the figure is undefined in too many of them."""


def bootstrap(
    first: Counts,
    second: Counts,
    *,
    confidence: float | None = CONFIDENCE,
    samples: int = BOOTSTRAP_SAMPLES,
    seed: int = SEED,
) -> list[ResamplingTest]:
    """Test the difference of each figure by the paired bootstrap.

    Each resample draws as many units as there are, with replacement, the same ones for both systems.  Let
    d be the difference of the corpus figures and d* that of a resample.  The resamples scatter around d,
    not around 0, so the p-value of a true difference delta is ::

        p(delta) = (1 + number of resamples with |d* - d| >= |d - delta|) / (1 + samples).

    The test gives p(0), and the interval has all delta with p(delta) >= 1 - confidence: it is d plus or
    minus a quantile of ``|d* - d|``.  Resamples with an undefined figure count as extreme.

    Source: Berg-Kirkpatrick et al. 2012, section 2: a resample speaks against the null hypothesis if d* is
    beyond 2d, which is the centring above.  Koehn 2004 counts how often the other system wins instead.
    The observed corpus counts as one more resample (the two 1s), so that p is never 0.

    >>> table = lambda matched: np.array([matched, [10] * len(matched)]).T
    >>> (test,) = bootstrap(table([9, 8, 9, 10, 7, 9, 9, 8]), table([7, 7, 6, 8, 7, 8, 9, 6]))
    >>> round(test.p, 6), [round(end, 6) for end in test.interval]
    (0.000999, [-0.2125, -0.0625])
    """
    first, second = paired(first, second)
    _check(confidence, samples, seed)
    both = np.concatenate((first, second), axis=1)
    sums = exact_sums(both)
    observed = _difference(sums(once(both)))[0]
    distances = np.concatenate(
        [np.abs(_difference(sums(weights)) - observed) for weights in draws(len(both), samples, seed)]
    )
    return _inverted(observed, observed - distances, observed + distances, 1, confidence)


def permutation(
    first: Counts,
    second: Counts,
    *,
    confidence: float | None = CONFIDENCE,
    samples: int = PERMUTATION_SAMPLES,
    seed: int = SEED,
) -> list[ResamplingTest]:
    """Test the difference of each figure by paired permutation (approximate randomisation).

    Each shuffle swaps the two systems' rows of each unit with probability 1/2.  With d the difference of
    the corpus figures and d* that of a shuffle, ::

        p = (1 + number of shuffles with |d*| >= |d|) / (1 + samples).

    If there are no more than ``samples`` ways to swap, 2 ** units, each is tried once and p is their exact
    share (the corpus itself is one of them).  Shuffles with an undefined figure count as extreme.

    To get the p-value of a true difference delta, the difference is first removed: in each unit, half of
    delta times the denominator is added to the first system's numerator and subtracted from the second's.
    The interval has all delta with a p-value of at least 1 - confidence.

    Source: Noreen 1989, chapter 2; Yeh 2000, section 2, for precision, recall and F.  Intervals by
    inverting a permutation test: Tritchler 1984.

    >>> table = lambda matched: np.array([matched, [10] * len(matched)]).T
    >>> (test,) = permutation(table([9, 8, 9, 10, 7]), table([7, 7, 6, 8, 6]), confidence=0.9)
    >>> test.p, [round(end, 6) for end in test.interval]  # p is 2 / 32
    (0.0625, [-0.3, -0.1])
    """
    first, second = paired(first, second)
    _check(confidence, samples, seed)
    units, columns = first.shape
    exhaustive = units < 63 and 1 << units <= samples
    both = np.concatenate((first, second), axis=1)
    sums = exact_sums(both)
    totals = sums(once(both))
    observed = _difference(totals)[0]
    lows, highs = [], []
    for swapped in all_swaps(units) if exhaustive else swaps(units, samples, seed):
        leaving = sums(swapped)
        coming = np.roll(leaving, columns, axis=1)
        shuffled = totals - leaving + coming
        # Removing delta lowers the difference of the corpus by delta, that of the shuffle by delta * share.
        shares = _divided((totals - leaving - coming)[:, 1::2], shuffled[:, 1::2])
        share = (shares[:, : columns // 2] + shares[:, columns // 2 :]) / 2
        # |d* - delta * share| >= |d - delta| holds between the two delta at which both sides are equal.
        difference = _difference(shuffled)
        first_end = _divided(_snapped(observed - difference), np.maximum(1 - share, 0))
        second_end = _divided(_snapped(observed + difference), np.maximum(1 + share, 0))
        lows.append(np.minimum(first_end, second_end))
        highs.append(np.maximum(first_end, second_end))
    return _inverted(observed, np.concatenate(lows), np.concatenate(highs), int(not exhaustive), confidence)


def _difference(sums: Floats) -> Floats:
    """Return the second system's figures minus the first's, of sums of both."""
    columns = sums.shape[1] // 2
    return rates(sums[:, columns:]) - rates(sums[:, :columns])


def _inverted(
    observed: Floats, lows: Floats, highs: Floats, added: int, confidence: float | None
) -> list[ResamplingTest]:
    """Return the p-value and interval of each figure.

    A resample is extreme for all true differences from its ``low`` to its ``high``; NaN means no limit.
    ``added`` is 1 if the corpus itself counts as one more resample.
    """
    lows = _snapped(np.where(np.isnan(lows), -np.inf, lows))
    highs = _snapped(np.where(np.isnan(highs), np.inf, highs))
    total = len(lows) + added
    reached = added + ((lows <= 0) & (highs >= 0)).sum(axis=0)
    # Minimum number of resamples that are extreme for a difference inside the interval
    rank = 0 if confidence is None else ceil((1 - confidence) * total - 1e-9) - added
    bounds = np.sort(lows, axis=0)[rank - 1], np.sort(highs, axis=0)[-rank]
    tests = []
    for undefined, times, low, high in zip(np.isnan(observed), reached, *bounds):
        bounded = rank > 0 and not undefined and np.isfinite(low) and np.isfinite(high)
        interval = (float(low), float(high)) if bounded else None
        tests.append(ResamplingTest(None if undefined else int(times) / total, interval))
    return tests


def _divided(numerator: Floats, denominator: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        quotients: Floats = numerator / denominator
    return quotients


def _snapped(values: Floats) -> Floats:
    return np.where(np.abs(values) < TOLERANCE, 0.0, values)


def _check(confidence: float | None, samples: int, seed: int) -> None:
    check_samples(samples, seed)
    if confidence is not None:
        check_confidence(confidence)


class SignTest(NamedTuple):
    """The outcome of a sign test for one figure."""

    p: float | None
    """Two-sided p-value in [0, 1] (0 below 1e-300); ``None`` if no unit has the figure in both systems."""
    wins: int
    """Number of units where the second system's figure is larger than the first's."""
    losses: int
    """Number of units where the second system's figure is smaller."""
    ties: int
    """Number of units where both figures are equal."""


TIES = ("drop", "split")
"""Treatments of units with equal figures in a sign test; the first is the default."""


def sign(first: Counts, second: Counts, *, ties: str = "drop") -> list[SignTest]:
    """Test each figure by the nonrandomised sign test on single units.

    A unit is a *win* if the second system's figure of this unit alone (such as F of the sentence) is larger
    than the first's, a *loss* if it is smaller, a *tie* if both are equal.  The size of the difference does
    not matter.  A unit where the figure of either system is undefined is left out.

    Ties are left out, too: a tie does not show that the systems are equal, but that the unit cannot tell
    them apart.  With w wins and l losses p is exact and two-sided, ::

        p = min(1, 2 * P(X >= max(w, l))),  X binomial with w + l trials, 1/2.

    If a lower figure is better (crossing constituents), wins and losses change places; p is the same.

    With ``ties="split"`` half of the ties count as wins and half as losses.  If their number is odd, one is
    left out (Demsar 2006, section 3.1.3).  Then p is larger if most units are ties (complete match).

    Source: the sign test for sentence F of Shayegh et al. 2024, who leave out ties for this reason
    (footnote 9).

    >>> table = lambda matched: np.array([matched, [10] * len(matched)]).T
    >>> sign(table([5, 5, 5, 5, 5, 5, 5]), table([6, 7, 8, 9, 6, 6, 5]))
    [SignTest(p=0.03125, wins=6, losses=0, ties=1)]
    """
    if ties not in TIES:
        raise SettingsError(f"found ties={ties!r}; expected one of {', '.join(TIES)}")
    first, second = paired(first, second)
    first_rates, second_rates = rates(first.astype(np.float64)), rates(second.astype(np.float64))
    tests = []
    for known, one, two in zip(~np.isnan(second_rates - first_rates).T, first_rates.T, second_rates.T):
        wins = int((two[known] > one[known]).sum())
        losses = int((two[known] < one[known]).sum())
        tied = int(known.sum()) - wins - losses
        half = tied // 2 if ties == "split" else 0
        p = binomial_p(wins + half, losses + half) if known.any() else None
        tests.append(SignTest(p, wins, losses, tied))
    return tests


def binomial_p(wins: int, losses: int) -> float:
    """Return the two-sided p-value of wins and losses under a fair coin; 1 without any.

    It is accurate to 9 digits for up to a million units.

    >>> binomial_p(8, 2), binomial_p(3, 3)
    (0.109375, 1.0)
    """
    n, k = wins + losses, max(wins, losses)
    if 2 * k == n:
        return 1.0
    # The first term by logarithms, which cannot overflow; the others by their quotients.
    term = total = 1.0
    for j in range(k, n):
        term *= (n - j) / (j + 1)
        total += term
        if term < total * 1e-18:
            break
    if n < 1000:
        return min(1.0, 2 * total * comb(n, k) / 2.0**n)
    return min(1.0, 2 * total * exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) - n * log(2)))


# -- one system -----------------------------------------------------------------


def intervals(
    counts: Counts,
    *,
    confidence: float = CONFIDENCE,
    samples: int = BOOTSTRAP_SAMPLES,
    seed: int = SEED,
) -> list[Interval]:
    """Return bootstrap confidence intervals of one system's figures, by percentiles.

    The bounds are the (1 - confidence) / 2 and (1 + confidence) / 2 quantiles of the resamples' figures, with
    linear interpolation.  Resamples with an undefined figure are left out.  With the same seed the resamples
    are those of :func:`bootstrap`.

    Source: Efron & Tibshirani 1993, section 13.3.

    >>> intervals(np.array([[9, 10], [8, 10], [9, 10], [10, 10], [7, 10], [9, 10]]))
    [(0.8, 0.9333333333333333)]
    """
    counts = table_of(counts)
    _check(confidence, samples, seed)
    sums = exact_sums(counts)
    observed = rates(sums(once(counts)))[0]
    figures = np.concatenate([rates(sums(weights)) for weights in draws(len(counts), samples, seed)])
    bounds: list[Interval] = []
    for value, values in zip(observed, figures.T):
        ordered = np.sort(values[~np.isnan(values)])
        if np.isnan(value) or not len(ordered):
            bounds.append(None)
        else:
            low, high = (1 - confidence) / 2, (1 + confidence) / 2
            bounds.append((_quantile(ordered, low), _quantile(ordered, high)))
    return bounds


def _quantile(ordered: Floats, share: float) -> float:
    """Return the same as ``numpy.quantile``, whose imports would take longer than the resampling."""
    position = share * (len(ordered) - 1)
    below = int(position)
    low, high = float(ordered[below]), float(ordered[min(below + 1, len(ordered) - 1)])
    fraction = position - below
    # From the nearer end, as numpy does.
    return low + (high - low) * fraction if fraction < 0.5 else high - (high - low) * (1 - fraction)
