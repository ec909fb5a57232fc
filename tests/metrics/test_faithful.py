"""Words of a sentence that an answer keeps, changes, adds or drops; worked examples."""

from __future__ import annotations

import time
from itertools import combinations

import pytest
from hypothesis import given, strategies as st

from jpevalb.metrics.answers import WordCounts, compare_words

NAMES = ("same", "changed", "missing", "added", "repeated", "reordered")

# Sentence, answer, and what is not 0.
CASES = [
    ("the cat sat", "the cat sat", {"same": 3}),
    ("", "", {}),
    ("the cat sat", "", {"missing": 3}),
    ("", "the cat", {"added": 2}),
    ("the old cat sat", "the cat sat", {"same": 3, "missing": 1}),
    ("the cat sat", "the old cat sat", {"same": 3, "added": 1}),
    ("the cat sat", "the dog sat", {"same": 2, "changed": 1}),
    ("the cat sat", "The cat sat", {"same": 2, "changed": 1}),
    ("I can not go", "I cannot go", {"same": 2, "changed": 2}),
    ("I cannot go", "I can not go", {"same": 2, "changed": 1}),
    ("the cat sat", "the cat cat cat sat", {"same": 3, "repeated": 2}),
    ("the cat sat", "the cat sat the cat sat", {"same": 3, "repeated": 3}),
    ("a dog saw x and cats", "cats saw x and a dog", {"same": 3, "reordered": 3}),
    ("the cat sat", "The cat cat sat down", {"same": 2, "changed": 1, "repeated": 1, "added": 1}),
    ("cats and a dog", "a dog and cats", {"same": 2, "reordered": 2}),
    ("so so it so", "it so much", {"same": 2, "missing": 2, "added": 1}),
    ("the cat sat there", "there sat a cat the", {"same": 1, "reordered": 3, "added": 1}),
]


@pytest.mark.parametrize(("gold", "system", "counts"), CASES)
def test_one_sentence(gold, system, counts):
    found = compare_words(gold.split(), system.split())
    assert {name: getattr(found, name) for name in NAMES if getattr(found, name)} == counts
    assert (found.gold, found.system) == (len(gold.split()), len(system.split()))
    assert found.is_faithful() == (gold == system)


words = st.lists(st.sampled_from(["a", "b", "the", "cat", "not", "can", "cannot"]), max_size=8)


def longest(gold: list[str], system: list[str]) -> int:
    """Words of a longest common sequence: every choice of gold words is looked for in the answer."""
    return max(
        size
        for size in range(len(gold) + 1)
        for chosen in combinations(gold, size)
        if all(word in rest for rest in [iter(system)] for word in chosen)
    )


@given(words, words)
def test_properties_of_all_answers(gold, system):
    found = compare_words(gold, system)
    assert found.same == longest(gold, system)
    assert found.gold == found.same + found.changed + found.reordered + found.missing
    assert found.is_faithful() == (gold == system)
    # Words that come in are at least those that gold has not so often.
    more = {word: system.count(word) - gold.count(word) for word in set(system)}
    assert found.added + found.repeated + found.changed <= found.gold + sum(max(0, n) for n in more.values())
    assert found.added <= sum(n for word, n in more.items() if word not in gold)
    assert all(getattr(found, name) >= 0 for name in NAMES)
    assert compare_words(gold, gold) == WordCounts(len(gold), len(gold), len(gold))


@given(words, st.sets(st.integers(0, 7)))
def test_words_left_out_are_missing(gold, places):
    system = [word for place, word in enumerate(gold) if place not in places]
    found = compare_words(gold, system)
    assert found.added == found.repeated == 0
    assert found.same + found.changed + found.reordered + found.missing == len(gold)


def test_words_that_are_too_many_for_a_common_sequence_are_reordered():
    words = [str(number) for number in range(1001)]
    for size, same in ((1000, 1), (1001, 0)):
        found = compare_words(words[:size], words[:size][::-1])
        assert (found.same, found.reordered) == (same, size - same)
        assert found.missing == found.added == found.changed == found.repeated == 0


def test_an_answer_that_goes_round_in_circles():
    gold = ["the", "old", "cat", "sat", "on", "the", "mat"]
    begin = time.process_time()
    found = compare_words(gold, gold * 20_000)
    assert (found.same + found.reordered, found.repeated) == (7, 7 * 19_999)
    assert time.process_time() - begin < 10
