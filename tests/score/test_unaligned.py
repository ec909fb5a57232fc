"""The list of unaligned ranges: the first five, each complete, in any grouping of results."""

from __future__ import annotations

import itertools

from hypothesis import given, strategies as st

from jpevalb.base.text import NAMED
from jpevalb.score.evaluation import LeftOut
from jpevalb.score.sentence import Scorer
from jpevalb.score.tally import Tally
from jpevalb.settings.settings import Settings

KINDS = {"=": (1, 1), "g": (1, 0), "s": (0, 1), "b": (1, 1)}
"""Aligned, gold alone, system alone, and a sentence beside a blank."""


def bead(number, gold, system):
    return LeftOut("unaligned", number, gold, system)


def unaligned(kinds):
    """The unaligned sentences with their numbers."""
    found = []
    i = j = 0
    for number, kind in enumerate(kinds, 1):
        n, m = KINDS[kind]
        if kind != "=":
            found.append(bead(number, (i, i + n), (j, j + m)))
        i, j = i + n, j + m
    return found


def joined(items):
    tally = Tally(Scorer(Settings(convention="jpevalb")), 40)
    for item in items:
        tally.leave_out(item)
    count, first = tally.left_out["unaligned"]
    assert count == len(items)
    return first


def stretches(kinds):
    return joined(unaligned(kinds))


def test_stretches_of_one_kind_are_named_together():
    assert stretches("gggg=ssb=bb") == [
        bead(1, (0, 4), (0, 0)),
        bead(6, (5, 5), (1, 3)),
        bead(8, (5, 6), (3, 4)),
        bead(10, (7, 9), (5, 7)),
    ]
    # Beside a blank is not alone.
    assert [item.number for item in stretches("gbg")] == [1, 2, 3]
    assert [item.number for item in stretches("sbs")] == [1, 2, 3]
    many = stretches("gs" * 9)
    assert [item.number for item in many] == [1, 2, 3, 4, 5]
    # The last one goes on, and nothing else is taken in behind it.
    assert [item.size for item in stretches("gsgsgggg=g")] == [1, 1, 1, 1, 4]


def test_sentences_that_do_not_follow_each_other_are_named_apart():
    """By id the system's sentences without gold come behind each other from anywhere in the file."""
    places = ((4, 0), (5, 1), (6, 7), (7, 5))
    found = joined([bead(number, (3, 3), (place, place + 1)) for number, place in places])
    assert found == [
        bead(4, (3, 3), (0, 2)),
        bead(6, (3, 3), (7, 8)),
        bead(7, (3, 3), (5, 6)),
    ]
    # Beyond those that are named nothing is added to the last of them either, but what follows it.
    places = enumerate((20, 30, 40, 50, 0, 9, 1), 1)
    found = joined([bead(number, (3, 3), (place, place + 1)) for number, place in places])
    assert found[-1] == bead(5, (3, 3), (0, 1))
    # The sentence of gold between them was paired elsewhere.
    found = joined([bead(2, (1, 2), (0, 0)), bead(3, (3, 4), (0, 0))])
    assert found == [bead(2, (1, 2), (0, 0)), bead(3, (3, 4), (0, 0))]


@given(st.text("=gsb", max_size=30), st.lists(st.integers(0, 31), max_size=4))
def test_parts_are_put_together_again(kinds, cuts):
    whole = stretches(kinds)
    bounds = [0, *sorted(cuts), 32]
    # What a worker says of its part of the beads, in the numbers of all of them.
    again = []
    for begin, end in itertools.pairwise(bounds):
        again += joined([item for item in unaligned(kinds) if begin <= item.number < end])
    tally = Tally(Scorer(Settings(convention="jpevalb")), 40)
    for item in again:
        tally.leave_out(item)
    assert tally.left_out["unaligned"][1] == whole
    assert len(whole) <= NAMED
