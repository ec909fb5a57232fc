"""Claims: sentences as records of a kind and its numbers, and the sentence of each kind.

Text, pages, notebooks and JSON print the text of claims.  The code that makes a claim checks its condition:
``jpevalb.claims`` for results, ``jpevalb.score.outcome`` for the files of a run.  From the JSON report
alone, ``tests/claims/checker.py`` checks each condition again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from .text import Markup, counted, ends, listing, p_value, percent, signed, text as escaped


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

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """Return the claim, JSON-ready."""
        return {
            "kind": self.kind,
            "place": self.place,
            "text": self.text,
            "numbers": _plain(dict(self.numbers)),
        }


def at(claims: Iterable[Claim], *places: str) -> str:
    """Return the sentences of some places, in order; clauses of one line are joined by semicolons."""
    between = "; " if places in (("headline",), ("sample",)) else " "
    return between.join([one.text for one in claims if one.place in places])


def texts(claims: Iterable[Claim], place: str) -> tuple[str, ...]:
    """Return the sentences of a place."""
    return tuple([one.text for one in claims if one.place == place])


def joined(claims: Iterable[Claim], between: str = " ") -> Markup:
    """Return sentences as HTML; what they are about is bold."""
    return Markup(between.join([one.written(escaped) for one in claims]))


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

_SENTENCES = {
    "headline": {
        "all_right": "{name} gives every bracket of gold",
        "none_right": "{name} gives no bracket of gold",
        "no_parse": "{name} has no parse of any sentence",
        "no_brackets": "{name}: neither gold nor the system has brackets",
        "scores": "{name} scores F1 {f1:%}",
        "scores_mean": "{name} scores mean F1 {f1:%}",
        "answers_all": "All {answers:,} answers are trees as written",
        "answers_none": "None of {answers:answers} is a tree as written; {repaired:,} can be repaired",
        "answers_lost": "None of {answers:answers} is a tree as written or can be repaired",
        "answers_some": "{valid:,} of {answers:,} answers are trees as written; {repaired:,} can be repaired",
        "answers_rest": "{valid:,} of {answers:,} answers are trees as written; the others cannot be "
        "repaired",
        "better": "{items:is} points of F1 better than {base}",
        "worse": "{items:is} points of F1 worse than {base}",
        "many_better": "{count} systems are {sizes:to} points of F1 better than {base}",
        "many_worse": "{count} systems are {sizes:to} points of F1 worse than {base}",
        "above": "{name} is {points:abs} points of F1 above {base}; nothing is tested",
        "below": "{name} is {points:abs} points of F1 below {base}; nothing is tested",
        "equal": "{names:&} have equal F1",
        "alike": "{names:verb} not distinguished from {base} in F1",
        "few": "{names:&} against {base}: too few sentences to compare",
        "reach": "{names:&} against {base}: too few resamples to compare",
        "mixed": "{names:&} against {base}: most sentences speak against the difference",
        "without": "{names:has} no F1",
        "best": "{first} is best, {points:abs} points of F1 above {second}",
        "leads": "{first} has the highest F1, not distinguished from {names:&}",
        "leads_many": "{first} has the highest F1, not distinguished from {count} others",
        "all_alike": "No two of {count} systems are distinguished in F1",
        "few_of_many": "too few sentences to compare {count} systems",
        "highest": "{first} has the highest F1, {points:abs} above {second}",
        "tied_highest": "{names:&} have the highest F1",
    },
    "interval": {"interval": "{level:g} % interval {low:%} to {high:%}"},
    "lead": {
        "excluded": "Only {scored:,} of {gold:,} gold sentences are scored.",
        "excluded_for": "Only {scored:,} of {gold:,} gold sentences are scored for {name}.",
        "misses": _FOUND + "it misses more than it invents.",
        "invents": _FOUND + "it invents more than it misses.",
        "balanced": _FOUND + "it misses about as much as it invents.",
        "gaps": "Over constituents without gaps F1 is {continuous:%}, over those with gaps {discontinuous:%} "
        "({gold:,} in gold, {system:,} in the system).",
        "dearest": "<b>{cause:up} costs most</b>: {cost:%} of the {lost:%} points lost.",
        "no_dearest": "Of the {lost:%} points lost, {causes:cost}: no cause stands out.",
        "text_equal": "Words and sentence ends are gold’s, so every point lost is the parser’s.",
        "text_costs": "Wrong sentence ends cost {ends:%}, other words {words:%} of strict F1.",
        "as_written": "F1 is <b>{strict:%}</b>{strict_ends:()} as written, where an answer that is no tree "
        "is empty, and <b>{repaired:%}</b>{repaired_ends:()} with repairs.",
        "mostly": "Mostly the {what}: " + _FORMAT + " and {rest:%} are syntax.",
        "mostly_labels": "Mostly the {what}: "
        + _FORMAT
        + ", labels that gold lacks cost {labels:%}, and {rest:%} are syntax.",
        "both_labels": "Several parts: "
        + _FORMAT
        + ", labels that gold lacks cost {labels:%}, and {rest:%} are syntax.",
        "stay_lost": "Of {lost:%} points lost, repairs of the format bring back {format:%}; {rest:%} stay "
        "lost, also those of {absent:answers} without a tree.",
        "repairs_lose": "Repairs lose {loss:%} points: what they add is mostly wrong.",
        "difference": _SYSTEM + "; recall {recall:+}, precision {precision:+}.",
        "difference_alone": _SYSTEM + ".",
        "difference_both": _SYSTEM + ", in both recall ({recall:+}) and precision ({precision:+}).",
        "difference_more": _SYSTEM
        + "; it finds more (recall {recall:+}) but is less often right (precision {precision:+}).",
        "difference_less": _SYSTEM
        + "; it finds less (recall {recall:+}) but is more often right (precision {precision:+}).",
        "unparsed": "{name} has no parse for {count:sentences}.",
        "of_mean": "F1 is the mean of the sentences’ F1 here.",
        "first_two": "{first} scores {f1:%}, {second} {other:%}: a difference of "
        "{points:abs}{interval:(+)}{p:p}.",
        "resamples": "{samples:,} resamples are too few to correct {tests:tests}: p is at least {least:.3f}. "
        "Use --samples {needed}.",
        "pairs_told": "{told:,} of {tests:,} pairs of systems are distinguished; {tied:,} are not.",
        "pairs_all": "All {tests:,} pairs of systems are distinguished.",
    },
    "pairs": {
        "every_pair": "Every pair is distinguished.",
        "one_tie": "One pair is " + _STILL + ".",
        "ties": "{count:,} pairs are " + _STILL + ".",
        "ties_more": "{count:,} pairs are " + _STILL + "; and {more:,} more.",
        "groups": "Systems that share a letter are not distinguished in F1: {letters}.",
    },
    "errors": {
        "nothing": "Nothing to correct: every bracket is right.",
        "cause": "{cause:up} " + _COSTS,
        "cause_repaired": "After the repairs, {cause} " + _COSTS,
        "first_three": "The first three causes are {share:.0f} % of the {lost:%} points lost.",
        "cause_differs": "{name} loses {causes:less} than {base}.",
        "no_cause_differs": "{name} differs from {base} in no cause (p < 0.05).",
        "no_cause_apart": "{name} differs from {base} in no cause by 0.10 points.",
        "all_lose": "{who} lose most to <b>{cause}</b> ({costs:to}).",
    },
    "places": {
        "by_length": "F1 is highest at {best} words ({high:%}) and lowest at {worst} ({low:%}).",
        "no_length": "F1 is {rates:to} at all lengths of 30 sentences or more.",
        "few_lengths": "Too few sentences to tell by length.",
        "labels": "Of the {count} labels with at least 1 % of gold’s brackets, {worst} is worst ({low:%}) "
        "and {best} best ({high:%}).",
        "labels_equal": "All {count} labels with at least 1 % of gold’s brackets have F1 {low:%}.",
        "where_differs": "<b>{name}</b> differs most at {places:apart}.",
        "where_alike": "<b>{name}</b> differs from {base} at no length and in no label (p < 0.05).",
    },
    "words": {
        "parser": "<b>The parser.</b> " + _LOST,
        "tokeniser": "<b>The tokeniser.</b> " + _LOST,
        "both_blamed": "<b>Both.</b> " + _LOST,
        "blamed": "<b>{name}</b> loses {ends:%} to sentence ends, {words:%} to words, {rest:%} to others.",
        "none_blamed": "{names:&} lose nothing to either.",
        "one_unblamed": "{names:&} loses nothing to either.",
        "ends_alike": "Where sentences end as in gold, F1 is {f1:%}.",
    },
    "answers": {
        "best_repair": "The repair that brings most is <b>{repair}</b>: {gain:%} points, in "
        "{answers:answers}.",
        "no_tree": "{count:answers} without a tree.",
        "foreign": "Labels that gold lacks: {labels}; renamed, F1 would be {f1:%}.",
    },
    "cite": {
        "cite_one": _SCORED + ": F1 " + _RATES,
        "cite_mean": _SCORED + ": mean F1 " + _RATES,
        "cite_gaps": _SCORED + ": F1 {f1:%}{ends:[]} over all constituents, {continuous:%}"
        "{continuous_ends:[]} over those without gaps and {discontinuous:%}{discontinuous_ends:[]} over "
        "those with gaps ({gaps:,} in gold), on {scored}{how}.",
        "cite_answers": _SCORED
        + ". Of {answers:answers}, {valid:,} ({share:%} %) are trees as written. F1 is "
        "{strict:%}{strict_ends:[]} as written, where an answer that is no tree is empty, and "
        "{repaired:%}{repaired_ends:[]} after jpevalb’s repairs of the format, which make trees of {made:,} "
        "more{how}.",
        "cite_several": _SCORED + " on {scored}. {base} scores F1 {f1:%}{ends:[]}; {others}{how}.",
        "cite_base": _SCORED + " on {scored}. {base} scores F1 {f1:%}{ends:[]}{how}.",
        "cite_other": "{name} scores F1 {f1:%}{ends:[]}, a difference of {points:+}{apart:[+]} from it{p:p}",
    },
    "figures": {
        "figure": "{name} {value:%}",
        "written": "F1 {value:%} as written",
        "usable": "usable answers {value:%} %",
        "up_to": "up to {length} words {value:%}",
    },
    "test": {
        "marks": "* p < 0.05, ** p < 0.01, *** p < 0.001 ({how}, against {base}); two-sided, {corrected}"
    },
    "sample": {
        "sentences": "{count:gold}",
        "mean_of_all": "Sent. F over {count:,}",
        "margins": "± half the {level:g} % confidence interval ({how})",
    },
    "note": {
        "changed": "{sides:&}: {shown}",
        "missing": "missing: {sides} has no parse in the system's file",
        "extra": "extra: {sides} of the system's file has no gold",
        "dissimilar": "unlike: {sides}: {equal:0%} of the characters are equal",
        "set_aside": "{state}: {sides}",
        "set_aside_for": "{state}: {sides}: {reason}",
        "more_set_aside": "{state}: and {count:,} more",
        "nearest": "references: {files}; each sentence counts against the one with the best bracketing F1, "
        "of equals the first",
        "metric_note": "{text}",  # of a plugin, which nobody else can check
        "mean_over": "Sent. F over {count:sentences}",
        "resampled": "resampled in {units:,} units, as the alignment joins sentences",
        "valid_over": "F valid over {valid:,} of {every:,} sentences, not comparable with other figures",
        "of_format": "format {format}",
        "not_scored": "{count:,} {what}",
        "of_kind": "{title}: {count:,} ({shown})",
        "valid_only": "valid only: F1 over {valid:,} of {every:,} sentences; do not compare it with figures "
        "over all sentences",
    },
    "warning": {
        "untagged": "no tags in {sides:&}: a bracket over one word is a constituent; tags='yes' reads it as "
        "a tag",
        "partly_tagged": "{side}: {count} of {number} first trees have {how} words without a tag: {listed}",
        "by_position": "system: {count:words} different from gold at the same position, but compared; "
        "check that both files have the same sentences",
        "nothing_deleted": "no label or tag of either file is {what}: {names}",
        "nothing_parsed": "no sentence of the system has a parse, so its figures are 0",
        "no_answer": "no answer is a tree as written, so the figures of answers as written are 0",
        "left_out": "only {scored} of {gold} gold sentences are scored, since of the others {whys}; "
        "without a convention words are aligned",
        "one_sided": "{sides:,}; {advice}",
        "inclusive": "no span of {side} reaches the last word: a span is [first word, last word + 1, label]",
        "tokeniser_marks": "{side}: {share:0%} of the words have marks of a tokeniser, such as {example!r}; "
        "they are aligned without the marks",
        "other_script": "system: {share:0%} of the words are in another script, {system} for {gold}; "
        "they are paired by position, check some sentences",
        "other_order": "{share:0%} of the gold words are in the system's file, but have no counterpart at "
        "their place: the sentences seem to be in another order; use pair='words'",
        "repeats": "system: {share:0%} of the words have no counterpart and repeat {words} words; "
        "check the file for loops",
        "other_language": "{listed} of {count} differing tokens are in the list of contractions for {code}; "
        "use lang={code!r}",
        "both_alone": "{sides:&} have no counterpart; the files are probably not of the same text",
        "one_alone": "{sides:&} have no counterpart; the files may be of different texts, or one is "
        "incomplete",
        "other_spelling": "{unlike} of {pairs} pairs differ in more characters than align_ratio allows, but "
        "most of their characters are equal; check how both files spell their tokens",
        "other_texts": "{unlike} of {pairs} pairs are of texts that are not similar; "
        "the files are probably not of the same text",
        # One missing sentence shifts all that follow.
        "shifted": "{changed} of {words} words differ from the gold words beside them; "
        "the files may be of different texts, or one lacks a sentence; "
        "pair='align' pairs sentences by their text",
        "large_units": "F1 is {f1:.2%}, but {strict:.2%} where token ends count: a word of the {other} holds "
        "{size:.1f} {side} words on average, and only brackets between such words are compared; "
        "check the tokens of the {other}",
        "other_times": "{source}: {count} of {words} words differ from those of the trees; "
        "are these the times of another recording?",
        "of_metric": "{text}",  # of a plugin, which nobody else can check
        "against": "against {names:&}: {text}",
        "no_figures": "{problem}",
    },
    "evalb": {
        "not_evalb": "evalb's may differ ({names:&} {verb}): -evalb; all tools: --convention all",
        "same_words": "evalb and most tools need the same words; here {names:&} differ",
    },
    "conventions": {
        "ranked_alike": "the {count} conventions that score all systems rank them alike: {ranks}",
        "rankings": "the ranking of the systems changes: {count} rankings",
        "ranking": "{ranks}: {conventions:,}",
        "published": "published {f1:%}, within 0.05 (*): {conventions:,}",
        "unpublished": "published {f1:%}, within 0.05 (*): no convention",
        "separated": "{first} ({f1:%}), {second} ({other:%}): {count} of {rules} rules that differ {verb} F1 "
        "alone:",
        "separating": "{rule}: {f1:%}",
        "stopped": "no figure of {name}: {why} ({conventions:,})",
        "of_tools": "F1 by the rules of other tools",
        "by_tools": "F1 by the rules of other tools: {rates:to}",
    },
}

KINDS = {kind: (place, text) for place, texts in _SENTENCES.items() for kind, text in texts.items()}
"""Place and sentence of each kind.

Fields: ``{f1:%}`` and ``{f1:0%}`` rate in per cent, ``{d:+}`` difference in points, ``{d:abs}`` its size,
``{n:,}`` count, ``{n:sentences}`` and ``{n:gold}`` count with a noun, ``{names:&}`` list, ``{c:up}`` with a
capital, ``{x:()}`` and ``{x:[]}`` interval, ``{x:to}`` ends, ``{p:p}`` p-value in brackets; :class:`_Shown`
has the others.
"""


def _plain(value: Any) -> Any:
    """Return a value with lists in place of tuples."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return list(map(_plain, value)) if isinstance(value, (list, tuple)) else value


class _Shown:
    """A number of a claim, formatted by its field."""

    def __init__(self, value: Any, name: Callable[[str], str]) -> None:
        self.value, self._name = value, name

    def __repr__(self) -> str:
        return repr(self.value)

    def __format__(self, how: str) -> str:
        return _FORMS[how](self.value, self._name) if how in _FORMS else format(self.value, how)


def _interval(value: Any, how: str) -> str:
    text = ends(value, signed if "+" in how else percent)
    text = text.replace(" to ", ", ") if how[0] == "[" else text
    return f" {how[0]}{text}{how[-1]}" if text else ""


def _verb(names: list[str], one: str, more: str) -> str:
    return f"{listing(names)} {one if len(names) == 1 else more}"


def _apart(value: Any, name: Callable[[str], str]) -> str:
    """Return names with differences, and intervals if there are any."""
    shown = [
        f"{name(n)} {signed(d)}" + "".join([f" ({ends(e, signed)})" for e in rest]) for n, d, *rest in value
    ]
    return "; ".join(shown) if any(rest for _, _, *rest in value) else listing(shown)


_FORMS: dict[str, Callable[[Any, Callable[[str], str]], str]] = {
    "": lambda value, name: name(str(value)),
    "up": lambda value, name: name(value[:1].upper() + value[1:]),
    "%": lambda value, _: "-" if value is None else percent(value),
    "0%": lambda value, _: f"{100 * value:.0f} %",
    "+": lambda value, _: signed(value),
    "abs": lambda value, _: percent(abs(value)),
    "to": lambda value, _: " to ".join(dict.fromkeys(map(percent, value))),
    "p": lambda value, _: "" if value is None else f" ({p_value(value)})",
    "()": lambda value, _: _interval(value, "()"),
    "[]": lambda value, _: _interval(value, "[]"),
    "[+]": lambda value, _: _interval(value, "[+]"),
    "(+)": lambda value, _: _interval(value, "(+)"),
    "gold": lambda value, _: counted(value, "sentence").replace(" ", " gold "),
    "sentences": lambda value, _: counted(value, "sentences"),
    "answers": lambda value, _: counted(value, "answers"),
    "tests": lambda value, _: counted(value, "tests"),
    "words": lambda value, _: counted(value, "words"),
    ",": lambda value, name: ", ".join(map(name, value)) if isinstance(value, list | tuple) else f"{value:,}",
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
