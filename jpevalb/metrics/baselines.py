"""Baselines: scores of trees that know nothing of the sentence, and the best that binary trees can have."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ..alignment.pair import Pair
from ..trees.counts import Counts, Matched, ratio
from ..trees.frozen import field, frozen
from ..trees.labels import LabelPolicy
from ..trees.sentence import Sentence
from ..trees.settings import Settings
from . import Figure, Metric
from .brackets import F1_UNIT, constituents_of

DRAWS = 100
"""Random trees of a sentence, over which the random baseline is a mean."""

SEED = 12345
"""Of the random trees, with the number of the gold sentence."""


@frozen
class BaselineCount(Matched):
    """The constituents of one kind of trees; of random trees those of all draws.

    Attributes:
        gold: Gold constituents.
        system: Constituents of the trees: a binary tree over n words has n - 2 beside the whole sentence.
        matched: Pairs of both.
        f1_sum: Sum of the sentences' F1, in units of 1 / ``F1_UNIT``.
        f1_sentences: Sentences that have an F1.
    """

    f1_sum: int = 0
    f1_sentences: int = 0

    @property
    def sentence_f1(self) -> float | None:
        """Macro F1: the mean over the sentences that have one."""
        return ratio(self.f1_sum / F1_UNIT, self.f1_sentences)


@frozen
class BaselineCounts(Counts):
    """The baselines of some sentences.

    Attributes:
        left: Left-branching trees: ``(((a b) c) d)``.
        right: Right-branching trees: ``(a (b (c d)))``.
        random: Random binary trees, :data:`DRAWS` a sentence.
        oracle: Gold's own tree made binary, which has every gold constituent.
    """

    left: BaselineCount = field(default_factory=BaselineCount)
    right: BaselineCount = field(default_factory=BaselineCount)
    random: BaselineCount = field(default_factory=BaselineCount)
    oracle: BaselineCount = field(default_factory=BaselineCount)


class Baselines(Metric):
    """Left-branching, right-branching, random and oracle binary trees over gold's words.

    They have no labels, so their constituents are compared as sets without labels, and those that every
    tree has, of one word and of the whole sentence, are left out, whatever else the run counts.  A random
    tree splits the sentence at a place drawn uniformly, and each part again.  The figures of the random
    trees are the means of those of :data:`DRAWS` corpora.  A constituent with gaps is in the oracle's
    trees alone.

    Source: Klein & Manning 2002 (branching baselines, and the bound for binary trees); Kim, Dyer & Rush
    2019 and their program, whose random trees come of transitions drawn uniformly, another distribution.
    """

    name = "baselines"
    counts = BaselineCounts
    heading = "Baselines"

    def __init__(self, settings: Settings, labels: LabelPolicy) -> None:
        self._labels = labels.without_labels()

    def count(self, pair: Pair) -> BaselineCounts:
        """The record of the gold sentences of a pair.  Cost: O(words * DRAWS) steps on average."""
        records = [self._of_sentence(sentence) for sentence in pair.gold_sentences]
        return records[0] if len(records) == 1 else BaselineCounts.sum(records)

    def _of_sentence(self, sentence: Sentence) -> BaselineCounts:
        size = len(sentence.tree.words)
        _, starts, ends, _, _, gaps = constituents_of(sentence.tree, None, size, self._labels)
        n = len(starts)
        blocks = [(start, end) for start, end, bits in zip(starts, ends, gaps or [0] * n) if not bits]
        made = max(0, size - 2)
        left = sum([start == 0 for start, _ in blocks])
        right = sum([end == size for _, end in blocks])
        drawn = random_matches(size, blocks, sentence.number)
        return BaselineCounts(
            self._of(n, made, left),
            self._of(n, made, right),
            self._of(n, made, drawn, DRAWS),
            self._of(n, made, n),
        )

    def _of(self, gold: int, system: int, matched: int, times: int = 1) -> BaselineCount:
        total = gold + system
        if not total:
            known = times if self._labels.empty_has_f1 else 0
            return BaselineCount(0, 0, 0, known * F1_UNIT, known)
        # Of random trees matched is the sum of all draws, and so is the F1.
        f1_sum = (2 * matched * F1_UNIT + total // 2) // total
        return BaselineCount(times * gold, times * system, matched, f1_sum, times)

    def figures(self, record: BaselineCounts) -> Sequence[Figure]:
        found = []
        for name, counts in (
            ("Left-branching", record.left),
            ("Right-branching", record.right),
            ("Random", record.random),
            ("Oracle binary", record.oracle),
        ):
            found.append(Figure(f"{name} F1", counts.f1))
            found.append(Figure(f"{name} sent. F1", counts.sentence_f1))
        return found


def random_matches(size: int, spans: Sequence[tuple[int, int]], number: int) -> int:
    """How many constituents :data:`DRAWS` random binary trees have in common with some.

    Args:
        size: Words of the sentence.
        spans: Half-open ranges of words, each once.
        number: The number of the sentence, which seeds the draws: they do not depend on what
            else is scored.

    Cost: O(size * DRAWS) steps on average.

    >>> random_matches(3, [(0, 2), (1, 3)], 1)  # each tree has one of the two
    100
    """
    wanted = {start * (size + 1) + end for start, end in spans}
    draw = Random(f"{SEED}:{number}").random
    found = 0
    for _ in range(DRAWS if wanted else 0):
        waiting = [(0, size)]
        while waiting:
            start, end = waiting.pop()
            middle = start + 1 + int(draw() * (end - start - 1))
            for first, last in ((start, middle), (middle, end)):
                if last - first >= 2:
                    found += first * (size + 1) + last in wanted
                    if last - first > 2:
                        waiting.append((first, last))
    return found
