"""The result of an evaluation or a comparison in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..errors.analysis import Analysis, Cause, LengthClass
from ..metrics.brackets import BracketCounts
from ..score.evaluation import LEVEL
from ..trees.answer import REPAIRS

if TYPE_CHECKING:
    from ..comparison.result import Comparison, SystemScores
    from ..metrics.answers import AnswerCounts

RANKED = 7  # minimum number of systems that are ranked, and not compared with the baseline
TIE = 0.01  # maximum distance of the ends of an interval from 0 if systems tie
WIDE = 0.02  # width above which an interval is too wide to tell
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
    """Return the headline of a comparison, and the sentences that explain it."""
    if len(names) >= RANKED and comparison.pairs and comparison.ranked[1]["f1"] is not None:
        return _ranking(comparison, dict(zip([one.name for one in comparison.systems], names)))
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
    clauses = [_alike(comparison, names, tied)] if tied else []
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


def _alike(comparison: Comparison, names: Sequence[str], tied: Sequence[str]) -> str:
    """Say that the baseline and some systems are not distinguished, or why that may be."""
    some = [one for name, one in zip(names, comparison.systems) if name in tied]
    all_ = listing([names[0], *tied])
    if all(one.rates == comparison.baseline.rates for one in some):
        return f"{all_} have equal scores"
    ends = [one.differences.get("f1") for one in some]
    if all(one is not None and max(map(abs, one)) <= TIE for one in ends):
        return f"{all_} tie in F1"
    wide = any(one is not None and one[1] - one[0] > WIDE for one in ends)
    few = ", too few sentences to tell" if comparison.gold_sentences < FEW or wide else ""
    return f"{all_} are not distinguished in F1{few}"


def _ranking(comparison: Comparison, names: Mapping[str, str]) -> tuple[str, str]:
    """Return the verdict on many systems: the best, or the first group that is not distinguished."""
    ranked = [one for one in comparison.ranked if one["f1"] is not None]
    first, second = ranked[:2]
    pair = next(one for one in comparison.pairs if set(one.systems) == {first.name, second.name})
    apart = 100 * ((first["f1"] or 0) - (second["f1"] or 0))
    best = comparison.undistinguished[0]
    shown = [names[name] for name in best]
    if len(best) == len(comparison.systems):
        title = "No system is distinguished from another in F1"
    elif len(best) == 1:
        title = f"{shown[0]} is best in F1, {apart:.2f} above {names[second.name]}"
    else:
        each = "each other" if len(best) == 2 else "one another"
        title = f"{listing(shown)} are best in F1, not distinguished from {each}"
    sign = 1 if pair.systems[1] == first.name else -1
    ends = sorted([100 * sign * end for end in pair.intervals.get("f1") or ()])
    shown_ends = " to ".join([f"{end:+.2f}".replace("-", "−") for end in ends])
    interval = f", {100 * (comparison.confidence or 0):g} % interval {shown_ends}" if ends else ""
    p = pair.p_values["f1"]
    lead = [
        f"{names[first.name]} has {_percent(first['f1'])}, {names[second.name]} {_percent(second['f1'])}: "
        f"{apart:.2f} apart{interval}{'' if p is None else f', p = {p:.3f}'}."
    ]
    if len(best) < len(ranked):
        third = next(one for one in ranked if one.name not in best)
        lead.append(
            f"The next, {names[third.name]}, is {100 * ((first['f1'] or 0) - (third['f1'] or 0)):.2f} behind."
        )
    alone, corrected = (
        sum([(p := values["f1"]) is not None and p < LEVEL for values in column])
        for column in zip(*[(one.p_values, one.corrected) for one in comparison.pairs])
    )
    lead.append(
        f"Of {len(comparison.pairs)} pairs of systems {alone} differ at p < {LEVEL}, {corrected} after "
        "Holm’s correction."
    )
    return title, " ".join([*lead, *too_few_resamples(comparison)])


def too_few_resamples(comparison: Comparison) -> list[str]:
    """Say how many resamples to ask for if no p-value can get below 0.05 after the correction."""
    if not comparison.pairs or comparison.samples_needed is None:
        return []
    return [
        f"{comparison.test_samples:,} resamples are too few for {len(comparison.pairs)} tests; "
        f"use --samples {comparison.samples_needed}."
    ]


def told_apart(comparison: Comparison, names: Mapping[str, str]) -> str:
    """Return which systems are not distinguished, and pairs that differ only without a correction."""
    sets = [listing([names[name] for name in one]) for one in comparison.undistinguished if len(one) > 1]
    found = [f"Not distinguished: {'; '.join(sets)}." if sets else "Every pair of systems is distinguished."]
    alone = [
        listing([names[name] for name in pair.systems])
        for pair in comparison.pairs
        if (p := pair.p_values["f1"]) is not None and p < LEVEL <= (pair.corrected["f1"] or 0)
    ]
    if alone:
        verb = "pair has" if len(alone) == 1 else "pairs have"
        found.append(
            f"{len(alone)} {verb} p below {LEVEL} alone, but not among {len(comparison.pairs)} "
            f"({'; '.join(alone)})."
        )
    return " ".join([*found, *too_few_resamples(comparison)])


def _explained(comparison: Comparison, name: str, system: SystemScores, f1: Difference) -> str:
    recall, precision = (difference(comparison, system, one) for one in ("recall", "precision"))
    if not f1.points:
        return f"{name} has the same F1."
    if recall is None or precision is None:
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


def headline(
    name: str, brackets: BracketCounts, causes: Sequence[Cause], mean_f1: float | None = None
) -> str:
    """Return the headline of one system: its F1, or the mean F1 given, and the cause that costs it most."""
    if brackets.f1 is None:
        return f"{name} has no F1"
    if brackets.f1 == 1:
        return f"{name} gives every bracket of gold"
    if not brackets.matched:
        return f"{name} has no bracket of gold"
    scores = f"{name} scores F1 {_percent(brackets.f1)}"
    if mean_f1 is not None:
        scores = f"{name} scores mean F1 {_percent(mean_f1)} (corpus F1 {_percent(brackets.f1)})"
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


def answers_headline(counts: AnswerCounts) -> str:
    """Return the headline of a model's answers: how many are trees, and what repairs add."""
    n, valid, repaired = counts.answers, counts.valid, counts.repaired
    if valid == n:
        return f"All {n:,} answers are trees as written"
    more = f"repairs would add {repaired:,}" if repaired else "repairs add none"
    first = f"{valid:,} of {n:,} answers are trees" if valid else f"None of {n:,} answers is a tree"
    return f"{first} as written; {more}"


def answers_lead(counts: AnswerCounts) -> list[str]:
    """Return sentences on F1 in the three readings, and on what the format and the syntax cost."""
    strict, repaired, valid = counts.strict.f1, counts.with_repairs.f1, counts.valid_only.f1
    if strict is None or repaired is None or counts.valid == counts.answers:
        return []
    found = f"As written F1 is {_percent(strict)}: an answer that is not a tree counts as empty. "
    found += f"With repairs it is {_percent(repaired)}"
    if valid is not None:
        found += f", over the {counts.valid:,} valid answers alone {_percent(valid)} (not comparable)"
    parts = counts.lost
    if strict == 1 or parts is None:
        return [found + "."]
    labels = f" and labels that gold lacks {_percent(parts['labels'])}" if parts["labels"] else ""
    return [
        f"{found}.",
        f"Of the {_percent(1 - strict)} points lost, the format costs {_percent(parts['format'])}{labels}; "
        f"the other {_percent(parts['rest'])} are syntax.",
    ]


def format_or_syntax(counts: AnswerCounts, causes: Sequence[Cause], brackets: BracketCounts) -> list[str]:
    """Return which part costs most, and the causes that cost most once answers are repaired."""
    strict, parts = counts.strict.f1, counts.lost
    if strict is None or strict == 1 or parts is None:
        return []
    stays = 1 - parts["format"] / (1 - strict)
    kind = "Mostly the format" if stays < 0.5 else "Mostly the syntax" if stays > 0.5 else "Both"
    rough = "; shares are rough, since there are few answers" if counts.answers < FEW else ""
    found = [
        f"{kind}: {100 * stays:.0f} % of the points lost stay lost when every answer that can be read is "
        f"read{rough}."
    ]
    if causes:
        first, *others = [f"{one.cause} costs {_percent(cost(one, brackets))}" for one in causes[:2]]
        found.append(f"With repairs, {', then '.join([f'{first} points', *others])}.")
    return found


NO_TREE, OTHER_WORDS = "no tree at all", "other words than gold"
"""Defects of answers that are no repairs."""


def spelled(repair: str) -> str:
    """Return the name of a repair in words."""
    return repair.replace("_", " ")


_ONLY = "Ask for the tree only, or score with --repair."
_MORE = "Raise the limit of tokens; the rest of the tree stays missing."
_HELP = {
    **dict.fromkeys(("fence", "end_mark", "prefix", "prose"), _ONLY),
    **dict.fromkeys(("unclosed", "cut_leaf"), _MORE),
    "several": "Ask for one tree for each sentence.",
}


def defects(counts: AnswerCounts) -> list[tuple[str, int, float | None, str, str]]:
    """Return for each defect: name, answers, F1 gained in [0, 1], repair, and what helps."""
    gains: dict[str, float | None] = {}
    before = counts.strict.f1
    for step in counts.ladder[1:]:
        gains[step.repair] = None if step.f1 is None or before is None else step.f1 - before
        before = step.f1
    rows: list[tuple[str, int, float | None, str, str]] = [
        (
            spelled(name),
            counts.repairs[name],
            gains.get(name),
            text,
            _HELP.get(name, "Use --repair."),
        )
        for name, text in REPAIRS.items()
        if name in counts.repairs
    ]
    if counts.invalid:
        rows.append((NO_TREE, counts.invalid, None, "none", "Ask again."))
    if other := counts.answers - counts.invalid - counts.faithful:
        rows.append((OTHER_WORDS, other, None, "words are aligned", "Ask for the same words."))
    return rows


def broken(counts: AnswerCounts) -> list[str]:
    """Return the most common defect with what its repair brings, and the answers that no repair helps."""
    found = []
    steps = [(spelled(step.repair), step.f1) for step in counts.ladder]
    rows = [row for row in defects(counts) if row[0] in dict(steps)]
    if rows and counts.strict.f1 is not None and counts.with_repairs.f1 is not None:
        name, number, gain, *_ = max(rows, key=lambda row: row[1])
        other = counts.with_repairs.f1 - counts.strict.f1 - (gain or 0)
        more = f", all other repairs {_percent(other)}" if len(steps) > 2 else ""
        found.append(
            f"The most common defect is “{name}” ({number:,} {'answers' if number > 1 else 'answer'}): its "
            f"repair brings {_percent(gain)} points{more}."
        )
    if counts.invalid:
        found.append(
            f"{counts.invalid:,} {'answers hold' if counts.invalid > 1 else 'answer holds'} no tree."
        )
    if counts.answers < FEW:
        found.append(f"With {counts.answers} answers, shares are rough.")
    return found


def blamed(by_text: float, lost: float) -> str:
    """Say what costs the points lost, given the part of words and sentence ends."""
    return "The parser." if by_text < 0.1 * lost else "The tokeniser." if by_text > 0.5 * lost else "Both."


def where(analysis: Analysis, median: float | None, share: float) -> list[str]:
    """Return text about F1 by length, by label and by sentence; ``share`` is a label's share of gold."""
    found = []
    known = [one for one in analysis.lengths if len(one.sentences) >= FEW and one.brackets.f1 is not None]
    if len(known) > 1:
        best, worst = (pick(known, key=lambda one: one.brackets.f1 or 0) for pick in (max, min))
        high, low = best.brackets.f1 or 0, worst.brackets.f1 or 0
        if high - low >= 0.02:
            short, long = sorted((best, worst), key=lambda one: one.shortest)
            found.append(
                f"F1 {'falls' if short is best else 'rises'} from {_percent(short.brackets.f1)} at "
                f"{_words(short)} words to {_percent(long.brackets.f1)} at {_words(long)}."
            )
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
    mended = (
        f"; with it alone corrected, F1 would be {_percent(first.repaired_f1)}" if len(causes) > 1 else ""
    )
    found = (
        f"{_capital(first.cause)} costs {_percent(cost(first, brackets))} points of F1, in "
        f"{len(first.sentences):,} of {sentences:,} sentences{mended}."
    )
    if len(causes) > 3:
        share = sum([cause.share for cause in causes[:3]])
        found += f" The first three causes make up {100 * share:.0f} % of what is lost."
    return found


def costliest(wrong: Sequence[int]) -> str:
    """Return how many sentences have errors, and in how many half of the wrong brackets are."""
    some = sorted([count for count in wrong if count], reverse=True)
    if not some:
        return ""
    half, worst = sum(some) / 2, 0
    while half > 0:
        half -= some[worst]
        worst += 1
    found = f"{len(some):,} of {len(wrong):,} {'has' if len(some) == 1 else 'have'} errors"
    if worst < len(some):
        place = "the worst one" if worst == 1 else f"the {worst:,} worst"
        found += f"; half of all wrong brackets are in {place}"
    return found + "."


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
