"""Struct-IoU: overlap of the constituents of two trees under the best structured alignment.

Source: Shi et al. 2024.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence, Sized
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import accumulate
from math import isfinite
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from ..alignment.pair import Pair
from ..base.claims import Claim
from ..base.counts import Counts, Quotient, ratio, rounded
from ..base.errors import SettingsError, TimingError, TooLargeError
from ..base.text import counted
from ..base.values import ROUNDING
from ..kernels.mapping import SCALE, LabelledNodes, interval_nodes, map_intervals
from ..settings.rules import UNCOUNTED, RunRules
from ..settings.settings import MOST_MEMORY, SILENCE, Settings
from ..trees.tree import Tree
from ..trees.words import alike
from . import Figure, Mapping
from .brackets import length
from .mapping import MOST_STEPS, LabelNumbers, MappingMetric, check_size, nodes_of, with_nodes, without

if TYPE_CHECKING:
    from .times import Timings

Times: TypeAlias = Sequence[tuple[float, float]]  # Start and end of each word in seconds

Axis: TypeAlias = tuple[list[float], list[float]]  # Starts and ends of the words

UNITS = ("word", "char", "auto")


def axes(
    gold: Tree,
    system: Tree,
    *,
    unit: str = "word",
    gold_times: Times | None = None,
    system_times: Times | None = None,
    silence: str = "keep",
) -> tuple[Axis | None, Axis | None]:
    """Return the axis of each tree; ``None``: word i is i to i + 1.

    The options are those of ``struct_iou``; for equal words :func:`aligned_nodes` asks for ``"word"``.
    """
    if unit not in UNITS:
        raise SettingsError(f"unknown unit {unit!r}; expected 'word', 'char' or 'auto'")
    if silence not in SILENCE:
        raise SettingsError(f"unknown silence {silence!r}; expected one of {', '.join(SILENCE)}")
    given = [times for times in (gold_times, system_times) if times is not None]
    if not given:
        if silence != "keep":
            raise SettingsError("silence can be removed only if the words have times; give times")
        if unit == "word":
            return None, None
        return character_axes(*alike(gold.words, system.words))
    if len(given) == 1 and gold.words != system.words:
        side, other = ("gold", "system") if gold_times is None else ("system", "gold")
        raise SettingsError(f"only the {other} words have times, and the words differ; give {side} times")
    gold_axis = time_axis(given[0], gold.words, "gold")
    system_axis = time_axis(given[-1], system.words, "system")
    if silence == "drop":
        return without_gaps(gold_axis), without_gaps(system_axis)
    return without_silence(gold_axis, system_axis) if silence == "shared" else (gold_axis, system_axis)


def character_axes(gold: Sequence[str], system: Sequence[str]) -> tuple[Axis, Axis]:
    """Lay words end to end, each as long as its grapheme clusters; the system is scaled to gold's length."""
    sizes = [
        [len(word) if word.isascii() else len(clusters(word)) for word in side] for side in (gold, system)
    ]
    n, m = map(sum, sizes)
    # The product of the lengths keeps all numbers integers.
    if n != m and n and m:
        sizes = [[m * size for size in sizes[0]], [n * size for size in sizes[1]]]
    return _end_to_end(sizes[0]), _end_to_end(sizes[1])


def clusters(word: str) -> list[str]:
    """Return the grapheme clusters of a word, that is its characters as a reader sees them.

    >>> clusters("cafe\u0301"), len(clusters("\u1112\u1161\u11ab"))
    (['c', 'a', 'f', 'é'], 1)
    """
    if word.isascii():
        return list(word)
    import regex  # type: ignore[import-untyped,unused-ignore]

    return regex.findall(r"\X", word)  # type: ignore[no-any-return]


def _end_to_end(lengths: Iterable[float]) -> Axis:
    bounds = list(accumulate(lengths, initial=0))
    return bounds[:-1], bounds[1:]


def time_axis(times: Times, words: Sequence[str], side: str) -> Axis:
    """Check the times of a sentence's words; overlaps of up to 0.02 s, due to rounding, are closed."""
    if not isinstance(times, Sized):
        raise TimingError(f"got the {side} times {times!r}; expected one (start, end) per word")
    if len(times) != len(words):
        raise TimingError(
            f"got {counted(len(times), 'time')} for {len(words)} {side} words; "
            "expected one (start, end) per word"
        )
    starts: list[float] = []
    ends: list[float] = []
    for index, (word, time) in enumerate(zip(words, times)):
        name = f"{side} word {index + 1} ({word!r})"
        try:
            start, end = (float(x) for x in time)
        except (TypeError, ValueError):
            raise TimingError(f"{name} has the time {time!r}; expected (start, end) in seconds") from None
        if not (isfinite(start) and isfinite(end)):
            raise TimingError(f"{name} lies from {start} to {end}; expected finite seconds")
        if end < start:
            raise TimingError(f"{name} begins at {start:g} s and ends at {end:g} s; expected start <= end")
        if ends:
            if start < starts[-1] or start < ends[-1] - ROUNDING:
                raise TimingError(
                    f"{name} begins at {start:g} s, before word {index} "
                    f"({words[index - 1]!r}, {starts[-1]:g} to {ends[-1]:g} s) ends; expected words in order"
                )
            ends[-1] = min(ends[-1], start)
        starts.append(start)
        ends.append(end)
    return starts, ends


def without_silence(gold: Axis, system: Axis) -> tuple[Axis, Axis]:
    """Cut out the time in which neither side has a word.

    >>> without_silence(([1.0, 4.0], [2.0, 5.0]), ([1.5, 4.0], [2.5, 4.5]))
    (([0.0, 1.5], [1.0, 2.5]), ([0.5, 1.5], [1.5, 2.0]))
    """
    # Starts and ends of stretches of speech, and the amount of speech before each.
    starts: list[float] = []
    ends: list[float] = []
    before: list[float] = []
    for start, end in sorted([*zip(*gold), *zip(*system)]):
        if ends and start <= ends[-1]:
            ends[-1] = max(ends[-1], end)
        else:
            before.append(before[-1] + ends[-1] - starts[-1] if ends else 0.0)
            starts.append(start)
            ends.append(end)

    def moved(times: list[float]) -> list[float]:
        stretches = [bisect_right(starts, time) - 1 for time in times]
        return [before[index] + time - starts[index] for index, time in zip(stretches, times)]

    return (moved(gold[0]), moved(gold[1])), (moved(system[0]), moved(system[1]))


def without_gaps(axis: Axis) -> Axis:
    """Lay the words of one side end to end with their lengths (Shi et al. 2024, footnote 4)."""
    return _end_to_end([end - start for start, end in zip(*axis)])


SCORE_SCALE = 1 << 64


@dataclass(slots=True, eq=False, repr=False)
class StructIouCounts(Counts):
    """Struct-IoU of sentence pairs, as integers whose sum does not depend on the order.

    >>> record = StructIouCounts.of(overlap=3 * 2**40, gold=4, system=4)
    >>> both = record + StructIouCounts.of(0, 1, 1)
    >>> record.mean, both.mean, both.corpus
    (0.75, 0.375, 0.6)
    """

    in_order: ClassVar[bool] = False
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
        lengths = [
            length
            for length in self.scores_by_length
            if shortest <= max(1, length) and (longest is None or length <= longest)
        ]
        scores, sentences = [
            sum([table[length] for length in lengths])
            for table in (self.scores_by_length, self.sentences_by_length)
        ]
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
    return struct_iou_counts(
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
    ).corpus


def struct_iou_counts(
    gold: Any, system: Any, *, names: LabelNumbers | None = None, **options: Any
) -> StructIouCounts:
    """Return the counts of one sentence pair; arguments and errors as in :func:`struct_iou`."""
    return aligned_nodes(*with_nodes(gold, system, names, "Struct-IoU"), with_pairs=False, **options)[0]


def aligned_nodes(
    gold: Tree,
    system: Tree,
    nodes: list[LabelledNodes],
    *,
    unit: str = "word",
    strict_terminals: bool = False,
    drop_roots: bool = False,
    most_memory: int = MOST_MEMORY,
    with_pairs: bool = True,
    **options: Any,
) -> tuple[StructIouCounts, Any, list[Any]]:
    """Return the counts, the aligned nodes with their overlaps, and the rows of both trees.

    ``options`` are those of :func:`axes`.
    """
    if unit == "auto" and nodes[0].words == nodes[1].words:
        unit = "word"
    skip = UNCOUNTED if drop_roots else None
    rows = [interval_nodes(*both, skip) for both in zip(nodes, axes(gold, system, unit=unit, **options))]
    total, pairs = map_intervals(*rows, strict_terminals, with_pairs, most_memory / 8, MOST_STEPS)
    check_size(total, pairs, most_memory)
    # Nodes with a length, and nodes over no time
    return StructIouCounts.of(total, rows[0][0] + rows[0][4], rows[1][0] + rows[1][4]), pairs, rows


def overlap_mapping(gold: Any, system: Any, *, names: LabelNumbers | None = None, **options: Any) -> Mapping:
    """Return the alignment behind Struct-IoU: node pairs and their overlaps.

    Arguments and errors are those of :func:`jpevalb.metrics.struct_iou.struct_iou`; twice the
    sum of the overlaps over the nodes of both trees is its score.  Of several best alignments one with
    most equal labels is returned if the smaller tree has fewer than 2,000 nodes.

    >>> mapping = overlap_mapping("(S (NP (D a) (N b)) (V c))", "(S (D a) (NP (N b) (V c)))")
    >>> mapping.pairs, mapping.overlaps
    (((0, 0), (2, 1), (3, 3), (4, 4)), (1.0, 1.0, 1.0, 1.0))
    """
    _, pairs, rows = aligned_nodes(*with_nodes(gold, system, names, "Struct-IoU"), **options)
    gold_nodes, system_nodes, overlaps = zip(*pairs) if pairs else ((), (), ())
    return Mapping(
        pairs=tuple(zip(gold_nodes, system_nodes)),
        gold_only=without(nodes_of(rows[0]), gold_nodes),
        system_only=without(nodes_of(rows[1]), system_nodes),
        overlaps=overlaps,
    )


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
        options = ("unit", "silence", "strict_terminals", "most_memory")
        self._options: Any = {name: getattr(settings, name) for name in options}

    def count(self, pair: Pair) -> StructIouCounts:
        counts = self._count(pair)
        if not self._settings.analysis:
            return counts
        units = length(pair)  # nobody else has the record yet, so it may be changed
        counts.scores_by_length = {units: counts.scores}
        counts.sentences_by_length = {units: counts.sentences}
        return counts

    def _count(self, pair: Pair) -> StructIouCounts:
        # Read even if unused: times come in the order of the sentences.
        options = self._options | {
            name: given.of(pair, int(name == "system_times")) for name, given in self._times.items()
        }
        both = self._both(pair)
        if both is None:
            return StructIouCounts(undefined=1, with_gaps=1)
        try:
            counts, pair.node_pairs, _ = aligned_nodes(*both, with_pairs=self.keeps_pairs, **options)
            return counts
        except TooLargeError:
            return StructIouCounts(undefined=1)

    def finish(self) -> None:
        for times in self._times.values():
            times.finish()

    def warnings(self) -> Iterator[Claim]:
        for times in self._times.values():
            yield from times.warnings()

    def listed(self, pair: Pair) -> dict[str, Any]:
        """Return gold node, system node and overlap in [0, 1] of the aligned nodes.

        ``None`` with times, with gaps, or if the trees are too large.
        """
        pairs = None if self._times else pair.node_pairs
        both = None if pairs is not None or self._times else self._both(pair)
        if both is not None:
            with suppress(TooLargeError):
                pairs = aligned_nodes(*both, **self._options)[1]
        return {"node_pairs": pairs and list(map(list, pairs))}

    def mapping(self, pair: Pair) -> Mapping | None:
        """Return the alignment of a bead's nodes; ``None`` with gaps, or with times (they are read once)."""
        if self._times or pair.has_gaps:
            return None
        return overlap_mapping(pair.gold, pair.system, names=self._names, **self._options)
