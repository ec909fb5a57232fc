"""Sheets: everything that the reports in tables show of an evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .analysis import analysis_tables
from .figures import left_out, sections, short_sections, shown, text_of
from .references import reference_tables
from .rows import layout_of
from .table import Cell, Field, Sheet, Table


def sheet(evaluation: Any, rows: Sequence[Sequence[Cell]] | None = None) -> Sheet:
    """Return the tables of an evaluation, given the rows of its sentences; ``None`` leaves these out."""
    layout = layout_of(evaluation)
    total = layout.total(evaluation)
    sentences = Table("Sentences", layout.fields, [*(rows or ()), total], total=True, name="sentences")
    record = evaluation.total
    added = analysis_tables(record)
    against, plain = (reference_tables(evaluation.metrics, record, plain=one) for one in (False, True))
    notes = [*left_out(evaluation)]
    for table in added:
        if note := table.more():
            notes.append(f"{table.name}: {note}")
    summary = _summary(evaluation)
    return Sheet(
        (sentences, *plain, *added),
        (*([] if rows is None else [sentences]), *summary, *against, *added),
        tuple(notes),
        evaluation.signature,
    )


def _summary(evaluation: Any) -> list[Table]:
    """The figures: a table of the kinds of constituents if there are any, and one of all others."""
    found = sections(evaluation)
    tables = []
    kinds = [section for section in found if section.constituents]
    if kinds:
        columns = [item.figure.name for item in kinds[0].figures]
        kind = Field("constituents", "Constituents", text=True)
        fields = (kind, *[Field(column.lower(), column) for column in columns])
        rows = [[one.title, *[text_of(item.figure) for item in one.figures]] for one in kinds]
        tables.append(Table("Constituents", fields, rows))
    values, short = (
        {
            item.figure.name: text_of(item.figure)
            for section in some
            if not section.constituents
            for item in shown(section.figures, "tables")
        }
        for some in (found, short_sections(evaluation))
    )
    name = Field("figure", "Figure", text=True)
    if not short:
        return [*tables, Table("Summary", (name, Field("value", "Value")), list(values.items()))]
    # A figure that only one of the two has is one that is shown where it is not 0.
    names = [*values, *[name for name in short if name not in values]]
    fields = (name, Field("all", "All"), Field("short", f"Length up to {evaluation.cutoff_length}"))
    both = [[name, values.get(name, "0"), short.get(name, "0")] for name in names]
    return [*tables, Table("Summary", fields, both)]
