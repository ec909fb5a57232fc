"""Tables of several references: scores against each, their mean, and agreement of the references."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..metrics import Figure
from ..metrics.record import Record
from .table import Cell, Field, Table, number

if TYPE_CHECKING:
    from ..comparison.result import Comparison
    from ..metrics.references import Agreement, ReferenceScores

SCORES, AGREEMENT = "Scores by reference", "Agreement of the references, each scored against each other one"


def reference_tables(metrics: Iterable[Any], total: Record) -> list[Table]:
    """Return the tables of a run, if it has several references."""
    metric = next((metric for metric in metrics if metric.name == "references"), None)
    if metric is None:
        return []
    figures = [figure for figure in metric.measured if figure.shown(total) and not figure.group]
    fields = (Field("reference", "Reference", text=True), Field("nearest", "Nearest"), *_fields(figures))
    rows = [[one.name, *_cells(figures, one)] for one in metric.scores(total)]
    return [Table(SCORES, fields, rows, name="references"), *_agreement(metric.agreement)]


def tables_of_systems(comparison: Comparison, measures: Sequence[Figure]) -> list[Table]:
    """Return the tables of a comparison, if it has several references."""
    if not comparison.references:
        return []
    rated = {name for scores in comparison.references.values() for one in scores for name in one.rates}
    known = [measure for measure in measures if measure.name in rated]
    rows = [
        [system, one.name, f"{system}, {'against ' * (one.taken is not None)}{one.name}", *_cells(known, one)]
        for system, scores in comparison.references.items()
        for one in scores
    ]
    fields = (*_names("system", "reference", "System"), Field("nearest", "Nearest"), *_fields(known))
    return [Table(SCORES, fields, rows, name="references"), *_agreement(comparison.agreement)]


def _agreement(agreement: Agreement | None) -> list[Table]:
    """Return a table with a row for each ordered pair of references, and their mean."""
    if agreement is None:
        return []
    from ..metrics.references import MEAN

    figures = agreement.measures
    rows = [
        [pair.gold, pair.other, f"{pair.other} against {pair.gold}", *_values(figures, pair.rates)]
        for pair in agreement.pairs
    ]
    rows.append([MEAN, "", MEAN, *_values(figures, agreement.mean)])
    fields = (*_names("gold", "scored", "References"), *_fields(figures))
    return [Table(AGREEMENT, fields, rows, name="agreement")]


def _names(first: str, second: str, both: str) -> list[Field]:
    """Return two columns of CSV and TSV, and one with both names for reading."""
    return [Field(first, text=True), Field(second, text=True), Field("", both, text=True)]


def _fields(figures: Sequence[Figure]) -> list[Field]:
    return [Field(figure.name, figure.title, short=figure.title) for figure in figures]


def _cells(figures: Sequence[Figure], scores: ReferenceScores) -> list[Cell]:
    return [None if scores.taken is None else str(scores.taken), *_values(figures, scores.rates)]


def _values(figures: Sequence[Figure], rates: Mapping[str, float | None]) -> list[Cell]:
    return [number(figure, rates[figure.name]) for figure in figures]
