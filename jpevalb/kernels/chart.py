"""Kernel: the heaviest choice of nested or disjoint sets, built from the inside out as in CKY.

Where two sets conflict unless they are disjoint or nested, and there are many
and dense conflicts, a chart does what branching cannot: the weight of a set, with the
best choice inside it, is known once those inside are, and what is inside is a row
of disjoint sets, found by walking over the elements from left to right.  A set with
gaps that has begun leaves its later elements taken; the walk keeps one best value
for each combination of elements that are taken ahead.

Weights are positive integers of any size, made by the caller such that no two choices
weigh the same, as for the kernel ``cover``.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

from array import array
from time import monotonic

COMPILED: bool = cython.compiled


def atoms(sets: list) -> list:
    """Rewrites sets of words as sets of atoms: what no set tells apart becomes one element.

    Args:
        sets: Bit sets.

    Returns:
        The sets over atoms, numbered by their first words.

    Cost: O(sets * atoms).
    """
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
    blocks.sort(key=_lowest)
    one: object = 1
    place: cython.Py_ssize_t
    found: list = []
    for members in sets:
        rewritten = 0
        for place in range(len(blocks)):
            if blocks[place] & members:
                rewritten |= one << place
        found.append(rewritten)
    return found


def _lowest(block: object) -> object:
    return block & -block


def heaviest_nested(sets: list, weights: list, deadline: cython.double = 0.0) -> object:
    """The weight of the heaviest choice of sets any two of which are disjoint or nested.

    Args:
        sets: Bit sets, none empty, none twice.
        weights: Of the sets, positive.
        deadline: Time of the monotonic clock at which to give up; 0 for never.

    Returns:
        The weight; ``None`` when time is up.

    Cost: O(sets**2 * elements) for sets without gaps; with gaps, at worst
    exponential in the number of sets that are open at one place.
    """
    n: cython.Py_ssize_t = len(sets)
    i: cython.Py_ssize_t
    place: cython.Py_ssize_t
    count: cython.Py_ssize_t
    narrow: cython.bint = True
    for i in range(n):
        if sets[i].bit_length() > 64:
            narrow = False
    # By first element: so a walk meets them in order.
    order: list = sorted(range(n), key=[members & -members for members in sets].__getitem__)
    by_size: list = sorted(range(n), key=[sets[i].bit_count() for i in order].__getitem__)
    ordered: list = [sets[i] for i in order]
    words: cython.ulonglong[:] = array("Q", ordered if narrow and n else [0])
    known: list = [None] * n  # the weight of a set with the best choice inside it
    inside: array = array("q", bytes(8 * n))
    picked: cython.longlong[:] = inside if n else array("q", [0])
    mask: cython.ulonglong
    for place in by_size:
        members = ordered[place]
        count = 0
        # What lies inside is smaller, so it is known already.
        if narrow:
            mask = ~words[place]
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
        known[place] = weights[order[place]] + best
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
    """The weight of the heaviest choice of disjoint sets among those picked; ``None`` when time is up.

    Args:
        sets: Bit sets, ordered by their first elements.
        words: The same as numbers, where ``narrow``.
        weights: Of the sets.
        picked: The places of the sets to choose from, in order, ``count`` of them.
    """
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    which: cython.Py_ssize_t
    mask: cython.ulonglong
    turns: cython.Py_ssize_t = 0
    row: dict = {0: 0}  # elements taken from here on, and the best weight with them
    following: dict
    while i < count:
        members = sets[picked[i]]
        low = members & -members
        past = low - 1
        j = i + 1
        while j < count and sets[picked[j]] & low and not sets[picked[j]] & past:
            j += 1
        following = {}
        for taken, value in row.items():
            turns += 1
            if deadline and turns % 256 == 0 and monotonic() > deadline:
                return None
            ahead = taken & ~past
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
