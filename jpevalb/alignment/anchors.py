"""Anchors: token starts with the same text, unique on both sides, through which a path has to go."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import islice, pairwise
from math import sqrt
from operator import lt
from typing import TypeAlias

from ..kernels import path as kernel
from .run import CharacterRun, fits

GRAM = 16  # length in characters of an anchor's text
REACH = 500  # characters on either side of a jump that may influence its exact position
CHANCE = 4  # a chain of shorter anchors must have CHANCE * sqrt(links) links; chance gives 2 * sqrt(links)
JUMP = 16  # difference in characters between two anchors that makes their positions doubtful
SHIFT = 2  # maximum difference between the positions of a shared text in two tokens that it links
TokenPair: TypeAlias = tuple[int, int]  # numbers of gold and of system tokens


def anchors(
    gold: CharacterRun, system: CharacterRun, piece: tuple[int, int, int, int], gram: int
) -> list[TokenPair]:
    """Return the starts of texts that both sides have once, ascending on both sides.

    ``piece`` has the first gold and system token and those behind the last.  Grams shorter than :data:`GRAM`
    count only if more of them are in order than by chance.
    """
    i, j, n, m = piece
    for inside in (True, False):
        links = kernel.links(grams(gold, i, n, gram, inside=inside), grams(system, j, m, gram, inside=inside))
        chain = longest_chain(links)
        if gram == GRAM:
            chain = _without_doubtful(gold, system, chain)
        elif len(chain) <= CHANCE * sqrt(len(links)):
            continue
        else:
            chain = without_lone(gold, system, chain)
        return [link for link in kernel.thinned(gold.parts, system.parts, chain) if link != (i, j)]
    return []


def anchors_inside_tokens(
    gold: CharacterRun, system: CharacterRun, piece: tuple[int, int, int, int]
) -> list[TokenPair]:
    """Return pairs of tokens that share a text which both sides have once."""
    i, j, n, m = piece
    for size in (GRAM // 2, GRAM // 4):
        found = []
        for run, begin, end in ((gold, i, n), (system, j, m)):
            starts = run.starts[begin : end + 1]
            every = range(starts[-1] + 1)
            found.append(kernel.grams(run.text, every, starts, starts[0], starts[-1], size))
        links = kernel.links(*found)
        chain = longest_chain(links)
        if len(chain) <= CHANCE * sqrt(len(links)):
            continue
        pairs = [(i, j)]
        for p, q in chain:
            a, b = bisect_right(gold.starts, p) - 1, bisect_right(system.starts, q) - 1
            shift = p - gold.starts[a] - q + system.starts[b]
            if a > pairs[-1][0] and b > pairs[-1][1] and abs(shift) <= SHIFT:
                pairs.append((a, b))
        return without_lone(gold, system, pairs[1:])
    return []


def without_lone(gold: CharacterRun, system: CharacterRun, chain: list[TokenPair]) -> list[TokenPair]:
    """Drop single anchors far from a diagonal that the anchors before and after them share."""
    offsets = [gold.starts[i] - system.starts[j] for i, j in chain]
    kept = chain[:1]
    for link, before, here, after in zip(chain[1:], offsets, offsets[1:], offsets[2:]):
        distance = min(abs(here - before), abs(here - after))
        if distance < JUMP or 2 * abs(after - before) >= distance:
            kept.append(link)
    return kept + chain[1:][-1:]


def grams(run: CharacterRun, begin: int, end: int, size: int, *, inside: bool) -> dict[str, int]:
    """Return the token that each text of ``size`` characters starts at; -1 if it occurs again.

    With ``inside`` a text must lie inside one sentence: the text across a sentence end is different on the
    other side if a sentence was dropped or doubled.
    """
    ends = run.ends if inside else [begin, end]
    result: dict[str, int] = kernel.grams(run.text, run.starts, ends, begin, end, size)
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


def _without_doubtful(gold: CharacterRun, system: CharacterRun, chain: list[TokenPair]) -> list[TokenPair]:
    """Drop anchors near a jump, so that the kernel decides which copy of a repeated text matches."""
    gold_starts, system_starts = gold.starts, system.starts
    offsets = [gold_starts[i] - system_starts[j] for i, j in chain]
    jumps = [k for k, (previous, offset) in enumerate(pairwise(offsets), 1) if abs(offset - previous) >= JUMP]
    if not jumps:
        return chain
    positions = [(gold_starts[i], system_starts[j]) for i, j in chain]
    doubtful = [False] * len(chain)
    for previous, jump, following in zip([0, *jumps], jumps, [*jumps[1:], len(chain)]):
        (gold_before, system_before), (gold_after, system_after) = positions[jump - 1], positions[jump]
        reach = min(REACH, abs(gold_after - gold_before - system_after + system_before))
        # The anchors between two jumps keep their middle, unless there is only one.
        left = min(reach, (gold_before - positions[previous][0]) // 3)
        right = min(reach, (positions[following - 1][0] - gold_after) // 3)
        if not fits(gold_after - gold_before + left + right, system_after - system_before + left + right):
            continue
        k = jump - 1
        while k >= previous and positions[k][0] >= gold_before - left:
            doubtful[k] = True
            k -= 1
        k = jump
        while k < following and positions[k][0] <= gold_after + right:
            doubtful[k] = True
            k += 1
    return [link for link, doubt in zip(chain, doubtful) if not doubt]
