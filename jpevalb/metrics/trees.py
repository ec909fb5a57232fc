"""Struct-IoU and tree node accuracy as metrics of an evaluation: records, columns, figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..alignment.pair import Pair
from ..model.counts import Counts
from ..model.errors import TooLargeError
from ..model.frozen import field, frozen
from ..model.labels import Labels, representatives
from ..model.settings import Settings
from ..model.values import POSITION
from . import Column, Figure, Measure, Metric, Rate
from .mapping import LabelNumbers, Mapping, Types, overlap_mapping, tree_mapping
from .node_accuracy import NodeCounts, concept_counts, node_counts, word_counts
from .struct_iou import SCORE_SCALE, StructIouCounts, struct_iou_counts

_SHARE_BITS = 40
_SHARE_SHIFT = SCORE_SCALE.bit_length() - 1 - _SHARE_BITS


def label_numbers(labels: Labels) -> LabelNumbers:
    """Labels as the brackets of the same run have them: cut, deleted and equated.

    Labels and tags that a .prm equates, directly or through others, are one here:
    a mapping needs one kind for each node.
    """
    one_of = representatives(labels.equal_tags)
    return LabelNumbers(label=counted_label(labels), tag=lambda text: one_of.get(text, text))


def counted_label(labels: Labels) -> Callable[[str], str | None]:
    """What a label counts as, one text for all that are equal; ``None`` for labels that do not count."""
    one_of = representatives(labels.equal_tags)

    def label(text: str) -> str | None:
        name = labels.resolve(text)
        return None if name is None else one_of.get(name, name)

    return label


def _mean_score(record: StructIouCounts) -> tuple[int, int]:
    # A score in units of 2**-64 would be too large for a column of 64 bits.
    return (record.scores + (1 << _SHARE_SHIFT - 1)) >> _SHARE_SHIFT, record.sentences << _SHARE_BITS


class StructIou(Metric):
    """Struct-IoU of each bead, the mean of the beads, and the mean weighted by nodes.

    Where the words of a bead differ and there are no times, words are as long as
    their characters on both sides, unless ``Settings.unit`` says otherwise.

    Source: Shi et al. 2024.
    """

    name = "siou"
    counts = StructIouCounts
    settings = (
        "unit",
        "strict_terminals",
        "gold_times",
        "sys_times",
        "most_memory",
    )
    rates = (Rate(Measure("struct_iou", "S-IoU", "share"), _mean_score, lambda record: record.mean),)

    def __init__(self, settings: Settings, labels: Labels) -> None:
        self._names = label_numbers(labels)
        self._gold_times = self._system_times = None
        if settings.gold_times or settings.sys_times:
            # They take as long to import as some of a file to score, and few runs have any.
            from ..alignment.exceptions import exceptions_of
            from .times import SentenceTimes

            exceptions = exceptions_of(settings.lang, settings.exceptions)
            self._gold_times, self._system_times = (
                SentenceTimes(path, labels, exceptions) if path else None
                for path in (settings.gold_times, settings.sys_times)
            )
        self._options: dict[str, Any] = {
            "unit": settings.unit,
            "strict_terminals": settings.strict_terminals,
            "silence": settings.silence,
            "most_memory": settings.most_memory,
        }

    def count(self, pair: Pair) -> StructIouCounts:
        # Times are read whether they are used or not: they come in the order of the sentences.
        gold = self._gold_times.of(pair.gold_sentences) if self._gold_times else None
        system = self._system_times.of(pair.system_sentences) if self._system_times else None
        if pair.has_gaps:
            return StructIouCounts(undefined=1, with_gaps=1)
        return struct_iou_counts(
            pair.gold,
            pair.system,
            gold_times=gold,
            system_times=system,
            names=self._names,
            **self._options,
        )

    def finish(self) -> None:
        for times in (self._gold_times, self._system_times):
            if times is not None:
                times.finish()

    def warnings(self) -> Iterator[str]:
        """What is likely to be wrong with the files of times."""
        for times in (self._gold_times, self._system_times):
            if times is not None:
                yield from times.warnings()

    def mapping(self, pair: Pair) -> Mapping | None:
        """The alignment of a bead's nodes; ``None`` with times, which are read once only."""
        if self._gold_times is not None or self._system_times is not None or pair.has_gaps:
            return None
        return overlap_mapping(pair.gold, pair.system, names=self._names, **self._options)

    def columns(self, record: StructIouCounts) -> Sequence[Column]:
        return [Column("S-IoU", record.mean, percent=False)]

    def figures(self, record: StructIouCounts) -> Sequence[Figure]:
        found = [
            Figure("Struct-IoU, sentence mean", record.mean, "share"),
            Figure("Struct-IoU, corpus", record.corpus, "share"),
        ]
        return [*found, *_undefined(record, "Struct-IoU")]

    def left_out(self, record: StructIouCounts) -> Sequence[tuple[int, str]]:
        return _left_out(record, "Struct-IoU")


@frozen
class NodeRecord(Counts):
    """Tree node accuracy of some beads.

    Attributes:
        nodes: Nodes of the trees, words included.
    """

    nodes: NodeCounts = field(default_factory=NodeCounts)

    def to_dict(self) -> dict[str, Any]:
        """The record, ready for JSON."""
        return {"nodes": self.nodes.to_dict()}


@frozen
class ConceptRecord(Counts):
    """Word and concept accuracy of some beads.

    Attributes:
        words: The words in their order.
        concepts: (slot, value) pairs in their order.
    """

    words: NodeCounts = field(default_factory=NodeCounts)
    concepts: NodeCounts = field(default_factory=NodeCounts)

    def to_dict(self) -> dict[str, Any]:
        """Both records, ready for JSON."""
        return {"words": self.words.to_dict(), "concepts": self.concepts.to_dict()}


def _node_accuracy(record: NodeRecord) -> tuple[int, int]:
    nodes = record.nodes
    return nodes.correct - nodes.inserted, nodes.correct + nodes.substituted + nodes.deleted


def _types(settings: Settings, names: LabelNumbers) -> Types | None:
    if settings.node_types == POSITION:
        return None
    from .node_types import node_types

    return node_types(settings, names)


class NodeAccuracy(Metric):
    """Tree node accuracy of each bead and of the corpus, with the types of ``Settings.node_types``.

    Source: Thomae et al. 2003, section 4 (without types) and section 5 (by label).
    """

    name = "nodes"
    counts = NodeRecord
    settings = ("most_memory", "node_types")
    rates = (Rate(Measure("node_accuracy", "NodeAcc"), _node_accuracy, lambda record: record.nodes.accuracy),)

    def __init__(self, settings: Settings, labels: Labels) -> None:
        names = label_numbers(labels)
        self._options: dict[str, Any] = {
            "types": _types(settings, names),
            "names": names,
            "most_memory": settings.most_memory,
        }

    def count(self, pair: Pair) -> NodeRecord:
        gold, system = pair.gold, pair.system
        return NodeRecord(
            NodeCounts(undefined=1, with_gaps=1)
            if pair.has_gaps
            else node_counts(gold, system, **self._options)
        )

    def mapping(self, pair: Pair) -> Mapping | None:
        """The cheapest mapping of a bead's nodes and words; ``None`` where a tree has gaps."""
        if pair.has_gaps:
            return None
        return tree_mapping(pair.gold, pair.system, **self._options)

    def columns(self, record: NodeRecord) -> Sequence[Column]:
        return [Column("NodeAcc", record.nodes.accuracy)]

    def figures(self, record: NodeRecord) -> Sequence[Figure]:
        return [
            Figure("Tree node accuracy", record.nodes.accuracy),
            *_undefined(record.nodes, "node accuracy"),
        ]

    def left_out(self, record: NodeRecord) -> Sequence[tuple[int, str]]:
        return _left_out(record.nodes, "node accuracy")


class Concepts(Metric):
    """Word and concept accuracy, for semantic trees: the slot of a word is the labels above it.

    Source: Thomae et al. 2003.
    """

    name = "concepts"
    counts = ConceptRecord

    def __init__(self, settings: Settings, labels: Labels) -> None:
        self._names = label_numbers(labels)

    def count(self, pair: Pair) -> ConceptRecord:
        gold, system = pair.gold, pair.system
        return ConceptRecord(word_counts(gold, system), concept_counts(gold, system, names=self._names))

    def figures(self, record: ConceptRecord) -> Sequence[Figure]:
        return [
            Figure("Word accuracy", record.words.accuracy),
            Figure("Concept accuracy", record.concepts.accuracy),
            *_undefined(record.words, "word accuracy"),
            *_undefined(record.concepts, "concept accuracy"),
        ]

    def left_out(self, record: ConceptRecord) -> Sequence[tuple[int, str]]:
        return [
            *_left_out(record.words, "word accuracy"),
            *_left_out(record.concepts, "concept accuracy"),
        ]


def _undefined(record: StructIouCounts | NodeCounts, what: str) -> list[Figure]:
    """Why sentences have no figure, where some have none."""
    found = (
        Figure(f"Too large for {what}", record.undefined - record.with_gaps, "count"),
        Figure(f"Gaps: no {what}", record.with_gaps, "count"),
    )
    return [figure for figure in found if figure.value]


def _left_out(record: StructIouCounts | NodeCounts, what: str) -> list[tuple[int, str]]:
    return [
        (record.undefined - record.with_gaps, f"sentences too large for {what}"),
        (record.with_gaps, f"sentences with gaps, without {what}"),
    ]


def node_mapping(metrics: Sequence[Metric], pair: Pair, metric: str) -> Mapping | None:
    """Which nodes of a pair's trees a tree metric maps to each other.

    Args:
        metrics: The metrics of a run.
        pair: The pair.
        metric: ``"siou"`` or ``"nodes"``.

    Returns:
        The mapping, or ``None`` where the trees are too large to map, and with times.

    Raises:
        KeyError: the run has no such metric.
    """
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
