"""Counts of an error analysis: labels, confusions, attachments, scores by length."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

from ..alignment.pair import Pair
from ..model.counts import Counts
from ..model.labels import Labels
from ..model.settings import Settings
from ..model.tree import Tree
from . import Metric
from .brackets import BracketCounts, Comparison, Constituent, compare_brackets, length
from .by_label import LabelCounts, label_counts

F1_STEPS = 20
"""Classes of sentence F1 below 1, each ``1 / F1_STEPS`` wide; F1 = 1 has a class of its own."""

LENGTH_STEP = 10
LONGEST_STEP = 60
"""Classes of sentence length are 1-10, 11-20 and so on; what is longer than this is one class."""

AttachmentKey: TypeAlias = "tuple[str, str | None, str | None]"
"""Labels of a constituent, of its gold parent and of its system parent; ``None`` for no parent."""


@dataclass(frozen=True, slots=True)
class AnalysisCounts(Counts):
    """Where the errors of some sentences are.

    Attributes:
        labels: Brackets label by label, and which labels are confused.
        attached: For a label, its gold parent's and its system parent's, how many
            constituents were found but hang from another parent.
        lengths: For each class of length (:func:`length_class`) the brackets of
            its sentences.
        f1: For each class of sentence F1 (:func:`f1_class`) how many sentences.
        without_f1: Sentences without constituents on either side.
    """

    labels: LabelCounts = field(default_factory=LabelCounts)
    attached: Mapping[AttachmentKey, int] = field(default_factory=dict)
    lengths: Mapping[int, BracketCounts] = field(default_factory=dict)
    f1: Mapping[int, int] = field(default_factory=dict)
    without_f1: int = 0

    def __add__(self, other: AnalysisCounts) -> AnalysisCounts:
        return AnalysisCounts.sum((self, other))

    @classmethod
    def sum(cls, records: Iterable[AnalysisCounts]) -> AnalysisCounts:
        """The sum of any number of records.  Cost: O(their entries)."""
        items = list(records)
        attached: dict[AttachmentKey, int] = {}
        lengths: dict[int, list[BracketCounts]] = {}
        f1: dict[int, int] = {}
        for item in items:
            for key, times in item.attached.items():
                attached[key] = attached.get(key, 0) + times
            for place, brackets in item.lengths.items():
                lengths.setdefault(place, []).append(brackets)
            for place, times in item.f1.items():
                f1[place] = f1.get(place, 0) + times
        return cls(
            LabelCounts.sum([item.labels for item in items]),
            attached,
            {place: BracketCounts.sum(counts) for place, counts in lengths.items()},
            f1,
            sum([item.without_f1 for item in items]),
        )

    def to_dict(self) -> dict[str, Any]:
        """As :meth:`jpevalb.metrics.errors.Analysis.to_dict`: counts and rates, most frequent first."""
        from .errors import Analysis

        return Analysis.of(self).to_dict()


class ErrorAnalysis(Metric):
    """The metric behind ``--analysis``."""

    name: ClassVar[str] = "analysis"

    def __init__(self, settings: Settings, labels: Labels) -> None:
        self._labels = labels

    def zero(self) -> AnalysisCounts:
        return AnalysisCounts()

    def count(self, pair: Pair) -> AnalysisCounts:
        return analysis_counts(compare_brackets(pair, self._labels), pair, length(pair, self._labels))


def analysis_counts(found: Comparison, pair: Pair, length: int) -> AnalysisCounts:
    """The record of one pair.

    Args:
        found: Its constituents, told apart.
        pair: The pair.
        length: Its length in units, as reports give it.

    Cost: O(nodes + tokens).
    """
    matched = len(found.matched)
    brackets = BracketCounts.of_sentence(
        matched + len(found.missed), matched + len(found.extra), matched, len(found.crossing)
    )
    attached: dict[AttachmentKey, int] = {}
    for item, above, system_above in attachments(found, pair):
        key = (item.label, above and above.label, system_above and system_above.label)
        attached[key] = attached.get(key, 0) + 1
    place = f1_class(brackets)
    return AnalysisCounts(
        label_counts(found),
        attached,
        {length_class(length): brackets},
        {} if place is None else {place: 1},
        int(place is None),
    )


def attachments(
    found: Comparison, pair: Pair
) -> list[tuple[Constituent, Constituent | None, Constituent | None]]:
    """The matched constituents of a pair whose parents differ.

    The parent is the nearest constituent above, whatever stands between that is
    not counted.  Parents are the same if they span the same units: another
    label over them is a confusion, not an attachment.  A constituent without
    parent counts as hanging from the whole sentence.  An extra constituent
    thus takes all its children from their parent.

    Returns:
        Gold constituent, its gold parent, and the parent of its match in the
        system's tree; in preorder of the gold tree.

    Cost: O(nodes + tokens).
    """
    if not found.missed and not found.extra:
        return []
    whole = (0, pair.unit_of_words()[2], 0)
    gold = _parents(pair.gold, [*[one for one, _ in found.matched], *found.missed])
    system = _parents(pair.system, [*[other for _, other in found.matched], *found.extra])
    moved = []
    for item, other in found.matched:
        above, system_above = gold[item.node], system[other.node]
        if _span(above, whole) != _span(system_above, whole):
            moved.append((item, above, system_above))
    return moved


def f1_class(counts: BracketCounts) -> int | None:
    """The class of a sentence's F1, ``F1_STEPS`` for F1 = 1, ``None`` where it has none; exact.

    >>> f1_class(BracketCounts.of_sentence(20, 20, 19, 0)), f1_class(BracketCounts.of_sentence(3, 3, 3, 0))
    (19, 20)
    """
    total = counts.gold + counts.system
    return 2 * counts.matched * F1_STEPS // total if total else None


def length_class(length: int) -> int:
    """The class of a length in units; 0 also for sentences without any."""
    return (min(length, LONGEST_STEP + 1) - 1) // LENGTH_STEP if length else 0


def _parents(tree: Tree, constituents: Sequence[Constituent]) -> list[Constituent | None]:
    """For each node the nearest of the constituents above it."""
    of_node = {item.node: item for item in constituents}
    above: list[Constituent | None] = []
    for parent in tree.parents:
        above.append(of_node.get(parent) or (above[parent] if parent >= 0 else None))
    return above


def _span(constituent: Constituent | None, whole: tuple[int, int, int]) -> tuple[int, int, int]:
    return whole if constituent is None else constituent.span
