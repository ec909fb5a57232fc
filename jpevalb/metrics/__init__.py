"""Metrics: each makes a record of additive counts of a pair, and reads figures from their sum."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, ClassVar, NamedTuple

from ..alignment.pair import Pair
from ..trees.counts import Counts, MatchedCounts, ratio
from ..trees.labels import LabelPolicy
from ..trees.registry import ALIGNED, ALWAYS, DEFAULT, NAMED, REGISTRY, UNNAMED
from ..trees.settings import Settings


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


def quotient(measure: Measure, counts: Callable[[Any], tuple[int, int]]) -> Rate:
    """The rate whose figure is the quotient of its numerator and denominator."""
    return Rate(measure, counts, lambda record: ratio(*counts(record)))


def f1_rate(measure: Measure, part: Callable[[Any], MatchedCounts]) -> Rate:
    """F1 of what a part of a record has matched."""

    def counts(record: Any) -> tuple[int, int]:
        found = part(record)
        return 2 * found.matched, found.gold + found.system

    return quotient(measure, counts)


TABLES = ("references", "labels", "analysis")
"""Metrics that reports show as tables of their own."""

TREES = "Trees"
"""The heading of figures about whole trees."""


class Metric:
    """One metric of a run, made by ``Metric(settings, labels)``; a metric is a subclass of this.

    Reports in text, JSON, tables and HTML and comparisons of systems take what they show of a metric
    from what it declares here.

    Attributes:
        name: What ``--metrics`` calls it, and its key in records and in JSON.
        counts: The class of its records, made without arguments where no pair was counted.
        heading: The part of the summary that its figures stand in.
        rates: What a comparison of systems shows of it, read from its own record.
        settings: The settings that it looks at, beside those that every run does
            (``jpevalb.score.uses.EVERY_RUN``); one that nothing in a run looks at is refused.
        signature: A word ``key:value`` that signatures have of it, for what its figures depend on beside
            the files and the settings; empty for nothing.
    """

    name: ClassVar[str]
    counts: ClassVar[type[Counts]]
    heading: ClassVar[str] = TREES
    rates: ClassVar[Sequence[Rate]] = ()
    settings: ClassVar[Sequence[str]] = ()
    signature: str = ""

    def __init__(self, settings: Settings, labels: LabelPolicy) -> None:
        self._labels = labels

    def zero(self) -> Counts:
        """The record of no pair."""
        return self.counts.zero()

    def count(self, pair: Pair) -> Counts:
        """The record of one pair."""
        raise NotImplementedError

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

    def described(self, total: Any) -> Mapping[str, Any]:
        """What JSON says of a run beside the counts, by key, given the sum of the run's records."""
        return {}


def signed(signature: str, metrics: Iterable[Metric]) -> str:
    """A signature with the words of metrics."""
    return " ".join([signature, *[metric.signature for metric in metrics if metric.signature]])


def metric_of(name: str) -> type[Metric]:
    """The class of a metric, of jpevalb or of another package.

    Raises:
        SettingsError: there is none of that name, or it cannot be loaded.
    """
    found: type[Metric]
    if name in REGISTRY:
        module, kind, _ = REGISTRY[name]
        found = getattr(import_module(module), kind)
    else:
        from ..trees.plugins import METRICS, load_plugin

        found = load_plugin(METRICS, name)
    return found


def computed(settings: Settings) -> list[str]:
    """The names of the metrics of a run: those of every such run, and those that the settings ask for."""

    def asked(name: str, when: str) -> bool:
        if when in (ALWAYS, UNNAMED):
            return True
        if when == ALIGNED:
            return not settings.conventions.identical_words
        return name in settings.metrics if when in (DEFAULT, NAMED) else bool(getattr(settings, when))

    found = [name for name, metric in REGISTRY.items() if asked(name, metric.when)]
    others = [name for name in settings.metrics if name not in REGISTRY]
    # Those of other packages stand behind the figures and before the tables.
    place = next((k for k, name in enumerate(found) if name in TABLES), len(found))
    return [*found[:place], *others, *found[place:]]


def make_metrics(settings: Settings, labels: LabelPolicy) -> list[Metric]:
    """The metrics of a run."""
    return [metric_of(name)(settings, labels) for name in computed(settings)]
