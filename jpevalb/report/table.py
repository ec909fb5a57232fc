"""Tables of formatted cells, which each format writes in its own way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

from ..base.text import counted, padded, visible, width_of
from ..metrics import Figure, Line

TOTAL = "total"  # first cell of a row of totals


class MarkedNumber(NamedTuple):
    """A number with half its confidence interval and marks of significance."""

    text: str
    marks: str
    interval: str = ""  # half the confidence interval; empty for none
    best: bool = False  # True for the best number of its column

    @property
    def plain(self) -> str:
        """The number with its interval."""
        return f"{self.text} ± {self.interval}" if self.interval else self.text


Cell: TypeAlias = "str | MarkedNumber | None"  # a formatted cell; ``None`` for an undefined rate


class Field(NamedTuple):
    """A column of a table."""

    name: str  # name in CSV and TSV: lower case, one word; empty for a column that they do not show
    title: str = ""  # heading in Markdown and LaTeX; empty for a column that they do not show
    text: bool = False  # True if cells hold text, possibly from the files; False if they hold numbers
    short: str = ""  # heading in the text report; by default the name, or for text the title
    path: str = ""  # of the attribute that :func:`cells_of` shows; by default the name


class Table(NamedTuple):
    """Columns, and rows of formatted cells."""

    title: str
    fields: tuple[Field, ...]
    rows: Sequence[Sequence[Cell]]
    total: bool = False  # True if the last row is the sum of the others
    name: str = ""  # first cell of each row in CSV and TSV if they hold several tables
    most: int | None = None  # maximum number of rows shown for reading; CSV and TSV have all of them
    heads: int = 1  # number of first columns that say what a row is about; each piece of a table has them

    def split(self, size: int) -> list[Table]:
        """Return pieces with at most ``size`` columns behind the head columns, which each of them repeats."""
        columns = range(len(self.fields))
        heads, others = columns[: self.heads], columns[self.heads :]
        starts = range(0, len(others), size)
        return [self.with_columns([*heads, *others[start : start + size]]) for start in starts] or [self]

    def with_columns(self, columns: Sequence[int]) -> Table:
        """Return the table with some of its columns."""
        rows = [[row[index] for index in columns] for row in self.rows]
        return self._replace(fields=tuple([self.fields[index] for index in columns]), rows=rows)

    def titled(self) -> Table:
        """Return the columns that have a title, with the rows shown for reading."""
        kept = [index for index, field in enumerate(self.fields) if field.title]
        return self._replace(rows=self.rows[: self.most]).with_columns(kept)

    def more(self) -> str:
        """Return a note on the rows that are not shown for reading, or an empty text."""
        # The last column of tables with a maximum counts constituents.
        rest = [row[-1] for row in self.rows[self.most :]] if self.most is not None else []
        if not rest:
            return ""
        times = counted(sum(map(int, map(str, rest))), "constituent")
        return f"and {len(rest)} more kind{'s' * (len(rest) > 1)}, {times}"


class Sheet(NamedTuple):
    """The content of a report in tables."""

    plain: tuple[Table, ...]  # tables of CSV and TSV
    shown: tuple[Table, ...]  # tables of Markdown, LaTeX and notebooks
    notes: tuple[str, ...]  # notes on the tables, one line each
    signature: str = ""  # empty if the notes have it
    headings: bool = True  # True if the titles of the tables are headings, False for plain lines

    def readable(self) -> list[Table]:
        """Return what Markdown, LaTeX and notebooks show of the tables."""
        return [table.titled() for table in self.shown]

    def lines(self) -> list[str]:
        """Return the notes and the signature."""
        return [*self.notes, *([f"signature: {self.signature}"] if self.signature else [])]


def percent(rate: float | None) -> str | None:
    """Format a rate as per cent with two decimals.

    >>> percent(0.5), percent(None)
    ('50.00', None)
    """
    return None if rate is None else f"{100 * rate:.2f}"


def cells_of(fields: Iterable[Field]) -> Callable[[Any], list[Cell]]:
    """Return a function that formats an item's attributes; rates become per cent."""
    values = attrgetter(*[field.path or field.name for field in fields])
    return lambda item: [
        str(one) if type(one) is int else one if type(one) is str else percent(one) for one in values(item)
    ]


def number(figure: Figure | Line, value: float | None) -> str | None:
    """Format a value of a figure or line.

    >>> number(Figure("f1"), 0.5), number(Line("Beads", None, "count"), 3)
    ('50.00', '3')
    """
    if value is None or figure.form == "percent":
        return percent(value)
    return f"{value:.{_DECIMALS[figure.form]}f}"


_DECIMALS = {"share": 4, "number": 2, "count": 0}


def widths_of(rows: Sequence[Sequence[str]]) -> list[int]:
    """Return the width of each column of a table, on a terminal."""
    return [max(map(width_of, column)) for column in zip(*rows)]


def aligned(head: Sequence[str], rows: Sequence[Sequence[str]], sides: str, gap: str = " ") -> list[str]:
    """Return the lines of a table, heading first; ``sides`` has ``l`` or ``r`` for each column.

    >>> print("\\n".join(aligned(["Label", "gold"], [["NP", "12"], ["ADVP", "3"]], "lr")))
    Label gold
    NP      12
    ADVP     3
    """
    widths = widths_of([head, *rows])
    return [
        gap.join(
            [padded(cell, width, right=side == "r") for cell, width, side in zip(row, widths, sides)]
        ).rstrip()
        for row in (head, *rows)
    ]


def text_table(table: Table) -> str:
    """Return a table of the text report with its title."""

    def shown(field: Field, cell: Cell) -> str:
        if field.text:
            return visible(str(cell)) or ("()" if field.name != "confused" else "")
        if isinstance(cell, MarkedNumber):
            return cell.plain + cell.marks
        return "-" if cell is None else cell

    head = [field.short or visible(field.title if field.text else field.name) for field in table.fields]
    sides = "".join(["l" if field.text else "r" for field in table.fields])
    rows = [list(map(shown, table.fields, row)) for row in table.rows[: table.most]]
    return "\n".join(["", f"-- {table.title} --", *(aligned(head, rows, sides) if rows else ["none"])]) + "\n"
