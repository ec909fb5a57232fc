"""CSV and TSV reports, for spreadsheets and programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, TypeAlias

from ..score.scorer import Scorer
from . import Format, Write
from .analysis import has_tables
from .escape import cell
from .rows import layout_of
from .sheet import sheet
from .table import Cell, Field, MarkedNumber, Table

Lines: TypeAlias = Callable[[Iterable[Sequence[str]]], str]
"""Formats rows of cells.  It is pickled for workers, so it is a function of a module."""


def row_ends(lines: Lines, results: Sequence[Any], scorer: Scorer) -> list[str]:
    """Return the line of each sentence without its number, which depends on the sentences before."""
    layout = layout_of(scorer)
    return [lines([list(map(_plain, layout.fields, layout.cells(result)))[1:]]) for result in results]


class Delimited(Format):
    """Tables one below the other, each with a header.

    If there are several, their first column is ``table``, the name of the table.
    """

    choices = ("columns", "sort")
    settings = ("metrics", "by_label", "analysis")

    def __init__(self, lines: Lines, separator: str) -> None:
        self._lines = lines
        self._separator = separator
        self.row_ends = partial(row_ends, lines)

    def comparison(self, comparison: Any, **how: Any) -> str:
        from .comparison import sheet as sheet_of_systems

        first, *others = sheet_of_systems(comparison, how.get("shown")).plain
        if others:
            return "".join(map(self._table, (first, *others)))
        return self._head("", first.fields) + self._rows("", first.fields, first.rows)

    def write(
        self, run: Any, sentences: Iterable[Any], write: Write, *, quiet: bool = False, **names: Any
    ) -> None:
        layout = layout_of(run)
        name = "sentences" if has_tables(getattr(run, "metrics", ())) else ""
        separator = self._separator
        first = name and name + separator
        # Nothing is written if the first sentence cannot be read.
        head = self._head(name, layout.fields)
        for chunk in sentences:
            numbered = enumerate(chunk.rows, chunk.number)
            write(head + "".join([f"{first}{number}{separator}{end}" for number, end in numbered]))
            head = ""
        table, *others = sheet(run.evaluation(), ()).plain
        write(head + self._rows(name, table.fields, table.rows))
        for table in others:
            write(self._table(table))

    def _table(self, table: Table) -> str:
        """Return one of several tables; nothing without rows, since only the rows name the table."""
        if not table.rows:
            return ""
        return self._head(table.name, table.fields) + self._rows(table.name, table.fields, table.rows)

    def _head(self, table: str, fields: Sequence[Field]) -> str:
        names = [cell(field.name) for field in fields]
        return self._lines([["table", *names] if table else names])

    def _rows(self, table: str, fields: Sequence[Field], rows: Iterable[Sequence[Cell]]) -> str:
        first = [table] if table else []
        return self._lines([[*first, *map(_plain, fields, cells)] for cells in rows])


def _plain(field: Field, shown: Cell) -> str:
    if shown is None:
        return ""
    text = shown.text if isinstance(shown, MarkedNumber) else shown
    return cell(text) if field.text else text


def _csv_lines(rows: Iterable[Sequence[str]]) -> str:
    """Format rows as in RFC 4180, except that lines end with a line feed."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()


def _tsv_lines(rows: Iterable[Sequence[str]]) -> str:
    """Format rows with tabs between cells, which contain neither tabs nor line ends."""
    return "".join(["\t".join(row) + "\n" for row in rows])


CSV = Delimited(_csv_lines, ",")
TSV = Delimited(_tsv_lines, "\t")
