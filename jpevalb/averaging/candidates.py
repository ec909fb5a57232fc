"""The candidates for the average's constituents, and which of them conflict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate

from ..kernels.cover import conflicts, parts
from ..trees.errors import TooLargeError
from ..trees.frozen import frozen
from .ensemble import Ensemble

# Pairs in conflict that are looked into, for memory's sake: about 200 MB for so many.
# Trees of 1,000 words that have nothing in common have a twentieth of it.
_MOST_PAIRS = 10_000_000

# A part of the conflicts with more yields is hard: tables for all sizes could take time exponential in it.
SMALL_PART = 16


@frozen
class Part:
    """A connected part of the conflict graph.

    Attributes:
        keys: Its constituents in order.
        names: Their places among all constituents in conflict.
        owners: For each of them the place of its yield in the part; ``None`` where each has its own.
        neighbours: For each yield, those that it conflicts with, as a bit set.
        weights: The hit counts of the constituents.
    """

    keys: list[int]
    names: list[int]
    owners: list[int] | None
    neighbours: list[int]
    weights: list[int]

    def greedy(self) -> list[int]:
        """Constituents without conflict: the heaviest first, each taken that fits."""
        found = []
        blocked = 0
        for place in sorted(range(len(self.keys)), key=lambda place: -self.weights[place]):
            owner = place if self.owners is None else self.owners[place]
            if not blocked >> owner & 1:
                blocked |= self.neighbours[owner]
                found.append(self.keys[place])
        return found

    def sums(self, weights: list[int]) -> list[list[int]]:
        """For each yield the weights of its heaviest constituent, its two heaviest and so on, after 0."""
        if self.owners is None:
            return [[0, weight] for weight in weights]
        own: list[list[int]] = [[] for _ in self.neighbours]
        for owner, weight in zip(self.owners, weights):
            own[owner].append(weight)
        return [list(accumulate(sorted(over, reverse=True), initial=0)) for over in own]


class Candidates:
    """Candidates, cut into those without conflict and the connected parts of the others.

    Attributes:
        weights: Of the candidates.
        keys: The candidates in order.
        free: Those without conflict, in order.
        crossing: The others, in order.
        parts: The same, cut up.

    Raises:
        TooLargeError: more than ten million pairs of yields in conflict.
    """

    def __init__(self, ensemble: Ensemble, candidates: Iterable[tuple[int, int]]) -> None:
        self._ensemble = ensemble
        self.weights = {key: weight for weight, key in candidates}
        self.keys, yields, owners = ensemble.ordered(list(self.weights))
        near = conflicts(yields, ensemble.n_words, _MOST_PAIRS)
        if near is None:
            raise TooLargeError(
                f"the trees of {ensemble.n_words} words disagree too much to be averaged: more than "
                f"{_MOST_PAIRS} pairs of their constituents conflict; leave the sentence out"
            )
        if owners is None:
            alone = [not others for others in near]
        else:
            alone = [not near[owner] for owner in owners]
        self.free = [key for key, free in zip(self.keys, alone) if free]
        self.crossing = [key for key, free in zip(self.keys, alone) if not free]
        names = {key: name for name, key in enumerate(self.crossing)}
        of_yield: dict[int, list[int]] = {}
        for key, owner in zip(self.keys, owners or ()):
            of_yield.setdefault(owner, []).append(key)
        self.parts = []
        for places in parts(near):
            bits = {place: 1 << i for i, place in enumerate(places)}
            neighbours = [sum([bits[other] for other in near[place]]) for place in places]
            if owners is None:
                keys, local = [self.keys[place] for place in places], None
            else:
                keys = [key for place in places for key in of_yield[place]]
                local = [i for i, place in enumerate(places) for _ in of_yield[place]]
            weights = [self.weights[key] for key in keys]
            self.parts.append(Part(keys, [names[key] for key in keys], local, neighbours, weights))

    @property
    def conflicting(self) -> int:
        """How many candidates conflict with another."""
        return len(self.crossing)

    @property
    def hard(self) -> bool:
        """Whether some part of the conflicts has so many yields that a good tree to begin with pays."""
        return any(len(part.neighbours) > SMALL_PART for part in self.parts)

    def known(self) -> Iterator[list[int]]:
        """Choices without conflict that are quickly made, heaviest first: the inputs' and a greedy one."""
        supports = self._ensemble.supports
        lists = [
            [key for key in self.keys if supports[key] >> k & 1] for k in range(len(self._ensemble.weights))
        ]
        for keys in [*lists, self.free + [key for part in self.parts for key in part.greedy()]]:
            yield sorted(keys, key=lambda key: -self.weights[key])

    def greedy(self, shared: list[int]) -> Iterator[list[int]]:
        """Trees to fall back on: heaviest constituents first, each taken that fits, up to any number."""
        found = self.free + [key for part in self.parts for key in part.greedy()]
        taken = [(self.weights[key], key) for key in found]
        taken.sort(reverse=True)
        keys = [key for _, key in taken]
        for count in range(len(keys) + 1):
            yield shared + keys[:count]
