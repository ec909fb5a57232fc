"""Counts of one system, sentence by sentence."""

from __future__ import annotations

import os
import re
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from ..alignment.pair import CHANGES, EXCLUDED, EXTRA, MISSING, NO_PARSE, OK, SHORT, UNREADABLE
from ..alignment.stream import TOGETHER
from ..base.claims import Claim
from ..base.errors import InputError, SettingsError, reported
from ..base.files import lines_of, source_name
from ..formats.read import Source, format_named
from ..kernels.counting import F1_UNIT
from ..metrics import Figure
from ..metrics.brackets import F1, LEGACY, SENTENCE_F1
from ..metrics.unit_table import UnitTable
from ..score.evaluation import Cells, figures_of
from ..score.inputs import ASK_FOR_ANSWERS, Input
from ..score.run import Run
from ..score.sentence import SentenceResult
from ..settings.params import Params
from ..settings.settings import Settings
from ..trees.tree import Tree
from .labels import TESTED, LabelRows, gold_counts, label_figure, labels_in

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ..metrics.references import ReferenceScores
    from ..score.references import NamedReferences, ReferencesRun
    from ..score.workers import WorkerPool

AnySettings: TypeAlias = Settings | Params  # ``Params`` are those of evalb's report


@dataclass(frozen=True, slots=True)
class SystemRows:
    """One system's counts, record by record, and their total."""

    gold: Sequence[tuple[int, int]]  # half-open range of gold sentences of each record; they cover the file
    columns: dict[Figure, list[array[int]]]  # numerators and denominators of what the systems are compared by
    total: Any  # the sum of the records
    claimed: tuple[Claim, ...]  # counts of the sentences left out, and warnings
    signature: str
    results: Sequence[SentenceResult] = ()  # if kept; never with ``Params``
    references: tuple[ReferenceScores, ...] = ()  # with several references: each, their mean, the best
    labels: LabelRows = field(default_factory=LabelRows)  # constituents by label, if labels are counted
    # Indices of records without brackets on either side and without a usable parse
    unparsed: frozenset[int] = frozenset()
    left_out: frozenset[int] = frozenset()  # indices of records that a convention does not count
    corrections: Sequence[
        str
    ] = ()  # of each result that is kept, as a page has them; none if workers counted
    format: str | None = None  # of its file
    problem: str = ""  # why it has no figures; empty if it has some
    excluded: float = 0.0  # share of the gold sentences that a convention left out for their words
    no_parse: bool = False  # True if no sentence has a parse

    def table(self, unit_of: Sequence[int], units: int) -> UnitTable:
        """Return the numerators and denominators, alternating, summed by unit."""
        return UnitTable.summed([column for pair in self.columns.values() for column in pair], unit_of, units)


def score_systems(
    gold: Input,
    systems: Sequence[Input],
    settings: Settings,
    *,
    executor: Executor | WorkerPool | None,
    keep: bool,
    references: NamedReferences,
    follow: Callable[[Iterator[Any]], Iterable[Any]],
) -> list[SystemRows]:
    """Score the systems in parallel, so that gold is read once.

    Memory holds the counts of each sentence, and the gold trees between the fastest and the slowest
    system.
    """
    runs: list[Any] = []
    for system in systems:
        own = _settings_of(system, systems, settings)
        if references:
            from ..score.references import ReferencesRun

            runs.append(ReferencesRun(references, system.source, own, executor))
        else:
            runs.append(Run(gold, system, own, executor))
    if len({run.settings.has_trees for run in runs}) > 1:
        raise SettingsError("some systems have trees and others words alone; compare them separately")
    if len(runs) > 1 and not references:
        runs[0].sides[0].share([run.sides[0] for run in runs[1:]])
    here = executor is None
    collected = [_SystemCounts(run, system.format, keep, here) for run, system in zip(runs, systems)]
    walks = [map(one.add, run) for one, run in zip(collected, runs)]
    behind = dict.fromkeys(range(len(runs)), 0)

    def in_step() -> Iterator[int]:
        while behind:
            index = min(behind, key=behind.__getitem__)
            ends = list(islice(walks[index], TOGETHER))
            yield from ends
            if ends:
                behind[index] = ends[-1]
            else:
                del behind[index]

    deque(follow(in_step()), 0)
    return [one.rows() for one in collected]


def _settings_of(system: Input, systems: Sequence[Input], settings: Settings) -> Settings:
    """Return the settings of one system: a parser's trees beside answers have no field."""
    formats = {one.format or "" for one in systems}
    unused = [
        name
        for name in ASK_FOR_ANSWERS
        if name not in format_named(system.format or "").settings
        and any(name in format_named(format).settings for format in formats)
    ]
    unset: Any = {one.name: one.default for one in fields(Settings) if one.name in unused}
    return settings.replace(**unset)


class _SystemCounts:
    """The counts of one system, collected as its results arrive."""

    def __init__(self, run: Run | ReferencesRun, format: str | None, keep: bool, here: bool) -> None:
        self._run = run
        self._format = format
        self._keep = keep
        self._ranges: list[tuple[int, int]] = []
        self._cells = Cells(figures_of(run.metrics, run.settings))
        self._results: list[SentenceResult] = []
        self._labels = LabelRows()
        self._has_labels = any(one.name in ("labels", "analysis") for one in run.metrics)
        self._unparsed: set[int] = set()
        self._left_out: set[int] = set()
        analysis: Any = next((one for one in run.metrics if one.name == "analysis"), None)
        self._classes = analysis.classes if keep and here and analysis else None
        self._corrections: list[str] = []

    def add(self, result: SentenceResult) -> int:
        """Add the next result; return the number of gold sentences up to its end."""
        if self._keep:
            self._results.append(result)
        if self._classes is not None:
            from ..errors.corrections import correction_codes

            self._corrections.append(correction_codes(result.corrections(self._classes)))
        number, record = len(self._ranges), result.record
        if not record.number("brackets.f1_sentences") and result.status not in (OK, UNREADABLE):
            (self._left_out if result.status in (EXCLUDED, SHORT) else self._unparsed).add(number)
        if self._has_labels:
            self._labels.add(number, record)
        self._cells.add(record)
        gold = result.bead.gold
        self._ranges.append(gold)
        return gold[1]

    def rows(self) -> SystemRows:
        """Return the counts and the total."""
        found, problem = self._run.evaluation(check=False), self._run.problem()
        least = found.settings.rules().words[0]
        counts = {**found.states, **found.total.sentences.to_dict()}
        notes = (_SENTENCE_NOTES if found.settings.identical_words else _BEAD_NOTES).items()
        return SystemRows(
            self._ranges,
            self._cells.columns(),
            found.total,
            (
                *_notes(
                    *[(counts[key], text.format(least_words=least)) for key, text in notes],
                    *[item for one in found.metrics for item in one.left_out(found.total[one.name])],
                    *[
                        (item.count, item.what)
                        for item in found.standardised
                        if item.side == "system" and item.what in CHANGES
                    ],
                ),
                *([Claim("no_figures", {"problem": problem})] if problem else found.claimed),
            ),
            found.signature,
            self._results,
            () if isinstance(self._run, Run) else self._run.scores(),
            self._labels,
            frozenset(self._unparsed),
            frozenset(self._left_out),
            self._corrections,
            self._format,
            problem,
            found.excluded_share,
            found.unparsed,
        )


# Descriptions of sentences left out, by state or by count of beads
_BEAD_NOTES = {
    "unaligned": "unaligned sentences",
    NO_PARSE: "sentences without a parse",
    "gold_unparsed": "gold sentences that cannot be read",
    "system_unparsed": "system sentences that cannot be read",
}
_SENTENCE_NOTES = {
    MISSING: "gold sentences without a parse in the file",
    NO_PARSE: "gold sentences without a usable parse",
    UNREADABLE: "gold sentences that cannot be read",
    EXTRA: "system sentences without gold",
    SHORT: "gold sentences of fewer than {least_words} words",
    EXCLUDED: "sentences that the rules leave out",
}


def with_same_figures(scored: Sequence[SystemRows], *, unlabeled: bool) -> list[SystemRows]:
    """Return the systems with all figures that one of them shows, beginning with the main table.

    A measure that a system lacks has denominators of 0.  F of the most frequent labels is added, if they
    are counted; labels whose F is not a quotient of additive counts, such as equated labels, are omitted.
    """
    shown = {figure for one in scored for figure in one.columns if figure.shown(one.total)}
    every = dict.fromkeys([figure for one in scored for figure in one.columns if figure in shown])
    figures = sorted(every, key=lambda figure: bool(figure.group))
    columns: list[dict[Figure, list[array[int]]]] = []
    for one in scored:
        zeros = array("q", bytes(8 * len(one.gold)))
        columns.append({figure: one.columns.get(figure, [zeros, zeros]) for figure in figures})
    counted = [counts for one in scored if (counts := labels_in(one.total)) is not None]
    if len(counted) == len(scored):
        known = [
            label
            for label, gold in gold_counts(counted).items()
            if gold and (unlabeled or not any(label in one.labels.equated for one in scored))
        ]
        for label in known[:TESTED]:
            figure = label_figure(label, unlabeled=unlabeled)
            for one, own in zip(scored, columns):
                own[figure] = one.labels.columns(label, len(one.gold), recall=unlabeled)
    return [replace(one, columns=own) for one, own in zip(scored, columns)]


def without_figures(scored: Sequence[SystemRows]) -> list[SystemRows]:
    """Return the systems; of those with a problem, all figures are undefined.

    Raises:
        InputError: all systems have a problem.
    """
    if all(one.problem for one in scored):
        raise InputError(scored[0].problem)
    found = []
    for one in scored:
        zeros = array("q", bytes(8 * len(one.gold)))
        none = {figure: [zeros, zeros] for figure in one.columns}
        found.append(replace(one, columns=none, labels=LabelRows()) if one.problem else one)
    return found


def f1_of_units(scored: SystemRows, unit_of: Sequence[int], units: int) -> list[tuple[int, int]]:
    """Return numerator and denominator of F1 for each unit; without brackets, of its sentence F1."""
    sides = []
    for figure in (F1, SENTENCE_F1):
        table = UnitTable.summed(scored.columns.get(figure, ()), unit_of, units)
        sides.append(zip(*table.columns) if table.columns else [(0, 0)] * units)
    return [own if own[1] else (mean[0] // F1_UNIT, mean[1] // F1_UNIT) for own, mean in zip(*sides)]


def with_sentence_f1(scored: list[SystemRows]) -> list[SystemRows]:
    """Return the systems with a sentence in the sentence-mean F1 of all if it has an F1 for any system.

    A system without brackets on a sentence without gold brackets has F1 1 there, and 0 without a parse.
    """
    if SENTENCE_F1 not in scored[0].columns:
        return scored
    counted = bytearray(max([one.gold[-1][1] for one in scored if one.gold], default=0))
    for one in scored:
        for (start, end), denominator in zip(one.gold, one.columns[SENTENCE_F1][1]):
            if denominator:
                counted[start:end] = b"\1" * (end - start)
    filled = []
    for one in scored:
        sums, denominators = [column[:] for column in one.columns[SENTENCE_F1]]
        for index, (start, end) in enumerate(one.gold):
            if not denominators[index] and index not in one.left_out and any(counted[start:end]):
                sums[index], denominators[index] = 0 if index in one.unparsed else F1_UNIT, F1_UNIT
        filled.append(replace(one, columns={**one.columns, SENTENCE_F1: [sums, denominators]}))
    return filled


def score_legacy(gold: Source, system: Source, params: Params, dialect: str, name: str) -> SystemRows:
    from .. import legacy

    try:
        result = legacy.evaluate(_lines(gold), _lines(system), params, dialect=dialect)
    except InputError as error:
        if error.source not in ("gold", "system"):
            raise
        raise reported(error, "gold: " if error.source == "gold" else "", source=name) from None
    total = result.total
    notes = _notes((total.errors, "sentences in error"), (total.skipped, "sentences skipped"))
    cells = Cells(LEGACY)
    for sentence in result.sentences:
        cells.add(sentence.counts)
    ranges = [(index, index + 1) for index in range(len(result.sentences))]
    return SystemRows(ranges, cells.columns(), total, notes, result.signature)


def _notes(*counts: tuple[int, str]) -> tuple[Claim, ...]:
    notes = []
    for count, what in counts:
        if count == 1:
            what = re.sub(r"\b(bead|sentence|word|trace|root|label|subtree)s\b", r"\1", what, count=1)
        if count:
            notes.append(Claim("not_scored", {"count": count, "what": what}))
    return tuple(notes)


def baseline_first(
    name: str, named: Sequence[tuple[str, Source]], members: Mapping[str, Sequence[int]]
) -> tuple[list[tuple[str, Source]], dict[str, tuple[int, ...]]]:
    """Move the baseline to the front, and renumber the groups; its path or its stem names it, too."""
    names = [one for one, _ in named]
    paths = [one for one, source in named if source_name(source) == name]
    stems = [one for one in names if os.path.splitext(one)[0] == name]
    if name not in names and len(found := paths or stems) == 1:
        (name,) = found
    if name not in names:
        raise SettingsError(f"unknown system {name!r}; expected one of {', '.join(names)}")
    order = sorted(range(len(names)), key=lambda index: names[index] != name)
    renumbered = {
        group: tuple([order.index(number - 1) + 1 for number in numbers])
        for group, numbers in members.items()
    }
    return [named[index] for index in order], renumbered


def _lines(source: Source) -> list[Any]:
    if isinstance(source, (str, os.PathLike)):
        return list(lines_of(source))
    items: Iterable[Any] = source
    return [item.to_bracket() if isinstance(item, Tree) else item for item in items]
