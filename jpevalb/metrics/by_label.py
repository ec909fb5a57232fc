"""Brackets label by label, and which labels are confused over the same span."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..alignment.matching import Matching
from ..alignment.pair import Pair
from ..base.counts import Counts, Quotient, f1
from . import Metric


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LabelCount(Counts):
    """Constituents with one label, and how many of them are matched on each side."""

    gold: int = 0  #: gold constituents
    system: int = 0  #: system constituents
    matched: int = 0  #: gold constituents that match
    #: system constituents that match; unlike ``matched`` only if labels are equated or ignored
    system_matched: int = 0

    @property
    def missed(self) -> int:
        """Gold constituents without a match."""
        return self.gold - self.matched

    @property
    def extra(self) -> int:
        """System constituents without a match."""
        return self.system - self.system_matched

    recall = Quotient("matched", "gold", "Share of gold constituents that matched.")
    precision = Quotient("system_matched", "system", "Share of system constituents that matched.")

    @property
    def f1(self) -> float | None:
        """F1; ``None`` without constituents."""
        if self.matched == self.system_matched:
            return f1(self.matched, self.gold, self.system)
        recall, precision = self.recall, self.precision
        if recall is None or precision is None:
            return 0.0
        return 2 * recall * precision / (recall + precision)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LabelCounts(Counts):
    """Counts by label, and by (gold label, system label) of unmatched constituents over the same span."""

    labels: Mapping[str, LabelCount] = field(default_factory=dict)  #: counts by label
    #: number of unmatched pairs over the same span, by (gold label, system label)
    confused: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return counts, rates and confusions by label, JSON-ready."""
        confusions = self.all_confusions()
        return {
            label: {**self.labels[label].to_dict(), "confused": dict(confusions.get(label, ()))}
            for label in sorted(self.labels)
        }

    def all_confusions(self) -> dict[str, list[tuple[str, int]]]:
        """Return for each gold label the system labels it is confused with, most frequent first."""
        confusions: dict[str, list[tuple[str, int]]] = {}
        for (gold, system), times in self.confused.items():
            confusions.setdefault(gold, []).append((system, times))
        for items in confusions.values():
            items.sort(key=lambda item: (-item[1], item[0]))
        return confusions


class ByLabel(Metric):
    """The table of ``--by-label``."""

    name = "labels"
    counts = LabelCounts
    has_table = True

    def count(self, pair: Pair) -> LabelCounts:
        return label_counts(pair.matching)


def label_counts(match: Matching) -> LabelCounts:
    """Count labels and confusions among some constituents of a pair.

    Missed and extra constituents over the same words pair up in preorder.
    """
    matched = match.matched
    groups = match.gold, match.system, [gold for gold, _ in matched], [system for _, system in matched]
    counts = [Counter([item.label for item in items]) for items in groups]
    extra: dict[tuple[int, int, int], list[str]] = {}  # labels by words, the first one last
    for item in reversed(match.extra):
        if item.start < item.end:
            extra.setdefault(item.span, []).append(item.label)
    confused: Counter[tuple[str, str]] = Counter()
    for item in match.missed:
        if others := extra.get(item.span):
            confused[item.label, others.pop()] += 1
    labels = {label: LabelCount(*[count[label] for count in counts]) for label in {**counts[0], **counts[1]}}
    return LabelCounts(labels, dict(confused))
