"""Struct-IoU: overlap of the constituents of two trees under the best structured alignment.

Source: Shi et al. 2024.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar

from ..alignment.pair import Pair
from ..base.claims import Claim
from ..base.counts import Counts, Quotient, ratio, rounded
from ..base.errors import TooLargeError
from ..formats.detect import as_tree
from ..kernels.mapping import SCALE
from ..settings.rules import RunRules
from ..settings.settings import MOST_MEMORY, Settings
from . import Figure
from .brackets import length
from .intervals import Times
from .mapping import (
    LabelNumbers,
    MappingMetric,
    Rows,
    interval_rows,
    label_numbers,
    map_rows,
    overlap_mapping,
    overlapping_nodes,
)
from .node_mapping import Mapping

if TYPE_CHECKING:
    from .times import Timings

SCORE_SCALE = 1 << 64


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class StructIouCounts(Counts):
    """Struct-IoU of sentence pairs, as integers whose sum does not depend on the order.

    >>> record = StructIouCounts.of(overlap=3 * 2**40, gold=4, system=4)
    >>> both = record + StructIouCounts.of(0, 1, 1)
    >>> record.mean, both.mean, both.corpus
    (0.75, 0.375, 0.6)
    """

    length_column: ClassVar[Any] = ("struct_iou", "Struct-IoU", "S-IoU")
    json_keys: ClassVar[Any] = {
        **{"overlap": "total_overlap", "gold_nodes": "gold", "system_nodes": "system"},
        **{name: name for name in ("sentences", "undefined", "mean", "corpus")},
    }

    overlap: int = 0  #: sum of the overlap of all aligned node pairs, in units of 2**-40
    gold: int = 0  #: gold nodes: constituents and preterminals
    system: int = 0  #: system nodes
    scores: int = 0  #: sum of the sentences' scores, in units of 2**-64
    sentences: int = 0  #: those with a node on either side
    undefined: int = 0  #: sentences too large to map or with gaps; they are in no other count
    with_gaps: int = 0  #: undefined sentences with gaps
    #: ``scores`` by length in units, if there is an analysis
    scores_by_length: dict[int, int] = field(default_factory=dict)
    #: ``sentences`` by length in units, if there is an analysis
    sentences_by_length: dict[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, overlap: int, gold: int, system: int) -> StructIouCounts:
        """Return the counts of one sentence pair."""
        nodes = gold + system
        if not nodes:
            return cls()
        score = rounded(2 * overlap * (SCORE_SCALE // SCALE), nodes)
        return cls(overlap, gold, system, score, 1)

    mean = Quotient("scores", "sentences", "Mean of the sentences' scores, in [0, 1].", SCORE_SCALE)

    @property
    def corpus(self) -> float | None:
        """Mean of the sentences' scores weighted by their nodes (Shi et al. 2024, Def. 15), in [0, 1]."""
        return ratio(2 * self.overlap / SCALE, self.gold + self.system)

    @property
    def total_overlap(self) -> float:
        """Sum of the overlap of all aligned node pairs."""
        return self.overlap / SCALE

    def of_lengths(self, shortest: int, longest: int | None) -> StructIouCounts:
        """Return the counts of sentences of some lengths; empty sentences are with those of one unit."""
        scores, sentences = (
            sum(
                [
                    count
                    for length, count in table.items()
                    if shortest <= max(1, length) and (longest is None or length <= longest)
                ]
            )
            for table in (self.scores_by_length, self.sentences_by_length)
        )
        return StructIouCounts(scores=scores, sentences=sentences)


def struct_iou(
    gold: Any,
    system: Any,
    *,
    gold_times: Times | None = None,
    system_times: Times | None = None,
    unit: str = "word",
    strict_terminals: bool = False,
    silence: str = "keep",
    drop_roots: bool = False,
    names: LabelNumbers | None = None,
    most_memory: int = MOST_MEMORY,
) -> float | None:
    """Return the Struct-IoU of two trees, in [0, 1].

    Nodes are constituents and preterminals; nodes over no word are ignored,
    and nodes over no time, which overlap nothing, are counted.  Each node is an
    interval; two nodes may be aligned if their labels are equal, or if one of them is a
    preterminal.  The alignment keeps ancestors above and left on the left, and maximises the sum of
    intersection over union.  The score is twice this sum divided by the nodes of both trees.

    Args:
        gold: A tree, its text or an nltk tree, used as it is.
        system: The system's tree, in any of the same forms.
        gold_times: Start and end of each gold word in seconds.
        system_times: Start and end of each system word in seconds; optional if the words are the same.
        unit: Length of a word without times: ``"word"`` 1, so that word ``i`` lies from ``i``
            to ``i + 1``; ``"char"`` its grapheme clusters, with the system's sentence scaled to gold's
            length; ``"auto"`` ``"word"`` if the words are the same, else ``"char"``.
        strict_terminals: True if preterminals, too, align only with equal labels.
        silence: Time between words: ``"keep"`` keeps it, ``"drop"`` removes it on each side, so that words
            follow one another, ``"shared"`` removes it where neither side has a word, so that both sides
            keep a common axis.
        drop_roots: True to leave out roots labelled TOP, ROOT or nothing, and the root of a bead.
        names: Which labels are equal; labels as written, if not given.
        most_memory: Maximum size of the tables in bytes.

    Returns:
        The score; 0 if only one tree has nodes, ``None`` if neither has.

    Raises:
        TreeError: a tree cannot be read, or is discontinuous.
        TimingError: the times do not fit the words.
        SettingsError: an unknown unit, or times of one side only.
        TooLargeError: the tables need more than ``most_memory``, or more than 2 * 10**10 steps.

    Between common boundaries, memory is O(n * m) and time O(n * m * min(depth, leaves) of both trees).

    Source: Shi et al. 2024, sections 3 and 4.  Their conflict rule (Def. 10) and overlap
    together force left-to-right order, so the best alignment is a heaviest
    ordered tree mapping (Zhang & Shasha 1989).  Each overlap is rounded to 2**-40.

    >>> struct_iou("(S (NP (D a) (N b)) (V c))", "(S (D a) (NP (N b) (V c)))")
    0.8
    >>> struct_iou("(S (A a) (B b))", "(S (C ab))", unit="char")
    0.6
    """
    counts = struct_iou_counts(
        gold,
        system,
        gold_times=gold_times,
        system_times=system_times,
        unit=unit,
        silence=silence,
        strict_terminals=strict_terminals,
        drop_roots=drop_roots,
        names=names,
        most_memory=most_memory,
    )
    return counts.corpus


def struct_iou_counts(
    gold: Any, system: Any, *, strict_terminals: bool = False, most_memory: int = MOST_MEMORY, **options: Any
) -> StructIouCounts:
    """Return the counts of one sentence pair; arguments and errors as in :func:`struct_iou`."""
    rows = interval_rows(as_tree(gold), as_tree(system), **options)
    return _counts_of(map_rows(rows, strict_terminals, most_memory)[0], rows)


def _counts_of(overlap: int, rows: tuple[Rows, Rows]) -> StructIouCounts:
    # Nodes with a length, and nodes over no time.
    gold, system = rows
    return StructIouCounts.of(overlap, gold[0] + gold[4], system[0] + system[4])


class StructIou(MappingMetric):
    """Struct-IoU of each bead, the mean of the beads, and the mean weighted by nodes."""

    name = "siou"
    counts = StructIouCounts
    settings = ("unit", "strict_terminals", "gold_times", "sys_times", "most_memory")
    parts = (("Struct-IoU", lambda record: record),)
    figures = (
        Figure(
            "struct_iou",
            "S-IoU",
            "share",
            line="Struct-IoU, sentence mean",
            column="S-IoU",
            page="Struct-IoU",
            # A score in units of 2**-64 would be too large for a column of 64 bits.
            counts=lambda record: (rounded(record.scores, SCORE_SCALE // SCALE), record.sentences * SCALE),
            value_of=attrgetter("mean"),
        ),
        Figure("struct_iou_corpus", form="share", line="Struct-IoU, corpus", value_of=attrgetter("corpus")),
    )

    def __init__(self, settings: Settings, rules: RunRules) -> None:
        super().__init__(settings, rules)
        self._times: dict[str, Timings] = {}
        if settings.gold_times or settings.sys_times:
            # Imported only if needed: few runs have times.
            from ..alignment.exceptions import exceptions_of
            from ..formats.timings import read_timings
            from .times import Timings

            exceptions = exceptions_of(settings.lang, settings.exceptions)
            for name, path in (("gold_times", settings.gold_times), ("system_times", settings.sys_times)):
                if path:
                    self._times[name] = Timings(read_timings(path, settings.tier), exceptions)
        self._axes: dict[str, Any] = {
            "names": label_numbers(rules),
            "unit": settings.unit,
            "silence": settings.silence,
        }
        self._limits = settings.strict_terminals, settings.most_memory
        self._by_length = settings.analysis

    def count(self, pair: Pair) -> StructIouCounts:
        counts = self._count(pair)
        if not self._by_length:
            return counts
        units = length(pair)
        return replace(
            counts, scores_by_length={units: counts.scores}, sentences_by_length={units: counts.sentences}
        )

    def _count(self, pair: Pair) -> StructIouCounts:
        # Read even if unused: times come in the order of the sentences.
        times: dict[str, Any] = {
            name: given.of(pair, int(name == "system_times")) for name, given in self._times.items()
        }
        try:
            if pair.has_gaps:
                return StructIouCounts(undefined=1, with_gaps=1)
            rows = interval_rows(pair.gold, pair.system, **times, **self._axes)
            overlap, pair.node_pairs = map_rows(rows, *self._limits, with_pairs=self.keeps_pairs)
            return _counts_of(overlap, rows)
        except TooLargeError:
            return StructIouCounts(undefined=1)

    def finish(self) -> None:
        for times in self._times.values():
            times.finish()

    def warnings(self) -> Iterator[Claim]:
        for times in self._times.values():
            yield from times.warnings()

    def listed(self, pair: Pair) -> dict[str, Any]:
        overlaps = self.overlaps(pair)
        return {"node_pairs": overlaps and list(map(list, overlaps))}

    def overlaps(self, pair: Pair) -> list[tuple[int, int, float]] | None:
        """Return gold node, system node and overlap in [0, 1] of the aligned nodes.

        ``None`` with times, with gaps, or if the trees are too large.
        """
        if self._times:
            return None
        if pair.node_pairs is not None or pair.has_gaps:
            return pair.node_pairs
        try:
            return overlapping_nodes(pair.gold, pair.system, *self._limits, **self._axes)[2]
        except TooLargeError:
            return None

    def mapping(self, pair: Pair) -> Mapping | None:
        """Return the alignment of a bead's nodes; ``None`` with gaps, or with times (they are read once)."""
        if self._times or pair.has_gaps:
            return None
        strict, most_memory = self._limits
        return overlap_mapping(
            pair.gold, pair.system, strict_terminals=strict, most_memory=most_memory, **self._axes
        )
