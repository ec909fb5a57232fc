"""Results: what an evaluation returns, down to single sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ..alignment import Bead, Unit
from ..alignment.pair import Pair
from ..metrics import Metric
from ..metrics.brackets import Comparison, Constituent, compare_brackets
from ..model.counts import brief
from ..model.errors import SettingsError, TooLargeError
from ..model.labels import Labels
from ..model.record import Record
from ..model.settings import Settings
from ..model.tree import Tree
from ..model.version import SCHEMA_VERSION

if TYPE_CHECKING:
    from ..metrics.analysis import AnalysisCounts
    from ..metrics.errors import Analysis
    from ..metrics.mapping import Mapping


class Lines(NamedTuple):
    """Results in a row as workers made them for the text report: its lines, but for their numbers."""

    number: int
    """The number of the first."""
    lines: list[str]
    """A line each, with what ends it."""


class SentenceResult:
    """One bead of an evaluation: its record, and on demand what it comes from.

    Attributes:
        number: Place among the beads, from 1.
    """

    __slots__ = ("_comparison", "_labels", "_pair", "_record", "number")

    def __init__(self, number: int, record: Record, pair: Pair, labels: Labels) -> None:
        self.number = number
        self._record: Record | None
        self._pair: Pair | None
        self._record = record
        self._pair = pair
        self._labels = labels
        self._comparison: Comparison | None = None

    @property
    def record(self) -> Record:
        """What it adds to the sums."""
        assert self._record is not None
        return self._record

    @property
    def pair(self) -> Pair:
        """What the metrics get."""
        assert self._pair is not None
        return self._pair

    @property
    def known(self) -> Any:
        """What a worker has made for the report already; ``None`` if nothing."""
        return None

    @property
    def bead(self) -> Bead:
        """Which gold and system sentences these are."""
        return self.pair.bead

    @property
    def gold(self) -> Tree:
        """The gold tree as scored; several sentences stand under one root ``@S``."""
        return self.pair.gold

    @property
    def system(self) -> Tree:
        """The system's tree as scored."""
        return self.pair.system

    @property
    def units(self) -> tuple[Unit, ...]:
        """The word alignment."""
        return self.pair.units

    @property
    def matched(self) -> list[tuple[Constituent, Constituent]]:
        """Gold and system constituent of each match."""
        return self._compared().matched

    @property
    def missed(self) -> list[Constituent]:
        """Gold constituents without a match."""
        return self._compared().missed

    @property
    def extra(self) -> list[Constituent]:
        """The system's constituents without a match."""
        return self._compared().extra

    @property
    def crossing(self) -> list[Constituent]:
        """The system's constituents that cross a gold one."""
        return self._compared().crossing

    @property
    def unparsed(self) -> list[Unparsed]:
        """The sentences of this bead that could not be read."""
        bead = self.bead
        return [
            Unparsed(side, first + place, str(sentence.error))
            for side, first, group in (
                ("gold", bead.gold[0] + 1, self.pair.gold_sentences),
                ("system", bead.system[0] + 1, self.pair.system_sentences),
            )
            for place, sentence in enumerate(group)
            if sentence.error is not None
        ]

    def analysis_counts(self) -> AnalysisCounts:
        """What the sentence adds to an error analysis.  Cost: O(nodes + tokens)."""
        from ..metrics.analysis import analysis_counts

        if "analysis" in self.record:
            known: AnalysisCounts = self.record["analysis"]
            return known
        return analysis_counts(self._compared(), self.pair, self.record.beads.length)

    def _compared(self) -> Comparison:
        if self._comparison is None:
            self._comparison = compare_brackets(self.pair, self._labels)
        return self._comparison

    def to_dict(self) -> dict[str, Any]:
        """Number, bead and record, JSON-ready."""
        bead = self.bead
        record = self.record.to_dict()
        for name in ("lengths", "f1", "without_f1"):
            # Classes of one sentence say nothing that its own length and F1 do not.
            record.get("analysis", {}).pop(name, None)
        return {
            "number": self.number,
            "gold": list(bead.gold),
            "system": list(bead.system),
            "aligned": bead.aligned,
            **record,
        }


class Unparsed(NamedTuple):
    """A sentence that could not be read and was skipped."""

    side: str
    """``gold`` or ``system``."""
    number: int
    """Its place in its file, from 1."""
    error: str
    """Why, and where."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The scores of a system file against a gold file.

    Attributes:
        settings: How it was made.
        total: The sum over all beads.
        cutoff: The sum over the beads of at most ``cutoff_length`` units.
        cutoff_length: Longest bead of ``cutoff``.
        sentences: One result a bead, in order; empty if they were not kept.
        unaligned: The first five stretches of beads that have text on one side only: the
            number of the first bead, and all sentences.
        unparsed: The first five sentences that could not be read.
        warnings: What is likely to be wrong with the input or the settings.
        metrics: The metrics that were counted.
    """

    settings: Settings
    total: Record
    cutoff: Record
    cutoff_length: int
    sentences: Sequence[SentenceResult]
    unaligned: tuple[tuple[int, Bead], ...]
    unparsed: tuple[Unparsed, ...]
    warnings: tuple[str, ...]
    metrics: tuple[Metric, ...] = field(compare=False, repr=False)

    def __repr__(self) -> str:
        try:
            signature = self.settings.signature()
        except OSError:
            # The exception list, whose digest is part of it, is gone.
            signature = "?"
        total = self.total
        return brief(self, f1=total.brackets.f1, sentences=total.beads.beads, signature=signature)

    def to_dict(self) -> dict[str, Any]:
        """Everything counted, as ints, floats in [0, 1], strings, ``None``, lists and dicts."""
        return {
            "version": SCHEMA_VERSION,
            "mode": "alignment",
            "signature": self.settings.signature(),
            "total": self.total.to_dict(),
            "cutoff_length": self.cutoff_length,
            "cutoff": self.cutoff.to_dict(),
            "unaligned": [
                {"number": number, "gold": list(bead.gold), "system": list(bead.system)}
                for number, bead in self.unaligned
            ],
            "unparsed": [item._asdict() for item in self.unparsed],
            "warnings": list(self.warnings),
            "sentences": [
                {**sentence.to_dict(), **self._node_pairs(sentence)} for sentence in self.sentences
            ],
        }

    def node_mapping(self, sentence: SentenceResult, metric: str = "siou") -> Mapping | None:
        """Which nodes of a sentence's trees a tree metric maps to each other.

        Args:
            sentence: One of ``sentences``.
            metric: ``"siou"`` or ``"nodes"``.

        Returns:
            The mapping; for Struct-IoU with the overlap of each pair.  ``None`` where
            the trees are too large to map, and with times, which are read once only.

        Raises:
            KeyError: the evaluation has no such metric.

        Cost: that of the metric for this sentence.
        """
        return node_mapping(self.metrics, sentence.pair, metric)

    def _node_pairs(self, sentence: SentenceResult) -> dict[str, Any]:
        if all(metric.name != "siou" for metric in self.metrics):
            return {}
        return {"node_pairs": node_pairs(self.metrics, sentence.pair)}

    def analysis(self) -> Analysis:
        """Where the errors are: labels, confusions, attachments, scores by length.

        Returns:
            The analysis, with the numbers of the sentences that have each error if
            the sentences were kept, as ``evaluate`` does.

        Raises:
            SettingsError: the sentences were not kept, and ``analysis`` was not asked for.

        Cost: O(nodes + tokens) of the sentences.
        """
        from ..metrics.errors import Analysis, analyse

        if len(self.sentences) == self.total.beads.beads:
            return analyse(self.sentences)
        if "analysis" in self.total:
            return Analysis.of(self.total["analysis"])
        raise SettingsError("the sentences were not kept; evaluate with analysis=True for the sums")

    def report(
        self,
        format: str = "text",
        *,
        quiet: bool = False,
        gold_name: str | None = None,
        system_name: str | None = None,
    ) -> str:
        """The evaluation as text of some format.

        Args:
            format: One of ``jpevalb.report.FORMATS``.
            quiet: Whether to leave out the sentences.
            gold_name: What an HTML page calls the gold side, say the file's name.
            system_name: The same of the system's.

        Raises:
            SettingsError: an unknown format.
        """
        from ..report import render

        return render(self, format, quiet=quiet, gold_name=gold_name, system_name=system_name)


def node_mapping(metrics: Sequence[Metric], pair: Pair, metric: str) -> Mapping | None:
    """As :meth:`Evaluation.node_mapping`, of a pair."""
    for one in metrics:
        if one.name == metric and hasattr(one, "mapping"):
            try:
                found: Mapping | None = one.mapping(pair)
            except TooLargeError:
                return None
            return found
    raise KeyError(metric)


def node_pairs(metrics: Sequence[Metric], pair: Pair) -> list[list[float]] | None:
    """Gold node, system node and overlap of each two nodes that Struct-IoU aligns; ``None`` if unknown."""
    if all(metric.name != "siou" for metric in metrics):
        return None
    mapping = node_mapping(metrics, pair, "siou")
    if mapping is None or mapping.overlaps is None:
        return None
    return [[*pair, iou] for pair, iou in zip(mapping.pairs, mapping.overlaps)]
