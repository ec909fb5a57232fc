"""The alignment kernel, compared with an exhaustive search; its path has the cost that it returns."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, strategies as st

from jpevalb.alignment import Unit
from tests.support.path_costs import slow_cost


def run_of(tokens: list[str], ends: set[int]) -> tuple[str, bytes]:
    """Characters and levels; sentences end behind the tokens of these numbers, and at both ends."""
    levels = [2]
    for number, token in enumerate(tokens, 1):
        levels += [0] * (len(token) - 1)
        levels.append(2 if number == len(tokens) or number in ends else 1)
    return "".join(tokens), bytes(levels)


tokens = st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, max_size=5)
ends = st.sets(st.integers(1, 4))


def check(kernel, gold, system, mine_ends, other_ends):
    (a, mine), (b, other) = run_of(gold, mine_ends), run_of(system, other_ends)
    cost, points = kernel.align_runs(a, b, mine, other)
    assert cost == slow_cost(a, b, mine, other)
    assert points[0] == (0, 0, 0)
    assert points[-1][:2] == (len(gold), len(system))
    starts = [0, *itertools.accumulate(map(len, gold))], [0, *itertools.accumulate(map(len, system))]
    total = 0
    for (i, j, equal), (n, m, more) in itertools.pairwise(points):
        assert n >= i
        assert m >= j
        assert n + m > i + j
        assert 0 <= more - equal <= min(starts[0][n] - starts[0][i], starts[1][m] - starts[1][j])
        place, end = (starts[0][i], starts[1][j]), (starts[0][n], starts[1][m])
        total += slow_cost(a, b, mine, other, place, end)
    # The path goes through its points; what it costs to begin passing anew there it did not pay.
    assert cost <= total <= cost + 4 * len(points)


@given(tokens, tokens, ends, ends)
def test_the_least_cost_is_found(gold, system, mine_ends, other_ends):
    from jpevalb.kernels import path

    check(path, gold, system, mine_ends, other_ends)


def test_known_paths(kernel):
    path = kernel("path")
    gold, mine = run_of(["ab", "c", "xyz", "d"], {2, 3})
    system, other = run_of(["ab", "c", "d"], {2})
    # A sentence that one side lacks is one gap, and ends where both sides end a sentence.
    cost, points = path.align_runs(gold, system, mine, other)
    assert points == [(0, 0, 0), (1, 1, 2), (2, 2, 3), (3, 2, 3), (4, 3, 4)]
    # Three characters skipped, three ends of equal tokens, and three arrivals at sentence ends.
    assert cost == 3 * 4 - 3 * (16 + 12) - 2 * 12 - 13
    # Unlike tokens are paired by shared cuts alone.
    assert path.align_runs("abxy", "cdzw", bytes([2, 0, 1, 0, 2]), bytes([2, 0, 1, 0, 2]))[1] == [
        (0, 0, 0),
        (1, 1, 0),
        (2, 2, 0),
    ]


def test_of_paths_that_cost_the_same_the_one_that_passes_last_and_at_once(kernel):
    """The b could be the second one too, with a gap before it that is free and one behind it."""
    (a, mine), (b, other) = run_of(["b", "b", "c"], set()), run_of(["b"], set())
    align_runs = kernel("path").align_runs
    cost = 2 * 4 + 1 - 16 - 12 - 13
    assert align_runs(a, b, mine, other) == (cost, [(0, 0, 0), (1, 1, 1), (2, 1, 1), (3, 1, 1)])
    assert align_runs(b, a, other, mine) == (cost, [(0, 0, 0), (1, 1, 1), (1, 2, 1), (1, 3, 1)])


@pytest.mark.parametrize("char", ["\U0001f600", "\ud800", "\0", "é"])
def test_any_character(kernel, char):
    cost, points = kernel("path").align_runs(char, char * 2, bytes([2, 2]), bytes([2, 1, 2]))
    assert points[-1] == (1, 2, 1)
    assert cost < 0


def test_points_go_on_from_those_before(kernel):
    """A stretch is solved in regions; what a region finds is counted from where it begins."""
    (a, mine), (b, other) = run_of(["ab", "a"], set()), run_of(["ab", "b"], set())
    align_runs = kernel("path").align_runs
    cost, points = align_runs(a, b, mine, other)
    again, moved = align_runs(a, b, mine, other, (3, 5, 70))
    assert again == cost
    assert points == [(0, 0, 0), (1, 1, 2), (2, 2, 2)]
    assert moved == [(3, 5, 70), (4, 6, 72), (5, 7, 72)]


def test_levels_of_tokens(kernel):
    levels_of, marks_of = kernel("path").levels_of, kernel("path").marks_of
    assert list(levels_of([], marks_of(0, [0]))) == [2]
    assert list(levels_of(["ab", "c", "d"], marks_of(3, [0, 2, 2, 3]))) == [2, 0, 1, 2, 2]
    assert list(levels_of(["c", "de"], marks_of(4, [2, 4])[2:])) == [2, 1, 0, 2]
    assert list(levels_of(["\U0001f600é", "e"], bytearray([1, 2, 5]))) == [1, 0, 2, 5]


def test_points_at_which_sentences_end_on_both_sides(kernel):
    both_end = kernel("path").both_end
    path = [(0, 0, 0), (0, 1, 0), (1, 2, 3), (2, 2, 3), (3, 3, 5), (4, 3, 5)]
    assert both_end(path, [0, 1, 4], [0, 2, 3]) == [(2, 1, 1), (5, 2, 2)]
    # Sentences of one side alone: the other has ended nothing yet, or nothing since.
    assert both_end(path, [0, 3, 4], [0, 1, 3]) == [(1, 0, 1), (4, 1, 2), (5, 2, 2)]
    assert both_end(path[:1], [0], [0]) == []


def test_grams_of_tokens(kernel):
    grams = kernel("path").grams
    starts = [0, 2, 3, 5, 6, 8]
    assert grams("abcabcab", starts, [0, 3, 5], 0, 5, 2) == {"ab": -1, "ca": -1}
    # The second one goes across the sentence end, and so does the one across both.
    assert grams("abcabcab", starts, [0, 3, 5], 0, 5, 3) == {"abc": 0, "cab": -1}
    assert grams("abcabcab", starts, [0, 5], 0, 5, 3) == {"abc": -1, "cab": -1}
    assert grams("abcabcab", starts, [0, 3, 5], 1, 4, 2) == {"ca": 1, "ab": 2}


def test_units_between_points(kernel):
    path = [(0, 0, 0), (1, 1, 2), (2, 1, 2), (2, 2, 2), (4, 4, 3), (4, 5, 3)]
    units_between = kernel("path").units_between
    assert units_between(path, 0, 5, Unit) == [(0, 1, 0, 1), (1, 2, 1, 2), (2, 4, 2, 4)]
    assert units_between(path, 1, 4, Unit) == [(0, 1, 0, 1), (1, 3, 1, 3)]
    assert units_between([(3, 4, 0), (5, 4, 0), (5, 5, 0)], 0, 2, Unit) == [(0, 2, 0, 1)]
    # Only one side has a token before the step; then both have some.
    assert units_between([(0, 0, 0), (0, 1, 0), (1, 2, 0)], 0, 2, Unit) == [(0, 1, 1, 2)]
    assert units_between([(0, 0, 0), (0, 1, 0), (1, 1, 0)], 0, 2, Unit) == [(0, 1, 0, 1)]


def parts(tokens: list[str]) -> tuple[str, list[int]]:
    return "".join(tokens), [0, *itertools.accumulate(map(len, tokens))]


def test_cuts_of_equal_text(kernel):
    equal_cuts = kernel("path").equal_cuts
    gold, system = parts(["x", "ab", "c", "d", "ef"]), parts(["a", "bc", "de", "f", "y"])
    # Behind x and before y all is the same: both are cut behind c and at the end.
    assert equal_cuts(gold, system, (1, 0, 5, 4), 7) == [(3, 2, 10), (5, 4, 13)]
    assert equal_cuts(gold, gold, (1, 1, 4, 4), 0) == [(2, 2, 2), (3, 3, 3), (4, 4, 4)]
    # Too long, and another character.
    assert equal_cuts(gold, system, (1, 0, 5, 5), 7) == []
    assert equal_cuts(gold, system, (0, 0, 4, 3), 7) == []


def test_cuts_of_units(kernel):
    path = kernel("path")
    gold, system = ("a", "ab", "c", "x", "dd"), ("a", "a", "bc", "dde", "y")
    units = ((0, 1, 0, 1), (1, 3, 1, 3), (3, 4, 3, 3), (4, 5, 3, 5))
    found = path.common_cuts(units, gold, system, [5], [5], {}, 100, list)
    assert found[:2] == ([0, 1, -1, 2, 2, 3], [0, 0, 0, 0, 1, 1])
    assert found[2:] == ([0, 1, -1, 2, 3, 3], [0, 0, 0, 0, 0, 1], [0, -1, -1, -1, 3])
    assert path.differing(units, gold, system, found[1], found[3]) == (
        1,
        1,
        1,
        {("ab c", "a bc"): 1, ("x", ""): 1, ("", "y"): 1, ("dd", "dde"): 1},
    )
    # Too many pairs of characters to look for the path: all of the unit is one.
    assert path.common_cuts(units, gold, system, [5], [5], {}, 7, list)[:3:2] == (
        [0, 1, -1, 2, 2, 3],
        [0, 1, -1, 2, -1, 3],
    )


def lowered(words):
    return [word.lower() for word in words]


def test_units_are_cut_as_the_exceptions_say(kernel):
    common_cuts = kernel("path").common_cuts
    sides = ((0, 2, 0, 3),), ("a", "bb"), ("a", "cd", "bb"), [2], [3]
    assert common_cuts(*sides, {}, 99, list)[2:] == ([0, 1, 1, 2], [0, 0, 1, 1], [0, 2])
    assert common_cuts(*sides, {"bb": "cd"}, 99, list)[2:] == ([0, 1, 2, 2], [0, 0, 0, 1], [0, 1])
    written = sides[0], ("A", "BB"), ("a", "Cd", "bB"), *sides[3:]
    assert common_cuts(*written, {"bb": "cd"}, 99, lowered) == common_cuts(*sides, {"bb": "cd"}, 99, list)
