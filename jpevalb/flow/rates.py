"""The rates of a run: those of its mode and of its metrics, all read from its records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter, itemgetter
from typing import Any, TypeVar

from ..metrics import Metric, Rate
from ..metrics.measures import ALIGNMENT, DISCONTINUOUS
from .discontinuous import counts_of

T = TypeVar("T")


def rates_of(metrics: Iterable[Metric], *, same_words: bool) -> list[Rate]:
    """The rates of a run, each read from its records; with ``same_words`` those of trees with gaps."""
    if not same_words:
        return [*ALIGNMENT, *_own_rates(metrics)]
    own = [metric for metric in metrics if metric.name != "gaps"]
    return [*[_read_from(rate, _counted) for rate in DISCONTINUOUS], *_own_rates(own)]


def _counted(record: Any) -> Any:
    return counts_of(record, 0)


def _own_rates(metrics: Iterable[Metric]) -> Iterator[Rate]:
    """The rates that metrics name themselves, read from a run's record instead of the metric's own."""
    for metric in metrics:
        part = itemgetter(metric.name)
        for rate in metric.rates:
            yield _read_from(rate, part)._replace(shown=_after(part, attrgetter("shown")))


def _read_from(rate: Rate, part: Callable[[Any], Any]) -> Rate:
    """A rate that is read from a part of a run's record, or from a view of it."""
    return rate._replace(counts=_after(part, rate.counts), value=_after(part, rate.value))


def _after(part: Callable[[Any], Any], read: Callable[[Any], T]) -> Callable[[Any], T]:
    return lambda record: read(part(record))
