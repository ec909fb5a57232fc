"""Tags: part-of-speech tags of both sides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .._core.brackets import matching_tags, tags
from ..alignment.pair import Pair
from ..model.counts import Counts, ratio
from ..model.labels import Labels
from ..model.settings import Settings
from ..model.tree import Tree
from . import Metric


@dataclass(frozen=True, slots=True)
class TagCounts(Counts):
    """Correct part-of-speech tags.

    Attributes:
        gold: Gold tokens.
        system: The system's tokens.
        correct: Size of the multiset intersection of both sides' (tag, word) pairs.
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

    name: ClassVar[str] = "tags"

    def __init__(self, settings: Settings, labels: Labels) -> None:
        self._labels = labels

    def zero(self) -> TagCounts:
        return TagCounts()

    def count(self, pair: Pair) -> TagCounts:
        """The record of one pair.  Cost: O(tokens)."""
        gold, system, labels = pair.gold, pair.system, self._labels
        correct = matching_tags(
            tags_of(gold), gold.words, tags_of(system), system.words, labels.equal_tags, labels.equal_words
        )
        return TagCounts(len(gold.words), len(system.words), correct)


def tags_of(tree: Tree) -> list[str | None]:
    """For each word the label of its preterminal, ``None`` for a word that has none.  Cost: O(words)."""
    found: list[str | None] = tags(tree.labels, tree.parents, tree.starts, tree.ends, tree.word_parents)
    return found
