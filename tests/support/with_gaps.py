"""Evaluations in discontinuous mode, whatever the format, and what they leave out."""

from __future__ import annotations

from functools import partial

from jpevalb import Evaluation, Settings, evaluate
from jpevalb.claims.notes import notes
from jpevalb.report.table import matches_of

__all__ = [
    "discontinuous_settings",
    "evaluate_with_gaps",
    "left_out_lines",
    "matches_of",
    "spans_of",
    "unparsed_in",
    "unreadable_in",
]

discontinuous_settings = partial(Settings, convention="discontinuous")


def evaluate_with_gaps(gold, system, *, settings=None, **options) -> Evaluation:
    if settings is None:
        options = {"convention": "discontinuous", **options}
    return evaluate(gold, system, settings=settings, **options)


def left_out_lines(result: Evaluation) -> tuple[str, ...]:
    """Notes on sentences that are left out or unaligned, and those of metrics."""
    return tuple([one.text for one in notes(result) if one.kind != "changed"])


def unparsed_in(result: Evaluation) -> int:
    """Number of gold sentences without a usable parse."""
    return result.states["missing"] + result.states["no parse"]


def spans_of(result: Evaluation, state: str) -> list[tuple[int, tuple[int, int], tuple[int, int]]]:
    """Number of the bead, gold sentences and system sentences of what is left out in a state."""
    return [(item.number, item.gold, item.system) for item in result.left_out if item.state == state]


def unreadable_in(result: Evaluation) -> list[tuple[str, int]]:
    """Side and number of the sentences that could not be read."""
    spans = spans_of(result, "unreadable")
    return [("gold", gold[1]) if gold[1] else ("system", system[1]) for _, gold, system in spans]
