"""Tables as HTML for notebooks: what a cell that ends in a result shows."""

from __future__ import annotations

from html import escape

from ..model.text import visible
from .table import Cell, Field, Marked, Sheet, Table


def html_of(content: Sheet) -> str:
    """The tables of a sheet, and what has to be known of them; text of the files is escaped.

    Cost: O(cells).
    """
    told = "".join([f"<div><small>{escape(visible(line))}</small></div>" for line in content.lines()])
    return f"<div>{''.join(map(_table, content.shown))}{told}</div>"


def _table(table: Table) -> str:
    fields, cells = table.titled()
    head = "".join([f'<th scope="col">{escape(visible(field.title))}</th>' for field in fields])
    rows = "".join([f"<tr>{''.join(map(_cell, fields, row))}</tr>" for row in cells])
    title = f"<caption>{escape(visible(table.title))}</caption>" if table.title else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _cell(field: Field, shown: Cell) -> str:
    if field.text:
        return f'<th scope="row">{escape(visible(str(shown or "")))}</th>'
    if isinstance(shown, Marked):
        text = escape(shown.plain)
        return f"<td>{f'<b>{text}</b>' if shown.best else text}<sup>{shown.marks}</sup></td>"
    return f"<td>{'-' if shown is None else escape(shown)}</td>"
