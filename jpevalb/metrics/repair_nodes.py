"""The nodes of a part of a tree under repair: what they are over, which are errors, what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

Key: TypeAlias = "tuple[str, int]"
"""What a constituent counts as, and its leaves as bits: constituents of one key are the same."""


class Work:
    """How much work is left."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left


class RepairNodes:
    """A part of the system's tree, and the gold constituents that it lacks.

    Node 0 is its top, which is no error.  A leaf is a word or a matched constituent,
    whose inside is another part.  The mask of a node has a bit for each of its leaves
    (for each unit, where leaves may share units), lower ones at the left.

    Args:
        label: The top's label; ``None`` for the top of the tree.
        place: Number of the top.
        overlap: Whether leaves may share bits.
        work: How many masks may be looked at yet, in this part and in others; what is left
            when these are up is added and removed one by one.
    """

    def __init__(
        self, label: str | None = None, place: int | None = None, *, work: Work, overlap: bool = False
    ) -> None:
        self._above = label
        self._overlap = overlap
        self._gaps = False
        self._label: list[str] = [label or ""]
        self._name: list[str] = [label or ""]
        self._gold_names: dict[int, str] = {}
        self._parent: list[int] = [-1]
        self._children: list[list[int] | None] = [[]]
        self._mask: list[int] = [0]
        self._word: list[bool] = [False]
        self._single: list[bool] = [False]
        self._place: list[int | None] = [place]
        self._first_key: dict[int, Key] = {}
        self._leaf: dict[int, int] = {}
        self._balance: dict[Key, int] = {}
        self._missing: dict[Key, list[int]] = {}
        self._spare: dict[Key, list[int]] = {}
        self._clear: set[int] = set()
        self._work = work
        self._least = 0
        self._cost = 1

    # -- making -------------------------------------------------------------------

    def add_leaf(self, parent: int, label: str, mask: int, place: int, *, word: bool, single: bool) -> None:
        """Adds a leaf behind the parent's children.

        Args:
            parent: Number of its parent.
            label: Label of a constituent, tag of a word.
            mask: Its bits.
            place: Number of the constituent, ``~w`` for word ``w``.
            word: Whether it is a word.
            single: Whether it has one word.
        """
        node = len(self._label)
        self._label.append("")
        self._name.append(label)
        self._parent.append(parent)
        self._children.append(None)
        self._mask.append(mask)
        self._word.append(word)
        self._single.append(single)
        self._place.append(place)
        self._children[parent].append(node)  # type: ignore[union-attr]
        self._leaf.setdefault(mask & -mask, node)

    def add_node(self, parent: int, label: str, name: str, place: int) -> int:
        """Adds a node behind the parent's children.

        Args:
            parent: Number of its parent.
            label: What it counts as.
            name: Its label.
            place: Number of the constituent.

        Returns:
            Its number here.
        """
        return self._new(parent, label, name, place)

    def _new(self, parent: int, label: str, name: str, place: int | None) -> int:
        node = len(self._label)
        self._label.append(label)
        self._name.append(name)
        self._parent.append(parent)
        self._children.append([])
        self._mask.append(0)
        self._word.append(False)
        self._single.append(False)
        self._place.append(place)
        if parent >= 0:
            self._children[parent].append(node)  # type: ignore[union-attr]
        return node

    def grown(self, extra: Sequence[int] | None = None) -> None:
        """Ends the making; ``extra`` are the places of the nodes that are errors, all if not given."""
        masks, parents = self._mask, self._parent
        for node in range(len(masks) - 1, 0, -1):
            masks[parents[node]] |= masks[node]
        wrong = None if extra is None else set(extra)
        for node in range(1, len(masks)):
            if self._children[node] is not None:
                key = self._label[node], masks[node]
                self._first_key[node] = key
                self._balance[key] = self._balance.get(key, 0) + 1
                place = self._place[node]
                assert place is not None
                if wrong is None or place in wrong:
                    self._spare.setdefault(key, []).append(place)
                self._gaps = self._gaps or not solid(masks[node])

    def mask(self, node: int) -> int:
        """The leaves of a node, as bits."""
        return self._mask[node]

    def want(self, place: int, label: str, name: str, mask: int) -> None:
        """Says that a gold constituent is missing; arguments as of :meth:`add_node`."""
        key = label, mask
        self._gold_names[place] = name
        self._balance[key] = self._balance.get(key, 0) - 1
        self._missing.setdefault(key, []).append(place)
        self._gaps = self._gaps or not solid(mask)

    def known(self, node: int) -> None:
        """Says that gold has a node too."""
        self._balance[self._label[node], self._mask[node]] -= 1

    # -- what is wrong ------------------------------------------------------------

    def _worked(self, masks: int) -> None:
        self._work.left -= masks * self._cost

    def _extras(self) -> list[int]:
        balance, labels, masks, children = self._balance, self._label, self._mask, self._children
        self._worked(len(labels))
        return [
            node
            for node in range(1, len(labels))
            if children[node] is not None and balance.get((labels[node], masks[node]), 0) > 0
        ]

    def _crosses(self, mask: int) -> bool:
        """Whether a node stands in the way of a missing one."""
        # What is missing gets less, so what is clear once stays so.
        if mask in self._clear:
            return False
        self._worked(len(self._missing))
        if any(mask & other and mask & ~other and other & ~mask for _, other in self._missing):
            return True
        self._clear.add(mask)
        return False

    def _is_extra(self, node: int) -> bool:
        return (
            node > 0
            and self._children[node] is not None
            and self._balance.get((self._label[node], self._mask[node]), 0) > 0
        )

    def _key(self, node: int) -> Key:
        return self._label[node], self._mask[node]


def solid(mask: int) -> bool:
    """Whether the bits of a mask stand side by side.

    >>> solid(0b0110), solid(0b101)
    (True, False)
    """
    return mask & (mask + (mask & -mask)) == 0
