"""Imports on demand: plugins, which other packages declare as entry points, and modules of higher layers."""

from __future__ import annotations

from importlib import import_module

from .errors import SettingsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MODULES: dict[str, str] = {}
"""Modules of higher layers, or a module and an object in it with a colon between them, by the names that
lower layers use; ``jpevalb/__init__.py`` fills them in."""

METRICS_HERE: dict[str, tuple[str, str]] = {}
"""For each metric of jpevalb when it is computed, and its class as in :data:`MODULES`."""

FORMATS = "jpevalb.formats"  # group of readers: functions with the contract of `jpevalb.formats.lines`
METRICS = "jpevalb.metrics"  # group of metrics: subclasses of `jpevalb.metrics.Metric`
REPORTS = "jpevalb.reports"  # group of reports: objects like `jpevalb.report.Format`


def late(name: str) -> Any:
    """Import a module of :data:`MODULES`, and return it or the object in it."""
    return imported(MODULES[name])


def imported(place: str) -> Any:
    """Import a module, and return it or an object in it, which is named after a colon."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name) if name else import_module(module)


def plugin_names(group: str) -> list[str]:
    """Return the names in a group, sorted; slow, since it searches all installed packages."""
    from importlib.metadata import entry_points

    return sorted({point.name for point in entry_points(group=group)})


def plugin_version(group: str, name: str) -> str:
    """Return ``name@package-version`` of an entry point, for signatures."""
    from importlib.metadata import entry_points

    (point, *_) = entry_points(group=group, name=name)
    package = point.dist
    return name if package is None else f"{name}@{package.metadata['Name']}-{package.version}"


def load_plugin(group: str, name: str) -> Any:
    """Load the object that an installed package declares under a name, or raise ``SettingsError``."""
    from importlib.metadata import entry_points

    points = {point.value: point for point in entry_points(group=group, name=name)}
    if not points:
        raise SettingsError(f"no installed package has an entry point {name!r} in the group {group}")
    if len(points) > 1:
        problem = f"two packages have an entry point {name!r} in the group {group}: {', '.join(points)}"
        raise SettingsError(problem)
    [point] = points.values()
    try:
        return point.load()
    except (ImportError, AttributeError) as error:
        raise SettingsError(f"the entry point {name} = {point.value} cannot be loaded: {error}") from error
