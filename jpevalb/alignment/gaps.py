"""Gaps: the beads of a long stretch up to a place where both files are in step again."""

from __future__ import annotations

from typing import Protocol

from .pieces import Sizes, Texts, beads_of, cut, without_last
from .regions import MOST_CHARACTERS, MOST_SENTENCES, WIDTHS, Walk
from .resync import resync

WINDOWS = (400, 2_000, 25_000)
"""How many sentences are looked ahead at: fewer first, since most gaps are short."""

CHARACTERS = 160
"""How many characters for each of them, at most."""


class Side(Protocol):
    """One file from its first sentence that is in no bead yet."""

    def ahead(self, sentences: int, characters: int) -> tuple[Texts, bool]:
        """The next sentences, of so many or so many characters; and whether the file ends with them."""


class Lookout:
    """Looks ahead for the place where two files that are not in step are so again.

    Args:
        gold: The gold file.
        system: The system's file.
        ratio: As for :class:`jpevalb.alignment.regions.Walk`.
    """

    def __init__(self, gold: Side, system: Side, ratio: float) -> None:
        self._gold = gold
        self._system = system
        self._ratio = ratio
        self._barren = (0, 0)

    @property
    def open(self) -> bool:
        """Whether what comes next depends on what was seen before.

        Where the files have nothing in common as far as can be seen they are not looked at
        again before half of that has passed, so that each sentence is looked at twice.
        """
        return self._barren != (0, 0)

    def passed(self, sizes: Sizes) -> None:
        """Says which beads were handed out."""
        if self.open:
            n, m = map(sum, zip(*sizes))
            left = self._barren[0] - n, self._barren[1] - m
            self._barren = left if min(left) > 0 else (0, 0)

    def beads(self) -> Sizes:
        """The beads up to the place where the files are in step again; none if it is out of sight.

        Cost: O(n log n) for the ``n`` characters seen.
        """
        if self.open:
            return []
        for sentences in WINDOWS:
            gold, gold_ended = self._gold.ahead(sentences, sentences * CHARACTERS)
            system, system_ended = self._system.ahead(sentences, sentences * CHARACTERS)
            place = resync(gold.read, system.read)
            if place:
                return gap_beads(gold.part(0, place[0]), system.part(0, place[1]), self._ratio)
            if gold_ended and system_ended:
                break
        self._barren = len(gold.read) // 2 + 1, len(system.read) // 2 + 1
        return []


class _GapError(Exception):
    """Going back has come to the gap."""


def _stop() -> Sizes:
    raise _GapError


class _Backwards:
    """Sentences from some place back to the first one, their texts reversed."""

    def __init__(self, sentences: Texts, count: int) -> None:
        self._sentences = sentences
        self.count = count
        self.texts: list[str] = []
        self.written: list[str] = []

    def has(self, k: int) -> bool:
        """Whether there is a sentence ``k``, from 0 for the last one."""
        if k >= self.count:
            return False
        for place in range(self.count - 1 - len(self.texts), self.count - 2 - k, -1):
            read, written = self._sentences.read[place], self._sentences.written[place]
            self.texts.append(read[::-1])
            self.written.append(self.texts[-1] if written is read else written[::-1])
        return True

    def drop(self, n: int) -> None:
        """Goes on behind so many."""
        self.count -= n
        del self.texts[:n], self.written[:n]


def gap_beads(gold: Texts, system: Texts, ratio: float) -> Sizes:
    """The beads of two stretches that are in step at their ends.

    The files are followed back from there as far as that goes.  What is left has little
    in common: what little there is makes beads, every other sentence is one of its own.

    Args:
        gold: The gold sentences.
        system: The system's.
        ratio: As for :class:`jpevalb.alignment.regions.Walk`.

    Cost: linear in the sentences, O(n * m / 64) for each 200 that have a counterpart.
    """
    mine, other = _Backwards(gold, len(gold.read)), _Backwards(system, len(system.read))
    walk = Walk(mine, other, ratio, _stop)
    found: Sizes = []
    while mine.has(0) and other.has(0):
        try:
            sizes = walk.next_beads()
        except _GapError:
            break
        for n, m in sizes:
            mine.drop(n)
            other.drop(m)
        found += sizes
    found.reverse()
    return _unlike_beads(gold.part(0, mine.count), system.part(0, other.count)) + found


def _unlike_beads(gold: Texts, system: Texts) -> Sizes:
    """The beads of stretches that have little in common."""
    n, m = len(gold.read), len(system.read)
    i = j = 0
    found: Sizes = []
    # The first of them, before the gap, may well belong together.
    width = WIDTHS[1]
    while i < n and j < m:
        mine, other = _first(gold, i, width), _first(system, j, width)
        sizes = cut(mine, other)
        if (i + len(mine.read), j + len(other.read)) != (n, m):
            sizes = without_last(sizes)
        found += beads_of(sizes, mine, other, strict=True)
        i += sum([size[0] for size in sizes])
        j += sum([size[1] for size in sizes])
        width = MOST_SENTENCES
    return found + [(1, 0)] * (n - i) + [(0, 1)] * (m - j)


def _first(sentences: Texts, begin: int, width: int) -> Texts:
    """So many sentences, fewer if they are long."""
    characters = 0
    end = begin
    while end < min(begin + width, len(sentences.read)) and characters < MOST_CHARACTERS:
        characters += len(sentences.read[end])
        end += 1
    return sentences.part(begin, end)
