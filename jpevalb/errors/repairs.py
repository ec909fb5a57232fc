"""Repairs: turning the system's tree into gold's, step by step.

Source: Kummerfeld, Hall, Curran & Klein 2012 (Parser Showdown at the Wall Street Corral, EMNLP, section 3).
An error is whatever one operation on the tree repairs, however many brackets that takes, so a single
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
matched nodes is repaired by itself, and no step makes a new error.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Child(NamedTuple):
    """A child in a run, or a neighbour of the run."""

    label: str  # label of a constituent, or tag of a word; empty for a word without one
    word: bool


class Step(NamedTuple):
    """One repair."""

    # ``"relabel"``, ``"add"``, ``"remove"``, ``"move"``; ``"alone"`` for a sentence without counterpart,
    # ``"unparsed"`` if the system has no constituents, ``"unexpected"`` if gold has none; ``"boundary"`` for
    # other sentence ends, ``"unaligned"`` for constituents over words without counterpart
    kind: str
    # Gold's label of the node that is relabelled or added, the system's of one that is removed; for a move,
    # the label of the run's parent afterwards
    label: str
    # The system's label of a node that is relabelled; for a move, the label of the run's parent before;
    # otherwise as ``label``
    was: str
    # Label of the node above the one that is relabelled, added or removed, or above all nodes that a move
    # changes; ``None`` for the top of the tree
    above: str | None
    parts: tuple[Child, ...]  # the run that moves, or the children of the node
    # Neighbours of the run or the node: left and right before the step, then after it
    beside: tuple[Child, ...]
    added: str | None  # label of the node that is put around a run that moves
    one_word: bool  # True if the node, or the run, is one word
    missed: tuple[int, ...]  # gold nodes that the step adds; each unmatched one is in exactly one step
    extra: tuple[int, ...]  # system nodes that it corrects or removes; likewise
    # ``parts`` in the system's tree, for a word its parent; nodes that earlier steps added are omitted
    run: tuple[int, ...]

    @classmethod
    def of(cls, fields: tuple[Any, ...]) -> Step:
        """Return a step as the kernel returns it."""
        parts, beside = (tuple([Child(*child) for child in children]) for children in fields[4:6])
        return cls._make((*fields[:4], parts, beside, *fields[6:]))
