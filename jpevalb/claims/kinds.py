"""Claims: what reports say of results, as records of a kind and its numbers, and the sentence of each kind.

Text, pages, notebooks and JSON print the text of claims.  The condition of a kind is where it is made
(:mod:`.made`), and once more, from the JSON report alone, in ``tests/claims/checker.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from ..base.elements import Markup
from ..base.elements import text as escaped
from ..base.text import counted
from .numbers import ends, listing, p_value, percent, signed


class Claim(NamedTuple):
    """A sentence, or a clause of a headline."""

    kind: str  #: one of ``KINDS``
    numbers: Mapping[str, Any]  #: names, counts and figures of the sentence, JSON-ready; rates in [0, 1]

    @property
    def place(self) -> str:
        """The part of a report that prints it."""
        return KINDS[self.kind][0]

    @property
    def text(self) -> str:
        """The sentence."""
        return self.written(str).replace("<b>", "").replace("</b>", "")

    def written(self, name: Callable[[str], str]) -> str:
        """Return the sentence with marks of what it is about; ``name`` escapes names."""
        return KINDS[self.kind][1].format(**{key: _Shown(value, name) for key, value in self.numbers.items()})

    def to_dict(self) -> dict[str, Any]:
        """Return the claim, JSON-ready."""
        return {
            "kind": self.kind,
            "place": self.place,
            "text": self.text,
            "numbers": _plain(dict(self.numbers)),
        }


def at(claims: Iterable[Claim], *places: str) -> str:
    """Return the sentences of some places, in order; clauses of a headline are joined by semicolons."""
    between = "; " if places == ("headline",) else " "
    return between.join([one.text for one in claims if one.place in places])


_FOUND = (
    "It finds {recall:%} % of gold’s brackets (recall) and {precision:%} % of its own are right (precision): "
)
_FORMAT = "of {lost:%} points lost, repairs of the format bring back {format:%}"
_SYSTEM = "<b>{name}</b>: {points:+}{interval:(+)}{p:p}"
_STILL = "not distinguished; the interval says how far apart they may still be: {pairs:apart}"
_COSTS = "costs {cost:%} points, in {in_:,} of {of:,} {unit}s; with it alone corrected, F1 would be {f1:%}."
_LOST = (
    "Of {lost:%} points of strict F1 lost, {ends:%} are brackets across a wrong sentence end, {words:%} "
    "brackets that match only since words are aligned, and {rest:%} others."
)
_SCORED = "We score with jpevalb {version} ({rules})"
_RATES = "{f1:%}{ends:[]}, precision {precision:%}, recall {recall:%}, on {scored}{how}."

KINDS: dict[str, tuple[str, str]] = {}
"""Place and sentence of each kind.

Fields: ``{f1:%}`` rate in per cent, ``{d:+}`` difference in points, ``{d:abs}`` its size, ``{n:,}`` count,
``{n:sentences}`` count with a noun, ``{names:&}`` list, ``{c:up}`` with a capital, ``{x:()}`` and ``{x:[]}``
interval, ``{p:p}`` p-value in brackets; others are of :class:`_Shown`.
"""


def _kinds(place: str, **sentences: str) -> None:
    KINDS.update({kind: (place, sentence) for kind, sentence in sentences.items()})


_kinds(
    "headline",
    all_right="{name} gives every bracket of gold",
    none_right="{name} gives no bracket of gold",
    no_parse="{name} has no parse of any sentence",
    no_brackets="{name}: neither gold nor the system has brackets",
    scores="{name} scores F1 {f1:%}",
    scores_mean="{name} scores mean F1 {f1:%}",
    answers_all="All {answers:,} answers are trees as written",
    answers_none="None of {answers:,} answers is a tree as written; {repaired:,} can be repaired",
    answers_lost="None of {answers:,} answers is a tree as written or can be repaired",
    answers_some="{valid:,} of {answers:,} answers are trees as written; {repaired:,} can be repaired",
    answers_rest="{valid:,} of {answers:,} answers are trees as written; the others cannot be repaired",
    better="{items:is} points of F1 better than {base}",
    worse="{items:is} points of F1 worse than {base}",
    many_better="{count} systems are {low:%} to {high:%} points of F1 better than {base}",
    many_worse="{count} systems are {low:%} to {high:%} points of F1 worse than {base}",
    above="{name} is {points:abs} points of F1 above {base}; nothing is tested",
    below="{name} is {points:abs} points of F1 below {base}; nothing is tested",
    equal="{names:&} have equal F1",
    alike="{names:verb} not distinguished from {base} in F1",
    few="{names:&} against {base}: too few sentences to compare",
    reach="{names:&} against {base}: too few resamples to compare",
    mixed="{names:&} against {base}: most sentences speak against the difference",
    without="{names:has} no F1",
    best="{first} is best, {points:abs} points of F1 above {second}",
    leads="{first} has the highest F1, not distinguished from {names:&}",
    leads_many="{first} has the highest F1, not distinguished from {count} others",
    all_alike="No two of {count} systems are distinguished in F1",
    highest="{first} has the highest F1, {points:abs} above {second}",
    tied_highest="{names:&} have the highest F1",
)
_kinds("interval", interval="{level:g} % interval {low:%} to {high:%}")
_kinds(
    "lead",
    excluded="Only {scored:,} of {gold:,} gold sentences are scored for {name}.",
    misses=_FOUND + "it misses more than it invents.",
    invents=_FOUND + "it invents more than it misses.",
    balanced=_FOUND + "it misses about as much as it invents.",
    gaps="Over constituents without gaps F1 is {continuous:%}, over those with gaps {discontinuous:%} "
    "({gold:,} in gold, {system:,} in the system).",
    dearest="<b>{cause:up} costs most</b>: {cost:%} of the {lost:%} points lost.",
    no_dearest="Of the {lost:%} points lost, {causes:cost}: no cause stands out.",
    text_equal="Words and sentence ends are gold’s, so every point lost is the parser’s.",
    text_costs="Wrong sentence ends cost {ends:%}, other words {words:%} of strict F1.",
    as_written="F1 is <b>{strict:%}</b>{strict_ends:()} as written, where an answer that is no tree is "
    "empty, and <b>{repaired:%}</b>{repaired_ends:()} with repairs.",
    mostly="Mostly the {what}: " + _FORMAT + " and {rest:%} are syntax.",
    mostly_labels="Mostly the {what}: "
    + _FORMAT
    + ", labels that gold lacks cost {labels:%}, and {rest:%} are syntax.",
    both_labels="Several parts: "
    + _FORMAT
    + ", labels that gold lacks cost {labels:%}, and {rest:%} are syntax.",
    stay_lost="Of {lost:%} points lost, repairs of the format bring back {format:%}; {rest:%} stay lost, "
    "also those of {absent:answers} without a tree.",
    repairs_lose="Repairs lose {loss:%} points: what they add is mostly wrong.",
    difference=_SYSTEM + "; recall {recall:+}, precision {precision:+}.",
    difference_alone=_SYSTEM + ".",
    difference_both=_SYSTEM + ", in both recall ({recall:+}) and precision ({precision:+}).",
    difference_more=_SYSTEM
    + "; it finds more (recall {recall:+}) but is less often right (precision {precision:+}).",
    difference_less=_SYSTEM
    + "; it finds less (recall {recall:+}) but is more often right (precision {precision:+}).",
    unparsed="{name} has no parse for {count:sentences}.",
    first_two="{first} scores {f1:%}, {second} {other:%}: a difference of {points:abs}{interval:(+)}{p:p}.",
    resamples="{samples:,} resamples are too few to correct {tests:tests}: p is at least {least:.3f}. "
    "Use --samples {needed}.",
    pairs_told="{told:,} of {tests:,} pairs of systems are distinguished; {tied:,} are not.",
    pairs_all="All {tests:,} pairs of systems are distinguished.",
)
_kinds(
    "pairs",
    every_pair="Every pair is distinguished.",
    one_tie="One pair is " + _STILL + ".",
    ties="{count:,} pairs are " + _STILL + ".",
    ties_more="{count:,} pairs are " + _STILL + "; and {more:,} more.",
    groups="Systems that share a letter are not distinguished in F1: {letters}.",
)
_kinds(
    "errors",
    nothing="Nothing to correct: every bracket is right.",
    cause="{cause:up} " + _COSTS,
    cause_repaired="After the repairs, {cause} " + _COSTS,
    first_three="The first three causes are {share:.0f} % of the {lost:%} points lost.",
    cause_differs="{name} loses {causes:less} than {base}.",
    no_cause_differs="{name} differs from {base} in no cause (p < 0.05).",
    no_cause_apart="{name} differs from {base} in no cause by 0.10 points.",
    all_lose="{who} lose most to <b>{cause}</b> ({low:%} to {high:%}).",
)
_kinds(
    "places",
    by_length="F1 is highest at {best} words ({high:%}) and lowest at {worst} ({low:%}).",
    no_length="F1 is {low:%} to {high:%} at all lengths of 30 sentences or more.",
    few_lengths="Too few sentences to tell by length.",
    labels="Of the {count} labels with at least 1 % of gold’s brackets, {worst} is worst ({low:%}) and "
    "{best} best ({high:%}).",
    labels_equal="All {count} labels with at least 1 % of gold’s brackets have F1 {low:%}.",
    where_differs="<b>{name}</b> differs most at {places:apart}.",
    where_alike="<b>{name}</b> differs from {base} at no length and in no label (p < 0.05).",
)
_kinds(
    "words",
    parser="<b>The parser.</b> " + _LOST,
    tokeniser="<b>The tokeniser.</b> " + _LOST,
    both_blamed="<b>Both.</b> " + _LOST,
    blamed="<b>{name}</b> loses {ends:%} to sentence ends, {words:%} to words, {rest:%} to others.",
    none_blamed="{names:&} lose nothing to either.",
    one_unblamed="{names:&} loses nothing to either.",
    ends_alike="Where sentences end as in gold, F1 is {f1:%}.",
)
_kinds(
    "answers",
    best_repair="The repair that brings most is <b>{repair}</b>: {gain:%} points, in {answers:answers}.",
    no_tree="{count:answers} without a tree.",
    foreign="Labels that gold lacks: {labels}; renamed, F1 would be {f1:%}.",
)
_kinds(
    "cite",
    cite_one=_SCORED + ": F1 " + _RATES,
    cite_mean=_SCORED + ": mean F1 " + _RATES,
    cite_gaps=_SCORED + ": F1 {f1:%}{ends:[]} over all constituents, {continuous:%}"
    "{continuous_ends:[]} over those without gaps and {discontinuous:%}{discontinuous_ends:[]} over those "
    "with gaps ({gaps:,} in gold), on {scored}{how}.",
    cite_answers=_SCORED + ". Of {answers:,} answers, {valid:,} ({share:%} %) are trees as written. F1 is "
    "{strict:%}{strict_ends:[]} as written, where an answer that is no tree is empty, and "
    "{repaired:%}{repaired_ends:[]} after jpevalb’s repairs of the format, which make trees of {made:,} "
    "more{how}.",
    cite_several=_SCORED + " on {scored}. {base} scores F1 {f1:%}{ends:[]}; {others}{how}.",
    cite_other="{name} scores F1 {f1:%}{ends:[]}, a difference of {points:+}{apart:[+]} from it{p:p}",
)


def _plain(value: Any) -> Any:
    """Return a value with lists in place of tuples."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return list(map(_plain, value)) if isinstance(value, (list, tuple)) else value


class _Shown:
    """A number of a claim, formatted by its field."""

    def __init__(self, value: Any, name: Callable[[str], str]) -> None:
        self.value, self._name = value, name

    def __format__(self, how: str) -> str:
        value, name = self.value, self._name
        if how in ("", "up"):
            return name(str(value[:1].upper() + value[1:] if how else value))
        if how == "%":
            return percent(value)
        if how == "+":
            return signed(value)
        if how == "abs":
            return percent(abs(value))
        if how == "p":
            return f" ({p_value(value)})" if value is not None else ""
        if how in ("()", "[]", "[+]", "(+)"):
            text = ends(value, signed if "+" in how else percent)
            text = text.replace(" to ", ", ") if how[0] == "[" else text
            return f" {how[0]}{text}{how[-1]}" if text else ""
        if how in ("sentences", "answers", "tests"):
            return counted(value, how)
        if how in _LISTS:
            return _LISTS[how](value, name)
        return format(value, how)


def _verb(names: list[str], one: str, more: str) -> str:
    return f"{listing(names)} {one if len(names) == 1 else more}"


def _apart(value: Any, name: Callable[[str], str]) -> str:
    """Return names with differences, and intervals if there are any."""
    shown = [
        f"{name(n)} {signed(d)}" + "".join([f" ({ends(e, signed)})" for e in rest]) for n, d, *rest in value
    ]
    return "; ".join(shown) if any(rest for _, _, *rest in value) else listing(shown)


_LISTS: dict[str, Callable[[Any, Callable[[str], str]], str]] = {
    "&": lambda value, name: listing(list(map(name, value))),
    "verb": lambda value, name: _verb(list(map(name, value)), "is", "are"),
    "has": lambda value, name: _verb(list(map(name, value)), "has", "have"),
    # Names with the sizes of their differences
    "is": lambda value, name: listing(
        [f"{name(n)} {'' if k else 'is '}{percent(abs(d))}" for k, (n, d) in enumerate(value)]
    ),
    "cost": lambda value, name: listing([f"{name(n)} costs {percent(cost)}" for n, cost in value]),
    "less": lambda value, name: listing(
        [f"{percent(abs(d))} points {'less' if d < 0 else 'more'} to {name(n)}" for n, d in value]
    ),
    "apart": _apart,
}


def joined(claims: Iterable[Claim], between: str = " ") -> Markup:
    """Return sentences; what they are about is bold."""
    return Markup(between.join([one.written(escaped) for one in claims]))
