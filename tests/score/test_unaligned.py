"""The list of unaligned ranges: the first five, each complete, in any grouping of results."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from jpevalb.alignment import Bead
from jpevalb.score.tally import add_stretch, beads_in
from jpevalb.trees.counts import NAMED

KINDS = {"=": (1, 1), "g": (1, 0), "s": (0, 1), "b": (1, 1)}
"""Aligned, gold alone, system alone, and a sentence beside a blank."""


def unaligned(kinds):
    """The unaligned beads with their numbers."""
    found = []
    i = j = 0
    for number, kind in enumerate(kinds, 1):
        n, m = KINDS[kind]
        if kind != "=":
            found.append((number, Bead((i, i + n), (j, j + m), False)))
        i, j = i + n, j + m
    return found


def stretches(kinds):
    found = []
    for number, bead in unaligned(kinds):
        add_stretch(found, number, bead)
    return found


def test_stretches_of_one_kind_are_named_together():
    assert stretches("gggg=ssb=bb") == [
        (1, Bead((0, 4), (0, 0), False)),
        (6, Bead((5, 5), (1, 3), False)),
        (8, Bead((5, 6), (3, 4), False)),
        (10, Bead((7, 9), (5, 7), False)),
    ]
    # Beside a blank is not alone.
    assert [number for number, _ in stretches("gbg")] == [1, 2, 3]
    assert [number for number, _ in stretches("sbs")] == [1, 2, 3]
    many = stretches("gs" * 9)
    assert [number for number, _ in many] == [1, 2, 3, 4, 5]
    # The last one goes on, and nothing else is taken in behind it.
    assert [beads_in(bead) for _, bead in stretches("gsgsgggg=g")] == [1, 1, 1, 1, 4]


def test_sentences_that_do_not_follow_each_other_are_named_apart():
    """By id the system's sentences without gold come behind each other from anywhere in the file."""
    found = []
    for number, place in ((4, 0), (5, 1), (6, 7), (7, 5)):
        add_stretch(found, number, Bead((3, 3), (place, place + 1), False))
    assert found == [
        (4, Bead((3, 3), (0, 2), False)),
        (6, Bead((3, 3), (7, 8), False)),
        (7, Bead((3, 3), (5, 6), False)),
    ]
    # Beyond those that are named nothing is added to the last of them either, but what follows it.
    found = []
    for number, place in enumerate((20, 30, 40, 50, 0, 9, 1), 1):
        add_stretch(found, number, Bead((3, 3), (place, place + 1), False))
    assert found[-1] == (5, Bead((3, 3), (0, 1), False))
    # The sentence of gold between them was paired elsewhere.
    found = []
    for number, bead in ((2, Bead((1, 2), (0, 0), False)), (3, Bead((3, 4), (0, 0), False))):
        add_stretch(found, number, bead)
    assert found == [(2, Bead((1, 2), (0, 0), False)), (3, Bead((3, 4), (0, 0), False))]


@given(st.text("=gsb", max_size=30), st.lists(st.integers(0, 31), max_size=4))
def test_parts_are_put_together_again(kinds, cuts):
    whole = stretches(kinds)
    bounds = [0, *sorted(cuts), 32]
    # What a worker says of its part of the beads, in the numbers of all of them.
    again = []
    for begin, end in itertools.pairwise(bounds):
        part = []
        for number, bead in unaligned(kinds):
            if begin <= number < end:
                add_stretch(part, number, bead)
        for number, bead in part:
            add_stretch(again, number, bead)
    assert again == whole
    assert len(whole) <= NAMED
