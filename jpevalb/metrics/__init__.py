"""Metrics: each makes a record of additive counts of a pair, and reads figures from their sum."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


class Measure(NamedTuple):
    """A rate that a comparison of systems shows and tests: what it is called and how it is shown."""

    name: str
    """Its key in results and in JSON."""
    title: str
    """Its head in tables."""
    form: str = "percent"
    """``"percent"``: shown times 100; ``"share"``: a rate shown as it is; ``"number"``: no rate."""
    larger_is_better: bool = True
    group: str = ""
    """Heading of a table of its own that it stands in, a row a measure; empty for the main table."""


class Rate(NamedTuple):
    """How a measure is read from counts: a quotient of numbers that add up."""

    measure: Measure
    counts: Callable[[Any], tuple[int, int]]
    """Numerator and denominator of one record, or of a sum of records; both below 2**63 for a sentence."""
    value: Callable[[Any], float | None]
    """The figure of a sum of records; ``None`` where undefined."""
    shown: Callable[[Any], bool] = lambda record: True
    """Whether it says anything of a sum of records that other measures do not."""


TREES = "Trees"
"""The heading of figures about whole trees."""


class Metric(Protocol):
    """One metric of a run, made by ``Metric(settings, labels)``; a metric is a subclass of this.

    Reports in text, JSON, tables and HTML and comparisons of systems take what they show of a metric
    from what it declares here.

    Attributes:
        name: What ``--metrics`` calls it, and its key in records and in JSON.
        heading: The part of the summary that its figures stand in.
        rates: What a comparison of systems shows of it, read from its own record.
    """

    name: ClassVar[str]
    heading: ClassVar[str] = TREES
    rates: ClassVar[Sequence[Rate]] = ()

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
        return

    def columns(self, record: Any) -> Sequence[Column]:
        """What stands right of a report's first columns; the headers do not depend on the record."""
        return ()

    def figures(self, record: Any) -> Sequence[Figure]:
        """What stands under its heading in the summary."""
        return ()

    def notes(self, record: Any) -> Sequence[str]:
        """What a report says below its summary, a line each."""
        return ()

    def left_out(self, record: Any) -> Sequence[tuple[int, str]]:
        """How many sentences it is not defined for, and what they are; counts of 0 are not told."""
        return ()


REGISTRY: dict[str, tuple[str, str]] = {
    "brackets": ("jpevalb.metrics.brackets", "Brackets"),
    "tags": ("jpevalb.metrics.tags", "Tags"),
    "gaps": ("jpevalb.metrics.gaps", "Gaps"),
    "alignment": ("jpevalb.metrics.alignment", "Alignment"),
    "segmentation": ("jpevalb.metrics.segmentation", "Segmentation"),
    "functions": ("jpevalb.metrics.functions", "Functions"),
    "leaf": ("jpevalb.metrics.leaf_ancestor", "LeafAncestor"),
    "tedeval": ("jpevalb.metrics.ted_eval", "TedEval"),
    "siou": ("jpevalb.metrics.trees", "StructIou"),
    "nodes": ("jpevalb.metrics.trees", "NodeAccuracy"),
    "baselines": ("jpevalb.metrics.baselines", "Baselines"),
    "answers": ("jpevalb.metrics.answers", "Answers"),
}
"""For each metric its module and class, in the order of the report."""

_ADDED = (("jpevalb.metrics.by_label", "ByLabel"), ("jpevalb.metrics.analysis", "ErrorAnalysis"))
"""Module and class of what ``by_label`` and ``analysis`` add to the metrics."""

ALWAYS = ("brackets", "tags", "gaps")
"""Metrics of every run: a report's first columns are made of them; what has gaps is told where it is."""

ALIGNED = ("alignment",)
"""Metrics of every run in which the two sides may have different words."""


def make_metrics(settings: Settings, labels: Labels) -> list[Metric]:
    """The metrics of a run: brackets, tags, gaps, the alignment, and those that the settings ask for.

    Raises:
        SettingsError: a metric of another package that cannot be loaded.
    """
    found: list[Metric] = []
    for name, (module, kind) in REGISTRY.items():
        asked = name == "answers" and settings.answers
        asked = asked or name in ALWAYS or (name in ALIGNED and not settings.conventions.same_words)
        if asked or name in settings.metrics:
            found.append(getattr(import_module(module), kind)(settings, labels))
    for name in settings.metrics:
        if name not in REGISTRY:
            from ..model.plugins import METRICS, load_plugin

            found.append(load_plugin(METRICS, name)(settings, labels))
    for wanted, (module, kind) in zip((settings.by_label, settings.analysis), _ADDED):
        if wanted:
            found.append(getattr(import_module(module), kind)(settings, labels))
    return found
