"""Warnings name the cause of words that differ; byte-level BPE is aligned as the text that it stands for."""

from __future__ import annotations

import random

import pytest

from jpevalb import align, evaluate
from jpevalb.score.outcome import reasons
from jpevalb.trees.words import NOTHING, texts
from tests.benchmarks.alignment_noise import words_of
from tests.benchmarks.alignment_regimes import byte_pairs, in_korean
from tests.benchmarks.treebank import make_treebank

GOLD = list(make_treebank(80, 4))
CYRILLIC = str.maketrans("abcdefghijklmnopqrstuvwxyz", "абцдефгхийклмнопярстуввхыз")


def sentences(lines):
    return [words_of(line) for line in lines]


def flat(sides):
    return [f"(S {' '.join(f'(N {word})' for word in words)})" for words in sides]


def warnings(gold, system):
    return evaluate(flat(gold), flat(system), metrics="brackets").warnings


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda words: [f"▁{word}" for word in words],
            "100 % of the words have marks of a tokeniser",
        ),
        (
            lambda words: [word.lower().translate(CYRILLIC) for word in words],
            "another script, CYRILLIC for LATIN",
        ),
    ],
)
def test_changed_words(change, message):
    gold = sentences(GOLD)
    found = warnings(gold, list(map(change, gold)))
    assert [message in warning for warning in found] == [True]


def test_another_order_and_loops():
    gold = sentences(GOLD)
    shuffled = random.Random(1).sample(gold, len(gold))
    [found] = warnings(gold, shuffled)
    assert "the sentences seem to be in another order; use pair='words'" in found
    [found] = warnings(gold, gold[:40] + gold[39:40] * 60)
    assert found.startswith("system: ")
    assert found.endswith("check the file for loops")


def test_equal_and_incomplete_files_have_no_reason():
    gold = sentences(GOLD)
    assert warnings(gold, gold) == ()
    assert warnings(gold, gold[:60]) == ()


@pytest.mark.parametrize(
    ("differing", "words", "count"),
    [
        ({("the", "▁the"): 49}, 49, 0),  # too few
        ({("the", "▁the"): 50}, 50, 1),
        ({("the", "▁the"): 50}, 501, 0),  # a small share
        ({("the", "▁the"): 50, ("a", "b"): 50}, 200, 0),  # half of those that differ
        ({("▁the", "▁teh"): 90}, 90, 0),  # on both sides
        ({("the", "￭"): 50}, 50, 0),  # a mark alone
        ({("", "a"): 50, ("", "b"): 10}, 60, 1),
        ({("", "a"): 50, ("", "b"): 10, **{("", f"w{i}"): 1 for i in range(9)}}, 60, 0),
        ({("a", ""): 60, ("", "a"): 60}, 60, 1),
        ({("a", ""): 60, ("", "c"): 60}, 60, 1),  # loops of both: that of the system is told
    ],
)
def test_when_there_is_a_reason(differing, words, count):
    assert len(list(reasons(differing, words, words))) == count


def test_reasons_have_the_share_of_words_concerned():
    found = reasons({("the", "▁the"): 50}, 400, 200)
    assert [one.text.partition(" of the words")[0] for one in found] == ["system: 25 %"]


def test_texts_of_bytes():
    assert texts(["ëĮĢ", "Ġa"]) == [*texts(["대"]), "a"]
    # A character in two tokens is divided; a token of nothing but a blank has a text, too.
    first, second = texts(["ëĮ", "Ģ"])
    assert first + second == texts(["대"])[0]
    assert texts(["Ġ", "ëĮĢ"]) == [NOTHING, *texts(["대"])]
    # Other text with letters of that alphabet is no UTF-8.
    assert texts(["żółw", "łza"]) == [word for text in ("żółw", "łza") for word in texts([text, "x"])[:1]]


@pytest.mark.parametrize("lines", [1, 8, 80])
def test_byte_pairs_of_korean(lines):
    gold = [[part for word in words for part in in_korean(word)] for words in sentences(GOLD)]
    rng = random.Random(2)
    pieces = [byte_pairs(words, rng) for words in gold]
    system = [[t for part in pieces[i : i + lines] for t in part] for i in range(0, len(pieces), lines)]
    beads = [(bead.gold, bead.system, bead.aligned) for bead in align(gold, system, lang="ko")]
    assert beads == [((i * lines, (i + 1) * lines), (i, i + 1), True) for i in range(len(gold) // lines)]
