"""Text similarity: finds out if the sides of a bead are similar or unrelated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from random import Random

from ..trees.words import NO_EXCEPTIONS, read_as, texts
from .anchors import grams
from .beads import Piece
from .run import CharacterRun, RunSlice, at_once, cheapest

# Longer texts (in characters) are judged by the edits of the alignment: the fewest edits would take minutes.
LONG = 100_000
HINT = 31  # expected edits, which makes the cost linear for nearly equal texts
# Minimum share of equal characters of related sentences: 99 % of unrelated English sentences have less than
# 0.34, 95 % of those with 30 % word errors have more than 0.53.
RELATED = 0.35
# In scripts of few letters, such as Hangul taken apart, unrelated sentences have more equal characters.
# Then the minimum is the share that 98 % of unrelated pairs of the same files stay below, but at most this.
MOST_RELATED = 0.5
PAIRS = 64  # maximum number of unrelated pairs that are aligned for it
FEWEST = 20  # minimum number of these pairs
SAME = 0.6  # share from which a pair is of the same or nearly the same text


def share_of_equal(gold: Sequence[str], system: Sequence[str], equal: int) -> float:
    """Return the share of the longer text's characters that are aligned with equal ones; 1 for empty texts.

    >>> share_of_equal(["a", "barn"], ["a", "bar"], 4)
    0.8
    """
    longest = max(sum(map(len, texts(gold))), sum(map(len, texts(system))))
    # Texts with exceptions applied may be longer than as written.
    return min(1.0, equal / longest) if longest else 1.0


def is_similar(
    gold: Sequence[str],
    system: Sequence[str],
    ratio: float,
    exceptions: Mapping[str, str] = NO_EXCEPTIONS,
    equal: int | None = None,
    sizes: tuple[int, int] | None = None,
) -> bool:
    """Return True if the edit distance of two texts is at most ``ratio`` of the gold text's length.

    Texts are compared as written and with exceptions applied.  ``equal``, the pairs of equal characters in
    some alignment, and ``sizes``, the lengths of the texts as written, are optional shortcuts.

    Source: Jo et al. 2024, section 3, whose text has "less than 0.1" but whose published results use 0.15.

    >>> is_similar(["a", "barn"], ["abarn"], 0.15), is_similar(["a", "barn"], ["a", "ban"], 0.15)
    (True, False)
    """
    if sizes is not None and equal is not None and sum(sizes) - 2 * equal <= _limit(sizes[0], ratio):
        return True
    gold_texts, system_texts = texts(gold), texts(system)
    if _near("".join(gold_texts), "".join(system_texts), ratio, equal):
        return True
    gold_read, system_read = read_as(gold_texts, exceptions), read_as(system_texts, exceptions)
    changed = gold_read is not gold_texts or system_read is not system_texts
    return changed and _near("".join(gold_read), "".join(system_read), ratio, None)


def _limit(size: int, ratio: float) -> int:
    """Return the maximum number of edits for a gold text of ``size`` characters."""
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
    # Imported late: it takes as long as scoring a small file.
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance(a, b, score_cutoff=limit, score_hint=HINT) <= limit


class UnrelatedPieces:
    """Finds pieces of a path whose two sides are unrelated.

    With few equal characters, a single sentence between two related ones is still paired by position, and so
    are sentences with the same number of words, unless the text of one side occurs elsewhere on the other, as
    after a change of order.
    """

    def __init__(self, gold: CharacterRun, system: CharacterRun) -> None:
        self._gold = gold
        self._system = system

    def among(self, pieces: Sequence[Piece]) -> list[bool]:
        """Return for each piece whether its sides are unrelated; False if only one side has text."""
        paired = [a < b and c < d for (a, b), (c, d), *_ in pieces]
        related = [
            pair and piece.equal > 0 and self._are_related(piece) for pair, piece in zip(paired, pieces)
        ]
        around = [True, *related, True]
        return [
            pair and not like and self._apart(piece, between=around[k] and around[k + 2])
            for k, (pair, like, piece) in enumerate(zip(paired, related, pieces))
        ]

    def _are_related(self, piece: Piece) -> bool:
        """Return True if more characters are equal than in unrelated sentences of these files."""
        share = piece.equal / max(piece.sizes)
        if not RELATED <= share < MOST_RELATED:
            return share >= RELATED
        return share >= self._least_related

    @cached_property
    def _least_related(self) -> float:
        """Return the share of equal characters that 98 % of unrelated pairs stay below."""
        gold, system = self._gold, self._system
        counts = len(gold.ends) - 1, len(system.ends) - 1
        shares: list[float] = []
        chance = Random(0)
        for k in range(0, min(counts), max(1, min(counts) // PAIRS)):
            far = chance.randrange(counts[1])
            first = RunSlice(gold, gold.ends[k], gold.ends[k + 1])
            second = RunSlice(system, system.ends[far], system.ends[far + 1])
            if at_once(first.size, second.size):
                _, points = cheapest(first, second)
                share = points[-1][2] / max(first.size, second.size)
                if share < SAME:
                    shares.append(share)
        if len(shares) < FEWEST:
            return RELATED
        shares.sort()
        return min(MOST_RELATED, max(RELATED, shares[int(0.98 * len(shares))]))

    def _apart(self, piece: Piece, *, between: bool) -> bool:
        (a, b), (c, d), *_ = piece
        i, n, j, m = self._gold.ends[a], self._gold.ends[b], self._system.ends[c], self._system.ends[d]
        if n - i != m - j and (b - a + d - c > 2 or not between):
            return True
        # Is the text of one side elsewhere on the other?
        pieces = (self._gold, i, n), (self._system, j, m)
        for (run, begin, end), known in zip(pieces, self._grams):
            piece_grams = grams(run, begin, end)
            if piece_grams and 2 * len(piece_grams.keys() & known.keys()) >= len(piece_grams):
                return True
        return False

    @cached_property
    def _grams(self) -> list[dict[str, int]]:
        """The texts of the system and of gold, with the tokens that they start at."""
        return [grams(run, 0, len(run.tokens)) for run in (self._system, self._gold)]
