"""Tree node accuracy, word accuracy and concept accuracy: (C - I) / (C + S + D) of a cheapest mapping."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..alignment.pair import Pair
from ..kernels.mapping import TOO_LARGE, map_labels
from ..kernels.sequences import map_sequences, slot_numbers
from ..trees.counts import Counts, ratio
from ..trees.detect import as_tree
from ..trees.errors import TooLargeError
from ..trees.frozen import field, frozen
from ..trees.labels import UNCOUNTED, LabelPolicy
from ..trees.settings import MOST_MEMORY, Settings
from ..trees.tree import Tree
from ..trees.values import POSITION
from . import Column, Figure, Measure, Metric, Rate, quotient
from .mapping import (
    MOST_STEPS,
    LabelNumbers,
    Mapping,
    Types,
    check_size,
    label_numbers,
    label_rows,
    tree_mapping,
    undefined_figures,
    undefined_sentences,
)

MOST_PAIRS = 5_000_000_000
"""The most pairs of words that aligning two sentences may look at: ten seconds, compiled."""

SUBSTITUTION = 4
DELETION = INSERTION = 3


@frozen
class NodeCounts(Counts):
    """What a mapping leaves as it is, changes, deletes and inserts: nodes, words or concepts.

    Attributes:
        correct: Gold nodes mapped to an equal node.
        substituted: Gold nodes mapped to another one.
        deleted: Gold nodes mapped to nothing.
        inserted: Nodes of the system's tree that nothing is mapped to.
        undefined: Sentences left out because mapping their trees would take too
            much memory or time, or because a tree has gaps; they are in no other rate.
        with_gaps: Those of them in which a tree has gaps.

    >>> NodeCounts(9, 2, 3, 2).accuracy, NodeCounts(9, 2, 3, 2).cost, NodeCounts(0, 0, 0, 1).accuracy
    (0.5, 23, None)
    """

    correct: int = 0
    substituted: int = 0
    deleted: int = 0
    inserted: int = 0
    undefined: int = 0
    with_gaps: int = 0

    @classmethod
    def of(cls, correct: int, substituted: int, gold: int, system: int) -> NodeCounts:
        """The record of two sides with so many nodes."""
        mapped = correct + substituted
        return cls(correct, substituted, gold - mapped, system - mapped)

    @property
    def gold(self) -> int:
        """Gold nodes."""
        return self.correct + self.substituted + self.deleted

    @property
    def accuracy(self) -> float | None:
        """(C - I) / (C + S + D): at most 1, below 0 where much is inserted, ``None`` without gold nodes."""
        return ratio(self.correct - self.inserted, self.gold)

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
    gold: Any,
    system: Any,
    *,
    types: Types | None = None,
    names: LabelNumbers | None = None,
    most_memory: int = MOST_MEMORY,
) -> NodeCounts:
    """Tree node accuracy: nodes and words of a cheapest mapping between two trees.

    Dummy roots map to each other and are not counted.  Types, costs, ties and
    arguments are those of :func:`jpevalb.metrics.mapping.tree_mapping`.

    Returns:
        The counts; two empty trees give zeros, whose accuracy is ``None``.

    Raises:
        TreeError: a tree that cannot be read, or a discontinuous one.
        TooLargeError: the tables would need more than ``most_memory``, or more than 2 * 10**10 steps.

    Cost: that of the mapping.

    Source: Thomae et al. 2003; mapping Zhang & Shasha 1989.

    >>> counts = tree_node_accuracy("(TOP (A (B x)) (C y))", "(TOP (A (B x)) (D z))")
    >>> counts.correct, counts.substituted, counts.accuracy
    (3, 2, 0.6)
    """
    one, two = label_rows(as_tree(gold), as_tree(system), types=types, names=names)
    correct, substituted, n, m, details = map_labels(one, two, False, most_memory / 8, MOST_STEPS)
    check_size(correct, details, most_memory)
    return NodeCounts.of(correct, substituted, n, m)


def word_accuracy(gold: Any, system: Any) -> NodeCounts:
    """Word accuracy: the same counts, costs and ties on the words in their order.

    Args:
        gold: A tree, its text or an nltk tree.
        system: The system's side, of the types that gold may have.

    Raises:
        TreeError: a tree that cannot be read.
        TooLargeError: more than 5 * 10**9 pairs of words between the first and the last difference.

    Cost: O(n) where the words are equal; O(n * m) time and O(m) memory between
    the first and the last difference.

    Source: Thomae et al. 2003.

    >>> word_accuracy("(S (A a) (B b))", "(S (A a) (C c) (B b))").accuracy
    0.5
    """
    return _sequence_counts(*_word_numbers(as_tree(gold).words, as_tree(system).words))


def concept_accuracy(gold: Any, system: Any, *, names: LabelNumbers | None = None) -> NodeCounts:
    """Concept accuracy: the same counts on (slot, value) pairs in their order.

    The value is a word, its slot the labels above it down from the top, dummy roots
    left out.  A concept is correct if slot and value are equal, substituted if only
    the slot is.

    Args:
        gold: A tree, its text or an nltk tree; it may be discontinuous.
        system: The system's side, of the types that gold may have.
        names: Which labels are equal; as they are written, if not given.

    Raises:
        TreeError: a tree that cannot be read.
        TooLargeError: as for word accuracy.

    Cost: O(nodes), and O(n * m) time between the first and the last difference.

    Source: Thomae et al. 2003.

    >>> concept_accuracy("(TOP (From oslo) (To rome))", "(TOP (From bonn) (To rome))").accuracy
    0.5
    """
    return _sequence_counts(*_concept_numbers(as_tree(gold), as_tree(system), names))


_Items = tuple[list[int], list[int]]
"""Slots and values of the items of one side."""


def _word_numbers(one: tuple[str, ...], two: tuple[str, ...]) -> tuple[_Items, _Items]:
    values: dict[str, int] = {}
    return ([0] * len(one), _numbers(one, values)), ([0] * len(two), _numbers(two, values))


def _concept_numbers(one: Tree, two: Tree, names: LabelNumbers | None) -> tuple[_Items, _Items]:
    tables = (names or LabelNumbers()).tables
    paths: dict[tuple[int, int], int] = {}
    values: dict[str, int] = {}
    slots1 = slot_numbers(one.labels, one.parents, one.word_parents, tables, UNCOUNTED, paths)
    slots2 = slot_numbers(two.labels, two.parents, two.word_parents, tables, UNCOUNTED, paths)
    return (slots1, _numbers(one.words, values)), (slots2, _numbers(two.words, values))


def _sequence_counts(one: _Items, two: _Items) -> NodeCounts:
    correct, substituted = map_sequences(*one, *two, MOST_PAIRS)
    if correct == TOO_LARGE:
        raise TooLargeError(
            f"the sentences differ in {substituted:.1e} pairs of words, more than the limit of "
            f"{MOST_PAIRS:.0e}; cut them"
        )
    return NodeCounts.of(correct, substituted, len(one[0]), len(two[0]))


def _numbers(words: tuple[str, ...], values: dict[str, int]) -> list[int]:
    return [values.setdefault(word, len(values)) for word in words]


def _or_undefined(accuracy: Callable[..., NodeCounts], pair: Pair, **options: Any) -> NodeCounts:
    """The counts of a pair; what is too large to align is counted as undefined."""
    try:
        return accuracy(pair.gold, pair.system, **options)
    except TooLargeError:
        return NodeCounts(undefined=1)


@frozen
class NodeRecord(Counts):
    """Tree node accuracy of some beads.

    Attributes:
        nodes: Nodes of the trees, words included.
    """

    nodes: NodeCounts = field(default_factory=NodeCounts)


@frozen
class ConceptRecord(Counts):
    """Word and concept accuracy of some beads.

    Attributes:
        words: The words in their order.
        concepts: (slot, value) pairs in their order.
    """

    words: NodeCounts = field(default_factory=NodeCounts)
    concepts: NodeCounts = field(default_factory=NodeCounts)


def _rate(name: str, title: str, part: Callable[[Any], NodeCounts]) -> Rate:
    """The accuracy of a part of a record, as a measure of comparisons."""

    def counts(record: Any) -> tuple[int, int]:
        found = part(record)
        return found.correct - found.inserted, found.gold

    return quotient(Measure(name, title), counts)


def _types(settings: Settings, names: LabelNumbers) -> Types | None:
    if settings.node_types == POSITION:
        return None
    from .node_types import node_types

    return node_types(settings, names)


class NodeAccuracy(Metric):
    """Tree node accuracy of each bead and of the corpus, with the types of ``Settings.node_types``.

    Source: Thomae et al. 2003, section 4 (without types) and section 5 (by label).
    """

    name = "nodes"
    counts = NodeRecord
    settings = ("most_memory", "node_types")
    rates = (_rate("node_accuracy", "NodeAcc", lambda record: record.nodes),)

    def __init__(self, settings: Settings, labels: LabelPolicy) -> None:
        names = label_numbers(labels)
        self._options: dict[str, Any] = {
            "types": _types(settings, names),
            "names": names,
            "most_memory": settings.most_memory,
        }

    def count(self, pair: Pair) -> NodeRecord:
        if pair.has_gaps:
            return NodeRecord(NodeCounts(undefined=1, with_gaps=1))
        return NodeRecord(_or_undefined(tree_node_accuracy, pair, **self._options))

    def mapping(self, pair: Pair) -> Mapping | None:
        """The cheapest mapping of a bead's nodes and words; ``None`` where a tree has gaps."""
        if pair.has_gaps:
            return None
        return tree_mapping(pair.gold, pair.system, **self._options)

    def columns(self, record: NodeRecord) -> Sequence[Column]:
        return [Column("NodeAcc", record.nodes.accuracy)]

    def figures(self, record: NodeRecord) -> Sequence[Figure]:
        return [
            Figure("Tree node accuracy", record.nodes.accuracy),
            *undefined_figures(record.nodes, "node accuracy"),
        ]

    def left_out(self, record: NodeRecord) -> Sequence[tuple[int, str]]:
        return undefined_sentences(record.nodes, "node accuracy")


class Concepts(Metric):
    """Word and concept accuracy, for semantic trees: the slot of a word is the labels above it.

    Source: Thomae et al. 2003.
    """

    name = "concepts"
    counts = ConceptRecord
    rates = (
        _rate("word_accuracy", "WordAcc", lambda record: record.words),
        _rate("concept_accuracy", "ConcAcc", lambda record: record.concepts),
    )

    def __init__(self, settings: Settings, labels: LabelPolicy) -> None:
        self._names = label_numbers(labels)

    def count(self, pair: Pair) -> ConceptRecord:
        return ConceptRecord(
            _or_undefined(word_accuracy, pair), _or_undefined(concept_accuracy, pair, names=self._names)
        )

    def figures(self, record: ConceptRecord) -> Sequence[Figure]:
        return [
            Figure("Word accuracy", record.words.accuracy),
            Figure("Concept accuracy", record.concepts.accuracy),
            *undefined_figures(record.words, "word accuracy"),
            *undefined_figures(record.concepts, "concept accuracy"),
        ]

    def left_out(self, record: ConceptRecord) -> Sequence[tuple[int, str]]:
        return [
            *undefined_sentences(record.words, "word accuracy"),
            *undefined_sentences(record.concepts, "concept accuracy"),
        ]
