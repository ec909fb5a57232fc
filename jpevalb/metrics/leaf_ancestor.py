"""Leaf-ancestor: similarity of each word's lineage, the labels above it, on both sides.

Source: Sampson & Babarczy 2003.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from ..alignment.pair import Pair
from ..trees.counts import Counts, ratio, rounded
from ..trees.frozen import frozen
from ..trees.labels import LabelPolicy
from ..trees.settings import Settings
from ..trees.tree import Tree
from . import Figure, Metric
from .mapping import counted_label
from .segmentation import common_cuts

SCALE = 1 << 40
"""Similarities are summed as integers in units of 1 / SCALE, so that a sum does not depend on its order."""

BEGINS, ENDS, BLOCK_BEGINS, BLOCK_ENDS = "(", ")", "[", "]"
"""Boundary marks of a lineage.  They never equal a label: labels are tuples."""

Lineage: TypeAlias = tuple[object, ...]


@frozen
class LeafAncestorCounts(Counts):
    """Similarities of lineages.

    Attributes:
        words: Gold words.
        alone: Gold words without a counterpart; their similarity is 0.
        similarity: Sum of the similarities, in units of 2**-40.

    >>> LeafAncestorCounts(4, 1, 3 * 2**40).mean
    0.75
    """

    words: int = 0
    alone: int = 0
    similarity: int = 0

    @property
    def mean(self) -> float | None:
        """Mean similarity of the gold words, in [0, 1]; null without gold words."""
        return ratio(self.similarity / SCALE, self.words)


def lineages(tree: Tree, label: Callable[[str], str | None]) -> list[Lineage]:
    """Return each word's lineage; ``label`` gives the name of a label, ``None`` if it does not count."""
    lineages: list[list[object]] = [[] for _ in tree.words]
    marked: list[set[str]] = [set() for _ in tree.words]

    def mark(word: int, sign: str) -> None:
        if sign not in marked[word]:
            marked[word].add(sign)
            lineages[word].append(sign)

    words_below: list[list[int]] = [[] for _ in tree]
    for word, node in enumerate(tree.word_parents):
        while node >= 0:
            words_below[node].append(word)
            node = tree.parents[node]
    # Nodes are in preorder, so labels come from the top down.
    for node, is_tag in enumerate(tree.preterminals):
        words = words_below[node]
        name = label(tree.labels[node]) if words and not is_tag else None
        if name is None:
            continue
        covered = set(words)
        for word in words:
            last, first = word == words[-1], word == words[0]
            if last or word + 1 not in covered:
                mark(word, ENDS if last else BLOCK_ENDS)
            lineages[word].append((name,))
            if first or word - 1 not in covered:
                mark(word, BEGINS if first else BLOCK_BEGINS)
    return [tuple(lineage) for lineage in lineages]


def similarities(
    gold: Sequence[Lineage], system: Sequence[Lineage], pairs: Sequence[tuple[int, int]]
) -> list[int]:
    """Return the similarities of pairs of words, in units of 2**-40."""
    if all(gold[i] == system[j] for i, j in pairs):
        return [SCALE] * len(pairs)
    # Imported only if needed: the import takes as long as everything else here.
    from rapidfuzz.distance.LCSseq import similarity

    values = []
    for i, j in pairs:
        # With replacements at 2, n + m - distance is twice the length of the longest common subsequence.
        size = len(gold[i]) + len(system[j])
        shared = similarity(gold[i], system[j])
        values.append(rounded(2 * shared * SCALE, size) if size else SCALE)
    return values


class LeafAncestor(Metric):
    """The leaf-ancestor score: the mean similarity of the lineages of gold words and of their counterparts.

    The lineage of a word is the labels of its constituents (without the tag) from the top down.  A
    mark follows the label of the highest constituent that begins at the word, and a mark precedes
    the label of the highest that ends there; other marks show where a block of a constituent with gaps
    begins or ends at a gap.  The similarity of two lineages is 1 - d / (n + m) for their edit distance d,
    in which a replacement costs 2, and their lengths n and m; two empty ones have 1.  The counterpart of a
    word is that of the segmentation score; a word without one has similarity 0.

    Source: Sampson & Babarczy 2003.  As there, a replacement costs as much as a deletion and
    an insertion, so that lineages with nothing in common have similarity 0; their smaller cost for
    related labels needs a table of such labels, and is left out.  disco-dop, whose
    marks these are, counts 1 for a replacement, so that hardly any word is below 0.5.
    """

    name = "leaf"
    counts = LeafAncestorCounts
    figures = (
        Figure(
            "leaf_ancestor",
            "Leaf-anc.",
            line="Leaf-ancestor",
            column="LeafAnc",
            counts=lambda record: (record.similarity, record.words * SCALE),
            value_of=lambda record: record.mean,
        ),
    )

    def __init__(self, settings: Settings, labels: LabelPolicy) -> None:
        self._label = counted_label(labels)

    def count(self, pair: Pair) -> LeafAncestorCounts:
        words = len(pair.gold.words)
        if pair.identical_words:
            # The system has no words if it has no parse.
            pairs = [(word, word) for word in range(min(words, len(pair.system.words)))]
        else:
            pairs = [(word, partner) for word, partner in enumerate(common_cuts(pair)[2]) if partner >= 0]
        gold, system = lineages(pair.gold, self._label), lineages(pair.system, self._label)
        values = similarities(gold, system, pairs)
        return LeafAncestorCounts(words, words - len(values), sum(values))
