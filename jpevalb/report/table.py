"""Tables of ready cells, before a format writes them: single reports and comparisons, whatever the mode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from ..metrics import Measure
from ..trees.text import columns_of, padded

TOTAL = "total"
"""What stands for the sentence's number in a row of totals."""


class Marked(NamedTuple):
    """A number with half its interval and marks of significance behind it."""

    text: str
    marks: str
    interval: str = ""
    """Half the confidence interval; empty for none."""
    best: bool = False
    """Whether it is the best of its column."""

    @property
    def plain(self) -> str:
        """The number with its interval."""
        return f"{self.text} ± {self.interval}" if self.interval else self.text


Cell: TypeAlias = "str | Marked | None"
"""What a cell shows; ``None`` for a rate that is undefined."""


class Field(NamedTuple):
    """A column."""

    name: str
    """Its name in CSV and TSV: lower case, one word."""
    title: str = ""
    """Its heading in Markdown and LaTeX; empty for a column that is not shown there."""
    text: bool = False
    """Whether its cells are text, possibly from the files, and not numbers."""
    short: str = ""
    """Its heading in the text report, where that is not its name or, of text, its title."""

    @property
    def heading(self) -> str:
        """Its heading in the text report."""
        return self.short or (self.title if self.text else self.name)


class Table(NamedTuple):
    """Columns and rows of ready cells.

    Attributes:
        title: What it shows.
        fields: Its columns.
        rows: One cell for each column.
        total: Whether the last row is the sum of the others.
        name: What the first column of CSV and TSV calls it where they hold several tables.
        most: How many of its rows are shown for reading; CSV and TSV have all of them.
        heads: How many of its first columns say what a row is about: they stand before each piece of
            a table that is cut into pieces.
    """

    title: str
    fields: tuple[Field, ...]
    rows: Sequence[Sequence[Cell]]
    total: bool = False
    name: str = ""
    most: int | None = None
    heads: int = 1

    def for_reading(self) -> Sequence[Sequence[Cell]]:
        """The rows that are shown for reading."""
        return self.rows if self.most is None else self.rows[: self.most]

    def titled(self) -> tuple[list[Field], list[list[Cell]]]:
        """The columns that have a heading, and their cells in the rows that are shown for reading."""
        places = [place for place, field in enumerate(self.fields) if field.title]
        rows = [[row[place] for place in places] for row in self.for_reading()]
        return [self.fields[place] for place in places], rows

    def more(self) -> str:
        """What those leave out, in words; empty for nothing.

        The last column of such a table counts constituents.
        """
        rest = [row[-1] for row in self.rows[self.most :]] if self.most is not None else []
        return f"and {len(rest)} more kinds, {sum(map(int, map(str, rest)))} constituents" if rest else ""


class Sheet(NamedTuple):
    """Everything that a report in tables shows.

    Attributes:
        plain: The tables of CSV and TSV.
        shown: The tables of Markdown and LaTeX.
        notes: What has to be known of the tables, a line each.
        signature: Everything that a figure depends on beside the files; empty if the notes have it.
        headings: Whether the titles of the tables are headings, or lines above them.
    """

    plain: tuple[Table, ...]
    shown: tuple[Table, ...]
    notes: tuple[str, ...]
    signature: str = ""
    headings: bool = True

    def lines(self) -> list[str]:
        """The notes, and the signature where they do not have it."""
        return [*self.notes, *([f"signature: {self.signature}"] if self.signature else [])]


def percent(rate: float | None) -> str | None:
    """A rate times 100 with two decimals.

    >>> percent(0.5), percent(None)
    ('50.00', None)
    """
    return None if rate is None else f"{100 * rate:.2f}"


def decimals(rate: float | None, places: int) -> str | None:
    """A number as it is, with some decimals.

    >>> decimals(0.5, 4)
    '0.5000'
    """
    return None if rate is None else f"{rate:.{places}f}"


def number(measure: Measure, value: float | None) -> str | None:
    """A figure as tables show it."""
    if value is None:
        return None
    return (
        percent(value) if measure.form == "percent" else decimals(value, 4 if measure.form == "share" else 2)
    )


def aligned(head: Sequence[str], rows: Sequence[Sequence[str]], sides: str, gap: str = " ") -> list[str]:
    """The lines of a table, head first, as wide as its cells need; no blanks at the ends of lines.

    Args:
        head: The headings.
        rows: Cells, as many as there are headings.
        sides: For each column ``l`` or ``r``: where its cells stand.
        gap: What stands between columns.

    >>> print("\\n".join(aligned(["Label", "gold"], [["NP", "12"], ["ADVP", "3"]], "lr")))
    Label gold
    NP      12
    ADVP     3
    """
    widths = [max(map(columns_of, column)) for column in zip(head, *rows)]
    return [
        gap.join(
            [padded(cell, width, right=side == "r") for cell, width, side in zip(row, widths, sides)]
        ).rstrip()
        for row in (head, *rows)
    ]
