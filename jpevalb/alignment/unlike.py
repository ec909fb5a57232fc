"""Unlike: pieces of a path whose two sides have nothing to do with each other."""

from __future__ import annotations

from collections.abc import Sequence

from .anchors import GRAM, grams
from .beads import Piece
from .run import Run

LIKE = 0.35
"""Share of equal characters from which two sentences have to do with each other: of unrelated
English sentences 99 % have less than 0.34, of those with 30 % word errors 95 % more than 0.53."""


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
        paired = [a < b and c < d for (a, b), (c, d), _, _ in pieces]
        like = [pair and self._like(piece) for pair, piece in zip(paired, pieces)]
        around = [True, *like, True]
        return [
            pair and not alike and self._apart(piece, between=around[k] and around[k + 2])
            for k, (pair, alike, piece) in enumerate(zip(paired, like, pieces))
        ]

    def _like(self, piece: Piece) -> bool:
        (a, b), (c, d), _, equal = piece
        if equal == 0:
            return False
        mine, other = self._gold, self._system
        sizes = (
            mine.starts[mine.ends[b]] - mine.starts[mine.ends[a]],
            other.starts[other.ends[d]] - other.starts[other.ends[c]],
        )
        return equal >= LIKE * max(sizes)

    def _apart(self, piece: Piece, *, between: bool) -> bool:
        (a, b), (c, d), _, _ = piece
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
