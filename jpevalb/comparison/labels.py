"""F by label as figures of a comparison, with tests and intervals like any other."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Any

from ..metrics import Figure
from ..metrics.by_label import LabelCount

TESTED = 30
"""Maximum number of labels that are tested, the most frequent ones of gold."""

F_GROUP = "F by label"
RECALL_GROUP = "Recall by gold label"
"""Headings of these figures; if labels are not compared, a label has only a recall."""


def labels_in(record: Any) -> Mapping[str, LabelCount] | None:
    """Return the counts by label of a record, ``None`` if they were not counted."""
    names = getattr(record, "names", ())
    counts: Mapping[str, LabelCount] | None = None
    if "labels" in names:
        counts = record["labels"].labels
    elif "analysis" in names:
        counts = record["analysis"].labels.labels
    return counts


def gold_counts(counted: Sequence[Mapping[str, LabelCount]]) -> dict[str, int]:
    """Return the number of gold constituents by label, the most frequent labels first."""
    gold: dict[str, int] = {}
    for counts in counted:
        for label, item in counts.items():
            # Gold constituents are the same for all systems, however they join sentences.
            gold[label] = max(gold.get(label, 0), item.gold)
    return dict(sorted(gold.items(), key=lambda item: (-item[1], item[0])))


class LabelRows:
    """The counts by label of each record, in a flat array to save memory.

    Attributes:
        size: Number of records.
    """

    __slots__ = ("_equated", "_flat", "_numbers", "size")

    def __init__(self) -> None:
        self.size = 0
        self._numbers: dict[str, int] = {}
        self._flat = array("q")
        self._equated: set[str] = set()

    def add(self, record: Any) -> None:
        """Add the next record."""
        for label, counts in (labels_in(record) or {}).items():
            number = self._numbers.setdefault(label, len(self._numbers))
            self._flat.extend((self.size, number, counts.matched, counts.gold, counts.system))
            if counts.matched != counts.system_matched:
                # Precision and recall have different numerators, so F is not a quotient of sums.
                self._equated.add(label)
        self.size += 1

    def is_quotient(self, label: str) -> bool:
        """Return True if the F of a label is a quotient of sums."""
        return label not in self._equated

    def columns(self, labels: Sequence[str], *, recall: bool) -> list[list[int]]:
        """Return for each record the numerators and denominators of the labels' F, or recall, in turn."""
        rows = [[0] * (2 * len(labels)) for _ in range(self.size)]
        column_of = {self._numbers[label]: 2 * k for k, label in enumerate(labels) if label in self._numbers}
        flat = self._flat
        for at in range(0, len(flat), 5):
            record, number, matched, gold, system = flat[at : at + 5]
            if (column := column_of.get(number)) is not None:
                row = rows[record]
                row[column] = matched if recall else 2 * matched
                row[column + 1] = gold if recall else gold + system
        return rows


def label_figure(label: str, *, unlabeled: bool) -> Figure:
    """Return the F of a label, or its recall, read from the records of a run.

    >>> label_figure("NP", unlabeled=False).name
    'label_NP'
    """

    def counts(record: Any) -> tuple[int, int]:
        count = (labels_in(record) or {}).get(label, LabelCount())
        return (count.matched, count.gold) if unlabeled else (2 * count.matched, count.gold + count.system)

    group = RECALL_GROUP if unlabeled else F_GROUP
    return Figure(f"label_{label}", label or "()", group=group, counts=counts)
