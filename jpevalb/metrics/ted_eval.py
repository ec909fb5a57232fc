"""TedEval: share of nodes and segments that a tree mapping leaves unchanged.

Source: Tsarfaty, Nivre & Andersson 2012.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from ..alignment.pair import Pair
from ..base.counts import Counts, Quotient, ratio, rounded, sums
from ..kernels.mapping import SCALE, TOO_LARGE, map_labels
from ..settings.rules import RunRules
from ..settings.settings import Settings
from ..trees.words import alike
from . import Figure, Line, Metric, f1_figure
from .mapping import MOST_STEPS, label_numbers, label_rows


@dataclass(frozen=True, slots=True, eq=False, repr=False)
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
        self._numbers = label_numbers(rules)
        self._most_memory = settings.most_memory

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
            numbers = [unit if unit >= 0 else ~side for unit in units]
            trees.append(tree.replace(words=tuple([f"{unit} {word}" for unit, word in zip(numbers, words)])))
        rows = label_rows(*trees, types=kind, names=self._numbers)
        matched, _, n, m, _ = map_labels(*rows, False, self._most_memory / 8, MOST_STEPS)
        return TedEvalCounts(undefined=1) if matched == TOO_LARGE else TedEvalCounts.of(matched, n, m)

    def lines(self, record: TedEvalCounts) -> Sequence[Line]:
        undefined = [Line("Without TedEval", record.undefined, "count")] if record.undefined else []
        return [*super().lines(record), *undefined]

    def left_out(self, record: TedEvalCounts) -> Sequence[tuple[int, str]]:
        return [(record.undefined, "sentences with gaps or too large for TedEval")]
