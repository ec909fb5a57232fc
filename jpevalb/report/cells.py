"""Cells of comparisons: what a system's figure, its difference and their tests look like."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ..comparison.result import SystemScores
from ..metrics import Measure
from .table import Cell, Marked, number

LEVELS = (("***", 0.001), ("**", 0.01), ("*", 0.05))
"""Marks of significance, the strictest first: p is below the number."""

CellOf: TypeAlias = Callable[[SystemScores, Measure], Cell]
"""What makes the cell of a system and a measure."""


def stars(p: float | None) -> str:
    """The mark of a p-value as it is shown, with four decimals; nothing where it is not below any level.

    >>> stars(0.0099), stars(0.00996), stars(None)
    ('**', '*', '')
    """
    if p is None:
        return ""
    printed = p if p < LEVELS[0][1] else round(p, 4)
    return next((marks for marks, level in LEVELS if printed < level), "")


def p_value(system: SystemScores, measure: Measure) -> Cell:
    """The p-value of the difference from the baseline."""
    p = system.p_values[measure.name]
    return None if p is None else f"{p:.4f}" if p >= LEVELS[0][1] else f"< {LEVELS[0][1]:g}"


def interval(system: SystemScores, measure: Measure) -> Cell:
    """The ends of the interval of a figure."""
    return ends_of(system.intervals[measure.name], measure)


def interval_of_difference(system: SystemScores, measure: Measure) -> Cell:
    """The ends of the interval of a difference from the baseline."""
    return ends_of(system.differences[measure.name], measure)


def ends_of(ends: tuple[float, float] | None, measure: Measure) -> Cell:
    """The ends of an interval."""
    return None if ends is None else " to ".join([str(number(measure, end)) for end in ends])


def half(ends: tuple[float, float] | None, measure: Measure) -> str:
    """Half an interval; empty if there is none."""
    return "" if ends is None else number(measure, (ends[1] - ends[0]) / 2) or ""


def outcome(system: SystemScores, measure: Measure) -> Cell:
    """Wins, ties and losses of the sign test; a win is a better figure."""
    found = system.outcomes[measure.name]
    wins, losses = (found.wins, found.losses) if measure.larger_is_better else (found.losses, found.wins)
    return f"{wins}/{found.ties}/{losses}"


def value(system: SystemScores, measure: Measure) -> Cell:
    """A figure."""
    return number(measure, system[measure.name])


def signed(measure: Measure, difference: float) -> str:
    """A difference of figures, with its sign."""
    shown = number(measure, difference) or ""
    return shown if shown.startswith("-") else f"+{shown}"


def difference_from(baseline: SystemScores, *, verbose: bool) -> CellOf:
    """What shows differences from a system, with stars and, unless ``verbose``, half their intervals."""

    def cell(system: SystemScores, measure: Measure) -> Cell:
        figure, base = system[measure.name], baseline[measure.name]
        if figure is None or base is None:
            return None
        ends = None if verbose else system.differences.get(measure.name)
        marks = stars(system.p_values.get(measure.name))
        return Marked(signed(measure, figure - base), marks, half(ends, measure))

    return cell
