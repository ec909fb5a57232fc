"""Text similarity: finds out if the sides of a bead are similar or unrelated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from ..trees.words import NO_EXCEPTIONS, read_as, texts
from .anchors import grams
from .beads import Piece
from .run import CharacterRun

# Longer texts (in characters) are judged by the edits of the alignment: the fewest edits would take minutes.
LONG = 100_000
HINT = 31  # expected edits, which makes the cost linear for nearly equal texts
# Minimum share of equal characters of related sentences: 99 % of unrelated English sentences have less than
# 0.34, 95 % of those with 30 % word errors have more than 0.53.
RELATED = 0.35
# Minimum share of the shorter side's characters that are in equal units, if one side has more sentences
CONTAINED = 0.5


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
        if piece.equal >= RELATED * max(piece.sizes):
            return True
        (a, b), (c, d), *_ = piece
        if b - a + d - c == 2:
            return False
        # One side may have sentences that the other lacks: do most words of the shorter side occur there?
        runs = (self._gold, a, b), (self._system, c, d)
        gold, system = [run.tokens[run.ends[begin] : run.ends[end]] for run, begin, end in runs]
        texts = [("".join(gold[i:j]), "".join(system[x:y])) for i, j, x, y in piece.units]
        return sum([len(one) for one, other in texts if one == other]) >= CONTAINED * min(piece.sizes)

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
