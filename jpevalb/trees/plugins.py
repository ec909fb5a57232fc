"""Plugins: formats, metrics and reports of other packages, which name them as entry points."""

from __future__ import annotations

from typing import Any

from .errors import SettingsError

FORMATS = "jpevalb.formats"
"""The group of readers: functions as those of :mod:`jpevalb.trees.formats`."""

METRICS = "jpevalb.metrics"
"""The group of metrics: classes as :class:`jpevalb.metrics.Metric`."""

REPORTS = "jpevalb.reports"
"""The group of reports: objects as :class:`jpevalb.report.Format`."""


def plugin_names(group: str) -> list[str]:
    """The names that installed packages have in a group, sorted.

    Cost: that of looking at every installed package; they are looked at only for names that
    jpevalb itself does not have.

    >>> plugin_names("jpevalb.no-such-group")
    []
    """
    from importlib.metadata import entry_points

    return sorted({point.name for point in entry_points(group=group)})


def load_plugin(group: str, name: str) -> Any:
    """What an installed package has under a name.

    Raises:
        SettingsError: no package has the name, two have it, or it cannot be imported.
    """
    from importlib.metadata import entry_points

    found = {point.value: point for point in entry_points(group=group, name=name)}
    if not found:
        raise SettingsError(f"no installed package has an entry point {name!r} in the group {group}")
    if len(found) > 1:
        raise SettingsError(
            f"two packages have an entry point {name!r} in the group {group}: {', '.join(found)}"
        )
    [point] = found.values()
    try:
        return point.load()
    except (ImportError, AttributeError) as error:
        raise SettingsError(f"the entry point {name} = {point.value} cannot be loaded: {error}") from error
