"""Word accuracy and concept accuracy: (C - I) / (C + S + D) of a cheapest mapping in order.

Source: Thomae et al. 2003.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from ..alignment.pair import Pair
from ..base.counts import Counts
from ..formats.detect import as_tree
from ..kernels.mapping import slot_numbers
from ..settings.rules import UNCOUNTED, RunRules
from ..settings.settings import MOST_MEMORY, Settings
from ..trees.words import alike
from .mapping import LabelNumbers, MappingMetric, Rows, label_numbers
from .node_accuracy import NodeCounts, accuracy, counts_of, or_undefined


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
        TooLargeError: the tables of the words between the first and the last difference need more than 1 GB.

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
    """Return the counts of two sequences: of trees of one node each, whose types are the slots."""
    numbers: dict[str, int] = {}
    rows: list[Rows] = []
    for side, slots in zip(alike(*words), (gold_slots, system_slots)):
        none = [-1] * len(side)
        labels = [numbers.setdefault(word, len(numbers)) for word in side]
        columns = none, [1] * len(side), labels, [slot + 1 for slot in slots], none, none, none, none, [0]
        rows.append((len(side), len(side), array("q", chain.from_iterable(columns)), None))
    return counts_of(rows[0], rows[1], MOST_MEMORY)


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
