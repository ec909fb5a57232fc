"""Tables of several references: scores against each, their mean, and agreement of the references."""

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
    """Return the tables of a run, if it has several references; ``plain`` has one name in each column."""
    metric = next((metric for metric in metrics if isinstance(metric, References)), None)
    if metric is None:
        return []
    figures = [figure for figure in metric.measured if figure.shown(total) and not figure.group]
    fields = (Field("reference", "Reference", text=True), Field("nearest", "Nearest"), *_fields(figures))
    rows = [[one.name, *_cells(figures, one)] for one in metric.scores(total)]
    return [Table(SCORES, fields, rows, name="references"), *_agreement(metric.agreement, plain=plain)]


def tables_of_systems(comparison: Comparison, measures: Sequence[Figure], *, plain: bool) -> list[Table]:
    """Return the tables of a comparison, if it has several references."""
    if not comparison.references:
        return []
    rows: list[list[Cell]] = []
    rated = {name for scores in comparison.references.values() for one in scores for name in one.rates}
    known = [measure for measure in measures if measure.name in rated]
    for system, scores in comparison.references.items():
        for one in scores:
            against = "" if one.taken is None else "against "
            names = [system, one.name] if plain else [f"{system}, {against}{one.name}"]
            rows.append([*names, *_cells(known, one)])
    head = [Field("system", "System", text=True), Field("reference", "Reference", text=True)]
    fields = (*(head if plain else head[:1]), Field("nearest", "Nearest"), *_fields(known))
    return [Table(SCORES, fields, rows, name="references"), *_agreement(comparison.agreement, plain=plain)]


def text(metrics: Iterable[Any], total: Record) -> str:
    """Return the tables of a run as the text report prints them."""
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


def _agreement(agreement: Agreement | None, *, plain: bool) -> list[Table]:
    """Return a table with a row for each ordered pair of references, and their mean."""
    if agreement is None:
        return []
    figures = agreement.measures
    rows: list[list[Cell]] = []
    for pair in agreement.pairs:
        names = [pair.gold, pair.other] if plain else [f"{pair.other} against {pair.gold}"]
        rows.append([*names, *_values(figures, pair.rates)])
    rows.append([*([MEAN, ""] if plain else [MEAN]), *_values(figures, agreement.mean)])
    head = (
        [Field("gold", "Gold", text=True), Field("scored", "Scored", text=True)]
        if plain
        else [Field("references", "References", text=True)]
    )
    return [Table(AGREEMENT, (*head, *_fields(figures)), rows, name="agreement")]


def _fields(figures: Sequence[Figure]) -> list[Field]:
    return [Field(figure.name, figure.title, short=figure.title) for figure in figures]


def _cells(figures: Sequence[Figure], scores: ReferenceScores) -> list[Cell]:
    return [None if scores.taken is None else str(scores.taken), *_values(figures, scores.rates)]


def _values(figures: Sequence[Figure], rates: Mapping[str, float | None]) -> list[Cell]:
    return [number(figure, rates[figure.name]) for figure in figures]
