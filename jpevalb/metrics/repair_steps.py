"""Steps: the repairs that turn a system's tree into gold's, one by one, as the rules of causes see them."""

from __future__ import annotations

from typing import NamedTuple


class Part(NamedTuple):
    """One child in a run, or the neighbour of one."""

    label: str
    """A constituent's label, or a word's tag; empty for a word without one."""
    word: bool
    """Whether it is a word."""


class Step(NamedTuple):
    """One repair.

    Constituents are numbers in the lists of :class:`jpevalb.metrics.repairs.Side`.
    """

    kind: str
    """``"relabel"``, ``"add"``, ``"remove"``, ``"move"``; ``"unparsed"`` where the system
    has no constituent at all, ``"unexpected"`` where gold has none."""
    label: str
    """Gold's label of the node that is relabelled or added, the system's of one that is removed;
    of a move, the label of the node that the run hangs from afterwards."""
    was: str
    """The system's label of a node that is relabelled; of a move, the label of the node that the
    run hung from; else as ``label``."""
    above: str | None
    """Label of the node above the one that is relabelled, added or removed, or above all nodes
    that a move changes; ``None`` for the top of the tree."""
    parts: tuple[Part, ...]
    """The run that moves, or the children of the node."""
    beside: tuple[Part, ...]
    """Neighbours of the run or of the node: left and right before the step, then after it."""
    added: str | None
    """Label of the node that is put around a run that moves."""
    one_word: bool
    """Whether the node, or the run, is one word."""
    missed: tuple[int, ...]
    """Gold constituents that are there now."""
    extra: tuple[int, ...]
    """The system's constituents that are mended or gone."""
    run: tuple[int, ...]
    """What ``parts`` are in the system's tree: constituents, ``~w`` for word ``w``; nodes that were
    added on the way are left out."""

    @property
    def brackets(self) -> int:
        """Bracket errors that are gone with it."""
        return len(self.missed) + len(self.extra)
