"""The rates of brackets and tags that a comparison of systems shows and tests, in each mode."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..trees.counts import Matched, MatchedCounts
from . import Measure, Rate, f1_rate, quotient
from .brackets import F1_UNIT, Gaps

PRECISION = Measure("precision", "P")
RECALL = Measure("recall", "R")
F1 = Measure("f1", "F")
SENTENCE_F1 = Measure("sentence_f1", "Sent. F")
COMPLETE = Measure("complete_match", "Complete")
TAGS = Measure("tag_accuracy", "Tags")
CROSSING = Measure("average_crossing", "Crossing", "number", larger_is_better=False)
CONTINUOUS_F1 = Measure("continuous_f1", "Cont. F")
DISCONTINUOUS_F1 = Gaps.rates[0].measure


def _bracket_rates(brackets: Callable[[Any], MatchedCounts]) -> tuple[Rate, ...]:
    """Precision, recall and F of records of matched, gold and system constituents."""

    def precision(record: Any) -> tuple[int, int]:
        counts = brackets(record)
        return counts.matched, counts.system

    def recall(record: Any) -> tuple[int, int]:
        counts = brackets(record)
        return counts.matched, counts.gold

    return quotient(PRECISION, precision), quotient(RECALL, recall), f1_rate(F1, brackets)


def _without_gaps(record: Any) -> Matched:
    """Constituents whose yield is one block of words: a match agrees in its yield, so in having gaps too."""
    brackets, gaps = record.brackets, record["gaps"]
    return Matched(brackets.gold - gaps.gold, brackets.system - gaps.system, brackets.matched - gaps.matched)


_BRACKETS = _bracket_rates(lambda record: record.brackets)

_SENTENCES = (
    Rate(
        SENTENCE_F1,
        lambda record: (record.brackets.f1_sum, record.brackets.f1_sentences * F1_UNIT),
        lambda record: record.brackets.sentence_f1,
    ),
    quotient(COMPLETE, lambda record: (record.brackets.complete, record.brackets.sentences)),
    quotient(TAGS, lambda record: (record.tags.correct, record.tags.gold)),
)

ALIGNMENT: Sequence[Rate] = (
    *_BRACKETS,
    *_SENTENCES,
    quotient(CROSSING, lambda record: (record.brackets.crossing, record.brackets.sentences)),
)
"""Of ``jpevalb.metrics.record.Record``; other metrics name their own."""

DISCONTINUOUS: Sequence[Rate] = (
    *_BRACKETS,
    f1_rate(CONTINUOUS_F1, _without_gaps),
    f1_rate(DISCONTINUOUS_F1, lambda record: record["gaps"]),
    *_SENTENCES,
)
"""Of the same record where both sides have the same words, so that gaps are told apart in every run."""

LEGACY: Sequence[Rate] = (
    *_bracket_rates(lambda record: record),
    quotient(COMPLETE, lambda record: (record.complete, record.valid)),
    quotient(TAGS, lambda record: (record.tags, record.words)),
    quotient(CROSSING, lambda record: (record.crossing, record.valid)),
)
"""Of ``jpevalb.legacy.LegacyCounts``."""
