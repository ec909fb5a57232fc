"""Anchors: cuts lie on an alignment with fewest edits, and none is lost where the characters are equal."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jpevalb.alignment.anchors import anchors, refine


def edits(a: str, b: str) -> int:
    """Levenshtein's distance, by the book."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        corner, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (x != y))
    return row[-1]


def ends(strings: list[str]) -> set[int]:
    places = {0}
    for string in strings:
        places.add(max(places) + len(string))
    return places


def cut(text: str, places: list[int]) -> list[str]:
    bounds = [0, *sorted({place % (len(text) + 1) for place in places}), len(text)]
    return [text[a:b] for a, b in itertools.pairwise(bounds) if a < b]


strings = st.lists(st.text("abc", max_size=4), max_size=7)
texts = st.text("abcd", min_size=1, max_size=30)
places = st.lists(st.integers(0, 40), max_size=8)


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        ("", "a b", []),
        ("a b", "", []),
        ("a", "a", [(1, 1)]),
        ("a b", "ab", [(2, 1)]),
        ("a", "x y z", [(1, 3)]),
        ("ca n't", "can not", [(2, 2)]),
        ("can not", "can not", [(1, 1), (2, 2)]),
        ("B H CL FL HM H NEIM", "B CL FL HM HNEIM", [(1, 1), (3, 2), (4, 3), (5, 4), (7, 5)]),
        # A token that only one side has joins the next one, or the last one at the end.
        ("want to go", "want go", [(1, 1), (3, 2)]),
        ("want go", "want to go", [(1, 1), (2, 3)]),
        ("we go now", "we go", [(1, 1), (3, 2)]),
        # "and" and "said" end alike: the whole word is the one that is missing.
        ("x said and left", "y said left", [(1, 1), (2, 2), (4, 3)]),
        ("x said left", "y said and left", [(1, 1), (2, 2), (3, 4)]),
        # A misspelt word, and one that was replaced.
        ("the colour is", "the color is", [(1, 1), (2, 2), (3, 3)]),
        ("a dog ran", "a cat ran", [(1, 1), (2, 2), (3, 3)]),
    ],
)
def test_known_pairs(gold, system, expected):
    assert anchors(gold.split(), system.split()) == expected


@given(texts, places, places)
def test_equal_characters_are_cut_at_every_common_boundary(text, first, second):
    gold, system = cut(text, first), cut(text, second)
    common = sorted((ends(gold) & ends(system)) - {0})
    found = [("".join(gold[:i]), "".join(system[:j])) for i, j in anchors(gold, system)]
    assert found == [(text[:place], text[:place]) for place in common]


@given(strings, strings)
def test_pieces_hold_every_string_once_and_cuts_cost_nothing(gold, system):
    found = anchors(gold, system)
    if not gold or not system:
        assert found == []
        return
    assert found[-1] == (len(gold), len(system))
    total = edits("".join(gold), "".join(system))
    i = j = 0
    for x, y in found:
        assert x > i
        assert y > j
        i, j = x, y
    for x, y in found[:-1]:
        head = edits("".join(gold[:x]), "".join(system[:y]))
        assert head + edits("".join(gold[x:]), "".join(system[y:])) == total


@given(texts, places, places, st.lists(st.integers(0, 7), max_size=2))
def test_missing_strings_cost_no_other_cut(text, first, second, missing):
    """Cuts stay valid where tokens of one side are missing: each lies on a best alignment."""
    gold = cut(text, first)
    system = [piece for k, piece in enumerate(cut(text, second)) if k not in missing]
    pieces = anchors(gold, system)
    pieces_cost = 0
    i = j = 0
    for x, y in pieces:
        pieces_cost += edits("".join(gold[i:x]), "".join(system[j:y]))
        i, j = x, y
    if gold and system:
        assert pieces_cost == edits("".join(gold), "".join(system))


@given(strings, strings, st.integers(0, 2))
def test_refined_pieces_are_finer_and_cost_hardly_more(gold, system, slack):
    coarse = anchors(gold, system)
    fine = refine(gold, system, coarse, slack=slack, alone=0.25)
    assert set(coarse) <= set(fine)
    assert fine == sorted(fine)
    assert len(set(fine)) == len(fine)
    cost, room = 0, 0.0
    i = j = 0
    for x, y in fine:
        a, b = "".join(gold[i:x]), "".join(system[j:y])
        cost += edits(a, b)
        room += 0.25 * len(a + b) if not (x - i and y - j) else slack
        i, j = x, y
    assert cost <= edits("".join(gold), "".join(system)) + room


def test_refining_sets_apart_what_has_no_counterpart():
    gold = ["thefirst.", "amissingone!", "thethird."]
    system = ["thefirst.", "thethird."]
    fine = refine(gold, system, [(3, 2)], slack=1, alone=0.25)
    assert fine == [(1, 1), (2, 1), (3, 2)]
    mirrored = refine(system, gold, [(2, 3)], slack=1, alone=0.25)
    assert mirrored == [(y, x) for x, y in fine]


def test_refining_leaves_a_moved_string_inside():
    assert refine(["said.", "but"], ["said", ".but"], [(2, 2)], slack=1, alone=0.25) == [(2, 2)]


def test_refining_finds_another_alignment_with_as_few_edits():
    # The one of two equal words that was lost may be the one before the boundary.
    assert refine(["goa", "ab"], ["goa", "b"], [(2, 2)], slack=0, alone=0.25) == [(1, 1), (2, 2)]
