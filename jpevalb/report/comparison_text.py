"""Comparisons as text: tables for reading, as wide as a terminal."""

from __future__ import annotations

from ..comparison.result import Comparison
from ..model.text import columns_of, padded, visible
from . import Shown
from .comparison import sheet
from .table import Marked, Table, aligned

WIDTH = 100
"""Columns of a text table, unless a terminal says otherwise."""


def text(comparison: Comparison, width: int | None = None, how: Shown | None = None) -> str:
    """Tables for reading.

    Of scores with intervals as many measures stand in the main table as fit ``width``, 100 columns if
    not given, and the others are named below; any other table that is wider goes on below.

    Args:
        comparison: The comparison.
        width: Columns that a table may take.
        how: What the tables show; everything that fits if not given.
    """
    how = how or Shown()
    content = sheet(comparison, how)
    width = WIDTH if width is None else width
    main, *others = content.shown
    told = list(content.notes)
    if comparison.confidence is not None and not how.verbose and not how.columns:
        main, hidden = _fitting(main, width)
        if hidden:
            told.insert(-1, f"no room for {', '.join(hidden)}: --columns, or all of them by --verbose")
    pieces = []
    for table in (main, *others):
        blocks = ["\n".join(_lines(block)) + "\n" for block in _blocks(table, width)]
        title = f"{visible(table.title)}\n" if table.title else ""
        pieces.append(title + "\n".join(blocks))
    pieces.append("".join([f"# {visible(line)}\n" for line in told]))
    return "\n".join(pieces)


def _fitting(table: Table, width: int) -> tuple[Table, list[str]]:
    """The table with as many of its columns as fit, one at least, and the titles of the others."""
    widths = [max(map(columns_of, column)) for column in zip(*_cells(table))]
    size = len(widths)
    while size > 2 and sum(widths[:size]) + 2 * (size - 1) > width:
        size -= 1
    kept = Table(table.title, table.fields[:size], [row[:size] for row in table.rows])
    return kept, [field.title for field in table.fields[size:]]


def _blocks(table: Table, width: int) -> list[Table]:
    """The table in pieces no wider than that, if it can be; each begins with the first column or columns."""
    widths = [max(map(columns_of, column)) for column in zip(*_cells(table))]
    heads = table.heads
    room = width - sum(widths[:heads]) - 2 * (heads - 1)
    others = len(widths) - heads
    for pieces in range(1, others + 1):
        size = -(-others // pieces)
        cuts = [(start, min(start + size, len(widths))) for start in range(heads, len(widths), size)]
        if size == 1 or all(sum(widths[a:b]) + 2 * (b - a) <= room for a, b in cuts):
            break
    else:
        return [table]
    return [
        Table(
            table.title,
            (*table.fields[:heads], *table.fields[a:b]),
            [[*row[:heads], *row[a:b]] for row in table.rows],
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
            content, marks = (shown.plain, shown.marks) if isinstance(shown, Marked) else (shown, "")
            column.append(visible("-" if content is None else content) + padded(marks, hang))
        columns.append([visible(field.title), *column])
    return [list(row) for row in zip(*columns)]
