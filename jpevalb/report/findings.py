"""Sums over all sentences that a page shows, and the sentences with most errors, collected in one pass."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from heapq import heappush, heapreplace
from typing import TypeAlias

from ..errors.analysis import LENGTHS, Confusion, analyse
from ..errors.causes import load_classes
from ..errors.metric import length_class
from ..metrics.alignment import kind_of
from ..metrics.tags import other_tags
from ..score.evaluation import WORST
from ..score.sentence import SentenceResult
from ..trees.counts import Matched
from ..trees.labels import LabelPolicy
from ..trees.settings import Settings

NOTHING = "∅"
"""Stands for the missing side of a word without counterpart."""

LISTED = 30
"""Maximum number of rows of a table of confusions."""

_Confusions: TypeAlias = "dict[tuple[str, str], list[int]]"
"""For each pair of a gold and a system text the number of the sentence, once for each occurrence."""


class Findings:
    """Sums over all sentences of a run, and the ``worst`` of them; ``None`` keeps all."""

    def __init__(
        self, sentences: Iterable[SentenceResult], settings: Settings, worst: int | None = WORST
    ) -> None:
        self.classes = load_classes(settings.error_classes, lang=settings.lang)
        self.seen = 0  # all sentences, also those that count nowhere
        self._worst = worst
        self._labels = LabelPolicy.of(settings)
        self._heap: list[tuple[int, int, SentenceResult]] = []
        self._tags: _Confusions = {}
        self._words: _Confusions = {}
        self._fan_outs: dict[int, list[int]] = {}
        self._matched, self._constituents, self._lengths = array("q"), array("q"), array("b")
        self.kinds: dict[str, list[int]] = {}  # sentences by the kind of their bead
        self.analysis = analyse(self._counted(sentences), self.classes)
        self.shown = sorted([sentence for *_, sentence in self._heap], key=lambda sentence: sentence.number)
        self.tags, self.words = _ranked(self._tags), _ranked(self._words)
        fan_outs = [(blocks, Matched(*counts)) for blocks, counts in sorted(self._fan_outs.items())]
        self.fan_outs = fan_outs if max(self._fan_outs, default=1) > 1 else []

    def _counted(self, sentences: Iterable[SentenceResult]) -> Iterator[SentenceResult]:
        """Collect everything from each sentence; yield those that the analysis counts."""
        for sentence in sentences:
            self.seen += 1
            # Repairs are large: only the sentences on the page keep them.
            dropped = self._keep(sentence)
            if dropped is not None:
                dropped.forget_repairs()
            record = sentence.record  # made on demand
            brackets = record.brackets
            self._matched.append(2 * brackets.matched)
            self._constituents.append(brackets.gold + brackets.system)
            self._lengths.append(length_class(record.beads.length))
            count_fan_outs(sentence, self._fan_outs)
            for gold, system in other_tags(sentence.pair, self._labels):
                self._tags.setdefault((gold[1], system[1]), []).append(sentence.number)
            if "alignment" in record:
                self.kinds.setdefault(kind_of(sentence.pair), []).append(sentence.number)
                for (gold_text, system_text), times in record["alignment"].differing.items():
                    key = gold_text or NOTHING, system_text or NOTHING
                    self._words.setdefault(key, []).extend([sentence.number] * times)
            # In discontinuous mode an unreadable gold sentence counts nowhere.
            if record.beads.beads:
                yield sentence
            if dropped is sentence:
                dropped.forget_repairs()

    def _keep(self, sentence: SentenceResult) -> SentenceResult | None:
        """Keep a sentence if it is one of the worst so far; return the one that is dropped."""
        # Of sentences with equally many errors the first is the greatest in the heap, and stays.
        entry = sentence.record.brackets.wrong(), -sentence.number, sentence
        if self._worst is None or len(self._heap) < self._worst:
            heappush(self._heap, entry)
            return None
        if self._worst and entry > self._heap[0]:
            return heapreplace(self._heap, entry)[2]
        return sentence

    def intervals(self) -> list[tuple[float, float] | None]:
        """Return the 95 % bootstrap intervals of F1 over sentences, of all and by length class.

        They have the seed of comparisons, and are ``None`` for fewer than two sentences, and without F1.
        """
        count = 1 + len(LENGTHS)
        if len(self._matched) < 2:
            return [None] * count
        from ..comparison.significance import intervals

        rows = [[0] * (2 * count) for _ in self._matched]
        for row, length, *f1 in zip(rows, self._lengths, self._matched, self._constituents):
            row[:2] = row[2 * length + 2 : 2 * length + 4] = f1
        return intervals(rows)


def _ranked(confusions: _Confusions) -> list[Confusion]:
    """Return the confusions, most frequent first, then by gold."""
    ranked = [
        Confusion(gold, system, len(numbers), tuple(dict.fromkeys(numbers)))
        for (gold, system), numbers in confusions.items()
    ]
    return sorted(ranked, key=lambda item: (-item.count, item.gold, item.system))


def count_fan_outs(sentence: SentenceResult, fan_outs: dict[int, list[int]]) -> None:
    """Add a sentence to the numbers of gold, system and matched constituents by number of blocks."""
    brackets = sentence.record.brackets
    sizes = [(1, (brackets.gold, brackets.system, brackets.matched))]
    if sentence.pair.has_gaps:
        sizes = [
            *[(len(item.blocks), (1, 1, 1)) for item, _ in sentence.matched],
            *[(len(item.blocks), (1, 0, 0)) for item in sentence.missed],
            *[(len(item.blocks), (0, 1, 0)) for item in sentence.extra],
        ]
    for blocks, numbers in sizes:
        counts = fan_outs.setdefault(blocks, [0, 0, 0])
        for index, number in enumerate(numbers):
            counts[index] += number
