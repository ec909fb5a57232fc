"""The result of a comparison in words: who ties with the baseline, who is better, who is worse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..comparison.result import LEVEL, Comparison, SystemScores

NAMED = 3  # maximum number of systems that a sentence names one by one


class Difference(NamedTuple):
    """A difference from the baseline, in points of per cent."""

    points: float
    p: float | None
    real: bool  # True if it is beyond chance

    def __str__(self) -> str:
        return f"{self.points:+.2f}".replace("-", "−")

    @property
    def size(self) -> str:
        return f"{abs(self.points):.2f}"


def difference(comparison: Comparison, system: SystemScores, measure: str) -> Difference | None:
    """Return the difference of a figure from the baseline's; ``None`` if one of them is undefined."""
    value, base = system.rates.get(measure), comparison.baseline.rates.get(measure)
    if value is None or base is None:
        return None
    p, ends = system.p_values.get(measure), system.differences.get(measure)
    real = p < LEVEL if p is not None else ends is not None and not ends[0] <= 0 <= ends[1]
    return Difference(100 * (value - base), p, real)


def verdict(comparison: Comparison, names: Sequence[str]) -> tuple[str, str]:
    """Return the headline of a comparison, and the sentence that explains it."""
    base = comparison.baseline
    others = [
        (name, system, apart)
        for name, system in zip(names[1:], comparison.systems[1:])
        if (apart := difference(comparison, system, "f1")) is not None
    ]
    if not others:
        f1 = base["f1"]
        return f"{names[0]} has {'no F1' if f1 is None else f'F1 {100 * f1:.2f}'}", ""
    tested = comparison.test is not None or comparison.confidence is not None
    tied = [name for name, _, apart in others if tested and not apart.real]
    clauses = [f"{listing([names[0], *tied])} tie in F1"] if tied else []
    for word, sign in (("better", 1), ("worse", -1)):
        some = [(name, apart) for name, _, apart in others if name not in tied and sign * apart.points > 0]
        if len(some) > NAMED:
            sizes = sorted([apart.size for _, apart in some], key=float)
            clauses.append(f"{len(some)} systems are {sizes[0]} to {sizes[-1]} points {word}")
        else:
            clauses += [f"{name} is {apart.size} points {word}" for name, apart in some]
    if clauses and not tied:
        clauses[0] = f"{clauses[0].replace('points', 'points of F1')} than {names[0]}"
    others.sort(key=lambda other: -abs(other[2].points))
    lead = [_explained(comparison, *other) for other in others[:NAMED]]
    if not tested:
        lead.append("The differences were not tested.")
    if len(others) > NAMED:
        lead.append(f"These {NAMED} are furthest from {names[0]}.")
    return "; ".join(clauses) or f"{listing(names)} have the same F1", " ".join(lead)


def _explained(comparison: Comparison, name: str, system: SystemScores, f1: Difference) -> str:
    recall, precision = (difference(comparison, system, one) for one in ("recall", "precision"))
    if recall is None or precision is None or not f1.points:
        return f"{name} differs by {f1} points of F1."
    up = recall.points > 0
    opposite = recall.points * precision.points <= 0
    if not f1.real and f1.p is not None:
        chance = "well within chance" if f1.p >= 4 * LEVEL else "within chance"
        if opposite and recall.real and precision.real:
            found, right = ("more", "less") if up else ("less", "more")
            return (
                f"{name} finds {found} (recall {recall}) but is {right} often right (precision {precision}), "
                f"and gets {f1} in F1, {chance}."
            )
        return f"{name} differs by {f1} in F1, {chance} (p = {f1.p:.2f})."
    verb = "gains" if f1.points > 0 else "loses"
    if opposite:
        return f"{name} {verb} {f1.size} points of F1: recall {recall}, precision {precision}."
    return f"{name} {verb} in both recall ({recall}) and precision ({precision})."


def listing(names: Sequence[str]) -> str:
    """Return names as a list in a sentence.

    >>> listing(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
