"""Names of the metrics of jpevalb, and when they are computed; other packages may add more."""

from __future__ import annotations

from ..base.errors import SettingsError
from ..base.plugins import METRICS as GROUP
from ..base.plugins import METRICS_HERE, plugin_names

ALWAYS, UNNAMED, ALIGNED, DEFAULT, NAMED = "always", "unnamed", "aligned", "default", "named"
"""Runs that compute a metric: every run; every run, without a public name; those that align words;
runs that align words without ``metrics``; those that name it."""

REGISTRY = {name: runs for name, (runs, _) in METRICS_HERE.items()}
"""For each metric the runs that compute it: one of the five constants above, or the attribute of the settings
that adds it.  They are in the order of the report."""


def _computed(*when: str) -> tuple[str, ...]:
    return tuple([name for name, runs in REGISTRY.items() if runs in when])


METRICS = _computed(ALWAYS, DEFAULT, NAMED)  # in the order of the report; evalb's columns are the first two's
DEFAULT_METRICS = _computed(ALWAYS, DEFAULT)  # default metrics if words are aligned
ALWAYS_NAMED = _computed(ALWAYS)  # default metrics if words must agree
IN_EVERY_RUN = _computed(ALWAYS, UNNAMED)  # the first columns of a report come from these


def metric_names(given: object) -> tuple[str, ...]:
    """Return metrics, or a text with commas between them, in the order of the report, plugins last."""
    names = given.split(",") if isinstance(given, str) else given
    if not isinstance(names, (list, tuple, set, frozenset)):
        raise SettingsError(f"got metrics {names!r}; expected some of {', '.join(METRICS)}")
    others = sorted({name for name in names if name not in METRICS}, key=str)
    if others:
        installed = plugin_names(GROUP)
        for name in others:
            if name not in installed:
                problem = f"unknown metric {name!r}; expected some of {', '.join([*METRICS, *installed])}"
                raise SettingsError(problem)
    return (*(name for name in METRICS if name in names), *others)
