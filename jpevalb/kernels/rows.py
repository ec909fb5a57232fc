# cython: infer_types=True
"""Kernel: fields, sums and rates of records, and numbers of sentences as JSON."""

from __future__ import annotations

from functools import lru_cache

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython
if cython.compiled:
    from cython.cimports.cpython.object import PyObject_GenericSetAttr

COMPILED: bool = cython.compiled

# Texts of the numbers that occur most
_SMALL = cython.declare(dict, {number: str(number) for number in range(256)})


@cython.ccall
def set_fields(record, names: tuple, values):
    """Set the fields of a new frozen record, at a fifth of what its dataclass would take."""
    if len(names) != len(values):
        raise TypeError(f"got {len(values)} values; expected one for each of {', '.join(names)}")
    for i in range(len(names)):
        if cython.compiled:
            PyObject_GenericSetAttr(record, names[i], values[i])
        else:
            object.__setattr__(record, names[i], values[i])


def records_of(kind: type, names: tuple, rows: dict) -> dict:
    """Return records of a class with the fields ``names``, made from rows of values by key."""
    records: dict = {}
    for key, values in rows.items():
        record = kind.__new__(kind)
        set_fields(record, names, values)
        records[key] = record
    return records


def sum_fields(records: list, names: tuple) -> list:
    """Return the sums of fields over some records."""
    sums: list = [0] * len(names)
    for record in records:
        for i in range(len(names)):
            sums[i] += getattr(record, names[i])
    return sums


def by_key(tables: list) -> tuple:
    """Return the values of dicts by key, in order of first appearance, and a list for each repeated key."""
    single: dict = {}
    repeated: dict = {}
    for table in tables:
        for key, value in table.items():
            values = repeated.get(key)
            if values is not None:
                values.append(value)
            elif key in single:
                repeated[key] = [single[key], value]
            else:
                single[key] = value
    return single, repeated


@cython.ccall
@cython.locals(k=cython.Py_ssize_t)
def sum_of(terms: list, numbers) -> object:
    """Return the sum of some numbers; a term is a factor and the index of its number."""
    total: object = 0
    for factor, k in terms:
        total += numbers[k] if factor == 1 else factor * numbers[k]
    return total


@cython.ccall
def rate_of(rate: tuple, numbers) -> object:
    """Return a rate of a record, or ``None`` if its denominator is 0.

    A rate is given by the terms of its numerator, those of its denominator, and a number by which the
    numerator is divided first.  Without terms of a denominator the rate is the numerator.
    """
    tops, bottoms, unit = rate
    return _quotient(sum_of(tops, numbers), unit, sum_of(bottoms, numbers) if bottoms else None)


@cython.cfunc
def _quotient(top: object, unit: object, bottom: object) -> object:
    if unit != 1:
        top = top / unit
    if bottom is None:
        return top
    return top / bottom if bottom else None


def pattern_of(numbers: tuple) -> bytes | None:
    """Return which numbers are 0, 1 or anything else, written as 2; ``None`` unless all are an ``int``."""
    pattern: bytearray = bytearray(len(numbers))
    for k in range(len(numbers)):
        number = numbers[k]
        if type(number) is not int:
            return None
        pattern[k] = 0 if number == 0 else 1 if number == 1 else 2
    return bytes(pattern)


@cython.locals(index=cython.Py_ssize_t, k=cython.Py_ssize_t)
def filled(pieces: list, items: list, numbers: tuple, others: dict) -> str:
    """Return a text with numbers and rates of a record.

    Every second piece is the index of an item.  An item is the index of a number, a rate as
    :func:`rate_of` takes it, or a key of ``others``.
    """
    texts: list = []
    for item in items:
        if type(item) is int:
            index = item
            number = numbers[index]
            texts.append(_SMALL.get(number) or str(number))
        elif type(item) is tuple:
            tops, bottoms, unit = item
            texts.append(
                _quotient_text(sum_of(tops, numbers), unit, sum_of(bottoms, numbers) if bottoms else None)
            )
        else:
            texts.append(others[item])
    placed: list = pieces[:]
    for k in range(1, len(pieces), 2):
        index = pieces[k]
        placed[k] = texts[index]
    return "".join(placed)


@lru_cache(1 << 12)  # many sentences have the same rates
def _quotient_text(top: object, unit: object, bottom: object) -> str:
    quotient = _quotient(top, unit, bottom)
    return "null" if quotient is None else str(quotient)


def rows_text(rows: list) -> str | None:
    """Return rows of numbers as JSON; ``None`` if they have anything else, or numbers that are not finite."""
    pieces: list = []
    between = "[["
    for row in rows:
        if type(row) is not list or not row:
            return None
        for cell in row:
            pieces.append(between)
            between = ", "
            if type(cell) is int:
                pieces.append(_SMALL.get(cell) or str(cell))
            elif type(cell) is float and cell - cell == 0:
                pieces.append("1.0" if cell == 1.0 else repr(cell))  # the overlap of most nodes
            else:
                return None
        between = "], ["
    pieces.append("]]")
    return "".join(pieces) if rows else "[]"
