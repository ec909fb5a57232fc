"""F1 alone (``--score-only``), and the exit status below a threshold (``--fail-under``)."""

from __future__ import annotations

from collections.abc import Iterable

from . import say

BELOW = 3  # exit status of a run whose F1 is below ``--fail-under``


def lines(scores: Iterable[float | None]) -> str:
    """Return F1 in per cent, one line each; ``-`` if neither side has a bracket.

    >>> lines([0.9251, None])
    '92.51\\n-\\n'
    """
    return "".join([f"{'-' if f1 is None else format(100 * f1, '.2f')}\n" for f1 in scores])


def status(
    scores: Iterable[tuple[str, float | None]], threshold: float | None, *, score_only: bool = False
) -> int:
    """Return the exit status of a run, and report each system below the threshold, in per cent, on stderr.

    An undefined F1 is below every threshold; with ``score_only`` it is a failed run.
    """
    scores = list(scores)
    below = [
        (name, f1) for name, f1 in scores if threshold is not None and (f1 is None or 100 * f1 < threshold)
    ]
    for name, f1 in below:
        shown = "undefined" if f1 is None else f"{100 * f1:.4f}"
        say("jpevalb", f"F1 of {name} is {shown}, below {threshold:g} (--fail-under)")
    if below:
        return BELOW
    return 1 if score_only and any(f1 is None for _, f1 in scores) else 0
