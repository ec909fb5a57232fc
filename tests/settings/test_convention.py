"""Conventions as data: names, rules, signatures."""

from __future__ import annotations

import random

import pytest

from jpevalb import Convention, SettingsError
from jpevalb.settings.convention import RULES, TOOLS, rules_text
from jpevalb.settings.rules import cutter


@pytest.mark.parametrize("name", TOOLS)
def test_a_signature_gives_the_convention_back(name):
    convention = Convention.of(name)
    assert convention.signature == f"convention:{name}"
    chance = random.Random(name)
    for other in map(Convention.of, TOOLS):
        some = chance.sample(RULES, 8)
        changed = convention.replace(**{rule: getattr(other, rule) for rule in some})
        assert Convention.parse(changed.signature) == changed
        assert Convention.named(changed.signature.removeprefix("convention:")) == changed
        assert len(changed.signature.split()) <= 9
    assert convention.tool
    assert convention.source
    assert convention.figure


def test_sets_with_strange_labels():
    changed = Convention.of("evalb").replace(
        no_bracket=["", "a b", "|", ":", "%"], drop_tags="", equal=(("a>", "b"),)
    )
    assert Convention.parse(changed.signature) == changed
    assert len(changed.signature.split()) == 4
    assert changed.replace(drop_tags=["\udcff"]).signature.endswith(" drop-tags:%ED%B3%BF")  # not UTF-8


@pytest.mark.parametrize(
    ("cut", "label", "expected"),
    [
        ("", "NP-SBJ", "NP-SBJ"),
        ("^-=", "NP-SBJ=1", "NP"),
        ("^-=", "-LRB-", ""),
        (".-=", "-LRB-=2", "-LRB-"),
        (".-=", "NP=2-X", "NP"),
        ("~-=", "-LRB-", "-LRB-"),
        ("~-=", "-NONE--1", "-NONE-"),
        ("~-=|", "NP|x-y", "NP"),
        ("~-=", "--", "-"),
    ],
)
def test_where_labels_end(cut, label, expected):
    assert cutter(cut)(label) == expected


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Convention.of("suppar"), r"unknown convention 'suppar'; did you mean supar\?"),
        (lambda: Convention.of("x"), "unknown convention 'x'; expected one of jpevalb, evalb, "),
        (lambda: Convention.parse("prm:none"), "names no convention; expected a part convention:NAME"),
        (
            lambda: Convention.parse("convention:evalb least:x"),
            "rule least .*'x'; expected a whole number from 0",
        ),
        (
            lambda: Convention.parse("convention:evalb words:5|2"),
            "expected the smallest and the largest number",
        ),
        (lambda: Convention.parse("convention:evalb equal:A"), "expected pairs of labels, such as ADVP>PRT"),
        (lambda: Convention.parse("convention:evalb most-gaps:x"), "expected a whole number from 0"),
        (lambda: Convention(cut="-="), r"rule cut .*expected marks after \^, \. or ~"),
        (
            lambda: Convention.named("evalb colour:red"),
            "'colour:red' is no rule of a convention; expected RULE:V",
        ),
        (lambda: Convention.named("evalb least"), "'least' is no rule of a convention"),
        (
            lambda: Convention(repeats="twice"),
            "rule repeats of a convention: 'twice'; expected one of each, once, ",
        ),
        (lambda: Convention().replace(colour="red"), "unknown rule 'colour'; expected some of cut, "),
    ],
)
def test_errors(make, message):
    with pytest.raises(SettingsError, match=message):
        make()


def test_the_help_of_the_rules_has_a_line_for_each():
    lines = rules_text().splitlines(keepends=True)
    assert [line.split()[0] for line in lines[1:]] == [rule.replace("_", "-") for rule in RULES]
    assert "  mean                corpus: sums of the corpus; sentences: mean of sentences\n" in lines
    assert "  words               sentences of ... words\n" in lines


def test_differences_are_few_words():
    evalb = Convention.of("evalb")
    first = evalb.replace(labeled=False, least=2, words=(2, None), equal=(), drop_tags=["A", ""])
    second = evalb.replace(cut="", words=(2, 40), equal=(("A", "B"), ("C", "D")), most_gaps=2)
    assert evalb.differences(evalb) == []
    assert "; ".join(first.differences(evalb)) == (
        "unlabelled; sentences of 2 or more words; brackets from 2 words; "
        'dropped tags +"" +A -7; equal labels none'
    )
    assert "; ".join(second.differences(first)) == (
        "labelled; labels as written; sentences of 2 to 40 words; brackets from 1 word; "
        'dropped tags +7 -"" -A; equal labels A=B C=D; up to 2 gaps'
    )
    assert Convention.of("ctb-nopunct").differences(evalb) == ["dropped tags +PU", "never brackets +PU"]
