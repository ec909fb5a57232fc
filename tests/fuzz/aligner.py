"""Fuzzes the aligner: every sentence is in one bead, every word in one unit or in none, in order."""

from __future__ import annotations

from .driver import Choices, instrumented, main
from .text import WORDS, changed, words

with instrumented():
    from jpevalb import Tree, align
    from jpevalb.alignment.exceptions import exceptions_of, languages
    from jpevalb.alignment.solve import word_units
    from tests.support.aligned import check, check_units

ALPHABETS = ("ab", "a", "abcdefgh", "가나다", "\u05d0\u05d1", "e\u0301", "İiIı", "ſSsß")


def target(choices: Choices) -> None:
    gold, system = _texts(choices)
    lang = choices.pick(("en", "none", *languages()))
    beads = align([_tree(some) for some in gold], [_tree(some) for some in system], lang=lang)
    check(gold, system, beads)
    assert all(len(gold[slice(*bead.gold)]) + len(system[slice(*bead.system)]) for bead in beads)
    some, others = _joined(gold), _joined(system)
    units = word_units(some, others, exceptions_of(lang))
    check_units(units, len(some), len(others))
    if some == others:
        assert all(unit.gold_end == unit.gold_start + 1 for unit in units)


def _texts(choices: Choices) -> tuple[list[list[str]], list[list[str]]]:
    if choices.flag(3):
        # One alphabet and cuts at any place: short strings that repeat.
        alphabet = choices.pick(ALPHABETS)
        return (
            [
                choices.several([s * (1 + k) for s in alphabet for k in range(3)], 6)
                for _ in range(choices.number(6))
            ],
            [
                choices.several([s * (1 + k) for s in alphabet for k in range(3)], 6)
                for _ in range(choices.number(6))
            ],
        )
    gold = [words(choices, 7) for _ in range(choices.number(9))]
    system = [changed(choices, some) for some in gold if not choices.flag(12)]
    place = 0
    while place < len(system):
        if choices.flag(6) and place + 1 < len(system):
            system[place : place + 2] = [system[place] + system[place + 1]]
        elif choices.flag(6) and len(system[place]) > 1:
            cut = 1 + choices.number(len(system[place]) - 2)
            system[place : place + 1] = [system[place][:cut], system[place][cut:]]
            place += 1
        elif choices.flag(15):
            system.insert(place, choices.several(WORDS, 5))
        place += 1
    return gold, system


def _joined(parts: list[list[str]]) -> list[str]:
    return [word for part in parts for word in part]


def _tree(some: list[str]) -> Tree:
    return Tree.build(["S"], [-1], some, [0] * len(some)) if some else Tree.parse("")


if __name__ == "__main__":
    main(target)
