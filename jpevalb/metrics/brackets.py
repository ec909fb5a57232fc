"""Labelled brackets: evalb's counts on aligned units, for trees with gaps or without.

Source: Sekine & Collins 1997 (evalb).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from ..alignment.pair import Pair
from ..base.counts import Matched, MatchedCounts, Quotient
from ..kernels.counting import COUNTED, F1_UNIT
from ..settings.rules import RunRules
from ..settings.settings import Settings
from ..trees.tree import Constituent
from . import Metric, matched_figures

MACRO_F1 = Quotient(
    "f1_sum", "f1_sentences", "Macro F1: the mean over the sentences that have an F1.", F1_UNIT
)
COMPLETE_MATCH = Quotient("complete", "sentences", "Share of sentences without missed or extra constituents.")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
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
    return pair.rules.skips_empty and not any(pair.words) and pair.had_words


BRACKETS = slice(COUNTED.index("gold"), COUNTED.index("gold") + 4)
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

    def __init__(self, settings: Settings, rules: RunRules) -> None:
        super().__init__(settings, rules)
        self._has_trees = settings.has_trees

    def count(self, pair: Pair) -> BracketCounts:
        if not self._has_trees or is_skipped(pair):
            return BracketCounts()
        counts, rules = counts_of(pair), pair.rules
        if counts.gold:
            return counts
        if not counts.system and rules.empty_has_f1:
            parsed = pair.parsed or rules.is_tool
            return replace(counts, f1_sum=F1_UNIT if parsed else 0, f1_sentences=1)
        return counts


def counts_of(pair: Pair) -> BracketCounts:
    """Return the counts of a pair's constituents."""
    brackets, (complete, *others, f1) = pair.counted[BRACKETS], pair.counted[_FLAGS]
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
) -> list[int]:
    """Match constituents by other labels or units than those of the run.

    Return for each one of gold the index of the first free one of the system with the same units and an equal
    label, or -1.  Those without units match only if ``least``, the fewest words of a constituent, is 0.
    """
    free: dict[tuple[int, int, int], list[int]] = {}
    for index, item in enumerate(system):
        if not least or item.start < item.end:
            free.setdefault(item.span, []).append(index)
    partners = []
    for item in gold:
        labels = {item.label, *equal.get(item.label, ())}
        rest = free.get(item.span, [])
        partner = next((other for other in rest if system[other].label in labels), -1)
        if partner >= 0:
            rest.remove(partner)
        partners.append(partner)
    return partners
