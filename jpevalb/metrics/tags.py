"""Part-of-speech tagging accuracy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, ClassVar

from ..alignment.pair import Pair
from ..base.counts import Counts, Quotient, sums
from ..kernels.brackets import matching_tags
from ..settings.labels import LabelPolicy
from ..settings.settings import Settings
from ..trees.words import alike
from . import Figure, Metric


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TagCounts(Counts):
    """Correct part-of-speech tags."""

    plain: ClassVar[Any] = {
        **dict.fromkeys(("gold", "system", "units"), "words"),
        **{"correct": "correct_tags", "units_correct": "tags_in_place"},
    }

    gold: int = 0  #: gold tokens; in discontinuous mode only those with a tag
    system: int = 0  #: system tokens
    #: Size of the multiset intersection of both sides' (tag, word) pairs; in discontinuous mode, gold words
    #: whose counterpart has the same tag.
    correct: int = 0
    units: int = 0  #: units of one token on each side; in discontinuous mode gold tokens with a tag
    units_correct: int = 0  #: those whose tokens have the same tag
    differing: int = 0  #: beads whose words are written differently; in discontinuous mode 0

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
    heading = "Tags"
    figures = (
        Figure(
            "unit_tag_accuracy",
            "Unit tags",
            line="Tag accuracy over units",
            counts=sums("units_correct", "units"),
            shown=attrgetter("shown"),
        ),
    )

    def __init__(self, settings: Settings, labels: LabelPolicy) -> None:
        self._labels = labels
        self._in_place = settings.identical_words
        self._has_tags = settings.has_tags

    def count(self, pair: Pair) -> TagCounts:
        equal, equal_words = self._labels.equal_tags, self._labels.equal_words
        gold, system = list(pair.gold.tags), list(pair.system.tags)
        n, m = len(gold), len(system)
        if not (self._has_tags and pair.gold.tagged and pair.system.tagged):
            return TagCounts()
        if self._in_place:
            n, m = n - gold.count(None), m - system.count(None)
            correct = _equal_pairs(
                [(tag, other) for tag, other in zip(gold, system) if tag is not None], equal
            )
            return TagCounts(n, m, correct, n, correct)
        gold_words, system_words = pair.gold.words, pair.system.words
        if pair.identical_words:
            units = list(zip(gold, system))
        else:
            gold_words, system_words = alike(gold_words, system_words)
            units = [(gold[a], system[c]) for a, b, c, d in pair.units if b - a == d - c == 1]
        correct = matching_tags(gold, gold_words, system, system_words, equal, equal_words)
        differing = n > 0 < m and not pair.identical_words
        return TagCounts(n, m, correct, len(units), _equal_pairs(units, equal), int(differing))


def _equal_pairs(pairs: Sequence[tuple[Any, Any]], equal: Mapping[str, Sequence[str]]) -> int:
    return sum([tag == other or other in equal.get(tag, ()) for tag, other in pairs])


def aligned_words(pair: Pair) -> Iterable[tuple[int, int]]:
    """Return the indices of words that are aligned one to one."""
    count = len(pair.gold.words)
    if pair.identical_words and count == len(pair.system.words):
        return zip(range(count), range(count))
    return [(a, c) for a, b, c, d in pair.units if b - a == d - c == 1]


def other_tags(pair: Pair, labels: LabelPolicy) -> list[tuple[tuple[int, str], tuple[int, str]]]:
    """Return (word, tag) of both sides for words that are aligned one to one and differ in tags."""
    gold, system = list(pair.gold.tags), list(pair.system.tags)
    if gold == system and pair.gold.words == pair.system.words:
        return []
    differing = []
    for word, other_word in aligned_words(pair):
        tag, other = gold[word], system[other_word]
        if tag is None or other is None or tag == other or other in labels.equal_tags.get(tag, ()):
            continue
        differing.append(((word, tag), (other_word, other)))
    return differing
