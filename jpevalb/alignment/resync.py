"""Resync: where two texts that have fallen out of step agree again, however far ahead."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from .anchors import anchors, distance

KEY = 16
"""Characters of the shortest piece of text that may show where both files are."""

SHARE = 24
"""A character about one in so many is taken to cut texts into pieces."""

SURE = 300
"""Characters that are compared behind such a place."""

LEAST = 100
"""Characters of them that must be there, unless both texts end sooner."""

LIKE = 0.3
"""Edits for each character up to which they agree; unrelated text has 0.75 and more."""

_SAMPLE = 20_000
_BEHIND = 2_000


def resync(gold: Sequence[str], system: Sequence[str]) -> tuple[int, int] | None:
    """A boundary that both lists have near the first place from which their texts agree.

    Both texts are cut at a character that is neither common nor rare, so that the pieces
    are the same wherever sentences end.  Those that both texts have once are put into the
    longest order that holds on both sides (as in patience diff); the first of them
    behind which the texts agree tells the place.

    Args:
        gold: Texts of sentences.
        system: The same of the other file.

    Returns:
        How many sentences are before the boundary on both sides; ``None`` if there is
        no such place.

    Cost: O(n log n) for n characters, nearly all of it spent in ``str.split``.

    >>> text = [f"Sentence {n} tells of {n * n} quick brown foxes and {n} dogs." for n in range(50)]
    >>> resync(text[:9] + text[30:], text[30:])
    (10, 1)
    >>> resync(text[:9], text[30:])
    """
    a, b = "".join(gold), "".join(system)
    mark = _mark(a, b)
    if mark is None:
        return None
    for p, q in _chain(a, b, mark):
        if _agree(a, b, p, q):
            place = _boundary(gold, system, p, q)
            if place != (0, 0):
                return place
    return None


def _mark(a: str, b: str) -> str | None:
    """The character whose share of a sample is nearest to one in ``SHARE``."""
    counts: Counter[str] = Counter()
    for text in (a, b):
        counts.update(text[:: len(text) // _SAMPLE + 1])
    wanted = counts.total() / SHARE
    # Neither side's order may matter, nor that of the hashes.
    return min(
        counts,
        key=lambda char: (max(counts[char] / wanted, wanted / counts[char]), char),
        default=None,
    )


def _pieces(text: str, mark: str) -> tuple[list[str], list[int]]:
    pieces = text.split(mark)
    return pieces, [0, *accumulate([len(piece) + 1 for piece in pieces])]


def _chain(a: str, b: str, mark: str) -> list[tuple[int, int]]:
    """Places in both texts of pieces that each has once, ascending on both sides."""
    pieces, starts = _pieces(a, mark)
    others, other_starts = _pieces(b, mark)
    mine = _once(pieces)
    other = _once(others)
    # The pieces stand in the order of a; the longest run that ascends in b as well is wanted.
    links = [(starts[k], other_starts[other[piece]]) for piece, k in mine.items() if piece in other]
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
    chain: list[tuple[int, int]] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chain.append(links[at])
        at = before[at]
    chain.reverse()
    return chain


def _once(pieces: list[str]) -> dict[str, int]:
    """The place of each long piece that is there once, in their order."""
    found: dict[str, int] = {}
    for place, piece in enumerate(pieces):
        if len(piece) >= KEY:
            found[piece] = -1 if piece in found else place
    return {piece: place for piece, place in found.items() if place >= 0}


def _agree(a: str, b: str, p: int, q: int) -> bool:
    """Whether the texts behind two places are similar."""
    rest = min(len(a) - p, len(b) - q)
    if rest < LEAST and max(len(a) - p, len(b) - q) > 2 * LEAST:
        return False
    size = SURE if rest >= LEAST else 2 * LEAST
    if rest >= LEAST:
        size = min(size, rest)
    mine, other = a[p : p + size], b[q : q + size]
    limit = int(LIKE * max(len(mine), len(other)))
    return distance(mine, other, limit) <= limit


def _boundary(gold: Sequence[str], system: Sequence[str], p: int, q: int) -> tuple[int, int]:
    """The first boundary of both sides behind two places where they agree."""
    i, mine = _behind(gold, p)
    j, other = _behind(system, q)
    found = anchors(mine, other)
    # The last cut is there in any case.
    x, y = found[0]
    if len(found) == 1 and (i + x < len(gold) or j + y < len(system)):
        return i, j
    return i + x, j + y


def _behind(texts: Sequence[str], place: int) -> tuple[int, list[str]]:
    """The sentence that a place is in, and the texts from that place on, as far as is needed."""
    ends = list(accumulate(map(len, texts)))
    first = bisect_right(ends, place)
    last = bisect_left(ends, place + _BEHIND, first) + 1
    start = ends[first] - len(texts[first])
    return first, [texts[first][place - start :], *texts[first + 1 : last]]
