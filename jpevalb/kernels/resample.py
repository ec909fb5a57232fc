# cython: infer_types=True
"""Kernel: figures of random resamples of the units of a comparison.

Random numbers are the 64-bit words of PCG64 (O'Neill 2014, section 6.3: 128 bits of state, XSL-RR output).
Sums are whole numbers of 64 bits, so results are the same on every machine.

A table is flat: the words of unit 0, then those of unit 1.  ``places`` has three numbers for each numerator
and denominator of the figures, alternating: word, shift and mask, since a word has several counts if their
sums fit.  In a ``wide`` table each count takes two words, its upper part and its lower 32 bits.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

COMPILED: bool = cython.compiled

ALL = 0xFFFFFFFFFFFFFFFF

# C variables when compiled
UPPER = cython.declare(cython.double, 4294967296.0)
NAN = cython.declare(cython.double, float("nan"))
INFINITY = cython.declare(cython.double, float("inf"))
# Figures this close count as equal: a tie must not depend on the rounding of a division.
TOLERANCE = cython.declare(cython.double, 1e-12)


@cython.final
@cython.cclass
class Words:
    """The words of PCG64 after a state; state and increment are given as upper and lower 64 bits."""

    high: cython.ulonglong
    low: cython.ulonglong
    high_step: cython.ulonglong
    low_step: cython.ulonglong

    def __init__(self, high, low, high_step, low_step):
        self.high = high
        self.low = low
        self.high_step = high_step
        self.low_step = low_step

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def take(self) -> cython.ulonglong:
        """Return the next word."""
        # The multiplier is 0x2360ED051FC65DA44385DF649FCCF645.
        ones: cython.ulonglong = 0xFFFFFFFF
        upper: cython.ulonglong = 0x2360ED051FC65DA4
        c: cython.ulonglong = 0x9FCCF645
        d: cython.ulonglong = 0x4385DF64
        low: cython.ulonglong = self.low
        a: cython.ulonglong = low & ones
        b: cython.ulonglong = low >> 32
        middle: cython.ulonglong = (a * c >> 32) + (a * d & ones) + (b * c & ones)
        high: cython.ulonglong = b * d + (a * d >> 32) + (b * c >> 32) + (middle >> 32)
        high += self.high * (d << 32 | c) + low * upper + self.high_step
        low = ((middle & ones) << 32 | a * c & ones) + self.low_step
        if not cython.compiled:
            low &= ALL
        high += 1 if low < self.low_step else 0
        if not cython.compiled:
            high &= ALL
        self.high = high
        self.low = low
        low ^= high
        high >>= 58
        low = low >> high | low << (64 - high & 63)
        if not cython.compiled:
            low &= ALL
        return low


@cython.locals(base=cython.Py_ssize_t, other=cython.Py_ssize_t)
def drawn(
    table: cython.longlong[::1],
    units: cython.Py_ssize_t,
    places: cython.longlong[::1],
    wide: cython.bint,
    samples: cython.Py_ssize_t,
    words: Words,
) -> array:
    """Return the figures of each resample, or NaN; all of the first figure come first.

    A resample draws as many units as there are.  A word gives two draws, its low half first; a half h picks
    the unit h * units >> 32, which favours no unit by more than units / 2**32.
    """
    numbers: cython.Py_ssize_t = len(places) // 3
    cells: cython.Py_ssize_t = len(table) // units if units else 2 * numbers
    sums: cython.longlong[::1] = array("q", bytes(8 * (cells + 1)))
    figures = array("d", bytes(8 * (samples * (numbers // 2))))
    result: cython.double[::1] = figures
    word: cython.ulonglong = 0
    many: cython.ulonglong = units
    ones: cython.ulonglong = 0xFFFFFFFF
    denominator: cython.double
    for sample in range(samples):
        for k in range(cells):
            sums[k] = 0
        for _ in range(units // 2):
            word = words.take()
            base = cells * cython.cast(cython.Py_ssize_t, (word & ones) * many >> 32)
            other = cells * cython.cast(cython.Py_ssize_t, (word >> 32) * many >> 32)
            for k in range(cells):
                sums[k] += table[base + k] + table[other + k]
        if units & 1:
            base = cells * cython.cast(cython.Py_ssize_t, (words.take() & ones) * many >> 32)
            for k in range(cells):
                sums[k] += table[base + k]
        for k in range(numbers // 2):
            denominator = _number(sums, places, 2 * k + 1, wide)
            result[k * samples + sample] = (
                _number(sums, places, 2 * k, wide) / denominator if denominator else NAN
            )
    return figures


@cython.locals(i=cython.Py_ssize_t, base=cython.Py_ssize_t)
def swapped(
    table: cython.longlong[::1],
    units: cython.Py_ssize_t,
    places: cython.longlong[::1],
    wide: cython.bint,
    samples: cython.Py_ssize_t,
    words: Words | None,
) -> tuple:
    """Return the lowest and highest difference for which each shuffle is extreme, figure by figure.

    The first half of the numbers are those of the first system.  Unit i is swapped if bit i of the next words
    is set; without ``words`` if bit i of the number of the shuffle is.  To test a difference delta, it is
    removed first: half of it times the denominator is added to the first system's numerator and subtracted
    from the second's.
    """
    numbers: cython.Py_ssize_t = len(places) // 3
    cells: cython.Py_ssize_t = len(table) // units if units else 2 * numbers
    n_figures: cython.Py_ssize_t = numbers // 4
    sums: cython.longlong[::1] = array("q", bytes(8 * (cells + 1)))
    totals: cython.longlong[::1] = array("q", bytes(8 * (cells + 1)))
    # What the two systems have after the shuffle
    after: cython.double[::1] = array("d", bytes(8 * (numbers + 1)))
    kept: cython.double[::1] = array("d", bytes(8 * (numbers + 1)))
    lows = array("d", bytes(8 * samples * n_figures))
    highs = array("d", bytes(8 * samples * n_figures))
    low: cython.double[::1] = lows
    high: cython.double[::1] = highs
    half: cython.Py_ssize_t = numbers // 2
    word: cython.ulonglong = 0
    leaving: cython.double
    coming: cython.double
    observed: cython.double
    difference: cython.double
    share: cython.double
    first: cython.double
    second: cython.double
    for i in range(units):
        for k in range(cells):
            totals[k] += table[i * cells + k]
    for sample in range(samples):
        for k in range(cells):
            sums[k] = 0
        word = sample
        for i in range(units):
            if words is not None and i & 63 == 0:
                word = words.take()
            if word & 1:
                base = i * cells
                for k in range(cells):
                    sums[k] += table[base + k]
            word >>= 1
        for k in range(numbers):
            leaving = _number(sums, places, k, wide)
            coming = _number(sums, places, k - half if k >= half else k + half, wide)
            kept[k] = _number(totals, places, k, wide) - leaving
            after[k] = kept[k] + coming
            kept[k] -= coming
        for k in range(n_figures):
            i = 2 * k + 1
            base = k * samples + sample
            low[base] = -INFINITY
            high[base] = INFINITY
            if after[i] == 0 or after[half + i] == 0:
                continue
            first = _number(totals, places, i, wide)
            second = _number(totals, places, half + i, wide)
            if first == 0 or second == 0:
                continue
            observed = _number(totals, places, half + i - 1, wide) / second
            observed -= _number(totals, places, i - 1, wide) / first
            difference = after[half + i - 1] / after[half + i] - after[i - 1] / after[i]
            # Removing delta lowers the difference of the corpus by delta, of the shuffle by delta * share.
            share = (kept[i] / after[i] + kept[half + i] / after[half + i]) / 2
            # |d* - delta * share| >= |d - delta| holds between the two delta at which both sides are equal.
            first = _end(observed - difference, 1 - share)
            second = _end(observed + difference, 1 + share)
            if first <= second:
                low[base] = snapped(first)
                high[base] = snapped(second)
            elif second < first:
                low[base] = snapped(second)
                high[base] = snapped(first)
    return lows, highs


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _number(
    sums: cython.longlong[::1], places: cython.longlong[::1], k: cython.Py_ssize_t, wide: cython.bint
) -> cython.double:
    """Return the sum of a count, rounded once."""
    word: cython.Py_ssize_t = places[3 * k]
    if wide:
        return sums[word] * UPPER + sums[word + 1]
    return 1.0 * (sums[word] >> places[3 * k + 1] & places[3 * k + 2])


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _end(distance: cython.double, rate: cython.double) -> cython.double:
    """Return the difference at which a distance is reached; NaN if no difference reaches it, or all do."""
    distance = snapped(distance)
    if rate > 0:
        return distance / rate
    if distance == 0:
        return NAN
    return INFINITY if distance > 0 else -INFINITY


@cython.ccall
@cython.exceptval(check=False)
def snapped(number: cython.double) -> cython.double:
    """Return a difference of figures, 0 for one that may come from rounding."""
    return 0.0 if -TOLERANCE < number < TOLERANCE else number
