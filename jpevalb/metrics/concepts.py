"""Word accuracy and concept accuracy: (C - I) / (C + S + D) of a cheapest mapping in order.

Source: Thomae et al. 2003.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..alignment.pair import Pair
from ..base.counts import Counts
from ..base.errors import TooLargeError
from ..formats.detect import as_tree
from ..kernels.mapping import TOO_LARGE, map_sequences
from ..kernels.nodes import slot_numbers
from ..settings.labels import UNCOUNTED
from ..settings.rules import RunRules
from ..settings.settings import Settings
from ..trees.words import alike
from .mapping import LabelNumbers, MappingMetric, label_numbers
from .node_accuracy import NodeCounts, accuracy, or_undefined

MOST_PAIRS = 5_000_000_000
"""Maximum number of word pairs for the alignment of two sentences: ten seconds, compiled."""


def word_accuracy(gold: Any, system: Any) -> NodeCounts:
    """Count correct, substituted, deleted and inserted words of a cheapest mapping in order.

    Word accuracy is (C - I) / (C + S + D), with the costs and ties of :func:`jpevalb.tree_mapping`.

    Args:
        gold: A tree, its text or an nltk tree.
        system: The system's tree, in any of the same forms.

    Returns:
        The counts; without gold words the accuracy is ``None``.

    Raises:
        TreeError: a tree cannot be read.
        TooLargeError: more than 5 * 10**9 pairs of words between the first and the last difference.

    Source: Thomae et al. 2003.

    >>> word_accuracy("(S (A a) (B b))", "(S (A a) (C c) (B b))").accuracy
    0.5
    """
    words = as_tree(gold).words, as_tree(system).words
    return _sequence_counts(words, [0] * len(words[0]), [0] * len(words[1]))


def concept_accuracy(gold: Any, system: Any, *, names: LabelNumbers | None = None) -> NodeCounts:
    """Count correct, substituted, deleted and inserted (slot, value) pairs of a cheapest mapping in order.

    The value is a word, its slot the labels above it from the top down, without dummy roots.
    A concept is correct if slot and value are equal, substituted if only the slot is.
    Concept accuracy is (C - I) / (C + S + D), with the costs and ties of :func:`jpevalb.tree_mapping`.

    Args:
        gold: A tree, its text or an nltk tree; it may be discontinuous.
        system: The system's tree, in any of the same forms.
        names: Which labels are equal; labels as written, if not given.

    Returns:
        The counts; without gold words the accuracy is ``None``.

    Raises:
        TreeError: a tree cannot be read.
        TooLargeError: as for :func:`jpevalb.word_accuracy`.

    Source: Thomae et al. 2003.

    >>> concept_accuracy("(TOP (From oslo) (To rome))", "(TOP (From bonn) (To rome))").accuracy
    0.5
    """
    trees = as_tree(gold), as_tree(system)
    tables = (names or LabelNumbers()).tables
    paths: dict[tuple[int, int], int] = {}
    slots = [slot_numbers(tree.with_tags, tables, UNCOUNTED, paths) for tree in trees]
    return _sequence_counts((trees[0].words, trees[1].words), *slots)


def _sequence_counts(
    words: tuple[tuple[str, ...], tuple[str, ...]], gold_slots: list[int], system_slots: list[int]
) -> NodeCounts:
    numbers: dict[str, int] = {}
    gold, system = [[numbers.setdefault(word, len(numbers)) for word in side] for side in alike(*words)]
    correct, substituted = map_sequences(gold_slots, gold, system_slots, system, MOST_PAIRS)
    if correct == TOO_LARGE:
        raise TooLargeError(
            f"the sentences differ in {substituted:.1e} pairs of words, more than the limit of "
            f"{MOST_PAIRS:.0e}; cut them"
        )
    return NodeCounts.of(correct, substituted, len(gold), len(system))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ConceptRecord(Counts):
    """Word and concept accuracy of some beads."""

    words: NodeCounts = field(default_factory=NodeCounts)  #: counts of words
    concepts: NodeCounts = field(default_factory=NodeCounts)  #: counts of concepts


class Concepts(MappingMetric):
    """Word and concept accuracy, for semantic trees; the slot of a word is the labels above it."""

    name = "concepts"
    counts = ConceptRecord
    parts = (
        ("word accuracy", lambda record: record.words),
        ("concept accuracy", lambda record: record.concepts),
    )
    figures = (
        accuracy("word_accuracy", "WordAcc", "words", line="Word accuracy"),
        accuracy("concept_accuracy", "ConcAcc", "concepts", line="Concept accuracy"),
    )

    def __init__(self, settings: Settings, rules: RunRules) -> None:
        self._names = label_numbers(rules)

    def count(self, pair: Pair) -> ConceptRecord:
        return ConceptRecord(
            or_undefined(word_accuracy, pair.gold, pair.system),
            or_undefined(concept_accuracy, pair.gold, pair.system, names=self._names),
        )
