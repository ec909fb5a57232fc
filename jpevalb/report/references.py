"""Several references in reports: the scores against each, their mean, and how well the references agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..metrics import Figure
from ..metrics.record import Record
from ..metrics.references import MEAN, Agreement, References, ReferenceScores
from ..trees.text import visible
from .analysis import text_table
from .table import Cell, Field, Table, number

if TYPE_CHECKING:
    from ..comparison.result import Comparison

SCORES, AGREEMENT = "Scores by reference", "Agreement of the references, each scored against each other one"


def reference_tables(metrics: Iterable[Any], total: Record, *, plain: bool = False) -> list[Table]:
    """The tables of a run against several references; none of any other.

    Args:
        metrics: The metrics of the run.
        total: The sum of its records.
        plain: Whether names have columns of their own, as programs want it.
    """
    found = [metric for metric in metrics if isinstance(metric, References)]
    if not found:
        return []
    (metric,) = found
    measures = [figure for figure in metric.measured if figure.shown(total) and not figure.group]
    fields = (
        Field("reference", "Reference", text=True),
        Field("nearest", "Nearest"),
        *_fields(measures),
    )
    rows = [[one.name, _count(one), *_cells(measures, one.rates)] for one in metric.scores(total)]
    tables = [Table(SCORES, fields, rows, name="references")]
    if metric.agreement is not None:
        tables.append(_agreement(metric.agreement, plain=plain))
    return tables


def tables_of_systems(comparison: Comparison, measures: Sequence[Figure], *, plain: bool) -> list[Table]:
    """The tables of a comparison against several references; none of any other.

    Args:
        comparison: The comparison.
        measures: What is shown.
        plain: Whether names have columns of their own, as programs want it.
    """
    if not comparison.references:
        return []
    rows: list[list[Cell]] = []
    rated = {name for scores in comparison.references.values() for one in scores for name in one.rates}
    known = [measure for measure in measures if measure.name in rated]
    for system, scores in comparison.references.items():
        for one in scores:
            how = "" if one.taken is None else "against "
            names = [system, one.name] if plain else [f"{system}, {how}{one.name}"]
            rows.append([*names, _count(one), *_cells(known, one.rates)])
    head = [Field("system", "System", text=True), Field("reference", "Reference", text=True)]
    fields = (*(head if plain else head[:1]), Field("nearest", "Nearest"), *_fields(known))
    found = [Table(SCORES, fields, rows, name="references")]
    if comparison.agreement is not None:
        found.append(_agreement(comparison.agreement, plain=plain))
    return found


def text(metrics: Iterable[Any], total: Record) -> str:
    """The tables of :func:`reference_tables` as they stand in the text report."""
    return "".join(
        [
            text_table(
                table.title,
                table.fields,
                [["-" if cell is None else visible(str(cell)) for cell in row] for row in table.rows],
            )
            for table in reference_tables(metrics, total)
        ]
    )


def _agreement(agreement: Agreement, *, plain: bool) -> Table:
    """A row an ordered pair of references, and their mean."""
    measures = agreement.measures
    rows: list[list[Cell]] = []
    for pair in agreement.pairs:
        names = [pair.gold, pair.other] if plain else [f"{pair.other} against {pair.gold}"]
        rows.append([*names, *_cells(measures, pair.rates)])
    rows.append([*([MEAN, ""] if plain else [MEAN]), *_cells(measures, agreement.mean)])
    head = (
        [Field("gold", "Gold", text=True), Field("scored", "Scored", text=True)]
        if plain
        else [Field("references", "References", text=True)]
    )
    return Table(AGREEMENT, (*head, *_fields(measures)), rows, name="agreement")


def _fields(measures: Sequence[Figure]) -> list[Field]:
    return [Field(measure.name, measure.title, short=measure.title) for measure in measures]


def _cells(measures: Sequence[Figure], rates: Mapping[str, float | None]) -> list[Cell]:
    return [number(measure, rates[measure.name]) for measure in measures]


def _count(scores: ReferenceScores) -> Cell:
    return None if scores.taken is None else str(scores.taken)
