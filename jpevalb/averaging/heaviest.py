"""The heaviest choice of pairwise nested or disjoint sets, built from the inside out as in CKY.

The weight of a set together with the best choice inside it is known once the sets inside it are solved.  A
row of disjoint sets is found by walking over the elements from left to right.  A set with gaps occupies later
elements, so the walk keeps one best value for each combination of elements occupied ahead.  Without gaps
there is only one.

Sets are bit sets.  Weights are positive integers of any size, made such that no two choices weigh the same
(:func:`number_choices`).  So each answer is unique and exact, and the lowest bits of its weight name the
choice.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import zip_longest
from operator import add, or_
from time import monotonic
from typing import Generic, NamedTuple, TypeVar

W = TypeVar("W")  # a weight: a number, or a list of numbers by size


class Weights(NamedTuple, Generic[W]):
    """How weights are added and compared."""

    nothing: W
    sum: Callable[[W, W], W]
    best: Callable[[W, W], W]


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


def heaviest(sets: list[int], weights: list[int], deadline: float = 0.0) -> int | None:
    """Return the weight of the heaviest choice; ``None`` after the deadline."""
    return _heaviest(sets, weights, Weights(0, add, max), deadline)


def heaviest_by_size(sets: list[int], sums: list[list[int]], deadline: float = 0.0) -> list[int] | None:
    """Return a list: item ``s`` is the heaviest weight of ``s`` constituents; ``None`` after the deadline.

    ``sums`` has for each yield 0, its heaviest constituent, its two heaviest and so on.
    """

    def best(one: list[int], other: list[int]) -> list[int]:
        return [max(pair) for pair in zip_longest(one, other, fillvalue=0)]

    return _heaviest(sets, sums, Weights([0], combine, best), deadline)


def atoms(sets: list[int]) -> list[int]:
    """Merge words that no set separates: return the same sets over numbered atoms, in order of first word."""
    words = range(max(map(int.bit_length, sets), default=0))
    # Words that are in the same sets are one atom.
    first_of = {tuple([members >> word & 1 for members in sets]): word for word in reversed(words)}
    firsts = sorted([word for inside, word in first_of.items() if any(inside)])
    return [sum([1 << atom for atom, word in enumerate(firsts) if members >> word & 1]) for members in sets]


def _heaviest(sets: list[int], weights: list[W], of: Weights[W], deadline: float) -> W | None:
    """Return the weight of the heaviest choice of disjoint or nested sets; ``None`` after the deadline.

    The sets are distinct and not empty; the deadline is on the monotonic clock, 0 for none.  Cost:
    O(sets * (sets + elements)) without gaps; with gaps exponential in the number of sets that overlap at one
    element.
    """
    # Sets by their first element, each with the weight of the best choice of it and sets inside it.  An
    # element that is in no chosen set weighs nothing.
    everything = reduce(or_, sets, 0)
    elements = [1 << index for index in range(everything.bit_length()) if everything >> index & 1]
    chart = {element: [(element, of.nothing)] for element in elements}
    for members, weight in sorted(zip(sets, weights), key=lambda item: item[0].bit_count()):
        # Sets inside are smaller, so they are in the chart already.
        inside = _best_row(chart, members, of, deadline)
        if inside is None:
            return None
        chart[members & -members].append((members, of.sum(weight, inside)))
    return _best_row(chart, everything, of, deadline)


def _best_row(
    chart: dict[int, list[tuple[int, W]]], members: int, of: Weights[W], deadline: float
) -> W | None:
    """Return the greatest weight of disjoint sets inside a set; ``None`` after the deadline."""
    # Best weights by what is occupied, grouped by the first free element.  What is outside is occupied.
    rows = {members & -members: {~members: of.nothing}}
    for first, beginning in chart.items():
        for occupied, weight in rows.pop(first, {}).items():
            if deadline and monotonic() > deadline:
                return None
            for another, more in beginning:
                if not another & occupied:
                    joined = another | occupied
                    row = rows.setdefault(~joined & joined + 1, {})
                    total = of.sum(weight, more)
                    row[joined] = of.best(row[joined], total) if joined in row else total
    return rows[0][-1]  # nothing is free
