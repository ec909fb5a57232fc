"""Brackets: evalb's counts on aligned units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple, TypeAlias

from .._core.brackets import constituents, crossings, matches
from ..alignment.pair import Pair
from ..model.counts import MatchedCounts, ratio
from ..model.labels import Labels, cut
from ..model.settings import Settings
from ..model.tree import Tree
from . import Metric
from .tags import tags_of

F1_UNIT = 10**12
"""Sentence F1 is summed as an integer in units of 1 / F1_UNIT, so that a sum does not depend on its order."""


@dataclass(frozen=True, slots=True)
class BracketCounts(MatchedCounts):
    """Matched and crossing constituents of some sentences.

    Attributes:
        sentences: Number of sentences (beads).
        gold: Gold constituents.
        system: The system's constituents.
        matched: Pairs of a gold and a system constituent of one span and label.
        crossing: System constituents that cross at least one gold constituent.
        complete: Sentences where nothing is missed and nothing is extra.
        no_crossing: Sentences without a crossing constituent.
        two_or_less_crossing: Sentences with two or fewer.
        f1_sum: Sum of the sentences' F1, in units of 1 / ``F1_UNIT``.
        f1_sentences: Sentences that have an F1: a constituent on either side.

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
    """A labelled span of units in a bead.

    >>> str(Constituent("NP", 0, 2, 1))
    'NP[0:2]'
    """

    label: str
    start: int
    """First unit."""
    end: int
    """Last unit + 1."""
    node: int
    """Number of the node in the side's tree."""

    def __str__(self) -> str:
        return f"{self.label}[{self.start}:{self.end}]"


class Comparison(NamedTuple):
    """The constituents of a pair, told apart."""

    matched: list[tuple[Constituent, Constituent]]
    """Gold and system constituent of each match."""
    missed: list[Constituent]
    """Gold constituents without a match."""
    extra: list[Constituent]
    """The system's constituents without a match."""
    crossing: list[Constituent]
    """The system's constituents that cross a gold constituent."""


class Brackets(Metric):
    """The metric behind evalb's bracket columns."""

    name: ClassVar[str] = "brackets"

    def __init__(self, settings: Settings, labels: Labels) -> None:
        self._labels = labels

    def zero(self) -> BracketCounts:
        return BracketCounts()

    def count(self, pair: Pair) -> BracketCounts:
        return count_brackets(pair, self._labels)


def count_brackets(pair: Pair, labels: Labels) -> BracketCounts:
    """The bracket counts of one pair.  Cost: O(nodes + tokens)."""
    gold_units, system_units, size = pair.unit_of_words()
    gold = _spans(pair.gold, gold_units, labels)
    system = _spans(pair.system, system_units, labels)
    found = matches(gold, system, labels.equal_brackets)
    n, m = len(found), len(system[0])
    crossing = sum(crossings(gold, system, size))
    return BracketCounts.of_sentence(n, m, n - found.count(-1), crossing)


def compare_brackets(pair: Pair, labels: Labels) -> Comparison:
    """Which constituents of one pair match, are missed, extra and crossing.  Cost: O(nodes + tokens)."""
    gold_units, system_units, size = pair.unit_of_words()
    gold = _spans(pair.gold, gold_units, labels)
    system = _spans(pair.system, system_units, labels)
    found = matches(gold, system, labels.equal_brackets)
    crossed = crossings(gold, system, size)
    # Without labels all count as one, but they are shown.
    of_gold, of_system = (
        [
            Constituent(cut(tree.labels[node]), start, end, node)
            for start, end, node in zip(side[1], side[2], side[3])
        ]
        for tree, side in ((pair.gold, gold), (pair.system, system))
    )
    taken = set(found)
    return Comparison(
        [(item, of_system[place]) for item, place in zip(of_gold, found) if place >= 0],
        [item for item, place in zip(of_gold, found) if place < 0],
        [item for place, item in enumerate(of_system) if place not in taken],
        [item for item, crosses in zip(of_system, crossed) if crosses],
    )


def length(pair: Pair, labels: Labels) -> int:
    """The ``Len.`` of a bead: its units; with a .prm, as DELETE_LABEL_FOR_LENGTH says.

    Gold words that DELETE_LABEL takes out still count, unless their tag is a
    DELETE_LABEL_FOR_LENGTH; a unit does not count if all its gold words have
    such tags.  So between files of the same words it is evalb's length.
    """
    gold_units, _, size = pair.unit_of_words()
    size += sum(sentence.outside for sentence in pair.gold_sentences)
    if not labels.unmeasured:
        return size
    measured = [tag not in labels.unmeasured for tag in tags_of(pair.gold)]
    if gold_units is None:
        return size - measured.count(False)
    good = {unit for unit, keep in zip(gold_units, measured) if keep}
    return size - len(set(gold_units) - good)


_Spans: TypeAlias = "tuple[list[str], list[int], list[int], list[int], bool]"


def _spans(tree: Tree, units: list[int] | None, labels: Labels) -> _Spans:
    found: _Spans = constituents(
        tree.labels, tree.parents, tree.starts, tree.ends, units, labels.counted, labels.resolve
    )
    return found
