"""TedEval: share of nodes and segments that a tree mapping leaves unchanged.

Source: Tsarfaty, Nivre & Andersson 2012.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from ..alignment.pair import Pair
from ..kernels.mapping import TOO_LARGE, map_labels
from ..trees.counts import Counts, ratio, rounded
from ..trees.frozen import frozen, replace
from ..trees.labels import LabelPolicy
from ..trees.settings import Settings
from ..trees.tree import Tree
from ..trees.words import alike
from . import Figure, Line, Metric, f1_figure
from .mapping import MOST_STEPS, label_numbers, label_rows

SCALE = 1 << 40
"""Scores are summed as integers in units of 1 / SCALE, so that a sum does not depend on its order."""


@frozen
class TedEvalCounts(Counts):
    """Nodes of a cheapest mapping without relabelling: constituents, tags and segments.

    Attributes:
        matched: Gold nodes mapped to an equal node.
        gold: Gold nodes without roots.
        system: System nodes without roots.
        scores: Sum of the sentences' scores, in units of 2**-40.
        sentences: Sentences that have a score, that is a node on either side.
        undefined: Sentences with gaps, or too large to map; they are in no other count.

    >>> both = TedEvalCounts.of(3, 4, 4) + TedEvalCounts.of(0, 1, 1)
    >>> both.mean, both.corpus, both.additions, both.deletions
    (0.375, 0.6, 2, 2)
    """

    matched: int = 0
    gold: int = 0
    system: int = 0
    scores: int = 0
    sentences: int = 0
    undefined: int = 0

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

    @property
    def mean(self) -> float | None:
        """Mean of the sentences' scores, in [0, 1]; null if there are none."""
        return ratio(self.scores / SCALE, self.sentences)

    @property
    def corpus(self) -> float | None:
        """Global score: 1 - (additions + deletions) / (gold + system), in [0, 1]."""
        return ratio(2 * self.matched, self.gold + self.system)


def _in_units(tree: Tree, words: Sequence[str], units: Sequence[int] | None) -> Tree:
    """Return a tree over words with their units, so that words of different units are never equal."""
    numbers: Any = range(len(words)) if units is None else units
    return replace(tree, words=tuple([f"{unit} {word}" for unit, word in zip(numbers, words)]))


class TedEval(Metric):
    """TedEval of each bead, the mean of the beads, and the global score.

    Nodes are constituents and tags, without roots, and the words as segments.  A node maps to a
    node of an equal label, a segment to the same segment in the same unit, that is the shortest stretch
    of text that begins and ends at a token boundary of both sides; ancestors stay ancestors and left
    stays left.  The score is 1 - (additions + deletions) / (nodes of both sides) of the mapping that
    leaves most nodes unchanged.

    Source: Tsarfaty, Nivre & Andersson 2012, with edits that add and delete nodes but never relabel.
    There a segment stays inside a word of the raw text, which the trees of a treebank do not have; a unit
    is at most as long as such a word if the segments of both sides make it up, and often shorter.  The
    published program is not available for a comparison.
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
            counts=lambda record: (record.scores, record.sentences * SCALE),
            value_of=lambda record: record.mean,
        ),
        f1_figure("ted_eval_global", "TedEval gl.", lambda record: record, line="TedEval, global"),
    )

    def __init__(self, settings: Settings, labels: LabelPolicy) -> None:
        self._numbers = label_numbers(labels)
        self._most_memory = settings.most_memory

    def count(self, pair: Pair) -> TedEvalCounts:
        if pair.has_gaps:
            return TedEvalCounts(undefined=1)
        numbers = self._numbers

        def kind(label: str, of: str) -> Hashable:
            # Equal nodes share a type of their own, so that nothing is relabelled.
            return label if of == "word" else numbers.number(label, tag=of == "tag")

        words = alike(pair.gold.words, pair.system.words)
        trees = map(_in_units, (pair.gold, pair.system), words, pair.unit_of_words()[:2])
        rows = label_rows(*trees, types=kind, names=numbers)
        matched, _, n, m, _ = map_labels(*rows, False, self._most_memory / 8, MOST_STEPS)
        return TedEvalCounts(undefined=1) if matched == TOO_LARGE else TedEvalCounts.of(matched, n, m)

    def lines(self, record: TedEvalCounts) -> Sequence[Line]:
        undefined = [Line("Without TedEval", record.undefined, "count")] if record.undefined else []
        return [*super().lines(record), *undefined]

    def left_out(self, record: TedEvalCounts) -> Sequence[tuple[int, str]]:
        return [(record.undefined, "sentences with gaps or too large for TedEval")]
