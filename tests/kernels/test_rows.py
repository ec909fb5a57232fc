"""The kernel of JSON rows, compared with Python's own JSON and fractions."""

from __future__ import annotations

import json
import math
from collections import OrderedDict

import pytest

from jpevalb.base.counts import Matched


@pytest.fixture
def rows(kernel):
    return kernel("rows")


@pytest.mark.parametrize("content", [[], [[0, -7, 10**20], [1.0, 1, 0.1 + 0.2]], [[1e-300, 5e22, -0.0]]])
def test_rows_of_numbers_are_those_of_json(rows, content):
    assert rows.rows_text(content) == json.dumps(content)


@pytest.mark.parametrize(
    "content",
    [[1], [(1, 2)], [[True]], [["a"]], [[None]], [[[1]]], [[1], {}], [[]], [[math.inf]], [[math.nan]]],
)
def test_rows_of_anything_else_are_left_to_json(rows, content):
    assert rows.rows_text(content) is None


def test_fields_of_a_frozen_record(rows):
    counts = object.__new__(Matched)
    rows.set_fields(counts, Matched.__match_args__, (4, 6, 3))
    assert counts == Matched(4, 6, 3) == Matched.of_fields(4, 6, 3)
    with pytest.raises(AttributeError):
        rows.set_fields(counts, ("other",), (1,))
    with pytest.raises(TypeError, match=r"^got 1 values; expected one for each of gold, system$"):
        rows.set_fields(counts, ("gold", "system"), (1,))


def test_sums_of_records(rows):
    names = Matched.__match_args__
    made = rows.records_of(Matched, names, {"a": [4, 6, 3], "b": (1, 2**70, 0)})
    assert made == {"a": Matched(4, 6, 3), "b": Matched(1, 2**70, 0)}
    assert made == Matched.table({"a": (4, 6, 3), "b": [1, 2**70, 0]})
    assert rows.sum_fields([*made.values(), Matched(1, 1, 1)], names) == [6, 2**70 + 7, 4]
    assert rows.sum_fields([], names) == [0, 0, 0]


def test_values_by_key(rows):
    tables = [{"b": 1, "a": 2}, {}, OrderedDict(c=3, a=4), {"a": 5, "d": 6}]
    single, repeated = rows.by_key(tables)
    assert (list(single.items()), repeated) == ([("b", 1), ("a", 2), ("c", 3), ("d", 6)], {"a": [2, 4, 5]})
    assert tables[0] == {"b": 1, "a": 2}
    assert rows.by_key([]) == ({}, {})


def test_numbers_and_rates_of_a_record(rows):
    numbers = (3, 4, 0, 2**60 + 1)
    rates = [
        ([(2, 0)], [(1, 0), (1, 1)], 1),
        ([(1, 0)], [(1, 2)], 1),  # 3 / 0
        ([(1, 1)], [(-1, 0), (1, 1)], 1),  # 4 / 1
        ([(1, 1)], [], 1),
        ([(1, 3)], [], 2**60),
        ([(1, 3)], [(1, 1)], 2**40),
        ([(1, 1), (-1, 0)], [(1, 1)], 1),
    ]
    expected = [6 / 7, None, 4.0, 4, (2**60 + 1) / 2**60, (2**60 + 1) / 2**40 / 4, 1 / 4]
    items = [1, *rates, "other"]
    pieces = ["[", *[piece for k in range(len(items)) for piece in (k, ", ")], 0, "]"]
    filled = rows.filled(pieces, items, numbers, {"other": '"text"'})
    assert filled == json.dumps([4, *expected, "text", 4])
    assert [rows.rate_of(rate, numbers) for rate in rates] == expected


def test_the_pattern_of_numbers(rows):
    assert rows.pattern_of((0, 1, 2, 2**70, -1)) == bytes([0, 1, 2, 2, 2])
    assert rows.pattern_of(()) == b""


@pytest.mark.parametrize("number", [True, 1.0, None])
def test_only_whole_numbers_have_a_pattern(rows, number):
    assert rows.pattern_of((0, number)) is None
