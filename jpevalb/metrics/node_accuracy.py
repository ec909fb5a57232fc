"""Tree node accuracy, word accuracy and concept accuracy: (C - I) / (C + S + D) of a cheapest mapping."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .._core.mapping import TOO_LARGE, map_labels
from .._core.sequences import map_sequences, slot_numbers
from ..counts import Counts, ratio
from ..labels import UNCOUNTED
from ..readers.detect import as_tree
from ..tree import Tree
from .mapping import (
    MOST_CELLS,
    MOST_STEPS,
    LabelNumbers,
    Types,
    check_size,
    label_rows,
)

SUBSTITUTION = 4
DELETION = INSERTION = 3


@dataclass(frozen=True, slots=True)
class NodeCounts(Counts):
    """What a mapping leaves as it is, changes, deletes and inserts: nodes, words or concepts.

    Attributes:
        correct: Gold nodes mapped to an equal node.
        substituted: Gold nodes mapped to another one.
        deleted: Gold nodes mapped to nothing.
        inserted: Nodes of the system's tree that nothing is mapped to.
        undefined: Sentences left out because mapping their trees would take too
            much memory or time; they are in no other count.

    >>> NodeCounts(9, 2, 3, 2).accuracy, NodeCounts(9, 2, 3, 2).cost, NodeCounts(0, 0, 0, 1).accuracy
    (0.5, 23, None)
    """

    correct: int = 0
    substituted: int = 0
    deleted: int = 0
    inserted: int = 0
    undefined: int = 0

    @classmethod
    def of(cls, correct: int, substituted: int, gold: int, system: int) -> NodeCounts:
        """The record of two sides with so many nodes."""
        mapped = correct + substituted
        return cls(correct, substituted, gold - mapped, system - mapped)

    @property
    def accuracy(self) -> float | None:
        """(C - I) / (C + S + D): at most 1, below 0 where much is inserted, ``None`` without gold nodes."""
        return ratio(self.correct - self.inserted, self.correct + self.substituted + self.deleted)

    @property
    def cost(self) -> int:
        """The cost of the mapping: 4 per substitution, 3 per deletion or insertion."""
        return SUBSTITUTION * self.substituted + DELETION * self.deleted + INSERTION * self.inserted

    def to_dict(self) -> dict[str, Any]:
        """Counts and rates by name, JSON-ready."""
        return {
            "correct": self.correct,
            "substituted": self.substituted,
            "deleted": self.deleted,
            "inserted": self.inserted,
            "undefined": self.undefined,
            "accuracy": self.accuracy,
            "cost": self.cost,
        }


def tree_node_accuracy(
    gold: Any, system: Any, *, types: Types | None = None, names: LabelNumbers | None = None
) -> NodeCounts:
    """Tree node accuracy: nodes and words of a cheapest mapping between two trees.

    Dummy roots map to each other and are not counted.  Types, costs, ties and
    arguments are those of :func:`jpevalb.metrics.mapping.tree_mapping`.

    Returns:
        The counts; two empty trees give zeros, whose accuracy is ``None``.

    Raises:
        TreeError: a tree that cannot be read, or a discontinuous one.
        TooLargeError: the tables would need more than 4 GB, or more than 10**11 steps.

    Cost: that of the mapping.

    Source: Thomae et al. 2003; mapping Zhang & Shasha 1989.

    >>> counts = tree_node_accuracy("(TOP (A (B x)) (C y))", "(TOP (A (B x)) (D z))")
    >>> counts.correct, counts.substituted, counts.accuracy
    (3, 2, 0.6)
    """
    one, two = label_rows(as_tree(gold), as_tree(system), types=types, names=names)
    correct, substituted, n, m, details = map_labels(one, two, False, MOST_CELLS, MOST_STEPS)
    check_size(correct, details)
    return NodeCounts.of(correct, substituted, n, m)


def node_counts(
    gold: Tree, system: Tree, *, types: Types | None = None, names: LabelNumbers | None = None
) -> NodeCounts:
    """As :func:`tree_node_accuracy`, but trees too large to map are counted as undefined."""
    one, two = label_rows(gold, system, types=types, names=names)
    correct, substituted, n, m, _ = map_labels(one, two, False, MOST_CELLS, MOST_STEPS)
    return NodeCounts(undefined=1) if correct == TOO_LARGE else NodeCounts.of(correct, substituted, n, m)


def word_accuracy(gold: Any, system: Any) -> NodeCounts:
    """Word accuracy: the same counts, costs and ties on the words in their order.

    Args:
        gold: A tree, its text or an nltk tree.
        system: The same.

    Raises:
        TreeError: a tree that cannot be read.

    Cost: O(n) where the words are equal; O(n * m) time and O(m) memory between
    the first and the last difference.

    Source: Thomae et al. 2003.

    >>> word_accuracy("(S (A a) (B b))", "(S (A a) (C c) (B b))").accuracy
    0.5
    """
    one, two = as_tree(gold).words, as_tree(system).words
    if one == two:
        return NodeCounts(correct=len(one))
    values: dict[str, int] = {}
    values1, values2 = _numbers(one, values), _numbers(two, values)
    correct, substituted = map_sequences([0] * len(one), values1, [0] * len(two), values2)
    return NodeCounts.of(correct, substituted, len(one), len(two))


def concept_accuracy(gold: Any, system: Any, *, names: LabelNumbers | None = None) -> NodeCounts:
    """Concept accuracy: the same counts on (slot, value) pairs in their order.

    The value is a word, its slot the labels above it down from the top, dummy roots
    left out.  A concept is correct if slot and value are equal, substituted if only
    the slot is.

    Args:
        gold: A tree, its text or an nltk tree; it may be discontinuous.
        system: The same.
        names: Which labels are equal; as they are written, if not given.

    Raises:
        TreeError: a tree that cannot be read.

    Cost: O(nodes), and O(n * m) time between the first and the last difference.

    Source: Thomae et al. 2003.

    >>> concept_accuracy("(TOP (From oslo) (To rome))", "(TOP (From bonn) (To rome))").accuracy
    0.5
    """
    one, two = as_tree(gold), as_tree(system)
    tables = (names or LabelNumbers()).tables
    paths: dict[tuple[int, int], int] = {}
    values: dict[str, int] = {}
    slots1 = slot_numbers(one.labels, one.parents, one.word_parents, tables, UNCOUNTED, paths)
    slots2 = slot_numbers(two.labels, two.parents, two.word_parents, tables, UNCOUNTED, paths)
    correct, substituted = map_sequences(
        slots1, _numbers(one.words, values), slots2, _numbers(two.words, values)
    )
    return NodeCounts.of(correct, substituted, len(one.words), len(two.words))


def _numbers(words: tuple[str, ...], values: dict[str, int]) -> list[int]:
    return [values.setdefault(word, len(values)) for word in words]
