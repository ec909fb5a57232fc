"""F by label as figures of a comparison, with tests and intervals like any other."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..metrics import Figure

if TYPE_CHECKING:
    from ..metrics.labels import LabelCount

TESTED = 30  # maximum number of labels that are tested, the most frequent ones of gold
# Headings of these figures; if labels are not compared, a label has only a recall.
F_GROUP = "F by label"
RECALL_GROUP = "Recall by gold label"


def labels_in(record: Any) -> Mapping[str, LabelCount] | None:
    """Return the counts by label of a record, ``None`` if they were not counted."""
    if "labels" in record:
        return record["labels"].labels  # type: ignore[no-any-return]
    return record["analysis"].labels.labels if "analysis" in record else None


def gold_counts(counted: Sequence[Mapping[str, LabelCount]]) -> dict[str, int]:
    """Return the number of gold constituents by label, the most frequent labels first."""
    gold: dict[str, int] = {}
    for counts in counted:
        for label, item in counts.items():
            # Gold constituents are the same for all systems, however they join sentences.
            gold[label] = max(gold.get(label, 0), item.gold)
    return dict(sorted(gold.items(), key=lambda item: (-item[1], item[0])))


class LabelRows:
    """The counts by label of each record, in flat arrays to save memory."""

    def __init__(self) -> None:
        # For each label: number of the record, matched, gold, system, again and again
        self._counts: defaultdict[str, array[int]] = defaultdict(lambda: array("q"))
        # Labels whose F is not a quotient of sums: precision and recall have different numerators
        self.equated: set[str] = set()

    def add(self, number: int, record: Any) -> None:
        """Add a record; ``number`` is its index."""
        for label, counts in (labels_in(record) or {}).items():
            self._counts[label].extend((number, counts.matched, counts.gold, counts.system))
            if counts.matched != counts.system_matched:
                self.equated.add(label)

    def columns(self, label: str, size: int, *, recall: bool) -> list[array[int]]:
        """Return numerators and denominators of the F of a label, or its recall, for ``size`` records."""
        numerators, denominators = (array("q", bytes(8 * size)) for _ in range(2))
        counts = self._counts.get(label, ())
        for number, matched, gold, system in zip(*[counts[field::4] for field in range(4)]):
            numerators[number] = matched if recall else 2 * matched
            denominators[number] = gold if recall else gold + system
        return [numerators, denominators]


def label_figure(label: str, *, unlabeled: bool) -> Figure:
    """Return the F of a label, or its recall, read from the records of a run.

    >>> label_figure("NP", unlabeled=False).name
    'label_NP'
    """

    def counts(record: Any) -> tuple[int, int]:
        count = (labels_in(record) or {}).get(label)
        if count is None:
            return 0, 0
        return (count.matched, count.gold) if unlabeled else (2 * count.matched, count.gold + count.system)

    group = RECALL_GROUP if unlabeled else F_GROUP
    return Figure(f"label_{label}", label or "()", group=group, counts=counts)
