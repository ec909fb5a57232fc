# cython: infer_types=True
"""Kernel: rates of records, and numbers of sentences as JSON."""

from __future__ import annotations

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

COMPILED: bool = cython.compiled


@cython.ccall
def sum_of(terms: list, numbers) -> object:
    """Return the sum of some numbers; a term is a factor and the index of its number."""
    total: object = 0
    for factor, k in terms:
        total = total + factor * numbers[k]
    return total


@cython.ccall
def rate_of(rate: tuple, numbers) -> object:
    """Return a rate of a record, or ``None`` if its denominator is 0.

    A rate is given by the terms of its numerator, those of its denominator, and a number by which the
    numerator is divided first.  Without terms of a denominator the rate is the numerator.
    """
    tops, bottoms, unit = rate
    top = sum_of(tops, numbers)
    if unit != 1:
        top = top / unit
    if not bottoms:
        return top
    bottom = sum_of(bottoms, numbers)
    return top / bottom if bottom else None


def with_rates(items: list, numbers: tuple) -> tuple:
    """Return numbers and rates of a record, ``"null"`` for ``None``; an item is an index or a rate."""
    values: list = []
    for item in items:
        if type(item) is int:
            values.append(numbers[item])
        else:
            rate = rate_of(item, numbers)
            values.append("null" if rate is None else rate)
    return tuple(values)


def rows_text(rows: list) -> str | None:
    """Return rows of numbers as JSON; ``None`` if they have anything else, or numbers that are not finite."""
    lines: list = []
    for row in rows:
        if type(row) is not list:
            return None
        cells: list = []
        for cell in row:
            if type(cell) is int:
                cells.append(str(cell))
            elif type(cell) is float and cell - cell == 0:
                cells.append("1.0" if cell == 1.0 else repr(cell))  # the overlap of most nodes
            else:
                return None
        lines.append("[" + ", ".join(cells) + "]")
    return "[" + ", ".join(lines) + "]"
