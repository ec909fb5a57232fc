"""jpevalb scores constituency parse trees.

Names are imported when they are first used, so that a command line which needs
only some of them starts fast.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import legacy as legacy
    from .errors import JpevalbError as JpevalbError
    from .errors import ParamsError as ParamsError
    from .errors import SettingsError as SettingsError
    from .errors import TreeError as TreeError
    from .params import Params as Params
    from .tree import Tree as Tree

__version__ = "0.1.0"

_HOMES = {
    "JpevalbError": "errors",
    "Params": "params",
    "ParamsError": "errors",
    "SettingsError": "errors",
    "Tree": "tree",
    "TreeError": "errors",
    "legacy": "",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    home = import_module(f"{__name__}.{_HOMES[name] or name}")
    value = getattr(home, name) if _HOMES[name] else home
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(_HOMES))
