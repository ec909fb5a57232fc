"""What a page shows of all sentences, gathered in one pass, and the sentences with most errors."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from heapq import heappush, heapreplace
from typing import TypeAlias

from ..errors.analysis import Analysis, Confusion, analyse
from ..errors.causes import load_classes
from ..metrics.tags import other_tags
from ..score.evaluation import WORST
from ..score.sentence import SentenceResult
from ..trees.counts import Matched
from ..trees.labels import LabelPolicy
from ..trees.settings import Settings

NOTHING = "∅"
"""Stands opposite words without counterpart."""

LISTED = 30
"""Longest list of confusions; the page says how many there are."""


_Confusions: TypeAlias = "dict[tuple[str, str], list[int]]"
"""For what gold and the system have the number of the sentence, each time that one stands for the other."""


def _ranked(found: _Confusions) -> list[Confusion]:
    """Most frequent first, then by what gold has."""
    confusions = [
        Confusion(gold, system, len(numbers), tuple(dict.fromkeys(numbers)))
        for (gold, system), numbers in found.items()
    ]
    return sorted(confusions, key=lambda item: (-item.count, item.gold, item.system))


class Findings:
    """The sums of all sentences and the trees of some.

    Args:
        settings: Those of the run.
        worst: How many sentences are kept whole: those with most bracket errors, of equals the
            first; ``None`` keeps all of them.

    Attributes:
        shown: The sentences that are kept, in order, once :meth:`look` has ended.
        analysis: The error analysis of all sentences.
        classes: What labels are, for the causes of errors.
        seen: How many sentences there are, those too that count nowhere.
        tags: Tags of words aligned one to one that differ.
        words: Words that stand for each other and differ, and those without counterpart.
        fan_outs: The constituents by fan-out; none where no constituent has gaps.

    Memory: a few numbers a sentence, and the trees of ``worst`` sentences.
    """

    def __init__(self, settings: Settings, worst: int | None = WORST) -> None:
        self._worst = worst
        self._labels = LabelPolicy.of(settings)
        self.classes = load_classes(settings.error_classes, lang=settings.lang)
        self._heap: list[tuple[int, int, SentenceResult]] = []
        self._tags: _Confusions = {}
        self._words: _Confusions = {}
        self._fan_outs: dict[int, list[int]] = {}
        self._matched, self._constituents = array("q"), array("q")
        self.shown: list[SentenceResult] = []
        self.seen = 0
        self.analysis: Analysis = analyse(())
        self.tags: list[Confusion] = []
        self.words: list[Confusion] = []
        self.fan_outs: list[tuple[int, Matched]] = []

    def look(self, results: Iterable[SentenceResult]) -> None:
        """Takes in the results of a run, in order; to be called once.

        Cost: O(nodes + tokens), the repairs of each sentence, and O(log worst) for each.
        """
        self.analysis = analyse(self._counted(results), self.classes)
        self.shown = sorted([result for *_, result in self._heap], key=lambda result: result.number)
        self.tags, self.words = _ranked(self._tags), _ranked(self._words)
        found = {blocks: Matched(*self._fan_outs[blocks]) for blocks in sorted(self._fan_outs)}
        self.fan_outs = list(found.items()) if max(found, default=1) > 1 else []

    def _counted(self, results: Iterable[SentenceResult]) -> Iterator[SentenceResult]:
        """The results that count somewhere, as they go by."""
        for result in results:
            self.seen += 1
            left = self._keep(result)
            if left is not None:
                left.forget_repairs()
            brackets = result.record.brackets
            self._matched.append(2 * brackets.matched)
            self._constituents.append(brackets.gold + brackets.system)
            count_fan_outs(result, self._fan_outs)
            for gold, system in other_tags(result.pair, self._labels):
                self._tags.setdefault((gold[1], system[1]), []).append(result.number)
            if "alignment" in result.record:
                for (mine, its), times in result.record["alignment"].differing.items():
                    key = mine or NOTHING, its or NOTHING
                    self._words.setdefault(key, []).extend([result.number] * times)
            # A gold sentence that cannot be read counts nowhere in some modes.
            if result.record.beads.beads:
                yield result
            if left is result:
                left.forget_repairs()

    def _keep(self, result: SentenceResult) -> SentenceResult | None:
        """Keeps a result if it is one of the worst so far; returns the one that is not, or no more."""
        # Of equals the first stays: it is greater in the heap.
        entry = result.record.brackets.wrong(), -result.number, result
        if self._worst is None or len(self._heap) < self._worst:
            heappush(self._heap, entry)
            return None
        if self._worst and entry > self._heap[0]:
            return heapreplace(self._heap, entry)[2]
        return result

    def interval(self) -> tuple[float, float] | None:
        """The bootstrap interval of F1 over sentences, 95 %; ``None`` for fewer than two and without F1.

        Cost: O(1,000 * sentences).

        Source: ``jpevalb.comparison.significance.intervals``, with the samples and the seed of a comparison.
        """
        if len(self._matched) < 2:
            return None
        import numpy as np

        from ..comparison.significance import intervals

        table = np.array([self._matched, self._constituents], dtype=np.int64).T
        return intervals(table)[0]


def count_fan_outs(result: SentenceResult, found: dict[int, list[int]]) -> None:
    """Adds the constituents of a sentence to those of other sentences.

    Args:
        result: The sentence.
        found: For each fan-out how many gold, system and matched constituents have it.
    """
    if not result.pair.has_gaps:
        brackets = result.record.brackets
        counts = found.setdefault(1, [0, 0, 0])
        for place, number in enumerate((brackets.gold, brackets.system, brackets.matched)):
            counts[place] += number
        return
    for items, places in (
        ([item for item, _ in result.matched], (0, 1, 2)),
        (result.missed, (0,)),
        (result.extra, (1,)),
    ):
        for item in items:
            counts = found.setdefault(len(item.blocks), [0, 0, 0])
            for place in places:
                counts[place] += 1
