"""Conflicts, and the heaviest choice without conflict, compared with an exhaustive search."""

from __future__ import annotations

import random
import time
from itertools import product

import pytest
from hypothesis import given, strategies as st

from jpevalb.averaging.heaviest import (
    BY_SIZE,
    NUMBERS,
    Component,
    combine,
    components,
    conflicts,
    heaviest,
    named,
    number_choices,
)
from jpevalb.averaging.yields import in_order
from tests.support.averages import conflict, members


def graph_of(sets: list[int]) -> list[int]:
    return [sum(1 << j for j, b in enumerate(sets) if conflict(a, b)) for a in sets]


def independent(neighbours: list[int]):
    """Every choice of vertices no two of which are neighbours, as a bit set."""
    for choice in range(1 << len(neighbours)):
        if not any(neighbours[v] & choice for v in members(choice)):
            yield choice


def weight_of(choice: int, weights: list[int]) -> int:
    return sum(weights[v] for v in members(choice))


def best_of(neighbours: list[int], values: list[int]) -> list[int]:
    """The best choice: the sum decides, then the fewer vertices, then the first."""
    return members(
        min(
            independent(neighbours),
            key=lambda choice: (-weight_of(choice, values), choice.bit_count(), members(choice)),
        )
    )


@st.composite
def different_sets(draw, continuous=False):
    """Different sets of up to 8 elements in any order, and values."""
    n = draw(st.integers(1, 8))
    block = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).map(
        lambda ends: (2 << max(ends)) - (1 << min(ends))
    )
    sets = draw(st.sets(block if continuous else st.integers(1, (1 << n) - 1), min_size=1, max_size=11))
    sets = draw(st.permutations(sorted(sets)))
    return sets, draw(st.lists(st.integers(1, 4), min_size=len(sets), max_size=len(sets)))


@given(case=different_sets(), shift=st.sampled_from([0, 5, 60, 100]))
def test_heaviest(case, shift):
    sets, values = case
    found = heaviest(dict(zip([bits << shift for bits in sets], number_choices(values))), NUMBERS)
    assert named(found, len(values)) == best_of(graph_of(sets), values)
    assert heaviest({}, NUMBERS) == 0


@given(case=st.data(), p=st.integers(0, 20), q=st.integers(1, 5))
def test_constituents_above_a_price(case, p, q):
    """Constituents are worth ``q * weight - p``; several may have one yield."""
    sets, _ = case.draw(different_sets())
    owners = sorted(case.draw(st.lists(st.integers(0, len(sets) - 1), min_size=1, max_size=9)))
    values = [case.draw(st.integers(0, 8)) for _ in owners]
    component = Component([*range(len(owners))], [sets[owner] for owner in owners])
    near = [sum(1 << j for j, b in enumerate(owners) if conflict(sets[a], sets[b])) for a in owners]
    worth = [q * value - p for value in values]
    assert component.above(dict(enumerate(values)), p, q) == best_of(near, worth)


@given(drawn=different_sets(), case=st.data())
def test_heaviest_by_size(drawn, case):
    neighbours = graph_of(drawn[0])
    own = [sorted(case.draw(st.lists(st.integers(1, 9), max_size=2)), reverse=True) for _ in neighbours]
    expected: dict[int, int] = {}
    for choice in independent(neighbours):
        for counts in product(*[range(len(own[v]) + 1) for v in members(choice)]):
            total = sum(sum(own[v][:count]) for v, count in zip(members(choice), counts))
            expected[sum(counts)] = max(expected.get(sum(counts), 0), total)
    sums = [[sum(weights[:count]) for count in range(len(weights) + 1)] for weights in own]
    assert heaviest(dict(zip(drawn[0], sums)), BY_SIZE) == [expected[size] for size in range(len(expected))]


@given(*[st.lists(st.integers(0, 9), max_size=5)] * 2)
def test_combine(a, b):
    a, b = [0, *a], [0, *b]
    assert combine(a, b) == [
        max(x + y for i, x in enumerate(a) for j, y in enumerate(b) if i + j == size)
        for size in range(len(a) + len(b) - 1)
    ]


@given(case=different_sets())
def test_conflicts(case):
    ordered = in_order(case[0])
    found = conflicts(ordered, 100)
    assert [sorted(near) for near in found] == [members(near) for near in graph_of(ordered)]
    pairs = sum(map(len, found)) // 2
    assert conflicts(ordered, pairs) == found
    assert not pairs or conflicts(ordered, pairs - 1) is None


@given(case=different_sets())
def test_components(case):
    near = [members(around) for around in graph_of(case[0])]
    found = components(near)
    assert sorted(v for part in found for v in part) == [v for v, around in enumerate(near) if around]
    for part in found:
        assert part == sorted(part)
        reached = {part[0]}
        for _ in part:
            reached |= {u for v in reached for u in near[v]}
        assert reached == set(part)


def test_the_deadline():
    past = time.monotonic()
    weights = dict(zip([0b011, 0b110], number_choices([1, 1])))
    for late in (
        lambda: heaviest(weights, NUMBERS, past),
        lambda: heaviest({bits: [0, weight] for bits, weight in weights.items()}, BY_SIZE, past),
        lambda: Component([0, 1], [*weights]).above({0: 1, 1: 1}, 0, 1, past),
    ):
        with pytest.raises(TimeoutError):
            late()
    assert heaviest({1: 1, 2: 1}, NUMBERS, past + 3600) == 2


def test_a_long_row():
    """No recursion: 600 yields, each of which conflicts with the next one."""
    row = [0b11 << place for place in range(600)]
    assert heaviest(dict.fromkeys(row, 2), NUMBERS) == 600
    assert heaviest({bits: [0, 2] for bits in row[:60]}, BY_SIZE) == [2 * size for size in range(31)]


def test_many_continuous_yields_take_polynomial_time():
    """Of 400 blocks over 60 words nearly all conflict with each other."""
    rng = random.Random(1)
    blocks = {(1 << b) - (1 << a) for a, b in [sorted(rng.sample(range(61), 2)) for _ in range(400)]}
    assert heaviest(
        dict(zip(sorted(blocks), number_choices([1] * len(blocks)))), NUMBERS, time.monotonic() + 60
    )
