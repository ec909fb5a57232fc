"""Part-of-speech tagging accuracy."""

from __future__ import annotations

from collections.abc import Iterable

from ..alignment.pair import Pair
from ..kernels.brackets import matching_tags, tags
from ..trees.counts import Counts, ratio
from ..trees.frozen import frozen
from ..trees.labels import LabelPolicy
from ..trees.settings import Settings
from ..trees.tree import Tree
from . import Metric, PlainCounts


@frozen
class TagCounts(Counts):
    """Correct part-of-speech tags.

    Attributes:
        gold: Gold tokens; in discontinuous mode only those with a tag.
        system: System tokens; in discontinuous mode only those with a tag.
        correct: Size of the multiset intersection of both sides' (tag, word) pairs; in discontinuous
            mode, gold words whose counterpart has the same tag.
    """

    gold: int = 0
    system: int = 0
    correct: int = 0

    @property
    def accuracy(self) -> float | None:
        """Share of gold tokens with the correct tag; ``None`` without gold tokens."""
        return ratio(self.correct, self.gold)


class Tags(Metric):
    """evalb's columns of words and tags."""

    name = "tags"
    counts = TagCounts

    def __init__(self, settings: Settings, labels: LabelPolicy) -> None:
        self._labels = labels
        self._in_place = settings.conventions.tags_in_place

    def count(self, pair: Pair) -> TagCounts:
        labels = self._labels
        gold, system = tags_of(pair.gold), tags_of(pair.system)
        if not self._in_place:
            words = pair.gold.words, pair.system.words
            correct = matching_tags(gold, words[0], system, words[1], labels.equal_tags, labels.equal_words)
            return TagCounts(len(words[0]), len(words[1]), correct)
        n, m = len(gold) - gold.count(None), len(system) - system.count(None)
        if gold == system:
            return TagCounts(n, m, n)
        equal = labels.equal_tags
        right = [a is not None and (a == b or b in equal.get(a, ())) for a, b in zip(gold, system)]
        return TagCounts(n, m, sum(right))

    def of_plain(self, plain: PlainCounts) -> TagCounts:
        return TagCounts(plain.words, plain.words, plain.correct_tags)


def tags_of(tree: Tree) -> list[str | None]:
    """Return the label of each word's preterminal, ``None`` for a word without one."""
    labels: list[str | None] = tags(tree.labels, tree.parents, tree.starts, tree.ends, tree.word_parents)
    return labels


def other_tags(pair: Pair, labels: LabelPolicy) -> list[tuple[tuple[int, str], tuple[int, str]]]:
    """Return (word, tag) of gold and system for words aligned one to one whose tags differ."""
    gold, system = tags_of(pair.gold), tags_of(pair.system)
    if gold == system and pair.gold.words == pair.system.words:
        return []
    aligned: Iterable[tuple[int, int]]
    if pair.identical_words and len(gold) == len(system):
        aligned = zip(range(len(gold)), range(len(gold)))
    else:
        aligned = [(a, c) for a, b, c, d in pair.units if b - a == d - c == 1]
    differing = []
    for word, other_word in aligned:
        tag, other = gold[word], system[other_word]
        if tag is None or other is None or tag == other or other in labels.equal_tags.get(tag, ()):
            continue
        differing.append(((word, tag), (other_word, other)))
    return differing
