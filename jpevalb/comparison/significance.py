"""Significance of a difference between two systems, and confidence intervals for one.

Everything here works on *units of resampling*, sentences as a rule: an array of
integer counts, one row a unit, and a function that turns summed rows into
figures.  A figure of a resample is that function of the resample's sums, as the
figure of the corpus is of the corpus's; rates are never averaged.

The three tests are two-sided, take both systems' rows for the same units in the
same order, and test each figure directly:

============  ==================================  =======================================
test          resamples                           what its null hypothesis is
============  ==================================  =======================================
bootstrap     units with replacement              the expected figures are equal
permutation   swaps of whole units between        the units' two outputs are exchangeable
              the systems
sign          none (exact)                        a unit is as likely a win as a loss
============  ==================================  =======================================

A p-value is not corrected for the number of tests made.

Random numbers are the raw 64-bit words of NumPy's PCG64, whose stream is the
same in all versions and on all platforms; the sums are exact, so results depend
only on the counts, the seed and the number of resamples.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb, exp, lgamma, log
from typing import NamedTuple, TypeAlias

import numpy as np

from ..trees.errors import SettingsError
from .resampling import Counts, Floats, all_swaps, draws, exact_sums, once, paired, swaps, table_of
from .resampling import check_confidence as check_confidence
from .resampling import check_samples as check_samples

Statistic: TypeAlias = Callable[[Floats], Floats]
"""Sums, shape (..., columns), to figures, shape (..., figures); NaN where a figure is undefined."""

SEED = 12345
BOOTSTRAP_SAMPLES = 1_000
PERMUTATION_SAMPLES = 10_000

TOLERANCE = 1e-12
"""Differences of figures this close count as equal: a tie must not hang on the rounding of a division."""


def rates(sums: Floats) -> Floats:
    """Figures that are quotients: columns 0, 2, 4, ... over columns 1, 3, 5, ...

    >>> rates(np.array([3.0, 4.0, 1.0, 0.0]))
    array([0.75,  nan])
    """
    numerator, denominator = sums[..., 0::2], sums[..., 1::2]
    found = np.full(numerator.shape, np.nan)
    np.divide(numerator, denominator, out=found, where=denominator != 0)
    return found


# -- tests ----------------------------------------------------------------------


def bootstrap(
    first: Counts,
    second: Counts,
    statistic: Statistic = rates,
    *,
    samples: int = BOOTSTRAP_SAMPLES,
    seed: int = SEED,
) -> list[float | None]:
    """The paired bootstrap test: two-sided p-values, one a figure.

    Each resample draws as many units as there are, with replacement, the same
    ones for both systems.  Let d be the difference of the corpus figures and d*
    that of a resample.  The resamples scatter around d, not around 0; so the
    difference is centred, and ::

        p = (1 + number of resamples with |d* - d| >= |d|) / (1 + samples).

    Resamples where a figure is undefined count as that extreme, which can only
    raise p.

    Args:
        first: Counts of one system.
        second: Counts of the other, row by row for the same units.
        statistic: Makes figures of sums.
        samples: Number of resamples, at least 1.
        seed: Of the random numbers, at least 0.

    Returns:
        For each figure p in (0, 1], ``None`` where a system's figure is
        undefined.  Swapping the systems changes nothing.

    Raises:
        SettingsError: tables of different shapes, or a number out of range.

    Cost: O(samples * units * columns), in blocks of bounded memory.

    Source: Berg-Kirkpatrick et al. 2012, section 2: a resample speaks against
    the null hypothesis if d* is beyond 2d, which is the centring above.  Koehn
    2004 counts how often the other system wins instead; that is the share of a
    confidence interval beyond 0, not a test at d = 0.  Two-sided because which
    system is better is what one asks; the 1 added to both parts counts the
    observed corpus, without which p could be 0.

    >>> gold, better, worse = [[10] * 8], [[9, 8, 9, 10, 7, 9, 9, 8]], [[7, 7, 6, 8, 7, 8, 9, 6]]
    >>> table = lambda matched: np.array(matched + gold).T
    >>> bootstrap(table(better), table(worse))
    [0.000999000999000999]
    """
    first, second = paired(first, second)
    check_samples(samples, seed)
    columns = first.shape[1]
    both = np.concatenate((first, second), axis=1)
    sums = exact_sums(both)
    observed = _difference(sums(once(both)), columns, statistic)[0]
    reached = np.zeros(observed.shape, dtype=np.int64)
    for weights in draws(len(both), samples, seed):
        found = _difference(sums(weights), columns, statistic)
        reached += _as_extreme(found - observed, observed)
    return _p_values(reached + 1, samples + 1, observed)


def permutation(
    first: Counts,
    second: Counts,
    statistic: Statistic = rates,
    *,
    samples: int = PERMUTATION_SAMPLES,
    seed: int = SEED,
) -> list[float | None]:
    """The paired permutation test (approximate randomisation): two-sided p-values, one a figure.

    Each shuffle swaps the two systems' rows of each unit with probability 1/2.
    With d the difference of the corpus figures and d* that of a shuffle, ::

        p = (1 + number of shuffles with |d*| >= |d|) / (1 + samples).

    Where all 2 ** units ways to swap are no more than ``samples``, each is tried
    once and p is their exact share (the corpus itself is one of them).
    Shuffles where a figure is undefined count as extreme.

    Args:
        first: Counts of one system.
        second: Counts of the other, row by row for the same units.
        statistic: Makes figures of sums.
        samples: Number of shuffles, at least 1.
        seed: Of the random numbers, at least 0.

    Returns:
        For each figure p in (0, 1], ``None`` where a system's figure is
        undefined.  Swapping the systems changes nothing.

    Raises:
        SettingsError: tables of different shapes, or a number out of range.

    Cost: O(samples * units * columns), in blocks of bounded memory.

    Source: Noreen 1989, chapter 2; Yeh 2000, section 2, for precision, recall
    and F.

    >>> table = lambda matched: np.array([matched, [10] * len(matched)]).T
    >>> permutation(table([9, 8, 9, 10, 7]), table([7, 7, 6, 8, 6]))  # 2 of the 32 ways
    [0.0625]
    """
    first, second = paired(first, second)
    check_samples(samples, seed)
    units, columns = first.shape
    exhaustive = units < 63 and 1 << units <= samples
    blocks = all_swaps(units) if exhaustive else swaps(units, samples, seed)
    both = np.concatenate((first, second), axis=1)
    totals = exact_sums(both)(once(both))
    observed = _difference(totals, columns, statistic)[0]
    change = exact_sums(second - first)
    reached = np.zeros(observed.shape, dtype=np.int64)
    for swapped in blocks:
        moved = change(swapped)
        found = _difference(totals + np.concatenate((moved, -moved), axis=1), columns, statistic)
        reached += _as_extreme(found, observed)
    if exhaustive:
        return _p_values(reached, 1 << units, observed)
    return _p_values(reached + 1, samples + 1, observed)


class SignTest(NamedTuple):
    """The outcome of a sign test for one figure."""

    p: float | None
    """Two-sided p-value in [0, 1] (0 below 1e-300); ``None`` where no unit has the figure in both systems."""
    wins: int
    """Units where the second system's figure is larger than the first's."""
    losses: int
    """Units where it is smaller."""
    ties: int
    """Units where both are equal."""


TIES = ("drop", "split")
"""What a sign test may do with units of equal figures; the first is the default."""


def sign(
    first: Counts, second: Counts, statistic: Statistic = rates, *, ties: str = "drop"
) -> list[SignTest]:
    """The nonrandomised sign test on the figures of single units.

    A unit is a *win* if the second system's figure of this unit alone (say, the
    sentence's F) is larger than the first's, a *loss* if it is smaller, a *tie*
    if both are equal.  How much larger does not matter.  A unit where the figure
    is undefined for either system says nothing and is left out.

    Ties are left out: a tie says that the unit cannot tell the systems apart, not
    that they are equal.  With w wins and l losses p is exact and two-sided,

        p = min(1, 2 * P(X >= max(w, l))),  X binomial with w + l trials, 1/2.

    For a figure where small is good (crossing constituents) wins are losses; p
    is the same.

    Args:
        first: Counts of one system.
        second: Counts of the other, row by row for the same units.
        statistic: Makes figures of a unit's row.
        ties: ``"drop"`` leaves them out; ``"split"`` counts half of them as wins and
            half as losses, one of an odd number left out (Demsar 2006, section 3.1.3),
            which makes p larger where most units are ties (complete match).

    Returns:
        For each figure the p-value and the counts of wins, losses and all ties.

    Raises:
        SettingsError: tables of different shapes, or another word for ``ties``.

    Cost: O(units * columns).

    Source: the sign test for sentence F of Shayegh et al. 2024, who leave out
    ties for this reason (footnote 9).

    >>> table = lambda matched: np.array([matched, [10] * len(matched)]).T
    >>> sign(table([5, 5, 5, 5, 5, 5, 5]), table([6, 7, 8, 9, 6, 6, 5]))
    [SignTest(p=0.03125, wins=6, losses=0, ties=1)]
    """
    if ties not in TIES:
        raise SettingsError(f"found ties={ties!r}; expected one of {', '.join(TIES)}")
    first, second = paired(first, second)
    before, after = statistic(first.astype(np.float64)), statistic(second.astype(np.float64))
    defined = ~(np.isnan(before) | np.isnan(after))
    found: list[SignTest] = []
    for figure in range(before.shape[1]):
        known = defined[:, figure]
        wins = int((after[known, figure] > before[known, figure]).sum())
        losses = int((after[known, figure] < before[known, figure]).sum())
        tied = int(known.sum()) - wins - losses
        half = tied // 2 if ties == "split" else 0
        p = binomial_p(wins + half, losses + half) if known.any() else None
        found.append(SignTest(p, wins, losses, tied))
    return found


def binomial_p(wins: int, losses: int) -> float:
    """Two-sided p of so many wins and losses of a fair coin; 1 for no throw at all.

    Cost: O(sqrt(wins + losses)) in practice.  Accurate to 9 digits for up to a
    million throws.

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


# -- intervals ------------------------------------------------------------------


def intervals(
    counts: Counts,
    statistic: Statistic = rates,
    *,
    confidence: float = 0.95,
    samples: int = BOOTSTRAP_SAMPLES,
    seed: int = SEED,
) -> list[tuple[float, float] | None]:
    """Bootstrap confidence intervals of one system's figures, by percentiles.

    The bounds are the (1 - confidence) / 2 and (1 + confidence) / 2 quantiles
    (between two values, linear) of the resamples' figures; resamples where a
    figure is undefined are left out.  With the same seed the resamples are
    those of :func:`bootstrap`.

    Args:
        counts: Counts of the system.
        statistic: Makes figures of sums.
        confidence: Share of resamples inside, in (0, 1).
        samples: Number of resamples, at least 1, drawn as :func:`bootstrap` draws them for ``seed``.
        seed: Of the random numbers, at least 0.

    Returns:
        For each figure the two bounds, ``None`` where the figure is undefined.

    Raises:
        SettingsError: a number out of range.

    Cost: O(samples * (units * columns + log(samples))).

    Source: Efron & Tibshirani 1993, section 13.3.

    >>> intervals(np.array([[9, 10], [8, 10], [9, 10], [10, 10], [7, 10], [9, 10]]))
    [(0.8, 0.9333333333333333)]
    """
    counts = table_of(counts)
    check_samples(samples, seed)
    check_confidence(confidence)
    sums = exact_sums(counts)
    observed = statistic(sums(once(counts)))[0]
    figures = np.concatenate([statistic(sums(weights)) for weights in draws(len(counts), samples, seed)])
    found: list[tuple[float, float] | None] = []
    for figure, value in enumerate(observed):
        values = figures[:, figure]
        values = values[~np.isnan(values)]
        if np.isnan(value) or not len(values):
            found.append(None)
        else:
            values.sort()
            found.append((_quantile(values, (1 - confidence) / 2), _quantile(values, (1 + confidence) / 2)))
    return found


def _quantile(ordered: Floats, share: float) -> float:
    """What ``numpy.quantile`` finds, which first loads modules that take longer than the resamples."""
    place = share * (len(ordered) - 1)
    below = int(place)
    low, high = float(ordered[below]), float(ordered[min(below + 1, len(ordered) - 1)])
    beyond = place - below
    # As from the nearer one.
    return low + (high - low) * beyond if beyond < 0.5 else high - (high - low) * (1 - beyond)


def intervals_of_differences(
    first: Counts,
    second: Counts,
    statistic: Statistic = rates,
    *,
    confidence: float = 0.95,
    samples: int = BOOTSTRAP_SAMPLES,
    seed: int = SEED,
) -> list[tuple[float, float] | None]:
    """Bootstrap confidence intervals of the second system's figures minus the first's, by percentiles.

    Each resample draws the same units for both systems; arguments and bounds are those of :func:`bootstrap`
    and :func:`intervals`.

    >>> first, second = np.array([[9, 10], [8, 10], [9, 10]]), np.array([[10, 10], [9, 10], [10, 10]])
    >>> [[round(end, 9) for end in ends] for ends in intervals_of_differences(first, second)]
    [[0.1, 0.1]]
    """
    first, second = paired(first, second)
    columns = first.shape[1]
    return intervals(
        np.concatenate((first, second), axis=1),
        lambda sums: _difference(sums, columns, statistic),
        confidence=confidence,
        samples=samples,
        seed=seed,
    )


# -- figures --------------------------------------------------------------------


def _difference(sums: Floats, columns: int, statistic: Statistic) -> Floats:
    """Figures of the second system minus those of the first; rows hold both systems' sums."""
    return statistic(sums[:, columns:]) - statistic(sums[:, :columns])


def _as_extreme(found: Floats, observed: Floats) -> Counts:
    """For each figure, how many rows are at least as far from 0; undefined ones are."""
    # A comparison with NaN is false, so what is asked is who is nearer.
    nearer: Counts = (np.abs(found) < np.abs(observed) - TOLERANCE).sum(axis=0)
    return len(found) - nearer


def _p_values(reached: Counts, of: int, observed: Floats) -> list[float | None]:
    return [None if undefined else int(times) / of for times, undefined in zip(reached, np.isnan(observed))]
