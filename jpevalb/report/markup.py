"""Tables in Markdown and LaTeX, and in plain HTML for notebooks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.elements import tag
from ..base.text import visible
from ..score.run import Outcome
from . import Format, Write, escape
from .rows import layout_of
from .sheet import sheet
from .table import Cell, Field, MarkedNumber, Sheet, Table


class MarkupFormat(Format):
    """A report of tables, notes and the signature."""

    def __init__(self, text_of: Callable[[Sheet], str]) -> None:
        self._text_of = text_of

    def comparison(self, comparison: Any, **how: Any) -> str:
        from .comparison import sheet as sheet_of_systems

        return self._text_of(sheet_of_systems(comparison, how.get("shown")))

    def tables(self, content: Any) -> str:
        return self._text_of(content)

    def write(self, run: Outcome, sentences: Any, write: Write, *, quiet: bool = False, **names: Any) -> None:
        layout = layout_of(run)
        rows = [layout.cells(result) for result in sentences]
        write(self._text_of(sheet(run.evaluation(), None if quiet else rows)))


def _markdown(content: Sheet) -> str:
    """Return pipe tables, which GitHub and Pandoc read."""
    parts = []
    for table in content.readable():
        headings, rows, sides = _shown(table, _markdown_cell)
        if table.total:
            rows[-1] = [f"**{shown}**" if shown else "" for shown in rows[-1]]
        title = f"{'## ' * content.headings}{escape.markdown(table.title)}\n\n" if table.title else ""
        parts.append(f"{title}{_tabulated(headings, rows, sides, 'pipe')}\n")
    if content.notes:
        parts.append("".join([f"- {escape.markdown(note)}\n" for note in content.notes]))
    if content.signature:
        parts.append(f"Signature: {escape.markdown(content.signature)}\n")
    return "\n".join(parts)


# Shrinks a table that is wider than its column.
_FITTED = "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%"

_COLUMNS = 6  # maximum number of figures side by side; wider tables continue below

# A table of several pages cannot be shrunk, so it has small letters.
_LONG = "\\begingroup\\tiny\\setlength{\\tabcolsep}{1.5pt}\\setlength{\\LTleft}{0pt}"


def _latex(content: Sheet) -> str:
    """Return tables with the rules of booktabs; notes and the signature are comments."""
    # A table with totals may have several pages.  Others have a caption and are cut into pieces.
    packages = "booktabs,graphicx" + ",longtable" * any(table.total for table in content.shown)
    parts = [f"% \\usepackage{{{packages}}}\n"]
    stars = next((note for note in content.notes if note.startswith("* p <")), "")
    for table in [one for whole in content.readable() for one in _pieces(whole)]:
        headings, rows, sides = _shown(table, _latex_cell)
        _spaced(table, rows)
        if table.total:
            # Headings are wider than the numbers below them.
            headings = [f"\\rotatebox{{90}}{{{heading}}}" for heading in headings]
        lines = _tabulated(headings, rows, sides, "booktabs").splitlines()
        if table.total:
            lines.insert(-3, "\\midrule")
            lines.insert(lines.index("\\midrule") + 1, "\\endhead")
            lines[0] = lines[0].replace("{tabular}", "{longtable}")
            lines[-1] = "\\end{longtable}"
            lines = [_LONG, *lines, "\\endgroup"]
        else:
            lines = ["\\noindent" + _FITTED, *lines[:-1], lines[-1] + "}"]
        marked = any(isinstance(cell, MarkedNumber) and cell.marks for row in table.rows for cell in row)
        caption = ". ".join([text for text in (table.title, stars if marked else "") if text])
        if caption and not table.total:
            lines.insert(0, f"\\noindent{{\\small {escape.latex(visible(caption))}.\\par}}")
        elif table.title:
            lines.insert(0, f"% {visible(table.title)}")
        parts.append("\n".join(lines) + "\n")
    parts.append("".join([f"% {visible(line)}\n" for line in content.lines()]))
    return "\n".join(parts)


def _pieces(table: Table) -> list[Table]:
    """Cut a table without totals into pieces of nearly equal width."""
    figures = len(table.fields) - table.heads
    pieces = -(-figures // _COLUMNS)
    return [table] if table.total or pieces < 2 else table.split(-(-figures // pieces))


def _spaced(table: Table, rows: list[list[str]]) -> None:
    """Append space to numbers with fewer marks than others in their column, so that digits are aligned."""
    for column, cells in enumerate(zip(*table.rows)):
        widest = max([cell.marks for cell in cells if isinstance(cell, MarkedNumber)], key=len, default="")
        # An interval takes more room than marks.
        if not widest or any(isinstance(cell, MarkedNumber) and cell.interval for cell in cells):
            continue
        for row, cell in zip(rows, cells):
            marks = cell.marks if isinstance(cell, MarkedNumber) else ""
            if len(marks) < len(widest):
                row[column] += f"\\phantom{{$^{{{widest[len(marks) :]}}}$}}"


def _shown(
    table: Table, written: Callable[[Field, Cell], str]
) -> tuple[list[str], list[list[str]], list[str]]:
    """Return headings, rows and alignments of the columns."""
    fields = table.fields
    rows = [list(map(written, fields, row)) for row in table.rows]
    headings = [written(field._replace(text=True), field.title) for field in fields]
    return headings, rows, ["left" if field.text else "right" for field in fields]


def _markdown_cell(field: Field, shown: Cell) -> str:
    if shown is None:
        return "-"
    return escape.markdown(shown.plain + shown.marks if isinstance(shown, MarkedNumber) else shown)


def _latex_cell(field: Field, shown: Cell) -> str:
    if shown is None:
        return "--"
    if isinstance(shown, MarkedNumber):
        text = _latex_cell(field, shown.text)
        text = f"\\textbf{{{text}}}" if shown.best else text
        marks = f"^{{{shown.marks}}}" if shown.marks else ""
        interval = f"_{{\\pm {shown.interval}}}" if shown.interval else ""
        return f"{text}${{}}{marks}{interval}$" if marks or interval else text
    if field.text:
        return escape.latex(shown)
    # Mathematics has a minus sign instead of a hyphen, and "<" for small numbers.
    return f"${shown}$" if shown.startswith(("-", "<")) else escape.latex(shown)


def _tabulated(headings: list[str], rows: list[list[str]], sides: list[str], form: str) -> str:
    """Return the lines of a table of escaped cells."""
    import tabulate

    style = form
    if form == "booktabs":
        # The style of tabulate would escape the cells again.
        line, row = tabulate.Line, tabulate.DataRow("", " & ", " \\\\")
        columns = "".join([side[0] for side in sides])
        style = tabulate.TableFormat(
            lineabove=line(f"\\begin{{tabular}}{{{columns}}}\n\\toprule", "", "", ""),
            linebelowheader=line("\\midrule", "", "", ""),
            linebetweenrows=None,
            linebelow=line("\\bottomrule\n\\end{tabular}", "", "", ""),
            headerrow=row,
            datarow=row,
            padding=0,
            with_header_hide=None,
        )
    text: str = tabulate.tabulate(rows, headings, tablefmt=style, colalign=sides, disable_numparse=True)
    return text


def html_of(content: Sheet) -> str:
    """Return the tables and notes of a sheet for a notebook, escaped."""
    notes = [tag("div", tag("small", line)) for line in content.lines()]
    return tag("div", *map(_html_table, content.readable()), *notes)


def _html_table(table: Table) -> str:
    head = [tag("th", field.title, scope="col") for field in table.fields]
    rows = [tag("tr", *map(_html_cell, table.fields, row)) for row in table.rows]
    title = tag("caption", table.title) if table.title else ""
    return tag("table", title, tag("thead", tag("tr", *head)), tag("tbody", *rows))


def _html_cell(field: Field, shown: Cell) -> str:
    if field.text:
        return tag("th", shown or "", scope="row")
    if isinstance(shown, MarkedNumber):
        return tag("td", tag("b", shown.plain) if shown.best else shown.plain, tag("sup", shown.marks))
    return tag("td", "-" if shown is None else shown)


MARKDOWN = MarkupFormat(_markdown)
LATEX = MarkupFormat(_latex)
