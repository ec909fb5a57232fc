"""Fuzzes the aligner: whatever the texts are, every sentence and every word is in one bead and one unit."""

from __future__ import annotations

from .driver import Choices, instrumented, main
from .text import WORDS, changed, words

with instrumented():
    from jpevalb import Tree, align
    from jpevalb.alignment.exceptions import languages, load_exceptions
    from jpevalb.alignment.solve import word_units

ALPHABETS = ("ab", "a", "abcdefgh", "가나다", "\u05d0\u05d1", "e\u0301", "İiIı", "ſSsß")


def target(choices: Choices) -> None:
    gold, system = _texts(choices)
    lang = choices.pick(("en", "none", *languages()))
    beads = align([_tree(some) for some in gold], [_tree(some) for some in system], lang=lang)
    _check_beads(beads, gold, system)
    units = word_units(_joined(gold), _joined(system), load_exceptions(lang))
    _check_units(units, _joined(gold), _joined(system))


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


def _check_beads(beads: list, gold: list[list[str]], system: list[list[str]]) -> None:
    at = [0, 0]
    for bead in beads:
        for side, (begin, end) in enumerate((bead.gold, bead.system)):
            assert begin == at[side], beads
            assert end >= begin
            at[side] = end
        assert bead.gold[1] > bead.gold[0] or bead.system[1] > bead.system[0]
        _check_units(
            bead.units,
            _joined(gold[bead.gold[0] : bead.gold[1]]),
            _joined(system[bead.system[0] : bead.system[1]]),
        )
    assert at == [len(gold), len(system)], beads


def _check_units(units, gold: list[str], system: list[str]) -> None:
    i = j = 0
    for unit in units:
        assert (unit.gold_start, unit.system_start) == (i, j)
        assert unit.gold_end > i or unit.system_end > j
        i, j = unit.gold_end, unit.system_end
    assert (i, j) == (len(gold), len(system))
    if gold == system:
        assert all(unit.gold_end == unit.gold_start + 1 for unit in units)


if __name__ == "__main__":
    main(target)
