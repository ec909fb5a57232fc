"""Words: which tokens of a gold sentence stand for which tokens of the system's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from .anchors import anchors

NO_EXCEPTIONS: Mapping[str, str] = {}


class Unit(NamedTuple):
    """Tokens of both sides that stand for each other: half-open token ranges inside a bead."""

    gold_start: int
    gold_end: int
    system_start: int
    system_end: int


def compared(words: Sequence[str], exceptions: Mapping[str, str] = NO_EXCEPTIONS) -> list[str]:
    """The words as they are compared: lower case, replaced by their exceptions, blanks out.

    Final sigma counts as sigma: else lower-casing would depend on where a word ends.

    Cost: O(characters).

    >>> compared(["Ca", "n't", "ΟΔΟΣ"], {"ca": "can"})
    ['can', "n't", 'οδοσ']
    """
    lowered = [word.lower() for word in words]
    if exceptions:
        get = exceptions.get
        lowered = [get(word, word) for word in lowered]
    text = "".join(lowered)
    if "ς" in text:
        lowered = [word.replace("ς", "σ") for word in lowered]
    if len(text.split(None, 1)) > 1 or text[:1].isspace() or text[-1:].isspace():
        lowered = ["".join(word.split()) for word in lowered]
    return lowered


def word_units(
    gold: Sequence[str], system: Sequence[str], exceptions: Mapping[str, str] = NO_EXCEPTIONS
) -> tuple[Unit, ...]:
    """Aligns the tokens of a bead: units in order that hold every token of both sides once.

    Args:
        gold: The bead's gold tokens.
        system: The bead's system tokens.
        exceptions: Lower-case tokens and what they are read as.

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
    units = []
    i = j = 0
    for gold_end, system_end in anchors(compared(gold, exceptions), compared(system, exceptions)):
        units.append(Unit(i, gold_end, j, system_end))
        i, j = gold_end, system_end
    return tuple(units)


@lru_cache(maxsize=256)
def _one_to_one(n: int) -> tuple[Unit, ...]:
    return tuple(Unit(i, i + 1, i, i + 1) for i in range(n))
