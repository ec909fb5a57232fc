"""Figures of brackets and tags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

from ..base.counts import sums
from ..kernels.counting import F1_UNIT
from . import Figure, matched_figures
from .brackets import Gaps

_EVALB = "Recall", "Precision", "FMeasure"


def _bracket_figures(brackets: str = "") -> tuple[Figure, Figure, Figure]:
    figures = matched_figures("f1", "F", brackets, line="Bracketing {}", page="F1")
    recall, precision, f1 = [replace(one, evalb=f"Bracketing {name}") for one, name in zip(figures, _EVALB)]
    recall = replace(recall, title="R", page="Recall")
    return replace(precision, title="P", page="Precision"), recall, f1


PRECISION, RECALL, F1 = BRACKETS = _bracket_figures("brackets")

SENTENCE_F1 = Figure(
    "sentence_f1",
    "Sent. F",
    line="Sentence-mean F1",
    page="Sentence F1",
    counts=sums("brackets.f1_sum", f"{F1_UNIT} * brackets.f1_sentences"),
    # The quotient of the counts would differ in the last bit.
    value_of=attrgetter("brackets.sentence_f1"),
)
COMPLETE = Figure(
    "complete_match",
    "Complete",
    line="Complete match",
    page="Complete",
    counts=sums("brackets.complete", "brackets.sentences"),
)
TAGS = Figure(
    *("tag_accuracy", "Tags"),
    line="Tagging accuracy",
    page="Tags",
    counts=sums("tags.correct", "tags.gold"),
)
CROSSING = Figure(
    "average_crossing",
    "Crossing",
    "number",
    larger_is_better=False,
    line="Average crossing",
    page="Crossing per sentence",
    counts=sums("brackets.crossing", "brackets.sentences"),
)
NO_CROSSING = Figure(
    "no_crossing_share", line="No crossing", counts=sums("brackets.no_crossing", "brackets.sentences")
)
TWO_OR_LESS_CROSSING = Figure(
    "two_or_less_crossing_share",
    line="2 or less crossing",
    counts=sums("brackets.two_or_less_crossing", "brackets.sentences"),
)

ALIGNMENT: Sequence[Figure] = (*BRACKETS, SENTENCE_F1, COMPLETE, TAGS, CROSSING)
"""Figures of aligned words, read from ``jpevalb.metrics.record.Record``; other metrics declare their own."""

DISCONTINUOUS: Sequence[Figure] = (
    *BRACKETS,
    # A match agrees in its words, hence in having gaps.
    Figure(
        "continuous_f1",
        "Cont. F",
        page="F1 without gaps",
        counts=sums(
            "2 * brackets.matched - 2 * gaps.matched",
            "brackets.gold - gaps.gold + brackets.system - gaps.system",
        ),
        shown=attrgetter("gaps.shown"),
    ),
    Gaps.figures[-1].read_from("gaps"),
    SENTENCE_F1,
    COMPLETE,
    TAGS,
)
"""Figures of sentences with identical words, in place of those that the metrics of gaps and tags declare."""

LEGACY: Sequence[Figure] = (
    *_bracket_figures(),
    replace(COMPLETE, counts=sums("complete", "valid")),
    replace(TAGS, counts=sums("tags", "words")),
    replace(CROSSING, counts=sums("crossing", "valid")),
)
"""Figures of evalb's report, read from ``jpevalb.legacy.LegacyCounts``."""

SUMMARY = (RECALL, PRECISION, F1, SENTENCE_F1, COMPLETE, CROSSING, NO_CROSSING, TWO_OR_LESS_CROSSING, TAGS)
"""Figures of brackets and tags in a summary, in evalb's order."""
