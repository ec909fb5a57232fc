"""The headline F1 on the command line: alone (``--score-only``), and as a bar to pass (``--fail-under``)."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from ..trees.errors import SettingsError
from . import say

BELOW = 3
"""The exit status of a run whose F1 is below ``--fail-under``."""


def check(options: argparse.Namespace) -> None:
    """Refuses options that do not go together.

    Raises:
        SettingsError: a bar that is no per cent, or a report beside the score alone.
    """
    bar = options.fail_under
    if bar is not None and not 0 <= bar <= 100:
        raise SettingsError(
            f"found --fail-under {bar:g}; expected per cent, a number from 0 to 100 such as 92.5"
        )
    if options.view is not None and (options.score_only or bar is not None):
        raise SettingsError("--view shows trees; leave out --score-only and --fail-under")
    if options.score_only and options.output != "text":
        raise SettingsError(f"--score-only writes a number; leave out --output {options.output}")


def lines(scores: Iterable[float | None]) -> str:
    """F1 in per cent with two decimals, a line each; ``nan`` where neither side has a bracket.

    Args:
        scores: F1 of the systems, in [0, 1].

    >>> lines([0.9251, None])
    '92.51\\nnan\\n'
    """
    return "".join([f"{'nan' if f1 is None else format(100 * f1, '.2f')}\n" for f1 in scores])


def status(scores: Iterable[tuple[str, float | None]], bar: float | None) -> int:
    """The exit status of a run: 0, or :data:`BELOW` with a line on stderr for each system below the bar.

    Args:
        scores: Name and F1 of each system, in [0, 1]; an undefined F1 is below every bar.
        bar: In per cent; ``None`` for no bar.
    """
    found = 0
    for name, f1 in scores:
        if bar is not None and (f1 is None or 100 * f1 < bar):
            shown = "undefined" if f1 is None else f"{100 * f1:.4f}"
            say("jpevalb", f"F1 of {name} is {shown}, below {bar:g} (--fail-under)")
            found = BELOW
    return found
