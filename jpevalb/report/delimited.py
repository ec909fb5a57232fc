"""CSV and TSV reports, for spreadsheets and programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias

from ..base.errors import SettingsError
from ..score.chunk import Scoring
from ..score.run import Outcome
from . import Format, Write
from .escape import cell
from .rows import layout_of
from .sheet import sheet
from .table import Cell, Field, MarkedNumber, Table

Piece: TypeAlias = tuple[str, str, str]
"""The name of a table, its header or ``""`` if an earlier piece had it, and some rows."""


def _lines(rows: Iterable[Sequence[str]], **dialect: Any) -> str:
    """Format rows as in RFC 4180, or with tabs, except that lines end with a line feed."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n", **dialect).writerows(rows)
    return file.getvalue()


def row_ends(lines: Callable[..., str], results: Sequence[Any], run: Scoring) -> list[str]:
    """Return the line of each sentence without its number, which depends on the sentences before."""
    layout = layout_of(run)
    return [lines([list(map(_plain, layout.fields, layout.cells(result)))[1:]]) for result in results]


class Delimited(Format):
    """Tables one below the other, each with a header.

    If there are several, their first column is ``table``, the name of the table.  A table that is written
    alone or to a file of its own lacks this column, and has a header even without rows.
    """

    separate = True
    choices = ("columns", "sort")
    settings = ("metrics", "by_label", "analysis")

    def __init__(self, **dialect: Any) -> None:
        self._separator = dialect.get("delimiter", ",")
        self._lines: Callable[..., str] = partial(_lines, **dialect)
        self.row_ends = partial(row_ends, self._lines)

    def comparison(self, comparison: Any, **how: Any) -> str:
        from .comparison import sheet as sheet_of_systems

        tables = sheet_of_systems(comparison, how.get("shown")).plain
        text: list[str] = []
        named = len(tables) > 1 and not {"table", "opened"} & set(how)
        _put(self._pieces(tables, named=named), text.append, how)
        return "".join(text)

    def tables(self, content: Any) -> str:
        text: list[str] = []
        _put(self._pieces(content.plain, named=False), text.append, {})
        return "".join(text)

    def write(self, run: Outcome, sentences: Any, write: Write, *, quiet: bool = False, **names: Any) -> None:
        several = any(metric.has_table for metric in run.metrics)
        named = several and not {"table", "opened"} & set(names)
        _put(self._run_pieces(run, sentences, named=named), write, names)

    def _run_pieces(self, run: Outcome, sentences: Iterable[Any], *, named: bool) -> Iterator[Piece]:
        """Yield the tables of a run; nothing if its first sentence cannot be read."""
        name, separator = "sentences", self._separator
        first = name + separator if named else ""
        head = self._head(name if named else "", layout_of(run).fields)
        for chunk in sentences:
            numbered = enumerate(chunk.rows, chunk.number)
            yield name, head, "".join([f"{first}{number}{separator}{end}" for number, end in numbered])
            head = ""
        total, *others = sheet(run.evaluation(), ()).plain
        yield name, head, self._rows(name if named else "", total.fields, total.rows)
        yield from self._pieces(others, named=named)

    def _pieces(self, tables: Iterable[Table], *, named: bool) -> Iterator[Piece]:
        for every in tables:
            table = every.with_columns([index for index, field in enumerate(every.fields) if field.name])
            # Only the rows name a table.
            if table.rows or not named:
                name = table.name if named else ""
                yield table.name, self._head(name, table.fields), self._rows(name, table.fields, table.rows)

    def _head(self, table: str, fields: Sequence[Field]) -> str:
        names = [cell(field.name) for field in fields]
        return self._lines([["table", *names] if table else names])

    def _rows(self, table: str, fields: Sequence[Field], rows: Iterable[Sequence[Cell]]) -> str:
        first = [table] if table else []
        return self._lines([[*first, *map(_plain, fields, cells)] for cells in rows])


def _put(pieces: Iterable[Piece], write: Write, names: dict[str, Any]) -> None:
    """Write all tables, only one, or each by its own ``write``; ``names`` are as for ``Format.write``."""
    wanted, opened = names.get("table"), names.get("opened")
    found = []
    for name, head, rows in pieces:
        if head:
            found.append(name)
        if wanted in (None, name):
            if head and opened is not None:
                write = opened(name)
            write(head + rows)
    if wanted is not None and wanted not in found:
        raise SettingsError(
            f"got the table {wanted!r}; expected one of {', '.join(found)}; an analysis has more tables"
        )


def _plain(field: Field, shown: Cell) -> str:
    if shown is None:
        return ""
    text = shown.text if isinstance(shown, MarkedNumber) else shown
    return cell(text) if field.text else text


CSV = Delimited()
# Cells contain neither tabs nor line ends.
TSV = Delimited(delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None)
