"""Alignment of input that has no good alignment: correct or reported, complete, and with a bounded search.

Time and memory cannot be tested by a clock on a busy machine.  What they depend on can: the pairs of
characters that the kernel is given, and the sentences that are held at once.
"""

from __future__ import annotations

import random
import unicodedata
from importlib import import_module

import pytest

from jpevalb import align, evaluate
from tests.support.aligned import check

solving = import_module("jpevalb.alignment.solve")


@pytest.fixture
def searched(monkeypatch):
    """The pairs of characters that the kernel was given, call by call."""
    found = []

    def counted(gold, system, *levels, search=solving.align_runs):
        found.append(len(gold) * len(system))
        return search(gold, system, *levels)

    monkeypatch.setattr(solving, "align_runs", counted)
    return found


def words(count: int, seed: int, alphabet: str = "abcdefghijklmnop") -> list[str]:
    rng = random.Random(seed)
    return ["".join(rng.choices(alphabet, k=rng.randint(2, 8))) for _ in range(count)]


def sentences(count: int, seed: int, alphabet: str = "abcdefghijklmnop") -> list[list[str]]:
    rng = random.Random(-seed)
    return [words(rng.randint(3, 25), seed * 10_000 + k, alphabet) for k in range(count)]


def bounded(searched, gold, system, per_character: int) -> None:
    characters = sum(len(word) for side in (gold, system) for some in side for word in some)
    assert all(cells <= solving.MOST for cells in searched)
    assert sum(searched) <= per_character * characters


def test_another_script_with_as_many_words_is_paired_by_place(searched):
    gold = sentences(400, 1)
    system = [["".join(chr(0x3B1 + ord(char) - 97) for char in word) for word in some] for some in gold]
    beads = align(gold, system)
    assert [(*bead.gold, *bead.system) for bead in beads] == [(i, i + 1, i, i + 1) for i in range(400)]
    assert all(bead.units == tuple((i, i + 1, i, i + 1) for i in range(len(bead.units))) for bead in beads)
    bounded(searched, gold, system, 2100)
    result = evaluate(["(S (A one) (B two) (C three))"] * 3, ["(S (A ена) (B два) (C три))"] * 3, metrics=())
    assert result.total.sentences.unlike == 3


def test_text_in_another_script_is_unpaired_and_reported(searched):
    gold, system = sentences(300, 1), sentences(260, 2, "αβγδεζηθικλμνξοπ")
    beads = align(gold, system)
    check(gold, system, beads)
    paired = [bead for bead in beads if bead.gold[0] < bead.gold[1] and bead.system[0] < bead.system[1]]
    assert len(paired) < 40
    bounded(searched, gold, system, 800)


@pytest.mark.parametrize(("n", "m"), [(1000, 1000), (1000, 700), (3, 900)])
def test_all_words_equal(searched, n, m):
    gold, system = [["la"] * 7] * n, [["la"] * 7] * m
    beads = align(gold, system)
    check(gold, system, beads)
    assert sum(bead.gold[1] - bead.gold[0] == bead.system[1] - bead.system[0] == 1 for bead in beads) == min(
        n, m
    )
    bounded(searched, gold, system, 2100)


def test_all_words_different(searched):
    gold = [[f"g{k}x{i}" for i in range(9)] for k in range(500)]
    system = [[f"s{k}y{i}" for i in range(9)] for k in range(500)]
    beads = align(gold, system)
    check(gold, system, beads)
    bounded(searched, gold, system, 2100)


@pytest.mark.slow
def test_one_sentence_against_very_many(searched):
    many = sentences(4_000, 3)
    for one in (many[700], [word for some in many[:800] for word in some], ["x"]):
        for gold, system in (([one], many), (many, [one])):
            beads = align(gold, system)
            check(gold, system, beads)
    assert all(cells <= solving.MOST for cells in searched)


def test_one_sentence_of_all_words_is_found_again(searched):
    many = sentences(800, 4)
    rng = random.Random(1)
    noisy = [rng.choice(many[0]) if rng.random() < 0.1 else word for some in many for word in some]
    (bead,) = align(many, [noisy])
    assert (bead.gold, bead.system) == ((0, 800), (0, 1))
    same = sum(unit[1] - unit[0] == unit[3] - unit[2] == 1 for unit in bead.units)
    assert same > 0.97 * len(noisy)
    assert sum(searched) < 60 * sum(map(len, noisy))


def test_a_token_of_a_million_characters(searched):
    rng = random.Random(2)
    long = "".join(rng.choices("abcdefgh", k=1_000_000))
    gold = [["the", long, "end"], ["so", "it", "goes"]]
    for other in (long, long[:500_000] + "x" + long[500_001:], long[::-1], "short"):
        system = [["the", other, "end"], ["so", "it", "goes"]]
        beads = align(gold, system)
        check(gold, system, beads)
        assert beads[-1].gold[1] == beads[-1].system[1] == 2
        if other == long:
            assert len(beads) == 2
    assert all(cells <= solving.MOST for cells in searched)


@pytest.mark.parametrize("seed", range(4))
def test_empty_sentences_anywhere(searched, seed):
    rng = random.Random(seed)
    gold, system = sentences(200, 5), sentences(200, 5)
    for side in (gold, system):
        for place in rng.sample(range(200), 60):
            side.insert(place, [])
        for place in rng.sample(range(200), 30):
            side[place] = []
    beads = align(gold, system)
    check(gold, system, beads)
    # A sentence that the other side has not lost too goes with its copy.
    both = {tuple(some) for some in gold if some} & {tuple(some) for some in system if some}
    found = {
        tuple(gold[bead.gold[0]])
        for bead in beads
        if bead.gold[1] - bead.gold[0] == bead.system[1] - bead.system[0] == 1
        and gold[bead.gold[0]] == system[bead.system[0]]
    }
    assert both <= found
    assert all(cells <= solving.MOST for cells in searched)


def test_mixed_normal_forms_are_one_text(searched):
    rng = random.Random(6)
    text = sentences(120, 6, "éàüñçõåž한글나라시말")
    forms = ["NFC", "NFD", "NFKC", "NFKD"]
    gold, system = (
        [[unicodedata.normalize(rng.choice(forms), word) for word in some] for some in text] for _ in range(2)
    )
    beads = align(gold, system)
    assert [(*bead.gold, *bead.system) for bead in beads] == [(i, i + 1, i, i + 1) for i in range(120)]
    assert all(len(bead.units) == len(some) for bead, some in zip(beads, text))
    assert searched == []
