"""Completion scripts for shells, made from the parsers by shtab."""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Any

from ..trees.errors import SettingsError
from ..trees.params import bundled
from ..trees.registry import METRICS
from ..trees.values import NO_LIST, languages

SHELLS = ("bash", "zsh", "tcsh")

_PATHS = ("GOLD", "SYSTEM", "FILE", "F")
"""Metavariables that stand for a file or a folder."""

_PRM_FUNCTION = "_jpevalb_prm"


def script(made: argparse.ArgumentParser, shell: str) -> str:
    """The text of a completion script.

    Args:
        made: The parser with all options.
        shell: One of :data:`SHELLS`.

    Raises:
        SettingsError: shtab is not installed, or a shell that is not among them.
    """
    if shell not in SHELLS:
        raise SettingsError(f"found the shell {shell!r}; expected one of {', '.join(SHELLS)}")
    try:
        shtab: Any = import_module("shtab")
    except ImportError:
        raise SettingsError(
            "completion scripts are made by shtab, which is not installed; pip install 'jpevalb[completion]'"
        ) from None
    prm = {"bash": _PRM_FUNCTION, "zsh": _PRM_FUNCTION, "tcsh": "f:*.prm"}
    files = {"PRM": prm, **dict.fromkeys(_PATHS, shtab.FILE)}
    choices = {
        "CODE": [*languages(), NO_LIST],
        "DIALECT": ["evalb", "spmrl"],
        "SHELL": SHELLS,
        "LIST": METRICS,
    }
    actions: list[Any] = made._actions
    for action in actions:
        if action.metavar in files:
            action.complete = files[action.metavar]
        elif action.metavar in choices:
            action.choices = choices[action.metavar]
    text = str(shtab.complete(made, shell, preamble={"bash": _bash(), "zsh": _zsh()}))
    return text.rstrip("\n") + "\n"


def _bash() -> str:
    return f"""\
{_PRM_FUNCTION}() {{
  compgen -W "{" ".join(bundled())}" -- "$1"
  compgen -f -X '!*.prm' -- "$1"
  compgen -d -- "$1"
}}
"""


def _zsh() -> str:
    return f"""\
{_PRM_FUNCTION}() {{
  _alternative 'bundled:bundled file:({" ".join(bundled())})' 'files:own file:_files -g "*.prm"'
}}
"""
