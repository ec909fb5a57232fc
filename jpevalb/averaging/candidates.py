"""The candidates for the average's constituents, and the connected components of their conflicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from ..base.errors import TooLargeError
from .conflicts import components, conflicts
from .ensemble import Ensemble
from .heaviest import atoms, heaviest, named, number_choices

# Maximum number of conflicting pairs, which take about 200 MB.  Trees of 1,000 words that have nothing in
# common have a twentieth of it.
_MOST_PAIRS = 10_000_000


class Component(NamedTuple):
    """A connected component of the conflict graph."""

    keys: list[int]  # constituents in order
    names: list[int]  # their indices among all constituents in conflict
    owners: list[int]  # index of each constituent's yield
    sets: list[int]  # the yields as bit sets
    weights: list[int]  # hit counts of the constituents

    def above(self, weights: list[int], p: int, q: int, deadline: float = 0.0) -> list[int] | None:
        """Return the constituents with the greatest sum of ``q * weight - p``; ``None`` after the deadline.

        Ties: fewer constituents, then the first in order.
        """
        worthwhile = [index for index, weight in enumerate(weights) if q * weight > p]
        numbers = number_choices([q * weights[index] - p for index in worthwhile])
        # Choosing a yield chooses all its worthwhile constituents, so it weighs their sum.
        sums: dict[int, int] = {}
        for index, number in zip(worthwhile, numbers):
            sums[self.owners[index]] = sums.get(self.owners[index], 0) + number
        chosen = heaviest([self.sets[owner] for owner in sums], list(sums.values()), deadline)
        return None if chosen is None else [worthwhile[index] for index in named(chosen, len(numbers))]

    def nested(self, deadline: float) -> list[int] | None:
        """Return the keys of the heaviest constituents, one over each yield; ``None`` after the deadline."""
        chosen = heaviest(self.sets, number_choices(self.weights), deadline)
        return None if chosen is None else [self.keys[index] for index in named(chosen, len(self.keys))]

    def greedy(self) -> list[int]:
        """Return constituents without conflict: from the heaviest on, each that fits."""
        chosen = []
        taken: list[int] = []
        for index in sorted(range(len(self.keys)), key=lambda index: -self.weights[index]):
            words = self.sets[self.owners[index]]
            if all(words & other in (0, words, other) for other in taken):
                taken.append(words)
                chosen.append(self.keys[index])
        return chosen

    def sums(self, weights: list[int]) -> list[list[int]]:
        """Return for each yield 0, the weight of its heaviest constituent, of its two heaviest and so on."""
        by_yield: list[list[int]] = [[] for _ in self.sets]
        for owner, weight in zip(self.owners, weights):
            by_yield[owner].append(weight)
        return [list(accumulate(sorted(over, reverse=True), initial=0)) for over in by_yield]


class Candidates:
    """Candidates, split into those without conflict and the components of the others."""

    def __init__(self, ensemble: Ensemble, candidates: Iterable[tuple[int, int]]) -> None:
        self._ensemble = ensemble
        self.weights = {key: weight for weight, key in candidates}
        self.keys, yields, owners = ensemble.ordered(list(self.weights))
        near = conflicts(yields, _MOST_PAIRS)
        if near is None:
            raise TooLargeError(
                f"the trees of {ensemble.n_words} words disagree too much to be averaged: more than "
                f"{_MOST_PAIRS} pairs of their constituents conflict; leave the sentence out"
            )
        self.free = [key for key, owner in zip(self.keys, owners) if not near[owner]]
        self.crossing = [key for key, owner in zip(self.keys, owners) if near[owner]]
        names = {key: name for name, key in enumerate(self.crossing)}
        of_yield: dict[int, list[int]] = {}
        for key, owner in zip(self.keys, owners):
            of_yield.setdefault(owner, []).append(key)
        self.components = []
        for members in components(near):
            keys = [key for member in members for key in of_yield[member]]
            local = [i for i, member in enumerate(members) for _ in of_yield[member]]
            sets = [yields[member] for member in members]
            self.components.append(
                Component(
                    keys,
                    [names[key] for key in keys],
                    local,
                    atoms(sets),
                    [self.weights[key] for key in keys],
                )
            )

    def above(self, weights: dict[int, int], p: int, q: int, deadline: float) -> list[int] | None:
        """Return the choice with the greatest sum of ``q * weight - p``; ``None`` when time is up."""
        chosen = [key for key in self.free if q * weights[key] > p]
        for component in self.components:
            indices = component.above([weights[key] for key in component.keys], p, q, deadline)
            if indices is None:
                return None
            chosen += [component.keys[index] for index in indices]
        return chosen

    def greedy(self) -> list[int]:
        """Return a choice without conflict: all free candidates and, by component, the heaviest that fit."""
        return self.free + [key for component in self.components for key in component.greedy()]

    def prefixes(self, shared: list[int]) -> Iterator[list[int]]:
        """Yield trees to fall back on when time is up: the greedy choice cut off at every length."""
        keys = [key for _, key in sorted([(self.weights[key], key) for key in self.greedy()], reverse=True)]
        for count in range(len(keys) + 1):
            yield shared + keys[:count]
