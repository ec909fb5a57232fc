"""Reports of a comparison: tables of systems by measures, for reading, papers, spreadsheets and programs."""

from __future__ import annotations

import csv as csv_files
import io
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..comparison import Comparison, SystemScores
from ..metrics import Measure
from ..metrics.by_label import LabelCounts
from ..model.errors import SettingsError
from . import escape
from .columns import columns_of, padded
from .json import text_of
from .table import tabulated

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


class Cell(NamedTuple):
    """A cell before it has a format."""

    text: str
    marks: str = ""
    """Stars behind a number."""
    name: bool = False
    """Whether the text comes from the files or their names."""


_CellOf = Callable[[SystemScores, Measure], Cell]
"""What makes the cell of a system and a measure."""


class Table(NamedTuple):
    """A table before it has a format: its first column is text, the others are numbers."""

    title: str
    head: list[Cell]
    rows: list[list[Cell]]


def render(
    comparison: Comparison, format: str = "text", *, width: int | None = None, gold_name: str | None = None
) -> str:
    """The comparison in a format of :data:`FORMATS`.

    Args:
        comparison: What to report.
        format: Its name.
        width: Columns that the tables of the text may take.
        gold_name: What an HTML page calls the gold side.

    Raises:
        SettingsError: an unknown format.
    """
    if format not in FORMATS:
        raise SettingsError(f"found the output format {format!r}; expected one of {', '.join(FORMATS)}")
    if format == "text":
        return text(comparison, WIDTH if width is None else width)
    if format == "html":
        from .comparison_html import html

        return html(comparison, gold_name=gold_name or "gold")
    return _PLAIN[format](comparison)


def tables(comparison: Comparison) -> list[Table]:
    """The scores with marks of significance, then p-values and intervals, as far as there are any."""
    head = [Cell("System"), *[Cell(measure.title) for measure in comparison.measures]]
    baseline, others = comparison.baseline, comparison.systems[1:]

    def made(title: str, systems: Sequence[SystemScores], cell: _CellOf) -> Table:
        return Table(
            title,
            head,
            [
                [Cell(system.name, name=True), *[cell(system, measure) for measure in comparison.measures]]
                for system in systems
            ],
        )

    found = [made("", comparison.systems, _score)]
    if comparison.test is not None:
        how = _TESTS[comparison.test].format(f"{comparison.test_samples:,}")
        title = f"p-values of the difference from {baseline.name} ({how})"
        found.append(made(title, others, _p_value))
    if comparison.test == "sign":
        found.append(made(f"Wins, ties and losses against {baseline.name}", others, _outcome))
    if comparison.confidence is not None:
        title = (
            f"{100 * comparison.confidence:g} % confidence intervals "
            f"(bootstrap percentiles, {comparison.interval_samples:,} resamples)"
        )
        found.append(made(title, comparison.systems, _interval))
    return [*found, *_by_label(comparison), *_by_length(comparison)]


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


def number(measure: Measure, value: float | None, undefined: str = "-") -> str:
    """A figure as tables show it."""
    if value is None:
        return undefined
    if measure.form == "percent":
        return f"{100 * value:.2f}"
    return f"{value:.4f}" if measure.form == "share" else f"{value:.2f}"


def stars(p: float | None) -> str:
    """The mark of a p-value; nothing where it is not below any level."""
    return next((marks for marks, level in LEVELS if p is not None and p < level), "")


# -- formats ----------------------------------------------------------------------


def text(comparison: Comparison, width: int = WIDTH) -> str:
    """Tables for reading; what is wider than ``width`` goes on below."""
    pieces = []
    for table in tables(comparison):
        blocks = ["\n".join(_lines(block)) + "\n" for block in _blocks(table, width)]
        title = f"{escape.visible(table.title)}\n" if table.title else ""
        pieces.append(title + "\n".join(blocks))
    pieces.append(
        "".join(f"# {escape.visible(line)}\n" for line in [*notes(comparison), _signature(comparison)])
    )
    return "\n".join(pieces)


def markdown(comparison: Comparison) -> str:
    """Tables for a README or an issue."""
    pieces = []
    for table in tables(comparison):
        head, *rows = [
            [escape.markdown(cell.text + cell.marks) for cell in row] for row in (table.head, *table.rows)
        ]
        title = f"{escape.markdown(table.title)}\n\n" if table.title else ""
        pieces.append(f"{title}{tabulated(head, rows, _sides(table), 'pipe')}\n")
    lines = [*notes(comparison), _signature(comparison)]
    pieces.append("".join(f"- {escape.markdown(line)}\n" for line in lines))
    return "\n".join(pieces)


def latex(comparison: Comparison) -> str:
    r"""Tables for a paper; they need ``\usepackage{booktabs}``."""
    pieces = ["% \\usepackage{booktabs}\n"]
    for table in tables(comparison):
        head, *rows = [[_latex(cell) for cell in row] for row in (table.head, *table.rows)]
        title = f"% {escape.visible(table.title)}\n" if table.title else ""
        pieces.append(f"{title}{tabulated(head, rows, _sides(table), 'booktabs')}\n")
    lines = [*notes(comparison), _signature(comparison)]
    pieces.append("".join(f"% {escape.visible(line)}\n" for line in lines))
    return "\n".join(pieces)


def csv(comparison: Comparison) -> str:
    """One row a system, for a spreadsheet; empty where there is no number.

    For each measure the figure as in the other tables, and as far as there are
    any the ends of its interval and its p-value; then what was left out, and the
    signature.
    """
    stream = io.StringIO()
    csv_files.writer(stream, lineterminator="\n").writerows(_rows(comparison))
    return stream.getvalue()


def tsv(comparison: Comparison) -> str:
    """The same with tabs between the cells, which are never quoted."""
    return "".join(["\t".join(row) + "\n" for row in _rows(comparison)])


def json(comparison: Comparison) -> str:
    """Everything, rates in [0, 1], ``null`` where undefined; ``docs/report.schema.json`` has every key."""
    return text_of(comparison.to_dict()) + "\n"


_PLAIN = {"json": json, "csv": csv, "tsv": tsv, "markdown": markdown, "latex": latex}

FORMATS = ("text", *_PLAIN, "html")
"""What :func:`render` writes."""


def _signature(comparison: Comparison) -> str:
    return f"signature: {comparison.signature}"


def _sides(table: Table) -> list[str]:
    return ["left"] + ["right"] * (len(table.head) - 1)


def _rows(comparison: Comparison) -> list[list[str]]:
    head = ["system"]
    for measure in comparison.measures:
        head.append(measure.name)
        if comparison.confidence is not None:
            head += [f"{measure.name}_low", f"{measure.name}_high"]
        if comparison.test is not None:
            head.append(f"{measure.name}_p")
    rows = [[*head, "notes", "signature"]]
    for system in comparison.systems:
        row = [escape.cell(system.name)]
        for measure in comparison.measures:
            row.append(number(measure, system[measure.name], ""))
            if comparison.confidence is not None:
                ends = system.intervals[measure.name] or (None, None)
                row += [number(measure, end, "") for end in ends]
            if comparison.test is not None:
                p = system.p_values.get(measure.name)
                row.append("" if p is None else f"{p:.6g}")
        rows.append([*row, escape.cell(", ".join(system.notes)), escape.cell(comparison.signature)])
    return rows


# -- text -------------------------------------------------------------------------


def _blocks(table: Table, width: int) -> list[Table]:
    """The table in pieces no wider than that, if it can be; each begins with the first column."""
    widths = [width for width, _ in _widths(table)]
    counts = range(1, len(widths))
    for pieces in counts:
        size = -(-(len(widths) - 1) // pieces)
        cuts = [(start, min(start + size, len(widths))) for start in range(1, len(widths), size)]
        if size == 1 or all(widths[0] + sum(widths[a:b]) + 2 * (b - a) <= width for a, b in cuts):
            break
    else:
        return [table]
    return [
        Table(table.title, [row[0], *row[a:b]], [[row[0], *row[a:b]] for row in table.rows])
        for a, b in cuts
        for row in [table.head]
    ]


def _widths(table: Table) -> list[tuple[int, int]]:
    """For each column its width, and how much of it the marks behind the numbers may take."""
    found = []
    for head, *cells in zip(table.head, *table.rows):
        hang = max([len(cell.marks) for cell in cells], default=0)
        most = max([columns_of(escape.visible(cell.text)) for cell in cells], default=0)
        found.append((max(columns_of(escape.visible(head.text)), most + hang), hang))
    return found


def _lines(table: Table) -> list[str]:
    widths = _widths(table)
    rule = "  ".join(["-" * width for width, _ in widths])
    lines: list[str] = []
    for row in (table.head, *table.rows):
        cells = []
        for place, (cell, (width, hang)) in enumerate(zip(row, widths)):
            # Marks hang over, so that the numbers stand one under another.
            marks = padded(cell.marks, hang) if lines else ""
            cells.append(padded(escape.visible(cell.text) + marks, width, right=place > 0))
        lines.append("  ".join(cells).rstrip())
    return [lines[0], rule, *lines[1:]]


# -- cells ------------------------------------------------------------------------


def _score(system: SystemScores, measure: Measure) -> Cell:
    return Cell(number(measure, system[measure.name]), stars(system.p_values.get(measure.name)))


def _p_value(system: SystemScores, measure: Measure) -> Cell:
    p = system.p_values[measure.name]
    return Cell("-" if p is None else f"{p:.4f}" if p >= 0.0001 else "<0.0001")


def _interval(system: SystemScores, measure: Measure) -> Cell:
    ends = system.intervals[measure.name]
    return Cell("-" if ends is None else " to ".join(number(measure, end) for end in ends))


def _outcome(system: SystemScores, measure: Measure) -> Cell:
    found = system.outcomes[measure.name]
    wins, losses = (found.wins, found.losses) if measure.larger_is_better else (found.losses, found.wins)
    return Cell(f"{wins}/{found.ties}/{losses}")


def _latex(cell: Cell) -> str:
    if cell.text == "-" and not cell.name:
        return "--"
    shown = f"${cell.text}$" if cell.text.startswith("-") and not cell.name else escape.latex(cell.text)
    return shown + (rf"\rlap{{$^{{{cell.marks}}}$}}" if cell.marks else "")


# -- labels and lengths -------------------------------------------------------------


def _by_label(comparison: Comparison) -> list[Table]:
    """F of the most frequent labels, a column a system, if labels were counted."""
    counted = [counts for system in comparison.systems if (counts := _labels(system)) is not None]
    if not counted:
        return []
    gold: dict[str, int] = {}
    for counts in counted:
        for label, item in counts.labels.items():
            # Systems that join sentences differently have the same gold constituents all the same.
            gold[label] = max(gold.get(label, 0), item.gold)
    order = sorted(gold, key=lambda label: (-gold[label], label))
    rows = []
    for label in order[:LABELS]:
        rates = [counts.labels[label].f1 if label in counts.labels else None for counts in counted]
        rows.append([Cell(label or "()", name=True), Cell(str(gold[label])), *map(_percent, rates)])
    title = "F by label" + (f" (the {LABELS} most frequent of {len(order)})" if len(order) > LABELS else "")
    return [_by(comparison, title, ["Label", "Gold"], rows)]


def _by_length(comparison: Comparison) -> list[Table]:
    """F of the sentences of a length, a column a system, if there is an error analysis."""
    from ..metrics.errors import Analysis

    totals: list[Any] = [system.total for system in comparison.systems]
    if any("analysis" not in getattr(total, "names", ()) for total in totals):
        return []
    found = [Analysis.of(total["analysis"]).lengths for total in totals]
    longest = max(found, key=len)
    rows = []
    for place, item in enumerate(longest):
        parts = [lengths[place].brackets if place < len(lengths) else None for lengths in found]
        sentences = max([part.sentences for part in parts if part is not None])
        rows.append(
            [
                Cell(item.name, name=True),
                Cell(str(sentences)),
                *[_percent(None if part is None else part.f1) for part in parts],
            ]
        )
    return [_by(comparison, "F by length of the sentence", ["Length", "Sentences"], rows)]


def _by(comparison: Comparison, title: str, head: list[str], rows: list[list[Cell]]) -> Table:
    names = [Cell(system.name, name=True) for system in comparison.systems]
    return Table(title, [*map(Cell, head), *names], rows)


def _labels(system: SystemScores) -> LabelCounts | None:
    total: Any = system.total
    names = getattr(total, "names", ())
    found: LabelCounts | None = None
    if "analysis" in names:
        found = total["analysis"].labels
    elif "labels" in names:
        found = total["labels"]
    return found


def _percent(value: float | None) -> Cell:
    return Cell("-" if value is None else f"{100 * value:.2f}")
