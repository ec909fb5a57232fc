"""Counts of an error analysis: causes, labels, confusions, scores by length."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ..alignment.pair import Pair
from ..model.counts import Counts, ratio
from ..model.labels import Labels
from ..model.settings import Settings
from . import Measure, Metric, Rate
from .brackets import BracketCounts, Comparison, compare_brackets, length
from .by_label import LabelCounts, label_counts
from .causes import CAUSES, load_classes
from .error_causes import CauseCount, Repair, Repairer, cause_counts

F1_STEPS = 20
"""Classes of sentence F1 below 1, each ``1 / F1_STEPS`` wide; F1 = 1 has a class of its own."""

LENGTH_STEP = 10
LONGEST_STEP = 60
"""Classes of sentence length are 1-10, 11-20 and so on; what is longer than this is one class."""

CAUSES_GROUP = "Points of F1 lost by cause"
"""Heading of the causes in a comparison of systems."""


@dataclass(frozen=True, slots=True)
class AnalysisCounts(Counts):
    """Where the errors of some sentences are.

    Attributes:
        labels: Brackets label by label, and which labels are confused.
        causes: For each cause of errors (``jpevalb.metrics.causes.CAUSES``) its
            repairs; together they explain every missed and every extra constituent.
        lengths: For each class of length (:func:`length_class`) the brackets of
            its sentences.
        f1: For each class of sentence F1 (:func:`f1_class`) how many sentences.
        without_f1: Sentences without constituents on either side.
    """

    labels: LabelCounts = field(default_factory=LabelCounts)
    causes: Mapping[str, CauseCount] = field(default_factory=dict)
    lengths: Mapping[int, BracketCounts] = field(default_factory=dict)
    f1: Mapping[int, int] = field(default_factory=dict)
    without_f1: int = 0

    def __add__(self, other: AnalysisCounts) -> AnalysisCounts:
        return AnalysisCounts.sum((self, other))

    @classmethod
    def sum(cls, records: Iterable[AnalysisCounts]) -> AnalysisCounts:
        """The sum of any number of records.  Cost: O(their entries)."""
        items = list(records)
        causes: dict[str, list[CauseCount]] = {}
        lengths: dict[int, list[BracketCounts]] = {}
        f1: dict[int, int] = {}
        for item in items:
            for cause, counts in item.causes.items():
                causes.setdefault(cause, []).append(counts)
            for place, brackets in item.lengths.items():
                lengths.setdefault(place, []).append(brackets)
            for place, times in item.f1.items():
                f1[place] = f1.get(place, 0) + times
        return cls(
            LabelCounts.sum([item.labels for item in items]),
            {cause: CauseCount.sum(counts) for cause, counts in causes.items()},
            {place: BracketCounts.sum(counts) for place, counts in lengths.items()},
            f1,
            sum([item.without_f1 for item in items]),
        )

    @property
    def brackets(self) -> BracketCounts:
        """The brackets of all sentences."""
        return BracketCounts.sum(self.lengths.values())

    def to_dict(self) -> dict[str, Any]:
        """As :meth:`jpevalb.metrics.errors.Analysis.to_dict`: counts and rates, most frequent first."""
        from .errors import Analysis

        return Analysis.of(self).to_dict()


class ErrorAnalysis(Metric):
    """The metric behind ``--analysis``."""

    name: ClassVar[str] = "analysis"

    def __init__(self, settings: Settings, labels: Labels) -> None:
        self._labels = labels
        self._repairer = Repairer(labels, load_classes(settings.error_classes, lang=settings.lang))

    def zero(self) -> AnalysisCounts:
        return AnalysisCounts()

    def count(self, pair: Pair) -> AnalysisCounts:
        found = compare_brackets(pair, self._labels)
        return analysis_counts(found, self._repairer.repairs(found, pair), length(pair, self._labels))


def _cause_rate(cause: str) -> Rate:
    """What errors of a cause cost: 1 - F1 is the sum over all causes."""

    def counts(record: AnalysisCounts) -> tuple[int, int]:
        found = record.causes.get(cause)
        brackets = record.lengths.values()
        return found.brackets if found else 0, sum([item.gold + item.system for item in brackets])

    measure = Measure(
        "cause_" + re.sub("[^a-z0-9]+", "_", cause.lower()), cause, larger_is_better=False, group=CAUSES_GROUP
    )
    return Rate(measure, counts, lambda record: ratio(*counts(record)))


ErrorAnalysis.rates = tuple(map(_cause_rate, CAUSES))


def analysis_counts(found: Comparison, repairs: Sequence[Repair], length: int) -> AnalysisCounts:
    """The record of one pair.

    Args:
        found: Its constituents, told apart.
        repairs: Its repairs.
        length: Its length in units, as reports give it.

    Cost: O(constituents).
    """
    matched = len(found.matched)
    brackets = BracketCounts.of_sentence(
        matched + len(found.missed), matched + len(found.extra), matched, len(found.crossing)
    )
    place = f1_class(brackets)
    return AnalysisCounts(
        label_counts(found),
        cause_counts(repairs),
        {length_class(length): brackets},
        {} if place is None else {place: 1},
        int(place is None),
    )


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
