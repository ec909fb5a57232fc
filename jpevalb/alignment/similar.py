"""Similar: whether two sides of a bead are nearly the same text, or have anything to do with each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..trees.words import NO_EXCEPTIONS, read_as, texts
from .anchors import GRAM, grams
from .beads import Piece
from .run import Run

LONG = 100_000
"""Characters from which the edits of the alignment are counted: to find the fewest would take minutes."""

HINT = 31
"""Edits that are expected: for texts that are nearly equal that makes the cost linear in their length."""


LIKE = 0.35
"""Share of equal characters from which two sentences have to do with each other: of unrelated
English sentences 99 % have less than 0.34, of those with 30 % word errors 95 % more than 0.53."""


def share_of_equal(gold: Sequence[str], system: Sequence[str], equal: int) -> float:
    """The share of characters that an alignment pairs with equal ones, of the longer text.

    Args:
        gold: Gold words.
        system: The system's words.
        equal: How many pairs of equal characters there are.

    Returns:
        From 0 to 1; 1 where neither side has text.

    >>> share_of_equal(["a", "barn"], ["a", "bar"], 4)
    0.8
    """
    longest = max(sum(map(len, texts(gold))), sum(map(len, texts(system))))
    # As the exceptions say, a text may be longer than as it is written.
    return min(1.0, equal / longest) if longest else 1.0


def is_similar(
    gold: Sequence[str],
    system: Sequence[str],
    ratio: float,
    exceptions: Mapping[str, str] = NO_EXCEPTIONS,
    equal: int | None = None,
    sizes: tuple[int, int] | None = None,
) -> bool:
    """Whether the edit distance of two texts is at most a share of the gold text's length.

    The texts are those that are compared, as they are written or as the exceptions say.

    Args:
        gold: Gold words.
        system: The system's words.
        ratio: The share, in [0, 1].
        exceptions: Comparison texts of tokens and what they are read as.
        equal: Pairs of equal characters in some alignment, where known: many are enough to tell.
        sizes: Characters of both texts as they are written, where known.

    Cost: O(characters) for texts of very different or of the same length and little difference, else
    O(n * k / 64) for n characters and k edits, k at most ``ratio * n``; for more than 100,000
    characters O(characters), by the alignment's edits.

    Source: Jo et al. 2024, section 3, whose text says "less than 0.1" but whose published results
    were made with 0.15.

    >>> is_similar(["a", "barn"], ["abarn"], 0.15), is_similar(["a", "barn"], ["a", "ban"], 0.15)
    (True, False)
    """
    if sizes is not None and equal is not None and sum(sizes) - 2 * equal <= _limit(sizes[0], ratio):
        return True
    mine, other = texts(gold), texts(system)
    if _near("".join(mine), "".join(other), ratio, equal):
        return True
    read, other_read = read_as(mine, exceptions), read_as(other, exceptions)
    changed = read is not mine or other_read is not other
    return changed and _near("".join(read), "".join(other_read), ratio, None)


def _limit(size: int, ratio: float) -> int:
    """The most edits of similar texts, of which gold's has so many characters."""
    return int(ratio * size + 1e-9)


def _near(a: str, b: str, ratio: float, equal: int | None) -> bool:
    if a == b:
        return True
    limit = _limit(len(a), ratio)
    if abs(len(a) - len(b)) > limit:
        return False
    if equal is not None and len(a) + len(b) - 2 * equal <= limit:
        return True
    if max(len(a), len(b)) > LONG:
        return equal is not None and max(len(a), len(b)) - equal <= limit
    # Only where texts differ: it takes as long to import as many a file to score.
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance(a, b, score_cutoff=limit, score_hint=HINT) <= limit


class Unlike:
    """Tells pieces of a path whose two sides have nothing to do with each other.

    Where few characters are equal, sentences are paired by their place all the same: one that
    stands alone between two that are aligned, and others that have as many words.  But not where
    the text of one side stands elsewhere on the other, as where sentences changed places.
    """

    def __init__(self, gold: Run, system: Run) -> None:
        self._gold = gold
        self._system = system
        self._grams: tuple[dict[str, int], dict[str, int]] | None = None

    def among(self, pieces: Sequence[Piece]) -> list[bool]:
        """Which of the pieces these are; none has text on one side only."""
        paired = [a < b and c < d for (a, b), (c, d), *_ in pieces]
        like = [
            pair and piece.equal > 0 and piece.equal >= LIKE * max(piece.sizes)
            for pair, piece in zip(paired, pieces)
        ]
        around = [True, *like, True]
        return [
            pair and not alike and self._apart(piece, between=around[k] and around[k + 2])
            for k, (pair, alike, piece) in enumerate(zip(paired, like, pieces))
        ]

    def _apart(self, piece: Piece, *, between: bool) -> bool:
        (a, b), (c, d), *_ = piece
        i, n, j, m = self._gold.ends[a], self._gold.ends[b], self._system.ends[c], self._system.ends[d]
        if min(b - a, d - c) > 1:
            return True
        if n - i != m - j and (b - a + d - c > 2 or not between):
            return True
        return self._elsewhere(i, n, j, m)

    def _elsewhere(self, i: int, n: int, j: int, m: int) -> bool:
        if self._grams is None:
            mine, other = self._gold, self._system
            self._grams = (
                grams(mine, 0, len(mine.tokens), GRAM, inside=True),
                grams(other, 0, len(other.tokens), GRAM, inside=True),
            )
        for run, begin, end, known in (
            (self._gold, i, n, self._grams[1]),
            (self._system, j, m, self._grams[0]),
        ):
            its = grams(run, begin, end, GRAM, inside=True)
            if its and 2 * len(its.keys() & known.keys()) >= len(its):
                return True
        return False
