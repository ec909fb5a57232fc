"""Gaps: the blocks of constituents as reports show them, and scores by fan-out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..metrics.brackets import Constituent
from ..model.tree import Tree


def blocks_of(words: int, units: Sequence[int]) -> list[tuple[int, int]]:
    """The units that hold any of some words, as half-open ranges.

    Args:
        words: A yield, as ``Tree.yields`` has them.
        units: For each word its unit, in ascending order.

    Cost: O(words).

    >>> blocks_of(0b110001, range(6)), blocks_of(0b101, [0, 0, 0])
    ([(0, 1), (4, 6)], [(0, 1)])
    """
    blocks: list[tuple[int, int]] = []
    for place, unit in enumerate(units):
        if not words >> place & 1:
            continue
        if blocks and unit <= blocks[-1][1]:
            blocks[-1] = (blocks[-1][0], unit + 1)
        else:
            blocks.append((unit, unit + 1))
    return blocks


class Spans:
    """The units of one side's constituents.

    Args:
        tree: The tree of that side.
        units: For each of its words the unit; ``None`` where word ``i`` is unit ``i``.
    """

    def __init__(self, tree: Tree, units: Sequence[int] | None) -> None:
        self._yields = None if tree.is_continuous else tree.yields()
        self._units = range(len(tree.words)) if units is None else units

    def blocks(self, item: Constituent) -> list[tuple[int, int]]:
        """The blocks of a constituent as half-open ranges.  Cost: O(words) where the tree has gaps."""
        if self._yields is None:
            return [(item.start, item.end)]
        return blocks_of(self._yields[item.node], self._units) or [(item.start, item.end)]

    def text(self, item: Constituent) -> str:
        """The blocks of a constituent as they are shown: ``[2:4]``, or ``[0,3:5]`` with gaps."""
        blocks = self.blocks(item)
        if len(blocks) == 1:
            return f"[{blocks[0][0]}:{blocks[0][1]}]"
        return f"[{','.join([f'{a}:{b}' if b - a > 1 else str(a) for a, b in blocks])}]"


def spans_of(result: Any) -> tuple[Spans, Spans]:
    """The spans of both sides of a sentence."""
    gold, system, _ = result.pair.unit_of_words()
    return Spans(result.gold, gold), Spans(result.system, system)


def has_gaps(result: Any) -> bool:
    """Whether a tree of a sentence has gaps.  Cost: O(nodes + words)."""
    return bool(result.pair.has_gaps)


def errors_with_gaps(result: Any) -> bool:
    """Whether a constituent with gaps is missed, or one with gaps is extra."""
    if not has_gaps(result):
        return False
    sides = zip(spans_of(result), (result.missed, result.extra))
    return any(len(spans.blocks(item)) > 1 for spans, items in sides for item in items)


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
    gold, system = spans_of(result)
    for items, spans, places in (
        ([item for item, _ in result.matched], gold, (0, 1, 2)),
        (result.missed, gold, (0,)),
        (result.extra, system, (1,)),
    ):
        for item in items:
            counts = found.setdefault(len(spans.blocks(item)), [0, 0, 0])
            for place in places:
                counts[place] += 1
