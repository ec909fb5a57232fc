"""Labelled brackets: evalb's counts on aligned units, for trees with gaps or without.

Source: Sekine & Collins 1997 (evalb).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any, ClassVar, NamedTuple, TypeAlias

from ..alignment.pair import Pair
from ..base.counts import PLAIN, Matched, MatchedCounts, Quotient, rounded
from ..kernels.brackets import constituents, crossings, matches
from ..settings.labels import LabelPolicy, cut
from ..settings.settings import Settings
from ..trees.tree import Tree, blocks_of
from . import Metric, matched_figures

F1_UNIT = 10**12
"""Sentence F1 is summed as an integer in units of 1 / F1_UNIT, so that a sum does not depend on its order."""

MACRO_F1 = Quotient(
    "f1_sum", "f1_sentences", "Macro F1: the mean over the sentences that have an F1.", F1_UNIT
)
COMPLETE_MATCH = Quotient("complete", "sentences", "Share of sentences without missed or extra constituents.")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BracketCounts(MatchedCounts):
    """Matched and crossing constituents of some sentences.

    Source: Sekine & Collins 1997 (evalb).
    """

    plain: ClassVar[Any] = {
        **{name: name for name in PLAIN[5:]},
        **{"sentences": "pairs", "f1_sentences": "pairs"},
    }

    sentences: int = 0  #: beads
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
    """A labelled set of units of a bead: a span, or a set with gaps.

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


def is_skipped(pair: Pair, labels: LabelPolicy) -> bool:
    """Return True for a pair that lost all its words to a .prm, which evalb skips."""
    return labels.skips_empty and not (pair.gold.words or pair.system.words) and pair.had_words


class Brackets(Metric):
    """evalb's bracket columns."""

    name = "brackets"
    counts = BracketCounts

    def __init__(self, settings: Settings, labels: LabelPolicy) -> None:
        super().__init__(settings, labels)
        self._has_trees = settings.has_trees

    def count(self, pair: Pair) -> BracketCounts:
        labels = self._labels
        if not self._has_trees:
            return BracketCounts()
        if is_skipped(pair, labels):
            return BracketCounts()
        match = matching(pair, labels)
        counts = counts_of(pair, match)
        if counts.gold:
            return counts
        if not labels.empty_is_complete and not pair.parsed:
            counts = replace(counts, complete=0)
        if not counts.system and labels.empty_has_f1:
            parsed = pair.parsed or labels.scores_empty
            return replace(counts, f1_sum=F1_UNIT if parsed else 0, f1_sentences=1)
        return counts


class GapCounts(Matched):
    """Constituents whose yield has gaps; they are also counted as brackets."""

    __slots__ = ()
    plain: ClassVar[Any] = {"gold": "gold_gaps", "system": "system_gaps", "matched": "matched_gaps"}

    @property
    def shown(self) -> bool:
        """True if any constituent has gaps; otherwise reports omit the record."""
        return self.gold + self.system > 0


_NO_GAPS = GapCounts()


class Gaps(Metric):
    """Brackets whose yield has gaps, reported separately where there are any."""

    name = "gaps"
    counts = GapCounts
    heading = "Constituents with gaps"
    figures = matched_figures("discontinuous_f1", "Disc. F", line="{} with gaps")

    def count(self, pair: Pair) -> GapCounts:
        gold, system, partners, _ = matching(pair, self._labels)
        gold_bits, system_bits = gold[5], system[5]
        if gold_bits is None and system_bits is None:
            return _NO_GAPS
        return GapCounts(
            0 if gold_bits is None else len(gold_bits) - gold_bits.count(0),
            0 if system_bits is None else len(system_bits) - system_bits.count(0),
            sum([bits != 0 and partner >= 0 for bits, partner in zip(gold_bits or (), partners)]),
        )


ConstituentTable: TypeAlias = "tuple[list[str], list[int], list[int], list[int], bool, list[int] | None]"
"""Constituents of one side as the kernels take them: labels, first units, last units + 1, nodes, whether
they are in order, and bit sets of those with gaps (``None`` if there are none)."""


class Matching(NamedTuple):
    """The constituents of both sides of a pair and their matches, as the kernels take them."""

    gold: ConstituentTable
    system: ConstituentTable
    partners: list[int]  # for each gold constituent the index of its system constituent, or -1
    size: int  # number of units


def matching(pair: Pair, labels: LabelPolicy) -> Matching:
    """Match the constituents of a pair; the result is cached in the pair for the other metrics."""
    known: Matching | None = pair.matching
    if known is None:
        gold_units, system_units, size = pair.unit_of_words()
        gold = constituents_of(pair.gold, gold_units, size, labels)
        system = constituents_of(pair.system, system_units, size, labels)
        partners = matches(gold, system, labels.equal_brackets)
        if labels.matches_once:
            kept = set(_first(gold))
            partners = [partner if index in kept else -1 for index, partner in enumerate(partners)]
        pair.matching = known = Matching(gold, system, partners, size)
    return known


def _first(table: ConstituentTable) -> list[int]:
    """Return the indices of the first constituents of each label and yield."""
    names, starts, ends, _, _, gaps = table
    first: dict[tuple[object, ...], int] = {}
    for index, key in enumerate(zip(names, starts, ends, gaps or [0] * len(names))):
        first.setdefault(key, index)
    return list(first.values())


def counts_of(pair: Pair, match: Matching) -> BracketCounts:
    """Return the counts of a pair's constituents."""
    gold, system = len(match.partners), len(match.system[0])
    if pair.plain and gold + system:
        return BracketCounts(*_of_plain(pair.plain))
    matched = gold - match.partners.count(-1)
    return BracketCounts.of_sentence(gold, system, matched, sum(crossed(pair, match)))


_of_plain = itemgetter(*[PLAIN.index(BracketCounts.plain[name]) for name in BracketCounts.__match_args__])


def crossed(pair: Pair, match: Matching) -> list[bool]:
    """Return for each system constituent True if it crosses a gold one; cached in the pair."""
    if pair.crossed is None or pair.crossed[0] is not match:
        gold, system, partners, size = match
        # As in evalb, matched constituents count, too: gold constituents that share a unit cross each other.
        if pair.identical_words and len(partners) - partners.count(-1) == len(system[0]):
            pair.crossed = match, [False] * len(system[0])
        else:
            pair.crossed = match, crossings(gold, system, size)
    return pair.crossed[1]  # type: ignore[no-any-return]


def compare_brackets(pair: Pair, labels: LabelPolicy) -> BracketMatch:
    """Return the matched, missed, extra and crossing constituents of a pair, with their labels as written."""
    match = matching(pair, labels)
    gold, system, partners, _ = match
    sides: list[list[Constituent]] = []
    for tree, table in ((pair.gold, gold), (pair.system, system)):
        _, starts, ends, nodes, _, bits = table
        names = names_of(tree, table, labels)
        sides.append(list(map(Constituent, names, starts, ends, nodes, bits or [0] * len(nodes))))
    of_gold, of_system = sides
    matched = set(partners)
    return BracketMatch(
        [(item, of_system[partner]) for item, partner in zip(of_gold, partners) if partner >= 0],
        [item for item, partner in zip(of_gold, partners) if partner < 0],
        [item for index, item in enumerate(of_system) if index not in matched],
        [item for item, crosses in zip(of_system, crossed(pair, match)) if crosses],
    )


def names_of(tree: Tree, table: ConstituentTable, labels: LabelPolicy) -> list[str]:
    """Return the labels of constituents as written, without function tags, even if all count as one label."""
    return [cut(tree.labels[node]) for node in table[3]] if labels.unlabeled else table[0]


def length(pair: Pair, labels: LabelPolicy) -> int:
    """Return the ``Len.`` of a bead: its units; with a .prm, by DELETE_LABEL_FOR_LENGTH."""
    # Gold words that DELETE_LABEL takes out still count, unless their tag is a DELETE_LABEL_FOR_LENGTH.  A
    # unit does not count if all its gold words have such tags.
    size = matching(pair, labels).size
    if labels.deletes_words:
        size += sum([labels.outside(sentence.source) for sentence in pair.gold_sentences])
    if not labels.unmeasured:
        return size
    gold_units, _, _ = pair.unit_of_words()
    measured = [tag not in labels.unmeasured for tag in pair.gold.tags]
    if gold_units is None:
        return size - measured.count(False)
    good = {unit for unit, keep in zip(gold_units, measured) if keep}
    return size - len(set(gold_units) - good)


def constituents_of(tree: Tree, units: list[int] | None, size: int, labels: LabelPolicy) -> ConstituentTable:
    """Return the counted constituents of a tree; without ``units``, word ``i`` is unit ``i``."""
    table: ConstituentTable = constituents(
        tree.labels,
        tree.parents,
        tree.starts,
        tree.ends,
        tree.word_parents,
        units,
        size,
        labels.resolved,
        labels.resolve,
        labels.exclude_trivial,
        labels.max_fanout,
        tree.tagged,
    )
    if labels.counts_empty:
        table = _with_empty(tree, table, labels)
    if labels.only_gaps:
        table = picked(table, [index for index, bits in enumerate(table[5] or ()) if bits])
    if labels.once:
        table = picked(table, _first(table))
    return table


def _with_empty(tree: Tree, table: ConstituentTable, labels: LabelPolicy) -> ConstituentTable:
    """Add the constituents without words, each at its place."""
    names, starts, ends, nodes, ordered, gaps = table
    counted = [(labels.resolve(label), node) for node, label in enumerate(tree.labels)]
    empty = [
        (name, node) for name, node in counted if name is not None and tree.starts[node] == tree.ends[node]
    ]
    places = [tree.starts[node] for _, node in empty]
    return (
        [*names, *[name for name, _ in empty]],
        [*starts, *places],
        [*ends, *places],
        [*nodes, *[node for _, node in empty]],
        ordered and not empty,
        None if gaps is None else [*gaps, *[0] * len(empty)],
    )


def picked_match(match: Matching, gold: Sequence[int], system: Sequence[int]) -> Matching:
    """Return a matching with some constituents only; keep or drop both constituents of a match."""
    index_of = {old: new for new, old in enumerate(system)}
    partners = [index_of.get(match.partners[index], -1) for index in gold]
    return Matching(picked(match.gold, gold), picked(match.system, system), partners, match.size)


def picked(table: ConstituentTable, kept: Sequence[int]) -> ConstituentTable:
    """Return the constituents at some indices, which are in ascending order."""
    names, starts, ends, nodes, ordered, gaps = table
    columns = [[column[index] for index in kept] for column in (starts, ends, nodes)]
    left = None if gaps is None else [gaps[index] for index in kept]
    return [names[index] for index in kept], columns[0], columns[1], columns[2], ordered, left
