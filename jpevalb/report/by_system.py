"""Cells of a comparison: figures and tests of systems; and tables by label, by length and by group."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ..comparison.labels import gold_counts, label_figure, labels_in
from ..comparison.result import Comparison, SystemScores, difference_of
from ..metrics import LENGTHS_GROUP, Figure
from .table import Cell, Field, MarkedNumber, Table, number, percent

if TYPE_CHECKING:
    from ..comparison.decided import Decision
    from ..errors.analysis import Analysis
    from ..metrics.by_label import LabelCount


LEVELS = (("***", 0.001), ("**", 0.01), ("*", 0.05))
"""Marks of differences and the corrected p-values that they are below, the strictest first."""

CellOf: TypeAlias = Callable[[SystemScores, Figure], Cell]  # makes the cell of a system and a figure


def stars(decision: Decision | None) -> str:
    """Return the mark of a difference; an empty text unless the systems differ."""
    if decision is None or not decision.real:
        return ""
    return next(marks for marks, level in LEVELS if (decision.p or 0) < level)


def shown_p(p: float | None) -> str | None:
    """Return a p-value as text."""
    return None if p is None else f"{p:.4f}" if p >= LEVELS[0][1] else f"< {LEVELS[0][1]:g}"


def ends_of(ends: tuple[float, float] | None, measure: Figure) -> Cell:
    """Return the ends of an interval as text."""
    return None if ends is None else " to ".join([str(number(measure, end)) for end in ends])


def half(ends: tuple[float, float] | None, measure: Figure) -> str:
    """Return half an interval as text; empty without one."""
    return "" if ends is None else number(measure, (ends[1] - ends[0]) / 2) or ""


def outcome(system: SystemScores, measure: Figure) -> str:
    """Return wins, ties and losses of the sign test; a win is a better figure."""
    test = system.outcomes[measure.name]
    wins, losses = (test.wins, test.losses) if measure.larger_is_better else (test.losses, test.wins)
    return f"{wins}/{test.ties}/{losses}"


def value(system: SystemScores, measure: Figure) -> Cell:
    """Return the value of a figure."""
    return number(measure, system[measure.name])


def signed(measure: Figure, difference: float) -> str:
    """Return a difference of figures with its sign."""
    shown = number(measure, difference) or ""
    return shown if shown.startswith("-") else f"+{shown}"


STATISTICS = ("low", "high", "p", "p_holm", "difference", "difference_low", "difference_high")
"""Columns of a spreadsheet after a figure: interval, p-values, difference from the baseline, its interval."""


def plain_figures(comparison: Comparison, system: SystemScores, measure: Figure) -> list[Cell]:
    """Return the cells of a figure in a spreadsheet: its value and its :data:`STATISTICS`."""
    low, high = system.intervals.get(measure.name) or (None, None)
    decision = system.decisions.get(measure.name)
    p_values = system.p_values.get(measure.name), decision and decision.p
    figure, base = system[measure.name], comparison.baseline[measure.name]
    difference = None if system is comparison.baseline else difference_of(base, figure)
    ends = system.differences.get(measure.name) or (None, None)
    cells = [number(measure, one) for one in (figure, low, high, difference, *ends)]
    return [*cells[:3], *[None if p is None else f"{p:.6g}" for p in p_values], *cells[3:]]


def difference_from(baseline: SystemScores, *, verbose: bool) -> CellOf:
    """Return a function that shows differences from a system, with half their intervals unless verbose."""

    def cell(system: SystemScores, measure: Figure) -> Cell:
        difference = difference_of(baseline[measure.name], system[measure.name])
        if difference is None:
            return None
        ends = None if verbose else system.differences.get(measure.name)
        marks = stars(system.decisions.get(measure.name))
        return MarkedNumber(signed(measure, difference), marks, half(ends, measure))

    return cell


class Group(NamedTuple):
    """The sentences of a length, the constituents of a label, or the errors of a cause, in all systems."""

    name: str
    measure: Figure | None = None  # the figure of them that is compared, if there is one
    gold: int | None = None  # number of gold sentences or constituents, if known
    rates: tuple[float | None, ...] = ()  # F, or recall, of each system


def labels_of(
    comparison: Comparison, counted: Sequence[Mapping[str, LabelCount]], *, recall: bool = False
) -> list[Group]:
    """Return F or recall by label, the most frequent gold labels first."""
    known = {measure.name: measure for measure in comparison.measures}
    groups = []
    for label, gold in gold_counts(counted).items():
        rates = tuple([getattr(one.get(label), "recall" if recall else "f1", None) for one in counted])
        if gold or not recall:
            name = label_figure(label, unlabeled=comparison.unlabeled).name
            groups.append(Group(label, known.get(name), gold, rates))
    return groups


def lengths_of(comparison: Comparison, analyses: Sequence[Analysis]) -> list[Group]:
    """Return F by length of the sentence."""
    known = {measure.title: measure for measure in comparison.measures if measure.group == LENGTHS_GROUP}
    longest = max([one.lengths for one in analyses], key=len, default=())
    groups = []
    for index, item in enumerate(longest):
        parts = [one.lengths[index].brackets if index < len(one.lengths) else None for one in analyses]
        sentences = max([part.sentences for part in parts if part is not None])
        rates = tuple([None if part is None else part.f1 for part in parts])
        groups.append(Group(item.name, known.get(item.name), sentences, rates))
    return groups


def groups_by_label(comparison: Comparison) -> list[Group]:
    """Return the labels of all systems, if labels were counted."""
    counted = [counts for system in comparison.systems if (counts := labels_in(system.total)) is not None]
    return labels_of(comparison, counted, recall=comparison.unlabeled)


def by_length(comparison: Comparison) -> list[Table]:
    """Return the table of lengths, if there is an error analysis."""
    analyses = analyses_of(comparison)
    if not analyses:
        return []
    groups = lengths_of(comparison, analyses)
    rows = [[group.name, str(group.gold), *map(percent, group.rates)] for group in groups]
    systems = [Field(system.name, system.name) for system in comparison.systems]
    fields = (Field("length", "Length", text=True), Field("sentences", "Sentences"), *systems)
    return [Table(LENGTHS_GROUP, fields, rows, name="lengths")]


def analyses_of(comparison: Comparison) -> list[Analysis]:
    """Return the error analyses of all systems; none if they were not computed."""
    totals: list[Any] = [system.total for system in comparison.systems]
    if not all("analysis" in total for total in totals):
        return []
    from ..errors.analysis import Analysis

    return [Analysis.of(total["analysis"]) for total in totals]


def group_tables(comparison: Comparison, measures: list[Figure]) -> list[Table]:
    """Return the table of groups, if there are any, with three rows for each."""
    rows = [
        [group.name, name, *[number(measure, getattr(group, name)[measure.name]) for measure in measures]]
        for group in comparison.groups
        for name in ("mean", "deviation", "best")
    ]
    fields = (
        Field("group", "Group", text=True),
        Field("figure", "Figure", text=True),
        *[Field(measure.name, measure.title) for measure in measures],
    )
    title = "Groups of systems (sample standard deviation)"
    return [Table(title, fields, rows, name="groups", heads=2)] if rows else []


def group_lines(comparison: Comparison, measures: list[Figure]) -> list[str]:
    """Return a line for each group."""
    lines = []
    for group in comparison.groups:
        parts = []
        for measure in measures:
            columns = (group.mean, group.deviation, group.best)
            mean, deviation, best = [number(measure, one[measure.name]) for one in columns]
            if mean is not None:
                parts.append(f"{measure.title} {mean} ± {deviation or '-'} (best {best})")
        lines.append(f"{group.name} ({', '.join(group.systems)}): {', '.join(parts)}")
    return lines
