"""Leaf-ancestor: for each word, how like its lineage, the labels above it, is on both sides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from ..alignment.pair import Pair
from ..trees.counts import Counts, ratio
from ..trees.frozen import frozen
from ..trees.labels import LabelPolicy
from ..trees.settings import Settings
from ..trees.tree import Tree
from . import Column, Figure, Measure, Metric, Rate
from .mapping import counted_label
from .segmentation import common_cuts

SCALE = 1 << 40
"""Similarities are summed as integers in units of 1 / SCALE, so that a sum does not depend on its order."""

BEGINS, ENDS, BLOCK_BEGINS, BLOCK_ENDS = "(", ")", "[", "]"
"""Marks of a lineage.  No label is like one: labels come as pairs."""

Lineage: TypeAlias = tuple[object, ...]


@frozen
class LeafAncestorCounts(Counts):
    """Similarities of lineages.

    Attributes:
        words: Gold words.
        alone: Those without a counterpart; their similarity is 0.
        similarity: The sum of the similarities, in units of 2**-40.

    >>> LeafAncestorCounts(4, 1, 3 * 2**40).mean
    0.75
    """

    words: int = 0
    alone: int = 0
    similarity: int = 0

    @property
    def mean(self) -> float | None:
        """The mean similarity of the gold words, in [0, 1]; null without gold words."""
        return ratio(self.similarity / SCALE, self.words)


def lineages(tree: Tree, label: Callable[[str], str | None]) -> list[Lineage]:
    """For each word its lineage; ``label`` tells what a label counts as, ``None`` for one that does not.

    Cost: O(words * depth).
    """
    found: list[list[object]] = [[] for _ in tree.words]
    marked: list[set[str]] = [set() for _ in tree.words]

    def mark(word: int, sign: str) -> None:
        if sign not in marked[word]:
            marked[word].add(sign)
            found[word].append(sign)

    words = _words_of(tree)
    # Nodes are in preorder, so labels come from the top down.
    for node, tag in enumerate(tree.preterminals):
        mine = words[node]
        if not mine or tag:
            continue
        name = label(tree.labels[node])
        if name is None:
            continue
        covered = set(mine)
        for word in mine:
            last, first = word == mine[-1], word == mine[0]
            if last or word + 1 not in covered:
                mark(word, ENDS if last else BLOCK_ENDS)
            found[word].append((name,))
            if first or word - 1 not in covered:
                mark(word, BEGINS if first else BLOCK_BEGINS)
    return [tuple(lineage) for lineage in found]


def _words_of(tree: Tree) -> list[list[int]]:
    """For each node the words below it, ascending."""
    found: list[list[int]] = [[] for _ in tree]
    for word, node in enumerate(tree.word_parents):
        while node >= 0:
            found[node].append(word)
            node = tree.parents[node]
    return found


def similarities(
    gold: Sequence[Lineage], system: Sequence[Lineage], pairs: Sequence[tuple[int, int]]
) -> list[int]:
    """The similarities of pairs of words, in units of 2**-40."""
    # With replacements at 2, n + m - d is twice the length of the longest common subsequence.
    if all(gold[i] == system[j] for i, j in pairs):
        return [SCALE] * len(pairs)
    # Only where lineages differ: rapidfuzz costs as long to load as everything else here.
    from rapidfuzz.distance.LCSseq import similarity

    found = []
    for i, j in pairs:
        one, two = gold[i], system[j]
        size = len(one) + len(two)
        shared = similarity(one, two)
        found.append((4 * shared * SCALE + size) // (2 * size) if size else SCALE)
    return found


class LeafAncestor(Metric):
    """The leaf-ancestor score: the mean similarity of the lineages of gold words and of their counterparts.

    The lineage of a word is the labels of its constituents (tags are none) from the top down.  A
    mark stands below the label of the highest constituent that begins at the word, and a mark
    above the label of the highest that ends there; in a constituent with gaps, marks of another
    kind where one of its blocks ends, or begins, beside a gap.  The similarity of two lineages is
    1 - d / (n + m) for an edit distance d, in which a replacement costs 2, and their lengths; of
    two empty ones it is 1.  A counterpart is the token that stands for the word alone, as
    segmentation is scored; a word without one has similarity 0.

    Cost: O(words * depth**2).

    Source: Sampson & Babarczy 2003.  There, as here, a replacement costs as much as a deletion and
    an insertion, so that lineages without anything in common have similarity 0; the smaller cost
    that they give related labels needs a table of such labels, and is left out.  disco-dop, whose
    marks these are, counts 1 for a replacement, so that hardly anything is below 0.5.
    """

    name = "leaf"
    counts = LeafAncestorCounts
    rates = (
        Rate(
            Measure("leaf_ancestor", "Leaf-anc."),
            lambda record: (record.similarity, record.words * SCALE),
            lambda record: record.mean,
        ),
    )

    def __init__(self, settings: Settings, labels: LabelPolicy) -> None:
        self._label = counted_label(labels)

    def count(self, pair: Pair) -> LeafAncestorCounts:
        words = len(pair.gold.words)
        if pair.same_words:
            # Without a parse the system has none.
            pairs = [(word, word) for word in range(min(words, len(pair.system.words)))]
        else:
            pairs = [(word, other) for word, other in enumerate(common_cuts(pair)[2]) if other >= 0]
        found = similarities(lineages(pair.gold, self._label), lineages(pair.system, self._label), pairs)
        return LeafAncestorCounts(words, words - len(found), sum(found))

    def columns(self, record: LeafAncestorCounts) -> Sequence[Column]:
        return [Column("LeafAnc", record.mean)]

    def figures(self, record: LeafAncestorCounts) -> Sequence[Figure]:
        return [Figure("Leaf-ancestor", record.mean)]
