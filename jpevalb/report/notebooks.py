"""Tables and sentences of a result in a notebook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..base.claims import joined
from ..base.text import join, tag
from ..claims import made as claims
from ..claims.systems import Systems, of_evaluation
from ..comparison.result import Comparison
from ..errors.analysis import Analysis
from ..metrics.labels import LabelCounts
from ..metrics.record import Record
from ..score.evaluation import Evaluation
from . import comparison, sheet
from .table import Cell, Field, Sheet, Table
from .writers import html_of

_MATCHES = ("gold", "system", "matched", "recall", "precision", "f1")


def record_sheet(record: Record, most: int) -> Sheet:
    """Return a table of matches and rates, of at most some rows a metric, and a table of the other counts."""
    matches, others = [], []
    notes = ["Rates are in [0, 1]. Counts of 0 are omitted."]
    for name in record.names:
        if name == "analysis":
            notes.append("analysis: see Evaluation.analysis()")
            continue
        rows: list[list[Cell]] = []
        for path, counts in _parts(name, record[name].to_dict()):
            if all(key in counts for key in _MATCHES):
                rows.append([path, *[_shown(counts.pop(key)) for key in _MATCHES]])
            listed = [f"{key} {_shown(value)}" for key, value in counts.items() if value]
            if listed and name != "labels":
                others.append([path, " · ".join(listed)])
        matches += rows[:most]
        if len(rows) > most:
            notes.append(f"{name}: and {len(rows) - most:,} more")
    metric = Field("metric", "Metric", text=True)
    tables = (
        Table("Matches", (metric, *[Field(key, key) for key in _MATCHES]), matches),
        Table("Other counts", (metric, Field("counts", "Counts")), others),
    )
    return Sheet((), tables, tuple(notes))


def _parts(name: str, counts: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return the numbers of some counts, then those of the counts inside them, with dotted names."""
    yield name, {key: value for key, value in counts.items() if not isinstance(value, (Mapping, list, str))}
    for key, value in counts.items():
        if isinstance(value, Mapping):
            yield from _parts(f"{name}.{key}", value)


def _shown(value: float | None) -> str | None:
    return None if value is None else format(value, "," if isinstance(value, int) else ".4f")


ROWS = 10  # maximum number of rows for each table of an analysis, and for each metric of a record


def notebook_sheet(result: Any) -> Sheet:
    """Return the tables of an evaluation, a comparison, a record or an analysis."""
    if isinstance(result, Record):
        return record_sheet(result, ROWS)
    if isinstance(result, Analysis):
        labels = {item.label: item.counts for item in result.labels}
        confused = {(item.gold, item.system): item.count for item in result.confusions}
        tables = sheet.tables_of(result, LabelCounts(labels, confused), sheet.CONFUSIONS)
        notes = [f"{one.title}: and {len(one.rows) - ROWS:,} more" for one in tables if len(one.rows) > ROWS]
        return Sheet((), tuple([one._replace(most=ROWS) for one in tables]), tuple(notes))
    if isinstance(result, Comparison):
        return comparison.sheet(result)
    return sheet.sheet(result)


def notebook(result: Any) -> str:
    """Return the sentences about a result and its tables, as bare HTML."""
    return said_of(result) + html_of(notebook_sheet(result))


def said_of(result: Any) -> str:
    """Return headline and lead of an evaluation or a comparison as a paragraph; otherwise an empty text."""
    brackets = None
    if isinstance(result, Comparison):
        systems = Systems(result, [])
    elif isinstance(result, Evaluation):
        brackets = result.total.brackets
        systems = of_evaluation(result, "The system", result.figures, result.intervals)
    else:
        return ""
    heading = joined(claims.title(systems, brackets), "; ")
    interval = [join(joined(one), ". ") for one in [claims.interval(systems)] if one]
    return tag("p", tag("b", heading, "."), " ", *interval, joined(claims.lead(systems, brackets)))
