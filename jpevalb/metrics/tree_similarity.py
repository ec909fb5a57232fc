"""Similarity of two trees: of the lineages of their words (leaf-ancestor), and by edits of nodes (TedEval).

Source: Sampson & Babarczy 2003; Tsarfaty, Nivre & Andersson 2012.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TypeAlias

from ..alignment.pair import Pair
from ..base.counts import Counts, Quotient, ratio, rounded, sums
from ..kernels.mapping import SCALE, TOO_LARGE, map_labels
from ..settings.rules import RunRules
from ..settings.settings import Settings
from ..trees.tree import Tree
from ..trees.words import alike
from . import Figure, Line, Metric, f1_figure
from .alignment import common_cuts
from .mapping import MOST_STEPS, label_numbers, label_rows

BEGINS, ENDS, BLOCK_BEGINS, BLOCK_ENDS = "(", ")", "[", "]"
"""Boundary marks of a lineage.  They never equal a label: labels are tuples."""

Lineage: TypeAlias = tuple[object, ...]


@dataclass(slots=True, eq=False, repr=False)
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
        super().__init__(settings, rules)
        self._label = label_numbers(rules).counted

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


@dataclass(slots=True, eq=False, repr=False)
class TedEvalCounts(Counts):
    """Nodes of a cheapest mapping without relabelling: constituents, tags and segments, without roots.

    >>> both = TedEvalCounts.of(3, 4, 4) + TedEvalCounts.of(0, 1, 1)
    >>> both.mean, both.corpus, both.additions, both.deletions
    (0.375, 0.6, 2, 2)
    """

    _internal = ("shown", "scores")

    matched: int = 0  #: gold nodes mapped to an equal node
    gold: int = 0  #: gold nodes without roots
    system: int = 0  #: system nodes without roots
    scores: int = 0  #: sum of the sentences' scores, in units of 2**-40
    sentences: int = 0  #: sentences with a node on either side
    undefined: int = 0  #: sentences with gaps, or too large to map; they are in no other count

    @classmethod
    def of(cls, matched: int, gold: int, system: int) -> TedEvalCounts:
        """Return the counts of one sentence."""
        size = gold + system
        if not size:
            return cls()
        return cls(matched, gold, system, rounded(2 * matched * SCALE, size), 1)

    @property
    def additions(self) -> int:
        """System nodes that no node is mapped to."""
        return self.system - self.matched

    @property
    def deletions(self) -> int:
        """Gold nodes mapped to nothing."""
        return self.gold - self.matched

    mean = Quotient(
        "scores", "sentences", "Mean of the sentences' scores, in [0, 1]; ``None`` if there are none.", SCALE
    )

    @property
    def corpus(self) -> float | None:
        """Global score: 1 - (additions + deletions) / (gold + system), in [0, 1]."""
        return ratio(2 * self.matched, self.gold + self.system)


class TedEval(Metric):
    """TedEval of each group of sentences, the mean of the groups, and the global score.

    Source: Tsarfaty, Nivre & Andersson 2012, with edits that add and delete nodes but never relabel.
    """

    name = "tedeval"
    counts = TedEvalCounts
    settings = ("most_memory",)
    figures = (
        Figure(
            "ted_eval",
            "TedEval",
            line="TedEval, sentence mean",
            column="TedEval",
            counts=sums("scores", f"{SCALE} * sentences"),
            value_of=attrgetter("mean"),
        ),
        f1_figure("ted_eval_global", "TedEval gl.", line="TedEval, global"),
    )

    def __init__(self, settings: Settings, rules: RunRules) -> None:
        super().__init__(settings, rules)
        self._numbers = label_numbers(rules)

    def count(self, pair: Pair) -> TedEvalCounts:
        if pair.has_gaps:
            return TedEvalCounts(undefined=1)

        def kind(label: str, of: str) -> Hashable:
            # Equal nodes share a type of their own, so that nothing is relabelled.
            return label if of == "word" else self._numbers.number(label, tag=of == "tag")

        trees = []
        sides = (pair.gold, pair.system), alike(pair.gold.words, pair.system.words), pair.unit_of_words()[:2]
        for side, (tree, words, units) in enumerate(zip(*sides)):
            # Words of different units are never equal, nor are unaligned words of both sides.
            texts = [f"{unit if unit >= 0 else ~side} {word}" for unit, word in zip(units, words)]
            trees.append(tree.replace(words=tuple(texts)))
        gold, system = trees
        rows = label_rows(gold, system, self._numbers.nodes(gold, system), kind, self._numbers)
        matched, _, n, m, _ = map_labels(*rows, False, self._settings.most_memory / 8, MOST_STEPS)
        return TedEvalCounts(undefined=1) if matched == TOO_LARGE else TedEvalCounts.of(matched, n, m)

    def lines(self, record: TedEvalCounts) -> Sequence[Line]:
        undefined = [Line("Without TedEval", record.undefined, "count")] if record.undefined else []
        return [*super().lines(record), *undefined]

    def left_out(self, record: TedEvalCounts) -> Sequence[tuple[int, str]]:
        return [(record.undefined, "sentences with gaps or too large for TedEval")]
