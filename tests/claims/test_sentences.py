"""Sentences that were false or misleading, with the input that showed it."""

from __future__ import annotations

import json

import pytest

from jpevalb import compare, conventions, evaluate
from jpevalb.base.claims import at
from jpevalb.base.errors import InputError
from jpevalb.claims.made import claims_of
from jpevalb.claims.systems import Systems, keys, kicker, of_evaluation
from jpevalb.page.report import _conventions

RIGHT = "(S (NP (NN a)) (VP (VB b) (NP (NN c))))"
FLAT, WRONG = "(S (NN a) (VB b) (NP (NN c)))", "(S (NP (NN a) (VB b)) (NP (NN c)))"
FEW = {"metrics": "brackets"}


def compared(gold, systems, **options):
    return claims_of(compare(gold, systems, **{**FEW, **options}))


def evaluated(gold, system, **options):
    return claims_of(evaluate(gold, system, **{"analysis": True, **options}))


def answered(gold, answers, **options):
    return evaluated(gold, answers, format="answers", gold_format="bracket", **options)


ELEVEN = {f"s{k}": [RIGHT] * (60 - 6 * k) + [WRONG] * 6 * k for k in range(11)}
DEEP = "(S " + "(A " * 30 + "(NN a)" + ")" * 30 + " (VB b))"
OWN = [f"(S (NP (N alpha{n})) (VP (V beta{n}) (N gamma{n})))" for n in range(6)]
OTHERS = [f"(S (X (N uvw{n}{n})) (VP (V xyz{n})))" for n in range(20, 29)]
JOINED, CUT = "(S (NP (NN a)) (VP (VB bc)))", "(S (NP (NN ab)) (VP (VB c)))"
LONGER = ["(NP (NN a) (NN b))", f"(NP {' '.join([f'(NN w{k})' for k in range(12)])})"]
TURNED = {
    "sa": ["(S (NN a) (VB b))"] * 5 + [RIGHT] * 30,
    "sb": [DEEP] * 5 + [FLAT] * 25 + [RIGHT] * 5,
}


@pytest.mark.parametrize(
    ("claims", "places", "expected", "unexpected"),
    [
        # Eleven systems from 100 to far less: 1,000 resamples could never tell 55 pairs apart.
        (lambda: compared([RIGHT] * 60, ELEVEN), "headline", "s0 has the highest F1", "No two of"),
        (lambda: compared([RIGHT] * 60, ELEVEN), "lead", "45 of 55 pairs of systems", "None"),
        # Of five systems the three that differ most from the first
        (
            lambda: compared([RIGHT] * 60, {name: ELEVEN[name] for name in ("s0", "s1", "s2", "s3", "s4")}),
            "lead",
            "s2: ",
            "s1: ",
        ),
        # A given number that cannot suffice is told in place of groups.
        (lambda: compared([RIGHT] * 60, ELEVEN, samples=1000), "lead", "--samples 10000", "distinguished"),
        (lambda: compared([RIGHT] * 60, ELEVEN, samples=1000), "pairs", "", "share a letter"),
        # A pair that is not distinguished, of enough sentences
        (
            lambda: compared([RIGHT] * 60, {"m": ELEVEN["s2"], "a": [WRONG] * 13 + [RIGHT] * 47}),
            "headline",
            "a is not distinguished from m",
            "too few",
        ),
        # One and three sentences
        (lambda: compared([RIGHT], {"a": [WRONG], "b": [RIGHT]}), "headline", "too few sentences", "better"),
        (
            lambda: compared([RIGHT] * 3, {"a": [WRONG] * 3, "b": [RIGHT] * 3}),
            "headline",
            "too few",
            "better",
        ),
        # A sign test that points the other way
        (
            lambda: compared([DEEP] * 5 + [RIGHT] * 30, TURNED, test="sign"),
            "headline",
            "speak against",
            "better",
        ),
        # Nothing is tested
        (
            lambda: compared([RIGHT] * 60, {"a": [WRONG] * 60, "b": [RIGHT] * 60}, test=None),
            "headline",
            "nothing is tested",
            "better than",
        ),
        # A system that loses nothing loses most to no cause.
        (
            lambda: compared([RIGHT] * 20, {"a": [RIGHT] * 20, "b": [FLAT] * 20}, analysis=True),
            "errors",
            "",
            "lose most",
        ),
        (
            lambda: compared([RIGHT] * 20, {"a": [RIGHT] * 20, "b": [FLAT] * 20}, analysis=True),
            "errors",
            "b loses 16.67 points more to single-word phrase",
            "less",
        ),
        # Both ends are in brackets.
        (
            lambda: compared([RIGHT] * 20, {"a": [RIGHT] * 20, "b": [FLAT] * 20}),
            "lead",
            "b: −33.33 (−33.33 to −33.33) (p < 0.001)",
            "None",
        ),
        # Two systems not distinguished from the first may differ from each other.
        (
            lambda: compared([RIGHT] * 60, {"m": ELEVEN["s3"], "a": ELEVEN["s2"], "z": ELEVEN["s4"]}),
            "headline",
            "a and z are not distinguished from m",
            "m, a and z",
        ),
        # One label, and labels that are all alike
        (lambda: evaluated(["(NP (NN a))"] * 3, ["(VP (NN a))"] * 3), "places", "", "worst"),
        (lambda: evaluated([RIGHT] * 3, [RIGHT] * 3), "places", "", "worst"),
        # P 100, R less: it invents nothing.
        (
            lambda: evaluated([RIGHT] * 9, [RIGHT] * 8 + [FLAT]),
            "lead",
            "misses more than it invents",
            "as much",
        ),
        # Failed parses with equal words
        (lambda: evaluated([RIGHT] * 9, [RIGHT] * 6 + ["(())"] * 3), "words", "", "tokeniser"),
        (
            lambda: evaluated([RIGHT] * 9, [RIGHT] * 6 + ["(())"] * 3),
            "lead",
            "no parse for 3 sentences",
            "Wrong words",
        ),
        (lambda: evaluated([RIGHT] * 9, ["(())"] * 9), "headline", "no parse of any sentence", "no bracket"),
        # F1 against the nearest of several references
        (
            lambda: claims_of(evaluate([RIGHT] * 9, [FLAT] * 9, more_gold=[[WRONG] * 9])),
            "cite",
            "nearest of 2 references",
            "None",
        ),
        # What words and sentence ends cost has figures.
        (
            lambda: evaluated([*OWN, CUT, CUT], [f"(S {OWN[0]} {OWN[1]})", *OWN[2:], JOINED, JOINED]),
            "words",
            "are brackets across a wrong sentence end",
            "blame",
        ),
        # An answer that lacks a bracket, but no word
        (lambda: answered([RIGHT] * 9, [RIGHT[:-1]] * 9), "note", "repaired (unclosed): 9", "limit"),
        # One count of one thing
        (
            lambda: answered([RIGHT] * 9, [f"```\n{RIGHT}\n```"] * 4 + [RIGHT] * 5),
            "answers",
            "fence: 28.57 points, in 4 answers",
            "perfect",
        ),
        (lambda: evaluated([RIGHT] * 9, [RIGHT] * 4 + [FLAT] * 5), "lead", "finds", "perfect"),
        # Sentences have gold's number, also behind sentences that are joined.
        (
            lambda: evaluated(OWN, [f"(TOP {OWN[0]} {OWN[1]})", *OWN[2:4], "(())", OWN[5]]),
            "note",
            "gold sentence 5",
            "bead",
        ),
        # A file that lacks half of gold is no file with loops.
        (lambda: evaluated([RIGHT] * 200, [RIGHT] * 90), "warning", "110 of 200 gold sentences", "repeat"),
        # F1 by length goes up and down.
        (lambda: evaluated([RIGHT] * 40, [FLAT] * 40), "places", "", "falls"),
        # Answers without a tree are no syntax, and repairs may lose.
        (lambda: answered([RIGHT] * 5, ["Sorry."] * 5), "lead", "without a tree", "syntax"),
        (
            lambda: answered([RIGHT] * 4, [RIGHT] * 3 + ["```\n(X (Y (NN a) (VB b)) (Z (NN c)))\n```"]),
            "lead",
            "Repairs lose",
            "bring back",
        ),
        # The figure of a part
        (
            lambda: evaluated([RIGHT] * 20, [RIGHT] * 19 + [RIGHT.replace("a", "x")], convention="evalb"),
            "lead",
            "Only 19 of 20 gold sentences are scored",
            "all",
        ),
        (
            lambda: evaluated([RIGHT] * 20, [RIGHT] * 19 + [RIGHT.replace("a", "x")], convention="evalb"),
            "cite",
            "on 19 of 20 gold sentences",
            "mode",
        ),
        (lambda: evaluated([RIGHT], [RIGHT]), "cite", "on 1 gold sentence.", "sentences"),
        # What a paper needs: differences with interval and p; answers as written and repaired
        (
            lambda: compared([RIGHT] * 60, {"m": ELEVEN["s3"], "a": ELEVEN["s0"]}),
            "cite",
            "p < 0.001",
            "p = 0.000",
        ),
        (lambda: answered([RIGHT] * 12, [RIGHT] * 11 + ["Sorry."]), "cite", "Of 12 answers, 11", "None"),
        # Sentences of other texts are no failed parses, and neither the parser's nor the tokeniser's.
        (lambda: evaluated(OWN, OTHERS), "lead", "No counterpart costs most", "parse"),
        (lambda: evaluated(OWN, OTHERS), "words", "", "The parser"),
        (lambda: evaluated([RIGHT] * 9, [RIGHT] * 5), "lead", "No counterpart costs most", "parse"),
        # The costs of sentence ends are known with causes only.
        (lambda: evaluated(["(S (NP (NN ab)) (VP (VB c)))"], [JOINED], analysis=False), "words", "", "lost"),
        # Sentences that are too short for a convention are not scored.
        (
            lambda: evaluated([RIGHT] * 3 + ["(NP (NN a))"], [RIGHT] * 3 + ["(NP (NN a))"], convention="kim"),
            "cite",
            "on 3 of 4 gold sentences",
            "on 4",
        ),
        # Repaired answers have figures.
        (lambda: answered([RIGHT] * 9, [f"```\n{RIGHT}\n```"] * 9), "warning", "as written are 0", "parse"),
        (lambda: answered([RIGHT], ["Sorry."]), "headline", "None of 1 answer is", "answers"),
        # A system without a figure
        (lambda: compared([RIGHT] * 60, {"a": ELEVEN["s3"], "b": []}), "cite", "a scores F1", "; ."),
        # Equal ends are no range.
        (lambda: evaluated(LONGER * 30, LONGER * 30), "places", "F1 is 100.00 at all", "100.00 to"),
        # Few sentences and many systems
        (
            lambda: compared([RIGHT] * 6, {f"s{k}": some[-6:] for k, some in enumerate(ELEVEN.values())}),
            "headline",
            "too few sentences",
            "better",
        ),
        # No headline begins with a small letter.
        (
            lambda: compared([RIGHT], {"A": [WRONG], "B": [RIGHT]}),
            "headline",
            "B against A",
            "too few sentences to compare B",
        ),
        # All that a page says of labels
        (lambda: evaluated([RIGHT] * 9, [FLAT] * 9), "places", "labels with at least 1 %", "None"),
        # A mean F1 of trees without brackets
        (
            lambda: evaluated(["(NN a)"], ["(NN a)"], convention="on-lstm"),
            "headline",
            "has brackets",
            "no bracket of",
        ),
    ],
)
def test_sentences(claims, places, expected, unexpected):
    text = at(claims(), places)
    assert expected in text
    assert unexpected not in text


def test_claims_are_ready_for_json():
    for claim in compared([RIGHT] * 20, {"a": [RIGHT] * 20, "b": [FLAT] * 20}, analysis=True):
        assert json.loads(json.dumps(claim.to_dict())) == claim.to_dict()


def test_how_pages_tell_what_is_compared():
    joined = evaluate(OWN, [f"(TOP {OWN[0]} {OWN[1]})", *OWN[2:]], **FEW)
    told = kicker(of_evaluation(joined, "s", {}, {}), "gold")
    assert told == "s against gold · 6 gold sentences, 5 of the system, 5 aligned pairs · 18 gold brackets"
    for names, expected in (("ab", "The other figures"), ("abc", "F1: Holm over 3 pairs; the other figures")):
        systems = Systems(compare([RIGHT] * 9, dict.fromkeys(names, [FLAT] * 9), **FEW), [])
        assert keys(systems)[-1] == f"{expected} are corrected for all tests of their section."
    long = compare([DEEP * 40 + "(Q (NN z))"], {"s": [DEEP * 40 + "(X (NN z))"]}, analysis=True, test=None)
    systems = Systems(long, [long.baseline.total["analysis"].to_dict()])
    assert (systems.lengths()[-1].name, [name for name, *_ in systems.labels()]) == ("61+", ["A", "S"])


def test_signatures_name_a_convention():
    signature = evaluate([RIGHT], [RIGHT], convention="evalb").signature
    assert "convention:evalb" in signature
    assert "mode" not in signature


def test_figures_of_tools_that_are_equal_are_no_range():
    assert _conventions(conventions([RIGHT], {"s": [RIGHT]}, ["evalb", "supar"]))[0].endswith(
        " tools: 100.00"
    )
    assert _conventions(conventions([RIGHT], {"s": [FLAT]}, ["evalb"]))[0].endswith(" tools")


def test_gold_of_traces_alone_is_no_gold():
    """Complete match was 100 for a sentence that nothing is compared with."""
    with pytest.raises(InputError, match="no sentence of gold has words"):
        evaluate(["(S (-NONE- *))"], ["(NN x)"])
    one = evaluate([RIGHT, "(NN x)"], [RIGHT], metrics="brackets").total.brackets
    assert (one.sentences, one.complete) == (2, 1)


def test_names_that_differ_in_brackets():
    found = compared([RIGHT] * 60, {"a": [RIGHT] * 60, "a (2)": [RIGHT] * 60})
    assert at(found, "headline") == "a and a (2) have equal F1"


def test_excluded_sentences_count_in_no_figure():
    """A comparison took their F1 for 0, and a run left them out."""
    gold = [f"(S (NP (A a{k}) (B b)) (VP (V c) (X d)))" for k in range(20)]
    some = [text.replace("(X d)", "(X z)") if k < 4 else text for k, text in enumerate(gold)]
    run = evaluate(gold, some, convention="evalb")
    (one, _) = compare(gold, {"some": some, "all": gold}, convention="evalb").systems
    assert one["sentence_f1"] == run.total.brackets.sentence_f1 == 1
    assert (one.f1_sentences, one.notes[0]) == (16, "4 sentences that the rules leave out")


def test_the_note_on_evalb():
    """It was missing for PRT and ADVP, which evalb counts as one label, and was said of equal figures."""
    gold, system = ["(S (VP (VB a) (PRT (RP b))))"], ["(S (VP (VB a) (ADVP (RP b))))"]
    found = evaluate(gold, system, metrics="brackets")
    assert found.f1 < evaluate(gold, system, convention="evalb").f1 == 1
    assert "labels" in at(found.claimed, "evalb")
    for text in ("(ROOT (S (NP (NN a)) (. .)))", *gold):
        assert at(evaluate([text], [text], metrics="brackets").claimed, "evalb") == ""
