"""Struct-IoU over time, compared with plain Python: words without duration, and pauses between words."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from jpevalb.metrics.struct_iou import struct_iou, struct_iou_counts
from jpevalb.trees.tree import Tree
from tests.support.tree_oracles import (
    best_overlap,
    both,  # noqa: F401
    brackets,
    close,
    constituents,
)

pytestmark = pytest.mark.usefixtures("both")

TICKS = 10
"""Ticks of a recording; a second has eight of them, so that seconds are exact."""


@st.composite
def spoken(draw):
    """A tree, and for each word the ticks at which it begins and ends, often the same one."""
    tree = Tree.parse(draw(brackets(most=6)))
    ends = sorted(
        draw(st.lists(st.integers(0, TICKS), min_size=2 * len(tree.words), max_size=2 * len(tree.words)))
    )
    return tree, list(zip(ends[0::2], ends[1::2]))


def kept(gold, system):
    return gold, system


def dropped(gold, system):
    """Each word begins after as many ticks as the words of its side before it take."""

    def alone(times):
        return [
            (
                sum([end - begin for begin, end in times[:place]]),
                sum([end - begin for begin, end in times[: place + 1]]),
            )
            for place in range(len(times))
        ]

    return alone(gold), alone(system)


def shared(gold, system):
    """A tick counts if some word of either side is spoken in it; a time is the number of those before it."""
    counts = [any(begin <= tick < end for begin, end in [*gold, *system]) for tick in range(TICKS)]

    def moved(times):
        return [(sum(counts[:begin]), sum(counts[:end])) for begin, end in times]

    return moved(gold), moved(system)


MADE = {"keep": kept, "drop": dropped, "shared": shared}


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(spoken(), spoken(), st.sampled_from(sorted(MADE)), st.booleans())
def test_in_time(one, other, silence, strict):
    (gold, gold_ticks), (system, system_ticks) = one, other
    axes = MADE[silence](gold_ticks, system_ticks)
    first, second = constituents(gold, axes[0]), constituents(system, axes[1])
    options = {
        "gold_times": [(begin / 8, end / 8) for begin, end in gold_ticks],
        "system_times": [(begin / 8, end / 8) for begin, end in system_ticks],
        "silence": silence,
        "strict_terminals": strict,
    }
    found = struct_iou(gold, system, **options)
    counts = struct_iou_counts(gold, system, **options)
    # Nodes over no time overlap nothing, and count: the published program divides by their number too.
    assert (counts.gold, counts.system) == (len(first), len(second))
    if not first and not second:
        assert found is None
    else:
        assert close(found, 2 * best_overlap(first, second, strict) / (len(first) + len(second)))


def test_the_ways_differ():
    """The three variants of the previous test give different scores."""
    gold, system = [(0, 2), (6, 8)], [(1, 3), (8, 8)]
    assert dropped(gold, system) == ([(0, 2), (2, 4)], [(0, 2), (2, 2)])
    assert shared(gold, system) == ([(0, 2), (3, 5)], [(1, 3), (5, 5)])
    tree = Tree.parse("(S (A a) (B b))")
    seconds = [[(Fraction(begin, 8), Fraction(end, 8)) for begin, end in side] for side in (gold, system)]
    scores = {
        silence: struct_iou(tree, tree, gold_times=seconds[0], system_times=seconds[1], silence=silence)
        for silence in MADE
    }
    # Gold S, A and B, the system's S, A and a B of no length: six nodes, and B overlaps nothing.
    assert close(scores["keep"], 2 * (Fraction(7, 8) + Fraction(1, 3)) / 6)
    assert close(scores["drop"], 2 * (Fraction(1, 2) + 1) / 6)
    assert close(scores["shared"], 2 * (Fraction(4, 5) + Fraction(1, 3)) / 6)
