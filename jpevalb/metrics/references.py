"""Several references: the nearest gold tree of a sentence counts; agreement of the references."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..base.claims import Claim
from ..base.counts import Counts
from ..base.text import visible
from . import F1_COUNTS, Figure, Line, Metric
from .brackets import BracketCounts
from .record import Record

MEAN, BEST = "mean", "best per sentence"
"""Names in reports: the mean over the references, and the scores against each sentence's nearest one."""


@dataclass(slots=True, eq=False, repr=False)
class ReferenceCount(Counts):
    """Counts against one reference."""

    taken: int = 0  #: groups for which it is the nearest reference
    record: Record = field(default_factory=Record)  #: counts of all groups

    @property
    def brackets(self) -> BracketCounts:
        """Bracket counts of all beads."""
        return self.record.brackets if self.record.names else BracketCounts()


@dataclass(slots=True, eq=False, repr=False)
class ReferenceCounts(Counts):
    """Counts against each reference of a run, in the order of their files."""

    #: counts against each reference, by its index
    by_file: Mapping[int, ReferenceCount] = field(default_factory=dict)

    @property
    def each(self) -> list[ReferenceCount]:
        """Counts of each reference."""
        return [self.by_file[index] for index in sorted(self.by_file)]

    @property
    def mean_f1(self) -> float | None:
        """Mean of F1 over the references; ``None`` if it is undefined for one of them."""
        return _mean([one.brackets.f1 for one in self.each])

    def of_bead(self) -> dict[str, Any]:
        """Return the number of the nearest reference, and F1 against each."""
        taken = [one.taken for one in self.each].index(1) + 1
        # Beads that some reference aligns differently are scored together: the first of them has their F1.
        if not any(one.record.names for one in self.each):
            return {"taken": taken, "f1": []}
        return {"taken": taken, "f1": [one.brackets.f1 for one in self.each]}

    def to_dict(self) -> dict[str, Any]:
        each = [{"taken": one.taken, "record": one.record.to_dict()} for one in self.each]
        return {"each": each, "mean_f1": self.mean_f1}


class ReferenceScores(NamedTuple):
    """Figures against one reference, or over all of them (:data:`MEAN`, :data:`BEST`)."""

    name: str  #: name of the reference
    taken: int | None  #: groups for which it is the nearest; None for MEAN and BEST
    rates: Mapping[str, float | None]  #: figures by name

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready dict."""
        return self._asdict()


class Agreed(NamedTuple):
    """A reference scored against another one, which is gold."""

    gold: str  #: name of the reference that is gold
    other: str  #: name of the reference that is scored
    record: Record  #: counts
    rates: Mapping[str, float | None]  #: figures by name

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready dict."""
        counts = self.record.to_dict()
        return {"gold": self.gold, "system": self.other, "rates": dict(self.rates), "counts": counts}


class Agreement(NamedTuple):
    """Agreement of references: each is scored against every other, ordered by the gold reference."""

    measures: tuple[Figure, ...]  #: figures that are compared
    pairs: tuple[Agreed, ...]  #: every ordered pair of references

    @property
    def mean(self) -> dict[str, float | None]:
        """Means of the figures over all pairs; ``None`` if one of them is undefined."""
        return mean_of([pair.rates for pair in self.pairs], self.measures)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready dict."""
        return {"pairs": [pair.to_dict() for pair in self.pairs], "mean": self.mean}


def mean_of(
    rates: Sequence[Mapping[str, float | None]], measures: Iterable[Figure]
) -> dict[str, float | None]:
    """Return the mean of each figure; ``None`` if one of the values is undefined.

    >>> mean_of([{"f1": 0.5}, {"f1": 1.0}], [Figure("f1", "F")])
    {'f1': 0.75}
    """
    return {measure.name: _mean([one[measure.name] for one in rates]) for measure in measures}


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


class References(Metric):
    """Scores against each of several references, and the reference that each sentence counts against."""

    name = "references"
    heading = "References"
    has_table = True

    def __init__(
        self,
        names: Sequence[str],
        measured: Sequence[Figure],
        signature: Sequence[str] = (),
        agreement: Agreement | None = None,
    ) -> None:
        self.names = tuple(names)
        self.measured = tuple(measured)
        self.agreement = agreement
        self.signature = " ".join([*signature, f"references:{len(self.names)}"])
        # Unlike other metrics: the number of figures depends on the run.
        self.figures = tuple(map(_f1_against, range(len(self.names)), self.names))  # type: ignore[misc]

    def zero(self) -> ReferenceCounts:
        return ReferenceCounts({index: ReferenceCount() for index in range(len(self.names))})

    def lines(self, record: ReferenceCounts) -> Sequence[Line]:
        return [
            Line("Mean F1 of references", record.mean_f1),
            *super().lines(record),
            *[Line(f"Nearest is {name}", one.taken, "count") for name, one in zip(self.names, record.each)],
        ]

    def notes(self, record: ReferenceCounts) -> Sequence[Claim]:
        files = ", ".join([f"{place} is {name}" for place, name in enumerate(self.names, 1)])
        return [Claim("nearest", {"files": visible(files)})]

    def scores(self, total: Record) -> tuple[ReferenceScores, ...]:
        """Return the scores against each reference, their mean, and those against the nearest ones."""
        each = zip(self.names, total[self.name].each)
        scores = [ReferenceScores(name, one.taken, self._rates_of(one.record)) for name, one in each]
        mean = mean_of([one.rates for one in scores], self.measured)
        best = self._rates_of(total)
        return (*scores, ReferenceScores(MEAN, None, mean), ReferenceScores(BEST, None, best))

    def _rates_of(self, record: Record) -> dict[str, float | None]:
        known = bool(record.names)
        return {figure.name: figure.value(record) if known else None for figure in self.measured}

    def described(self, total: Record) -> dict[str, Any]:
        content: dict[str, Any] = {"scores": [one.to_dict() for one in self.scores(total)]}
        if self.agreement is not None:
            content["agreement"] = self.agreement.to_dict()
        return {"references": content}


def _f1_against(index: int, name: str) -> Figure:
    """Return F1 against one reference, which comparisons test like any other figure."""
    title = f"F ref.{index + 1}"
    return Figure(
        f"f1_reference_{index + 1}",
        title,
        counts=lambda record: F1_COUNTS(record.each[index].brackets),
        line=f"F1 against {name}",
        column=title,
    )
