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


def normalise(word: str, exceptions: Mapping[str, str] = NO_EXCEPTIONS) -> str:
    """The word as it is compared: lower case, blanks out, replaced by its exception if it has one.

    Final sigma counts as sigma, so that lower-casing does not depend on where words end.

    >>> normalise("Ca", {"ca": "can"}), normalise("ΟΔΟΣ")
    ('can', 'οδοσ')
    """
    word = word.lower()
    word = exceptions.get(word, word)
    if "ς" in word:
        word = word.replace("ς", "σ")
    if word.isalnum():
        return word
    return "".join(word.split())


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

    >>> word_units(["I", "ca", "n't"], ["I", "can", "not"])
    (Unit(gold_start=0, gold_end=1, system_start=0, system_end=1), Unit(gold_start=1, gold_end=3, system_start=1, system_end=3))
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
    ends = anchors([normalise(word, exceptions) for word in gold], [normalise(word, exceptions) for word in system])
    for gold_end, system_end in ends:
        units.append(Unit(i, gold_end, j, system_end))
        i, j = gold_end, system_end
    return tuple(units)


@lru_cache(maxsize=256)
def _one_to_one(n: int) -> tuple[Unit, ...]:
    return tuple(Unit(i, i + 1, i, i + 1) for i in range(n))
