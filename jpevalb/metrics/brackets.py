"""Labelled brackets: evalb's counts on aligned units, for trees with gaps or without.

Source: Sekine & Collins 1997 (evalb).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any, ClassVar, NamedTuple

from ..alignment.matching import ConstituentTable, Matching
from ..alignment.pair import Pair
from ..base.counts import Matched, MatchedCounts, Quotient, rounded
from ..kernels.counting import COUNTED, F1_UNIT
from ..settings.labels import cut
from ..settings.rules import RunRules
from ..settings.settings import Settings
from ..trees.tree import Tree, blocks_of
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

    @classmethod
    def of_sentence(cls, gold: int, system: int, matched: int, crossing: int) -> BracketCounts:
        """Return the counts of one sentence."""
        total = gold + system
        f1 = rounded(2 * matched * F1_UNIT, total) if total else 0
        flags = int(matched == gold == system), int(crossing == 0), int(crossing <= 2)
        return cls(1, gold, system, matched, crossing, *flags, f1, int(total > 0))

    sentence_f1 = MACRO_F1
    complete_match = COMPLETE_MATCH
    average_crossing = Quotient("crossing", "sentences", "Crossing constituents per sentence.")
    no_crossing_share = Quotient(
        "no_crossing", "sentences", "Share of sentences without crossing constituents."
    )
    two_or_less_crossing_share = Quotient(
        "two_or_less_crossing", "sentences", "Share of sentences with two crossing constituents or fewer."
    )


class Constituent(NamedTuple):
    """A labelled set of units of a bead: a span, which is empty over unaligned words, or a set with gaps.

    >>> str(Constituent("NP", 0, 2, 1)), str(Constituent("VP", 0, 5, 1, 0b11001))
    ('NP[0:2]', 'VP[0,3:5]')
    """

    label: str  #: label
    start: int  #: first unit
    end: int  #: last unit + 1
    node: int  #: number of the node in its tree
    gaps: int = 0  #: bit set of its units if they have gaps, else 0

    @property
    def span(self) -> tuple[int, int, int]:
        """Key of its units, without the label."""
        return self[1], self[2], self[4]

    @property
    def words(self) -> int:
        """Bit set of its units; these are words where both sides have the same words."""
        return self.gaps or (1 << self.end) - (1 << self.start)

    @property
    def blocks(self) -> list[tuple[int, int]]:
        """Its blocks as half-open ranges of units."""
        return blocks_of(self.gaps) if self.gaps else [(self.start, self.end)]

    @property
    def place(self) -> str:
        """Its units as shown in reports."""
        if not self.gaps:
            return f"[{self.start}:{self.end}]"
        parts = [str(start) if end == start + 1 else f"{start}:{end}" for start, end in self.blocks]
        return f"[{','.join(parts)}]"

    def __str__(self) -> str:
        return self.label + self.place


class BracketMatch(NamedTuple):
    """Matched, missed, extra and crossing constituents of a pair."""

    matched: list[tuple[Constituent, Constituent]]  # (gold constituent, system constituent)
    missed: list[Constituent]  # unmatched gold constituents
    extra: list[Constituent]  # unmatched system constituents
    crossing: list[Constituent]  # system constituents that cross a gold constituent, matched or not


def is_skipped(pair: Pair) -> bool:
    """Return True for a pair that lost all its words to a .prm, which evalb skips."""
    return pair.rules.skips_empty and not any(pair.words) and pair.had_words


BRACKETS = slice(COUNTED.index("gold"), COUNTED.index("gold") + 4)
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
        if not rules.empty_is_complete(pair.parsed):
            counts = replace(counts, complete=0)
        if not counts.system and rules.empty_has_f1:
            parsed = pair.parsed or rules.is_tool
            return replace(counts, f1_sum=F1_UNIT if parsed else 0, f1_sentences=1)
        return counts


def counts_of(pair: Pair) -> BracketCounts:
    """Return the counts of a pair's constituents."""
    return BracketCounts.of_sentence(*pair.counted[BRACKETS])


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


def compare_brackets(pair: Pair) -> BracketMatch:
    """Return the matched, missed, extra and crossing constituents of a pair, with their labels as written."""
    gold, system, partners, crossed, _ = pair.matching
    sides: list[list[Constituent]] = []
    for tree, table in ((pair.gold, gold), (pair.system, system)):
        _, starts, ends, nodes, bits = table
        names = names_of(tree, table, pair.rules)
        sides.append(list(map(Constituent, names, starts, ends, nodes, bits or [0] * len(nodes))))
    of_gold, of_system = sides
    matched = set(partners)
    return BracketMatch(
        [(item, of_system[partner]) for item, partner in zip(of_gold, partners) if partner >= 0],
        [item for item, partner in zip(of_gold, partners) if partner < 0],
        [item for index, item in enumerate(of_system) if index not in matched],
        list(compress(of_system, crossed)),
    )


def names_of(tree: Tree, table: ConstituentTable, rules: RunRules) -> list[str]:
    """Return the labels of constituents as written, without function tags, even if all count as one label."""
    return [cut(tree.labels[node]) for node in table[3]] if rules.unlabeled else table[0]


def length(pair: Pair) -> int:
    """Return the ``Len.`` of a bead: its units; with a .prm, by DELETE_LABEL_FOR_LENGTH."""
    return int(pair.counted[_LENGTH])


_LENGTH = COUNTED.index("length")


def key_of(table: ConstituentTable, index: int) -> tuple[int, int]:
    """Return the key of the units of a constituent, without its label."""
    bits = table[4][index] if table[4] else 0
    return table[1][index], -bits if bits else table[2][index]


def matches(
    gold: ConstituentTable,
    system: ConstituentTable,
    equal: Mapping[str, Sequence[str]],
    *,
    least: int = 1,
) -> list[int]:
    """Match constituents by other names or units than those of the run.

    Return for each one of gold the index of the first free one of the system with the same units and an equal
    name, or -1.  Those without units match only if ``least``, the fewest words of a constituent, is 0.
    """
    free: dict[tuple[int, int], list[int]] = {}
    for index in range(len(system[0])):
        if not least or system[1][index] < system[2][index]:
            free.setdefault(key_of(system, index), []).append(index)
    partners = []
    for index, name in enumerate(gold[0]):
        names = {name, *equal.get(name, ())}
        rest = free.get(key_of(gold, index), [])
        partner = next((other for other in rest if system[0][other] in names), -1)
        if partner >= 0:
            rest.remove(partner)
        partners.append(partner)
    return partners


def picked_match(match: Matching, gold: Sequence[int], system: Sequence[int]) -> Matching:
    """Return a matching with some constituents only; keep or drop both constituents of a match."""
    index_of = {old: new for new, old in enumerate(system)}
    return Matching(
        picked(match.gold, gold),
        picked(match.system, system),
        [index_of.get(match.partners[index], -1) for index in gold],
        [match.crossed[index] for index in system],
        match.size,
    )


def picked(table: ConstituentTable, kept: Sequence[int]) -> ConstituentTable:
    """Return the constituents at some indices, which are in ascending order."""
    names, starts, ends, nodes, gaps = table
    columns = [[column[index] for index in kept] for column in (starts, ends, nodes)]
    left = None if gaps is None else [gaps[index] for index in kept]
    return [names[index] for index in kept], columns[0], columns[1], columns[2], left
