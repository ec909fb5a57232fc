"""Trees that one side writes in another way than the other, brought to the same form."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import accumulate, compress
from typing import NamedTuple

from .tree import Tree

EMPTIES = "empty elements without a tag -NONE-"
CHAINS = "labels of collapsed chains split"
BINARISED = "brackets of a binarisation removed"
WIDE_TAGS = "tags over several words"
PREPARED = (EMPTIES, CHAINS, BINARISED, WIDE_TAGS)
"""Names of what is prepared, in the order of reports."""

TRACE = "-NONE-"  # tag of traces and empty categories
# Patterns stay texts: most runs use none, and compiling them takes as long as scoring many sentences.
_EMPTY = r"\*[A-Za-z0-9?+]*\*(?:-[0-9]+)?|\*(?:-[0-9]+)?|0"
CERTAIN_EMPTY = r"\*[A-Za-z?+]+\*(?:-[0-9]+)?|\*-[0-9]+"  # no word of a text, unlike * and 0
_PHRASE = frozenset(["NP", "VP", "PP", "S", "SBAR", "ADVP", "ADJP", "IP", "CP", "QP", "NX", "C", "COMP"])
_WH = r"WH?[A-Z]*P\Z"  # WNP, WHADVP; the tag WP is none of them
_BINARISED = r"@.|.*\|<|NULL\Z|-NOLABEL-\Z|[~^<*'_+|#]+[^\W\d_]|[^\W\d_].*[@~^>*'_+|#]\Z"
JOINTS = ("::", "+", "@", "_")
"""Marks between the labels of a chain of brackets over the same words."""


def name_of(label: str) -> str:
    """Return a label without function tags and indices."""
    return re.split("[-=]", label, maxsplit=1)[0] or label


def is_empty_element(label: str, word: str, phrases: Collection[str] = ()) -> bool:
    """Return True if a word is an empty element, as ``(NP-SBJ *con*)`` or ``(C 0)`` have it.

    ``phrases`` are labels of constituents without their function tags; some are known in any file.
    """
    if not label or word[:1] not in "*0" or label == TRACE or re.fullmatch(_EMPTY, word) is None:
        return False
    name = name_of(label)
    return name in _PHRASE or name in phrases or (name != "WP" and re.match(_WH, name) is not None)


def is_binarised(label: str) -> bool:
    """Return True for the label of a node that binarisation adds, as ``@NP``, ``NP|<DT-NN>`` or ``NP*``."""
    return len(label) > 1 and re.match(_BINARISED, label) is not None


def parts_of(label: str, phrases: Collection[str]) -> Sequence[str]:
    """Return the labels that a label of a collapsed chain joins, if all are labels of constituents."""
    return _split(label, JOINTS, lambda part: part and name_of(part) in phrases)


def _split(label: str, joints: Sequence[str], is_part: Callable[[str], object]) -> Sequence[str]:
    """Return the labels that a mark joins, the first mark between labels alone."""
    for joint in joints:
        parts = label.split(joint)
        if len(parts) > 1 and all(map(is_part, parts)):
            return parts
    return ()


def chains_of(labels: Collection[str], others: Collection[str]) -> dict[str, Sequence[str]]:
    """Return the labels of a tree that the other one lacks, and that join its labels or usual ones.

    >>> chains_of({"S+VP", "NP", "X+Y"}, {"S", "NP"})
    {'S+VP': ['S', 'VP']}
    """
    joined = [label for label in labels if label not in others and any(mark in label for mark in JOINTS)]
    known = _PHRASE.union(map(name_of, others)) if joined else ()
    return {label: parts for label in joined if (parts := parts_of(label, known))}


def unbinarize(tree: Tree) -> Tree:
    """Return a tree without the nodes that binarisation adds; their children take their places.

    Such a node has a label like ``@NP``, ``NP|<DT-NN>``, ``NP*``, ``~NP`` or ``NULL``.  The root stays.

    >>> str(unbinarize(Tree.parse("(NP (DT the) (NP|<JJ-NN> (JJ big) (NN cat)))")))
    '(NP (DT the) (JJ big) (NN cat))'
    """
    return Preparation(undo=True).of(tree)


class Preparation(NamedTuple):
    """How the trees of one side are changed before they are scored."""

    empties: frozenset[str] | None = None  # labels of constituents, if empty elements get the tag -NONE-
    chains: Mapping[str, Sequence[str]] = {}  # the labels that a label of a constituent joins
    split: bool = False  # True to split every label with ``::`` or ``+``, also of tags
    undo: bool = False  # True to remove the brackets of a binarisation
    wide: frozenset[str] = frozenset()  # tags that may be brackets over several words
    untagged: bool = False  # True if brackets over one word are no tags

    def of(self, tree: Tree) -> Tree:
        """Return the changed tree; the tree itself if nothing changes."""
        if self.changes:
            tree = _changed(tree, self)
        return tree.replace(tagged=False) if self.untagged and tree.tagged else tree

    @property
    def changes(self) -> bool:
        """True if trees may change, apart from their tags."""
        return self[:-1] != NO_PREPARATION[:-1]


NO_PREPARATION = Preparation()


def _changed(tree: Tree, how: Preparation) -> Tree:
    labels, parents, homes = list(tree.labels), list(tree.parents), list(tree.word_parents)
    is_tag = [False] * len(tree) if how.untagged else tree.preterminals
    counts = dict.fromkeys(PREPARED, 0)
    kept = [True] * len(labels)
    lowest = list(range(len(labels)))  # the node that takes the children of each node
    with_nodes = set(tree.parents)

    def added(label: str, parent: int) -> int:
        labels.append(label)
        parents.append(parent)
        kept.append(True)
        return len(labels) - 1

    for node in tree:
        label, parent = labels[node], parents[node]
        if parent >= 0:
            parents[node] = lowest[parent]
        if how.undo and parent >= 0 and not is_tag[node] and is_binarised(label):
            kept[node], lowest[node] = False, parents[node]
            counts[BINARISED] += 1
            continue
        parts = how.chains[label] if how.chains and not is_tag[node] else ()
        if parts := parts or (how.split and _split(label, JOINTS[:2], re.compile(r"[^\W_]").match)) or ():
            counts[CHAINS] += 1
            labels[node] = parts[0]
            for part in parts[1:]:
                lowest[node] = added(part, lowest[node])
    for index, (node, word) in enumerate(zip(tree.word_parents, tree.words)):
        homes[index] = lowest[node]
        label = tree.labels[node]
        if label in how.wide and node not in with_nodes and not is_tag[node]:
            counts[WIDE_TAGS] += tree.starts[node] == index
            kept[node] = False
            homes[index] = added(label, parents[node])
        elif (
            how.empties is not None
            and tree.starts[node] == index
            and is_empty_element(label, word, how.empties)
        ):
            counts[EMPTIES] += 1
            homes[index] = added(TRACE, lowest[node])
    found = {what: count for what, count in counts.items() if count}
    if not found:
        return tree
    number = [*accumulate(kept, initial=0), -1]  # of each node among those that stay; the last: no parent
    edges = [*tree.edges, *[""] * (len(labels) - len(tree))] if tree.edges else []
    made = Tree.build(
        list(compress(labels, kept)),
        [number[parent] for parent in compress(parents, kept)],
        tree.words,
        [number[home] for home in homes],
        tree.id,
        list(compress(edges, kept)),
    )
    if tree.below_root or not tree.tagged:
        made = made.replace(below_root=tree.below_root, tagged=tree.tagged)
    made.columns.rewritten = {**(tree.columns.rewritten or {}), **found}
    return made
