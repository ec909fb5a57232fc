"""The texts for real tokenisers, and the figures that follow from their offsets, without any of the tools."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

import pytest

from jpevalb import Tree
from tests.tools.__main__ import EXACT, compared, expected
from tests.tools.texts import BLANKS, GRAMMARS, SENTENCES, sentences
from tests.tools.tokenise import in_order

SHOWN = {"-LRB-": "(", "-RRB-": ")"}


def text_of(lang: str) -> str:
    return BLANKS[lang].join(sentence.text for sentence in sentences(lang))


@pytest.mark.parametrize("lang", GRAMMARS)
def test_words_and_constituents_are_where_they_should_be(lang):
    text = text_of(lang)
    found = sentences(lang)
    assert len({sentence.text for sentence in found}) == len(found) == SENTENCES >= 50
    for sentence in found:
        tree = Tree.parse(sentence.tree)
        assert [text[start:end] for start, end in sentence.words] == [
            SHOWN.get(word, word) for word in tree.words
        ]
        assert [
            (tree.labels[node], sentence.words[first][0], sentence.words[last - 1][1])
            for node, (first, last) in enumerate(zip(tree.starts, tree.ends))
            if node and not tree.preterminals[node]
        ] == list(sentence.constituents)
        assert text.find(sentence.text) >= 0
        assert not re.search(r"[{}+]|  ", sentence.text)
        assert unicodedata.is_normalized("NFC", sentence.text)


def by_characters(text: str) -> list[tuple[str, int, int]]:
    return [(character, at, at + 1) for at, character in enumerate(text) if character.strip()]


def by_pairs(text: str) -> list[tuple[str, int, int]]:
    """Cut letters two by two, without regard to words but for blanks."""
    return [(match[0], *match.span()) for match in re.finditer(r"\w\w?|\S", text)]


@pytest.mark.slow
@pytest.mark.parametrize("lang", GRAMMARS)
@pytest.mark.parametrize("cut", [by_characters, by_pairs])
@pytest.mark.parametrize("ends", ["[.?。？]", "。|a|은|了|で", "never"])
def test_figures_are_those_of_the_offsets(lang, cut, ends):
    text = text_of(lang)
    cuts = [0, *[match.end() for match in re.finditer(ends, text)], len(text)]
    found = [
        [(word, start + first, start + last) for word, first, last in cut(text[start:end])]
        for start, end in pairwise(cuts)
    ]
    figures, difference = compared("test", lang, [tokens for tokens in found if tokens])
    assert difference < EXACT
    assert 0 < figures[2] < 1


def test_expected_by_hand():
    gold = [[(0, 2), (3, 5)], [(6, 8)]], [("A-B", 0, 5), ("N", 0, 2), ("C", 6, 8)]
    # "ab" is cut in two, "cd" and "ef" are joined.
    system = [[(0, 1), (1, 2), (3, 8)]], [("A", 0, 8), ("N", 0, 2)]
    assert expected("ab cd ef", gold, system) == {
        "precision": 2 / 2,
        "recall": 2 / 3,
        "f1": 4 / 5,
        "token_f1": 0,
        "sentence_end_f1": 0,
    }
    assert set(expected("ab cd ef", gold, gold).values()) == {1.0}
    assert in_order("a b a", 1, ["b", "a"]) == [("b", 2, 3), ("a", 4, 5)]
