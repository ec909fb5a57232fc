"""Significance of the differences between two systems, and confidence intervals.

Counts are rows of integers.  A row is a unit of resampling, usually a sentence.  Each figure has two
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

Results depend only on the counts, the seed and the number of resamples (:mod:`.resampling`).
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from itertools import chain, zip_longest
from math import ceil, comb, exp, isfinite, isnan, lgamma, log, sqrt
from numbers import Integral, Real
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from ..base.errors import SettingsError
from . import Figure
from .unit_table import Counts, Interval, UnitTable, differences, paired, tries_all

if TYPE_CHECKING:
    from .resampling import Floats

SEED = 12345
CONFIDENCE = 0.95
INTERVAL_SAMPLES = 1_000
TEST_SAMPLES = 10_000
LEAST_UNITS = 10
"""Minimum number of units of an interval: with fewer, it is far too narrow."""

MOST_RESAMPLED = 100_000
"""Maximum number of sentences of a JSON or HTML report with intervals.  With more, the resamples would take
longer than the evaluation, and memory would grow with the file."""


class ResamplingTest(NamedTuple):
    """The difference of a figure, the second system's minus the first's, tested by resampling."""

    p: float | None  #: two-sided, in (0, 1]; None if a system's figure is undefined
    #: Confidence interval of the difference.  None if no confidence was given, or if it is unbounded,
    #: because there are too few resamples or the figure is undefined in too many of them.
    interval: Interval


def bootstrap(
    first: Counts,
    second: Counts,
    *,
    confidence: float | None = CONFIDENCE,
    samples: int = TEST_SAMPLES,
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

    >>> table = lambda matched: [(number, 10) for number in matched]
    >>> (test,) = bootstrap(table([9, 8, 9, 10, 7, 9, 9, 8]), table([7, 7, 6, 8, 7, 8, 9, 6]))
    >>> round(test.p, 6), [round(end, 6) for end in test.interval]
    (0.0001, [-0.2, -0.075])
    """
    return _tested(False, first, second, confidence, samples, seed)


def permutation(
    first: Counts,
    second: Counts,
    *,
    confidence: float | None = CONFIDENCE,
    samples: int = TEST_SAMPLES,
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

    >>> table = lambda matched: [(number, 10) for number in matched]
    >>> (test,) = permutation(table([9, 8, 9, 10, 7]), table([7, 7, 6, 8, 6]), confidence=0.9)
    >>> test.p, [round(end, 6) for end in test.interval]  # p is 2 / 32
    (0.0625, [-0.3, -0.1])
    """
    return _tested(True, first, second, confidence, samples, seed)


def _tested(
    permuted: bool, first: Counts, second: Counts, confidence: float | None, samples: int, seed: int
) -> list[ResamplingTest]:
    """Test each figure by permutation or by the bootstrap."""
    one, two = paired(first, second)
    check(confidence, samples, seed)
    from .resampling import bootstrap_ranges, permutation_ranges

    # The corpus itself counts as one more resample, unless it is one of them.
    added = 0 if permuted and tries_all(one.units, samples) else 1
    ranges = (permutation_ranges if permuted else bootstrap_ranges)(one, two, samples, seed)
    return [
        _inverted(observed, *ends, added, confidence) for observed, ends in zip(differences(one, two), ranges)
    ]


def _inverted(
    observed: float, lows: Floats, highs: Floats, added: int, confidence: float | None
) -> ResamplingTest:
    """Return the p-value and interval of a figure.

    A resample is extreme for all true differences from its ``low`` to its ``high``.  ``added`` is 1 if the
    corpus itself counts as one more resample.
    """
    if isnan(observed):
        return ResamplingTest(None, None)
    total = len(lows) + added
    reached = added + int(((lows <= 0) & (highs >= 0)).sum())
    # Minimum number of resamples that are extreme for a difference inside the interval
    rank = 0 if confidence is None else ceil((1 - confidence) * total - 1e-9) - added
    interval = None
    if rank > 0:
        lows.partition(rank - 1)
        highs.partition(len(highs) - rank)
        low, high = float(lows[rank - 1]), float(highs[-rank])
        interval = (low, high) if isfinite(low) and isfinite(high) else None
    return ResamplingTest(reached / total, interval)


def check(confidence: float | None, samples: int, seed: int) -> None:
    """Raise a SettingsError for an invalid confidence, number of resamples or seed."""
    for name, number in (("number of resamples", samples), ("seed", seed)):
        if not isinstance(number, Integral):
            raise SettingsError(f"got the {name} {number!r}; expected a whole number")
    if samples < 1:
        raise SettingsError(f"got {samples} resamples; expected 1 or more")
    if seed < 0:
        raise SettingsError(f"got the seed {seed}; expected 0 or more")
    if confidence is not None and (not isinstance(confidence, Real) or not 0 < confidence < 1):
        raise SettingsError(
            f"got the confidence {confidence!r}; expected a number between 0 and 1, such as 0.95"
        )


class SignTest(NamedTuple):
    """The outcome of a sign test for one figure."""

    p: float | None  #: two-sided, in [0, 1], 0 below 1e-300; None if no unit has the figure in both systems
    wins: int  #: number of units where the second system's figure is larger than the first's
    losses: int  #: number of units where it is smaller
    ties: int  #: number of units where both figures are equal


TIES = ("drop", "split")  # treatments of units with equal figures in a sign test; the first is the default


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
    left out (Demšar 2006, section 3.1.3).  Then p is larger if most units are ties (complete match).

    Source: the sign test for sentence F of Shayegh et al. 2024, who leave out ties for this reason
    (footnote 9).

    >>> table = lambda matched: [(number, 10) for number in matched]
    >>> sign(table([5, 5, 5, 5, 5, 5, 5]), table([6, 7, 8, 9, 6, 6, 5]))
    [SignTest(p=0.03125, wins=6, losses=0, ties=1)]
    """
    if ties not in TIES:
        raise SettingsError(f"ties={ties!r}; expected one of {', '.join(TIES)}")
    tables = paired(first, second)
    tests = []
    for at in range(0, len(tables[0].columns), 2):
        columns = [column for table in tables for column in table.columns[at : at + 2]]
        figures = [(a / b, c / d) for a, b, c, d in zip(*columns) if b and d]
        wins = sum([two > one for one, two in figures])
        losses = sum([two < one for one, two in figures])
        tied = len(figures) - wins - losses
        half = tied // 2 if ties == "split" else 0
        p = binomial_p(wins + half, losses + half) if figures else None
        tests.append(SignTest(p, wins, losses, tied))
    return tests


def binomial_p(wins: int, losses: int) -> float:
    """Return the two-sided p-value of wins and losses under a fair coin; 1 without wins and losses.

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


def intervals(
    counts: Counts, *, confidence: float = CONFIDENCE, samples: int = INTERVAL_SAMPLES, seed: int = SEED
) -> list[Interval]:
    """Return bootstrap confidence intervals of one system's figures, by expanded percentiles.

    The bounds are quantiles of the resamples' figures, with linear interpolation.  Percentiles at
    (1 - confidence) / 2 would be too narrow for few units, so they are moved as far as a t interval is wider
    than a normal one.  Resamples with an undefined figure are left out.  With the same seed the resamples
    are those of :func:`bootstrap`.

    Source: Hesterberg 2015, What teachers should know about the bootstrap, section 5.3.

    >>> intervals([[9, 10], [8, 10], [9, 10], [10, 10], [7, 10], [9, 10]])
    [(0.7666666666666667, 0.9666666666666667)]
    """
    table = UnitTable.of(counts)
    check(confidence, samples, seed)
    from .resampling import bounds

    # A figure that the corpus lacks has no interval.
    found = bounds(table, _expanded((1 - confidence) / 2, table.units), samples, seed)
    return [None if isnan(value) else interval for value, interval in zip(table.rates, found)]


def _expanded(tail: float, units: int) -> float:
    """Return the share of resamples beyond each bound of an interval.

    Quantiles of t by the expansion of Cornish and Fisher (Abramowitz & Stegun 1964, 26.7.5).
    """
    if units < 2:
        return tail
    normal, n = NormalDist(), units - 1
    z = -normal.inv_cdf(tail)
    t = (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )
    return normal.cdf(-t * sqrt(units / n))


def named_intervals(counts: Mapping[Figure, Sequence[array[int]]]) -> dict[str, Interval]:
    """Return the intervals of figures by name; ``counts`` has their numerators and denominators.

    ``None`` if a figure is undefined, or with fewer than ten units.
    """
    columns = list(chain.from_iterable(counts.values()))
    units = len(columns[0])
    bounds = intervals(UnitTable(units, columns)) if units >= LEAST_UNITS else ()
    return dict(zip_longest([figure.name for figure in counts], bounds))
