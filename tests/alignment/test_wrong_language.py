"""Warnings about the list of contractions, and about texts that seem to differ."""

from __future__ import annotations

import random

import pytest

from jpevalb import evaluate
from jpevalb.alignment.exceptions import other_language

NOUNS = ["pain", "vin", "lait", "village", "matin", "jardin", "chat", "roi", "monde", "jour", "port"]
END = "(PP (P malheureusement) (N aujourd'hui))"


def french(contracted: bool) -> list[str]:
    rng = random.Random(1)
    lines = []
    for number in range(12):
        first, second = rng.sample(NOUNS, 2)
        form, parts = [("du", ("de", "le")), ("au", ("à", "le")), ("des", ("de", "les"))][number % 3]
        words = f"(P {form})" if contracted else f"(P {parts[0]}) (D {parts[1]})"
        lines.append(f"(S (NP (D le) (N {first}) (PP {words} (N {second}))) (V partirait) {END})")
    return lines


@pytest.mark.parametrize("turned", [False, True])
def test_the_list_of_another_language_is_named(turned):
    sides = [french(turned), french(not turned)]
    (warning,) = evaluate(*sides, lang="en").warnings
    assert warning == ("12 of 12 differing tokens are in the list of contractions for fr; use lang='fr'")
    assert evaluate(*sides, lang="fr").warnings == ()
    assert evaluate(*sides, lang="none").warnings == ()


def test_few_or_other_differences_say_nothing():
    assert other_language({("du", "de"): 4}, "en") is None
    assert other_language({("du", "de"): 5}, "en") is not None
    assert other_language({("du", "de"): 5, ("pain", "vin"): 6}, "en") is None
    assert other_language({("n't", "not"): 50, ("“", '"'): 50, ("do", "not"): 9}, "en") is None
    assert other_language({("", "le"): 50}, "en") is None
    assert other_language({("del", "de"): 6}, "es") is None  # in the list for ca, too
    # A third of the most frequent ones is enough for a list to be read.
    frequent = {("du", "dele"[:end]): 3 for end in range(1, 5)} | {("x" * end, "y"): 3 for end in range(1, 7)}
    rare = {("des", "deles"[:end]): 2 for end in range(1, 6)} | {("au", "à"): 2}
    assert other_language({**frequent, **rare}, "en") is not None


def test_texts_whose_characters_align_are_not_called_different():
    gold = [f"(S (A abcdefghij{k}) (B klmnopqrst) (C uvwxyzabcd))" for k in range(9)]
    near = [f"(S (A abcdefxxij{k}) (B klmnopxxst) (C uvwxyzxxcd))" for k in range(9)]
    (warning,) = evaluate(gold, near, metrics=()).warnings
    assert warning.startswith("9 of 9 pairs differ in more characters than align_ratio allows, but most")
    far = [f"(S (A zyxwvu{k}) (B 123456) (C fghjkl))" for k in range(9)]
    (warning,) = evaluate(gold, far, metrics=()).warnings
    assert "not of the same text" in warning
