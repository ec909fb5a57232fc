"""Tables of a comparison by cause of errors and by label: one row per figure."""

from __future__ import annotations

from collections.abc import Sequence

from ..comparison.labels import F_GROUP, RECALL_GROUP
from ..comparison.result import Comparison, SystemScores
from ..metrics import LENGTHS_GROUP, Figure
from .by_system import (
    STATISTICS,
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

LABELS = 20  # maximum number of labels in the table of labels; CSV, TSV and JSON have all


def grouped(comparison: Comparison) -> dict[str, list[Figure]]:
    """Return the figures of each heading except labels and lengths, largest first, without those always 0."""
    groups: dict[str, list[Figure]] = {}
    for measure in comparison.measures:
        if measure.group in ("", F_GROUP, RECALL_GROUP, LENGTHS_GROUP):
            continue
        if any(system[measure.name] for system in comparison.systems):
            groups.setdefault(measure.group, []).append(measure)
    for measures in groups.values():
        measures.sort(key=lambda measure: -max(system[measure.name] or 0 for system in comparison.systems))
    return groups


def grouped_tables(comparison: Comparison, *, verbose: bool) -> list[Table]:
    """Return the values of each group with differences; with ``verbose`` also p-values and intervals."""
    tables: list[Table] = []
    for title, measures in grouped(comparison).items():
        rows = [Group(measure.title, measure) for measure in measures]
        tables += _tables(comparison, title, "Cause", rows, verbose=verbose)
    labels = groups_by_label(comparison)
    if labels:
        title = RECALL_GROUP if comparison.unlabeled else F_GROUP
        title += f" (the {LABELS} most frequent of {len(labels)})" if len(labels) > LABELS else ""
        tables += _tables(comparison, title, "Label", labels[:LABELS], verbose=verbose)
    return tables


def _tables(
    comparison: Comparison, title: str, head: str, rows: Sequence[Group], *, verbose: bool
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
            subtitle = f": intervals of the difference from {baseline.name}"
            wanted.append((subtitle, columns(others, interval_of_difference)))
    counted = any(row.gold is not None for row in rows)
    index_of = {system.name: index for index, system in enumerate(comparison.systems)}

    def cell(row: Group, system: SystemScores, make: CellOf) -> Cell:
        if row.measure is not None:
            return make(system, row.measure)
        return percent(row.rates[index_of[system.name]]) if make is value else None

    tables = []
    for subtitle, shown in wanted:
        # Only the table of values has gold constituents, and labels that are not figures.
        kept = [row for row in rows if not subtitle or row.measure is not None]
        gold = (Field("gold", "Gold"),) if counted and not subtitle else ()
        fields = (Field(head.lower(), head, text=True), *gold, *[Field(name, name) for name, _, _ in shown])
        cells = [
            [
                row.name or "()",
                *([str(row.gold)] if gold else []),
                *[cell(row, system, make) for _, system, make in shown],
            ]
            for row in kept
        ]
        if kept:
            tables.append(Table(title + subtitle, fields, cells))
    return tables


def grouped_rows(comparison: Comparison) -> list[Table]:
    """Return the causes and the labels for a spreadsheet, with a row for each figure and system."""
    causes = [Group(one.title, one) for group in grouped(comparison).values() for one in group]
    tables = []
    for table, first, figure, given in (
        ("causes", "cause", "points", causes),
        ("labels", "label", "recall" if comparison.unlabeled else "f1", groups_by_label(comparison)),
    ):
        rows: list[list[Cell]] = []
        for row in given:
            for index, system in enumerate(comparison.systems):
                gold = [] if row.gold is None else [str(row.gold)]
                if row.measure is not None:
                    figures = plain_figures(comparison, system, row.measure)
                else:
                    figures = [percent(row.rates[index]), *[None] * len(STATISTICS)]
                rows.append([row.name or "()", *gold, system.name, *figures])
        fields = (
            Field(first, text=True),
            *([Field("gold")] if table == "labels" else []),
            Field("system", text=True),
            *[Field(name) for name in (figure, *STATISTICS)],
        )
        if rows:
            tables.append(Table("", fields, rows, name=table))
    return tables
