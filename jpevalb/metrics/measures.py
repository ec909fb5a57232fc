"""The rates of brackets and tags that a comparison of systems shows and tests, in each mode."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from . import Measure, Rate
from .brackets import F1_UNIT

PRECISION = Measure("precision", "P")
RECALL = Measure("recall", "R")
F1 = Measure("f1", "F")
SENTENCE_F1 = Measure("sentence_f1", "Sent. F")
COMPLETE = Measure("complete_match", "Complete")
TAGS = Measure("tag_accuracy", "Tags")
CROSSING = Measure("average_crossing", "Crossing", "number", larger_is_better=False)
CONTINUOUS_F1 = Measure("continuous_f1", "Cont. F")
DISCONTINUOUS_F1 = Measure("discontinuous_f1", "Disc. F")


def _bracket_rates(brackets: Callable[[Any], Any]) -> tuple[Rate, ...]:
    """Precision, recall and F of records of matched, gold and system constituents."""

    def precision(record: Any) -> tuple[int, int]:
        counts = brackets(record)
        return counts.matched, counts.system

    def recall(record: Any) -> tuple[int, int]:
        counts = brackets(record)
        return counts.matched, counts.gold

    def f1(record: Any) -> tuple[int, int]:
        counts = brackets(record)
        return 2 * counts.matched, counts.gold + counts.system

    return (
        Rate(PRECISION, precision, lambda record: brackets(record).precision),
        Rate(RECALL, recall, lambda record: brackets(record).recall),
        Rate(F1, f1, lambda record: brackets(record).f1),
    )


def _matches(counts: Any) -> tuple[int, int]:
    return 2 * counts.tp, 2 * counts.tp + counts.fp + counts.fn


ALIGNMENT: Sequence[Rate] = (
    *_bracket_rates(lambda record: record.brackets),
    Rate(
        SENTENCE_F1,
        lambda record: (record.brackets.f1_sum, record.brackets.f1_sentences * F1_UNIT),
        lambda record: record.brackets.sentence_f1,
    ),
    Rate(
        COMPLETE,
        lambda record: (record.brackets.complete, record.brackets.sentences),
        lambda record: record.brackets.complete_match,
    ),
    Rate(
        TAGS,
        lambda record: (record.tags.correct, record.tags.gold),
        lambda record: record.tags.accuracy,
    ),
    Rate(
        CROSSING,
        lambda record: (record.brackets.crossing, record.brackets.sentences),
        lambda record: record.brackets.average_crossing,
    ),
)
"""Of ``jpevalb.metrics.record.Record``; other metrics name their own."""

LEGACY: Sequence[Rate] = (
    *_bracket_rates(lambda record: record),
    Rate(COMPLETE, lambda record: (record.complete, record.valid), lambda record: record.complete_match),
    Rate(TAGS, lambda record: (record.tags, record.words), lambda record: record.tagging_accuracy),
    Rate(CROSSING, lambda record: (record.crossing, record.valid), lambda record: record.average_crossing),
)
"""Of ``jpevalb.legacy.LegacyCounts``."""

DISCONTINUOUS: Sequence[Rate] = (
    Rate(
        PRECISION,
        lambda record: (record.overall.tp, record.overall.tp + record.overall.fp),
        lambda record: record.overall.precision,
    ),
    Rate(
        RECALL,
        lambda record: (record.overall.tp, record.overall.tp + record.overall.fn),
        lambda record: record.overall.recall,
    ),
    Rate(F1, lambda record: _matches(record.overall), lambda record: record.overall.f1),
    Rate(CONTINUOUS_F1, lambda record: _matches(record.continuous), lambda record: record.continuous.f1),
    Rate(
        DISCONTINUOUS_F1,
        lambda record: _matches(record.discontinuous),
        lambda record: record.discontinuous.f1,
    ),
    Rate(
        SENTENCE_F1,
        lambda record: (record.f1_sum, record.f1_sentences * F1_UNIT),
        lambda record: record.sentence_f1,
    ),
    Rate(COMPLETE, lambda record: (record.exact, record.sentences), lambda record: record.exact_match),
    Rate(TAGS, lambda record: (record.correct_tags, record.tags), lambda record: record.tag_accuracy),
)
"""Of ``jpevalb.metrics.discontinuous.DiscontinuousCounts``."""
