"""Groups of systems in reports: mean, standard deviation and best of each figure."""

from __future__ import annotations

from ..comparison import Comparison
from ..metrics import Measure
from .table import Cell, Field, Table, number


def group_tables(comparison: Comparison, measures: list[Measure]) -> list[Table]:
    """The table of the groups, if there are some: three rows a group."""
    rows: list[list[Cell]] = []
    for group in comparison.groups:
        for what, values in (("mean", group.mean), ("deviation", group.deviation), ("best", group.best)):
            cells = [number(measure, values[measure.name]) for measure in measures]
            rows.append([group.name, what, *cells])
    fields = (
        Field("group", "Group", text=True),
        Field("figure", "Figure", text=True),
        *[Field(measure.name, measure.title) for measure in measures],
    )
    title = "Groups of systems (sample standard deviation)"
    return [Table(title, fields, rows, name="groups", heads=2)] if rows else []


def group_lines(comparison: Comparison, measures: list[Measure]) -> list[str]:
    """The groups as a line each, where there is no table of them."""
    found = []
    for group in comparison.groups:
        parts = []
        for measure in measures:
            key = measure.name
            if (mean := number(measure, group.mean[key])) is not None:
                deviation = number(measure, group.deviation[key]) or "-"
                parts.append(
                    f"{measure.title} {mean} ± {deviation} (best {number(measure, group.best[key])})"
                )
        found.append(f"{group.name} ({', '.join(group.systems)}): {', '.join(parts)}")
    return found
