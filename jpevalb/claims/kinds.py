"""Sentences about results: the place and the sentence of each kind, see ``jpevalb.base.claims``."""

from __future__ import annotations

from collections.abc import Iterable

from ..base.claims import Claim, kinds
from ..base.text import Markup
from ..base.text import text as escaped

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


kinds(
    "headline",
    all_right="{name} gives every bracket of gold",
    none_right="{name} gives no bracket of gold",
    no_parse="{name} has no parse of any sentence",
    no_brackets="{name}: neither gold nor the system has brackets",
    scores="{name} scores F1 {f1:%}",
    scores_mean="{name} scores mean F1 {f1:%}",
    answers_all="All {answers:,} answers are trees as written",
    answers_none="None of {answers:answers} is a tree as written; {repaired:,} can be repaired",
    answers_lost="None of {answers:answers} is a tree as written or can be repaired",
    answers_some="{valid:,} of {answers:,} answers are trees as written; {repaired:,} can be repaired",
    answers_rest="{valid:,} of {answers:,} answers are trees as written; the others cannot be repaired",
    better="{items:is} points of F1 better than {base}",
    worse="{items:is} points of F1 worse than {base}",
    many_better="{count} systems are {sizes:to} points of F1 better than {base}",
    many_worse="{count} systems are {sizes:to} points of F1 worse than {base}",
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
    few_of_many="too few sentences to compare {count} systems",
    highest="{first} has the highest F1, {points:abs} above {second}",
    tied_highest="{names:&} have the highest F1",
)
kinds("interval", interval="{level:g} % interval {low:%} to {high:%}")
kinds(
    "lead",
    excluded="Only {scored:,} of {gold:,} gold sentences are scored.",
    excluded_for="Only {scored:,} of {gold:,} gold sentences are scored for {name}.",
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
    of_mean="F1 is the mean of the sentences’ F1 here.",
    first_two="{first} scores {f1:%}, {second} {other:%}: a difference of {points:abs}{interval:(+)}{p:p}.",
    resamples="{samples:,} resamples are too few to correct {tests:tests}: p is at least {least:.3f}. "
    "Use --samples {needed}.",
    pairs_told="{told:,} of {tests:,} pairs of systems are distinguished; {tied:,} are not.",
    pairs_all="All {tests:,} pairs of systems are distinguished.",
)
kinds(
    "pairs",
    every_pair="Every pair is distinguished.",
    one_tie="One pair is " + _STILL + ".",
    ties="{count:,} pairs are " + _STILL + ".",
    ties_more="{count:,} pairs are " + _STILL + "; and {more:,} more.",
    groups="Systems that share a letter are not distinguished in F1: {letters}.",
)
kinds(
    "errors",
    nothing="Nothing to correct: every bracket is right.",
    cause="{cause:up} " + _COSTS,
    cause_repaired="After the repairs, {cause} " + _COSTS,
    first_three="The first three causes are {share:.0f} % of the {lost:%} points lost.",
    cause_differs="{name} loses {causes:less} than {base}.",
    no_cause_differs="{name} differs from {base} in no cause (p < 0.05).",
    no_cause_apart="{name} differs from {base} in no cause by 0.10 points.",
    all_lose="{who} lose most to <b>{cause}</b> ({costs:to}).",
)
kinds(
    "places",
    by_length="F1 is highest at {best} words ({high:%}) and lowest at {worst} ({low:%}).",
    no_length="F1 is {rates:to} at all lengths of 30 sentences or more.",
    few_lengths="Too few sentences to tell by length.",
    labels="Of the {count} labels with at least 1 % of gold’s brackets, {worst} is worst ({low:%}) and "
    "{best} best ({high:%}).",
    labels_equal="All {count} labels with at least 1 % of gold’s brackets have F1 {low:%}.",
    where_differs="<b>{name}</b> differs most at {places:apart}.",
    where_alike="<b>{name}</b> differs from {base} at no length and in no label (p < 0.05).",
)
kinds(
    "words",
    parser="<b>The parser.</b> " + _LOST,
    tokeniser="<b>The tokeniser.</b> " + _LOST,
    both_blamed="<b>Both.</b> " + _LOST,
    blamed="<b>{name}</b> loses {ends:%} to sentence ends, {words:%} to words, {rest:%} to others.",
    none_blamed="{names:&} lose nothing to either.",
    one_unblamed="{names:&} loses nothing to either.",
    ends_alike="Where sentences end as in gold, F1 is {f1:%}.",
)
kinds(
    "answers",
    best_repair="The repair that brings most is <b>{repair}</b>: {gain:%} points, in {answers:answers}.",
    no_tree="{count:answers} without a tree.",
    foreign="Labels that gold lacks: {labels}; renamed, F1 would be {f1:%}.",
)
kinds(
    "cite",
    cite_one=_SCORED + ": F1 " + _RATES,
    cite_mean=_SCORED + ": mean F1 " + _RATES,
    cite_gaps=_SCORED + ": F1 {f1:%}{ends:[]} over all constituents, {continuous:%}"
    "{continuous_ends:[]} over those without gaps and {discontinuous:%}{discontinuous_ends:[]} over those "
    "with gaps ({gaps:,} in gold), on {scored}{how}.",
    cite_answers=_SCORED + ". Of {answers:answers}, {valid:,} ({share:%} %) are trees as written. F1 is "
    "{strict:%}{strict_ends:[]} as written, where an answer that is no tree is empty, and "
    "{repaired:%}{repaired_ends:[]} after jpevalb’s repairs of the format, which make trees of {made:,} "
    "more{how}.",
    cite_several=_SCORED + " on {scored}. {base} scores F1 {f1:%}{ends:[]}; {others}{how}.",
    cite_base=_SCORED + " on {scored}. {base} scores F1 {f1:%}{ends:[]}{how}.",
    cite_other="{name} scores F1 {f1:%}{ends:[]}, a difference of {points:+}{apart:[+]} from it{p:p}",
)


def joined(claims: Iterable[Claim], between: str = " ") -> Markup:
    """Return sentences; what they are about is bold."""
    return Markup(between.join([one.written(escaped) for one in claims]))
