"""CSV and TSV: tables as rows of cells, for spreadsheets and programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, TypeAlias

from ..score.chunk import Scorer
from . import Format, Write
from .analysis import has_tables
from .escape import cell
from .rows import layout_of
from .sheet import sheet
from .table import Cell, Field, MarkedNumber, Table

Lines: TypeAlias = Callable[[Iterable[Sequence[str]]], str]
"""Writes rows of cells; a function of a module, so that it can travel to a worker."""


def row_ends(lines: Lines, results: Sequence[Any], scorer: Scorer) -> list[str]:
    """The line of each sentence behind its number, which is known only once all before it are scored."""
    layout = layout_of(scorer)
    return [lines([list(map(_plain, layout.fields, layout.cells(result)))[1:]]) for result in results]


class Delimited(Format):
    """The tables of a report one below the other, each below the names of its columns.

    Where there are several their first column is ``table``, which has the name of the table.

    Args:
        lines: Writes rows of cells.
        between: What it writes between two cells.
    """

    choices = ("columns", "sort")

    settings = ("metrics", "by_label", "analysis")

    def __init__(self, lines: Lines, between: str) -> None:
        self._lines = lines
        self._between = between
        self.row_ends = partial(row_ends, lines)

    def comparison(self, comparison: Any, **how: Any) -> str:
        from .comparison import sheet as sheet_of_systems

        return self._tables(sheet_of_systems(comparison, how.get("shown")).plain)

    def write(
        self, run: Any, sentences: Iterable[Any], write: Write, *, quiet: bool = False, **names: Any
    ) -> None:
        layout = layout_of(run)
        name = "sentences" if has_tables(getattr(run, "metrics", ())) else ""
        between = self._between
        first = name and name + between
        # Nothing is written before something could be read.
        head = self._head(name, layout.fields)
        for chunk in sentences:
            numbered = enumerate(chunk.rows, chunk.number)
            write(head + "".join([f"{first}{number}{between}{end}" for number, end in numbered]))
            head = ""
        table, *others = sheet(run.evaluation(), ()).plain
        write(head + self._rows(name, table.fields, table.rows))
        for table in others:
            write(self._table(table))

    def _tables(self, tables: Sequence[Table]) -> str:
        if len(tables) > 1:
            return "".join(map(self._table, tables))
        (table,) = tables
        return self._head("", table.fields) + self._rows("", table.fields, table.rows)

    def _table(self, table: Table) -> str:
        """One of several; one without rows is left out, for nothing would tell which it is."""
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
    """Rows as RFC 4180 has them, but lines end with a line feed."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()


def _tsv_lines(rows: Iterable[Sequence[str]]) -> str:
    """Rows with tabs between the cells, which are never quoted: none has a tab or a line's end in it."""
    return "".join(["\t".join(row) + "\n" for row in rows])


CSV = Delimited(_csv_lines, ",")
TSV = Delimited(_tsv_lines, "\t")
