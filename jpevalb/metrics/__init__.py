"""Metrics: each makes a record of additive counts of a pair, and reads figures from their sum."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, ClassVar, NamedTuple, Protocol

from ..alignment.pair import Pair
from ..model.counts import Counts
from ..model.labels import Labels
from ..model.settings import Settings


class Column(NamedTuple):
    """A column of the text report beside evalb's twelve."""

    header: str
    value: float | None
    """A rate in [0, 1]; ``None`` where undefined."""
    percent: bool = True
    """Whether it is shown times 100 with two decimals, or as it is with four."""


class Figure(NamedTuple):
    """A line ``Name = number`` of a summary."""

    name: str
    value: float | None
    form: str = "percent"
    """``"percent"``: in [0, 1], shown times 100; ``"share"``: as it is with four decimals;
    ``"number"``: with two; ``"count"``."""


class Metric(Protocol):
    """One metric of a run, made by ``Metric(settings, labels)``.

    ``name`` is what ``--metrics`` calls it, and its key in records and in JSON.
    """

    name: ClassVar[str]

    def __init__(self, settings: Settings, labels: Labels) -> None: ...

    def zero(self) -> Counts:
        """The record of no pair."""

    def count(self, pair: Pair) -> Counts:
        """The record of one pair."""

    def finish(self) -> None:
        """Called once every pair has been counted.

        Raises:
            JpevalbError: something that was to be used up is left over.
        """

    def columns(self, record: Any) -> Sequence[Column]:
        """What stands right of evalb's columns; the headers do not depend on the record."""

    def figures(self, record: Any) -> Sequence[Figure]:
        """What stands under ``-- Trees --`` in the summary."""


EXTRA: dict[str, tuple[str, str]] = {
    "siou": ("jpevalb.metrics.trees", "StructIou"),
    "nodes": ("jpevalb.metrics.trees", "NodeAccuracy"),
}
"""For each metric beside brackets and tags its module and class, in the order of the report."""


def make_metrics(settings: Settings, labels: Labels) -> list[Metric]:
    """The metrics beside brackets and tags that the settings ask for."""
    found: list[Metric] = []
    for name, (module, kind) in EXTRA.items():
        if name in settings.metrics:
            found.append(getattr(import_module(module), kind)(settings, labels))
    if settings.by_label:
        from .by_label import ByLabel

        found.append(ByLabel(settings, labels))
    if settings.analysis:
        from .analysis import ErrorAnalysis

        found.append(ErrorAnalysis(settings, labels))
    return found
