"""Corrections: turning the system's tree into gold's, step by step.

Source: Kummerfeld, Hall, Curran & Klein 2012 (Parser Showdown at the Wall Street Corral, EMNLP, section 3).
An error is whatever one operation on the tree corrects, however many brackets that takes, so a single
misplaced prepositional phrase is one error and not five.  Each step is the operation that leaves
fewest bracket errors:

- *relabel* a node;
- *add* a missing node over some children of one node, or *remove* an extra node;
- *move* a run of children, but not all children of a node: out of extra nodes at whose edge it is,
  into extra nodes next to it, or both, at any depth.  A missing
  node may be put around the run and some of its new sisters, and a node that is left
  with one child and is still extra is removed.

Unlike there, operations work on the system's own words, and constituents are equal
to gold's by units alone, so the two sides may differ in words and in sentences; trees
may have gaps; a matched node is never touched.  So every part of the tree between
matched nodes is corrected by itself, and no step makes a new error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..kernels.columns import tags_of
from ..trees.tree import Tree


class Child(NamedTuple):
    """A child in a run, or a neighbour of the run."""

    label: str  # label of a constituent, or tag of a word; empty for a word without one
    word: bool


class Step(NamedTuple):
    """One correction."""

    # ``"relabel"``, ``"add"``, ``"remove"``, ``"move"``; ``"alone"`` for a sentence without counterpart,
    # ``"unparsed"`` if the system has no constituents, ``"unexpected"`` if gold has none; ``"boundary"`` for
    # other sentence ends, ``"unaligned"`` for constituents over words without counterpart
    kind: str
    # Gold's label of the node that is relabelled or added, the system's of one that is removed; for a move,
    # the label of the run's parent afterwards
    label: str = ""
    # The system's label of a node that is relabelled; for a move, the label of the run's parent before;
    # otherwise as ``label``
    was: str = ""
    # Label of the node above the one that is relabelled, added or removed, or above all nodes that a move
    # changes; ``None`` for the top of the tree
    above: str | None = None
    parts: tuple[Child, ...] = ()  # the run that moves, or the children of the node
    # Neighbours of the run or the node: left and right before the step, then after it
    beside: tuple[Child, ...] = ()
    added: str | None = None  # label of the node that is put around a run that moves
    one_word: bool = False  # True if the node, or the run, is one word
    missed: tuple[int, ...] = ()  # gold nodes that the step adds; each unmatched one is in exactly one step
    extra: tuple[int, ...] = ()  # system nodes that it corrects or removes; likewise
    # ``parts`` in the system's tree, for a word its parent; nodes that earlier steps added are omitted
    run: tuple[int, ...] = ()


class ConstituentTree:
    """The constituents of one side in preorder, and the tree that they form.

    Args:
        tree: The tree.
        names: Labels of the constituents.
        nodes: Their nodes.
        partners: For each the matching constituent of the other side, or -1.
        counted: Returns the name under which a label counts, equal for equal labels.
    """

    def __init__(
        self,
        tree: Tree,
        names: Sequence[str],
        nodes: Sequence[int],
        partners: Sequence[int],
        counted: Callable[[str], str],
    ) -> None:
        self.tree, self.names, self.nodes, self.partners, self.counted = tree, names, nodes, partners, counted
        self.parents, self.below = constituent_tree(tree, nodes)
        self._tags = tags_of(tree.with_tags)

    def find_homes(self, other_homes: Sequence[int] | None = None) -> None:
        """Find for each constituent the part that it is in, and whether a matched one has its yield.

        The part is the smallest matched yield that contains its own or equals it, so the order of the labels
        in a unary chain does not matter.  Its name is the first of the system's matched constituents with
        that yield, or -1 for the top part; gold finds it in ``other_homes``, those of the system.
        """
        self.homes: list[int] = []
        self.settled: list[bool] = []
        for index, parent in enumerate(self.parents):
            if parent >= 0 and len(self.below[parent]) == 1:
                # Inside a unary chain
                home, settled = self.homes[parent], self.settled[parent]
            else:
                matched = index
                while self.partners[matched] < 0 and self.below[matched] == [matched + 1]:
                    matched += 1
                partner = self.partners[matched]
                settled = partner >= 0
                home = self.homes[parent] if parent >= 0 else -1
                if settled:
                    home = matched if other_homes is None else other_homes[partner]
            self.homes.append(home)
            self.settled.append(settled)

    def name_of(self, child: int) -> str:
        """Return the label of a constituent, or the tag of a word; it is empty for a word without one."""
        return self.names[child] if child >= 0 else self._tags[~child] or ""

    def node_of(self, child: int) -> int:
        """Return the node of a constituent, or the parent of a word."""
        return self.nodes[child] if child >= 0 else self.tree.word_parents[~child]

    def is_one_word(self, children: Sequence[int]) -> bool:
        """Return True if some children have one word together."""
        if len(children) == 1 and children[0] >= 0:
            node = self.nodes[children[0]]
            return self.tree.ends[node] - self.tree.starts[node] == 1
        return len(children) == 1


def constituent_tree(tree: Tree, nodes: Sequence[int]) -> tuple[list[int], list[list[int]]]:
    """Return the tree that selected nodes form: their parents, and children by first word.

    The nodes are in ascending order, and none is without words.  The parents are indices into ``nodes``, -1
    for none.  The children are indices, or ``~w`` for word ``w``; the last list is of those without a parent.
    """
    # For each node the index of the nearest selected one, itself included; the last is for no node
    nearest = [-1] * (len(tree.parents) + 1)
    for index, node in enumerate(nodes):
        nearest[node] = index
    above: list[int] = []
    below: list[list[int]] = [[] for _ in range(len(nodes) + 1)]
    for node, parent in enumerate(tree.parents):
        if nearest[node] < 0:
            nearest[node] = nearest[parent]
        else:
            above.append(nearest[parent])
    for word, node in enumerate(tree.word_parents):
        child, index = ~word, nearest[node]
        below[index].append(child)
        while len(below[index]) == 1 and index >= 0:
            child, index = index, above[index]
            below[index].append(child)
    return above, below
