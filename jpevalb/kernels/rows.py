# cython: infer_types=True
"""Kernel: numbers of sentences as JSON."""

from __future__ import annotations

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

COMPILED: bool = cython.compiled


def with_rates(items: list, numbers: tuple) -> tuple:
    """Return numbers and rates of a record, ``"null"`` for a rate without a denominator.

    An item is the index of a number, or a rate: the terms of its numerator, those of its denominator, and a
    number by which the numerator is divided first.  A term is a factor and an index.  Without terms of a
    denominator the rate is the numerator.
    """
    values: list = []
    for item in items:
        if type(item) is int:
            values.append(numbers[item])
            continue
        tops, bottoms, unit = item
        top = _sum(tops, numbers)
        if unit != 1:
            top = top / unit
        if bottoms:
            bottom = _sum(bottoms, numbers)
            top = top / bottom if bottom else "null"
        values.append(top)
    return tuple(values)


@cython.cfunc
def _sum(terms: list, numbers: tuple) -> object:
    total: object = 0
    for factor, k in terms:
        total = total + factor * numbers[k]
    return total


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
