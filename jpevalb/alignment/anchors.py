"""Anchors: places where a text starts that both sides have once, so that a path has to go through them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import islice, pairwise
from math import sqrt
from operator import lt
from typing import TypeAlias

from ..kernels import path as _core
from .run import Run, fits

GRAM = 16
"""Characters of an anchor: text that both sides have once."""

REACH = 500
"""Characters on either side of a jump that its place may depend on."""

CHANCE = 4
"""How many times the root of the number of links a chain of shorter anchors is long; chance gives 2."""

JUMP = 16
"""Characters that one side has more between two anchors from which their place is in doubt."""

Place: TypeAlias = tuple[int, int]
"""Numbers of gold and of system tokens."""


def anchors(gold: Run, system: Run, piece: tuple[int, int, int, int], gram: int) -> list[Place]:
    """Places where a gram starts that both sides have once, ascending on both sides.

    Args:
        gold: Gold's run.
        system: The system's run.
        piece: The first token of either side and the token behind the last of either.
        gram: Characters of a gram; shorter ones than :data:`GRAM` count only where more of them are in
            one order than chance gives.

    Cost: O(n log n) for n characters of the piece.
    """
    i, j, n, m = piece
    for inside in (True, False):
        mine = grams(gold, i, n, gram, inside=inside)
        other = grams(system, j, m, gram, inside=inside)
        links = _core.links(mine, other)
        chain = longest_chain(links)
        if gram == GRAM:
            chain = _sure(gold, system, chain)
        elif len(chain) <= CHANCE * sqrt(len(links)):
            continue
        return [place for place in _core.thinned(gold.parts, system.parts, chain) if place != (i, j)]
    return []


def grams(run: Run, begin: int, end: int, size: int, *, inside: bool) -> dict[str, int]:
    """For each text of so many characters at the start of a token its number; -1 if it comes again.

    Args:
        run: The run.
        begin: The first token.
        end: The token after the last.
        size: Characters of a gram.
        inside: Whether it must lie inside one sentence: what follows a sentence end is another copy
            where a sentence was dropped or doubled.
    """
    ends = run.ends if inside else [begin, end]
    found: dict[str, int] = _core.grams(run.text, run.starts, ends, begin, end, size)
    return found


def longest_chain(links: Sequence[Place]) -> list[Place]:
    """The longest part of some links, which ascend on the first side, that ascends on the other side too.

    Cost: O(n log n).

    >>> longest_chain([(0, 5), (1, 1), (2, 2), (3, 9), (4, 3)])
    [(1, 1), (2, 2), (4, 3)]
    """
    seconds = [q for _, q in links]
    if all(map(lt, seconds, islice(seconds, 1, None))):
        return list(links)
    tops: list[int] = []
    ends: list[int] = []
    before = [-1] * len(links)
    for number, (_, q) in enumerate(links):
        height = bisect_left(tops, q)
        if height:
            before[number] = ends[height - 1]
        if height == len(tops):
            tops.append(q)
            ends.append(number)
        else:
            tops[height] = q
            ends[height] = number
    chain: list[Place] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chain.append(links[at])
        at = before[at]
    chain.reverse()
    return chain


def _sure(gold: Run, system: Run, chain: list[Place]) -> list[Place]:
    """Leaves out anchors near a jump: which copy a text goes with is for the kernel to find out."""
    mine, other = gold.starts, system.starts
    moves = [mine[i] - other[j] for i, j in chain]
    jumps = [k for k, (before, move) in enumerate(pairwise(moves), 1) if abs(move - before) >= JUMP]
    if not jumps:
        return chain
    spots = [(mine[i], other[j]) for i, j in chain]
    doubtful = [False] * len(chain)
    for before, at, behind in zip([0, *jumps], jumps, [*jumps[1:], len(chain)]):
        (p, q), (r, s) = spots[at - 1], spots[at]
        reach = min(REACH, abs(r - p - s + q))
        # What stands between two jumps keeps its middle, unless it is a single anchor.
        left = min(reach, (p - spots[before][0]) // 3)
        right = min(reach, (spots[behind - 1][0] - r) // 3)
        if not fits(r - p + left + right, s - q + left + right):
            continue
        k = at - 1
        while k >= before and spots[k][0] >= p - left:
            doubtful[k] = True
            k -= 1
        k = at
        while k < behind and spots[k][0] <= r + right:
            doubtful[k] = True
            k += 1
    return [place for place, doubt in zip(chain, doubtful) if not doubt]
