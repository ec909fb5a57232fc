"""Kernel: sum and print the rows that the evalb kernel writes; a row is nine 64-bit numbers."""

from __future__ import annotations

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

COMPILED: bool = cython.compiled

# Declared names are C variables when compiled, invisible to Python.
# Columns of a row: those of the report without its rates.
ROW_ID = cython.declare(cython.int, 0)
ROW_LENGTH = cython.declare(cython.int, 1)
ROW_STATUS = cython.declare(cython.int, 2)
ROW_MATCHED = cython.declare(cython.int, 3)
ROW_GOLD = cython.declare(cython.int, 4)
ROW_TEST = cython.declare(cython.int, 5)
ROW_CROSSING = cython.declare(cython.int, 6)
ROW_WORDS = cython.declare(cython.int, 7)
ROW_TAGS = cython.declare(cython.int, 8)
ROW_SIZE = cython.declare(cython.int, 9)

# Sums: twelve over all rows, then twelve up to the cut-off length.
SUM_SENTENCES = cython.declare(cython.int, 0)
SUM_ERRORS = cython.declare(cython.int, 1)
SUM_SKIPPED = cython.declare(cython.int, 2)
SUM_MATCHED = cython.declare(cython.int, 3)
SUM_GOLD = cython.declare(cython.int, 4)
SUM_TEST = cython.declare(cython.int, 5)
SUM_CROSSING = cython.declare(cython.int, 6)
SUM_WORDS = cython.declare(cython.int, 7)
SUM_TAGS = cython.declare(cython.int, 8)
SUM_COMPLETE = cython.declare(cython.int, 9)
SUM_NO_CROSSING = cython.declare(cython.int, 10)
SUM_TWO_CROSSING = cython.declare(cython.int, 11)
SUM_SIZE = cython.declare(cython.int, 12)


def add_rows(rows: memoryview, cutoff: cython.longlong, sums: memoryview) -> None:
    """Add rows to the ``2 * SUM_SIZE`` sums: over all rows, then over lengths up to ``cutoff``."""
    r: cython.const[cython.longlong][:] = rows
    s: cython.longlong[:] = sums
    offset: cython.Py_ssize_t
    base: cython.Py_ssize_t
    status: cython.longlong
    crossing: cython.longlong
    for offset in range(0, len(rows), ROW_SIZE):
        for base in range(0, 2 * SUM_SIZE, SUM_SIZE):
            if base and r[offset + ROW_LENGTH] > cutoff:
                break
            s[base + SUM_SENTENCES] += 1
            status = r[offset + ROW_STATUS]
            if status == 1:
                s[base + SUM_ERRORS] += 1
                continue
            if status == 2:
                s[base + SUM_SKIPPED] += 1
                continue
            crossing = r[offset + ROW_CROSSING]
            s[base + SUM_MATCHED] += r[offset + ROW_MATCHED]
            s[base + SUM_GOLD] += r[offset + ROW_GOLD]
            s[base + SUM_TEST] += r[offset + ROW_TEST]
            s[base + SUM_CROSSING] += crossing
            s[base + SUM_WORDS] += r[offset + ROW_WORDS]
            s[base + SUM_TAGS] += r[offset + ROW_TAGS]
            if r[offset + ROW_MATCHED] == r[offset + ROW_GOLD] == r[offset + ROW_TEST]:
                s[base + SUM_COMPLETE] += 1
            if crossing == 0:
                s[base + SUM_NO_CROSSING] += 1
            if crossing <= 2:
                s[base + SUM_TWO_CROSSING] += 1


def format_rows(rows: memoryview) -> bytes:
    """Format rows as evalb prints them, one line each.

    Rates are rounded as integers where that provably equals C's ``%.2f`` of the quotient, otherwise by
    Python.
    """
    r: cython.const[cython.longlong][:] = rows
    n: cython.Py_ssize_t = len(rows)
    room: cython.Py_ssize_t = n // ROW_SIZE * 192 + 16
    pieces = bytearray(room)
    out: cython.uchar[:] = pieces
    offset: cython.Py_ssize_t
    k: cython.Py_ssize_t = 0
    for offset in range(0, n, ROW_SIZE):
        k = _put(out, k, r[offset + ROW_ID], 0, 4)
        k = _put(out, k, r[offset + ROW_LENGTH], 2, 3)
        k = _put(out, k, r[offset + ROW_STATUS], 4, 1)
        k = _put_rate(out, k, r[offset + ROW_MATCHED], r[offset + ROW_GOLD], 2)
        k = _put_rate(out, k, r[offset + ROW_MATCHED], r[offset + ROW_TEST], 1)
        k = _put(out, k, r[offset + ROW_MATCHED], 3, 3)
        k = _put(out, k, r[offset + ROW_GOLD], 4, 3)
        k = _put(out, k, r[offset + ROW_TEST], 2, 3)
        k = _put(out, k, r[offset + ROW_CROSSING], 4, 3)
        k = _put(out, k, r[offset + ROW_WORDS], 3, 4)
        k = _put(out, k, r[offset + ROW_TAGS], 2, 4)
        k = _put_rate(out, k, r[offset + ROW_TAGS], r[offset + ROW_WORDS], 3)
        out[k] = 10
        k += 1
    return bytes(pieces[:k])


@cython.cfunc
@cython.exceptval(-1, check=False)
@cython.inline
@cython.locals(out=cython.uchar[:])
def _put(
    out, k: cython.Py_ssize_t, value: cython.longlong, blanks: cython.Py_ssize_t, width: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Write blanks and a right-aligned number; return the index behind it."""
    size: cython.Py_ssize_t = 1
    rest: cython.longlong = value
    while rest > 9:
        rest //= 10
        size += 1
    if size < width:
        size = width
    end: cython.Py_ssize_t = k + blanks + size
    j: cython.Py_ssize_t = end - 1
    out[j] = 48 + value % 10
    value //= 10
    while value > 0:
        j -= 1
        out[j] = 48 + value % 10
        value //= 10
    while j > k:
        j -= 1
        out[j] = 32
    return end


@cython.cfunc
@cython.exceptval(-1, check=False)
@cython.inline
@cython.locals(out=cython.uchar[:])
def _put_rate(
    out, k: cython.Py_ssize_t, part: cython.longlong, whole: cython.longlong, blanks: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Write blanks and 100 * part / whole as ``%6.2f`` does, 0.00 for 0/0."""
    hundredths: cython.longlong = 0
    left: cython.longlong = 0
    if whole > 0:
        hundredths = part * 10000 // whole
        left = 2 * (part * 10000 - hundredths * whole)
        # The double nearest to an exact tie may lie on either side of it.  Other quotients of numbers this
        # small are far from ties.
        if left == whole or whole > 1000000:
            return _put_float(out, k, part, whole, blanks)
        if left > whole:
            hundredths += 1
    k = _put(out, k, hundredths // 100, blanks, 3)
    out[k] = 46
    out[k + 1] = 48 + hundredths // 10 % 10
    out[k + 2] = 48 + hundredths % 10
    return k + 3


@cython.cfunc
@cython.exceptval(-1, check=False)
@cython.locals(out=cython.uchar[:])
def _put_float(
    out, k: cython.Py_ssize_t, part: cython.longlong, whole: cython.longlong, blanks: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    text: bytes = b" " * blanks + b"%6.2f" % (100.0 * part / whole)
    i: cython.Py_ssize_t
    for i in range(len(text)):
        out[k + i] = text[i]
    return k + len(text)
