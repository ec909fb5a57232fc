"""Sentences of the claims about the files of a run: its warnings, and notes on sentences left out."""

from __future__ import annotations

from collections.abc import Iterable

from ..base.claims import Claim, kinds

kinds(
    "warning",
    untagged="no tags in {sides:&}: a bracket over one word is a constituent; tags='yes' reads it as a tag",
    partly_tagged="{side}: {count} of {number} first trees have {how} words without a tag: {listed}",
    by_position="system: {count:words} different from gold at the same position, but compared; "
    "check that both files have the same sentences",
    nothing_deleted="no label or tag of either file is {what}: {names}",
    nothing_parsed="no sentence of the system has a parse, so its figures are 0",
    no_answer="no answer is a tree as written, so the figures of answers as written are 0",
    left_out="only {scored} of {gold} gold sentences are scored, since of the others {whys}; "
    "without a convention words are aligned",
    one_sided="{sides:,}; {advice}",
    inclusive="no span of {side} reaches the last word: a span is [first word, last word + 1, label]",
    tokeniser_marks="{side}: {share:0%} of the words have marks of a tokeniser, such as {example!r}; "
    "they are aligned without the marks",
    other_script="system: {share:0%} of the words are in another script, {system} for {gold}; "
    "they are paired by position, check some sentences",
    other_order="{share:0%} of the gold words are in the system's file, but have no counterpart at their "
    "place: the sentences seem to be in another order; use pair='words'",
    repeats="system: {share:0%} of the words have no counterpart and repeat {words} words; "
    "check the file for loops",
    other_language="{listed} of {count} differing tokens are in the list of contractions for {code}; "
    "use lang={code!r}",
    both_alone="{sides:&} have no counterpart; the files are probably not of the same text",
    one_alone="{sides:&} have no counterpart; the files may be of different texts, or one is incomplete",
    other_spelling="{unlike} of {pairs} pairs differ in more characters than align_ratio allows, but "
    "most of their characters are equal; check how both files spell their tokens",
    other_texts="{unlike} of {pairs} pairs are of texts that are not similar; "
    "the files are probably not of the same text",
    # One missing sentence shifts all that follow.
    shifted="{changed} of {words} words differ from the gold words beside them; "
    "the files may be of different texts, or one lacks a sentence; "
    "pair='align' pairs sentences by their text",
    large_units="F1 is {f1:.2%}, but {strict:.2%} where token ends count: a word of the {other} holds "
    "{size:.1f} {side} words on average, and only brackets between such words are compared; "
    "check the tokens of the {other}",
    other_times="{source}: {count} of {words} words differ from those of the trees; "
    "are these the times of another recording?",
    of_metric="{text}",  # of a plugin, which nobody else can check
    against="against {names:&}: {text}",
)
kinds("note", not_scored="{count:,} {what}")
kinds("warning", no_figures="{problem}")
kinds(
    "evalb",
    not_evalb="evalb's may differ ({names:&} {verb}): -evalb; all tools: --convention all",
    same_words="evalb and most tools need the same words; here {names:&} differ",
)


def texts(claims: Iterable[Claim], place: str) -> tuple[str, ...]:
    """Return the sentences of a place."""
    return tuple([one.text for one in claims if one.place == place])
