"""Sentences: which gold sentences and which system sentences carry the same text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .anchors import anchors
from .words import NO_EXCEPTIONS, normalise

Item = TypeVar("Item")

RATIO = 0.15
"""The largest edit distance over the gold text's length at which two texts are similar."""

MOST_SENTENCES = 200
MOST_CHARACTERS = 100_000
"""A region is cut at the latest when one of its sides has this many."""

WINDOW = 8


@dataclass(frozen=True, slots=True)
class Bead:
    """Gold and system sentences that carry the same text.

    Attributes:
        gold: Half-open range of 0-based gold sentence numbers.
        system: The same of the system's sentences.
        aligned: False where one side has text and the other has none.
    """

    gold: tuple[int, int]
    system: tuple[int, int]
    aligned: bool


def _words_of(item: Any) -> Sequence[str]:
    words: Sequence[str] = item.words
    return words


def beads(
    gold: Iterable[Item],
    system: Iterable[Item],
    *,
    words: Callable[[Item], Sequence[str]] = _words_of,
    ratio: float = RATIO,
    exceptions: Mapping[str, str] = NO_EXCEPTIONS,
) -> Iterator[tuple[Bead, Sequence[Item], Sequence[Item]]]:
    """Aligns sentences; every sentence of both sides is in exactly one bead, in order."""
    left = _Side(gold, words, exceptions)
    right = _Side(system, words, exceptions)
    i = j = 0
    while True:
        if not left.has(0) and not right.has(0):
            return
        for n, m in _step(left, right, ratio):
            bead = Bead((i, i + n), (j, j + m), left.blank(n) == right.blank(m))
            yield bead, left.take(n), right.take(m)
            i += n
            j += m


class _Side(Generic[Item]):
    """One side's sentences from the first that is in no bead yet, read as far as needed."""

    __slots__ = ("exceptions", "items", "source", "texts", "words")

    def __init__(
        self, source: Iterable[Item], words: Callable[[Item], Sequence[str]], exceptions: Mapping[str, str]
    ) -> None:
        self.source = iter(source)
        self.words = words
        self.exceptions = exceptions
        self.items: list[Item] = []
        self.texts: list[str] = []

    def has(self, k: int) -> bool:
        while len(self.items) <= k:
            try:
                item = next(self.source)
            except StopIteration:
                return False
            self.items.append(item)
            self.texts.append("".join([normalise(word, self.exceptions) for word in self.words(item)]))
        return True

    def take(self, n: int) -> list[Item]:
        taken = self.items[:n]
        del self.items[:n], self.texts[:n]
        return taken

    def blank(self, n: int) -> bool:
        return not any(self.texts[:n])


def _similar(gold: str, system: str, ratio: float) -> bool:
    if gold == system:
        return bool(gold)
    limit = int(ratio * len(gold))
    if abs(len(gold) - len(system)) > limit:
        return False
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance(gold, system, score_cutoff=limit) <= limit


def _is_bead(left: _Side[Any], right: _Side[Any], i: int, j: int, ratio: float) -> bool:
    if not left.has(i) or not right.has(j):
        return not left.has(i) and not right.has(j)
    gold, system = left.texts[i], right.texts[j]
    if gold == system:
        return bool(gold)
    if not _similar(gold, system, ratio):
        return False
    if not left.has(i + 1) or not right.has(j + 1):
        return not left.has(i + 1) and not right.has(j + 1)
    return _similar(left.texts[i + 1], right.texts[j + 1], ratio)


def _step(left: _Side[Any], right: _Side[Any], ratio: float) -> list[tuple[int, int]]:
    if not left.has(0) or not right.has(0):
        side = left if left.has(0) else right
        k = size = 0
        while k < MOST_SENTENCES and size < MOST_CHARACTERS and side.has(k):
            size += len(side.texts[k])
            k += 1
        return [(k, 0) if side is left else (0, k)]
    gold, system = left.texts[0], right.texts[0]
    if gold == system:
        return [(1, 1)]
    if not gold or not system:
        if _is_bead(left, right, 1, 1, ratio):
            return [(1, 1)]
        if not gold and _is_bead(left, right, 1, 0, ratio):
            return [(1, 0)]
        if not system and _is_bead(left, right, 0, 1, ratio):
            return [(0, 1)]
        return [(1, 1)]
    found = _exact(left, right)
    if found:
        return [found]
    if _is_bead(left, right, 0, 0, ratio):
        return [(1, 1)]
    n, m = _region(left, right, ratio)
    ends = anchors(left.texts[:n], right.texts[:m]) or [(n, m)]
    sizes = []
    i = j = 0
    for gold_end, system_end in ends:
        sizes.append((gold_end - i, system_end - j))
        i, j = gold_end, system_end
    return sizes


def _exact(left: _Side[Any], right: _Side[Any]) -> tuple[int, int] | None:
    """The least region from here whose texts are equal, if the texts agree so far."""
    a, b = left.texts[0], right.texts[0]
    i = j = 1
    while i <= MOST_SENTENCES and j <= MOST_SENTENCES:
        if len(a) < len(b):
            if not b.startswith(a) or not left.has(i):
                return None
            a, b = left.texts[i], b[len(a) :]
            i += 1
        elif len(b) < len(a):
            if not a.startswith(b) or not right.has(j):
                return None
            a, b = a[len(b) :], right.texts[j]
            j += 1
        else:
            return (i, j) if a == b else None
    return None


def _region(left: _Side[Any], right: _Side[Any], ratio: float) -> tuple[int, int]:
    i = j = 1
    a, b = left.texts[0], right.texts[0]
    while i < MOST_SENTENCES and j < MOST_SENTENCES and max(len(a), len(b)) < MOST_CHARACTERS:
        more_left, more_right = left.has(i), right.has(j)
        if not more_left and not more_right:
            return i, j
        if more_left and (len(a) <= len(b) or not more_right):
            a += left.texts[i]
            i += 1
        else:
            b += right.texts[j]
            j += 1
        if _is_bead(left, right, i, j, ratio) and _similar(a, b, ratio):
            return i, j
        if i + j == 2 * WINDOW:
            for total in range(1, 2 * WINDOW):
                for x in range(total + 1):
                    if _is_bead(left, right, x, total - x, ratio) and left.has(x):
                        return x, total - x
    return i, j
