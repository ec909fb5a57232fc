"""Conflicts between yields: two yields conflict unless they are disjoint or nested."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort

from ..trees.tree import has_gaps


def conflicts(yields: list[int], most: int) -> list[list[int]] | None:
    """Return for each of some ordered yields the conflicting ones; ``None`` for more than ``most`` pairs."""
    near: list[list[int]] = [[] for _ in yields]
    gaps = [has_gaps(words) for words in yields]
    ends: list[tuple[int, int]] = []  # ends of the blocks so far, in order, with the blocks' indices
    n_pairs = 0
    for index, words in enumerate(yields):
        if gaps[index]:
            # Yields with gaps are compared with all others.
            conflicting = [
                other
                for other, bits in enumerate(yields)
                if bits & words not in (0, bits, words) and (not gaps[other] or other < index)
            ]
        else:
            # The blocks so far begin earlier, or at the same word and end later.
            start, end = (words & -words).bit_length() - 1, words.bit_length()
            first, last = bisect_right(ends, (start, len(yields))), bisect_left(ends, (end, 0))
            conflicting = [other for _, other in ends[first:last]]
            insort(ends, (end, index))
        for other in conflicting:
            near[index].append(other)
            near[other].append(index)
        n_pairs += len(conflicting)
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
