"""The systems of a comparison: cells of their figures and tests; tables by label, by length and in groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ..comparison.result import Comparison, SystemScores
from ..metrics import Figure
from ..metrics.by_label import LabelCount
from .table import Cell, Field, MarkedNumber, Table, number, percent

if TYPE_CHECKING:
    from ..errors.analysis import Analysis


LEVELS = (("***", 0.001), ("**", 0.01), ("*", 0.05))
"""Marks of significance, the strictest first: p is below the number."""

CellOf: TypeAlias = Callable[[SystemScores, Figure], Cell]
"""What makes the cell of a system and a measure."""


def stars(p: float | None) -> str:
    """The mark of a p-value as it is shown, with four decimals; nothing where it is not below any level.

    >>> stars(0.0099), stars(0.00996), stars(None)
    ('**', '*', '')
    """
    if p is None:
        return ""
    printed = p if p < LEVELS[0][1] else round(p, 4)
    return next((marks for marks, level in LEVELS if printed < level), "")


def p_value(system: SystemScores, measure: Figure) -> Cell:
    """The p-value of the difference from the baseline."""
    p = system.p_values[measure.name]
    return None if p is None else f"{p:.4f}" if p >= LEVELS[0][1] else f"< {LEVELS[0][1]:g}"


def interval(system: SystemScores, measure: Figure) -> Cell:
    """The ends of the interval of a figure."""
    return ends_of(system.intervals[measure.name], measure)


def interval_of_difference(system: SystemScores, measure: Figure) -> Cell:
    """The ends of the interval of a difference from the baseline."""
    return ends_of(system.differences[measure.name], measure)


def ends_of(ends: tuple[float, float] | None, measure: Figure) -> Cell:
    """The ends of an interval."""
    return None if ends is None else " to ".join([str(number(measure, end)) for end in ends])


def half(ends: tuple[float, float] | None, measure: Figure) -> str:
    """Half an interval; empty if there is none."""
    return "" if ends is None else number(measure, (ends[1] - ends[0]) / 2) or ""


def outcome(system: SystemScores, measure: Figure) -> Cell:
    """Wins, ties and losses of the sign test; a win is a better figure."""
    found = system.outcomes[measure.name]
    wins, losses = (found.wins, found.losses) if measure.larger_is_better else (found.losses, found.wins)
    return f"{wins}/{found.ties}/{losses}"


def value(system: SystemScores, measure: Figure) -> Cell:
    """A figure."""
    return number(measure, system[measure.name])


def signed(measure: Figure, difference: float) -> str:
    """A difference of figures, with its sign."""
    shown = number(measure, difference) or ""
    return shown if shown.startswith("-") else f"+{shown}"


BESIDE = ("low", "high", "p", "difference", "difference_low", "difference_high")
"""What a spreadsheet has beside a figure: its interval, p, its difference from the baseline, its interval."""


def plain_figures(comparison: Comparison, system: SystemScores, measure: Figure) -> list[Cell]:
    """A figure for a spreadsheet, and what :data:`BESIDE` names."""
    low, high = system.intervals.get(measure.name) or (None, None)
    p = system.p_values.get(measure.name)
    figure, base = system[measure.name], comparison.baseline[measure.name]
    apart = None
    if system is not comparison.baseline and figure is not None and base is not None:
        apart = figure - base
    less, more = system.differences.get(measure.name) or (None, None)
    figures = [number(measure, one) for one in (figure, low, high, apart, less, more)]
    return [*figures[:3], None if p is None else f"{p:.6g}", *figures[3:]]


def difference_from(baseline: SystemScores, *, verbose: bool) -> CellOf:
    """What shows differences from a system, with stars and, unless ``verbose``, half their intervals."""

    def cell(system: SystemScores, measure: Figure) -> Cell:
        figure, base = system[measure.name], baseline[measure.name]
        if figure is None or base is None:
            return None
        ends = None if verbose else system.differences.get(measure.name)
        marks = stars(system.p_values.get(measure.name))
        return MarkedNumber(signed(measure, figure - base), marks, half(ends, measure))

    return cell


# -- labels, lengths and groups ---------------------------------------------------


class Group(NamedTuple):
    """The sentences of a length, or the constituents of a label, of all systems."""

    name: str
    gold: int
    """How many there are in gold."""
    rates: tuple[float | None, ...]
    """F of each system, or its recall."""


def labels_of(counted: Sequence[Mapping[str, LabelCount]], rate: str = "f1") -> list[Group]:
    """F by label, the most frequent gold labels first.

    Args:
        counted: For each system the counts of its labels.
        rate: ``"recall"`` for recall by gold label, where the system's labels mean nothing.
    """
    gold: dict[str, int] = {}
    for counts in counted:
        for label, item in counts.items():
            # Systems that join sentences differently have the same gold constituents all the same.
            gold[label] = max(gold.get(label, 0), item.gold)
    return [
        Group(
            label,
            gold[label],
            tuple(getattr(counts[label], rate) if label in counts else None for counts in counted),
        )
        for label in sorted(gold, key=lambda label: (-gold[label], label))
        if gold[label] or rate == "f1"
    ]


def lengths_of(analyses: Sequence[Analysis]) -> list[Group]:
    """F of the sentences of a length.

    Args:
        analyses: The analysis of each system.
    """
    longest = max([one.lengths for one in analyses], key=len, default=())
    found = []
    for place, item in enumerate(longest):
        parts = [one.lengths[place].brackets if place < len(one.lengths) else None for one in analyses]
        sentences = max([part.sentences for part in parts if part is not None])
        found.append(Group(item.name, sentences, tuple(None if part is None else part.f1 for part in parts)))
    return found


def groups_by_label(comparison: Comparison) -> list[Group]:
    """The labels of all systems, if labels were counted."""
    counted = [counts for system in comparison.systems if (counts := _labels(system)) is not None]
    return labels_of(counted, "recall" if comparison.unlabeled else "f1") if counted else []


def by_length(comparison: Comparison) -> list[Table]:
    """The table of the lengths, if there is an error analysis."""
    counted = [counted_of(system, "analysis") for system in comparison.systems]
    if None in counted:
        return []
    from ..errors.analysis import Analysis

    groups = lengths_of(list(map(Analysis.of, counted)))
    rows = [[group.name, str(group.gold), *map(percent, group.rates)] for group in groups]
    systems = [Field(system.name, system.name) for system in comparison.systems]
    fields = (Field("length", "Length", text=True), Field("sentences", "Sentences"), *systems)
    return [Table("F by length of the sentence", fields, rows, name="lengths")]


def _labels(system: SystemScores) -> Mapping[str, LabelCount] | None:
    """The labels of a system, where they were counted."""
    labels = counted_of(system, "labels")
    if labels is None and (analysis := counted_of(system, "analysis")) is not None:
        labels = analysis.labels
    found: Mapping[str, LabelCount] | None = None if labels is None else labels.labels
    return found


def counted_of(system: SystemScores, name: str) -> Any:
    """What a metric has counted of a system, by the metric's name; ``None`` where it was not asked for."""
    total: Any = system.total
    return total[name] if name in getattr(total, "names", ()) else None


def group_tables(comparison: Comparison, measures: list[Figure]) -> list[Table]:
    """The table of the groups, if there are some: three rows a group."""
    rows: list[list[Cell]] = []
    for group in comparison.groups:
        for what, values in (("mean", group.mean), ("deviation", group.deviation), ("best", group.best)):
            cells = [number(measure, values[measure.name]) for measure in measures]
            rows.append([group.name, what, *cells])
    fields = (
        Field("group", "Group", text=True),
        Field("figure", "Figure", text=True),
        *[Field(measure.name, measure.title) for measure in measures],
    )
    title = "Groups of systems (sample standard deviation)"
    return [Table(title, fields, rows, name="groups", heads=2)] if rows else []


def group_lines(comparison: Comparison, measures: list[Figure]) -> list[str]:
    """The groups as a line each, where there is no table of them."""
    found = []
    for group in comparison.groups:
        parts = []
        for measure in measures:
            key = measure.name
            if (mean := number(measure, group.mean[key])) is not None:
                deviation = number(measure, group.deviation[key]) or "-"
                parts.append(
                    f"{measure.title} {mean} ± {deviation} (best {number(measure, group.best[key])})"
                )
        found.append(f"{group.name} ({', '.join(group.systems)}): {', '.join(parts)}")
    return found
