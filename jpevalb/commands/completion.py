"""Completion scripts for shells, made from the parsers by shtab."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from ..trees.errors import SettingsError
from ..trees.options import Option
from ..trees.params import bundled
from ..trees.values import FILES, PRM

SHELLS = ("bash", "zsh", "tcsh")

_PRM_FUNCTION = "_jpevalb_prm"


def script(made: argparse.ArgumentParser, rows: Mapping[argparse.Action, Option], shell: str) -> str:
    """Return a completion script for the parser with all options, and their rows."""
    if shell not in SHELLS:
        raise SettingsError(f"found the shell {shell!r}; expected one of {', '.join(SHELLS)}")
    try:
        shtab: Any = import_module("shtab")
    except ImportError:
        raise SettingsError(
            "completion scripts are made by shtab, which is not installed; pip install 'jpevalb[completion]'"
        ) from None
    for action in made._actions:
        row = rows.get(action)
        if action.metavar == "SHELL":
            action.choices = SHELLS
        elif row is not None and row.values is PRM:
            action.complete = {"bash": _PRM_FUNCTION, "zsh": _PRM_FUNCTION, "tcsh": "f:*.prm"}  # type: ignore[attr-defined]
        elif row is not None and row.values in FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif row is not None and row.values.choices():
            action.choices = row.values.choices()
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
