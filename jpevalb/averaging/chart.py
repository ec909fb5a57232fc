"""The heaviest choice of pairwise nested or disjoint sets, built from the inside out as in CKY.

The weight of a set together with the best choice inside it is known once the sets inside it are solved.  A
row of disjoint sets is found by walking over the elements from left to right.  A set with gaps occupies later
elements, so the walk keeps one best value for each combination of elements occupied ahead.  Without gaps
there is only one.

Sets are bit sets.  Weights are positive integers of any size, made such that no two choices weigh the same
(:func:`.heaviest.number_choices`).
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from time import monotonic


def atoms(sets: list[int]) -> list[int]:
    """Merge words that no set separates: return the same sets over numbered atoms, in order of first word."""
    words = range(max(map(int.bit_length, sets), default=0))
    # Words that are in the same sets are one atom.
    first_of = {tuple([members >> word & 1 for members in sets]): word for word in reversed(words)}
    firsts = sorted([word for inside, word in first_of.items() if any(inside)])
    return [sum([1 << atom for atom, word in enumerate(firsts) if members >> word & 1]) for members in sets]


def heaviest_nested(sets: list[int], weights: list[int], deadline: float = 0.0) -> int | None:
    """Return the weight of the heaviest choice of disjoint or nested sets; ``None`` after the deadline.

    The sets are distinct and not empty; the deadline is on the monotonic clock, 0 for none.  Cost:
    O(sets * (sets + elements)) without gaps; with gaps exponential in the number of sets that overlap at one
    element.
    """
    # Sets by their first element, each with the weight of the best choice of it and sets inside it.  An
    # element that is in no chosen set weighs nothing.
    everything = reduce(or_, sets, 0)
    chart = {element: [(element, 0)] for element in _elements(everything)}
    for members, weight in sorted(zip(sets, weights), key=lambda item: item[0].bit_count()):
        # Sets inside are smaller, so they are in the chart already.
        inside = _best_row(chart, members, deadline)
        if inside is None:
            return None
        chart[members & -members].append((members, weight + inside))
    return _best_row(chart, everything, deadline)


def _best_row(chart: dict[int, list[tuple[int, int]]], members: int, deadline: float) -> int | None:
    """Return the greatest weight of disjoint sets inside a set; ``None`` after the deadline."""
    # Best weights by what is occupied, grouped by the first free element.  What is outside is occupied.
    rows = {members & -members: {~members: 0}}
    for first, beginning in chart.items():
        for occupied, weight in rows.pop(first, {}).items():
            if deadline and monotonic() > deadline:
                return None
            for another, more in beginning:
                if not another & occupied:
                    joined = another | occupied
                    row = rows.setdefault(~joined & joined + 1, {})
                    if weight + more > row.get(joined, -1):
                        row[joined] = weight + more
    return rows[0][-1]  # nothing is free


def _elements(members: int) -> list[int]:
    """Return the elements of a set as sets, in order."""
    return [1 << index for index in range(members.bit_length()) if members >> index & 1]
