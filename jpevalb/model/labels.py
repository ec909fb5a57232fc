"""Which labels count and which are equal, with a .prm or without."""

from __future__ import annotations

from collections.abc import Iterable

from .params import Params
from .tree import Tree

DUMMY_ROOT = "@S"
"""Label of the root over the sentences of one bead."""

UNCOUNTED = frozenset(("", "TOP", "ROOT", DUMMY_ROOT))
"""Labels of nodes that are never constituents (design of Jo et al. 2024)."""

_MEMO_LIMIT = 100_000


def cut(label: str) -> str:
    """The label up to its first ``-`` or ``=``: without function tags and indices.

    >>> cut("NP-SBJ=2"), cut("-NONE-")
    ('NP', '')
    """
    for place, sign in enumerate(label):
        if sign in "-=":
            return label[:place]
    return label


class Labels:
    """The labels of one run, as evalb reads them.

    Bracket labels are cut before they are looked at, tags never are.  A bracket
    is deleted if its label is, or is equal to, a DELETE_LABEL; a word if its tag
    is one exactly.  TOP, ROOT, the empty label and the dummy root never count.

    Attributes:
        counted: For bracket labels met so far what they count as, or ``None``.
        equal_brackets: For a bracket label the other labels equal to it.
        equal_tags: The same of tags.
        equal_words: The same of words.
        deleted: Tags whose words are left out.
        unmeasured: Tags whose words do not count for a sentence's length.
        fired: Whether any DELETE_LABEL has been met.

    >>> labels = Labels(Params(delete_labels=("S1",), eq_labels=(("ADVP", "PRT"),)))
    >>> [labels.resolve(label) for label in ("S1", "NP-SBJ", "TOP")], labels.equal_brackets
    ([None, 'NP', None], {'ADVP': ('PRT',), 'PRT': ('ADVP',)})
    """

    __slots__ = (
        "_gone",
        "_unlabeled",
        "counted",
        "deleted",
        "equal_brackets",
        "equal_tags",
        "equal_words",
        "fired",
        "unmeasured",
    )

    def __init__(self, params: Params, *, unlabeled: bool = False) -> None:
        self._unlabeled = unlabeled or not params.labeled
        self.deleted = frozenset(params.delete_labels)
        self.unmeasured = frozenset(params.delete_labels_for_length)
        self.equal_tags = _neighbours(params.eq_labels)
        self.equal_words = _neighbours(params.eq_words)
        self.equal_brackets = {} if self._unlabeled else self.equal_tags
        gone = set(self.deleted)
        for label in self.deleted:
            gone.update(self.equal_tags.get(label, ()))
        self._gone = frozenset(gone)
        self.counted: dict[str, str | None] = {}
        self.fired = False

    def resolve(self, label: str) -> str | None:
        """What a bracket label counts as; ``None`` if it does not count."""
        if len(self.counted) >= _MEMO_LIMIT:
            self.counted.clear()
        name = cut(label)
        if name in self._gone:
            self.fired = True
            return None
        if name in UNCOUNTED:
            return None
        return "" if self._unlabeled else name

    def prune(self, tree: Tree) -> tuple[Tree, int]:
        """The tree without deleted words and what they leave empty.

        Returns:
            The tree, and how many of the words left out count for its length.

        Cost: O(nodes + words).
        """
        if not self.deleted:
            return tree, 0
        tags = tree.tags
        if self.deleted.isdisjoint(tags):
            return tree, 0
        self.fired = True
        kept = [tag not in self.deleted for tag in tags]
        outside = sum(not keep and tag not in self.unmeasured for keep, tag in zip(kept, tags))
        return without_words(tree, kept), outside

    def measured(self, tag: str | None) -> bool:
        """Whether a word with this tag counts for its sentence's length."""
        return tag not in self.unmeasured


def without_words(tree: Tree, kept: list[bool]) -> Tree:
    """The tree without some of its words, and without the nodes that have no word then.

    Cost: O(nodes + words).
    """
    place = [0]
    for keep in kept:
        place.append(place[-1] + keep)
    filled = [False] * len(tree)
    for node, keep in zip(tree.word_parents, kept):
        filled[node] = filled[node] or keep
    for node in range(len(tree) - 1, 0, -1):
        if filled[node]:
            filled[tree.parents[node]] = True
    nodes = [node for node in tree if filled[node]]
    number = {node: i for i, node in enumerate(nodes)}
    labels = tuple([tree.labels[node] for node in nodes])
    parents = tuple([number.get(tree.parents[node], -1) for node in nodes])
    words = tuple([word for word, keep in zip(tree.words, kept) if keep])
    word_parents = tuple([number[node] for node, keep in zip(tree.word_parents, kept) if keep])
    if not tree.is_continuous:
        # Children are ordered by their first word, which may have gone.
        return Tree.build(labels, parents, words, word_parents, id=tree.id)
    starts = tuple([place[tree.starts[node]] for node in nodes])
    ends = tuple([place[tree.ends[node]] for node in nodes])
    return Tree(labels, parents, starts, ends, words, word_parents, id=tree.id)


def _neighbours(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """For each member of a pair its other members: symmetric, not transitive."""
    found: dict[str, dict[str, None]] = {}
    for first, second in pairs:
        if first != second:
            found.setdefault(first, {})[second] = None
            found.setdefault(second, {})[first] = None
    return {label: tuple(others) for label, others in found.items()}
