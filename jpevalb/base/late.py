"""Modules of upper rooms that lower ones import on demand: the reports of a result, the error analysis.

``jpevalb/__init__.py``, which is above all rooms, fills in their names.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MODULES: dict[str, str] = {}
"""Modules by the names that rooms below use."""


def late(name: str) -> Any:
    """Import a module of :data:`MODULES`."""
    return import_module(MODULES[name])
