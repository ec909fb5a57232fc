"""Scorer: counts pairs with the metrics of a run."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain, takewhile
from operator import attrgetter
from typing import Any, ClassVar

from ..alignment.pair import EXCLUDED, NO_PARSE, SHORT, UNREADABLE, Pair
from ..base.counts import columns_of
from ..kernels.columns import current_names
from ..kernels.counting import COUNTED, picked
from ..metrics import Metric, make_metrics
from ..metrics.brackets import length
from ..metrics.record import Record, SentenceCounts
from ..settings.rules import RunRules
from ..settings.settings import Settings
from ..trees.sentence import Sentence


class _Beads(Metric):
    """Sentences and beads; counted in every run, before the metrics."""

    name = "sentences"
    counts = SentenceCounts
    plain: ClassVar[Any] = {"groups": "one", "gold": "one", "system": "one", "length": "length"}

    def count(self, pair: Pair) -> SentenceCounts:
        gold, system, aligned = pair.gold_sentences, pair.system_sentences, pair.bead.aligned
        return SentenceCounts(
            1,
            len(gold),
            len(system),
            int(not aligned and not (gold and system and pair.status == NO_PARSE)),
            0 if aligned or system else len(gold),
            0 if aligned or gold else len(system),
            sum([sentence.error is not None for sentence in gold]),
            sum([sentence.error is not None for sentence in system]),
            length(pair),
            int(pair.equal_share is not None),
        )


class Scorer:
    """Scores pairs with the metrics of a run."""

    def __init__(self, settings: Settings, *, node_pairs: bool = False) -> None:
        """Make the metrics; with ``node_pairs`` each pair keeps the nodes that Struct-IoU aligns."""
        self.settings = settings
        self.rules = RunRules(settings)
        self.metrics = tuple(make_metrics(settings, self.rules))
        for metric in self.metrics:
            metric.keeps_pairs = node_pairs
        self.same_words = settings.identical_words
        self.uncounted = (UNREADABLE, SHORT, EXCLUDED) if self.same_words else ()
        every = (_Beads(settings, self.rules), *self.metrics)
        self.zero = Record.of({metric.name: metric.zero() for metric in every})
        # The first metrics, whose numbers of a plain pair are picked from what is counted, and the others
        head = list(takewhile(attrgetter("plain"), every if settings.has_trees else ()))
        self._every, self._others = every, every[len(head) :]
        columns = [(metric.plain, columns_of(metric.counts)) for metric in head]
        names = [plain.get(number, "zero") for plain, one in columns for number in one.numbers]
        self._places = array("i", map(COUNTED.index, names))
        self._tables = tuple(chain.from_iterable([one.empty for _, one in columns]))

    def compare(self, golds: Sequence[Sentence], systems: Sequence[Sentence]) -> list[Any]:
        """Return what is counted of each of the first pairs of sentences that have the same words."""
        names = current_names()
        sides = [[one.tree.columns.moved(names) for one in side] for side in (golds, systems)]
        counted: list[Any] = self.rules.kernel(names).count_all(*sides)
        return counted

    def with_metric(self, metric: Metric) -> Scorer:
        """Return a scorer with one more metric, the last."""
        from copy import copy

        scorer = copy(self)
        scorer.metrics = (*self.metrics, metric)
        scorer.zero = Record.of({**self.zero.by_name(), metric.name: metric.zero()})
        return scorer

    def score(self, pair: Pair) -> Record:
        """Return the record of one pair."""
        if self.uncounted and pair.status in self.uncounted:
            if not self.settings.answers:
                return self.zero
            return self.zero.schema.record({metric.name: metric.uncounted(pair) for metric in self._every})
        others, numbers, tables = self._every, (), ()
        if self._places and pair.is_plain:
            others, numbers, tables = self._others, picked(pair.counted, self._places), self._tables
        counts = {metric.name: metric.count(pair) for metric in others}
        return self.zero.schema.record(counts, numbers, tables)
