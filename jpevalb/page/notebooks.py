"""What a notebook shows of a result: the headline, tables, and F1 by length as a plot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..comparison.result import Comparison
from ..errors.analysis import Analysis
from ..metrics.by_label import LabelCounts
from ..metrics.record import Record
from ..report import comparison, sheet
from ..report.analysis import CONFUSIONS, tables_of
from ..report.markup import html_of
from ..report.table import Cell, Field, Sheet, Table
from ..score.evaluation import Evaluation
from . import claims
from .markup import join, tag
from .systems import Systems, of_evaluation

ROWS = 10  # maximum number of rows for each table of an analysis, and for each metric of a record

_MATCHES = ("gold", "system", "matched", "recall", "precision", "f1")


def notebook_sheet(result: Any) -> Sheet:
    """Return the tables of an evaluation, a comparison, a record or an analysis."""
    if isinstance(result, Record):
        return _record_sheet(result)
    if isinstance(result, Analysis):
        labels = {item.label: item.counts for item in result.labels}
        confused = {(item.gold, item.system): item.count for item in result.confusions}
        tables = tables_of(result, LabelCounts(labels, confused), CONFUSIONS)
        notes = [f"{one.title}: and {len(one.rows) - ROWS:,} more" for one in tables if len(one.rows) > ROWS]
        return Sheet((), tuple([one._replace(most=ROWS) for one in tables]), tuple(notes))
    if isinstance(result, Comparison):
        return comparison.sheet(result)
    return sheet.sheet(result)


def notebook(result: Any) -> str:
    """Return what is said of a result and its tables, as bare HTML, and F1 by length as SVG."""
    return said_of(result) + html_of(notebook_sheet(result)) + length_plot(result)


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
    heading = claims.joined(claims.title(systems, brackets), "; ")
    interval = [join(claims.joined(one), ". ") for one in [claims.interval(systems)] if one]
    lead = claims.joined(claims.lead(systems, brackets))
    return tag("p", tag("b", heading, "."), " ", *interval, lead)


def length_plot(result: Any) -> str:
    """Return F1 by length as SVG for an analysis or an evaluation with one; otherwise an empty text."""
    if "analysis" in getattr(getattr(result, "total", None), "names", ()):
        result = Analysis.of(result.total["analysis"])
    lengths = result.lengths if isinstance(result, Analysis) else ()
    left, top, step, height, blue = 40, 40, 64, 140, "#4478d8"
    bottom, right = top + height, left + step * max(3, len(lengths))
    points = [
        (left + step * index + step // 2, round(bottom - height * rate, 1), item, f"{100 * rate:.2f}")
        for index, item in enumerate(lengths)
        if (rate := item.brackets.f1) is not None
    ]
    if not points:
        return ""
    about = "F1 by length: " + ", ".join([f"{item.name} {rate}" for _, _, item, rate in points])
    size = f'width="{right}" height="{bottom + 40}" viewBox="0 0 {right} {bottom + 40}"'
    size += ' style="max-width: 100%; height: auto"'
    lines = [
        f'<path d="M{left} {y}H{right}" stroke="currentColor" stroke-opacity="0.2"/>'
        f'<text x="{left - 6}" y="{y + 4}" text-anchor="end">{tick}</text>'
        for tick in (0, 50, 100)
        for y in [bottom - height * tick // 100]
    ]
    path = "L".join([f"{x} {y}" for x, y, *_ in points])
    dots = [
        f"<g><title>{item.brackets.sentences} sentences</title>"
        f'<circle cx="{x}" cy="{y}" r="4" fill="{blue}"/>'
        f'<text x="{x}" y="{y - 8}" text-anchor="middle">{rate}</text>'
        f'<text x="{x}" y="{bottom + 16}" text-anchor="middle">{item.name}</text></g>'
        for x, y, item, rate in points
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{about}" {size} fill="currentColor" '
        'font-family="sans-serif" font-size="11"><text x="0" y="14" font-weight="bold">F1 by length</text>'
        f'{"".join(lines)}<path d="M{path}" fill="none" stroke="{blue}" stroke-width="1.5"/>{"".join(dots)}'
        f'<text x="{left}" y="{bottom + 34}">length of the sentence, in words</text></svg>'
    )


def _record_sheet(record: Record) -> Sheet:
    """Return a table of matches and rates, and a table of the other counts."""
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
        matches += rows[:ROWS]
        if len(rows) > ROWS:
            notes.append(f"{name}: and {len(rows) - ROWS:,} more")
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
