"""Corrections of p-values for the number of systems that are compared with one baseline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..model.frozen import replace

if TYPE_CHECKING:
    from . import SystemScores

CORRECTIONS = ("none", "holm")
"""What may be done about the number of tests of a figure, one for each system but the baseline."""


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """The p-values of several tests, adjusted so that none of them is significant by their number alone.

    Args:
        p_values: Of the tests; ``None`` for one that is undefined, which counts for none.

    Returns:
        For each test the smallest level at which the step-down procedure rejects it, at most 1.

    Cost: O(tests * log(tests)).

    Source: Holm 1979, A simple sequentially rejective multiple test procedure.

    >>> holm([0.01, 0.04, None, 0.03])
    [0.03, 0.06, None, 0.06]
    """
    found: list[float | None] = [None] * len(p_values)
    tests = sorted([(p, place) for place, p in enumerate(p_values) if p is not None])
    least = 0.0
    for rank, (p, place) in enumerate(tests):
        least = max(least, min(1.0, (len(tests) - rank) * p))
        found[place] = least
    return found


def corrected(rows: Sequence[SystemScores]) -> list[SystemScores]:
    """The systems with p-values corrected for their number, figure by figure."""
    tested = [row for row in rows if row.p_values]
    keys = list(tested[0].p_values) if tested else []
    columns = {key: holm([row.p_values[key] for row in tested]) for key in keys}
    places = {row.name: place for place, row in enumerate(tested)}
    return [
        replace(row, p_values={key: columns[key][places[row.name]] for key in keys}) if row.p_values else row
        for row in rows
    ]
