"""One system's scores sentence by sentence, whatever the mode, as a comparison needs them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ..alignment.pair import EXTRA, MISSING, NO_PARSE, OK, SHORT, UNREADABLE
from ..metrics import Figure, Metric
from ..metrics.brackets import F1_UNIT
from ..metrics.measures import F1, LEGACY, SENTENCE_F1
from ..metrics.references import References, ReferenceScores
from ..score.evaluation import Evaluation, figures_of
from ..score.inputs import Input, source_name
from ..score.references import Named, ReferencesRun
from ..score.run import Run
from ..score.sentence import SentenceResult
from ..trees.errors import InputError, SettingsError
from ..trees.files import open_lines
from ..trees.formats import Source
from ..trees.frozen import field, frozen, replace
from ..trees.params import Params
from ..trees.settings import Settings
from ..trees.tree import Tree
from .labels import TESTED, LabelRows, label_figure, labels_in

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ..score.workers import WorkerPool

AnySettings: TypeAlias = "Settings | Params"
"""Settings of any mode; ``Params`` are those of legacy mode."""


@frozen
class Scored:
    """One system's evaluation.

    Attributes:
        gold: For each record the half-open range of gold sentences that it is
            about; together, in order, they make up the gold file.
        rows: For each record the numerators and denominators of the measures, in
            turn.
        total: The sum of the records.
        figures: The figures that the systems are compared by.
        notes: What was left out, in a few words each.
        warnings: What is likely to be wrong with the input or the settings.
        signature: Everything that a score depends on beside the files.
        results: The sentences themselves, if they were to be kept and the mode has trees
            to show.
        metrics: The metrics that were counted.
        references: With several references the scores against each, their mean and the best.
        labels: The constituents of each record by label, where labels were counted.
        unparsed: Indices of records without brackets on either side and without a usable parse.
    """

    gold: Sequence[tuple[int, int]]
    rows: Sequence[list[int]]
    total: Any
    figures: Sequence[Figure]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    signature: str
    results: Sequence[SentenceResult] = ()
    metrics: Sequence[Metric] = ()
    references: tuple[ReferenceScores, ...] = ()
    labels: LabelRows = field(default_factory=LabelRows)
    unparsed: frozenset[int] = frozenset()


def score(
    gold: Source | Input,
    system: Source | Input,
    settings: AnySettings,
    *,
    name: str,
    dialect: str = "evalb",
    executor: Executor | WorkerPool | None = None,
    keep: bool = False,
    references: Named = (),
) -> Scored:
    """Scores a system in the mode that the settings are of.

    Raises:
        JpevalbError: as the mode's own evaluation.

    Cost: that of the evaluation; memory for the counts of each sentence, not for its trees.
    """
    if isinstance(settings, Params):
        assert not isinstance(gold, Input)
        assert not isinstance(system, Input)
        return _legacy(gold, system, settings, dialect, source_name(system) or name, executor)
    run: Run | ReferencesRun
    if references:
        assert not isinstance(system, Input)
        run = ReferencesRun(references, system, settings, executor)
    else:
        run = Run(gold, system, settings, executor)
    same_words = settings.conventions.identical_words
    figures = figures_of(run.metrics, same_words=same_words)
    ranges: list[tuple[int, int]] = []
    rows: list[list[int]] = []
    results: list[SentenceResult] = []
    labels = LabelRows()
    unparsed: set[int] = set()
    for result in run:
        if keep:
            results.append(result)
        if not result.record.brackets.f1_sentences and result.status not in (OK, UNREADABLE):
            unparsed.add(len(rows))
        labels.add(result.record)
        ranges.append(result.bead.gold)
        rows.append(_row(figures, result.record))
    found = run.evaluation()
    return Scored(
        ranges,
        rows,
        found.total,
        figures,
        _notes_of(found),
        found.warnings,
        found.signature,
        results,
        run.metrics,
        next((metric.scores(found.total) for metric in run.metrics if isinstance(metric, References)), ()),
        labels,
        frozenset(unparsed),
    )


def _row(figures: Sequence[Figure], record: Any) -> list[int]:
    return [number for figure in figures for number in figure.counts(record)]


def _notes_of(found: Evaluation) -> tuple[str, ...]:
    states, beads, metrics = found.states, found.total.beads, found.metrics
    least = found.settings.least_words
    if found.settings.conventions.identical_words:
        counts = [
            (states[MISSING], "gold sentences without a parse in the file"),
            (states[NO_PARSE], "gold sentences without a usable parse"),
            (states[UNREADABLE], "gold sentences that cannot be read"),
            (states[EXTRA], "system sentences without gold"),
            (states[SHORT], f"gold sentences of fewer than {least} words"),
        ]
    else:
        counts = [
            (beads.unaligned, "unaligned beads"),
            (states[NO_PARSE], "beads without a parse"),
            (beads.gold_unparsed, "gold sentences that cannot be read"),
            (beads.system_unparsed, "system sentences that cannot be read"),
        ]
    return _notes(*counts, *[item for one in metrics for item in one.left_out(found.total[one.name])])


def without_silent(scored: Sequence[Scored]) -> list[Scored]:
    """The evaluations without the measures that say nothing of any of them.

    Cost: O(records * measures) where there is such a measure.
    """
    figures = scored[0].figures
    kept = [k for k, figure in enumerate(figures) if any(figure.shown(one.total) for one in scored)]
    if len(kept) == len(figures):
        return list(scored)
    columns = [column for k in kept for column in (2 * k, 2 * k + 1)]
    return [
        replace(
            one,
            figures=[one.figures[k] for k in kept],
            rows=[[row[column] for column in columns] for row in one.rows],
        )
        for one in scored
    ]


def column_of(scored: Scored, measure: str) -> int | None:
    """Return the column of a measure's numerators, ``None`` if there is no such measure."""
    names = [figure.name for figure in scored.figures]
    return 2 * names.index(measure) if measure in names else None


def f1_of_units(scored: Scored, unit_of: Sequence[int], units: int) -> list[list[int]]:
    """Return numerator and denominator of F1 for each unit; without brackets those of its sentence F1."""
    tables = []
    for measure in (F1, SENTENCE_F1):
        sums = [[0, 0] for _ in range(units)]
        column = column_of(scored, measure.name)
        if column is not None:
            for unit, row in zip(unit_of, scored.rows):
                sums[unit][0] += row[column]
                sums[unit][1] += row[column + 1]
        tables.append(sums)
    return [own if own[1] else [number // F1_UNIT for number in mean] for own, mean in zip(*tables)]


def fill_sentence_f1(scored: Sequence[Scored]) -> None:
    """Count each sentence in the sentence-mean F1 of all systems if it has an F1 for one of them.

    A system without brackets on a sentence without gold brackets has F1 1 there, and 0 without a parse.
    """
    column = column_of(scored[0], SENTENCE_F1.name)
    if column is None:
        return
    counted = bytearray(max([one.gold[-1][1] for one in scored if one.gold], default=0))
    for one in scored:
        for (start, end), row in zip(one.gold, one.rows):
            if row[column + 1]:
                counted[start:end] = b"\1" * (end - start)
    for one in scored:
        for index, ((start, end), row) in enumerate(zip(one.gold, one.rows)):
            if not row[column + 1] and any(counted[start:end]):
                row[column : column + 2] = 0 if index in one.unparsed else F1_UNIT, F1_UNIT


def with_labels(scored: Sequence[Scored], *, unlabeled: bool) -> list[Scored]:
    """The evaluations with F of the most frequent labels as measures, where labels were counted.

    Left out are labels whose F is no quotient of numbers that add up, as where labels are equated.

    Cost: O(records * labels).
    """
    totals = [labels_in(one.total) for one in scored]
    gold: dict[str, int] = {}
    for total in totals:
        if total is None:
            return list(scored)
        for label, counts in total.items():
            gold[label] = max(gold.get(label, 0), counts.gold)
    known = [
        label
        for label in sorted(gold, key=lambda label: (-gold[label], label))
        if gold[label] and (unlabeled or all(one.labels.is_quotient(label) for one in scored))
    ][:TESTED]
    figures = [label_figure(label, unlabeled=unlabeled) for label in known]
    return [
        replace(
            one,
            figures=[*one.figures, *figures],
            rows=[[*row, *more] for row, more in zip(one.rows, one.labels.columns(known, recall=unlabeled))],
        )
        for one in scored
    ]


def _legacy(
    gold: Source,
    system: Source,
    params: Params,
    dialect: str,
    name: str,
    executor: Executor | WorkerPool | None,
) -> Scored:
    from .. import legacy
    from ..score.signature import prm_name
    from ..trees.version import __version__

    gold_lines, system_lines = _lines(gold), _lines(system)
    if len(gold_lines) != len(system_lines):
        raise InputError(
            f"the system has {len(system_lines)} lines and gold has {len(gold_lines)}; "
            "in legacy mode line i of one is scored against line i of the other",
            source=name,
        )
    result = legacy.evaluate(gold_lines, system_lines, params, dialect=dialect, executor=executor)
    if result.killed:
        raise InputError(
            f"evalb gives up after more than {params.max_error} errors, the last of them: "
            f"{result.messages[-1] if result.messages else 'unknown'}; raise MAX_ERROR in the .prm",
            source=name,
        )
    total = result.total
    notes = _notes((total.errors, "sentences in error"), (total.skipped, "sentences skipped"))
    rows = [_row(LEGACY, sentence.counts) for sentence in result.sentences]
    ranges = [(place, place + 1) for place in range(len(rows))]
    signature = f"jpevalb:{__version__} mode:legacy dialect:{dialect} prm:{prm_name(params)}"
    return Scored(ranges, rows, total, LEGACY, notes, (), signature)


def _notes(*counts: tuple[int, str]) -> tuple[str, ...]:
    found = []
    for count, what in counts:
        if count == 1:
            what = what.replace("beads", "bead").replace("sentences", "sentence")
        if count:
            found.append(f"{count} {what}")
    return tuple(found)


# -- sources ----------------------------------------------------------------------


def baseline_first(
    name: str, named: Sequence[tuple[str, Source]], members: Mapping[str, Sequence[int]]
) -> tuple[list[tuple[str, Source]], dict[str, tuple[int, ...]]]:
    """The systems with the baseline first, and the places of the groups among them.

    Raises:
        SettingsError: no system has that name.
    """
    names = [one for one, _ in named]
    if name not in names:
        raise SettingsError(f"found the baseline {name!r}; expected the name of a system: {', '.join(names)}")
    first = names.index(name)
    order = [first, *[place for place in range(len(names)) if place != first]]
    where = {
        group: tuple([order.index(place - 1) + 1 for place in places]) for group, places in members.items()
    }
    return [named[place] for place in order], where


def _lines(source: Source) -> list[Any]:
    if isinstance(source, (str, os.PathLike)):
        with open_lines(source) as lines:
            return list(lines)
    items: Iterable[Any] = source
    return [item.to_bracket() if isinstance(item, Tree) else item for item in items]
