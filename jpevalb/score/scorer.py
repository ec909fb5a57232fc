"""Scorer: counts pairs with the metrics of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..alignment.pair import EXCLUDED, NO_PARSE, SHORT, UNREADABLE, Pair
from ..metrics import Metric, make_metrics
from ..metrics.brackets import length
from ..metrics.record import BeadCounts, Record
from ..settings.rules import RunRules
from ..settings.settings import Settings
from ..trees.sentence import Sentence


class _Beads(Metric):
    """Sentences and beads; counted in every run, before the metrics."""

    name = "beads"
    counts = BeadCounts

    def count(self, pair: Pair) -> BeadCounts:
        return BeadCounts(*self.row(pair)[0])

    def row(self, pair: Pair) -> tuple[Sequence[int], Sequence[Any]]:
        gold, system, aligned = pair.gold_sentences, pair.system_sentences, pair.bead.aligned
        numbers = (
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
        return numbers, ()


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
        self._uncounted = (UNREADABLE, SHORT, EXCLUDED) if self.same_words else ()
        self._every = (_Beads(settings, self.rules), *self.metrics)
        self.zero = Record.of({metric.name: metric.zero() for metric in self._every})

    def compare(self, golds: Sequence[Sentence], systems: Sequence[Sentence]) -> list[bool]:
        """Return True for each of the first pairs of sentences that have the same words."""
        found = []
        for gold, system in zip(golds, systems):
            if not (self.same_words or self.rules.agree(gold.tree, system.tree)):
                break
            found.append(True)
        return found

    def with_metric(self, metric: Metric) -> Scorer:
        """Return a scorer with one more metric, the last."""
        from copy import copy

        scorer = copy(self)
        scorer.metrics = (*self.metrics, metric)
        scorer.zero = Record.of({**self.zero.by_name(), metric.name: metric.zero()})
        return scorer

    def score(self, pair: Pair) -> Record:
        """Return the record of one pair."""
        if self._uncounted and pair.status in self._uncounted:
            return self.zero
        return self.zero.schema.of_rows([metric.row(pair) for metric in self._every])
