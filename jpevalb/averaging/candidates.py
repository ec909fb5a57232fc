"""The candidates for the average's yields, and which of them conflict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .._core.cover import conflicts, parts
from .._core.yields import in_order
from ..model.errors import TooLargeError

# Pairs in conflict that are looked into, for memory's sake: about 200 MB for so many.
# Trees of 1,000 words that have nothing in common have a twentieth of it.
_MOST_PAIRS = 10_000_000


@dataclass(frozen=True, slots=True)
class Part:
    """A connected part of the conflict graph.

    Attributes:
        keys: Its yields in order.
        names: Their places among all yields in conflict.
        neighbours: For each of them, those that it conflicts with, as a bit set.
        weights: Their hit counts.
    """

    keys: list[int]
    names: list[int]
    neighbours: list[int]
    weights: list[int]

    def greedy(self) -> list[int]:
        """Yields without conflict: the heaviest first, each taken that fits."""
        found = []
        blocked = 0
        for place in sorted(range(len(self.keys)), key=lambda place: -self.weights[place]):
            if not blocked >> place & 1:
                blocked |= self.neighbours[place]
                found.append(self.keys[place])
        return found


class Candidates:
    """Candidates, cut into those without conflict and the connected parts of the others.

    Attributes:
        weights: Of the candidates.
        keys: The candidates in order.
        free: Those without conflict, in order.
        crossing: The others, in order.
        parts: The same, cut up.

    Raises:
        TooLargeError: more than ten million pairs in conflict.
    """

    def __init__(self, n_words: int, candidates: Iterable[tuple[int, int]]) -> None:
        self.weights = {key: weight for weight, key in candidates}
        self.keys = in_order(list(self.weights), n_words)
        near = conflicts(self.keys, n_words, _MOST_PAIRS)
        if near is None:
            raise TooLargeError(
                f"the trees of {n_words} words disagree too much to be averaged: more than {_MOST_PAIRS} "
                "pairs of their constituents conflict; leave the sentence out"
            )
        self.free = [key for key, others in zip(self.keys, near) if not others]
        self.crossing = [key for key, others in zip(self.keys, near) if others]
        names = {key: name for name, key in enumerate(self.crossing)}
        self.parts = []
        for places in parts(near):
            bits = {place: 1 << i for i, place in enumerate(places)}
            keys = [self.keys[place] for place in places]
            neighbours = [sum([bits[other] for other in near[place]]) for place in places]
            weights = [self.weights[key] for key in keys]
            self.parts.append(Part(keys, [names[key] for key in keys], neighbours, weights))

    @property
    def conflicting(self) -> int:
        """How many candidates conflict with another."""
        return len(self.crossing)

    def greedy(self, shared: list[int]) -> Iterator[list[int]]:
        """Trees to fall back on: heaviest yields first, each taken that fits, up to any number."""
        found = self.free + [key for part in self.parts for key in part.greedy()]
        taken = [(self.weights[key], key) for key in found]
        taken.sort(reverse=True)
        keys = [key for _, key in taken]
        for count in range(len(keys) + 1):
            yield shared + keys[:count]
