"""The sentences of a page: claims, each with its numbers, and its condition where it is made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import Any, NamedTuple

from ..base.text import counted, visible
from ..claims.numbers import ends, listing, p_value, percent, signed
from ..claims.reading import FEW_SENTENCES
from ..claims.systems import Systems
from ..comparison.decided import ALIKE, FEW, MIXED, REACH, UNTESTED, Decision
from ..metrics import Figure
from ..metrics.brackets import BracketCounts
from .markup import Markup

STANDS_OUT = 0.001  # points of F1 by which a cause leads or differs, in [0, 1]
BY_LENGTH = 0.02  # F1 by which lengths differ


class Claim(NamedTuple):
    """A sentence or a clause of a page."""

    kind: str  #: one of ``KINDS``
    numbers: Mapping[str, Any]  #: names, counts and figures of the sentence, JSON-ready; rates in [0, 1]

    @property
    def text(self) -> str:
        """The sentence."""
        plain = KINDS[self.kind].replace("<b>", "").replace("</b>", "")
        return plain.format(**{name: _Shown(value) for name, value in self.numbers.items()})

    @property
    def html(self) -> Markup:
        """The sentence as HTML; what it is about is bold."""
        shown = {name: _Escaped(value) for name, value in self.numbers.items()}
        return Markup(KINDS[self.kind].format(**shown))


_FOUND = (
    "It finds {recall:%} % of gold’s brackets (recall) and {precision:%} % of its own are right (precision): "
)
_FORMAT = "of {lost:%} points lost, repairs of the format bring back {format:%}"
_LABELS = _FORMAT + ", labels that gold lacks cost {labels:%}, and {rest:%} are syntax."
_SYNTAX = _FORMAT + " and {rest:%} are syntax."
_SYSTEM = "<b>{name}</b>: {points:+}{stats}"
_STILL = "not distinguished; the interval says how far apart they may still be: {pairs:apart}"
_COSTS = "costs {cost:%} points, in {in_:,} of {of:,} {unit}s; with it alone corrected, F1 would be {f1:%}."
_LOST = (
    "Of {lost:%} points lost, {ends:%} are brackets across a wrong sentence end, {words:%} brackets that end "
    "inside a word of gold, and {rest:%} are the parser’s."
)
_SCORED = "We score with jpevalb {version} ({rules})"
_RATES = "{f1:%}{ends:[]}, precision {precision:%}, recall {recall:%}, on {gold:,} gold sentences{how}."

KINDS = {
    # headlines
    "all_right": "{name} gives every bracket of gold",
    "none_right": "{name} gives no bracket of gold",
    "interval": "{level:g} % interval {low:%} to {high:%}",
    "no_brackets": "{name}: neither gold nor the system has brackets",
    "scores": "{name} scores F1 {f1:%}",
    "scores_mean": "{name} scores mean F1 {f1:%}",
    "answers_all": "All {answers:,} answers are trees as written",
    "answers_none": "None of {answers:,} answers is a tree as written; {repaired:,} can be repaired",
    "answers_lost": "None of {answers:,} answers is a tree as written or can be repaired",
    "answers_some": "{valid:,} of {answers:,} answers are trees as written; {repaired:,} can be repaired",
    "answers_rest": "{valid:,} of {answers:,} answers are trees as written; the others cannot be repaired",
    "better": "{items:is} points of F1 better than {base}",
    "worse": "{items:is} points of F1 worse than {base}",
    "also_worse": "{items:is} worse",
    "many_better": "{count} systems are {low:%} to {high:%} points of F1 better than {base}",
    "many_worse": "{count} systems are {low:%} to {high:%} points of F1 worse than {base}",
    "above": "{name} is {points:abs} points of F1 above {base}; nothing is tested",
    "below": "{name} is {points:abs} points of F1 below {base}; nothing is tested",
    "equal": "{names:&} have equal F1",
    "alike": "{names:&} are not distinguished in F1",
    "also_alike": "{names:&} are not distinguished",
    "few": "too few sentences to compare {names:&}",
    "reach": "too few resamples to compare {names:&}",
    "mixed": "the test on sentences speaks against the difference of {names:&}",
    "no_f1": "F1 is undefined",
    "best": "{first} is best, {points:abs} points of F1 above {second}",
    "best_two": "{names:&} are best, not distinguished from each other",
    "best_three": "{names:&} are best, not distinguished from one another",
    "leaders": "{count} systems lead, not distinguished from one another",
    "all_alike": "No system is distinguished from another in F1",
    "highest": "{first} has the highest F1, {points:abs} above {second}",
    "tied_highest": "{first} and {second} have the highest F1",
    # leads
    "misses": _FOUND + "it misses more than it invents.",
    "invents": _FOUND + "it invents more than it misses.",
    "balanced": _FOUND + "it misses about as much as it invents.",
    "gaps": "Over constituents without gaps F1 is {continuous:%}, over those with gaps {discontinuous:%} "
    "({gold:,} in gold, {system:,} in the system).",
    "dearest": "<b>{cause:up} costs most</b>: {cost:%} of the {lost:%} points lost.",
    "no_dearest": "Of the {lost:%} points lost, {causes:cost}: no cause stands out.",
    "text_equal": "Words and sentence ends are gold’s, so every point lost is the parser’s.",
    "text_costs": "Wrong words and sentence ends cost {cost:%}.",
    "as_written": "F1 is <b>{strict:%}</b>{strict_ends:()} as written, where an answer that is no tree is "
    "empty, and <b>{repaired:%}</b>{repaired_ends:()} with repairs.",
    "mostly": "Mostly the {what}: " + _SYNTAX,
    "both": "Format and syntax both: " + _SYNTAX,
    "mostly_labels": "Mostly the {what}: " + _LABELS,
    "both_labels": "Several parts: " + _LABELS,
    "difference": _SYSTEM + "; recall {recall:+}, precision {precision:+}.",
    "difference_alone": _SYSTEM + ".",
    "difference_both": _SYSTEM + ", in both recall ({recall:+}) and precision ({precision:+}).",
    "difference_more": _SYSTEM + "; it finds more (recall {recall:+}) but is less often right (precision "
    "{precision:+}).",
    "difference_less": _SYSTEM + "; it finds less (recall {recall:+}) but is more often right (precision "
    "{precision:+}).",
    "unparsed": "{name} has no parse for {count:sentences}.",
    "first_two": "{first} scores {f1:%}, {second} {other:%}: a difference of {points:abs}{stats}.",
    "resamples": "{samples:,} resamples are too few to correct {tests:,} tests: p is at least {least:.3f}. "
    "Use --samples {needed}.",
    "pairs_told": "{told:,} of {tests:,} pairs of systems are distinguished; {tied:,} are not.",
    "pairs_all": "All {tests:,} pairs of systems are distinguished.",
    # pairs, errors, lengths and labels
    "every_pair": "Every pair is distinguished.",
    "one_tie": "One pair is " + _STILL + ".",
    "ties": "{count:,} pairs are " + _STILL + ".",
    "ties_more": "{count:,} pairs are " + _STILL + "; and {more:,} more.",
    "nothing": "Nothing to correct: every bracket is right.",
    "cause": "{cause:up} " + _COSTS,
    "cause_repaired": "After the repairs, {cause} " + _COSTS,
    "first_three": "The first three causes are {share:.0f} % of the {lost:%} points lost.",
    "cause_differs": "{name} loses {causes:less}.",
    "no_cause_differs": "{name} differs from {base} in no cause (p < 0.05).",
    "no_cause_apart": "{name} differs from {base} in no cause by 0.10 points.",
    "all_lose": "{who} lose most to <b>{cause}</b> ({low:%} to {high:%}).",
    "falls": "F1 falls from {high:%} at {first} words to {low:%} at {last}.",
    "rises": "F1 rises from {low:%} at {first} words to {high:%} at {last}.",
    "no_length": "F1 hardly depends on length ({low:%} to {high:%}).",
    "few_lengths": "Too few sentences to tell by length.",
    "labels": "Of the {count} labels with at least 1 % of gold’s brackets, {worst} is worst ({low:%}) and "
    "{best} best ({high:%}).",
    "labels_equal": "All {count} labels have F1 {low:%}.",
    "where_differs": "<b>{name}</b> differs most at {places:apart}.",
    "where_alike": "<b>{name}</b> differs from {base} at no length and in no label (p < 0.05).",
    # words, answers
    "parser": "<b>The parser.</b> " + _LOST,
    "tokeniser": "<b>The tokeniser.</b> " + _LOST,
    "both_blamed": "<b>Both.</b> " + _LOST,
    "blamed": "<b>{name}</b> loses {ends:%} to sentence ends, {words:%} to words, {rest:%} by the parser.",
    "none_blamed": "{names:&} lose nothing to either.",
    "one_unblamed": "{names:&} loses nothing to either.",
    "ends_alike": "Where sentences end as in gold, F1 is {f1:%}.",
    "best_repair": "The repair that brings most is <b>{repair}</b>: {gain:%} points, in {answers:answers}.",
    "no_tree": "{count:answers} without a tree.",
    "foreign": "Labels that gold lacks: {labels}; renamed, F1 would be {f1:%}.",
    # for a paper
    "cite_one": _SCORED + ": F1 " + _RATES,
    "cite_mean": _SCORED + ": mean F1 " + _RATES,
    "cite_gaps": _SCORED + ": F1 {f1:%}{ends:[]} over all constituents, {continuous:%}"
    "{continuous_ends:[]} over those without gaps and {discontinuous:%}{discontinuous_ends:[]} over those "
    "with gaps ({gaps:,} in gold), on {gold:,} sentences{how}.",
    "cite_answers": _SCORED + ". Of {answers:,} answers, {valid:,} ({share:%} %) are trees as written. F1 is "
    "{strict:%}{strict_ends:[]} as written, where an answer that is no tree is empty, and "
    "{repaired:%}{repaired_ends:[]} after jpevalb’s repairs of the format, which make trees of {made:,} "
    "more{how}.",
    "cite_several": _SCORED + " on {gold:,} sentences. {base} scores F1 {f1:%}{ends:[]}; {others}{how}.",
    "cite_other": "{name} scores F1 {f1:%}{ends:[]}, a difference of {points:+}{apart:[+]} from it{p}",
}
"""The sentence of each kind.

Fields: ``{f:%}`` rate in per cent, ``{d:+}`` difference in points, ``{d:abs}`` its size, ``{n:,}`` count,
``{n:sentences}`` count with a noun, ``{names:&}`` list, ``{c:up}`` with a capital, ``{x:()}`` and ``{x:[]}``
interval; others are of :class:`_Shown`.
"""


class _Shown:
    """A number of a claim, formatted by its field."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def written(self, text: object) -> str:
        return str(text)

    def __format__(self, how: str) -> str:
        value = self.value
        name = self.written
        if how in ("", "up"):
            return name(value[:1].upper() + value[1:] if how else value)
        if how == "%":
            return percent(value)
        if how == "+":
            return signed(value)
        if how == "abs":
            return percent(abs(value))
        if how == "&":
            return listing(list(map(name, value)))
        if how in ("()", "[]", "[+]"):
            text = ends(value, signed if "+" in how else percent)
            return (
                f" {how[0]}{text.replace(' to ', ', ') if how[0] == '[' else text}{how[-1]}" if text else ""
            )
        if how in ("sentences", "answers"):
            return counted(value, how)
        if how == "is":  # names with the sizes of their differences
            return listing(
                [f"{name(n)} {'' if k else 'is '}{percent(abs(d))}" for k, (n, d) in enumerate(value)]
            )
        if how == "cost":
            return listing([f"{name(n)} costs {percent(cost)}" for n, cost in value])
        if how == "less":
            words = [f"{percent(abs(d))} points {'less' if d < 0 else 'more'} to {name(n)}" for n, d in value]
            return listing(words)
        if how == "apart":  # names with differences, and intervals if there are any
            shown = [
                f"{name(n)} {signed(d)}" + "".join([f" ({ends(e, signed)})" for e in rest])
                for n, d, *rest in value
            ]
            return "; ".join(shown) if any(rest for _, _, *rest in value) else listing(shown)
        return format(value, how)


class _Escaped(_Shown):
    def written(self, text: object) -> str:
        return escape(visible(str(text)))


def joined(claims: Iterable[Claim], between: str = " ") -> Markup:
    """Return claims as HTML."""
    return Markup(between.join([one.html for one in claims]))


def _stats(one: Decision, *, level: bool = True) -> str:
    """Return the interval and the p-value of a difference in brackets; empty without them."""
    parts = [ends(one.interval, signed), p_value(one.p) if level else ""]
    text = ", ".join([part for part in parts if part])
    return f" ({text})" if text else ""


# -- headlines -----------------------------------------------------------------------------------------


def title(systems: Systems, brackets: BracketCounts | None) -> list[Claim]:
    """Return the clauses of the headline; ``brackets`` are those of one system."""
    if systems.answers:
        return [_answers_title(systems.answers)]
    if systems.count == 1:
        return [_one_title(systems, brackets)]
    return _many_title(systems) if systems.many else _several_title(systems)


def _one_title(systems: Systems, brackets: BracketCounts | None) -> Claim:
    name, f1 = systems.names[0], systems.value(systems.main, 0)
    if f1 is None:
        return Claim("no_brackets", {"name": name})
    if brackets and brackets.gold and brackets.matched == brackets.gold == brackets.system:
        return Claim("all_right", {"name": name})
    if brackets and not brackets.matched:
        return Claim("none_right", {"name": name})
    return Claim("scores" if systems.main == "f1" else "scores_mean", {"name": name, "f1": f1})


def interval(systems: Systems) -> list[Claim]:
    """Return the interval of the only system’s F1, which stands behind the headline."""
    found = systems.interval(systems.main, 0)
    if systems.count > 1 or systems.answers or found is None or found[0] == found[1]:
        return []
    level = 100 * (systems.comparison.confidence or 0)
    return [Claim("interval", {"level": level, "low": found[0], "high": found[1]})]


def _answers_title(counts: Mapping[str, Any]) -> Claim:
    numbers = {name: counts[name] for name in ("answers", "valid", "repaired")}
    if counts["valid"] == counts["answers"]:
        return Claim("answers_all", numbers)
    if not counts["valid"]:
        return Claim("answers_none" if counts["repaired"] else "answers_lost", numbers)
    return Claim("answers_some" if counts["repaired"] else "answers_rest", numbers)


def _several_title(systems: Systems) -> list[Claim]:
    """Return who is better, worse, equal and not distinguished; each system is in one clause."""
    base = systems.names[systems.base]
    found = [(systems.names[i], systems.apart(systems.main, i)) for i in systems.order if i != systems.base]
    known = [(name, one) for name, one in found if one.points is not None]
    if not known:
        return [Claim("no_f1", {})]
    if all(one.outcome == UNTESTED for _, one in known):
        name, most = max(known, key=lambda item: abs(item[1].points or 0))
        numbers = {"name": name, "points": most.points, "base": base}
        if not most.points:
            return [Claim("equal", {"names": [base, *[name for name, _ in known]]})]
        return [Claim("above" if most.points > 0 else "below", numbers)]
    clauses: list[Claim] = []
    for kind, sign in (("better", 1), ("worse", -1)):
        items = [(name, one.points) for name, one in known if one.real and sign * (one.points or 0) > 0]
        sizes = [abs(points or 0) for _, points in items]
        if len(items) > 3:
            numbers = {"count": len(items), "low": min(sizes), "high": max(sizes), "base": base}
            clauses.append(Claim(f"many_{kind}", numbers))
        elif items:
            clauses.append(Claim(f"also_{kind}" if clauses else kind, {"items": items, "base": base}))
    rest = [(name, one) for name, one in known if not one.real]
    same = [name for name, one in rest if one.points == 0 and one.interval in (None, (0.0, 0.0))]
    groups = {"equal": same}
    for kind in (ALIKE, FEW, REACH, MIXED):
        groups[kind] = [name for name, one in rest if one.outcome == kind and name not in same]
    for kind, some in groups.items():
        if some:
            kind = "also_alike" if kind == ALIKE and clauses else kind
            clauses.append(Claim(kind, {"names": [base, *some]}))
    return clauses


def _many_title(systems: Systems) -> list[Claim]:
    names, (a, b) = systems.names, systems.order[:2]
    values = [systems.value(systems.main, i) for i in (a, b)]
    if None in values:
        return [Claim("no_f1", {})]
    points = systems.between(b, a).points
    numbers = {"first": names[a], "second": names[b], "points": points}
    letters = systems.letters()
    if not any(letters) or systems.between(b, a).outcome in (FEW, MIXED):
        return [Claim("highest" if points else "tied_highest", numbers)]
    leaders = [names[i] for i in systems.order if "a" in letters[i]]
    if len(leaders) == len(names):
        return [Claim("all_alike", {"count": len(names)})]
    if len(leaders) == 1:
        return [Claim("best", numbers)]
    if len(leaders) <= 3:
        return [Claim("best_two" if len(leaders) == 2 else "best_three", {"names": leaders})]
    return [Claim("leaders", {"count": len(leaders)})]


# -- leads ---------------------------------------------------------------------------------------------


def lead(systems: Systems, brackets: BracketCounts | None) -> list[Claim]:
    """Return the sentences below the headline."""
    if systems.answers:
        return _answers_lead(systems)
    if systems.count == 1:
        return _one_lead(systems, brackets)
    found = _many_lead(systems) if systems.many else _several_lead(systems)
    return found + _unparsed(systems)


def _one_lead(systems: Systems, brackets: BracketCounts | None) -> list[Claim]:
    found = []
    if brackets and brackets.recall is not None and brackets.precision is not None:
        missed, extra = brackets.gold - brackets.matched, brackets.system - brackets.matched
        # By the counts: 100 % and 99.5 % are not alike.
        kind = "misses" if missed > 1.1 * extra else "invents" if extra > 1.1 * missed else "balanced"
        if missed or extra:
            found.append(Claim(kind, {"recall": brackets.recall, "precision": brackets.precision}))
    gaps = systems.totals[0].get("gaps") or {}
    if systems.gaps and gaps.get("gold"):
        numbers = {name: systems.value(f"{name}_f1", 0) for name in ("continuous", "discontinuous")}
        found.append(Claim("gaps", {**numbers, "gold": gaps["gold"], "system": gaps["system"]}))
    found += _dearest(systems)
    costs = sum(systems.text_costs(0))
    if "segmentation" in systems.totals[0] and systems.lost(0) > 0:
        found.append(Claim("text_costs", {"cost": costs}) if costs > 0 else Claim("text_equal", {}))
    return found + _unparsed(systems)


def ranked_causes(systems: Systems, i: int) -> list[tuple[str, float, Figure]]:
    """Return the causes that cost a system something, the dearest first."""
    costs = [(one.title, systems.cost(one, i), one) for one in systems.causes]
    return sorted([item for item in costs if item[1] > 0], key=lambda item: -item[1])


def _dearest(systems: Systems) -> list[Claim]:
    """Say which cause costs most, if it has a name and leads."""
    ranked = [(name, cost) for name, cost, _ in ranked_causes(systems, 0) if name != "other"]
    if not ranked:
        return []
    lost = systems.lost(0)
    if len(ranked) > 1 and ranked[0][1] - ranked[1][1] < STANDS_OUT:
        return [Claim("no_dearest", {"lost": lost, "causes": ranked[:2]})]
    return [Claim("dearest", {"cause": ranked[0][0], "cost": ranked[0][1], "lost": lost})]


def _answers_lead(systems: Systems) -> list[Claim]:
    counts = systems.answers or {}
    numbers = {
        "strict": counts["strict"]["f1"],
        "strict_ends": systems.interval("strict_answer_f1", 0),
        "repaired": counts["with_repairs"]["f1"],
        "repaired_ends": systems.interval("repaired_f1", 0),
    }
    found = [Claim("as_written", numbers)]
    lost = counts["lost"]
    # A repair may lose points: then there are no shares.
    if not lost or min(lost.values()) < 0 or sum(lost.values()) <= 0:
        return found
    total = sum(lost.values())
    most = max(lost, key=lambda name: lost[name])
    kind = "mostly" if lost[most] > total / 2 else "both"
    what = {"rest": "syntax", "format": "format", "labels": "labels"}[most]
    kind += "_labels" if lost["labels"] > 0 else ""
    return [*found, Claim(kind, {"what": what, "lost": total, **lost})]


def _several_lead(systems: Systems) -> list[Claim]:
    others = [i for i in systems.order if i != systems.base]
    if systems.count > 4:
        others.sort(key=lambda i: -abs(systems.apart(systems.main, i).points or 0))
    found = []
    for i in others[:3]:
        one = systems.apart(systems.main, i)
        if one.points is None:
            continue
        both = [systems.apart(name, i) for name in ("recall", "precision")]
        recall, precision = (part.points for part in both)
        numbers = {"name": systems.names[i], "points": one.points, "stats": _stats(one)}
        if recall is None or precision is None:
            found.append(Claim("difference_alone", numbers))
            continue
        kind = "difference"
        if all(part.real for part in both):
            same = recall * precision > 0
            kind += "_both" if same else "_more" if recall > 0 else "_less"
        found.append(Claim(kind, {**numbers, "recall": recall, "precision": precision}))
    return found


def _unparsed(systems: Systems) -> list[Claim]:
    found = []
    for i in systems.order:
        beads = systems.totals[i].get("alignment", {}).get("beads", {})
        if count := beads.get("no_parse", {}).get("beads", 0):
            found.append(Claim("unparsed", {"name": systems.names[i], "count": count}))
    return found[:3]


def _many_lead(systems: Systems) -> list[Claim]:
    names, (a, b) = systems.names, systems.order[:2]
    one = systems.between(b, a)
    if one.points is None:
        return []
    numbers = {"first": names[a], "f1": systems.value(systems.main, a), "second": names[b]}
    numbers |= {"other": systems.value(systems.main, b), "points": one.points, "stats": _stats(one)}
    found = [Claim("first_two", numbers)]
    tests, samples = systems.comparison.tests, systems.comparison.test_samples
    if (needed := systems.comparison.samples_needed) is not None:
        least = tests / (samples + 1)
        return [
            *found,
            Claim("resamples", {"samples": samples, "tests": tests, "least": least, "needed": needed}),
        ]
    outcomes = [pair.outcome for _, _, pair in systems.pairs()]
    if UNTESTED in outcomes or FEW in outcomes:
        return found
    tied = len([one for one in outcomes if one == ALIKE])
    told = len([one for one in outcomes if one == "differs"])
    return [
        *found,
        Claim("pairs_told" if tied else "pairs_all", {"told": told, "tests": tests, "tied": tied}),
    ]


def ties(systems: Systems) -> list[Claim]:
    """Say which pairs are not distinguished, the closest first, six at most."""
    tied = [
        ((f"{systems.names[b]} − {systems.names[a]}:", one.points, one.interval), one)
        for a, b, one in systems.pairs()
        if one.outcome == ALIKE and one.interval is not None
    ]
    tied.sort(key=lambda item: abs(item[1].points or 0))
    if not tied:
        outcomes = {one.outcome for *_, one in systems.pairs()}
        return [Claim("every_pair", {})] if outcomes == {"differs"} else []
    pairs = [item for item, _ in tied[:6]]
    if len(tied) == 1:
        return [Claim("one_tie", {"pairs": pairs})]
    more = len(tied) - len(pairs)
    return [Claim("ties_more" if more else "ties", {"count": len(tied), "pairs": pairs, "more": more})]


# -- errors, lengths and labels ------------------------------------------------------------------------


def errors(systems: Systems, sentences: Mapping[str, int]) -> list[Claim]:
    """Say what costs most; ``sentences`` are the numbers of sentences of each cause of one system."""
    if systems.count == 1:
        return _errors_of_one(systems, sentences)
    shared = _all_lose(systems)
    if not systems.many:
        return [*_causes_that_differ(systems), *shared]
    a, b = systems.order[:2]
    apart = [(one.title, systems.cost(one, b) - systems.cost(one, a)) for one in systems.causes]
    apart = sorted([item for item in apart if abs(item[1]) >= STANDS_OUT], key=lambda item: -abs(item[1]))[:2]
    numbers = {"name": systems.names[b], "base": systems.names[a], "causes": apart}
    return [*shared, Claim("cause_differs" if apart else "no_cause_apart", numbers)]


def _errors_of_one(systems: Systems, sentences: Mapping[str, int]) -> list[Claim]:
    ranked = ranked_causes(systems, 0)
    if not ranked:
        return [Claim("nothing", {})] if systems.value(systems.main, 0) == 1 else []
    name, cost, _ = ranked[0]
    known = systems.analyses[0]["causes"].get(name, {})
    numbers = {"cause": name, "cost": cost, "in_": sentences.get(name, 0), "unit": systems.unit}
    numbers |= {"of": systems.totals[0]["brackets"]["sentences"], "f1": known.get("repaired_f1")}
    found = [Claim("cause_repaired" if systems.answers else "cause", numbers)] if numbers["in_"] else []
    if len(ranked) > 3:
        lost = systems.lost(0)
        share = 100 * sum([cost for _, cost, _ in ranked[:3]]) / lost
        found.append(Claim("first_three", {"share": share, "lost": lost}))
    return found


def _causes_that_differ(systems: Systems) -> list[Claim]:
    found, base = [], systems.names[systems.base]
    tested = False
    for i in [i for i in systems.order if i != systems.base][:3]:
        decisions = [(one.title, systems.apart(one.name, i)) for one in systems.causes]
        real = sorted([(n, d.points) for n, d in decisions if d.real], key=lambda item: -abs(item[1] or 0))
        numbers = {"name": systems.names[i], "base": base, "causes": real[:2]}
        tested = any(one.outcome == ALIKE for _, one in decisions)
        if real or tested:
            found.append(Claim("cause_differs" if real else "no_cause_differs", numbers))
    return found


def _all_lose(systems: Systems) -> list[Claim]:
    """Say which cause is the first of most systems that lose anything."""
    first = {}
    for i in systems.range:
        ranked = ranked_causes(systems, i)
        if ranked and ranked[0][0] != "other":
            first[i] = ranked[0][:2]
    names = [name for name, _ in first.values()]
    if not names:
        return []
    cause = max(names, key=names.count)
    costs = [cost for name, cost in first.values() if name == cause]
    if len(costs) < 2 or min(costs) < 0.005:
        return []
    every = "Both" if systems.count == 2 else f"All {systems.count}"
    who = every if len(costs) == systems.count else f"{len(costs)} of {systems.count} systems"
    return [Claim("all_lose", {"who": who, "cause": cause, "low": min(costs), "high": max(costs)})]


def places(systems: Systems) -> list[Claim]:
    """Say at which lengths and labels one system is good or bad, or several differ."""
    if systems.count == 1 or systems.many:
        return [*_by_length(systems), *_by_label(systems)]
    found = []
    named = [(f"{one.name} words", one.figure) for one in systems.lengths() if one.sentences >= FEW_SENTENCES]
    named += [(label, figure.name) for label, figure, _ in systems.labels()]
    for i in [i for i in systems.order if i != systems.base][:3]:
        decisions = [(name, systems.apart(figure, i)) for name, figure in named]
        real = sorted([(n, d.points) for n, d in decisions if d.real], key=lambda item: -abs(item[1] or 0))
        numbers = {"name": systems.names[i], "base": systems.names[systems.base], "places": real[:3]}
        if real or any(one.outcome == ALIKE for _, one in decisions):
            found.append(Claim("where_differs" if real else "where_alike", numbers))
    return found


def _by_length(systems: Systems) -> list[Claim]:
    every = systems.lengths()
    known = [
        (value, one)
        for one in every
        if one.sentences >= FEW_SENTENCES and (value := systems.value(one.figure, systems.base)) is not None
    ]
    if len(known) < 2:
        return [Claim("few_lengths", {})] if len(every) > 1 else []
    (high, best), (low, worst) = max(known, key=lambda x: x[0]), min(known, key=lambda x: x[0])
    numbers = {"high": high, "low": low}
    if high - low < BY_LENGTH:
        return [Claim("no_length", numbers)]
    falls = best.ends < worst.ends
    first, last = (best, worst) if falls else (worst, best)
    return [Claim("falls" if falls else "rises", {**numbers, "first": first.name, "last": last.name})]


def _by_label(systems: Systems) -> list[Claim]:
    known = [
        (value, label)
        for label, figure, _ in systems.labels()
        if (value := systems.value(figure.name, systems.base)) is not None
    ]
    if len(known) < 2 or systems.unlabeled:
        return []
    (low, worst), (high, best) = min(known), max(known)
    numbers = {"count": len(known), "low": low, "worst": worst, "high": high, "best": best}
    return [Claim("labels" if percent(low) < percent(high) or low < high else "labels_equal", numbers)]


# -- words, answers --------------------------------------------------------------------------------------


def blame(systems: Systems, some: Sequence[int], rest: Sequence[int]) -> list[Claim]:
    """Say what words and sentence ends cost ``some`` systems; they cost the ``rest`` nothing."""
    found = []
    for i in some[:3]:
        at_ends, in_words = systems.text_costs(i)
        lost = systems.lost(i)
        by = at_ends + in_words
        numbers = {"lost": lost, "ends": at_ends, "words": in_words, "rest": max(0.0, lost - by)}
        if systems.count == 1:
            kind = "parser" if by < 0.1 * lost else "tokeniser" if by > 0.5 * lost else "both_blamed"
            found.append(Claim(kind, numbers))
        else:
            found.append(Claim("blamed", {"name": systems.names[i], **numbers}))
    if rest and len(rest) < 4:
        kind = "one_unblamed" if len(rest) == 1 else "none_blamed"
        found.append(Claim(kind, {"names": [systems.names[i] for i in rest]}))
    kinds = systems.totals[0].get("alignment", {}).get("beads", {})
    if systems.count == 1 and len(kinds) > 1 and kinds.get("one_to_one", {}).get("f1") is not None:
        found.append(Claim("ends_alike", {"f1": kinds["one_to_one"]["f1"]}))
    return found


def broken(counts: Mapping[str, Any]) -> list[Claim]:
    """Say which repair of answers brings most, and what no repair helps."""
    found = []
    steps = counts["ladder"]
    gains = [
        (step["f1"] - before["f1"], step["repair"])
        for before, step in pairwise(steps)
        if None not in (step["f1"], before["f1"])
    ]
    if gains and max(gains)[0] > 0:
        gain, repair = max(gains)
        numbers = {"repair": repair.replace("_", " "), "gain": gain, "answers": counts["repairs"][repair]}
        found.append(Claim("best_repair", numbers))
    if counts["invalid"]:
        found.append(Claim("no_tree", {"count": counts["invalid"]}))
    if foreign := counts["foreign_labels"]:
        labels = ", ".join([f"{label} {times}" for label, times in list(foreign.items())[:4]])
        found.append(Claim("foreign", {"labels": labels, "f1": counts["renamed_f1"]}))
    return found


# -- for a paper -----------------------------------------------------------------------------------------


def cited(systems: Systems, version: str, rules: str, how: str) -> Claim | None:
    """Return the sentence for a paper: the result that matters for the task; ``None`` without F1."""
    main = systems.main
    numbers: dict[str, Any] = {"version": version, "rules": rules, "how": how}
    numbers["gold"] = systems.comparison.gold_sentences
    if counts := systems.answers:
        numbers |= {name: counts[name] for name in ("answers", "valid")}
        numbers |= {"share": counts["valid_share"], "made": counts["repaired"]}
        numbers |= {"strict": counts["strict"]["f1"], "repaired": counts["with_repairs"]["f1"]}
        for name, figure in (("strict", "strict_answer_f1"), ("repaired", "repaired_f1")):
            numbers[f"{name}_ends"] = systems.interval(figure, 0)
        return Claim("cite_answers", numbers)
    base = systems.base
    numbers |= {"f1": systems.value(main, base), "ends": systems.interval(main, base)}
    if numbers["f1"] is None:
        return None
    if systems.count == 1:
        numbers |= {name: systems.value(name, 0) for name in ("precision", "recall")}
        if not systems.gaps:
            return Claim("cite_one" if main == "f1" else "cite_mean", numbers)
        for name in ("continuous", "discontinuous"):
            numbers[name] = systems.value(f"{name}_f1", 0)
            numbers[f"{name}_ends"] = systems.interval(f"{name}_f1", 0)
        return Claim("cite_gaps", {**numbers, "gaps": systems.totals[0]["gaps"]["gold"]})
    others = []
    for i in [i for i in systems.order if i != base][: 1 if systems.many else 3]:
        one = systems.apart(main, i)
        if one.points is None:
            continue
        p = p_value(one.p)
        of = {"f1": systems.value(main, i), "ends": systems.interval(main, i)}
        apart = {"points": one.points, "apart": one.interval, "p": f" ({p})" if p else ""}
        others.append(Claim("cite_other", {"name": systems.names[i], **of, **apart}).text)
    return Claim("cite_several", {**numbers, "base": systems.names[base], "others": "; ".join(others)})
