"""Comparisons: systems by measures as tables, what has to be known of them, and the text report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ..comparison import Comparison, SystemScores
from ..metrics import Measure
from ..metrics.by_label import LabelCount
from ..metrics.errors import Analysis
from ..model.text import columns_of, padded, visible
from .columns import aligned
from .groups import group_tables
from .table import Cell, Field, Marked, Sheet, Table, percent

LEVELS = (("***", 0.001), ("**", 0.01), ("*", 0.05))
"""Marks of significance, the strictest first: p is below the number."""

WIDTH = 100
"""Columns of a text table, unless a terminal says otherwise."""

LABELS = 20
"""Most labels of the table of labels; JSON has all of them."""

_TESTS = {
    "bootstrap": "paired bootstrap, {} resamples",
    "permutation": "paired permutation, {} shuffles",
    "sign": "sign test on single sentences, exact",
}


_CellOf = Callable[[SystemScores, Measure], Cell]
"""What makes the cell of a system and a measure."""


def sheet(comparison: Comparison) -> Sheet:
    """All tables of a comparison: for CSV and TSV the systems are one row each."""
    lines = (*notes(comparison), f"signature: {comparison.signature}")
    groups = group_tables(comparison, headline(comparison))
    further = (*groups, *_by_label(comparison), *_by_length(comparison))
    shown = (*_tables(comparison), *_grouped_tables(comparison), *further)
    plain = (_wide(comparison), *_grouped_rows(comparison), *further)
    return Sheet(plain, shown, lines, headings=False)


def headline(comparison: Comparison) -> list[Measure]:
    """The measures of the main table."""
    return [measure for measure in comparison.measures if not measure.group]


def grouped(comparison: Comparison) -> dict[str, list[Measure]]:
    """For each heading the measures below it that are not 0 for every system, the largest first."""
    found: dict[str, list[Measure]] = {}
    for measure in comparison.measures:
        if measure.group and any(system[measure.name] for system in comparison.systems):
            found.setdefault(measure.group, []).append(measure)
    for measures in found.values():
        measures.sort(key=lambda measure: -max(system[measure.name] or 0 for system in comparison.systems))
    return found


def how_tested(comparison: Comparison) -> str:
    """The test of a comparison in words; empty without one."""
    if comparison.test is None:
        return ""
    return _TESTS[comparison.test].format(f"{comparison.test_samples:,}")


def _tables(comparison: Comparison) -> list[Table]:
    """The scores with marks of significance, then p-values and intervals, as far as there are any."""
    measures = headline(comparison)
    fields = (
        Field("system", "System", text=True),
        *[Field(measure.name, measure.title) for measure in measures],
    )
    baseline, others = comparison.baseline, comparison.systems[1:]

    def made(title: str, systems: Sequence[SystemScores], cell: _CellOf) -> Table:
        rows = [[system.name, *[cell(system, measure) for measure in measures]] for system in systems]
        return Table(title, fields, rows)

    found = [made("", comparison.systems, _score)]
    if comparison.test is not None:
        title = f"p-values of the difference from {baseline.name} ({how_tested(comparison)})"
        found.append(made(title, others, _p_value))
    if comparison.test == "sign":
        found.append(made(f"Wins, ties and losses against {baseline.name}", others, _outcome))
    if comparison.confidence is not None:
        title = (
            f"{100 * comparison.confidence:g} % confidence intervals "
            f"(bootstrap percentiles, {comparison.interval_samples:,} resamples)"
        )
        found.append(made(title, comparison.systems, _interval))
    return found


def _wide(comparison: Comparison) -> Table:
    """A row a system, for a spreadsheet.

    For each measure the figure as in the other tables, and as far as there are any the ends of its
    interval and its p-value; then what was left out, and the signature.
    """
    fields = [Field("system", text=True)]
    for measure in headline(comparison):
        fields.append(Field(measure.name))
        if comparison.confidence is not None:
            fields += [Field(f"{measure.name}_low"), Field(f"{measure.name}_high")]
        if comparison.test is not None:
            fields.append(Field(f"{measure.name}_p"))
    rows = []
    for system in comparison.systems:
        row: list[Cell] = [system.name]
        for measure in headline(comparison):
            row.append(number(measure, system[measure.name]))
            if comparison.confidence is not None:
                ends = system.intervals[measure.name] or (None, None)
                row += [number(measure, end) for end in ends]
            if comparison.test is not None:
                p = system.p_values.get(measure.name)
                row.append(None if p is None else f"{p:.6g}")
        rows.append([*row, ", ".join(system.notes), comparison.signature])
    return Table(
        "", (*fields, Field("notes", text=True), Field("signature", text=True)), rows, name="systems"
    )


def notes(comparison: Comparison) -> list[str]:
    """What has to be known of the tables, a line each."""
    lines = []
    if comparison.test is not None:
        levels = ", ".join(f"{marks} p < {level:g}" for marks, level in reversed(LEVELS))
        lines.append(f"{levels}; two-sided, not corrected for the number of tests")
    lines.append(f"{comparison.gold_sentences:,} gold sentences")
    for system in comparison.systems:
        said = list(system.notes)
        if system.units != comparison.gold_sentences:
            said.insert(0, f"resampled in {system.units:,} units, as the alignment joins sentences")
        if said:
            lines.append(f"{system.name}: {', '.join(said)}")
    return lines


def number(measure: Measure, value: float | None) -> str | None:
    """A figure as tables show it."""
    if value is None:
        return None
    if measure.form == "percent":
        return f"{100 * value:.2f}"
    return f"{value:.4f}" if measure.form == "share" else f"{value:.2f}"


def stars(p: float | None) -> str:
    """The mark of a p-value; nothing where it is not below any level."""
    return next((marks for marks, level in LEVELS if p is not None and p < level), "")


# -- text -------------------------------------------------------------------------


def text(comparison: Comparison, width: int | None = None) -> str:
    """Tables for reading; what is wider than ``width``, 100 columns if not given, goes on below."""
    content = sheet(comparison)
    width = WIDTH if width is None else width
    pieces = []
    for table in content.shown:
        blocks = ["\n".join(_lines(block)) + "\n" for block in _blocks(table, width)]
        title = f"{visible(table.title)}\n" if table.title else ""
        pieces.append(title + "\n".join(blocks))
    pieces.append("".join([f"# {visible(line)}\n" for line in content.notes]))
    return "\n".join(pieces)


def _blocks(table: Table, width: int) -> list[Table]:
    """The table in pieces no wider than that, if it can be; each begins with the first column."""
    widths = [max(map(columns_of, column)) for column in zip(*_cells(table))]
    for pieces in range(1, len(widths)):
        size = -(-(len(widths) - 1) // pieces)
        cuts = [(start, min(start + size, len(widths))) for start in range(1, len(widths), size)]
        if size == 1 or all(widths[0] + sum(widths[a:b]) + 2 * (b - a) <= width for a, b in cuts):
            break
    else:
        return [table]
    return [
        Table(
            table.title,
            (table.fields[0], *table.fields[a:b]),
            [[row[0], *row[a:b]] for row in table.rows],
            most=table.most,
        )
        for a, b in cuts
    ]


def _lines(table: Table) -> list[str]:
    head, *rows = _cells(table)
    widths = [max(map(columns_of, column)) for column in zip(head, *rows)]
    lines = aligned(head, rows, "l" + "r" * (len(head) - 1), "  ")
    return [lines[0], "  ".join(["-" * width for width in widths]), *lines[1:]]


def _cells(table: Table) -> list[list[str]]:
    """Headings and rows as text; marks hang over, so that the numbers stand one under another."""
    columns = []
    for place, field in enumerate(table.fields):
        cells = [row[place] for row in table.for_reading()]
        hang = max([len(shown.marks) for shown in cells if isinstance(shown, Marked)], default=0)
        column = []
        for shown in cells:
            content, marks = shown if isinstance(shown, Marked) else (shown, "")
            column.append(visible("-" if content is None else content) + padded(marks, hang))
        columns.append([visible(field.title), *column])
    return [list(row) for row in zip(*columns)]


# -- cells ------------------------------------------------------------------------


def _score(system: SystemScores, measure: Measure) -> Cell:
    shown = number(measure, system[measure.name])
    return shown if shown is None else Marked(shown, stars(system.p_values.get(measure.name)))


def _p_value(system: SystemScores, measure: Measure) -> Cell:
    p = system.p_values[measure.name]
    return None if p is None else f"{p:.4f}" if p >= 0.0001 else "<0.0001"


def _interval(system: SystemScores, measure: Measure) -> Cell:
    ends = system.intervals[measure.name]
    return None if ends is None else " to ".join([str(number(measure, end)) for end in ends])


def _outcome(system: SystemScores, measure: Measure) -> Cell:
    found = system.outcomes[measure.name]
    wins, losses = (found.wins, found.losses) if measure.larger_is_better else (found.losses, found.wins)
    return f"{wins}/{found.ties}/{losses}"


def _value(system: SystemScores, measure: Measure) -> Cell:
    return number(measure, system[measure.name])


def _difference_from(baseline: SystemScores) -> _CellOf:
    def cell(system: SystemScores, measure: Measure) -> Cell:
        value, base = system[measure.name], baseline[measure.name]
        if value is None or base is None:
            return None
        shown = number(measure, value - base) or ""
        marks = stars(system.p_values.get(measure.name))
        return Marked(shown if shown.startswith("-") else f"+{shown}", marks)

    return cell


# -- groups of measures -------------------------------------------------------------


def _grouped_tables(comparison: Comparison) -> list[Table]:
    """Tables of each group of measures, a row a measure: values and differences, p-values, intervals."""
    baseline, others = comparison.baseline, comparison.systems[1:]
    values: list[tuple[str, SystemScores, _CellOf]] = [(baseline.name, baseline, _value)]
    for system in others:
        values.append((system.name, system, _value))
        values.append(("difference", system, _difference_from(baseline)))
    wanted = [("", values)]
    if comparison.test is not None:
        wanted.append((": p-values", [(system.name, system, _p_value) for system in others]))
    if comparison.confidence is not None:
        wanted.append((": intervals", [(one.name, one, _interval) for one in comparison.systems]))
    return [
        Table(
            title + what,
            (Field("cause", "Cause", text=True), *[Field(name, name) for name, _, _ in columns]),
            [
                [measure.title, *[cell(system, measure) for _, system, cell in columns]]
                for measure in measures
            ],
        )
        for title, measures in grouped(comparison).items()
        for what, columns in wanted
    ]


def _grouped_rows(comparison: Comparison) -> list[Table]:
    """The groups of measures for a spreadsheet, a row a measure and system."""
    rows: list[list[Cell]] = []
    for measures in grouped(comparison).values():
        for measure in measures:
            for system in comparison.systems:
                low, high = system.intervals.get(measure.name) or (None, None)
                p = system.p_values.get(measure.name)
                figures = [number(measure, value) for value in (system[measure.name], low, high)]
                rows.append([measure.title, system.name, *figures, None if p is None else f"{p:.6g}"])
    names = ("points", "low", "high", "p")
    fields = (Field("cause", text=True), Field("system", text=True), *[Field(name) for name in names])
    return [Table("", fields, rows, name="causes")] if rows else []


# -- labels and lengths -------------------------------------------------------------


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


def _by_label(comparison: Comparison) -> list[Table]:
    """The table of the labels, if labels were counted."""
    counted = [counts for system in comparison.systems if (counts := _labels(system)) is not None]
    if not counted:
        return []
    rate = "recall" if comparison.unlabeled else "f1"
    groups = [group._replace(name=group.name or "()") for group in labels_of(counted, rate)]
    title = "Recall by gold label" if comparison.unlabeled else "F by label"
    title += f" (the {LABELS} most frequent of {len(groups)})" if len(groups) > LABELS else ""
    return [_by(comparison, title, "labels", ("Label", "Gold"), groups, LABELS)]


def _by_length(comparison: Comparison) -> list[Table]:
    """The table of the lengths, if there is an error analysis."""
    counted = [_counted(system, "analysis") for system in comparison.systems]
    if None in counted:
        return []
    groups = lengths_of(list(map(Analysis.of, counted)))
    title = "F by length of the sentence"
    return [_by(comparison, title, "lengths", ("Length", "Sentences"), groups)]


def _by(
    comparison: Comparison,
    title: str,
    name: str,
    head: tuple[str, str],
    groups: Sequence[Group],
    most: int | None = None,
) -> Table:
    first, second = head
    fields = (
        Field(first.lower(), first, text=True),
        Field(second.lower(), second),
        *[Field(system.name, system.name) for system in comparison.systems],
    )
    rows = [[group.name, str(group.gold), *map(percent, group.rates)] for group in groups]
    return Table(title, fields, rows, name=name, most=most)


def _labels(system: SystemScores) -> Mapping[str, LabelCount] | None:
    """The labels of a system, where they were counted."""
    labels = _counted(system, "labels")
    if labels is None and (analysis := _counted(system, "analysis")) is not None:
        labels = analysis.labels
    found: Mapping[str, LabelCount] | None = None if labels is None else labels.labels
    return found


def _counted(system: SystemScores, name: str) -> Any:
    """What a metric has counted of a system; ``None`` where it was not asked for."""
    if name in system.added:
        return system.added[name]
    total: Any = system.total
    return total[name] if name in getattr(total, "names", ()) else None
