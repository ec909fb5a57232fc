"""Brackets: evalb's counts on aligned units, of trees with gaps or without."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from ..alignment.pair import Pair
from ..kernels.brackets import constituents, crossings, matches
from ..trees.counts import Matched, MatchedCounts, ratio
from ..trees.frozen import frozen, replace
from ..trees.labels import LabelPolicy, cut
from ..trees.tree import Tree, blocks_of
from . import Figure, Measure, Metric, f1_rate
from .tags import tags_of

F1_UNIT = 10**12
"""Sentence F1 is summed as an integer in units of 1 / F1_UNIT, so that a sum does not depend on its order."""


@frozen
class BracketCounts(MatchedCounts):
    """Matched and crossing constituents of some sentences.

    Attributes:
        sentences: Number of sentences (beads).
        gold: Gold constituents.
        system: The system's constituents.
        matched: Pairs of a gold and a system constituent of one span and label.
        crossing: System constituents without a match that cross at least one gold constituent.
        complete: Sentences where nothing is missed and nothing is extra.
        no_crossing: Sentences without a crossing constituent.
        two_or_less_crossing: Sentences with two or fewer.
        f1_sum: Sum of the sentences' F1, in units of 1 / ``F1_UNIT``.
        f1_sentences: Sentences that have an F1: a constituent on either side; with
            ``empty_f1="one"`` all of them.

    Source: Sekine & Collins 1997 (evalb).
    """

    sentences: int = 0
    gold: int = 0
    system: int = 0
    matched: int = 0
    crossing: int = 0
    complete: int = 0
    no_crossing: int = 0
    two_or_less_crossing: int = 0
    f1_sum: int = 0
    f1_sentences: int = 0

    @classmethod
    def of_sentence(cls, gold: int, system: int, matched: int, crossing: int) -> BracketCounts:
        """The record of one sentence."""
        total = gold + system
        return cls(
            1,
            gold,
            system,
            matched,
            crossing,
            int(matched == gold == system),
            int(crossing == 0),
            int(crossing <= 2),
            (2 * matched * F1_UNIT + total // 2) // total if total else 0,
            int(total > 0),
        )

    @property
    def sentence_f1(self) -> float | None:
        """Macro F1: the mean over the sentences that have one."""
        return ratio(self.f1_sum / F1_UNIT, self.f1_sentences)

    @property
    def complete_match(self) -> float | None:
        """Share of sentences with nothing missed and nothing extra."""
        return ratio(self.complete, self.sentences)

    @property
    def average_crossing(self) -> float | None:
        """Crossing constituents a sentence."""
        return ratio(self.crossing, self.sentences)

    @property
    def no_crossing_share(self) -> float | None:
        """Share of sentences without crossing constituents."""
        return ratio(self.no_crossing, self.sentences)

    @property
    def two_or_less_crossing_share(self) -> float | None:
        """Share of sentences with two crossing constituents or fewer."""
        return ratio(self.two_or_less_crossing, self.sentences)


class Constituent(NamedTuple):
    """A labelled set of units of a bead: a span, or one with gaps.

    >>> str(Constituent("NP", 0, 2, 1)), str(Constituent("VP", 0, 5, 1, 0b11001))
    ('NP[0:2]', 'VP[0,3:5]')
    """

    label: str
    start: int
    """First unit."""
    end: int
    """Last unit + 1."""
    node: int
    """Number of the node in the side's tree."""
    gaps: int = 0
    """Bit set of the units where there are gaps among them; 0 where there are none."""

    @property
    def span(self) -> tuple[int, int, int]:
        """What tells its units from others, whatever the label."""
        return self[1], self[2], self[4]

    @property
    def words(self) -> int:
        """Bit set of its units; where both sides have the same words, of their numbers."""
        return self.gaps or (1 << self.end) - (1 << self.start)

    @property
    def blocks(self) -> list[tuple[int, int]]:
        """Its blocks as half-open ranges of units."""
        return blocks_of(self.gaps) if self.gaps else [(self.start, self.end)]

    @property
    def place(self) -> str:
        """Its units as reports show them."""
        if not self.gaps:
            return f"[{self.start}:{self.end}]"
        parts = [str(start) if end == start + 1 else f"{start}:{end}" for start, end in self.blocks]
        return f"[{','.join(parts)}]"

    def __str__(self) -> str:
        return self.label + self.place


_constituent = partial(tuple.__new__, Constituent)
"""Makes a constituent of its fields, in half the time."""


class Comparison(NamedTuple):
    """The constituents of a pair, told apart."""

    matched: list[tuple[Constituent, Constituent]]
    """Gold and system constituent of each match."""
    missed: list[Constituent]
    """Gold constituents without a match."""
    extra: list[Constituent]
    """The system's constituents without a match."""
    crossing: list[Constituent]
    """The system's constituents without a match that cross a gold constituent."""


class Brackets(Metric):
    """The metric behind evalb's bracket columns."""

    name = "brackets"
    counts = BracketCounts

    def count(self, pair: Pair) -> BracketCounts:
        """The bracket counts of one pair.  Cost: O(nodes + tokens), more where yields have gaps."""
        labels = self._labels
        gold, system, partners, size = matching(pair, labels)
        n, m = len(partners), len(system[0])
        crossing = sum(crossings(gold, system, size, partners))
        found = BracketCounts.of_sentence(n, m, n - partners.count(-1), crossing)
        if n:
            return found
        if not labels.empty_is_complete and not pair.parsed:
            found = replace(found, complete=0)
        if not m and labels.empty_has_f1:
            return replace(found, f1_sum=F1_UNIT if pair.parsed else 0, f1_sentences=1)
        return found


class GapCounts(Matched):
    """Constituents whose yield has gaps, which are some of the brackets.

    Attributes:
        gold: Gold constituents that have gaps.
        system: The system's constituents that have gaps.
        matched: Pairs of a gold and a system constituent of one yield, with gaps, and label.
    """

    __slots__ = ()

    @property
    def shown(self) -> bool:
        """Whether reports show the record: only where a constituent has gaps."""
        return self.gold + self.system > 0


_NO_GAPS = GapCounts()


class Gaps(Metric):
    """The brackets whose yield has gaps, which are told apart from the others where there are any."""

    name = "gaps"
    counts = GapCounts
    heading = "Constituents with gaps"
    rates = (f1_rate(Measure("discontinuous_f1", "Disc. F"), lambda record: record),)

    def count(self, pair: Pair) -> GapCounts:
        gold, system, partners, _ = matching(pair, self._labels)
        mine, other = gold[5], system[5]
        if mine is None and other is None:
            return _NO_GAPS
        return GapCounts(
            0 if mine is None else len(mine) - mine.count(0),
            0 if other is None else len(other) - other.count(0),
            sum([bits != 0 and place >= 0 for bits, place in zip(mine or (), partners)]),
        )

    def figures(self, record: GapCounts) -> Sequence[Figure]:
        return [
            Figure("Recall with gaps", record.recall),
            Figure("Precision with gaps", record.precision),
            Figure("F1 with gaps", record.f1),
        ]


Side: TypeAlias = "tuple[list[str], list[int], list[int], list[int], bool, list[int] | None]"
"""Constituents: labels, first units, last units + 1, nodes; whether in order; bit sets of those with gaps."""


class Matching(NamedTuple):
    """The constituents of both sides of a pair and which of them match, as the kernel has them."""

    gold: Side
    system: Side
    partners: list[int]
    """For each gold constituent the number of the system's that it takes, or -1."""
    size: int
    """The number of units."""


def matching(pair: Pair, labels: LabelPolicy) -> Matching:
    """The constituents of a pair, matched; those of the last call if there was one for this pair.

    Cost: O(nodes + tokens), and O(units / 64) for each node below one with gaps.
    """
    known: Matching | None = pair.matching
    if known is None:
        gold_units, system_units, size = pair.unit_of_words()
        gold = constituents_of(pair.gold, gold_units, size, labels)
        system = constituents_of(pair.system, system_units, size, labels)
        known = Matching(gold, system, matches(gold, system, labels.equal_brackets), size)
        pair.matching = known
    return known


def compare_brackets(pair: Pair, labels: LabelPolicy) -> Comparison:
    """Which constituents of one pair match, are missed, extra and crossing.

    Cost: O(nodes + tokens), more where yields have gaps.
    """
    gold, system, partners, size = matching(pair, labels)
    crossed = crossings(gold, system, size, partners)
    of_gold, of_system = _shown(pair.gold, gold), _shown(pair.system, system)
    taken = set(partners)
    return Comparison(
        [(item, of_system[place]) for item, place in zip(of_gold, partners) if place >= 0],
        [item for item, place in zip(of_gold, partners) if place < 0],
        [item for place, item in enumerate(of_system) if place not in taken],
        [item for item, crosses in zip(of_system, crossed) if crosses],
    )


def length(pair: Pair, labels: LabelPolicy) -> int:
    """The ``Len.`` of a bead: its units; with a .prm, as DELETE_LABEL_FOR_LENGTH says.

    Gold words that DELETE_LABEL takes out still count, unless their tag is a
    DELETE_LABEL_FOR_LENGTH; a unit does not count if all its gold words have
    such tags.  So between files of the same words it is evalb's length.
    """
    size = matching(pair, labels).size
    for sentence in pair.gold_sentences:
        size += sentence.outside
    if not labels.unmeasured:
        return size
    gold_units, _, _ = pair.unit_of_words()
    measured = [tag not in labels.unmeasured for tag in tags_of(pair.gold)]
    if gold_units is None:
        return size - measured.count(False)
    good = {unit for unit, keep in zip(gold_units, measured) if keep}
    return size - len(set(gold_units) - good)


def constituents_of(tree: Tree, units: list[int] | None, size: int, labels: LabelPolicy) -> Side:
    """The constituents of a tree that count, as the kernel has them.

    Args:
        tree: A tree, with gaps or not.
        units: The unit of each word, never falling; ``None`` where word ``i`` is unit ``i``.
        size: The number of units.
        labels: What counts.

    Cost: O(nodes + words), and O(size / 64) for each node below one with gaps.
    """
    found: Side = constituents(
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
    )
    if labels.only_gaps:
        found = picked(found, [place for place, bits in enumerate(found[5] or ()) if bits])
    return _once(found) if labels.once else found


def picked(side: Side, kept: Sequence[int]) -> Side:
    """Some constituents of one side, by their places in ascending order."""
    names, starts, ends, nodes, ordered, gaps = side
    columns = [[column[place] for place in kept] for column in (starts, ends, nodes)]
    left = None if gaps is None else [gaps[place] for place in kept]
    return [names[place] for place in kept], columns[0], columns[1], columns[2], ordered, left


def _once(side: Side) -> Side:
    """The first of the constituents of each yield and label."""
    names, starts, ends, _, _, gaps = side
    first: dict[tuple[object, ...], int] = {}
    for place, key in enumerate(zip(names, starts, ends, gaps or [0] * len(names))):
        first.setdefault(key, place)
    return picked(side, list(first.values()))


def _shown(tree: Tree, side: Side) -> list[Constituent]:
    """Constituents with their own labels: without labels all count as one, but they are shown."""
    _, starts, ends, nodes, _, gaps = side
    names = [cut(tree.labels[node]) for node in nodes]
    return list(map(_constituent, zip(names, starts, ends, nodes, gaps or [0] * len(nodes))))
