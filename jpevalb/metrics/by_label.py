"""Brackets label by label, and which labels stand for which over the same span."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..alignment.pair import Pair
from ..trees.counts import Counts, f1, ratio
from ..trees.frozen import field, frozen
from . import Metric
from .brackets import Comparison, compare_brackets


@frozen
class LabelCount(Counts):
    """The constituents of one label.

    Attributes:
        gold: Gold constituents that have it.
        system: The system's constituents that have it.
        matched: Those of the gold ones that are matched.
        system_matched: Those of the system's that are; another number only
            where labels are equated or left out of account.
    """

    gold: int = 0
    system: int = 0
    matched: int = 0
    system_matched: int = 0

    @property
    def missed(self) -> int:
        """Gold constituents without a match."""
        return self.gold - self.matched

    @property
    def extra(self) -> int:
        """The system's constituents without a match."""
        return self.system - self.system_matched

    @property
    def recall(self) -> float | None:
        return ratio(self.matched, self.gold)

    @property
    def precision(self) -> float | None:
        return ratio(self.system_matched, self.system)

    @property
    def f1(self) -> float | None:
        """The F measure; its two rates have one numerator unless labels are equated."""
        if self.matched == self.system_matched:
            return f1(self.matched, self.gold, self.system)
        recall, precision = self.recall, self.precision
        if recall is None or precision is None:
            return 0.0
        return 2 * recall * precision / (recall + precision)


@frozen
class LabelCounts(Counts):
    """Counts of every label, and of every confusion.

    Attributes:
        labels: For each label its counts.
        confused: For a gold and a system label, how often an unmatched gold
            constituent of the one and an unmatched system constituent of the
            other have the same span.
    """

    labels: Mapping[str, LabelCount] = field(default_factory=dict)
    confused: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """For each label its counts, rates and confusions."""
        confusions = self.all_confusions()
        return {
            label: {**self.labels[label].to_dict(), "confused": dict(confusions.get(label, ()))}
            for label in sorted(self.labels)
        }

    def all_confusions(self) -> dict[str, list[tuple[str, int]]]:
        """For each gold label the system's labels over spans of its missed constituents, most frequent first.

        Cost: O(confusions), sorted.
        """
        found: dict[str, list[tuple[str, int]]] = {}
        for (gold, system), times in self.confused.items():
            found.setdefault(gold, []).append((system, times))
        for items in found.values():
            items.sort(key=lambda item: (-item[1], item[0]))
        return found


class ByLabel(Metric):
    """The metric behind ``--by-label``."""

    name = "labels"
    counts = LabelCounts

    def count(self, pair: Pair) -> LabelCounts:
        return label_counts(compare_brackets(pair, self._labels))


def label_counts(found: Comparison) -> LabelCounts:
    """The counts of each label, and of each confusion, of one pair's constituents.

    Over one span missed and extra constituents are confused in preorder, one to
    one.  Cost: O(constituents).
    """
    table: dict[str, list[int]] = {}
    for gold, system in found.matched:
        for place, label in ((0, gold.label), (1, system.label)):
            counts = table.setdefault(label, [0, 0, 0, 0])
            counts[place] += 1
            counts[place + 2] += 1
    waiting: dict[tuple[int, int, int], list[str]] = {}
    for item in reversed(found.extra):
        table.setdefault(item.label, [0, 0, 0, 0])[1] += 1
        waiting.setdefault(item.span, []).append(item.label)
    confused: dict[tuple[str, str], int] = {}
    for item in found.missed:
        table.setdefault(item.label, [0, 0, 0, 0])[0] += 1
        others = waiting.get(item.span)
        if others:
            key = (item.label, others.pop())
            confused[key] = confused.get(key, 0) + 1
    return LabelCounts({label: LabelCount(*counts) for label, counts in table.items()}, confused)
