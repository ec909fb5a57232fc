"""Sets of ids that take little memory if the ids count up."""

from __future__ import annotations

import sys

from hypothesis import given, strategies as st

from jpevalb.formats.lines import IdSet

NAMES = st.one_of(
    st.integers(0, 40).map(str),
    st.integers(0, 12).map("s{}".format),
    st.sampled_from(["", "x", "007", "s01", "0", "00", "²", "s²", "٣", "9" * 30, "s-1"]),
)


@given(st.lists(NAMES, max_size=80))
def test_a_set_of_texts(names):
    found, expected = IdSet(), set()
    for name in names:
        assert (name in found) == (name in expected)
        assert found.add(name) == (name not in expected)
        expected.add(name)
        assert name in found


@given(st.permutations(range(60)))
def test_numbers_in_any_order(numbers):
    found = IdSet()
    assert all(found.add(f"s{number}") for number in numbers)
    assert not any(found.add(f"s{number}") for number in numbers)
    assert "s60" not in found


def test_two_ways_to_write_a_number_are_two_names():
    found = IdSet()
    for name in ("s7", "0", "10", "s70"):
        assert found.add(name)
    for name in ("s07", "s007", "00", "010", "s", "7", "70", "9" * 19):
        assert name not in found
        assert found.add(name)
        assert name in found


def test_counting_up_takes_no_room():
    found = IdSet()
    for number in range(10_000):
        assert found.add(f"s{number}")
    assert sys.getsizeof(found) < 1000
    assert len(found._runs) == 1
    assert not found.add("s5000")
