"""Reports: pure functions from an evaluation to text, one module per format."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ..model.errors import SettingsError

if TYPE_CHECKING:
    from ..flow.summary import Evaluation

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

NAMED = ("html",)
"""Formats that call the two sides by name; their functions take ``gold_name`` and ``system_name``."""


def render(
    evaluation: Evaluation,
    format: str,
    *,
    quiet: bool = False,
    gold_name: str | None = None,
    system_name: str | None = None,
) -> str:
    """The evaluation in a format.

    Args:
        evaluation: What to report.
        format: One of :data:`FORMATS`.
        quiet: Whether to leave out the sentences.
        gold_name: What the formats of :data:`NAMED` call the gold side.
        system_name: The same of the system's.

    Raises:
        SettingsError: an unknown format.
    """
    if format not in FORMATS:
        raise SettingsError(f"found the output format {format!r}; expected one of {', '.join(FORMATS)}")
    module, function = FORMATS[format]
    names = {"gold_name": gold_name, "system_name": system_name} if format in NAMED else {}
    given = {name: value for name, value in names.items() if value is not None}
    text: str = getattr(import_module(module), function)(evaluation, quiet=quiet, **given)
    return text
