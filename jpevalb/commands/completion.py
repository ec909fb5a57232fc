"""Completion scripts for shells, made from the parsers by shtab."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from ..base.errors import SettingsError
from ..settings.choices import FILES, PRM
from ..settings.options import Option
from ..settings.params import bundled

SHELLS = ("bash", "zsh", "tcsh")

_PRM_FUNCTION = "_jpevalb_prm"
_PREAMBLE = {
    "bash": """\
_jpevalb_prm() {
  compgen -W "BUNDLED" -- "$1"
  compgen -f -X '!*.prm' -- "$1"
  compgen -d -- "$1"
}
""",
    "zsh": """\
_jpevalb_prm() {
  _alternative 'bundled:bundled file:(BUNDLED)' 'files:own file:_files -g "*.prm"'
}
""",
}


def script(made: argparse.ArgumentParser, rows: Mapping[argparse.Action, Option], shell: str) -> str:
    """Return a completion script for the parser with all options, and their rows."""
    if shell not in SHELLS:
        raise SettingsError(f"unknown shell {shell!r}; expected one of {', '.join(SHELLS)}")
    try:
        shtab: Any = import_module("shtab")
    except ImportError:
        raise SettingsError(
            "completion scripts are made by shtab, which is not installed; pip install 'jpevalb[completion]'"
        ) from None
    for action, row in rows.items():
        if action.metavar == "SHELL":
            action.choices = SHELLS
        elif row.values is PRM:
            action.complete = {"bash": _PRM_FUNCTION, "zsh": _PRM_FUNCTION, "tcsh": "f:*.prm"}  # type: ignore[attr-defined]
        elif row.values in FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif row.values.choices():
            action.choices = row.values.choices()
    preamble = {name: text.replace("BUNDLED", " ".join(bundled())) for name, text in _PREAMBLE.items()}
    text = str(shtab.complete(made, shell, preamble=preamble))
    return text.rstrip("\n") + "\n"
