"""Reports: pure functions from an evaluation to text, one module per format."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ..errors import SettingsError

if TYPE_CHECKING:
    from ..results import Evaluation

FORMATS = {
    "text": ("jpevalb.report.text", "report"),
    "json": ("jpevalb.report.json", "report"),
    "csv": ("jpevalb.report.table", "csv"),
    "tsv": ("jpevalb.report.table", "tsv"),
    "markdown": ("jpevalb.report.table", "markdown"),
    "latex": ("jpevalb.report.table", "latex"),
    "html": ("jpevalb.report.html", "html_report"),
}
"""For each format its module and a function of an evaluation and ``quiet`` that returns text."""


def render(evaluation: Evaluation, format: str, *, quiet: bool = False) -> str:
    """The evaluation in a format; ``quiet`` leaves out the sentences.

    Raises:
        SettingsError: an unknown format.
    """
    if format not in FORMATS:
        raise SettingsError(f"found the output format {format!r}; expected one of {', '.join(FORMATS)}")
    module, function = FORMATS[format]
    text: str = getattr(import_module(module), function)(evaluation, quiet=quiet)
    return text
