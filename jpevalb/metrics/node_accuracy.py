"""Tree node accuracy, and word and concept accuracy: (C - I) / (C + S + D) of a cheapest mapping.

Source: Thomae et al. 2003; the tree mapping is that of Zhang & Shasha 1989.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from typing import Any, ClassVar

from ..alignment.pair import Pair
from ..base.counts import Counts, ratio, sums
from ..base.errors import InputError, SettingsError, TooLargeError
from ..base.files import table_lines
from ..formats.read import as_tree
from ..kernels.mapping import map_labels, slot_numbers, typed_nodes
from ..settings.rules import UNCOUNTED, RunRules
from ..settings.settings import MOST_MEMORY, NODE_TYPES, POSITION, Settings
from ..trees.tree import Tree
from . import Figure, Mapping
from .mapping import (
    MOST_STEPS,
    LabelNumbers,
    MappingMetric,
    Rows,
    Types,
    check_size,
    label_rows,
    tree_mapping,
    with_nodes,
)

SUBSTITUTION = 4
DELETION = INSERTION = 3


@dataclass(slots=True, eq=False, repr=False)
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
    nodes = with_nodes(gold, system, names, "tree node accuracy")
    return counts_of(label_rows(*nodes, types, names), most_memory)


def counts_of(rows: Sequence[Rows], most_memory: int) -> NodeCounts:
    """Return the counts of two tables of nodes."""
    correct, substituted, n, m, details = map_labels(*rows, False, most_memory / 8, MOST_STEPS)
    check_size(correct, details, most_memory)
    return NodeCounts.of(correct, substituted, n, m)


def or_undefined(accuracy: Callable[..., NodeCounts], *sides: Any, **options: Any) -> NodeCounts:
    """Return the counts of two sides, or one undefined sentence if they are too large."""
    try:
        return accuracy(*sides, **options)
    except TooLargeError:
        return NodeCounts(undefined=1)


@dataclass(slots=True, eq=False, repr=False)
class NodeRecord(Counts):
    """Tree node accuracy of some beads."""

    nodes: NodeCounts = field(default_factory=NodeCounts)  #: counts of nodes, words included


def accuracy(name: str, title: str, part: str, **data: Any) -> Figure:
    """Return the accuracy of a part of a record."""
    counts = sums("correct - inserted", "correct + substituted + deleted").of(part)
    return Figure(name, title, counts=counts, value_of=attrgetter(f"{part}.accuracy"), **data)


class NodeAccuracy(MappingMetric):
    """Tree node accuracy of each bead and of the corpus, with the types of ``Settings.node_types``."""

    name = "nodes"
    counts = NodeRecord
    settings = ("most_memory", "node_types")
    parts = (("node accuracy", lambda record: record.nodes),)
    figures = (
        accuracy(
            *("node_accuracy", "NodeAcc", "nodes"), line="Tree node accuracy", column="NodeAcc", page="Nodes"
        ),
    )

    def __init__(self, settings: Settings, rules: RunRules) -> None:
        super().__init__(settings, rules)
        types = None if settings.node_types == POSITION else node_types(settings, self._names)
        self._options: Any = {"types": types, "names": self._names}

    def count(self, pair: Pair) -> NodeRecord:
        both = self._both(pair)
        if both is None:
            return NodeRecord(NodeCounts(undefined=1, with_gaps=1))
        rows = label_rows(*both, **self._options)
        return NodeRecord(or_undefined(counts_of, rows, self._settings.most_memory))

    def mapping(self, pair: Pair) -> Mapping | None:
        """Return the cheapest mapping of a bead's nodes and words; ``None`` if a tree has gaps."""
        if pair.has_gaps:
            return None
        return tree_mapping(pair.gold, pair.system, most_memory=self._settings.most_memory, **self._options)


def load_types(path: str | os.PathLike[str]) -> dict[str, str]:
    """Read the types for ``tree_node_accuracy(types=...)`` from lines of a type and its labels."""
    return {label: type for label, (type, _) in _typed_labels(os.fspath(path)).items()}


def without_file(settings: Settings) -> Settings:
    """Replace a file of types with its content: a worker may not have the file."""
    types: Any = settings.node_types
    if isinstance(types, tuple) or types in NODE_TYPES or "nodes" not in settings.metrics:
        return settings
    return settings.replace(node_types=load_types(types))


def node_types(settings: Settings, names: LabelNumbers) -> Types:
    """Return the node types of a run by label, after labels are cut and equated by the .prm."""
    given: Any = settings.node_types
    source = None
    typed: list[tuple[str, str, int | None]]
    if isinstance(given, tuple):
        typed = [(label, type, None) for label, type in given]
    elif given in NODE_TYPES:
        return str(given)
    else:
        source = os.fspath(given)
        typed = [(label, *where) for label, where in _typed_labels(source).items()]
    tables: dict[bool, dict[str | None, tuple[str, str]]] = {False: {}, True: {}}
    for label, type, line in typed:
        for tag, table in tables.items():
            name = names.counted(label, tag=tag)
            first, before = table.setdefault(name, (type, label))
            if first != type and name is not None:
                raise SettingsError(
                    f"the type {type!r} for {label!r} and {first!r} for {before!r}, which count as one "
                    f"label, {name!r}; expected one type for it",
                    source=source,
                    line=line,
                )
    types = {tag: {name: type for name, (type, _) in table.items()} for tag, table in tables.items()}
    return partial(_type_of, types, names)


# A function at module level, so that metrics can be pickled.
def _type_of(types: dict[bool, dict[str | None, str]], names: LabelNumbers, label: str, kind: str) -> str:
    tag = kind == "tag"
    return kind if kind == "word" else types[tag].get(names.counted(label, tag=tag), kind)


def _typed_labels(path: str) -> dict[str, tuple[str, int]]:
    """Return the type of each label, and its line."""
    expected = f"{', '.join(NODE_TYPES)}, or a file"
    typed: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(table_lines(path, "the table of node types", expected), 1):
        type, *labels = line.split() or ("#",)
        if type.startswith("#"):
            continue
        if not labels:
            raise InputError(
                f"{type!r} alone; expected a type and its labels, as in 'concept AOrigin ADestination'",
                source=path,
                line=number,
            )
        for label in labels:
            known, before = typed.setdefault(label, (type, number))
            if known != type:
                raise InputError(
                    f"got the label {label!r} with the type {type!r}, but with {known!r} in line {before}; "
                    "expected one type for each label",
                    source=path,
                    line=number,
                )
    if not typed:
        raise InputError("no types; expected lines such as 'concept AOrigin ADestination'", source=path)
    return typed


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
    trees = as_tree(gold), as_tree(system)
    return _sequence_counts(trees, [[0] * len(tree.words) for tree in trees])


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
    paths: dict[tuple[int, int], int] = {}
    slots = [slot_numbers(nodes, UNCOUNTED, paths) for nodes in (names or LabelNumbers()).nodes(*trees)]
    return _sequence_counts(trees, slots)


def _sequence_counts(trees: tuple[Tree, Tree], slots: list[list[int]]) -> NodeCounts:
    """Return the counts of two sequences: of trees without nodes, whose words have the slots as types."""
    nodes = LabelNumbers(lambda label: None, lambda tag: None).nodes(*trees)
    rows = [typed_nodes(one, ([], [slot + 1 for slot in side]), None) for one, side in zip(nodes, slots)]
    return counts_of(rows, MOST_MEMORY)


@dataclass(slots=True, eq=False, repr=False)
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

    def count(self, pair: Pair) -> ConceptRecord:
        return ConceptRecord(
            or_undefined(word_accuracy, pair.gold, pair.system),
            or_undefined(concept_accuracy, pair.gold, pair.system, names=self._names),
        )
