"""Pieces: a stretch of sentences whose ends are known, cut into beads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from .anchors import anchors, distance, refine

SLACK = 1
"""Edits that a cut may cost more than the alignment without it.

A word dropped at the end of one sentence and a letter added at the start of the next
are one edit less when they are read as a substitution over the boundary."""

ALONE = 0.25
"""Edits for each character that setting a sentence apart may cost: an eighth of it may match by chance."""

UNLIKE = 0.65
"""Edits over the longer text's length from which two texts have nothing to do with each other:
unrelated English has 0.75 to 0.8, a text with every other letter wrong about 0.5."""

Sizes: TypeAlias = list[tuple[int, int]]
"""Numbers of gold and of system sentences, one pair for each piece or bead."""


class Texts(NamedTuple):
    """Sentences of one file in a row."""

    read: Sequence[str]
    """Their texts, with exceptions replaced."""
    written: Sequence[str]
    """The same without that."""

    def part(self, begin: int, end: int) -> Texts:
        """Some of them."""
        return Texts(self.read[begin:end], self.written[begin:end])


def cut(gold: Texts, system: Texts) -> Sizes:
    """Cuts a stretch wherever both sides have a boundary at the same place of their text.

    Cost: O(n * m / 64) for n and m characters.
    """
    if not gold.read or not system.read:
        return [(len(gold.read), len(system.read))]
    mine, other = gold.read, system.read
    if gold.written != mine or system.written != other:
        a, b = "".join(gold.written), "".join(system.written)
        if distance(a, b) < distance("".join(mine), "".join(other)):
            mine, other = gold.written, system.written
    sizes: Sizes = []
    i = j = 0
    for x, y in refine(mine, other, anchors(mine, other), slack=SLACK, alone=ALONE):
        sizes.append((x - i, y - j))
        i, j = x, y
    return sizes


def without_last(sizes: Sizes) -> Sizes:
    """The pieces of a stretch that goes on, less the last one, which may be cut short.

    All of them where that leaves less than half: a long text without a cut would be
    read over and over.
    """
    kept = sum(map(sum, sizes[:-1]))
    return sizes[:-1] if kept >= sum(sizes[-1]) else sizes


def beads_of(sizes: Sizes, gold: Texts, system: Texts, *, strict: bool = False) -> Sizes:
    """The beads of pieces: sentences without a counterpart are a bead each.

    A sentence and a blank that stands in its place are one bead.

    Args:
        sizes: The pieces.
        gold: Sentences that they begin with.
        system: The same of the other side.
        strict: Whether a piece whose texts are unlike is two sentences without a counterpart.
    """
    beads: Sizes = []
    n = m = i = j = 0
    # Whether the open run of pieces without a counterpart has text on either side.
    before = (False, False)
    for x, y in sizes:
        mine, other = any(gold.read[i : i + x]), any(system.read[j : j + y])
        alone = not x or not y or mine != other
        if not alone and strict and mine and _unlike(gold, system, i, j, x, y):
            beads += [*_apart(n, m), *_apart(x, 0), *_apart(0, y)]
            n = m = 0
        elif not alone:
            beads += [*_apart(n, m), (x, y)]
            n = m = 0
        else:
            after = mine or before[0], other or before[1]
            if not (n or m):
                before = mine, other
            elif all(after):
                beads += _apart(n, m)
                n = m = 0
                before = mine, other
            else:
                before = after
            n, m = n + x, m + y
        i, j = i + x, j + y
    return beads + _apart(n, m)


def _apart(n: int, m: int) -> Sizes:
    """Each sentence by itself, or with the blank in its place."""
    pairs = min(n, m)
    return [(1, 1)] * pairs + [(1, 0)] * (n - pairs) + [(0, 1)] * (m - pairs)


def _unlike(gold: Texts, system: Texts, i: int, j: int, n: int, m: int) -> bool:
    a, b = "".join(gold.read[i : i + n]), "".join(system.read[j : j + m])
    limit = int(UNLIKE * max(len(a), len(b)))
    return distance(a, b, limit) > limit
