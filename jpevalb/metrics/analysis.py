"""The metric of the error analysis: causes, labels, confusions, scores by length of each pair."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..alignment.pair import Pair
from ..model.labels import Labels
from ..model.settings import Settings
from . import Measure, Metric, Rate, quotient
from .brackets import BracketCounts, Comparison, compare_brackets, length
from .by_label import label_counts
from .causes import CAUSES, load_classes
from .error_causes import Repair, cause_counts, repairs_of
from .errors import F1_STEPS, LENGTH_STEP, LONGEST_STEP, AnalysisCounts

CAUSES_GROUP = "Points of F1 lost by cause"
"""Heading of the causes in a comparison of systems."""


class ErrorAnalysis(Metric):
    """The metric behind ``--analysis``."""

    name = "analysis"
    counts = AnalysisCounts
    settings = ("error_classes", "lang")

    def __init__(self, settings: Settings, labels: Labels) -> None:
        self._labels = labels
        self._classes = load_classes(settings.error_classes, lang=settings.lang)

    def count(self, pair: Pair) -> AnalysisCounts:
        found = compare_brackets(pair, self._labels)
        repairs = repairs_of(found, pair, self._labels, self._classes)
        return analysis_counts(found, repairs, length(pair, self._labels))


def _cause_rate(cause: str) -> Rate:
    """What errors of a cause cost: 1 - F1 is the sum over all causes."""

    def counts(record: AnalysisCounts) -> tuple[int, int]:
        found = record.causes.get(cause)
        brackets = record.lengths.values()
        return found.brackets if found else 0, sum([item.gold + item.system for item in brackets])

    measure = Measure(
        "cause_" + re.sub("[^a-z0-9]+", "_", cause.lower()), cause, larger_is_better=False, group=CAUSES_GROUP
    )
    return quotient(measure, counts)


ErrorAnalysis.rates = tuple(map(_cause_rate, CAUSES))


def analysis_counts(found: Comparison, repairs: Sequence[Repair], length: int) -> AnalysisCounts:
    """The record of one pair.

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
