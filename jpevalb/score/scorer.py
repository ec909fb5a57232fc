"""Scorer: counts pairs with the metrics of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..alignment.pair import EXCLUDED, NO_PARSE, SHORT, UNREADABLE, Pair, PlainPair
from ..kernels.nodes import complete
from ..metrics import Metric, make_metrics
from ..metrics.brackets import length
from ..metrics.record import BeadCounts, Record, schema_of
from ..settings.labels import LabelPolicy
from ..settings.settings import Settings
from ..trees.sentence import Sentence, texts_of
from ..trees.unread import Unread


class _Beads(Metric):
    """Sentences and beads; counted in every run, before the metrics."""

    name = "beads"
    counts = BeadCounts

    def count(self, pair: Pair) -> BeadCounts:
        gold, system, aligned = pair.gold_sentences, pair.system_sentences, pair.bead.aligned
        return BeadCounts(
            1,
            len(gold),
            len(system),
            int(not aligned and not (gold and system and pair.status == NO_PARSE)),
            0 if aligned or system else len(gold),
            0 if aligned or gold else len(system),
            sum([sentence.error is not None for sentence in gold]),
            sum([sentence.error is not None for sentence in system]),
            length(pair, self._labels),
            int(pair.equal_share is not None),
        )


class Scorer:
    """Scores pairs with the metrics of a run."""

    def __init__(self, settings: Settings, *, node_pairs: bool = False) -> None:
        """Make the metrics; with ``node_pairs`` each pair keeps the nodes that Struct-IoU aligns."""
        self.settings = settings
        self.labels = LabelPolicy.of(settings)
        self.metrics = tuple(make_metrics(settings, self.labels))
        for metric in self.metrics:
            metric.keeps_pairs = node_pairs
        self.same_words = settings.identical_words
        self._uncounted = (UNREADABLE, SHORT, EXCLUDED) if self.same_words else ()
        every = (_Beads(settings, self.labels), *self.metrics)
        self.zero = Record.of({metric.name: metric.zero() for metric in every})
        self._every = every
        self._plain = schema_of(self.zero.schema.kinds, True)
        self._counted = every[self._plain.counted :]
        # Texts with ids, and texts of times, are read with the trees.
        uses_text = not (settings.pair == "id" or settings.gold_times or settings.sys_times)
        self._kernel = self.labels.kernel(self.same_words) if uses_text else None
        self.text_format, self.text_kind = "bracket", Unread  # of the texts that `compare` counts
        if self.same_words:
            from ..formats.discbracket import UnreadDiscbracket

            self.text_format, self.text_kind = "discbracket", UnreadDiscbracket
        self._complete = complete if any(metric.uses_tables for metric in self.metrics) else None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_kernel": None}

    @property
    def compares_texts(self) -> bool:
        """True if :meth:`compare` counts unread texts."""
        return self._kernel is not None

    @property
    def seen_deleted(self) -> bool:
        """True once a deleted label or tag has occurred."""
        return self.labels.seen_deleted or (self._kernel is not None and self._kernel.seen_deleted)

    def compare(
        self, golds: Sequence[Sentence], systems: Sequence[Sentence], *, tabulate: bool = True
    ) -> list[tuple[tuple[int, ...], Any] | bool]:
        """Compare pairs of sentences, up to the first that has different words if words are aligned.

        For each before it the result is True, or, where this needs no tree, the numbers of
        :data:`PLAIN`, and with ``tabulate`` tables of the nodes if a metric uses them.
        """
        found: list[Any] = []
        count = min(len(golds), len(systems))
        gold_texts, system_texts = texts_of(golds, self.text_kind), texts_of(systems, self.text_kind)
        complete = self._complete if tabulate else None
        while len(found) < count:
            done = len(found)
            if self._kernel is not None:
                texts = gold_texts[done:], system_texts[done:]
                found += self._kernel.compare_lines(*texts, complete, self.same_words)
                last = found[-1]
                if last:
                    break
                del found[-1]
                if last is False:
                    break
                done = len(found)
            if not self.same_words and golds[done].words != systems[done].words:
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
        if isinstance(pair, PlainPair):
            counts = [metric.count(pair) for metric in self._counted] if self._counted else ()
            return self._plain.record(counts, pair.plain)
        if pair.status in self._uncounted:
            return self.zero
        return self.zero.schema.record([metric.count(pair) for metric in self._every])
