"""Reader of tables with a tree in a column: an id or a score and a tab before it, TSV and CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence

from ..base.errors import ReaderOptionError, TreeError
from .answers import TREES, Output
from .lines import BLANKS, Lines, reader


@reader
def read_table(lines: Lines, field: str | None = None, id_field: str | None = None) -> Iterator[Output]:
    """Read the tree of each row, in the column ``field``, or else the last one that begins with a bracket.

    The first row is a header if none of its cells begins with a bracket.  ``id_field`` names the column with
    the sentences' ids.  An empty cell is a sentence without a parse.

    >>> rows = ["id\\tgold\\tsystem", "7\\t(S (NN a))\\t(S (NN b))"]
    >>> [(tree.id, tree.words) for tree in read_table(rows, field="gold", id_field="id")]
    [('7', ('a',))]
    >>> [tree.words for tree in read_table(["-12.5\\t(S (NN a))", "-3\\t(S (NN b))"])]
    [('a',), ('b',)]
    """
    column = id_column = None
    numbered = ((number, line) for number, line in lines if line.strip(BLANKS))
    for count, (number, row) in enumerate(_rows(numbered)):
        is_tree = [cell.lstrip(BLANKS)[:1] == "(" for cell in row]
        if count == 0 and not any(is_tree):
            column = _column(row, field, "field") if field is not None else None
            id_column = _column(row, id_field, "id_field") if id_field is not None else None
            continue
        if column is None and any(is_tree):
            column = len(row) - 1 - is_tree[::-1].index(True)
        id = row[id_column] if id_column is not None and id_column < len(row) else None
        if damage := lines.damage():
            yield Output("", number, id, damage)
        elif column is None or column >= len(row):
            problem = f"the row has {len(row)} columns, none with a tree; expected a tree, such as (S ...)"
            yield Output("", number, id, TreeError(problem))
        else:
            yield Output(row[column], number, id, reader=TREES)


def _rows(numbered: Iterator[tuple[int, str]]) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the number of the line and the cells of each row; only cells of CSV have quotes around them."""
    last = 0

    def texts() -> Iterator[str]:
        nonlocal last
        for number, text in numbered:
            last = number
            yield text + "\n"

    rest = texts()
    first = next(rest, "")
    if "\t" in first:
        yield last, first.rstrip("\n").split("\t")
        for text in rest:
            yield last, text.rstrip("\n").split("\t")
        return
    try:
        yield last, next(csv.reader([first]))
        for row in csv.reader(rest):
            yield last, row
    except csv.Error as error:
        raise TreeError(f"invalid CSV: {error}", line=last) from None


def _column(header: Sequence[str], name: str, option: str) -> int:
    if name not in header:
        raise ReaderOptionError(f"no column {name!r}, but {', '.join(header)}", "set", option, "NAME")
    return header.index(name)
