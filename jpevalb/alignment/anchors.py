"""Anchors: token starts with the same unique text on both sides, which every path must contain."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate, islice
from operator import lt
from typing import TypeAlias

from ..kernels import path as kernel
from .run import CharacterRun

GRAM = 16  # length in characters of an anchor's text
BLOCK = 5  # minimum length in characters of a block with an anchor of edits
REST = 2  # minimum number of characters behind such an anchor in its block
AROUND = 60  # number of characters before and behind such an anchor that are examined
SHARE = 0.65  # minimum share of equal ones among them: 0.5 pairs unrelated texts
TokenPair: TypeAlias = tuple[int, int]  # numbers of gold and of system tokens


def anchors(gold: CharacterRun, system: CharacterRun, piece: tuple[int, int, int, int]) -> list[TokenPair]:
    """Return token starts, ascending, whose next :data:`GRAM` characters are unique on both sides and equal.

    ``piece`` has the first gold and system token, and the ends (last token + 1).
    """
    i, j, n, m = piece
    system_grams = grams(system, j, m)
    # A gram that occurs several times has -1 in place of its token.
    links = [
        (k, other)
        for text, k in grams(gold, i, n).items()
        if k >= 0 and (other := system_grams.get(text, -1)) >= 0
    ]
    return [link for link in longest_chain(links) if link != (i, j)]


def edit_anchors(
    gold: CharacterRun, system: CharacterRun, piece: tuple[int, int, int, int]
) -> list[TokenPair]:
    """Return token starts on both sides within equal blocks of the fewest edits of both texts.

    Chance makes short blocks equal, so most characters around an anchor have to be in equal blocks.
    Memory is linear in both texts.
    """
    # Imported late: most files need no search.
    from rapidfuzz.distance import Levenshtein

    i, j, n, m = piece
    p, q = gold.starts[i], system.starts[j]
    pair = gold.text[p : gold.starts[n]], system.text[q : system.starts[m]]
    blocks = Levenshtein.opcodes(*pair).as_matching_blocks()
    gold_flags, system_flags = map(bytearray, map(len, pair))
    for block in blocks:
        gold_flags[block.a : block.a + block.size] = b"\1" * block.size
        system_flags[block.b : block.b + block.size] = b"\1" * block.size
    gold_equal, system_equal = ([0, *accumulate(flags)] for flags in (gold_flags, system_flags))
    system_tokens = {start - q: number for number, start in enumerate(system.starts[j + 1 : m], j + 1)}
    links = []
    for block in blocks:
        first = bisect_left(gold.starts, p + block.a, i + 1, n)
        last = bisect_right(gold.starts, p + block.a + block.size - REST, first, n)
        for number in range(first, last if block.size >= BLOCK else first):
            start = gold.starts[number] - p
            at = start - block.a + block.b
            if at in system_tokens and _mostly_equal(gold_equal, start) and _mostly_equal(system_equal, at):
                links.append((number, system_tokens[at]))
                break
    return links


def _mostly_equal(sums: Sequence[int], at: int) -> bool:
    """Return True if most characters around a position are equal; ``sums`` are prefix counts of these."""
    low, high = max(0, at - AROUND), min(len(sums) - 1, at + AROUND)
    return sums[high] - sums[low] >= SHARE * (high - low)


def grams(run: CharacterRun, begin: int, end: int) -> dict[str, int]:
    """Return the token that each text of :data:`GRAM` characters starts at; -1 if it occurs again.

    The texts lie inside one sentence: the text across a sentence end is different on the other side if a
    sentence was dropped or doubled.
    """
    result: dict[str, int] = kernel.grams(run.text, run.starts, run.ends, begin, end, GRAM)
    return result


def longest_chain(links: Sequence[TokenPair]) -> list[TokenPair]:
    """Return the longest subsequence of links that ascends on both sides, in O(n log n).

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
    chain: list[TokenPair] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chain.append(links[at])
        at = before[at]
    chain.reverse()
    return chain
