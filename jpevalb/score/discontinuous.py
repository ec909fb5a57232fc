"""What the discontinuous mode shows of a run: views of its results and of its sums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..alignment.pair import EXTRA, MISSING, NO_PARSE, OK, SHORT, UNREADABLE
from ..metrics import Metric, signed
from ..metrics.brackets import BracketMatch
from ..metrics.discontinuous import DiscontinuousCounts, MatchCounts
from ..metrics.record import Record
from ..trees.counts import Counts, Headline, brief
from ..trees.frozen import field, frozen
from ..trees.settings import Settings
from ..trees.version import SCHEMA_VERSION
from .sentence import SentenceResult

SHOWN = {
    OK: "",
    MISSING: "missing",
    NO_PARSE: "unparsed",
    UNREADABLE: "no gold",
    SHORT: "short",
    EXTRA: "extra",
}
"""What this mode's reports call the states of a pair."""


def counts_of(record: Record, unparsed: int) -> DiscontinuousCounts:
    """What this mode shows of a record, ``unparsed`` of whose sentences have no usable parse."""
    return DiscontinuousCounts.of(record.brackets, record.tags, record["gaps"], unparsed)


class DiscontinuousSentence(SentenceResult):
    """The result of one gold sentence; ``number`` is its place in the gold file, from 1."""

    __slots__ = ()

    @property
    def status(self) -> str:
        """Why nothing was compared; empty where the sentence was scored.

        ``"missing"`` where the system's file has no such sentence and ``"unparsed"`` where that has no
        usable tree: both count as missed; ``"no gold"`` where the gold tree could not be read, and
        ``"short"`` where it has too few words: both count nowhere.
        """
        return SHOWN[super().status]

    @property
    def counts(self) -> DiscontinuousCounts:
        """What it adds to the sums."""
        return counts_of(self.record, int(self.status in ("missing", "unparsed")))

    @property
    def length(self) -> int:
        """Gold words, less those of DELETE_LABEL_FOR_LENGTH."""
        return self.record.beads.length

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DiscontinuousSentence) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    @property
    def name(self) -> str:
        """Its id, or else its number."""
        return str(self.number) if self.id is None else self.id

    def compare(self) -> BracketMatch | None:
        """Its constituents matched, missed and extra; ``None`` where nothing was compared."""
        if self.status:
            return None
        return self._compared()

    def details(self) -> dict[str, Any]:
        """What its figures are made of, JSON-ready; no constituents where it counts nowhere."""
        found = super().details()
        if not self.counts.sentences:
            found |= {"matched": [], "missed": [], "extra": []}
        return found

    def to_dict(self, metrics: Sequence[Any] = ()) -> dict[str, Any]:
        """All but the trees, JSON-ready; given the run's metrics with the nodes that Struct-IoU aligns."""
        return {
            "number": self.number,
            "id": self.id,
            "length": self.length,
            "status": self.status,
            "reason": self.reason,
            **self.counts.to_dict(),
            **{name: counts.of_bead() for name, counts in added_to(self.record).items()},
            **self._node_pairs(metrics),
        }


_SHOWN = ("beads", "brackets", "tags", "gaps")
"""What this mode always counts, which its own figures are made of."""


def added_to(record: Record) -> dict[str, Counts]:
    """What a run has counted on demand, beside what this mode always shows."""
    return {
        name: counts
        for name, counts in zip(record.names, record.counts)
        if name not in _SHOWN and counts.shown
    }


def _added(record: Record) -> dict[str, Any]:
    """What was counted on demand, JSON-ready."""
    return {name: counts.to_dict() for name, counts in added_to(record).items()}


@frozen
class DiscontinuousEvaluation(Headline):
    """The scores of a system's file against a gold file.

    Attributes:
        settings: How they were scored.
        sentences: The gold sentences in order; empty if they were not kept.
        total: The sum of their counts.
        n_missing: Gold sentences that the system's file does not have.
        n_unparsed: Gold sentences whose parse is empty, cannot be read, or has other words.
        n_no_gold: Gold sentences that cannot be read.
        n_extra: Sentences of the system that gold does not have; they count nowhere.
        n_short: Gold sentences of fewer words than ``least_words``; they count nowhere.
        paired_by: ``"id"`` or ``"order"``.
        left_out: The first five of each kind, as lines for the report.
        warnings: What is likely to be wrong with the files or settings.
        record: Everything counted of all sentences, by metric.
        cutoff: Everything counted of the sentences of at most ``cutoff_length`` words.
        cutoff_length: Longest sentence of ``cutoff``.
        metrics: The metrics that were counted.
    """

    settings: Settings
    sentences: tuple[DiscontinuousSentence, ...]
    total: DiscontinuousCounts
    n_missing: int
    n_unparsed: int
    n_no_gold: int
    n_extra: int
    n_short: int
    paired_by: str
    left_out: tuple[str, ...]
    warnings: tuple[str, ...]
    record: Record
    cutoff: Record
    cutoff_length: int
    metrics: tuple[Metric, ...] = field(compare=False)

    @classmethod
    def of_run(cls, run: Any, results: Sequence[Any]) -> DiscontinuousEvaluation:
        """What a run has found."""
        tally = run.tally
        lines = []
        for state, (count, first) in tally.left_out.items():
            lines += [f"{SHOWN[state]}: {text}" for text in first]
            if count > len(first):
                lines.append(f"{SHOWN[state]}: and {count - len(first)} more")
        missing, unparsed, no_gold, extra, short = (
            tally.left_out[state][0] for state in (MISSING, NO_PARSE, UNREADABLE, EXTRA, SHORT)
        )
        return cls(
            run.settings,
            tuple(results),
            counts_of(tally.total, missing + unparsed),
            missing,
            unparsed,
            no_gold,
            extra,
            short,
            run.paired_by,
            tuple(lines),
            tuple(run.warnings()),
            tally.total,
            tally.short,
            tally.cutoff,
            run.metrics,
        )

    def __repr__(self) -> str:
        return brief(self, f1=self.f1, n_sentences=self.n_sentences, signature=self.signature)

    def _cutoff(self) -> dict[str, Any]:
        """The sums up to the cut-off, where one was asked for."""
        if self.settings.cutoff is None:
            return {}
        counts = counts_of(self.cutoff, 0).to_dict()
        return {"cutoff_length": self.cutoff_length, "cutoff": {**counts, **_added(self.cutoff)}}

    @property
    def signature(self) -> str:
        """Everything that a score depends on beside the two files, in one line."""
        return signed(self.settings.signature(self.paired_by), self.metrics)

    @property
    def n_sentences(self) -> int:
        """Gold sentences that count, whether they were kept or not."""
        return self.total.sentences

    @property
    def _headline(self) -> MatchCounts:
        return self.total.overall

    def to_dict(self) -> dict[str, Any]:
        """Signature, counts, rates and sentences, JSON-ready."""
        return {
            "version": SCHEMA_VERSION,
            "mode": "discontinuous",
            "signature": self.signature,
            "total": {**self.total.to_dict(), **_added(self.record)},
            "missing": self.n_missing,
            "unparsed": self.n_unparsed,
            "no_gold": self.n_no_gold,
            "extra": self.n_extra,
            **({"short": self.n_short} if self.settings.least_words else {}),
            **self._cutoff(),
            "left_out": list(self.left_out),
            "warnings": list(self.warnings),
            **{key: item for one in self.metrics for key, item in one.described(self.record).items()},
            "sentences": [sentence.to_dict(self.metrics) for sentence in self.sentences],
        }
