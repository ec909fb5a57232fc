# cython: infer_types=True
"""Kernel: figures of random resamples of the units of a comparison.

Random numbers are the 64-bit words of PCG64 (O'Neill 2014, section 6.3: 128 bits of state, XSL-RR output).
Sums are whole numbers of 64 bits, so results are the same on every machine.

A table has blocks of four words a unit: the first four words of unit 0, of unit 1 and so on, then the next
four of all units.  So a loop adds four sums at once.  ``places`` has four numbers for each numerator and
denominator of the figures, alternating: word, shift, mask and factor, since a word has several counts if
their sums fit, and a count is kept without its factor.  In a ``wide`` table each count takes two words, its
upper part and its lower 32 bits.
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
        ones: cython.ulonglong = 0xFFFFFFFF
        # The multiplier: its upper half, and both halves of its lower half
        upper: cython.ulonglong = 0x2360ED051FC65DA4
        c: cython.ulonglong = 0x9FCCF645
        d: cython.ulonglong = 0x4385DF64
        low: cython.ulonglong = self.low
        a: cython.ulonglong = low & ones
        b: cython.ulonglong = low >> 32
        middle: cython.ulonglong = (a * c >> 32) + (a * d & ones) + b * c
        high: cython.ulonglong = b * d + (a * d >> 32) + (middle >> 32)
        high += self.high * (d << 32 | c) + low * upper + self.high_step
        low = low * (d << 32 | c) + self.low_step
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


@cython.locals(number=cython.longlong)
def extent(column: cython.longlong[::1]) -> tuple:
    """Return lowest, highest and greatest common divisor, 0 without numbers; the last is 1 with negatives."""
    lowest: cython.longlong = column[0] if len(column) else 0
    highest: cython.longlong = lowest
    divisor: cython.longlong = 0
    for i in range(len(column)):
        number = column[i]
        lowest = min(lowest, number)
        highest = max(highest, number)
        if number < 0:
            divisor = 1
        while number and divisor != 1:
            divisor, number = number, divisor % number
    return lowest, highest, divisor


def add_column(
    cells: cython.longlong[::1], begin: cython.Py_ssize_t, column: cython.longlong[::1], shift: cython.int
):
    """Add the numbers of a column, shifted, to every fourth cell."""
    for i in range(len(column)):
        cells[begin + 4 * i] += column[i] << shift


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
    numbers: cython.Py_ssize_t = len(places) // 4
    sums: cython.longlong[::1] = _sums(table, units, numbers)
    picks: cython.longlong[::1] = array("q", bytes(8 * (units + 1)))
    figures = array("d", bytes(8 * (samples * (numbers // 2))))
    result: cython.double[::1] = figures
    word: cython.ulonglong = 0
    one: cython.Py_ssize_t = 0
    two: cython.Py_ssize_t = 0
    many: cython.ulonglong = units
    ones: cython.ulonglong = 0xFFFFFFFF
    denominator: cython.double
    for sample in range(samples):
        a: cython.longlong = 0
        b: cython.longlong = 0
        c: cython.longlong = 0
        d: cython.longlong = 0
        for i in range(0, units, 2):
            word = words.take()
            # The first cells of both picks
            one = ((word & ones) * many >> 32) << 2
            two = ((word >> 32) * many >> 32) << 2
            picks[i] = one
            picks[i + 1] = two
            a += table[one] + table[two]
            b += table[one + 1] + table[two + 1]
            c += table[one + 2] + table[two + 2]
            d += table[one + 3] + table[two + 3]
        if units % 2:  # one pick too many
            a -= table[two]
            b -= table[two + 1]
            c -= table[two + 2]
            d -= table[two + 3]
        sums[0] = a
        sums[1] = b
        sums[2] = c
        sums[3] = d
        _add_picked(sums, table, units, picks)
        for k in range(numbers // 2):
            denominator = _number(sums, places, 2 * k + 1, wide)
            result[k * samples + sample] = (
                _number(sums, places, 2 * k, wide) / denominator if denominator else NAN
            )
    return figures


@cython.cfunc
def _sums(table: cython.longlong[::1], units: cython.Py_ssize_t, numbers: cython.Py_ssize_t) -> array:
    """Return zeros for the sums of all words, at least one block."""
    return array("q", bytes(8 * (len(table) // units if units else 2 * numbers + 4)))


@cython.cfunc
@cython.locals(i=cython.Py_ssize_t, base=cython.Py_ssize_t, start=cython.Py_ssize_t)
@cython.exceptval(check=False)
def _add_picked(
    sums: cython.longlong[::1],
    table: cython.longlong[::1],
    units: cython.Py_ssize_t,
    picks: cython.longlong[::1],
) -> cython.void:
    """Set the sums of all blocks but the first to those of the picked units."""
    for block in range(1, len(table) // (4 * units) if units else 0):
        start = 4 * block * units
        a: cython.longlong = 0
        b: cython.longlong = 0
        c: cython.longlong = 0
        d: cython.longlong = 0
        for i in range(units):
            base = start + picks[i]
            a += table[base]
            b += table[base + 1]
            c += table[base + 2]
            d += table[base + 3]
        sums[4 * block] = a
        sums[4 * block + 1] = b
        sums[4 * block + 2] = c
        sums[4 * block + 3] = d


@cython.cfunc
@cython.locals(i=cython.Py_ssize_t, base=cython.Py_ssize_t)
@cython.exceptval(check=False)
def _add_swapped(
    sums: cython.longlong[::1],
    table: cython.longlong[::1],
    units: cython.Py_ssize_t,
    bits: cython.ulonglong[::1],
) -> cython.void:
    """Set the sums to those of the units whose bit is set."""
    base = 0
    for block in range(len(table) // (4 * units) if units else 0):
        a: cython.longlong = 0
        b: cython.longlong = 0
        c: cython.longlong = 0
        d: cython.longlong = 0
        for i in range(units):
            # All bits or none: a branch on random bits is guessed wrong half of the time.
            mask: cython.longlong = -cython.cast(cython.longlong, bits[i >> 6] >> (i & 63) & 1)
            a += table[base] & mask
            b += table[base + 1] & mask
            c += table[base + 2] & mask
            d += table[base + 3] & mask
            base += 4
        sums[4 * block] = a
        sums[4 * block + 1] = b
        sums[4 * block + 2] = c
        sums[4 * block + 3] = d


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
    numbers: cython.Py_ssize_t = len(places) // 4
    n_figures: cython.Py_ssize_t = numbers // 4
    sums: cython.longlong[::1] = _sums(table, units, numbers)
    totals: cython.longlong[::1] = _sums(table, units, numbers)
    bits: cython.ulonglong[::1] = array("Q", [ALL]) * (units // 64 + 1)
    # What the two systems have after the shuffle
    after: cython.double[::1] = array("d", bytes(8 * (numbers + 1)))
    kept: cython.double[::1] = array("d", bytes(8 * (numbers + 1)))
    lows = array("d", bytes(8 * samples * n_figures))
    highs = array("d", bytes(8 * samples * n_figures))
    low: cython.double[::1] = lows
    high: cython.double[::1] = highs
    half: cython.Py_ssize_t = numbers // 2
    leaving: cython.double
    coming: cython.double
    observed: cython.double
    difference: cython.double
    share: cython.double
    first: cython.double
    second: cython.double
    _add_swapped(totals, table, units, bits)
    for sample in range(samples):
        bits[0] = sample
        if words is not None:
            for i in range((units + 63) // 64):
                bits[i] = words.take()
        _add_swapped(sums, table, units, bits)
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
    word: cython.Py_ssize_t = places[4 * k]
    if wide:
        return sums[word] * UPPER + sums[word + 1]
    return 1.0 * ((sums[word] >> places[4 * k + 1] & places[4 * k + 2]) * places[4 * k + 3])


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
