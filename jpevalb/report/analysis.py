"""Tables of labels and of the error analysis: causes, confusions and scores by length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .table import Cell, Field, Table, cells_of, text_table

if TYPE_CHECKING:
    from ..errors.analysis import Analysis
    from ..metrics.by_label import LabelCounts

CONFUSIONS = 3  # maximum number of confusions for a label in the text report

ROWS = 20  # maximum number of rows of the table of confusions; CSV, TSV and JSON have all

_TITLES = {
    "causes": "Causes: what errors come from, and F1 without them",
    "confusions": "Confusions: the same words, another label",
}
"""Titles of tables in the text report, if different."""


def analysis_tables(total: Any, confusions: int | None = None) -> list[Table]:
    """Return the tables of a sum of records, with a maximum number of confusions for each label."""
    if "analysis" not in total:
        return [_labels(total["labels"], confusions)] if "labels" in total else []
    # Imported only if needed: the import takes as long as scoring a small file.
    from ..errors.analysis import Analysis

    by_length = [counts for counts in total.by_name().values() if counts.length_column]
    return tables_of(Analysis.of(total["analysis"]), total["analysis"].labels, confusions, by_length)


def tables_of(
    analysis: Analysis, labels: LabelCounts, confusions: int | None = None, by_length: Sequence[Any] = ()
) -> list[Table]:
    """Return the tables of causes, labels, confusions, lengths, and constituents with gaps."""
    lengths = list(map(cells_of(_LENGTHS), analysis.lengths))
    columns = [
        Field(name, title, short=short) for name, title, short in [one.length_column for one in by_length]
    ]
    for counts in by_length:
        for cells, item in zip(lengths, analysis.lengths):
            mean = counts.of_lengths(item.shortest, item.longest).mean
            cells.append(None if mean is None else f"{mean:.4f}")
    causes = list(map(cells_of(_CAUSES), analysis.causes))
    kinds = list(map(cells_of(_CONFUSIONS), analysis.confusions))
    gaps = list(map(cells_of(_GAPS), analysis.gaps))
    return [
        Table("Causes", _CAUSES, causes, name="causes"),
        _labels(labels, confusions),
        Table("Confusions", _CONFUSIONS, kinds, name="confusions", most=ROWS),
        Table("Length of the sentence", (*_LENGTHS, *columns), lengths, name="lengths"),
        *([Table("Constituents with gaps", _GAPS, gaps, name="gaps")] if gaps else []),
    ]


_RATED = (
    Field("gold", "Gold"),
    Field("system", "System"),
    Field("matched", "Matched"),
    Field("recall", "Recall", short=" Recal"),
    Field("precision", "Precision", short=" Prec."),
    Field("f1", "F1", short="FMeas."),
)
_CAUSES = (
    Field("cause", "Cause", text=True),
    Field("times", "Times"),
    Field("brackets", "Brackets"),
    Field("share", "% of errors", short="% of errors"),
    Field("corrected_f1", "F1 if corrected", short="F1 if corrected"),
)
_CONFUSIONS = (
    *[one._replace(text=True, short=one.name) for one in _RATED[:2]],
    Field("count", "Constituents"),
)
_LENGTHS = (
    Field("length", "Length", text=True, path="name"),
    Field("sentences", "Sentences", path="brackets.sentences"),
    *[one._replace(path=f"brackets.{one.name}") for one in _RATED],
)
_GAPS = (Field("label", "Label", text=True), *[one._replace(path=f"counts.{one.name}") for one in _RATED[:4]])
_OF_LABELS = (*_RATED[:3], Field("missed", "Missed"), Field("extra", "Extra"), *_RATED[3:])


def _labels(counts: LabelCounts, most: int | None) -> Table:
    """Return a table with a row for each label, the most frequent gold labels first."""
    rows: list[list[Cell]] = []
    confusions, cells = counts.all_confusions(), cells_of(_OF_LABELS)
    for label in sorted(counts.labels, key=lambda label: (-counts.labels[label].gold, label)):
        confused = " ".join([f"{other}:{times}" for other, times in confusions.get(label, [])[:most]])
        rows.append([label, *cells(counts.labels[label]), confused])
    other = Field("confused", "Confused with", text=True, short="confused with")
    fields = (Field("label", "Label", text=True), *_OF_LABELS, other)
    return Table("Labels", fields, rows, name="labels")


def text(total: Any, most_labels: int | None = None) -> str:
    """Return the tables as the text report prints them; without analysis ``most_labels`` rows of labels."""
    pieces = []
    for table in analysis_tables(total, CONFUSIONS):
        columns = list(range(len(table.fields)))
        if table.name == "labels" and "analysis" in total:
            columns.pop()  # there is a table of confusions
        if table.name == "confusions":
            columns.insert(0, columns.pop())  # the count first
        titled = table._replace(title=_TITLES.get(table.name, table.title))
        note = table.more()
        if "analysis" not in total and most_labels and len(table.rows) > most_labels:
            titled = titled._replace(most=most_labels)
            note = f"and {len(table.rows) - most_labels} more labels: -o r.txt"
        pieces.append(text_table(titled.with_columns(columns)))
        if note:
            pieces.append(f"# {note}\n")
    return "".join(pieces)
