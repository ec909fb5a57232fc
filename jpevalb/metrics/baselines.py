"""Baselines: scores of trees that ignore the sentence, and the best score that binary trees can have."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ..alignment.pair import Pair
from ..trees.counts import Counts, Matched, ratio, rounded
from ..trees.frozen import field, frozen
from ..trees.labels import LabelPolicy
from ..trees.sentence import Sentence
from ..trees.settings import Settings
from . import Line, Metric
from .brackets import F1_UNIT, constituents_of

DRAWS = 100
"""Random trees per sentence; the random baseline is their mean."""

SEED = 12345
"""Seed of the random trees, combined with the number of the gold sentence."""


@frozen
class BaselineCount(Matched):
    """Constituents of one kind of trees; of random trees those of all draws.

    Attributes:
        gold: Gold constituents.
        system: Constituents of the trees: a binary tree over n words has n - 2 besides the whole sentence.
        matched: Pairs of both.
        f1_sum: Sum of the sentences' F1, in units of 1 / ``F1_UNIT``.
        f1_sentences: Sentences that have an F1.
    """

    f1_sum: int = 0
    f1_sentences: int = 0

    @property
    def sentence_f1(self) -> float | None:
        """Macro F1: the mean over the sentences that have an F1."""
        return ratio(self.f1_sum / F1_UNIT, self.f1_sentences)


@frozen
class BaselineCounts(Counts):
    """The baselines of some sentences.

    Attributes:
        left: Left-branching trees: ``(((a b) c) d)``.
        right: Right-branching trees: ``(a (b (c d)))``.
        random: Random binary trees, 100 per sentence.
        oracle: The gold tree made binary, which has every gold constituent.
    """

    left: BaselineCount = field(default_factory=BaselineCount)
    right: BaselineCount = field(default_factory=BaselineCount)
    random: BaselineCount = field(default_factory=BaselineCount)
    oracle: BaselineCount = field(default_factory=BaselineCount)


class Baselines(Metric):
    """Left-branching, right-branching, random and oracle binary trees over gold's words.

    Whatever else the run counts, constituents are compared as sets without labels; those that every tree
    has, over one word or the whole sentence, are left out.  A random tree splits the sentence at a uniformly
    drawn position, then each part.  The figures of random trees are means over :data:`DRAWS` corpora.
    Only the oracle's trees have constituents with gaps.

    Source: Klein & Manning 2002 (branching baselines, and the bound for binary trees); Kim, Dyer & Rush
    2019, whose program draws transitions uniformly, which gives another distribution of random trees.
    """

    name = "baselines"
    counts = BaselineCounts
    heading = "Baselines"

    def __init__(self, settings: Settings, labels: LabelPolicy) -> None:
        self._labels = labels.without_labels()

    def count(self, pair: Pair) -> BaselineCounts:
        return BaselineCounts.sum([self._of_sentence(sentence) for sentence in pair.gold_sentences])

    def _of_sentence(self, sentence: Sentence) -> BaselineCounts:
        size = len(sentence.tree.words)
        _, starts, ends, _, _, gaps = constituents_of(sentence.tree, None, size, self._labels)
        n = len(starts)
        blocks = [(start, end) for start, end, bits in zip(starts, ends, gaps or [0] * n) if not bits]

        def count(matched: int, draws: int = 1) -> BaselineCount:
            total = n + max(0, size - 2)
            if not total:
                known = draws if self._labels.empty_has_f1 else 0
                return BaselineCount(0, 0, 0, known * F1_UNIT, known)
            # The matches and the F1 of random trees are sums over all draws.
            f1_sum = rounded(2 * matched * F1_UNIT, total)
            return BaselineCount(draws * n, draws * (total - n), matched, f1_sum, draws)

        return BaselineCounts(
            count(sum([start == 0 for start, _ in blocks])),
            count(sum([end == size for _, end in blocks])),
            count(random_matches(size, blocks, sentence.number), DRAWS),
            count(n),
        )

    def lines(self, record: BaselineCounts) -> Sequence[Line]:
        found = []
        for name, counts in (
            ("Left-branching", record.left),
            ("Right-branching", record.right),
            ("Random", record.random),
            ("Oracle binary", record.oracle),
        ):
            found.append(Line(f"{name} F1", counts.f1))
            found.append(Line(f"{name} sent. F1", counts.sentence_f1))
        return found


def random_matches(size: int, spans: Sequence[tuple[int, int]], number: int) -> int:
    """Count the spans that :data:`DRAWS` random binary trees over ``size`` words have, each of them once.

    The sentence number seeds the draws, so that they do not depend on the other sentences of a run.

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
