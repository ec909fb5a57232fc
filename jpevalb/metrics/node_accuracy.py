"""Tree node accuracy: (C - I) / (C + S + D) of a cheapest mapping.

Source: Thomae et al. 2003; the tree mapping is that of Zhang & Shasha 1989.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ..alignment.pair import Pair
from ..base.counts import Counts, ratio, sums
from ..base.errors import TooLargeError
from ..formats.detect import as_tree
from ..kernels.mapping import map_labels
from ..settings.rules import RunRules
from ..settings.settings import MOST_MEMORY, POSITION, Settings
from . import Figure
from .mapping import (
    MOST_STEPS,
    LabelNumbers,
    MappingMetric,
    Rows,
    Types,
    check_size,
    label_numbers,
    label_rows,
    tree_mapping,
)
from .node_mapping import Mapping

SUBSTITUTION = 4
DELETION = INSERTION = 3


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NodeCounts(Counts):
    """Correct, substituted, deleted and inserted nodes, words or concepts of a mapping.

    >>> NodeCounts(9, 2, 3, 2).accuracy, NodeCounts(9, 2, 3, 2).cost, NodeCounts(0, 0, 0, 1).accuracy
    (0.5, 23, None)
    """

    json_keys: ClassVar[Any] = {
        name: name
        for name in ("correct", "substituted", "deleted", "inserted", "undefined", "accuracy", "cost")
    }

    correct: int = 0  #: gold nodes mapped to an equal node
    substituted: int = 0  #: gold nodes mapped to another node
    deleted: int = 0  #: gold nodes mapped to nothing
    inserted: int = 0  #: system nodes that nothing is mapped to
    #: sentences left out because mapping their trees would take too much memory or time, or because a tree
    #: has gaps; they are in no other count
    undefined: int = 0
    with_gaps: int = 0  #: undefined sentences in which a tree has gaps

    @classmethod
    def of(cls, correct: int, substituted: int, gold: int, system: int) -> NodeCounts:
        """Return the counts of two sides with the given numbers of nodes."""
        mapped = correct + substituted
        return cls(correct, substituted, gold - mapped, system - mapped)

    @property
    def gold(self) -> int:
        """Gold nodes."""
        return self.correct + self.substituted + self.deleted

    @property
    def accuracy(self) -> float | None:
        """(C - I) / (C + S + D): at most 1, negative if much is inserted, ``None`` without gold nodes."""
        return ratio(self.correct - self.inserted, self.correct + self.substituted + self.deleted)

    @property
    def cost(self) -> int:
        """Cost of the mapping: 4 per substitution, 3 per deletion or insertion."""
        return SUBSTITUTION * self.substituted + DELETION * self.deleted + INSERTION * self.inserted


def tree_node_accuracy(
    gold: Any,
    system: Any,
    *,
    types: Types | None = None,
    names: LabelNumbers | None = None,
    most_memory: int = MOST_MEMORY,
) -> NodeCounts:
    """Count correct, substituted, deleted and inserted nodes and words of a cheapest mapping.

    Tree node accuracy is (C - I) / (C + S + D).  Dummy roots map to each other and are not counted.
    Types, costs, ties and arguments are those of :func:`jpevalb.tree_mapping`.

    Returns:
        The counts; two empty trees give zeros, whose accuracy is ``None``.

    Raises:
        TreeError: a tree cannot be read, or is discontinuous.
        TooLargeError: the tables need more than ``most_memory``, or more than 2 * 10**10 steps.

    Source: Thomae et al. 2003; mapping Zhang & Shasha 1989.

    >>> counts = tree_node_accuracy("(TOP (A (B x)) (C y))", "(TOP (A (B x)) (D z))")
    >>> counts.correct, counts.substituted, counts.accuracy
    (3, 2, 0.6)
    """
    rows = label_rows(as_tree(gold), as_tree(system), types=types, names=names)
    return counts_of(*rows, most_memory)


def counts_of(gold: Rows, system: Rows, most_memory: int) -> NodeCounts:
    """Return the counts of two tables of nodes."""
    correct, substituted, n, m, details = map_labels(gold, system, False, most_memory / 8, MOST_STEPS)
    check_size(correct, details, most_memory)
    return NodeCounts.of(correct, substituted, n, m)


def or_undefined(accuracy: Callable[..., NodeCounts], *sides: Any, **options: Any) -> NodeCounts:
    """Return the counts of two sides, or one undefined sentence if they are too large."""
    try:
        return accuracy(*sides, **options)
    except TooLargeError:
        return NodeCounts(undefined=1)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NodeRecord(Counts):
    """Tree node accuracy of some beads."""

    nodes: NodeCounts = field(default_factory=NodeCounts)  #: counts of nodes, words included


def accuracy(name: str, title: str, part: str, **data: Any) -> Figure:
    """Return the accuracy of a part of a record."""
    counts = sums("correct - inserted", "correct + substituted + deleted").of(part)
    return Figure(name, title, counts=counts, **data)


class NodeAccuracy(MappingMetric):
    """Tree node accuracy of each bead and of the corpus, with the types of ``Settings.node_types``."""

    name = "nodes"
    counts = NodeRecord
    settings = ("most_memory", "node_types")
    parts = (("node accuracy", lambda record: record.nodes),)
    figures = (
        accuracy(
            *("node_accuracy", "NodeAcc", "nodes"),
            line="Tree node accuracy",
            column="NodeAcc",
            page="Nodes",
        ),
    )

    def __init__(self, settings: Settings, rules: RunRules) -> None:
        names = label_numbers(rules)
        types: Types | None = None
        if settings.node_types != POSITION:
            from .node_types import node_types

            types = node_types(settings, names)
        self._options: dict[str, Any] = {"types": types, "names": names, "most_memory": settings.most_memory}

    def count(self, pair: Pair) -> NodeRecord:
        if pair.has_gaps:
            return NodeRecord(NodeCounts(undefined=1, with_gaps=1))
        return NodeRecord(or_undefined(tree_node_accuracy, pair.gold, pair.system, **self._options))

    def mapping(self, pair: Pair) -> Mapping | None:
        """Return the cheapest mapping of a bead's nodes and words; ``None`` if a tree has gaps."""
        return None if pair.has_gaps else tree_mapping(pair.gold, pair.system, **self._options)
