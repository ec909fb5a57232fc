"""The result of an evaluation or a comparison in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..comparison.result import LEVEL, Comparison, SystemScores
from ..errors.analysis import Analysis, Cause, LengthClass
from ..metrics.brackets import BracketCounts

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


FEW = 30  # sentences of a length: with fewer, its F1 is not compared
APART = 0.001  # of F1, that the largest cause is above the next


def cost(cause: Cause, brackets: BracketCounts) -> float:
    """Return the F1 that a cause costs, in [0, 1]; all causes add up to 1 - F1."""
    return cause.brackets / (brackets.gold + brackets.system)


def headline(name: str, brackets: BracketCounts, causes: Sequence[Cause]) -> str:
    """Return the headline of one system: its F1, and the cause that costs it most."""
    if brackets.f1 is None:
        return f"{name} has no F1"
    if brackets.f1 == 1:
        return f"{name} gives every bracket of gold"
    if not brackets.matched:
        return f"{name} has no bracket of gold"
    scores = f"{name} scores F1 {_percent(brackets.f1)}"
    if not causes:
        return scores
    costs = [cost(cause, brackets) for cause in causes[:2]]
    if causes[0].cause == "other" or (len(costs) > 1 and costs[0] - costs[1] <= APART):
        return f"{scores}; no cause stands out"
    return f"{scores}; {causes[0].cause} costs it most"


def lead(brackets: BracketCounts, causes: Sequence[Cause], by_text: float | None) -> list[str]:
    """Return sentences on errors: their balance, the dearest causes, the part of words and sentence ends.

    ``by_text`` is the F1 in [0, 1] lost by them; ``None`` if they are equal.
    """
    recall, precision = brackets.recall, brackets.precision
    if brackets.f1 in (None, 1.0) or recall is None or precision is None:
        return []
    apart = 100 * (precision - recall)
    kind = "misses and invents alike"
    if abs(apart) > 1:
        kind = "misses more than it invents" if apart > 0 else "invents more than it misses"
    found = [
        f"Of its brackets {_percent(precision)} % are right (precision), and it finds {_percent(recall)} % "
        f"of gold’s (recall): it {kind}."
    ]
    lost = 1 - (brackets.f1 or 0)
    if causes:
        first, *rest = [(one.cause, _percent(cost(one, brackets))) for one in causes[:2]]
        more = "".join([f", {cause} {points}" for cause, points in rest])
        found.append(f"{_capital(first[0])} costs {first[1]} of the {_percent(lost)} points lost{more}.")
    if by_text:
        found.append(
            f"Words and sentence ends that differ from gold’s cost {_percent(by_text)} points directly: "
            f"{_BLAME[blamed(by_text, lost)]}."
        )
    return found


_BLAME = {
    "The parser.": "the parser is to blame, not the tokeniser",
    "The tokeniser.": "the tokeniser is to blame",
    "Both.": "both are to blame",
}


def blamed(by_text: float, lost: float) -> str:
    """Say what costs the points lost, given the part of words and sentence ends."""
    return "The parser." if by_text < 0.1 * lost else "The tokeniser." if by_text > 0.5 * lost else "Both."


def where(analysis: Analysis, median: float | None, share: float) -> list[str]:
    """Return sentences on F1 by length and by label, and on the sentences; ``share`` is a label's of gold."""
    found = []
    known = [one for one in analysis.lengths if len(one.sentences) >= FEW and one.brackets.f1 is not None]
    if len(known) > 1:
        best, worst = (pick(known, key=lambda one: one.brackets.f1 or 0) for pick in (max, min))
        high, low = best.brackets.f1 or 0, worst.brackets.f1 or 0
        if high - low >= 0.02 and best.shortest < worst.shortest:
            ends = f"{_percent(high)} at {_words(best)} words to {_percent(low)} at {_words(worst)}"
            found.append(f"F1 falls from {ends}.")
        else:
            found.append(f"F1 hardly depends on length ({_percent(low)} to {_percent(high)}).")
    elif len(analysis.lengths) > 1:
        found.append("There are too few sentences to tell by length.")
    gold = sum([item.counts.gold for item in analysis.labels])
    labels = [item for item in analysis.labels if item.counts.gold >= max(1, share * gold)]
    labels = [item for item in labels if item.counts.f1 is not None]
    if len(labels) > 1 and any(item.counts.f1 != 1 for item in labels):
        lowest, highest = (pick(labels, key=lambda item: item.counts.f1 or 0) for pick in (min, max))
        found.append(
            f"Of the {len(labels)} labels with at least {100 * share:g} % of gold’s brackets, {lowest.label} "
            f"is worst ({_percent(lowest.counts.f1)}) and {highest.label} best "
            f"({_percent(highest.counts.f1)})."
        )
    scored = sum([item.count for item in analysis.f1])
    if median is not None and scored > 1:
        perfect, none = analysis.f1[-1].count, sum([item.count for item in analysis.f1[:1]])
        found.append(
            f"Half of the sentences reach {_percent(median)}; {perfect:,} of {scored:,} are perfect, "
            f"{none:,} {'is' if none == 1 else 'are'} below 5."
        )
    return found


def dearest(causes: Sequence[Cause], brackets: BracketCounts, sentences: int) -> str:
    """Return what the first cause costs, and the share of the first three."""
    if not causes:
        return "Nothing to repair: every bracket is matched." if brackets.gold else "Gold has no bracket."
    first = causes[0]
    mended = f"; were it alone mended, F1 would be {_percent(first.repaired_f1)}" if len(causes) > 1 else ""
    found = (
        f"{_capital(first.cause)} costs {_percent(cost(first, brackets))} points of F1, in "
        f"{len(first.sentences):,} of {sentences:,} sentences{mended}."
    )
    if len(causes) > 3:
        share = sum([cause.share for cause in causes[:3]])
        found += f" The first three causes make up {100 * share:.0f} % of what is lost."
    return found


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _words(length: LengthClass) -> str:
    return length.name.replace("-", "–")


def _percent(rate: float | None) -> str:
    return "–" if rate is None else f"{100 * rate:.2f}"


def listing(names: Sequence[str]) -> str:
    """Return names as a list in a sentence.

    >>> listing(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
