"""CSV, TSV, Markdown and LaTeX, and plain HTML for notebooks: how tables are escaped and written."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias

from ..base.errors import SettingsError
from ..base.text import tag, visible
from ..score.outcome import Outcome, Scoring
from . import Format, Write
from .sheet import sheet
from .table import Cell, Field, MarkedNumber, Sheet, Table, aligned, layout_of

# Japanese spreadsheets accept the full-width forms, too.
_FORMULA = re.compile(r"(^|[;,\t|])([\s\"']*)(?=[=+@＝＋－＠-])")

# Characters with a meaning in the middle of a line of Markdown with tables and formulas.
_MARKDOWN = re.compile(r"[\\`*_{}\[\]|~$#!]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}

_LATEX_NAMES = {
    **{"\\": "backslash", "^": "asciicircum", "~": "asciitilde", "<": "less", ">": "greater", "|": "bar"},
    **{'"': "quotedbl", "'": "quotesingle", "`": "asciigrave"},
}
_LATEX = {
    **{char: f"\\{char}" for char in "{}$&#_%"},
    **{char: f"\\text{name}{{}}" for char, name in _LATEX_NAMES.items()},
    # Signs that fonts with T1 encoding lack
    **{char: f"\\ensuremath{{{sign}}}" for char, sign in {"≤": "\\le", "±": "\\pm", "−": "-"}.items()},
    "…": "\\dots{}",
    # At the beginning of a row these two would be arguments of the line break before it.
    **{char: f"{{{char}}}" for char in "[*"},
}
_LATEX_TABLE = str.maketrans(_LATEX)


def spreadsheet_cell(text: str) -> str:
    """Escape the text of a spreadsheet cell: an apostrophe precedes a formula.

    This includes formulas after a semicolon or another separator: where the decimal point is a
    comma, spreadsheets read ``a;=B1`` as two cells, even in quotes.

    >>> [spreadsheet_cell(text) for text in ("=HYPERLINK(A1)", "-LRB-", "NP", "a; =B1")]
    ["'=HYPERLINK(A1)", "'-LRB-", 'NP', "a;' =B1"]
    """
    return _FORMULA.sub(r"\1'\2", visible(text))


def markdown(text: str) -> str:
    r"""Escape the text of a cell or a line of Markdown.

    >>> print(markdown("PRP$|<b>"))
    PRP\$\|&lt;b&gt;
    """
    text = _MARKDOWN.sub(lambda found: "\\" + found[0], visible(text))
    return re.sub("[&<>]", lambda found: _ENTITIES[found[0]], text)


def latex(text: str) -> str:
    r"""Escape the text of a cell or a line of LaTeX (with T1 or Unicode fonts).

    >>> print(latex("PRP$ -LRB- 50%"))
    PRP\$ -LRB- 50\%
    """
    # Two hyphens would be a dash.
    return re.sub("-(?=-)", "-{}", visible(text).translate(_LATEX_TABLE))


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


class SheetFormat(Format):
    """A format whose comparison is a sheet of tables, too."""

    def comparison(self, comparison: Any, **how: Any) -> str:
        from .comparison import sheet as sheet_of_systems

        return self.tables(sheet_of_systems(comparison, how.get("shown")), **how)


class Delimited(SheetFormat):
    """Tables one below the other, each with a header; of several, the first column names the table.

    A table that is written alone or to a file of its own has a header even without rows.
    """

    separate = True
    choices = ("columns", "sort")
    settings = ("metrics", "by_label", "analysis")

    def __init__(self, **dialect: Any) -> None:
        self._separator = dialect.get("delimiter", ",")
        self._lines: Callable[..., str] = partial(_lines, **dialect)
        self.row_ends = partial(row_ends, self._lines)

    def tables(self, content: Any, **how: Any) -> str:
        text: list[str] = []
        named = len(content.plain) > 1 and not {"table", "opened"} & set(how)
        _put(self._pieces(content.plain, named=named), text.append, how)
        return "".join(text)

    def write(self, run: Outcome, sentences: Any, write: Write, *, quiet: bool = False, **names: Any) -> None:
        named = any(metric.has_table for metric in run.metrics) and not {"table", "opened"} & set(names)
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
        names = [spreadsheet_cell(field.name) for field in fields]
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
    return spreadsheet_cell(text) if field.text else text


CSV = Delimited()
# Cells contain neither tabs nor line ends.
TSV = Delimited(delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None)


class MarkupFormat(SheetFormat):
    """A report of tables, notes and the signature."""

    def __init__(self, text_of: Callable[[Sheet], str]) -> None:
        self._text_of = text_of

    def tables(self, content: Any, **how: Any) -> str:
        return self._text_of(content)

    def write(self, run: Outcome, sentences: Any, write: Write, *, quiet: bool = False, **names: Any) -> None:
        rows = list(map(layout_of(run).cells, sentences))
        write(self._text_of(sheet(run.evaluation(), None if quiet else rows)))


def _markdown_text(content: Sheet) -> str:
    """Return pipe tables, which GitHub and Pandoc read."""
    from tabulate import tabulate

    parts = []
    for table in map(Table.titled, content.shown):
        headings, rows, sides = _shown(table, _markdown_cell)
        if table.total:
            rows[-1] = [f"**{shown}**" if shown else "" for shown in rows[-1]]
        title = f"{'## ' * content.headings}{markdown(table.title)}\n\n" if table.title else ""
        lines = tabulate(rows, headings, tablefmt="pipe", colalign=sides, disable_numparse=True)
        parts.append(f"{title}{lines}\n")
    if content.notes:
        parts.append("".join([f"- {markdown(note)}\n" for note in content.notes]))
    if content.signature:
        parts.append(f"Signature: {markdown(content.signature)}\n")
    return "\n".join(parts)


# Shrinks a table that is wider than its column.
_FITTED = "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%"

_COLUMNS = 6  # maximum number of figures side by side; wider tables continue below

# A table of several pages cannot be shrunk, so it has small letters.
_LONG = "\\begingroup\\tiny\\setlength{\\tabcolsep}{1.5pt}\\setlength{\\LTleft}{0pt}"


def _latex_text(content: Sheet) -> str:
    """Return tables with the rules of booktabs; notes and the signature are comments."""
    # A table with totals may have several pages.  Others have a caption and are cut into pieces.
    packages = "booktabs,graphicx" + ",longtable" * any(table.total for table in content.shown)
    parts = [f"% \\usepackage{{{packages}}}\n"]
    stars = next((note for note in content.notes if note.startswith("* p <")), "")
    for table in [one for whole in content.shown for one in _pieces(whole.titled())]:
        headings, rows, sides = _shown(table, _latex_cell)
        columns = "".join([side[0] for side in sides])
        _spaced(table, rows)
        if table.total:
            # Headings are wider than the numbers below them.
            headings = [f"\\rotatebox{{90}}{{{heading}}}" for heading in headings]
        # Columns are two blanks wider than their headings, which are on the left if there are no rows.
        places = columns if rows else "l" * len(columns)
        headings = [f"  {text}" if place == "r" else f"{text}  " for text, place in zip(headings, places)]
        head, *body = aligned(headings, rows, places, " & ", " \\\\")
        if table.total:
            top = _LONG, f"\\begin{{longtable}}{{{columns}}}", "\\toprule", head, "\\midrule", "\\endhead"
            end = "\\bottomrule", "\\end{longtable}", "\\endgroup"
            lines = [*top, *body[:-1], "\\midrule", body[-1], *end]
        else:
            above = f"\\noindent{_FITTED}", f"\\begin{{tabular}}{{{columns}}}", "\\toprule"
            lines = [*above, head, "\\midrule", *body, "\\bottomrule", "\\end{tabular}}"]
        marked = any(isinstance(cell, MarkedNumber) and cell.marks for row in table.rows for cell in row)
        caption = ". ".join([text for text in (table.title, stars if marked else "") if text])
        if caption and not table.total:
            lines.insert(0, f"\\noindent{{\\small {latex(visible(caption))}.\\par}}")
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
    return markdown(shown.plain + shown.marks if isinstance(shown, MarkedNumber) else shown)


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
        return latex(shown)
    # Mathematics has a minus sign instead of a hyphen, and "<" for small numbers.
    return f"${shown}$" if shown.startswith(("-", "<")) else latex(shown)


def html_of(content: Sheet) -> str:
    """Return the tables and notes of a sheet for a notebook, escaped."""
    notes = [tag("div", tag("small", line)) for line in content.lines()]
    return tag("div", *map(_html_table, content.shown), *notes)


def _html_table(every: Table) -> str:
    table = every.titled()
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


MARKDOWN = MarkupFormat(_markdown_text)
LATEX = MarkupFormat(_latex_text)
