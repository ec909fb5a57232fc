"""F by label as measures of a comparison: tested and with intervals like any other."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Any

from ..metrics import Measure, Rate, quotient
from ..metrics.by_label import LabelCount

TESTED = 30
"""Labels that are measures: the most frequent ones of gold."""

F_GROUP = "F by label"
RECALL_GROUP = "Recall by gold label"
"""Headings of these measures; without labels a label has a recall alone."""


def labels_in(record: Any) -> Mapping[str, LabelCount] | None:
    """What a record of a run has counted by label; ``None`` where that was not asked for."""
    names = getattr(record, "names", ())
    found: Mapping[str, LabelCount]
    if "labels" in names:
        found = record["labels"].labels
    elif "analysis" in names:
        found = record["analysis"].labels.labels
    else:
        return None
    return found


class LabelRows:
    """For each record of a run the constituents of its labels, in little memory.

    Attributes:
        size: Records so far.
    """

    __slots__ = ("_equated", "_flat", "_numbers", "size")

    def __init__(self) -> None:
        self.size = 0
        self._numbers: dict[str, int] = {}
        self._flat = array("q")
        self._equated: set[str] = set()

    def add(self, record: Any) -> None:
        """Takes the next record.  Cost: O(labels of the record)."""
        for label, counts in (labels_in(record) or {}).items():
            number = self._numbers.setdefault(label, len(self._numbers))
            self._flat.extend((self.size, number, counts.matched, counts.gold, counts.system))
            if counts.matched != counts.system_matched:
                # Its precision and recall have numerators of their own, so its F is no quotient of sums.
                self._equated.add(label)
        self.size += 1

    def is_quotient(self, label: str) -> bool:
        """Whether the F of a label is a quotient of numbers that add up."""
        return label not in self._equated

    def columns(self, labels: Sequence[str], *, recall: bool) -> list[list[int]]:
        """For each record the numerators and denominators of the labels' F, or recall, in turn."""
        rows = [[0] * (2 * len(labels)) for _ in range(self.size)]
        place_of = {self._numbers[label]: 2 * k for k, label in enumerate(labels) if label in self._numbers}
        flat = self._flat
        for at in range(0, len(flat), 5):
            record, number, matched, gold, system = flat[at : at + 5]
            if (place := place_of.get(number)) is not None:
                row = rows[record]
                row[place] = matched if recall else 2 * matched
                row[place + 1] = gold if recall else gold + system
        return rows


def measure_of(label: str, *, unlabeled: bool) -> Measure:
    """The measure of a label.

    >>> measure_of("NP", unlabeled=False)
    Measure(name='label_NP', title='NP', form='percent', larger_is_better=True, group='F by label')
    """
    return Measure(f"label_{label}", label or "()", group=RECALL_GROUP if unlabeled else F_GROUP)


def rate_of(label: str, *, unlabeled: bool) -> Rate:
    """The rate of a label, read from a record of a run."""

    def counts(record: Any) -> tuple[int, int]:
        found = (labels_in(record) or {}).get(label, LabelCount())
        return (found.matched, found.gold) if unlabeled else (2 * found.matched, found.gold + found.system)

    return quotient(measure_of(label, unlabeled=unlabeled), counts)
