"""Tags: part-of-speech tags of both sides."""

from __future__ import annotations

from collections.abc import Iterable

from ..alignment.pair import Pair
from ..kernels.brackets import matching_tags, tags
from ..trees.counts import Counts, ratio
from ..trees.frozen import frozen
from ..trees.labels import LabelPolicy
from ..trees.settings import Settings
from ..trees.tree import Tree
from . import Metric


@frozen
class TagCounts(Counts):
    """Correct part-of-speech tags.

    Attributes:
        gold: Gold tokens; in the discontinuous mode those that have a tag.
        system: The system's tokens; in the discontinuous mode those that have a tag.
        correct: Size of the multiset intersection of both sides' (tag, word) pairs; in
            the discontinuous mode gold's tagged words whose counterpart has the same tag.
    """

    gold: int = 0
    system: int = 0
    correct: int = 0

    @property
    def accuracy(self) -> float | None:
        """Correct of the gold tokens; ``None`` if there are none."""
        return ratio(self.correct, self.gold)


class Tags(Metric):
    """The metric behind evalb's columns of words and tags."""

    name = "tags"
    counts = TagCounts

    def __init__(self, settings: Settings, labels: LabelPolicy) -> None:
        self._labels = labels
        self._in_place = settings.conventions.tags_in_place

    def count(self, pair: Pair) -> TagCounts:
        """The record of one pair.  Cost: O(tokens)."""
        gold, system, labels = pair.gold, pair.system, self._labels
        if self._in_place:
            return _in_place(tags_of(gold), tags_of(system), labels)
        correct = matching_tags(
            tags_of(gold), gold.words, tags_of(system), system.words, labels.equal_tags, labels.equal_words
        )
        return TagCounts(len(gold.words), len(system.words), correct)


def _in_place(gold: list[str | None], system: list[str | None], labels: LabelPolicy) -> TagCounts:
    """Tags word by word, where words have one; a side that has no words has no tag right."""
    equal = labels.equal_tags
    n, m = len(gold) - gold.count(None), len(system) - system.count(None)
    if gold == system:
        return TagCounts(n, m, n)
    correct = [
        mine is not None and (mine == other or other in equal.get(mine, ()))
        for mine, other in zip(gold, system)
    ]
    return TagCounts(n, m, sum(correct))


def tags_of(tree: Tree) -> list[str | None]:
    """For each word the label of its preterminal, ``None`` for a word that has none.  Cost: O(words)."""
    found: list[str | None] = tags(tree.labels, tree.parents, tree.starts, tree.ends, tree.word_parents)
    return found


def other_tags(pair: Pair, labels: LabelPolicy) -> list[tuple[tuple[int, str], tuple[int, str]]]:
    """Word and tag of gold and of the system where two words aligned one to one have tags that are not equal.

    Cost: O(tokens).
    """
    gold, system = pair.gold, pair.system
    mine, other = tags_of(gold), tags_of(system)
    if mine == other and gold.words == system.words:
        return []
    places: Iterable[tuple[int, int]]
    if pair.same_words and len(mine) == len(other):
        places = zip(range(len(mine)), range(len(mine)))
    else:
        places = [(a, c) for a, b, c, d in pair.units if b - a == d - c == 1]
    found = []
    for place, its_place in places:
        tag, its = mine[place], other[its_place]
        if tag is None or its is None or tag == its or its in labels.equal_tags.get(tag, ()):
            continue
        found.append(((place, tag), (its_place, its)))
    return found
