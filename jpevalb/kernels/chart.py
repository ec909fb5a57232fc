# cython: infer_types=True
"""Kernel: the heaviest choice of pairwise nested or disjoint sets, built from the inside out as in CKY.

A chart handles many dense conflicts, where branching (kernel ``cover``) fails.  The weight of a set together
with the best choice inside it is known once the sets inside it are solved.  A row of disjoint sets is found
by walking over the elements from left to right.  A set with gaps occupies later elements, so the walk keeps
one best value for each combination of elements occupied ahead.

Weights are positive integers of any size, made such that no two choices weigh the same (see ``cover``).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

from array import array
from time import monotonic


def atoms(sets: list) -> list:
    """Merge words that no set separates: return the same sets over numbered atoms, in order of first word."""
    blocks: list = []
    union = 0
    for members in sets:
        new: list = []
        for block in blocks:
            inside = block & members
            if inside and inside != block:
                new.append(inside)
                new.append(block ^ inside)
            else:
                new.append(block)
        if members & ~union:
            new.append(members & ~union)
            union |= members
        blocks = new
    blocks.sort(key=lambda block: block & -block)
    one: object = 1
    result: list = []
    for members in sets:
        rewritten = 0
        for index in range(len(blocks)):
            if blocks[index] & members:
                rewritten |= one << index
        result.append(rewritten)
    return result


def heaviest_nested(sets: list, weights: list, deadline: cython.double = 0.0) -> object:
    """Return the weight of the heaviest choice of disjoint or nested sets; ``None`` after the deadline.

    The sets are distinct non-empty bit sets; the deadline is on the monotonic clock, 0 for none.  Cost:
    O(sets**2 * elements) without gaps; with gaps exponential in the number of sets that overlap at one
    element.
    """
    n = len(sets)
    index: cython.Py_ssize_t
    narrow: cython.bint = max(map(int.bit_length, sets), default=0) <= 64
    # By first element, the order in which the walk meets them.
    order: list = sorted(range(n), key=[members & -members for members in sets].__getitem__)
    by_size: list = sorted(range(n), key=[sets[i].bit_count() for i in order].__getitem__)
    ordered: list = [sets[i] for i in order]
    words: cython.ulonglong[:] = array("Q", ordered if narrow and n else [0])
    known: list = [None] * n  # the weight of a set with the best choice inside it
    inside: array = array("q", bytes(8 * n))
    picked: cython.longlong[:] = inside if n else array("q", [0])
    mask: cython.ulonglong
    for index in by_size:
        members = ordered[index]
        count = 0
        # Sets inside are smaller, so they are known already.
        if narrow:
            mask = ~words[index]
            for i in range(n):
                if not words[i] & mask and known[i] is not None:
                    picked[count] = i
                    count += 1
        else:
            for i in range(n):
                if known[i] is not None and ordered[i] & members == ordered[i]:
                    picked[count] = i
                    count += 1
        best = _best_row(ordered, words, known, picked, count, narrow, deadline)
        if best is None:
            return None
        known[index] = weights[order[index]] + best
    for i in range(n):
        picked[i] = i
    return _best_row(ordered, words, known, picked, n, narrow, deadline)


@cython.cfunc
def _best_row(
    sets: list,
    words: cython.ulonglong[:],
    weights: list,
    picked: cython.longlong[:],
    count: cython.Py_ssize_t,
    narrow: cython.bint,
    deadline: cython.double,
) -> object:
    """Return the greatest weight of disjoint sets among the ``count`` ``picked`` ones; ``None`` if late.

    ``sets`` are ordered by first element; ``words`` are the same sets as 64-bit numbers if ``narrow``.
    """
    i: cython.Py_ssize_t = 0
    mask: cython.ulonglong
    steps = 0
    row: dict = {0: 0}  # elements occupied from here on -> best weight
    following: dict
    while i < count:
        members = sets[picked[i]]
        low = members & -members
        past = low - 1
        j = i + 1
        while j < count and sets[picked[j]] & low and not sets[picked[j]] & past:
            j += 1
        following = {}
        for occupied, value in row.items():
            steps += 1
            if deadline and steps % 256 == 0 and monotonic() > deadline:
                return None
            ahead = occupied & ~past
            if value > following.get(ahead, -1):
                following[ahead] = value
            if ahead & low:
                continue
            if narrow:
                mask = ahead
                for k in range(i, j):
                    which = picked[k]
                    if not words[which] & mask:
                        joined = words[which] | mask
                        total = value + weights[which]
                        if total > following.get(joined, -1):
                            following[joined] = total
            else:
                for k in range(i, j):
                    which = picked[k]
                    if not sets[which] & ahead:
                        joined = sets[which] | ahead
                        total = value + weights[which]
                        if total > following.get(joined, -1):
                            following[joined] = total
        row = following
        i = j
    return max(row.values())
