"""Tables of a record: matches and rates of each metric, and its other counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..metrics.record import Record
from .table import Cell, Field, Sheet, Table

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
