"""Words: which tokens of a gold sentence stand for which tokens of the system's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

NO_EXCEPTIONS: Mapping[str, str] = MappingProxyType({})


class Unit(NamedTuple):
    """Tokens of both sides that stand for each other: half-open token ranges inside a bead."""

    gold_start: int
    gold_end: int
    system_start: int
    system_end: int


def plain(words: Sequence[str]) -> list[str]:
    """The words in the form in which they are compared: lower case, without blanks.

    Final sigma counts as sigma: else lower-casing would depend on where a word ends.

    Cost: O(characters).

    >>> plain(["Ca", "n't", "ΟΔΟΣ", "New York"])
    ['ca', "n't", 'οδοσ', 'newyork']
    """
    lowered = [word.lower() for word in words]
    text = "".join(lowered)
    if "ς" in text:
        lowered = [word.replace("ς", "σ") for word in lowered]
    if text.split(None, 1) != [text]:
        lowered = ["".join(word.split()) for word in lowered]
    return lowered


def replaced(words: list[str], exceptions: Mapping[str, str]) -> list[str]:
    """Plain words, each replaced by its entry in the exception list if it has one.

    The very list that was given, if there is nothing to replace.
    """
    if not exceptions or exceptions.keys().isdisjoint(words):
        return words
    return [exceptions.get(word, word) for word in words]


def word_units(
    gold: Sequence[str], system: Sequence[str], exceptions: Mapping[str, str] = NO_EXCEPTIONS
) -> tuple[Unit, ...]:
    """Aligns the tokens of a bead: units in order that hold every token of both sides once.

    Tokens are read as the exception list says, unless the two sides are nearer to each
    other as they are written: a list cannot know how its tokens may be cut ("can't").

    Args:
        gold: The bead's gold tokens.
        system: The bead's system tokens.
        exceptions: Plain tokens and what they are read as.

    Returns:
        The units.  If one side has no token, each token of the other is a unit.

    Cost: O(tokens) for equal lists, else O(n * m / 64) for n and m characters.

    >>> word_units(["I", "ca", "n't"], ["I", "can", "not"])[1:]
    (Unit(gold_start=1, gold_end=3, system_start=1, system_end=3),)
    """
    n, m = len(gold), len(system)
    if n == m and (gold == system or list(gold) == list(system)):
        return _one_to_one(n) if n <= 256 else tuple(Unit(i, i + 1, i, i + 1) for i in range(n))
    if not m:
        return tuple(Unit(i, i + 1, 0, 0) for i in range(n))
    if not n:
        return tuple(Unit(0, 0, j, j + 1) for j in range(m))
    # Only where words differ: rapidfuzz costs as long to load as everything else here.
    from .anchors import anchors, distance

    mine, other = plain(gold), plain(system)
    read_mine, read_other = replaced(mine, exceptions), replaced(other, exceptions)
    if read_mine is not mine or read_other is not other:
        a, b = "".join(mine), "".join(other)
        if a != b and distance("".join(read_mine), "".join(read_other)) <= distance(a, b):
            mine, other = read_mine, read_other
    units = []
    i = j = 0
    for gold_end, system_end in anchors(mine, other):
        units.append(Unit(i, gold_end, j, system_end))
        i, j = gold_end, system_end
    return tuple(units)


@lru_cache(maxsize=256)
def _one_to_one(n: int) -> tuple[Unit, ...]:
    """The units of equal lists of ``n`` tokens, made once for each length that is usual."""
    return tuple(Unit(i, i + 1, i, i + 1) for i in range(n))
