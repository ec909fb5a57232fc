"""Labelled brackets and part-of-speech tags: evalb's counts on aligned units, and their figures.

Source: Sekine & Collins 1997 (evalb).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, ClassVar

from ..alignment.pair import Pair
from ..base.counts import Counts, Matched, MatchedCounts, Quotient, sums
from ..kernels.counting import COUNTED, F1_UNIT, differing
from ..trees.tree import Constituent
from . import Figure, Metric, matched_figures

MACRO_F1 = Quotient(
    "f1_sum", "f1_sentences", "Macro F1: the mean over the sentences that have an F1.", F1_UNIT
)
COMPLETE_MATCH = Quotient("complete", "sentences", "Share of sentences without missed or extra constituents.")


@dataclass(slots=True, eq=False, repr=False)
class BracketCounts(MatchedCounts):
    """Matched and crossing constituents of some sentences.

    Source: Sekine & Collins 1997 (evalb).
    """

    _internal = ("shown", "f1_sum")

    sentences: int = 0  #: groups of aligned sentences
    gold: int = 0  #: gold constituents
    system: int = 0  #: system constituents
    matched: int = 0  #: pairs of a gold and a system constituent with the same span and label
    crossing: int = 0  #: system constituents that cross at least one gold constituent
    complete: int = 0  #: sentences without missed or extra constituents
    no_crossing: int = 0  #: sentences without a crossing constituent
    two_or_less_crossing: int = 0  #: sentences with two crossing constituents or fewer
    f1_sum: int = 0  #: sum of the sentences' F1, in units of 1 / F1_UNIT
    f1_sentences: int = 0  #: sentences with a constituent on either side; with empty_f1="one" all of them

    sentence_f1 = MACRO_F1
    complete_match = COMPLETE_MATCH
    average_crossing = Quotient("crossing", "sentences", "Crossing constituents per sentence.")
    no_crossing_share = Quotient(
        "no_crossing", "sentences", "Share of sentences without crossing constituents."
    )
    two_or_less_crossing_share = Quotient(
        "two_or_less_crossing", "sentences", "Share of sentences with two crossing constituents or fewer."
    )


def is_skipped(pair: Pair) -> bool:
    """Return True for a pair that lost all its words to a .prm, which evalb skips."""
    rules = pair.rules
    skips_empty = rules.convention.empty == "complete" and rules.deletes_words and not rules.standardises
    return skips_empty and not any(pair.words) and pair.had_words


_BRACKETS = slice(COUNTED.index("gold"), COUNTED.index("gold") + 4)
_FLAGS = slice(COUNTED.index("complete"), COUNTED.index("complete") + 4)
_GAPS = slice(COUNTED.index("gold_gaps"), COUNTED.index("gold_gaps") + 3)


class Brackets(Metric):
    """evalb's bracket columns."""

    name = "brackets"
    counts = BracketCounts
    plain: ClassVar[Any] = {
        **{name: name for name in BracketCounts.__match_args__},
        **{"sentences": "one", "f1_sum": "f1", "f1_sentences": "one"},
    }

    def count(self, pair: Pair) -> BracketCounts:
        if not self._settings.has_trees or is_skipped(pair):
            return BracketCounts()
        counts, rules = counts_of(pair), pair.rules
        if counts.gold:
            return counts
        if not counts.system and rules.empty_has_f1:
            parsed = pair.parsed or rules.is_tool
            return replace(counts, f1_sum=F1_UNIT if parsed else 0, f1_sentences=1)
        return counts


def counts_of(pair: Pair) -> BracketCounts:
    brackets, (complete, *others, f1) = pair.counted[_BRACKETS], pair.counted[_FLAGS]
    has_f1 = int(any(brackets[:2]))
    if not brackets[0] and not pair.rules.empty_is_complete(pair.parsed):
        complete = 0
    numbers = 1, *brackets, complete, *others, f1 * has_f1, has_f1
    return BracketCounts(*numbers)


class GapCounts(Matched):
    """Constituents whose yield has gaps; they are also counted as brackets."""

    __slots__ = ()

    @property
    def shown(self) -> bool:
        """True if any constituent has gaps; otherwise reports omit the record."""
        return self.gold + self.system > 0


class Gaps(Metric):
    """Brackets whose yield has gaps, reported separately where there are any."""

    name = "gaps"
    counts = GapCounts
    plain: ClassVar[Any] = {"gold": "gold_gaps", "system": "system_gaps", "matched": "matched_gaps"}
    heading = "Constituents with gaps"
    figures = matched_figures("discontinuous_f1", "Disc. F", line="{} with gaps", page="F1 with gaps")

    def count(self, pair: Pair) -> GapCounts:
        return GapCounts(*pair.counted[_GAPS])


def length(pair: Pair) -> int:
    """Return the ``Len.`` of a bead: its units; with a .prm, by DELETE_LABEL_FOR_LENGTH."""
    return int(pair.counted[_LENGTH])


_LENGTH = COUNTED.index("length")


def matches(
    gold: Sequence[Constituent],
    system: Sequence[Constituent],
    equal: Mapping[str, Sequence[str]],
    *,
    least: int = 1,
    known: Sequence[int] = (),
) -> list[int]:
    """Match constituents by other labels or units than those of the run.

    Return for each gold constituent its ``known`` partner, or the index of the first free system constituent
    with the same units and an equal label, or -1.  Constituents without units match only if ``least``, the
    minimum number of words, is 0.
    """
    free: dict[tuple[int, int, int], list[int]] = {}
    taken = set(known)
    for index, item in enumerate(system):
        if (not least or item.start < item.end) and index not in taken:
            free.setdefault(item.span, []).append(index)
    partners = list(known) or [-1] * len(gold)
    for place, item in enumerate(gold):
        if partners[place] >= 0:
            continue
        labels = {item.label, *equal.get(item.label, ())}
        rest = free.get(item.span, [])
        partner = next((other for other in rest if system[other].label in labels), -1)
        if partner >= 0:
            rest.remove(partner)
            partners[place] = partner
    return partners


@dataclass(slots=True, eq=False, repr=False)
class TagCounts(Counts):
    """Correct part-of-speech tags."""

    gold: int = 0  #: gold tokens; where words must agree only those with a tag
    system: int = 0  #: system tokens
    #: Size of the multiset intersection of both sides' (tag, word) pairs; where words must agree, gold words
    #: whose counterpart has the same tag.
    correct: int = 0
    units: int = 0  #: units of one token on each side; where words must agree gold tokens with a tag
    units_correct: int = 0  #: those whose tokens have the same tag
    differing: int = 0  #: groups whose words are written differently; where words must agree 0

    @property
    def shown(self) -> bool:
        return self.differing > 0

    accuracy = Quotient("correct", "gold", "Share of gold tokens with the correct tag.")
    unit_accuracy = Quotient(
        "units_correct", "units", "Share of units of one token a side with a correct tag."
    )


class Tags(Metric):
    """evalb's columns of words and tags."""

    name = "tags"
    counts = TagCounts
    plain: ClassVar[Any] = {
        **{"gold": "gold_tagged", "system": "system_tagged", "correct": "correct_tags"},
        **{"units": "in_place", "units_correct": "correct_in_place"},
    }
    heading = "Tags"
    figures = (
        Figure(
            "unit_tag_accuracy",
            "Aligned tags",
            line="Tags of aligned words",
            page="Tags of aligned words",
            counts=sums("units_correct", "units"),
            shown=attrgetter("shown"),
        ),
    )

    def count(self, pair: Pair) -> TagCounts:
        gold, system, *others = pair.counted[_TAGS]
        differs = not pair.identical_words and gold > 0 < system
        numbers = gold, system, *others, int(differs)
        return TagCounts(*numbers)


_TAGS = slice(COUNTED.index("gold_tagged"), COUNTED.index("gold_tagged") + 5)


def aligned_words(pair: Pair) -> Iterable[tuple[int, int]]:
    count = len(pair.gold.words)
    if are_in_step(pair):
        return zip(range(count), range(count))
    return [(a, c) for a, b, c, d in pair.units if b - a == d - c == 1]


def are_in_step(pair: Pair) -> bool:
    """Return True if the words of both sides are aligned one by one."""
    return pair.identical_words and len(pair.gold.words) == len(pair.system.words)


def other_tags(pair: Pair) -> list[tuple[tuple[int, str], tuple[int, str]]]:
    """Return (word, tag) of both sides for words that are aligned one to one and differ in tags."""
    gold, system = pair.gold.tags, pair.system.tags
    places = [(word, word) for word in differing(gold, system)] if are_in_step(pair) else aligned_words(pair)
    found = []
    for word, other_word in places:
        tag, other = gold[word], system[other_word]
        if tag is None or other is None or tag == other or other in pair.rules.equal_tags.get(tag, ()):
            continue
        found.append(((word, tag), (other_word, other)))
    return found


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
    *("tag_accuracy", "Tags"), line="Tagging accuracy", page="Tags", counts=sums("tags.correct", "tags.gold")
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
