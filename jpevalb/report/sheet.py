"""The sheet of an evaluation: the content of its reports in tables."""

from __future__ import annotations

from collections.abc import Sequence

from ..claims.notes import notes
from ..score.evaluation import Evaluation
from .analysis import analysis_tables
from .figures import bracket_sections, lines_in, sections
from .references import reference_tables
from .rows import layout_of
from .table import Cell, Field, Sheet, Table, number


def sheet(evaluation: Evaluation, rows: Sequence[Sequence[Cell]] | None = None) -> Sheet:
    """Return the tables of an evaluation, given the rows of its sentences; ``None`` leaves these out."""
    layout = layout_of(evaluation)
    total = layout.total(evaluation)
    sentences = Table("Sentences", layout.fields, [*(rows or ()), total], total=True, name="sentences")
    record = evaluation.total
    added = analysis_tables(record)
    against = reference_tables(evaluation.metrics, record)
    more = [f"{table.name}: {note}" for table in added if (note := table.more())]
    summary = _summary(evaluation)
    return Sheet(
        (sentences, *against, *added),
        (*([] if rows is None else [sentences]), *summary, *against, *added),
        (*[one.text for one in notes(evaluation)], *more),
        evaluation.signature,
    )


def _summary(evaluation: Evaluation) -> list[Table]:
    """Return a table of the kinds of constituents if there are any, and one of all other figures."""
    every = sections(evaluation)
    tables = []
    kinds = [section for section in every if section.constituents]
    if kinds:
        columns = [item.line.name for item in kinds[0].lines]
        kind = Field("constituents", "Constituents", text=True)
        fields = (kind, *[Field(column.lower(), column) for column in columns])
        rows = [[one.title, *[number(item.line, item.line.value) for item in one.lines]] for one in kinds]
        tables.append(Table("Constituents", fields, rows))
    # Trees with gaps have their cut-off in a section.
    cutoff = bracket_sections(evaluation, evaluation.cutoff) if every[0].evalb else ()
    values, short = (
        {
            item.line.name: number(item.line, item.line.value)
            for section in some
            if not section.constituents
            for item in lines_in(section, "tables")
        }
        for some in (every, cutoff)
    )
    name = Field("figure", "Figure", text=True)
    if not short:
        return [*tables, Table("Summary", (name, Field("value", "Value")), list(values.items()))]
    # Some lines are omitted if they are 0.
    names = [*values, *[name for name in short if name not in values]]
    fields = (name, Field("all", "All"), Field("short", f"Length up to {evaluation.cutoff_length}"))
    both = [[name, values.get(name, "0"), short.get(name, "0")] for name in names]
    return [*tables, Table("Summary", fields, both)]
