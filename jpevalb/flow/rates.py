"""The rates of a run: those of its mode and of its metrics, all read from its records."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any

from ..metrics import Metric, Rate
from ..metrics.measures import ALIGNMENT, DISCONTINUOUS


def rates_of(metrics: Iterable[Metric], *, same_words: bool) -> list[Rate]:
    """The rates of a run, each read from its records; with ``same_words`` those of trees with gaps."""
    own = [
        _read_from(rate, itemgetter(metric.name))
        for metric in metrics
        for rate in metric.rates
        if not (same_words and metric.name == "gaps")
    ]
    return [*(DISCONTINUOUS if same_words else ALIGNMENT), *own]


def _read_from(rate: Rate, part: Callable[[Any], Any]) -> Rate:
    """A rate that is read from a part of a run's record."""
    return Rate(
        rate.measure,
        lambda record: rate.counts(part(record)),
        lambda record: rate.value(part(record)),
        lambda record: part(record).shown,
    )
