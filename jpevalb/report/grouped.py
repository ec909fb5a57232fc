"""Comparisons by cause of errors and by label: a row a measure, with differences, tests and intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..comparison.labels import F_GROUP, RECALL_GROUP, label_figure
from ..comparison.result import Comparison, SystemScores
from ..metrics import Figure
from .by_system import (
    BESIDE,
    CellOf,
    Group,
    difference_from,
    groups_by_label,
    interval,
    interval_of_difference,
    p_value,
    plain_figures,
    value,
)
from .table import Cell, Field, Table, percent

LABELS = 20
"""Most labels of the table of labels; CSV, TSV and JSON have all of them."""


class _Row(NamedTuple):
    """A measure of a group, or a label that is none."""

    name: str
    measure: Figure | None
    label: Group | None = None


def grouped(comparison: Comparison) -> dict[str, list[Figure]]:
    """For each heading but that of labels the measures that are not 0 for every system, the largest first."""
    found: dict[str, list[Figure]] = {}
    for measure in comparison.measures:
        if measure.group in ("", F_GROUP, RECALL_GROUP):
            continue
        if any(system[measure.name] for system in comparison.systems):
            found.setdefault(measure.group, []).append(measure)
    for measures in found.values():
        measures.sort(key=lambda measure: -max(system[measure.name] or 0 for system in comparison.systems))
    return found


def label_measures(comparison: Comparison) -> dict[str, Figure]:
    """For each label that is a measure the measure."""
    known = {measure.name: measure for measure in comparison.measures}
    return {
        group.name: known[name]
        for group in groups_by_label(comparison)
        if (name := label_figure(group.name, unlabeled=comparison.unlabeled).name) in known
    }


def grouped_tables(comparison: Comparison, *, verbose: bool) -> list[Table]:
    """For each group the values with differences, and with ``verbose`` p-values and intervals."""
    found: list[Table] = []
    for title, measures in grouped(comparison).items():
        rows = [_Row(measure.title, measure) for measure in measures]
        found += _tables(comparison, title, "Cause", rows, verbose=verbose)
    labels = _label_rows(comparison)
    if labels:
        title = RECALL_GROUP if comparison.unlabeled else F_GROUP
        title += f" (the {LABELS} most frequent of {len(labels)})" if len(labels) > LABELS else ""
        found += _tables(comparison, title, "Label", labels[:LABELS], verbose=verbose)
    return found


def _label_rows(comparison: Comparison) -> list[_Row]:
    measures = label_measures(comparison)
    return [
        _Row(group.name or "()", measures.get(group.name), group) for group in groups_by_label(comparison)
    ]


def _tables(
    comparison: Comparison, title: str, head: str, rows: Sequence[_Row], *, verbose: bool
) -> list[Table]:
    baseline, others = comparison.baseline, comparison.systems[1:]
    difference = difference_from(baseline, verbose=verbose)
    values: list[tuple[str, SystemScores, CellOf]] = [(baseline.name, baseline, value)]
    for system in others:
        values.append((system.name, system, value))
        if any(row.measure is not None for row in rows):
            values.append(("difference", system, difference))

    def columns(systems: Sequence[SystemScores], make: CellOf) -> list[tuple[str, SystemScores, CellOf]]:
        return [(system.name, system, make) for system in systems]

    wanted = [("", values)]
    if verbose and comparison.test is not None:
        wanted.append((": p-values", columns(others, p_value)))
    if verbose and comparison.confidence is not None:
        wanted.append((": intervals", columns(comparison.systems, interval)))
        if others:
            what = f": intervals of the difference from {baseline.name}"
            wanted.append((what, columns(others, interval_of_difference)))
    counted = any(row.label is not None for row in rows)
    places = {system.name: place for place, system in enumerate(comparison.systems)}

    def cell(row: _Row, system: SystemScores, make: CellOf) -> Cell:
        if row.measure is not None:
            return make(system, row.measure)
        if make is value and row.label is not None:
            return percent(row.label.rates[places[system.name]])
        return None

    found = []
    for what, shown in wanted:
        # The values have the number of gold constituents, and rows that are no measure.
        kept = [row for row in rows if not what or row.measure is not None]
        gold = (Field("gold", "Gold"),) if counted and not what else ()
        fields = (Field(head.lower(), head, text=True), *gold, *[Field(name, name) for name, _, _ in shown])
        cells = [
            [
                row.name,
                *([str(row.label.gold)] if gold and row.label is not None else []),
                *[cell(row, system, make) for _, system, make in shown],
            ]
            for row in kept
        ]
        if kept:
            found.append(Table(title + what, fields, cells))
    return found


def grouped_rows(comparison: Comparison) -> list[Table]:
    """The causes and the labels for a spreadsheet, a row a measure and system."""
    causes = [_Row(measure.title, measure) for found in grouped(comparison).values() for measure in found]
    tables = []
    for table, first, figure, given in (
        ("causes", "cause", "points", causes),
        ("labels", "label", "recall" if comparison.unlabeled else "f1", _label_rows(comparison)),
    ):
        rows: list[list[Cell]] = []
        for row in given:
            for place, system in enumerate(comparison.systems):
                gold = [str(row.label.gold)] if row.label is not None else []
                if row.measure is not None:
                    figures = plain_figures(comparison, system, row.measure)
                else:
                    rate = percent(row.label.rates[place]) if row.label is not None else None
                    figures = [rate, *[None] * len(BESIDE)]
                rows.append([row.name, *gold, system.name, *figures])
        fields = (
            Field(first, text=True),
            *([Field("gold")] if table == "labels" else []),
            Field("system", text=True),
            *[Field(name) for name in (figure, *BESIDE)],
        )
        if rows:
            tables.append(Table("", fields, rows, name=table))
    return tables
