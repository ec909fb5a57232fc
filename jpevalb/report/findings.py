"""Sums over all sentences that a page shows, and the sentences with most errors, collected in one pass."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from heapq import heappush, heapreplace
from typing import TypeAlias

from ..base.counts import Matched
from ..errors.analysis import LENGTHS, Confusion, analyse
from ..errors.causes import load_classes
from ..errors.metric import length_class, repair_codes
from ..metrics import Metric
from ..metrics.alignment import kind_of
from ..score.evaluation import WORST
from ..score.sentence import SentenceResult
from ..settings.settings import Settings
from .html_data import Row, row_of

NOTHING = "∅"  # stands for the missing side of a word without counterpart

LISTED = 30  # maximum number of rows of a table of confusions

_Confusions: TypeAlias = "dict[tuple[str, str], array[int]]"
"""For each pair of a gold and a system text the number of the sentence, once for each occurrence."""


class Findings:
    """Sums over all sentences of a run, and the ``worst`` of them; ``None`` keeps all."""

    def __init__(
        self,
        sentences: Iterable[SentenceResult],
        settings: Settings,
        metrics: Sequence[Metric],
        worst: int | None = WORST,
    ) -> None:
        self._classes = load_classes(settings.error_classes, lang=settings.lang)
        self._metrics = metrics
        self.seen = 0  # all sentences, also those that count nowhere
        self._worst = worst
        self._heap: list[tuple[int, int, Row]] = []
        self._tags: _Confusions = {}
        self._words: _Confusions = {}
        self._fan_outs: dict[int, list[int]] = {}
        self._matched, self._constituents, self._lengths = array("i"), array("i"), array("b")
        self.kinds: dict[str, array[int]] = {}  # sentences by the kind of their bead
        self.analysis = analyse(self._counted(sentences), self._classes, lambda numbers: numbers)
        self.shown = [row for _, _, row in sorted(self._heap, key=lambda entry: -entry[1])]
        self.tags, self.words = _ranked(self._tags), _ranked(self._words)
        fan_outs = [(blocks, Matched(*counts)) for blocks, counts in sorted(self._fan_outs.items())]
        self.fan_outs = fan_outs if max(self._fan_outs, default=1) > 1 else []

    def _counted(self, sentences: Iterable[SentenceResult]) -> Iterator[SentenceResult]:
        """Collect everything from each sentence; yield those that the analysis counts."""
        for sentence in sentences:
            self.seen += 1
            record = sentence.record  # made on demand
            brackets = record.brackets
            self._matched.append(2 * brackets.matched)
            self._constituents.append(brackets.gold + brackets.system)
            self._lengths.append(length_class(record.beads.length))
            count_fan_outs(sentence, self._fan_outs)
            for gold, system in sentence.other_tags:
                self._tags.setdefault((gold[1], system[1]), array("q")).append(sentence.number)
            if "alignment" in record:
                self.kinds.setdefault(kind_of(sentence.pair), array("q")).append(sentence.number)
                for (gold_text, system_text), times in record["alignment"].differing.items():
                    key = gold_text or NOTHING, system_text or NOTHING
                    self._words.setdefault(key, array("q")).extend([sentence.number] * times)
            # In discontinuous mode an unreadable gold sentence counts nowhere.
            if record.beads.beads:
                yield sentence
            self._keep(sentence)
            sentence.forget_repairs()

    def _keep(self, sentence: SentenceResult) -> None:
        """Keep the row of a sentence if it is one of the worst so far."""
        # Of sentences with equally many errors the first is the greatest in the heap, and stays.
        order = sentence.record.brackets.wrong(), -sentence.number
        full = self._worst is not None and len(self._heap) >= self._worst
        if full and (not self._worst or order < self._heap[0][:2]):
            return
        row = row_of(sentence, self._metrics, repair_codes(sentence.repairs(self._classes)))
        (heapreplace if full else heappush)(self._heap, (*order, row))

    def intervals(self) -> list[tuple[float, float] | None]:
        """Return the 95 % bootstrap intervals of F1, over all sentences and by length, if defined."""
        f1 = self._matched, self._constituents
        units = len(self._matched)
        if units < 2:
            return [None] * (1 + len(LENGTHS))
        from ..comparison.resampling import UnitTable
        from ..comparison.significance import intervals

        of_lengths = [
            array("i", [number if length == wanted else 0 for number, length in zip(column, self._lengths)])
            for wanted in range(len(LENGTHS))
            for column in f1
        ]
        return intervals(UnitTable(units, [*f1, *of_lengths]))


def _ranked(confusions: _Confusions) -> list[Confusion]:
    """Return the confusions, most frequent first, then by gold."""
    ranked = [
        Confusion(gold, system, len(numbers), array("q", dict.fromkeys(numbers)))
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
