"""Sentences: which gold sentences and which system sentences carry the same text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .anchors import anchors, refine
from .words import NO_EXCEPTIONS, compared

Item = TypeVar("Item")

RATIO = 0.15
"""The largest edit distance over the gold text's length at which two texts are similar."""

MOST_SENTENCES = 200
MOST_CHARACTERS = 100_000
"""A region is cut at the latest when one of its sides has this many."""


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
    walk = _Walk(left, right, ratio)
    i = j = 0
    while True:
        if not left.items and not right.items:
            # In step and nothing looked ahead: as long as the words are equal, no text is built.
            for first in left.source:
                second = next(right.source, _END)
                if second is _END:
                    left.append(first)
                    break
                mine = words(first)
                if mine and mine == words(second):
                    yield Bead((i, i + 1), (j, j + 1), True), (first,), (second,)
                    i += 1
                    j += 1
                    continue
                left.append(first)
                right.append(second)
                break
        if not left.has(0) and not right.has(0):
            return
        for n, m in walk.step():
            bead = Bead((i, i + n), (j, j + m), left.blank(n) == right.blank(m))
            yield bead, left.take(n), right.take(m)
            i += n
            j += m


_END: Any = object()


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

    def append(self, item: Item) -> None:
        self.items.append(item)
        self.texts.append("".join(compared(self.words(item), self.exceptions)))

    def has(self, k: int) -> bool:
        while len(self.items) <= k:
            item = next(self.source, _END)
            if item is _END:
                return False
            self.append(item)
        return True

    def take(self, n: int) -> list[Item]:
        taken = self.items[:n]
        del self.items[:n], self.texts[:n]
        return taken

    def blank(self, n: int) -> bool:
        return not any(self.texts[:n])


NARROW = 12
WIDTHS = (12, 24, 48, 96, MOST_SENTENCES)
JOINT_SLACK = 1


class _Walk:
    def __init__(self, left: _Side[Any], right: _Side[Any], ratio: float) -> None:
        self.left = left
        self.right = right
        self.ratio = ratio

    def similar(self, gold: str, system: str) -> bool:
        if gold == system:
            return bool(gold)
        limit = int(self.ratio * len(gold))
        if abs(len(gold) - len(system)) > limit:
            return False
        from rapidfuzz.distance import Levenshtein

        return Levenshtein.distance(gold, system, score_cutoff=limit) <= limit

    def is_bead(self, i: int, j: int) -> bool:
        left, right = self.left, self.right
        if not left.has(i) or not right.has(j):
            return not left.has(i) and not right.has(j)
        gold, system = left.texts[i], right.texts[j]
        if gold == system:
            return bool(gold)
        if not self.similar(gold, system):
            return False
        if not left.has(i + 1) or not right.has(j + 1):
            return not left.has(i + 1) and not right.has(j + 1)
        return self.similar(left.texts[i + 1], right.texts[j + 1])

    def sound(self, a: str, b: str, i: int, j: int) -> bool:
        """Whether no text moves over the boundary between a|b and the next sentences."""
        left, right = self.left, self.right
        if not left.has(i) or not right.has(j):
            return True
        from rapidfuzz.distance import Levenshtein

        c, d = left.texts[i], right.texts[j]
        if len(a) > 1000 or len(b) > 1000:
            a, b = a[-1000:], b[-1000:]
        distance = Levenshtein.distance
        return distance(a, b) + distance(c, d) <= distance(a + c, b + d) + JOINT_SLACK

    def step(self) -> list[tuple[int, int]]:
        left, right = self.left, self.right
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
            return self.blanks()
        found = self.exact()
        if found:
            return [found]
        if self.is_bead(0, 0) and self.sound(gold, system, 1, 1):
            return [(1, 1)]
        return self.region()

    def blanks(self) -> list[tuple[int, int]]:
        if self.is_bead(1, 1):
            return [(1, 1)]
        if self.left.texts[0] and self.is_bead(0, 1):
            return [(0, 1)]
        if self.right.texts[0] and self.is_bead(1, 0):
            return [(1, 0)]
        return [(1, 1)]

    def exact(self) -> tuple[int, int] | None:
        """The least region from here whose texts are equal, if the texts agree so far."""
        left, right = self.left, self.right
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

    def region(self) -> list[tuple[int, int]]:
        left, right = self.left, self.right
        i = j = 1
        a, b = left.texts[0], right.texts[0]
        widths = iter(WIDTHS)
        width = next(widths)
        while True:
            more_left, more_right = left.has(i), right.has(j)
            if not more_left and not more_right:
                return self.pieces(i, j)
            if more_left and (len(a) <= len(b) or not more_right):
                a += left.texts[i]
                i += 1
            else:
                b += right.texts[j]
                j += 1
            if (
                max(i, j) <= NARROW
                and self.is_bead(i, j)
                and self.similar(a, b)
                and self.sound(a, b, i, j)
            ):
                return self.pieces(i, j)
            full = len(a) >= MOST_CHARACTERS or len(b) >= MOST_CHARACTERS
            if max(i, j) >= width or full:
                found = self.pieces(i, j)
                x = y = kept = 0
                for k, (n, m) in enumerate(found[:-1], 1):
                    x += n
                    y += m
                    if n and m and self.is_bead(x, y):
                        kept = k
                if kept:
                    return found[:kept]
                width = next(widths, 0)
                if not width or full:
                    return found[:-1] or found

    def pieces(self, n: int, m: int) -> list[tuple[int, int]]:
        gold, system = self.left.texts[:n], self.right.texts[:m]
        sizes: list[tuple[int, int]] = []
        i = j = 0
        for gold_end, system_end in refine(gold, system, anchors(gold, system)):
            sizes.append((gold_end - i, system_end - j))
            i, j = gold_end, system_end
        return sizes
