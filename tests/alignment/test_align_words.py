"""Word units: worked examples, one unit for every token, and unusual text."""

from __future__ import annotations

import itertools
import subprocess
import sys

import pytest
from hypothesis import given, strategies as st

from jpevalb import align
from jpevalb.alignment import Unit
from jpevalb.alignment.exceptions import exceptions_of
from jpevalb.alignment.solve import word_units
from jpevalb.trees.words import compared, read_as, texts
from tests.support.aligned import check_units

ENGLISH = exceptions_of("en")


def pairs(gold: str, system: str, exceptions=None) -> list[tuple[str, str]]:
    """The units as texts, for reading."""
    mine, other = gold.split(), system.split()
    return [
        (" ".join(mine[a:b]), " ".join(other[c:d]))
        for a, b, c, d in word_units(mine, other, exceptions or {})
    ]


def test_contractions_with_the_exception_list():
    assert pairs("They ca n't go", "They can not go", ENGLISH) == [
        ("They", "They"),
        ("ca", "can"),
        ("n't", "not"),
        ("go", "go"),
    ]


def test_hebrew_prefixes():
    assert pairs("B H CL FL HM H NEIM", "B CL FL HM HNEIM") == [
        ("B", "B"),
        ("CL", "CL"),
        ("FL", "FL"),
        ("HM", "HM"),
        ("H NEIM", "HNEIM"),
    ]


@pytest.mark.parametrize(
    ("lang", "gold", "system", "expected"),
    [
        ("en", "`` Yes , '' he said", '" Yes , " he said', ["``", "Yes", ",", "''", "he", "said"]),
        ("fr", "la fin du jour", "la fin de le jour", ["la", "fin", "du", "jour"]),
        ("it", "nell' acqua della casa", "in l' acqua di la casa", ["nell'", "acqua", "della", "casa"]),
        ("de", "Im Haus beim See", "In dem Haus bei dem See", ["Im", "Haus", "beim", "See"]),
        ("es", "al norte del río", "a el norte de el río", ["al", "norte", "del", "río"]),
        ("pt", "pela rua naquele dia", "por a rua em aquele dia", ["pela", "rua", "naquele", "dia"]),
        ("nl", "'t is z'n huis", "het is zijn huis", ["'t", "is", "z'n", "huis"]),
        ("ko", "이건 우린 했다", "이것 은 우리 는 하였다", ["이건", "우린", "했다"]),
        ("he", "הבית שלו", "ה בית של הוא", ["הבית", "שלו"]),
        ("ar", "تحدث إليه مما قال", "تحدث إلى ه من ما قال", ["تحدث", "إليه", "مما", "قال"]),
    ],
)
def test_contractions_of_each_language(lang, gold, system, expected):
    found = pairs(gold, system, exceptions_of(lang))
    assert [unit for unit, _ in found] == expected
    assert " ".join(other for _, other in found) == system


def test_a_list_does_no_harm_where_the_characters_are_equal():
    assert pairs("we can't go", "we ca n't go", ENGLISH) == [("we", "we"), ("can't", "ca n't"), ("go", "go")]
    assert pairs("x `` y", "x ` ` y", ENGLISH) == [("x", "x"), ("``", "` `"), ("y", "y")]


def test_without_tokens_on_one_side_each_token_is_a_unit():
    assert word_units(["a", "b"], []) == (Unit(0, 1, 0, 0), Unit(1, 2, 0, 0))
    assert word_units([], ["a", "b"]) == (Unit(0, 0, 0, 1), Unit(0, 0, 1, 2))
    assert word_units([], []) == ()


@pytest.mark.parametrize("n", [1, 256, 257, 1000])
def test_equal_tokens_are_one_to_one(n):
    words = [f"w{k}" for k in range(n)]
    assert word_units(words, tuple(words)) == tuple((i, i + 1, i, i + 1) for i in range(n))


def test_equal_tokens_do_not_load_rapidfuzz():
    program = (
        "import sys\n"
        "from jpevalb import align\n"
        "(bead,) = align([['a', 'b']], [['a', 'b']])\n"
        "assert len(bead.units) == 2\n"
        "print('rapidfuzz' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize(
    ("gold", "system"),
    [
        (["İstanbul", "İI", "x"], ["i̇stanbul", "İ", "I", "x"]),
        (["ΟΔΟΣ", "ΟΔΟΣ"], ["οδο", "σ", "οδος"]),
        (["a\0b", "\0"], ["a", "\0b", "\0"]),
        (["\ud800x", "y"], ["\ud800", "x", "y"]),
        (["New York", "is\u3000big"], ["New", "York", "is", "big"]),
        (["\xa0"], ["a", "b"]),
        (["", "a", ""], ["a"]),
        (["", ""], ["", "", "b"]),
        (["e\u0301", "b"], ["\xe9", "b"]),
        (["ß", "𝒳", "ﬁ"], ["SS", "𝒳ﬁ"]),
    ],
)
def test_text_of_every_kind(gold, system):
    check_units(word_units(gold, system), len(gold), len(system))
    check_units(word_units(system, gold), len(system), len(gold))


def test_lower_casing_that_lengthens_a_word_shifts_nothing():
    assert pairs("İİİ abc def", "İİİabc def") == [("İİİ abc", "İİİabc"), ("def", "def")]


def test_final_sigma_does_not_depend_on_the_tokens():
    assert compared("ΟΔΟΣ") == compared("οδος") == "οδοσ"
    assert pairs("ΟΔΟΣ ΑΒ", "ΟΔ ΟΣΑΒ") == [("ΟΔΟΣ ΑΒ", "ΟΔ ΟΣΑΒ")]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("é", "e\u0301"),
        ("ＡＢＣ１", "abc1"),
        ("한", "하ㄴ"),
        ("각", "가ㄱ"),
        ("합", "하ㅂ"),
        ("좋", "조ㅎ"),
        ("한", "\u1112\u1161\u11ab"),
        ("가려", "가리ㅓ"),
        ("봐", "보ㅏ"),
        ("New\u3000York", "new york"),
        ("ﬁn", "fin"),
    ],
)
def test_ways_of_writing_that_are_one(one, other):
    assert compared(one) == compared(other)


def test_accents_count():
    assert compared("é") != compared("e")


def test_a_token_without_text_has_one():
    assert compared("") == compared(" ") == compared("\u3000") != compared("\0")


def test_words_are_replaced_whole_and_once():
    words = texts(["Ca", "cat", "can"])
    assert read_as(words, {"ca": "can", "can": "tin"}) == ["can", "cat", "tin"]
    assert read_as(words, {"dog": "x"}) is words
    assert read_as(words, {}) is words


@pytest.mark.parametrize(
    "words",
    [
        ["Ca", "N'T", "."],
        ["New York", "A\tb", "a\x1cb", "\x00", "\x7f"],
        ["a b", ""],  # as many texts as words, if all were cut at once
        ["a b"],
        ["", ""],
        ["", "a"],
        [" "],
        ["Ä", "New York", "b"],
        [],
    ],
)
def test_texts_of_a_sentence_are_those_of_its_words(words):
    assert texts(words) == texts(tuple(words)) == [compared(word) for word in words]


tokens = st.lists(st.text("aAb\xe9\u0130\u03a3\0 \ud800`'", max_size=4), max_size=10)


@given(tokens, tokens)
def test_units_have_tokens_of_both_sides(gold, system):
    check_units(word_units(gold, system, ENGLISH), len(gold), len(system))


@given(st.text("abc", min_size=1, max_size=20), st.sets(st.integers(1, 19)), st.sets(st.integers(1, 19)))
def test_swapping_sides_mirrors_the_units_of_equal_characters(text, first, second):
    def cut(places):
        bounds = [0, *sorted(place for place in places if place < len(text)), len(text)]
        return [text[a:b] for a, b in itertools.pairwise(bounds)]

    forward = word_units(cut(first), cut(second))
    backward = word_units(cut(second), cut(first))
    assert [(a, b, c, d) for c, d, a, b in backward] == [tuple(unit) for unit in forward]


def test_copies_of_a_word_said_twice_are_in_no_unit():
    gold = ["the", "old", "cat", "sat", "there", "."]
    system = ["the", "the", "old", "cat", "cat", "cat", "sat", "there", "there", "."]
    units = word_units(gold, system)
    assert [unit[:2] for unit in units] == [(k, k + 1) for k in range(6)]
    assert all(d == c + 1 and system[c] == gold[a] for a, _, c, d in units)
    assert word_units(system, gold) == tuple([(c, d, a, b) for a, b, c, d in units])
    beads = align([["it", "was", "you"], ["you", "saw"]], [["it", "was", "you"], ["you", "you", "saw"]])
    assert [bead.gold for bead in beads] == [(0, 1), (1, 2)]
