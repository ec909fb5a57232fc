"""Parts of upper rooms that lower ones import on demand: the reports of a result, the error analysis.

``jpevalb/__init__.py``, which is above all rooms, fills in their names.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MODULES: dict[str, str] = {}
"""Modules, or a module and its class with a colon between them, by the names that rooms below use."""


def late(name: str) -> Any:
    """Import a module of :data:`MODULES`, and return it or its class."""
    module, _, kind = MODULES[name].partition(":")
    return getattr(import_module(module), kind) if kind else import_module(module)
