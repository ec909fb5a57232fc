"""The candidates for the average's yields, and which of them conflict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .._core.cover import conflicts, parts
from .._core.yields import in_order


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


class Candidates:
    """Candidates, cut into those without conflict and the connected parts of the others.

    Attributes:
        weights: Of the candidates.
        keys: The candidates in order.
        free: Those without conflict, in order.
        crossing: The others, in order.
        parts: The same, cut up.
    """

    def __init__(self, n_words: int, candidates: Iterable[tuple[int, int]]) -> None:
        self.weights = {key: weight for weight, key in candidates}
        self.keys = in_order(list(self.weights), n_words)
        near = conflicts(self.keys, n_words)
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
        taken = [(self.weights[key], key) for key in self.free]
        for part in self.parts:
            blocked = 0
            for place in sorted(range(len(part.keys)), key=lambda place: -part.weights[place]):
                if not blocked >> place & 1:
                    blocked |= part.neighbours[place]
                    taken.append((part.weights[place], part.keys[place]))
        taken.sort(reverse=True)
        keys = [key for _, key in taken]
        for count in range(len(keys) + 1):
            yield shared + keys[:count]
