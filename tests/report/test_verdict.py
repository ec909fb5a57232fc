"""The sentences that state the result of a comparison."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from jpevalb import evaluate
from jpevalb.comparison.result import Comparison, SystemPair, SystemScores
from jpevalb.errors.analysis import LENGTHS, Analysis, Cause, CauseCount, F1Class, LabelErrors
from jpevalb.metrics import Figure
from jpevalb.metrics.brackets import BracketCounts
from jpevalb.metrics.by_label import LabelCount
from jpevalb.report.findings import pieces, state_of
from jpevalb.report.verdict import (
    answers_headline,
    answers_lead,
    blamed,
    broken,
    costliest,
    dearest,
    defects,
    format_or_syntax,
    headline,
    lead,
    told_apart,
    verdict,
    where,
)
from jpevalb.trees.answer import Answer

NAMES = ("recall", "precision", "f1")


def comparison(*systems, test="bootstrap", sentences=1000):
    """Return a comparison of systems, each with recall, precision and F1 in per cent, and p-values."""
    rows = [
        SystemScores(
            f"system {number}",
            None,
            dict(zip(NAMES, [None if rate is None else rate / 100 for rate in rates])),
            {},
            dict(zip(NAMES, p)),
            {},
            10,
            (),
            (),
        )
        for number, (rates, p) in enumerate(systems)
    ]
    confidence = None if test is None else 0.95
    return Comparison(
        tuple(Figure(name) for name in NAMES),
        tuple(rows),
        test,
        1000,
        confidence,
        1000,
        1,
        sentences,
        "",
        "alignment",
    )


BASE = (64.17, 67.92, 65.99), ()
MIXED = (65.42, 66.46, 65.94), (0.01, 0.01, 0.92)
CLOSE = (64.0, 67.9, 65.89), (0.7, 0.9, 0.15)
BETTER = (66.0, 69.0, 67.47), (0.01, 0.01, 0.001)
WORSE = (63.04, 66.56, 64.75), (0.001, 0.001, 0.001)
TRADED = (70.0, 66.0, 67.94), (0.001, 0.04, 0.001)


@pytest.mark.parametrize(
    ("systems", "title", "lead"),
    [
        (
            [BASE, MIXED],
            "a and b are not distinguished in F1",
            "b finds more (recall +1.25) but is less often right (precision −1.46), "
            "and gets −0.05 in F1, well within chance.",
        ),
        (
            [BASE, CLOSE],
            "a and b are not distinguished in F1",
            "b differs by −0.10 in F1, within chance (p = 0.15).",
        ),
        (
            [BASE, BETTER],
            "b is 1.48 points of F1 better than a",
            "b gains in both recall (+1.83) and precision (+1.08).",
        ),
        (
            [BASE, WORSE],
            "b is 1.24 points of F1 worse than a",
            "b loses in both recall (−1.13) and precision (−1.36).",
        ),
        (
            [BASE, TRADED],
            "b is 1.95 points of F1 better than a",
            "b gains 1.95 points of F1: recall +5.83, precision −1.92.",
        ),
        (
            [BASE, WORSE, MIXED, BETTER],
            "a and c are not distinguished in F1; d is 1.48 points better; b is 1.24 points worse",
            None,
        ),
        (
            [BASE, WORSE, WORSE, BETTER],
            "d is 1.48 points of F1 better than a; b is 1.24 points worse; c is 1.24 points worse",
            None,
        ),
        (
            [BASE, WORSE, BETTER],
            "c is 1.48 points of F1 better than a; b is 1.24 points worse",
            "c gains in both recall (+1.83) and precision (+1.08). "
            "b loses in both recall (−1.13) and precision (−1.36).",
        ),
        (
            [BASE, *[BETTER] * 4],
            "4 systems are 1.48 to 1.48 points of F1 better than a",
            "These 3 are furthest from a.",
        ),
        (
            [BASE, *[((66.0, 69.0, 66 + 4 * k), (0.01, 0.01, 0.001)) for k in range(4)]],
            "4 systems are 0.01 to 12.01 points of F1 better than a",
            None,
        ),
        ([BASE, ((None, None, None), ())], "a has F1 65.99", ""),
        ([((None, None, None), ())], "a has no F1", ""),
        ([BASE], "a has F1 65.99", ""),
    ],
)
def test_verdicts(systems, title, lead):
    found = verdict(comparison(*systems), "abcde"[: len(systems)])
    assert found[0] == title
    assert lead is None or found[1].endswith(lead)


def test_differences_without_a_test_are_no_ties():
    title, lead = verdict(comparison(BASE, (CLOSE[0], ()), test=None), "ab")
    assert title == "b is 0.10 points of F1 worse than a"
    assert lead.endswith("The differences were not tested.")
    same = verdict(comparison(BASE, (BASE[0], ()), test=None), "ab")
    assert same[0] == "a and b have the same F1"


def test_an_interval_decides_without_a_p_value():
    found = comparison(BASE, (CLOSE[0], ()))
    system = found.systems[1]
    object.__setattr__(system, "differences", {"f1": (-0.002, -0.0005)})
    assert verdict(found, "ab")[0] == "b is 0.10 points of F1 worse than a"
    object.__setattr__(system, "differences", {"f1": (-0.002, 0.0)})
    assert verdict(found, "ab")[0] == "a and b tie in F1"


def test_a_tie_needs_a_narrow_interval_and_many_sentences():
    found = comparison(BASE, CLOSE)
    system = found.systems[1]
    for ends, title in (
        ((-0.01, 0.008), "a and b tie in F1"),
        ((-0.0101, 0.008), "a and b are not distinguished in F1"),
        ((-0.011, 0.0095), "a and b are not distinguished in F1, too few sentences to tell"),
    ):
        object.__setattr__(system, "differences", {"f1": ends})
        assert verdict(found, "ab")[0] == title
    few = verdict(comparison(BASE, CLOSE, sentences=29), "ab")[0]
    assert few == "a and b are not distinguished in F1, too few sentences to tell"
    equal = comparison(BASE, (BASE[0], (1.0, 1.0, 1.0)))
    assert verdict(equal, "ab") == ("a and b have equal scores", "b has the same F1.")


def ranked(f1, corrected, *, alone=None, samples=1000):
    """Return a comparison of seven systems with the corrected p-values of all pairs."""
    found = comparison(*[((50.0, 50.0, rate), ()) for rate in f1])
    pairs = []
    for a, b in combinations(range(len(f1)), 2):
        p = corrected(a, b)
        names = found.systems[a].name, found.systems[b].name
        values = {"f1": (f1[b] - f1[a]) / 100}, {"f1": (-0.02, 0.01)}
        pairs.append(SystemPair(names, *values, {"f1": p if alone is None else alone}, {"f1": p}))
    return replace(found, pairs=tuple(pairs), test_samples=samples)


def test_many_systems_are_ranked():
    f1 = [60.0, 75.0, 61.0, 74.5, 62.0, 63.0, 64.0]
    names = [f"s-{k}" for k in range(7)]
    apart = ranked(f1, lambda a, b: 0.5 if {a, b} == {1, 3} else 0.01)
    title, lead = verdict(apart, names)
    assert title == "s-1 and s-3 are best in F1, not distinguished from each other"
    assert lead == (
        "s-1 has 75.00, s-3 74.50: 0.50 apart, 95 % interval −1.00 to +2.00, p = 0.500. The next, "
        "s-6, is 11.00 behind. Of 21 pairs of systems 20 differ at p < 0.05, 20 after Holm’s correction."
    )
    named = dict(zip([one.name for one in apart.systems], names))
    assert told_apart(apart, named) == "Not distinguished: s-1 and s-3."
    assert verdict(ranked(f1, lambda a, b: 0.01), names)[0] == "s-1 is best in F1, 0.50 above s-3"
    zero = verdict(ranked([0.0] * 7, lambda a, b: 0.01), names)[1]
    assert zero.startswith("s-0 has 0.00, s-1 0.00: 0.00 apart,")
    none = ranked(f1, lambda a, b: 0.5, alone=0.01, samples=100)
    title, lead = verdict(none, names)
    assert title == "No system is distinguished from another in F1"
    assert lead.endswith("100 resamples are too few for 21 tests; use --samples 1000.")
    assert "21 pairs have p below 0.05 alone, but not among 21 (s-0 and s-1;" in told_apart(none, named)
    assert told_apart(ranked(f1, lambda a, b: 0.01), named) == "Every pair of systems is distinguished."


GOLD = ["(S (NP (N a)) (VP (V b)))"] * 4


def answered(*texts, **options):
    """Return the counts of answers to sentences of gold, as the end of an evaluation has them."""
    return evaluate(GOLD[: len(texts)], list(texts), format="answers", **options).total["answers"]


def test_answers_in_words():
    good, fence, cut, none = GOLD[0], f"```\n{GOLD[0]}\n```", "(S (NP (N a)) (VP (V b", "I cannot."
    mixed = answered(good, fence, cut, none)
    assert answers_headline(mixed) == "1 of 4 answers are trees as written; repairs would add 2"
    first, second = answers_lead(mixed)
    assert first.startswith("As written F1 is 40.00: an answer that is not a tree counts as empty.")
    assert "over the 1 valid answers alone 100.00 (not comparable)" in first
    assert second == "Of the 60.00 points lost, the format costs 45.71; the other 14.29 are syntax."
    rows = defects(mixed)
    names = ["fence", "unclosed", "cut leaf", "no tree at all"]
    assert [(name, count) for name, count, *_ in rows] == [(name, 1) for name in names]
    gains = [gain for _, _, gain, *_ in rows if gain is not None]
    assert sum(gains) == pytest.approx(mixed.with_repairs.f1 - mixed.strict.f1)
    named = answered(fence, good.replace("NP", "NounPhrase"), none)
    # 9 gold brackets; 3 match in the fence, 2 in the other tree and 3 if its NP has gold's name.
    assert named.lost == pytest.approx({"format": 10 / 15 - 4 / 12, "labels": 2 / 15, "rest": 3 / 15})
    assert answers_lead(named)[1] == (
        "Of the 66.67 points lost, the format costs 33.33 and labels that gold lacks 13.33; the other 20.00 "
        "are syntax."
    )
    first, second, third = broken(mixed)
    gain = 100 * (mixed.ladder[1].f1 - mixed.strict.f1)
    assert first.startswith(
        f"The most common defect is “fence” (1 answer): its repair brings {gain:.2f} points, "
    )
    assert (second, third) == ("1 answer holds no tree.", "With 4 answers, shares are rough.")
    assert format_or_syntax(answered(good, good), (), BracketCounts()) == []
    assert format_or_syntax(named, (), BracketCounts())[0].startswith(
        "Both: 50 % of the points lost stay lost"
    )
    causes = evaluate(GOLD[:1], [good.replace("NP", "VP")]).analysis().causes[:1]
    # One of 3 gold brackets is missed and one of 3 is extra: 2 of 6 are wrong.
    assert format_or_syntax(named, causes, BracketCounts(1, 3, 3, 2))[1:] == [
        f"With repairs, {causes[0].cause} costs 33.33 points."
    ]
    assert answers_headline(answered(good, good)) == "All 2 answers are trees as written"
    assert answers_lead(answered(good, good)) == []
    assert answers_headline(answered(none)) == "None of 1 answers is a tree as written; repairs add none"


@pytest.mark.parametrize("number", [29, 30])
def test_shares_of_few_answers_are_rough(number):
    wrong = "(S (X (N a)) (VP (V b)))"
    texts = [f"```\n{wrong}\n```", wrong] * 15
    counts = evaluate([GOLD[0]] * number, texts[:number], format="answers").total["answers"]
    [text] = format_or_syntax(counts, (), BracketCounts())
    assert text.endswith(
        "is read; shares are rough, since there are few answers." if number < 30 else "is read."
    )
    assert (f"With {number} answers, shares are rough." in broken(counts)) == (number < 30)


def test_causes_that_stay_after_repairs():
    counts = answered(f"```\n{GOLD[0]}\n```", GOLD[0].replace("NP", "X"))
    found = format_or_syntax(counts, causes(MANY, NP_attachment=75, different_label=50, unary=25), MANY)
    assert found[1:] == ["With repairs, NP attachment costs 30.00 points, then different label costs 20.00."]


def test_states_and_pieces_of_answers():
    states = {
        "valid": (Answer("(S (N a))"), 1),
        "words": (Answer("(S (N a))"), 0),
        "around": (Answer("", ("fence", "unclosed")), 0),
        "brackets": (Answer("", ("extra",)), 1),
        "cut": (Answer("", ("fence", "unclosed"), None, True), 0),
        "none": (Answer("", (), "no tree"), 0),
    }
    assert {name: state_of(*given) for name, given in states.items()} == {name: name for name in states}
    for raw, text in (
        ("```\n(S (N a)\n```", "(S (N a))"),
        ("", "(S a)"),
        ("x", ""),
        ("[S [N a]]", "(S (N a))"),
    ):
        found = pieces(raw, text)
        assert "".join(one for sign, one in found if sign != "+") == raw
        plain = "".join(one for sign, one in found if sign != "-")
        assert "".join(plain.split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ([], ""),
        ([0, 0], ""),
        ([3], "1 of 1 has errors."),
        ([5, 0, 5], "2 of 3 have errors; half of all wrong brackets are in the worst one."),
        ([1, 9, 1, 1, 0], "4 of 5 have errors; half of all wrong brackets are in the worst one."),
        ([2, 2, 2, 2, 2, 1], "6 of 6 have errors; half of all wrong brackets are in the 3 worst."),
        ([1] * 3000, "3,000 of 3,000 have errors; half of all wrong brackets are in the 1,500 worst."),
    ],
)
def test_the_worst_sentences_have_half_of_the_errors(wrong, text):
    assert costliest(wrong) == text


def causes(brackets, **errors):
    """Return causes with as many errors as given, half of them missed, in two sentences each."""
    return [
        Cause(
            name.replace("_", " "),
            (counts := CauseCount(number, number // 2, number - number // 2)),
            number / sum(errors.values()),
            counts.repaired_f1(brackets),
            (1, 2),
        )
        for name, number in errors.items()
    ]


# 50 of 100 and of 150: F1 is 40, and each error costs 0.40.
MANY = BracketCounts.of_sentence(100, 150, 50, 0)


@pytest.mark.parametrize(
    ("errors", "expected"),
    [
        ({}, "x scores F1 40.00"),
        ({"NP_attachment": 100, "different_label": 50}, "x scores F1 40.00; NP attachment costs it most"),
        ({"NP_attachment": 75, "different_label": 75}, "x scores F1 40.00; no cause stands out"),
        ({"NP_attachment": 75, "different_label": 74}, "x scores F1 40.00; NP attachment costs it most"),
        ({"other": 100, "different_label": 50}, "x scores F1 40.00; no cause stands out"),
        ({"different_label": 150}, "x scores F1 40.00; different label costs it most"),
    ],
)
def test_headlines_name_the_dearest_cause(errors, expected):
    assert headline("x", MANY, causes(MANY, **errors)) == expected


def test_the_only_cause_stands_out_though_it_costs_little():
    large = BracketCounts.of_sentence(4000, 4000, 3999, 0)
    found = headline("x", large, causes(large, different_label=2))
    assert found == "x scores F1 99.98; different label costs it most"


def test_headlines_without_errors_brackets_or_matches():
    counts = BracketCounts.of_sentence
    assert headline("x", BracketCounts(), []) == "x has no F1"
    assert headline("x", counts(3, 3, 3, 0), []) == "x gives every bracket of gold"
    assert headline("x", counts(3, 2, 0, 0), []) == "x has no bracket of gold"
    assert headline("x", MANY, [], 0.5) == "x scores mean F1 50.00 (corpus F1 40.00)"


def test_sentences_on_errors():
    found = causes(MANY, NP_attachment=75, different_label=50, other=25)
    assert lead(MANY, found, 0.06) == [
        "Of its brackets 33.33 % are right (precision), and it finds 50.00 % of gold’s (recall): it invents "
        "more than it misses.",
        "NP attachment costs 30.00 of the 60.00 points lost, different label 20.00.",
        "Words and sentence ends that differ from gold’s cost 6.00 points directly: both are to blame.",
    ]
    assert len(lead(MANY, found, None)) == 2
    assert len(lead(MANY, [], None)) == 1
    assert lead(BracketCounts(), [], None) == lead(BracketCounts.of_sentence(3, 3, 3, 0), [], None) == []


@pytest.mark.parametrize(
    ("gold", "system", "kind"),
    [
        (150, 100, "misses more than it invents"),
        (100, 150, "invents more than it misses"),
        (100, 102, "misses and invents alike"),  # 50.00 and 49.02
        (102, 100, "misses and invents alike"),
        (100, 103, "invents more than it misses"),  # 48.54
    ],
)
def test_errors_are_missed_or_invented(gold, system, kind):
    [found] = lead(BracketCounts.of_sentence(gold, system, 50, 0), [], None)
    assert found.endswith(f": it {kind}.")


def test_who_is_to_blame():
    assert [blamed(part, 0.4) for part in (0.03, 0.05, 0.15, 0.19, 0.21)] == [
        "The parser.",
        "Both.",
        "Both.",
        "Both.",
        "The tokeniser.",
    ]


def test_the_dearest_cause():
    found = causes(MANY, NP_attachment=60, different_label=50, unary=30, other=10)
    assert dearest(found, MANY, 1000) == (
        "NP attachment costs 24.00 points of F1, in 2 of 1,000 sentences; with it alone corrected, F1 would "
        "be 64.00. The first three causes make up 93 % of what is lost."
    )
    assert dearest(found[:3], MANY, 9).endswith("would be 64.00.")
    assert dearest(found[:1], MANY, 9) == "NP attachment costs 24.00 points of F1, in 2 of 9 sentences."
    assert dearest([], MANY, 9) == "Nothing to repair: every bracket is matched."
    assert dearest([], BracketCounts(), 9) == "Gold has no bracket."


def analysis(*, lengths=(), labels=(), f1=()):
    """Return an analysis of classes of length (matched of 100, sentences), labels, and classes of F1."""
    return Analysis(
        tuple(LabelErrors(label, LabelCount(*counts)) for label, *counts in labels),
        (),
        (),
        tuple(
            LENGTHS[at]._replace(brackets=BracketCounts.of_sentence(100, 100, matched, 0), sentences=range(n))
            for at, (matched, n) in enumerate(lengths)
        ),
        tuple(F1Class(at / 20, at / 20 + 0.05, count) for at, count in enumerate(f1)),
        0,
        (),
        (),
    )


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [
        ([(90, 30), (95, 30), (80, 30)], ["F1 falls from 95.00 at 11–20 words to 80.00 at 21–30."]),
        ([(90, 30), (89, 30)], ["F1 hardly depends on length (89.00 to 90.00)."]),
        ([(90, 30), (88, 30)], ["F1 falls from 90.00 at 1–10 words to 88.00 at 11–20."]),
        ([(89, 30), (90, 30)], ["F1 hardly depends on length (89.00 to 90.00)."]),
        ([(80, 30), (95, 30)], ["F1 rises from 80.00 at 1–10 words to 95.00 at 11–20."]),
        ([(90, 30), (20, 29), (80, 30)], ["F1 falls from 90.00 at 1–10 words to 80.00 at 21–30."]),
        ([(90, 29), (80, 30)], ["There are too few sentences to tell by length."]),
        ([(90, 30)], []),
    ],
)
def test_figures_by_length(lengths, expected):
    assert where(analysis(lengths=lengths), None, 0.05) == expected


def test_figures_by_label():
    labels = [("NP", 60, 60, 54, 54), ("VP", 37, 37, 36, 36), ("X", 3, 3, 0, 0)]
    expected = (
        "Of the 2 labels with at least 5 % of gold’s brackets, NP is worst (90.00) and VP best (97.30)."
    )
    assert where(analysis(labels=labels), None, 0.05) == [expected]
    assert where(analysis(labels=labels[:1]), None, 0.05) == []
    right = [("NP", 60, 60, 60, 60), ("VP", 40, 40, 40, 40)]
    assert where(analysis(labels=right), None, 0.05) == []
    # Labels that only the system has are not among them.
    assert where(analysis(labels=[labels[0], ("X", 0, 9, 0, 0)]), None, 0.05) == []


@pytest.mark.parametrize(
    ("classes", "end"),
    [
        ([0, 3, 4], "4 of 7 are perfect, 0 are below 5."),
        ([1, 0, 1], "1 of 2 are perfect, 1 is below 5."),
        ([2, 1000, 1], "1 of 1,003 are perfect, 2 are below 5."),
    ],
)
def test_figures_by_sentence(classes, end):
    assert where(analysis(f1=classes), 0.75, 0.05) == [f"Half of the sentences reach 75.00; {end}"]
    assert where(analysis(f1=classes), None, 0.05) == []
    assert where(analysis(f1=[0, 1]), 0.75, 0.05) == []
