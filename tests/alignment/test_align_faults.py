"""Alignments that were once wrong, each with the right value."""

from __future__ import annotations

import pytest

from jpevalb import align, evaluate
from tests.benchmarks.alignment_regimes import (
    REGIMES,
    Regime,
    Score,
    drop,
    each,
    in_korean,
    lines_of,
    make_case,
    pairs_of,
    romanised,
    without_letter,
)
from tests.support.treebanks import make_treebank

SIX = [
    "(S (NP (NNP Kim)) (VP (VBD saw) (NP (DT the) (NN cat))) (. .))",
    "(S (NP (PRP It)) (VP (VBD ran) (ADVP (RB away) (RB quickly))) (. .))",
    "(S (NP (PRP We)) (VP (VBD waited) (PP (IN for) (NP (DT an) (NN hour)))) (. .))",
    "(S (NP (DT The) (NN sun)) (VP (VBD went) (ADVP (RB down))) (. .))",
    "(S (NP (DT A) (NN dog)) (VP (VBD barked) (PP (IN at) (NP (PRP us)))) (. .))",
    "(S (NP (PRP They)) (VP (VBD went) (ADVP (RB home))) (. .))",
]


def units(gold: str, system: str, lang: str = "en") -> list[tuple[str, str]]:
    mine, other = gold.split(), system.split()
    (bead,) = align([mine], [other], lang=lang)
    return [(" ".join(mine[a:b]), " ".join(other[c:d])) for a, b, c, d in bead.units]


def error(*changes, rate=1.0, script=None, lang="en") -> float:
    """Return F1 under the alignment found less the true F1, in points."""
    regime = Regime("fault", (rate,), changes, script=script, lang=lang)
    score = Score()
    score.align(make_case(pairs_of(make_treebank(200, 1), 1), regime, rate, 1), lang)
    return score.error


@pytest.mark.parametrize(
    ("kind", "rate", "least"),
    [
        ("word errors", 0.05, 99.5),
        ("word errors", 0.1, 98.9),
        ("word errors", 0.2, 97.5),
        ("no punctuation", 1, 100.0),
        ("spoken", 1, 98.7),
    ],
)
def test_a_perfect_parser_loses_little(kind, rate, least):
    """Words that one side lacks take no place, so that nearly all brackets match."""
    (regime,) = [regime for regime in REGIMES if regime.name == f"perfect parser: {kind}"]
    score = Score()
    score.align(make_case(pairs_of(make_treebank(200, 1), 1), regime, rate, 1), "en")
    assert score.found >= least


def test_a_line_of_two_sentences_of_six_is_one_bead():
    (bead,) = align(SIX, [f"(TOP {SIX[0]} {SIX[5]})"])
    assert (bead.gold, bead.system, len(bead.units)) == ((0, 6), (0, 1), 9)
    brackets = evaluate(SIX, [f"(TOP {SIX[0]} {SIX[5]})"]).total.brackets
    assert (brackets.matched, brackets.gold, brackets.system) == (8, 26, 8)


def test_letters_of_words_that_end_alike_are_counted_from_the_end():
    changes = (
        lambda corpus, rate, rng: drop(corpus, 0.1, rng),
        without_letter(first=True),
        lambda corpus, rate, rng: lines_of(corpus, 100, rng),
    )
    assert abs(error(*changes)) < 4


def test_letters_that_spell_an_enclitic_are_its_counterpart():
    assert units("יחס של רבים", "יחס ש ל רבים", "he") == [("יחס", "יחס"), ("של", "ש ל"), ("רבים", "רבים")]


def test_equal_words_near_numbers_are_units():
    assert units("5.3 % to $ 12 million", "five point three percent to twelve million dollars") == [
        ("5.3 %", "five point three percent"),
        ("to", "to"),
        ("$ 12", "twelve"),
        ("million", "million"),
    ]


@pytest.mark.parametrize("other", ["(VP (V is))", "(VP (V is) (NP (N it)))"])
def test_sentences_as_single_tokens_are_reported(other):
    """F1 over units is high where each sentence is a word; only strict F1 shows it."""
    gold = [f"(S (NP (D the) (N w{k})) {other} (P .))" for k in range(30)]
    words = [f"thew{k}is{'it' if 'it' in other else ''}." for k in range(30)]
    system = [f"(S (NP (VP (T {word}))))" for word in words]
    (warning,) = [text for text in evaluate(gold, system).warnings if "a word of the system holds" in text]
    assert warning.startswith("F1 is ")
    assert "check the tokens of the system" in warning
    assert not [text for text in evaluate(gold, gold).warnings if "holds" in text]


@pytest.mark.parametrize("lang", ["ko", "none"])
def test_romanised_endings_are_no_enclitics(lang):
    assert error(romanised, script=in_korean, lang=lang) == 0
    # Each letter of gold has one of the system.
    latin = each(lambda token, rng: [type(token)("n" if token.text == "ㄴ" else token.text, token.links)])
    assert error(latin, script=in_korean, lang=lang) == 0
