"""Roots: labels that a tool has put over every tree, which count like any other."""

from __future__ import annotations

import re

from .labels import cut
from .tree import Tree

_NAME = re.compile(r"[\W_]*(?:s1|[a-z]?root|top)[\W_\d]*", re.IGNORECASE)

_PHRASES = frozenset(
    ["S", "SQ", "SINV", "SBARQ", "SBAR", "NP", "VP", "FRAG", "INTJ", "UCP", "IP", "CP", "SENT"]
)
"""Labels that a small corpus may have at every root by right, even with one child: imperatives are a VP."""


class RootLabel:
    """Notices a label that every tree has at its root and nowhere else, and that looks like a tool's.

    Such a root (``S1``, ``VROOT``) matches in every sentence and lifts the scores.  It
    is known by its name, or by a constituent that is all it has in every tree; the name
    of a phrase is no such name.
    """

    _ENOUGH = 10

    def __init__(self) -> None:
        self._label: str | None = None
        self._trees = 0
        self._plain = False
        self._named = False

    @property
    def plain(self) -> bool:
        """Whether it is known that there is no such label."""
        return self._plain

    def see(self, tree: Tree) -> None:
        """Looks at a tree."""
        if not self._plain and tree.words:
            label = tree.labels[0]
            self._meet(label)
            if label in tree.labels[1:] or not (
                self._named or (cut(label) not in _PHRASES and _has_one_child(tree))
            ):
                self._plain = True
            self._trees += 1

    def _meet(self, label: str | None) -> None:
        """Takes in the label of the next root."""
        if label != self._label:
            self._plain = self._plain or self._trees > 0
            self._label = label
            self._named = label is not None and _NAME.fullmatch(label) is not None

    @property
    def state(self) -> tuple[str | None, int, bool]:
        """What :meth:`add` takes."""
        return self._label, self._trees, self._plain

    def add(self, state: tuple[str | None, int, bool]) -> None:
        """Takes in what another has seen of other trees."""
        label, trees, plain = state
        if trees:
            self._meet(label)
            self._plain = self._plain or plain
            self._trees += trees

    @property
    def suspect(self) -> str | None:
        """The label, if there is one."""
        return None if self._plain or self._trees < self._ENOUGH else self._label


def _has_one_child(tree: Tree) -> bool:
    """Whether the root has one child, which is a constituent."""
    parents, word_parents = tree.parents, tree.word_parents
    if parents.count(0) != 1 or 0 in word_parents:
        return False
    return 1 in parents or word_parents.count(1) > 1
