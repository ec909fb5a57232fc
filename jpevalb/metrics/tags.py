"""Part-of-speech tagging accuracy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, ClassVar

from ..alignment.pair import Pair
from ..base.counts import Counts, Quotient, sums
from ..kernels.counting import COUNTED
from ..settings.rules import RunRules
from ..settings.settings import Settings
from . import Figure, Metric


@dataclass(frozen=True, slots=True, eq=False, repr=False)
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

    def __init__(self, settings: Settings, rules: RunRules) -> None:
        super().__init__(settings, rules)
        self._in_place = settings.identical_words

    def count(self, pair: Pair) -> TagCounts:
        gold, system, *others = pair.counted[_TAGS]
        differs = not (self._in_place or pair.identical_words) and gold > 0 < system
        numbers = gold, system, *others, int(differs)
        return TagCounts(*numbers)


_TAGS = slice(COUNTED.index("gold_tagged"), COUNTED.index("gold_tagged") + 5)


def aligned_words(pair: Pair) -> Iterable[tuple[int, int]]:
    """Return the indices of words that are aligned one to one."""
    count = len(pair.gold.words)
    if pair.identical_words and count == len(pair.system.words):
        return zip(range(count), range(count))
    return [(a, c) for a, b, c, d in pair.units if b - a == d - c == 1]


def other_tags(pair: Pair) -> list[tuple[tuple[int, str], tuple[int, str]]]:
    """Return (word, tag) of both sides for words that are aligned one to one and differ in tags."""
    gold, system = list(pair.gold.tags), list(pair.system.tags)
    if gold == system and pair.gold.words == pair.system.words:
        return []
    differing = []
    for word, other_word in aligned_words(pair):
        tag, other = gold[word], system[other_word]
        if tag is None or other is None or tag == other or other in pair.rules.equal_tags.get(tag, ()):
            continue
        differing.append(((word, tag), (other_word, other)))
    return differing
