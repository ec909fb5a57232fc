"""Leaf-ancestor: similarity of each word's lineage, the labels above it, on both sides.

Source: Sampson & Babarczy 2003.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TypeAlias

from ..alignment.pair import Pair
from ..base.counts import Counts, Quotient, rounded, sums
from ..kernels.mapping import SCALE
from ..settings.rules import RunRules
from ..settings.settings import Settings
from ..trees.tree import Tree
from . import Figure, Metric
from .mapping import counted_label
from .segmentation import common_cuts

BEGINS, ENDS, BLOCK_BEGINS, BLOCK_ENDS = "(", ")", "[", "]"
"""Boundary marks of a lineage.  They never equal a label: labels are tuples."""

Lineage: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LeafAncestorCounts(Counts):
    """Similarities of lineages.

    >>> LeafAncestorCounts(4, 1, 3 * 2**40).mean
    0.75
    """

    _internal = ("shown", "similarity")

    words: int = 0  #: gold words
    alone: int = 0  #: gold words without a counterpart; their similarity is 0
    similarity: int = 0  #: sum of the similarities, in units of 2**-40

    mean = Quotient(
        "similarity",
        "words",
        "Mean similarity of the gold words, in [0, 1]; ``None`` without gold words.",
        SCALE,
    )


def lineages(tree: Tree, label: Callable[[str], str | None]) -> list[Lineage]:
    """Return each word's lineage; ``label`` gives the name of a label, ``None`` if it does not count."""
    lineages: list[list[object]] = [[] for _ in tree.words]
    marked: list[set[str]] = [set() for _ in tree.words]

    def mark(word: int, sign: str) -> None:
        if sign not in marked[word]:
            marked[word].add(sign)
            lineages[word].append(sign)

    # Nodes are in preorder, so labels come from the top down.
    for text, is_tag, blocks in zip(tree.labels, tree.preterminals, tree.blocks()):
        name = label(text) if blocks and not is_tag else None
        if name is None:
            continue
        for start, end in blocks:
            for word in range(start, end):
                if word == end - 1:
                    mark(word, ENDS if end == blocks[-1][1] else BLOCK_ENDS)
                lineages[word].append((name,))
                if word == start:
                    mark(word, BEGINS if start == blocks[0][0] else BLOCK_BEGINS)
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
        # 1 - d / (n + m) for their edit distance d: with replacements at 2, so that lineages with nothing in
        # common have 0, n + m - d is twice the length of the longest common subsequence.
        size = len(gold[i]) + len(system[j])
        shared = similarity(gold[i], system[j])
        values.append(rounded(2 * shared * SCALE, size) if size else SCALE)
    return values


class LeafAncestor(Metric):
    """The leaf-ancestor score: the mean similarity of the lineages of gold words and of their counterparts.

    Source: Sampson & Babarczy 2003, without their smaller cost for replacing related labels.
    """

    name = "leaf"
    counts = LeafAncestorCounts
    figures = (
        Figure(
            "leaf_ancestor",
            "Leaf-anc.",
            line="Leaf-ancestor",
            column="LeafAnc",
            counts=sums("similarity", f"{SCALE} * words"),
            value_of=attrgetter("mean"),
        ),
    )

    def __init__(self, settings: Settings, rules: RunRules) -> None:
        self._label = counted_label(rules)

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
