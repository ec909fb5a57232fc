"""Gaps: which sentences have some, and scores by fan-out."""

from __future__ import annotations

from typing import Any


def has_gaps(result: Any) -> bool:
    """Whether a tree of a sentence has gaps.  Cost: O(nodes + words)."""
    return bool(result.pair.has_gaps)


def errors_with_gaps(result: Any) -> bool:
    """Whether some constituent with gaps is missed or extra."""
    return has_gaps(result) and any(item.gaps for item in (*result.missed, *result.extra))


def count_fan_outs(result: Any, found: dict[int, list[int]]) -> None:
    """Adds the constituents of a sentence to those of other sentences.

    Args:
        result: The sentence.
        found: For each fan-out how many gold, system and matched constituents have it.
    """
    if not has_gaps(result):
        brackets = result.record.brackets
        counts = found.setdefault(1, [0, 0, 0])
        for place, number in enumerate((brackets.gold, brackets.system, brackets.matched)):
            counts[place] += number
        return
    for items, places in (
        ([item for item, _ in result.matched], (0, 1, 2)),
        (result.missed, (0,)),
        (result.extra, (1,)),
    ):
        for item in items:
            counts = found.setdefault(len(item.blocks), [0, 0, 0])
            for place in places:
                counts[place] += 1
