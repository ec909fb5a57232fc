"""The heaviest choice of pairwise nested or disjoint sets, and the candidates that it is made of.

The weight of a set together with the best choice inside it is known once the sets inside it are solved, as
in CKY.  A row of disjoint sets is found by walking over the elements from left to right.  A set with gaps
occupies later elements, so the walk keeps one best value for each combination of elements occupied ahead.
Without gaps there is only one.

Sets are bit sets.  Weights are positive integers of any size, made such that no two choices weigh the same
(:func:`number_choices`).  So each answer is unique and exact, and the lowest bits of its weight name the
choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from itertools import accumulate, chain, zip_longest
from operator import add, or_
from time import monotonic
from typing import Any, NamedTuple, TypeAlias

from ..base.errors import TooLargeError
from .yields import Ensemble


def number_choices(values: list[int]) -> list[int]:
    """Return weights that differ for all choices, for the values (positive integers) of ordered yields."""
    # Their sums compare by the sum of the values, then fewer yields, then the first yields: a value times
    # n + 1 loses one for each yield, and is followed by one bit for each yield, the first yield's highest.
    n = len(values)
    return [(value * (n + 1) - 1) << n | 1 << (n - 1 - index) for index, value in enumerate(values)]


def named(number: int, n: int) -> list[int]:
    """Return the indices of the yields, of ``n``, that a sum of such weights names, in order."""
    return [index for index in range(n) if number >> (n - 1 - index) & 1]


def combine(a: list[int], b: list[int]) -> list[int]:
    """Return the max-plus convolution: item ``s`` is the greatest ``a[i] + b[s - i]``."""
    if a == [0]:
        return b
    sums = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for size, y in enumerate(b, i):
            if x + y > sums[size]:
                sums[size] = x + y
    return sums


Weights: TypeAlias = tuple[Any, Callable[[Any, Any], Any], Callable[[Any, Any], Any]]
"""Of weights, numbers or lists of numbers by size: that of nothing, the sum of two, and the best of two."""
NUMBERS: Weights = 0, add, max
BY_SIZE: Weights = [0], combine, lambda one, other: [*map(max, zip_longest(one, other, fillvalue=0))]
"""A weight is a list: item ``s`` is the weight of the heaviest choice of ``s`` constituents."""


def heaviest(sets: dict[int, Any], of: Weights, deadline: float = 0.0) -> Any:
    """Return the weight of the heaviest choice of disjoint or nested sets; raise TimeoutError if it is late.

    Each set, which is not empty, has its weight; the deadline is on the monotonic clock, 0 for none.  Cost:
    O(sets * (sets + elements)) without gaps; with gaps exponential in the number of sets that overlap at one
    element.
    """
    # Sets by their first element, each with the weight of the best choice of it and sets inside it.  An
    # element that is in no chosen set weighs nothing.
    nothing, total, _ = of
    everything = reduce(or_, sets, 0)
    elements = [1 << index for index in range(everything.bit_length()) if everything >> index & 1]
    chart = {element: [(element, nothing)] for element in elements}
    for members, weight in sorted(sets.items(), key=lambda item: item[0].bit_count()):
        # Sets inside are smaller, so they are in the chart already.
        inside = _best_row(chart, members, of, deadline)
        chart[members & -members].append((members, total(weight, inside)))
    return _best_row(chart, everything, of, deadline)


def _best_row(chart: dict[int, list[tuple[int, Any]]], members: int, of: Weights, deadline: float) -> Any:
    """Return the greatest weight of disjoint sets inside a set."""
    nothing, total, best = of
    # Best weights by what is occupied, grouped by the first free element.  What is outside is occupied.
    rows = {members & -members: {~members: nothing}}
    for first, beginning in chart.items():
        for occupied, weight in rows.pop(first, {}).items():
            if deadline and monotonic() > deadline:
                raise TimeoutError
            for another, more in beginning:
                if not another & occupied:
                    joined = another | occupied
                    row = rows.setdefault(~joined & joined + 1, {})
                    value = total(weight, more)
                    row[joined] = best(row[joined], value) if joined in row else value
    return rows[0][-1]  # nothing is free


def conflicts(yields: list[int], most: int) -> list[list[int]] | None:
    """Return for each of some ordered yields the conflicting ones; ``None`` for more than ``most`` pairs."""
    near: list[list[int]] = [[] for _ in yields]
    n_pairs = 0
    for index, words in enumerate(yields):
        end = 1 << words.bit_length()
        for other in range(index + 1, len(yields)):
            bits = yields[other]
            if bits & -bits >= end:
                break  # this one begins behind the last word, as all that follow do
            if bits & words not in (0, bits, words):
                near[index].append(other)
                near[other].append(index)
                n_pairs += 1
        if n_pairs > most:
            return None
    return near


def components(near: list[list[int]]) -> list[list[int]]:
    """Return the connected components of more than one yield, each in order."""
    visited: set[int] = set()
    found = []
    for index, others in enumerate(near):
        if others and index not in visited:
            visited.add(index)
            component = [index]
            for member in component:
                for other in near[member]:
                    if other not in visited:
                        visited.add(other)
                        component.append(other)
            found.append(sorted(component))
    return found


# Maximum number of conflicting pairs, which take about 200 MB.  Trees of 1,000 words that have nothing in
# common have a twentieth of it.
_MOST_PAIRS = 10_000_000


class Component(NamedTuple):
    """A connected component of the conflict graph."""

    keys: list[int]  # constituents in order
    yields: list[int]  # of each constituent, as a bit set

    def above(self, weights: dict[int, int], p: int, q: int, deadline: float = 0.0) -> list[int]:
        """Return the constituents with the greatest sum of ``q * weight - p``.

        Ties: fewer constituents, then the first in order.
        """
        worthwhile = [(key, words) for key, words in zip(self.keys, self.yields) if q * weights[key] > p]
        numbers = number_choices([q * weights[key] - p for key, _ in worthwhile])
        # Choosing a yield chooses all its worthwhile constituents, so it weighs their sum.
        sums: dict[int, int] = {}
        for (_, words), number in zip(worthwhile, numbers):
            sums[words] = sums.get(words, 0) + number
        return [worthwhile[index][0] for index in named(heaviest(sums, NUMBERS, deadline), len(numbers))]

    def sums(self, weights: dict[int, int]) -> dict[int, list[int]]:
        """Return for each yield 0, the weight of its heaviest constituent, of its two heaviest and so on."""
        over: dict[int, list[int]] = {}
        for key, words in zip(self.keys, self.yields):
            over.setdefault(words, []).append(weights[key])
        return {words: [*accumulate(sorted(own, reverse=True), initial=0)] for words, own in over.items()}


class Candidates:
    """Candidates, split into those without conflict and the components of the others."""

    def __init__(self, ensemble: Ensemble, candidates: Iterable[tuple[int, int]]) -> None:
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
        self._yield_of = {key: yields[owner] for key, owner in zip(self.keys, owners)}
        of_yield: dict[int, list[int]] = {}
        for key, owner in zip(self.keys, owners):
            of_yield.setdefault(owner, []).append(key)
        groups = [[key for member in members for key in of_yield[member]] for members in components(near)]
        self.components = [Component(keys, [self._yield_of[key] for key in keys]) for keys in groups]

    def above(self, weights: dict[int, int], p: int, q: int, deadline: float) -> list[int]:
        """Return the choice with the greatest sum of ``q * weight - p``."""
        chosen = [component.above(weights, p, q, deadline) for component in self.components]
        return [key for key in self.free if q * weights[key] > p] + list(chain.from_iterable(chosen))

    def greedy(self) -> list[int]:
        """Return a choice without conflict: from the heaviest on, each candidate that fits."""
        chosen: list[int] = []
        for key in sorted(self.crossing, key=lambda key: -self.weights[key]):
            words, taken = self._yield_of[key], [self._yield_of[other] for other in chosen]
            if all(words & other in (0, words, other) for other in taken):
                chosen.append(key)
        return self.free + chosen

    def prefixes(self, shared: list[int]) -> Iterator[list[int]]:
        """Yield trees to fall back on when time is up: the greedy choice cut off at every length."""
        keys = [key for _, key in sorted([(self.weights[key], key) for key in self.greedy()], reverse=True)]
        for count in range(len(keys) + 1):
            yield shared + keys[:count]
