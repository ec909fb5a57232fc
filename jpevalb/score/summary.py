"""Results: what an evaluation returns, and the rates that are read from its records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from ..alignment import Bead
from ..metrics import Metric, Rate, signed
from ..metrics.measures import ALIGNMENT, DISCONTINUOUS
from ..metrics.record import Record
from ..trees.counts import Headline, brief
from ..trees.errors import SettingsError
from ..trees.frozen import field, frozen
from ..trees.settings import Settings
from ..trees.version import SCHEMA_VERSION
from .sentence import SentenceResult, Unparsed, node_mapping

if TYPE_CHECKING:
    from ..errors.analysis import Analysis
    from ..metrics.brackets import BracketCounts
    from ..metrics.mapping import Mapping


class Rows(NamedTuple):
    """Sentences in a row as a report shows them, but for their numbers."""

    number: int
    """The number of the first."""
    size: int
    """How many sentences these are."""
    lines: list[str]
    """A line each, or none where only sums are reported."""


class Unlike(NamedTuple):
    """A bead whose two sides are not similar texts."""

    number: int
    """Its place among the beads, from 1."""
    gold: tuple[int, int]
    """Half-open range of 0-based gold sentence numbers."""
    system: tuple[int, int]
    """Half-open range of 0-based system sentence numbers."""
    equal: float
    """The share of equal characters, in [0, 1]."""


@frozen
class Evaluation(Headline):
    """The scores of a system file against a gold file.

    Attributes:
        settings: How it was made.
        total: The sum over all beads.
        cutoff: The sum over the beads of at most ``cutoff_length`` units.
        cutoff_length: Longest bead of ``cutoff``.
        sentences: One result a bead, in order; empty if they were not kept.
        unaligned: The first five stretches of beads that have text on one side only: the
            number of the first bead, and all sentences.
        no_parse: The first five stretches of beads whose system side is an empty parse.
        unlike: The first five beads whose texts are not similar.
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
    no_parse: tuple[tuple[int, Bead], ...]
    unlike: tuple[Unlike, ...]
    unparsed: tuple[Unparsed, ...]
    warnings: tuple[str, ...]
    metrics: tuple[Metric, ...] = field(compare=False)

    def __repr__(self) -> str:
        try:
            signature = self.signature
        except OSError:
            # The exception list, whose digest is part of it, is gone.
            signature = "?"
        return brief(self, f1=self.f1, n_sentences=self.n_sentences, signature=signature)

    @property
    def signature(self) -> str:
        """Everything that a score depends on beside the two files, in one line."""
        return signed(self.settings.signature(), self.metrics)

    @property
    def n_sentences(self) -> int:
        """Sentences, or beads of sentences, that were scored, whether they were kept or not."""
        beads: int = self.total.beads.beads
        return beads

    @property
    def _headline(self) -> BracketCounts:
        return self.total.brackets

    def to_dict(self) -> dict[str, Any]:
        """Everything counted, as ints, floats in [0, 1], strings, ``None``, lists and dicts."""
        return {
            "version": SCHEMA_VERSION,
            "mode": "alignment",
            "signature": self.signature,
            "total": self.total.to_dict(),
            "cutoff_length": self.cutoff_length,
            "cutoff": self.cutoff.to_dict(),
            "unaligned": _named(self.unaligned),
            **({"no_parse": _named(self.no_parse)} if self.no_parse else {}),
            "unlike": [
                {**item._asdict(), "gold": list(item.gold), "system": list(item.system)}
                for item in self.unlike
            ],
            "unparsed": [item._asdict() for item in self.unparsed],
            "warnings": list(self.warnings),
            **{key: item for one in self.metrics for key, item in one.described(self.total).items()},
            "sentences": [sentence.to_dict(self.metrics) for sentence in self.sentences],
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

    def analysis(self) -> Analysis:
        """Where the errors are: causes, labels, confusions, scores by length.

        Returns:
            The analysis, with the numbers of the sentences that have each error if
            the sentences were kept, as ``evaluate`` does.

        Raises:
            SettingsError: the sentences were not kept, and ``analysis`` was not asked for.

        Cost: O(nodes + tokens) of the sentences.
        """
        from ..errors.analysis import Analysis, analyse
        from ..errors.causes import load_classes

        if len(self.sentences) == self.total.beads.beads:
            settings = self.settings
            return analyse(self.sentences, load_classes(settings.error_classes, lang=settings.lang))
        if "analysis" in self.total:
            return Analysis.of(self.total["analysis"])
        raise SettingsError("the sentences were not kept; evaluate with analysis=True for the sums")


def _named(stretches: Sequence[tuple[int, Bead]]) -> list[dict[str, Any]]:
    return [
        {"number": number, "gold": list(bead.gold), "system": list(bead.system)} for number, bead in stretches
    ]


def rates_of(metrics: Iterable[Metric], *, same_words: bool) -> list[Rate]:
    """The rates of a run, each read from its records; with ``same_words`` those of trees with gaps."""
    own = [
        _read_from(rate, itemgetter(metric.name))
        for metric in metrics
        for rate in metric.rates
        if not (same_words and metric.name == "gaps")
    ]
    return [*(DISCONTINUOUS if same_words else ALIGNMENT), *own]


def _read_from(rate: Rate, part: Callable[[Any], Any]) -> Rate:
    """A rate that is read from a part of a run's record."""
    return Rate(
        rate.measure,
        lambda record: rate.counts(part(record)),
        lambda record: rate.value(part(record)),
        lambda record: part(record).shown,
    )
