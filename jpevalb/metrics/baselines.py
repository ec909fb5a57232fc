"""Baselines: scores of trees that ignore the sentence, and the best score that binary trees can have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from ..alignment.pair import Pair
from ..base.counts import Counts, Matched, rounded
from ..kernels.counting import F1_UNIT
from ..settings.rules import RunRules
from ..settings.settings import Settings
from ..trees.sentence import Sentence
from . import Line, Metric
from .brackets import MACRO_F1

DRAWS = 100  # Random trees per sentence; the random baseline is their mean
SEED = 12345  # Seed of the random trees, combined with the number of the gold sentence


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BaselineCount(Matched):
    """Constituents of one kind of trees; for random trees, the sum over all draws."""

    _internal = ("shown", "f1_sum")

    f1_sum: int = 0  #: sum of the sentences' F1, in units of 10**-12
    f1_sentences: int = 0  #: sentences that have an F1

    sentence_f1 = MACRO_F1


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BaselineCounts(Counts):
    """The baselines of some sentences."""

    left: BaselineCount = field(default_factory=BaselineCount)  #: left-branching trees: (((a b) c) d)
    right: BaselineCount = field(default_factory=BaselineCount)  #: right-branching trees: (a (b (c d)))
    random: BaselineCount = field(default_factory=BaselineCount)  #: random binary trees, 100 per sentence
    oracle: BaselineCount = field(default_factory=BaselineCount)  #: gold trees made binary


class Baselines(Metric):
    """Left-branching, right-branching, random and oracle binary trees over gold's words.

    Source: Klein & Manning 2002 (branching baselines, and the bound for binary trees); Kim, Dyer & Rush
    2019, whose program draws transitions uniformly, which gives another distribution of random trees.
    """

    name = "baselines"
    counts = BaselineCounts
    heading = "Baselines"
    spans_only = True

    def __init__(self, settings: Settings, rules: RunRules) -> None:
        super().__init__(settings, rules)
        self._unlabeled = rules.without_labels

    def count(self, pair: Pair) -> BaselineCounts:
        sentences = zip(pair.gold_sentences, pair.kept_words(0))
        return BaselineCounts.sum([self._of_sentence(*sentence) for sentence in sentences])

    def _of_sentence(self, sentence: Sentence, kept: Sequence[bool]) -> BaselineCounts:
        """Return the counts of a gold sentence that keeps some words."""
        size = sum(kept)
        found = self._unlabeled.constituents(sentence.tree.columns, kept)
        n = len(found)
        blocks = [(item.start, item.end) for item in found if not item.gaps]

        def count(matched: int, draws: int = 1) -> BaselineCount:
            total = n + max(0, size - 2)
            if not total:
                known = draws if self._rules.empty_has_f1 else 0
                return BaselineCount(0, 0, 0, known * F1_UNIT, known)
            f1_sum = rounded(2 * matched * F1_UNIT, total)
            return BaselineCount(draws * n, draws * (total - n), matched, f1_sum, draws)

        return BaselineCounts(
            count(sum([start == 0 for start, _ in blocks])),
            count(sum([end == size for _, end in blocks])),
            count(random_matches(size, blocks, sentence.number), DRAWS),
            count(n),
        )

    def lines(self, record: BaselineCounts) -> Sequence[Line]:
        names = ("Left-branching", "Right-branching", "Random", "Oracle binary")
        found: list[Line] = []
        for name, counts in zip(names, (record.left, record.right, record.random, record.oracle)):
            found += [Line(f"{name} F1", counts.f1), Line(f"{name} sent. F1", counts.sentence_f1)]
        return found


def random_matches(size: int, spans: Sequence[tuple[int, int]], number: int) -> int:
    """Count the spans in :data:`DRAWS` random trees over ``size`` words, seeded by the sentence number.

    >>> random_matches(3, [(0, 2), (1, 3)], 1)  # each tree has one of the two
    100
    """
    wanted = {start * (size + 1) + end for start, end in spans}
    draw = Random(f"{SEED}:{number}").random
    matches = 0
    for _ in range(DRAWS if wanted else 0):
        parts = [(0, size)]
        while parts:
            start, end = parts.pop()
            middle = start + 1 + int(draw() * (end - start - 1))
            for first, last in ((start, middle), (middle, end)):
                if last - first >= 2:
                    matches += first * (size + 1) + last in wanted
                    if last - first > 2:
                        parts.append((first, last))
    return matches
