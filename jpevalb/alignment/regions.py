"""Regions: stretches of sentences between two places where both files are in step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from .anchors import distance
from .pieces import SLACK, Sizes, Texts, beads_of, cut, without_last

MOST_SENTENCES = 200
MOST_CHARACTERS = 100_000
"""A region that does not close is given up when one of its sides has this many."""

MOST_BLANKS = 2_000
"""How many sentences without text in a row are looked at together."""

WIDTHS = (12, 24, 48, 96, MOST_SENTENCES)
"""How many sentences are looked at before a region that does not close is aligned as a whole."""

NEAR = 48
"""The width from which it is looked further ahead first: short sentences come again anywhere."""

LONG = 20
"""Characters from which one sentence that both files have counts as a place where they are in step."""


class Side(Protocol):
    """One file from its first sentence that is in no bead yet.

    Attributes:
        texts: Texts of the sentences read so far, with exceptions replaced.
        written: The same without that.
    """

    texts: list[str]
    written: list[str]

    def has(self, k: int) -> bool:
        """Whether there is a sentence ``k``; reads it, so that ``texts[k]`` is there."""


class Walk:
    """Finds the next beads of two files that are in step at their first sentences.

    Args:
        gold: The gold file.
        system: The system's file.
        ratio: Largest edit distance over the gold text's length of similar texts.
        far: Called where a region does not close soon: gives the beads up to the place
            where the files are in step again, or none.
    """

    def __init__(self, gold: Side, system: Side, ratio: float, far: Callable[[], Sizes]) -> None:
        self.gold = gold
        self.system = system
        self.ratio = ratio
        self._far = far

    def next_beads(self) -> Sizes:
        """The sizes of the beads up to the next place where both files are in step.

        There must be a sentence on either side.  Cost: linear in the characters for a
        bead, O(characters squared / 64) for a region.
        """
        gold, system = self.gold, self.system
        if not gold.has(0):
            return [(0, 1)]
        if not system.has(0):
            return [(1, 0)]
        a, b = gold.texts[0], system.texts[0]
        if a == b or (a and gold.written[0] == system.written[0]):
            return [(1, 1)]
        if not a:
            return [(n, m) for m, n in self._blanks(gold, system)]
        if not b:
            return self._blanks(system, gold)
        exact = self._exact(gold.written, system.written) or self._exact(gold.texts, system.texts)
        if exact:
            return [exact]
        if self.is_bead(0, 0) and self._sound(a, b, 1, 1):
            return [(1, 1)]
        return self._region()

    # -- what two sentences are to each other ----------------------------------------

    def similar(self, a: str, b: str) -> bool:
        """Whether the edit distance is at most ``ratio`` of the gold text's length; not if both are empty."""
        if a == b:
            return bool(a)
        limit = int(self.ratio * len(a) + 1e-9)
        return abs(len(a) - len(b)) <= limit and distance(a, b, limit) <= limit

    def is_bead(self, i: int, j: int) -> bool:
        """Whether sentences i and j are equal, or similar and the two after them as well.

        The ends of the files are similar to each other and to nothing else.
        """
        gold, system = self.gold, self.system
        if not gold.has(i) or not system.has(j):
            return not gold.has(i) and not system.has(j)
        a, b = gold.texts[i], system.texts[j]
        if a == b:
            return bool(a)
        if not self.similar(a, b):
            return False
        if not gold.has(i + 1) or not system.has(j + 1):
            return not gold.has(i + 1) and not system.has(j + 1)
        return self.similar(gold.texts[i + 1], system.texts[j + 1])

    def _sound(self, a: str, b: str, i: int, j: int) -> bool:
        """Whether the boundary between ``a``, ``b`` and the sentences i, j is one on both sides.

        It is not where the texts before and after it together need fewer edits: then
        some text stands before the boundary on one side and after it on the other, as
        where a sentence's last words are split off and merged into the next one.
        """
        if not self.gold.has(i) or not self.system.has(j):
            return True
        c, d = self.gold.texts[i], self.system.texts[j]
        a, b = a[-1000:], b[-1000:]
        return distance(a, b) + distance(c, d) <= distance(a + c, b + d) + SLACK

    # -- beads that need no alignment of characters ----------------------------------

    def _exact(self, gold: list[str], system: list[str]) -> tuple[int, int] | None:
        """The least stretch from here that has the same text on both sides, if there is one.

        Args:
            gold: ``texts`` or ``written`` of the gold file; grows as sentences are read.
            system: The same of the system's.
        """
        a, b = gold[0], system[0]
        i = j = 1
        while i <= MOST_SENTENCES and j <= MOST_SENTENCES:
            if len(a) < len(b):
                if not b.startswith(a) or not self.gold.has(i):
                    return None
                a, b = gold[i], b[len(a) :]
                i += 1
            elif len(b) < len(a):
                if not a.startswith(b) or not self.system.has(j):
                    return None
                a, b = a[len(b) :], system[j]
                j += 1
            else:
                return (i, j) if a == b else None
        return None

    def _blanks(self, blank: Side, full: Side) -> Sizes:
        """Beads where one file has sentences without text; sizes as (full, blank).

        Each may stand in the place of a sentence (a parse that failed) or be one too
        many; the count of the former is the one after which the texts go on best.
        Where they go on badly after each count, every blank has its place.
        """
        count = 1
        while count < MOST_BLANKS and blank.has(count) and not blank.texts[count]:
            count += 1
        after = self._text(blank, count)
        best, placed = 0.5, -1
        for places in range(count, -1, -1):
            if places and not full.has(places - 1):
                continue
            text = self._text(full, places)
            length = min(len(text), len(after))
            if length:
                unlike = distance(text[:length], after[:length]) / length
            else:
                unlike = float(text != after)
            if placed < 0:
                placed = places
            if unlike < best:
                best, placed = unlike, places
            if not best:
                break
        return [(1, 1)] * placed + [(0, 1)] * (count - placed)

    @staticmethod
    def _text(side: Side, start: int) -> str:
        """The next 200 characters or so."""
        text, k = "", start
        while len(text) < 200 and k < start + 10 and side.has(k):
            text += side.texts[k]
            k += 1
        return text[:200]

    # -- regions -----------------------------------------------------------------------

    def _region(self) -> Sizes:
        """Goes on until both files are in step again, and cuts what is between.

        The side with fewer characters so far is extended.  A short region closes where
        its two texts are similar, the next two sentences are a bead and the boundary
        is sound.  At each of ``WIDTHS`` it is aligned as a whole, and closes after the
        last cut where the next two sentences are a bead and the texts go on alike;
        failing that, before the nearest sentence that both sides have.  From the width
        ``NEAR`` on a cut needs no bead behind it, and it is looked further ahead before such
        a sentence counts.  At the last width, or at ``MOST_CHARACTERS``, the region is given up
        before its last bead.
        """
        gold, system = self.gold, self.system
        a, b = gold.texts[0], system.texts[0]
        i = j = 1
        widths = iter(WIDTHS)
        width = next(widths)
        while True:
            more = gold.has(i), system.has(j)
            if more == (False, False):
                return self._beads(i, j, strict=width != WIDTHS[0])
            if more[0] and (len(a) <= len(b) or not more[1]):
                a += gold.texts[i]
                i += 1
            else:
                b += system.texts[j]
                j += 1
            if width == WIDTHS[0] and self.is_bead(i, j) and self.similar(a, b) and self._sound(a, b, i, j):
                return self._beads(i, j)
            full = max(len(a), len(b)) >= MOST_CHARACTERS
            if max(i, j) < width and not full:
                continue
            sizes = cut(*self._texts(i, j))
            kept = self._in_step(sizes, beads=width < NEAR)
            if kept:
                return beads_of(sizes[:kept], *self._texts(i, j))
            if full or width == NEAR:
                far = self._far()
                if far:
                    return far
            place = self._nearest_equal(i, j)
            if place:
                return self._beads(*place)
            width = next(widths, 0)
            if full or not width:
                return beads_of(without_last(sizes), *self._texts(i, j), strict=True)

    def _in_step(self, sizes: Sizes, *, beads: bool) -> int:
        """How many pieces come before the last cut after which the texts agree.

        Args:
            sizes: The pieces.
            beads: Whether the next two sentences must be a bead.
        """
        i = j = kept = 0
        for count, (n, m) in enumerate(sizes[:-1], 1):
            i += n
            j += m
            if n and m and (not beads or self.is_bead(i, j)) and self._agree(i, j):
                kept = count
        return kept

    def _agree(self, i: int, j: int) -> bool:
        """Whether the next 200 characters are similar as well: short sentences come again anywhere."""
        a, b = self._text(self.gold, i), self._text(self.system, j)
        size = max(min(len(a), len(b)), 100)
        a, b = a[:size], b[:size]
        return distance(a, b) <= max(len(a), len(b)) // 2

    def _nearest_equal(self, n: int, m: int) -> tuple[int, int] | None:
        """The nearest equal sentences that are long, or followed by another bead."""
        gold, system = self.gold.texts, self.system.texts
        places: dict[str, list[int]] = {}
        for j in range(m):
            if system[j]:
                places.setdefault(system[j], []).append(j)
        found: tuple[int, int] | None = None
        for i in range(n):
            for j in places.get(gold[i], ())[:4]:
                near = found is None or i + j < sum(found)
                if near and i + j and (len(gold[i]) >= LONG or self.is_bead(i + 1, j + 1)):
                    found = i, j
        return found

    def _beads(self, n: int, m: int, *, strict: bool = False) -> Sizes:
        """The beads of the first ``n`` gold and ``m`` system sentences."""
        gold, system = self._texts(n, m)
        return beads_of(cut(gold, system), gold, system, strict=strict)

    def _texts(self, n: int, m: int) -> tuple[Texts, Texts]:
        gold, system = self.gold, self.system
        return Texts(gold.texts[:n], gold.written[:n]), Texts(system.texts[:m], system.written[:m])
