"""The reports in tables: CSV, TSV, Markdown and LaTeX."""

from __future__ import annotations

import csv as csv_files
import io
from collections.abc import Callable, Iterable, Iterator, Sequence

from ..flow.summary import Evaluation
from . import escape
from .sheet import Cell, Field, Sheet, Table, sheet


def csv(evaluation: Evaluation, *, quiet: bool = False) -> str:
    """A header, a row a sentence, and the totals; ``quiet`` leaves out the sentences.

    Cost: O(sentences).
    """
    return csv_of(sheet(evaluation, quiet=quiet))


def tsv(evaluation: Evaluation, *, quiet: bool = False) -> str:
    """The same with tabs between the cells, which are never quoted."""
    return tsv_of(sheet(evaluation, quiet=quiet))


def markdown(evaluation: Evaluation, *, quiet: bool = False) -> str:
    """The sentences with their totals, the summary, and the labels if they were counted, as pipe tables."""
    return markdown_of(sheet(evaluation, quiet=quiet), quiet=quiet)


def latex(evaluation: Evaluation, *, quiet: bool = False) -> str:
    """The same as LaTeX tables with the lines of booktabs; the sentences go over any number of pages."""
    return latex_of(sheet(evaluation, quiet=quiet), quiet=quiet)


def csv_of(content: Sheet) -> str:
    """The sentences of a sheet as CSV (RFC 4180, but lines end with a line feed)."""
    return csv_lines(content.sentences.fields, _with_names(content.sentences))


def csv_lines(fields: Sequence[Field], rows: Iterable[Sequence[Cell]]) -> str:
    """Rows of cells as lines of CSV."""
    file = io.StringIO()
    csv_files.writer(file, lineterminator="\n").writerows(_plain(fields, rows))
    return file.getvalue()


def tsv_of(content: Sheet) -> str:
    """The sentences of a sheet as TSV; no cell has a tab or a line's end in it."""
    return tsv_lines(content.sentences.fields, _with_names(content.sentences))


def tsv_lines(fields: Sequence[Field], rows: Iterable[Sequence[Cell]]) -> str:
    """Rows of cells as lines of TSV."""
    return "".join(["\t".join(row) + "\n" for row in _plain(fields, rows)])


def _with_names(table: Table) -> Iterator[Sequence[Cell]]:
    yield [field.name for field in table.fields]
    yield from table.rows


def _plain(fields: Sequence[Field], rows: Iterable[Sequence[Cell]]) -> Iterator[list[str]]:
    for cells in rows:
        yield [
            "" if shown is None else escape.cell(shown) if field.text else shown
            for field, shown in zip(fields, cells)
        ]


def markdown_of(content: Sheet, *, quiet: bool = False) -> str:
    """The tables of a sheet as GitHub's and Pandoc's pipe tables."""
    tables = content.summary if quiet else (content.sentences, *content.summary)
    parts = []
    for table in tables:
        headings, rows, sides = _shown(table, escape.markdown, str, "-")
        if table.total:
            rows[-1] = [f"**{shown}**" if shown else "" for shown in rows[-1]]
        parts.append(f"## {table.title}\n\n{tabulated(headings, rows, sides, 'pipe')}\n")
    if content.notes:
        parts.append("".join([f"- {escape.markdown(note)}\n" for note in content.notes]))
    parts.append(f"Signature: {escape.markdown(content.signature)}\n")
    return "\n".join(parts)


def latex_of(content: Sheet, *, quiet: bool = False) -> str:
    """The tables of a sheet for LaTeX; notes and the signature are comments."""
    tables = content.summary if quiet else (content.sentences, *content.summary)
    packages = "booktabs" if quiet else "booktabs,longtable"
    parts = [f"% \\usepackage{{{packages}}}\n"]
    for table in tables:
        headings, rows, sides = _shown(table, escape.latex, _latex_number, "--")
        lines = tabulated(headings, rows, sides, "booktabs").splitlines()
        if table.total:
            lines.insert(-3, "\\midrule")
            lines.insert(lines.index("\\midrule") + 1, "\\endhead")
            lines[0] = lines[0].replace("{tabular}", "{longtable}")
            lines[-1] = "\\end{longtable}"
        parts.append(f"% {table.title}\n" + "\n".join(lines) + "\n")
    lines = [*content.notes, f"signature: {content.signature}"]
    parts.append("".join([f"% {escape.visible(line)}\n" for line in lines]))
    return "\n".join(parts)


def _shown(
    table: Table, text: Callable[[str], str], number: Callable[[str], str], undefined: str
) -> tuple[list[str], list[list[str]], list[str]]:
    """Headings, rows and the sides of the columns that have a heading."""
    places = [place for place, field in enumerate(table.fields) if field.title]
    fields = [table.fields[place] for place in places]
    written = [text if field.text else number for field in fields]
    rows = [
        [
            undefined if (shown := cells[place]) is None else write(shown)
            for place, write in zip(places, written)
        ]
        for cells in table.rows
    ]
    sides = ["left" if field.text else "right" for field in fields]
    return [text(field.title) for field in fields], rows, sides


def _latex_number(shown: str) -> str:
    """A minus sign is longer than a hyphen."""
    return f"${shown}$" if shown.startswith("-") else shown


def tabulated(headings: list[str], rows: list[list[str]], sides: list[str], form: str) -> str:
    """The lines of a table whose cells need no more escaping."""
    import tabulate

    style = form
    if form == "booktabs":
        # Tabulate's own would escape the cells once more.
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
