"""Tokens with marks, without letters, or with other characters that one side lacks, against a known truth."""

from __future__ import annotations

import random
import re

import pytest

from jpevalb import Tree, align, evaluate
from jpevalb.alignment.run import LEAST, CharacterRun, without_one_sided
from jpevalb.trees.words import compared, texts
from tests.benchmarks.alignment_regimes import REGIMES, Regime, Score, make_case, pairs_of
from tests.support.treebanks import make_treebank

pytestmark = pytest.mark.slow

MARKED = {regime.name.split()[0]: regime for regime in REGIMES if regime.name.endswith("sentences a line")}


def error(regime: Regime, rate: float, sentences: int = 60) -> Score:
    """Return F1 under the alignment found less the true F1, in points, and what was not found."""
    case = make_case(pairs_of(make_treebank(sentences, 1), 1), regime, rate, 1)
    score = Score()
    score.align(case, "en")
    return score


@pytest.mark.parametrize("rate", [1, 8, 60, 0])
@pytest.mark.parametrize("kind", list(MARKED))
def test_marks_and_lost_letters_change_nothing(kind, rate):
    found = error(MARKED[kind], rate)
    assert (found.error, found.lost, found.wrong) == (0, 0, 0)


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("▁the", "the"),
        ("ĠThe", "the"),
        ("##ing", "ing"),
        ("th@@", "th"),
        ("the</w>", "the"),
        ("￭ing", "ing"),
        ("th￭", "th"),
        ("￭-￭", "-"),
        ("▁née", "née"),
    ],
)
def test_marks_of_subword_tokenisers_are_not_text(marked, plain):
    assert compared(marked) == compared(plain)
    assert texts(["a", marked, "b"]) == texts(["a", plain, "b"])


def test_a_mark_alone_or_inside_is_text():
    for word in ("▁", "Ġ", "##", "@@", "</w>", "￭"):
        assert texts([word]) == [compared(word)] != [""]
    for word in ("a@@b", "a##b", "a</w>b", "@@a", "a##", "a▁b"):
        assert compared(word) == word


def runs(gold: str, system: str) -> tuple[CharacterRun, CharacterRun]:
    return CharacterRun.of([gold.split()]), CharacterRun.of([system.split()])


def test_characters_of_one_side_are_left_out_of_long_texts():
    words = "the quick brown fox jumps over a lazy dog "
    gold, system = without_one_sided(*runs(words * 20, words.replace(" ", "| ") * 30 + "| "))
    assert gold.tokens == (words * 20).split()
    assert system.tokens == [*(words * 30).split(), "|"]
    # A token of these characters alone stays, but earns nothing for its end.
    assert system.levels[-1] == 6
    short = runs(words * (LEAST // len(words)), words.replace(" ", "| ") * 30)
    assert without_one_sided(*short) == short


def test_rare_or_shared_characters_stay():
    words = "the quick brown fox jumps over a lazy dog " * 20
    for other in (words + "||||", words.replace("fox", "oxf") * 2, "αβγ δεζ " * 200, words):
        same = runs(words, other)
        assert without_one_sided(*same) == same


def test_vowel_signs_of_one_side_are_left_out_of_short_texts():
    gold = ["ذَهَبَ", "وَ", "الوَلَدُ", "رَأَى", "أُمِّهِ"]
    (bead,) = align([gold], [["ذهبو", "الولد", "رأى", "أمه"]], lang="ar")
    assert [tuple(unit) for unit in bead.units] == [(0, 2, 0, 1), (2, 3, 1, 2), (3, 4, 2, 3), (4, 5, 3, 4)]
    # The sign of hamza, which both sides have, stays.
    sides = without_one_sided(*(CharacterRun.of([words]) for words in (gold, ["أمه"])))
    assert [run.tokens[-1] for run in sides] == [compared("أمه")] * 2


NUMBERS = {"12": "twelve", "1999": "nineteen ninety nine", "250": "two hundred fifty", "7": "seven"}


def test_spoken_numbers_keep_their_words():
    """A full stop that is not spoken does not take the last word of the number before it."""
    rng = random.Random(1)
    gold, system, wanted = [], [], []
    for line in make_treebank(60, 2):
        words = [word for word in Tree.parse(line).words if word.isalpha()][:8]
        number = rng.choice(list(NUMBERS))
        gold.append([*words, number, "."])
        system.append([*map(str.lower, words), *NUMBERS[number].split()])
        wanted.append(len(words))
    beads = align(gold, system)
    assert [bead.gold for bead in beads] == [(k, k + 1) for k in range(60)]
    ends = [(len(bead.units), bead.units[-1].gold_start) for bead in beads]
    assert ends == [(count + 1, count) for count in wanted]


def test_marked_text_is_not_called_dissimilar():
    lines = list(make_treebank(30, 1))
    marked = [re.sub(r"([^() ])\)", r"\1|)", line) for line in lines]
    joined = ["(S " + " ".join(marked) + ")"]
    result = evaluate(lines, joined, metrics=())
    assert result.total.sentences.unlike == 0
    assert [one.partition(" (")[0] for one in result.warnings] == ["the system alone has .|, ,|, to|, of|"]
