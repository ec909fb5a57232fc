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
    from jpevalb._core import cython_shim as cython

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

    Cost: O(elements * sets) for sets without gaps; with gaps, times the number of
    combinations of sets that are open at one place, exponential at worst.
    """
    n: cython.Py_ssize_t = 0
    start: cython.Py_ssize_t
    end: cython.Py_ssize_t
    place: cython.Py_ssize_t
    which: cython.Py_ssize_t
    one: object = 1
    for place in range(len(sets)):
        n = max(n, sets[place].bit_length())
    # What can begin at each element: (end, set, weight with all inside), as far as known.
    known: list = [[] for _ in range(n + 1)]
    begins: list = [[] for _ in range(n + 1)]
    for place in range(len(sets)):
        members = sets[place]
        start = (members & -members).bit_length() - 1
        begins[start].append((members.bit_length(), members.bit_count(), place))
    for start in range(n - 1, -1, -1):
        targets: list = begins[start]
        if not targets:
            continue
        # A set needs those inside it: they end no later and are smaller.
        targets.sort()
        last: cython.Py_ssize_t = targets[len(targets) - 1][0]
        rows: list = [{} for _ in range(n + 1)]
        rows[start][0] = 0
        place = start
        for end, _, which in targets:
            while place < end:
                if not _advance(rows, known, place, last, deadline):
                    return None
                place += 1
            members = sets[which]
            gaps = ((one << end) - (one << start)) & ~members
            if gaps:
                inner = _walk(known, n, start, end, end, gaps, 0, deadline)
                if inner is None:
                    return None
                value = inner[end][0] + weights[which]
                known[start].append((end, members, value))
                # The walk up to here was without this set: join what goes with it.
                outer = _walk(known, n, start, end, last, members, value, deadline)
                if outer is None:
                    return None
                for place in range(end, last + 1):
                    for taken, value in outer[place].items():
                        _put(rows[place], taken, value)
                place = end
            else:
                value = rows[end][0] + weights[which]
                known[start].append((end, members, value))
                rows[end][0] = value
    whole = _walk(known, n, 0, n, n, 0, 0, deadline)
    return None if whole is None else whole[n][0]


@cython.cfunc
def _walk(
    known: list,
    n: cython.Py_ssize_t,
    start: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    limit: cython.Py_ssize_t,
    taken: object,
    value: object,
    deadline: cython.double,
) -> object:
    """Walks from ``start`` to ``end`` with some elements taken already; sets beyond ``limit`` do not begin.

    Returns:
        For each place from ``end`` on the best values by what is taken ahead, as
        dictionaries; ``None`` when time is up.
    """
    rows: list = [{} for _ in range(n + 1)]
    rows[start][taken] = value
    place: cython.Py_ssize_t
    for place in range(start, end):
        if not _advance(rows, known, place, limit, deadline):
            return None
    return rows


@cython.cfunc
def _advance(
    rows: list, known: list, place: cython.Py_ssize_t, limit: cython.Py_ssize_t, deadline: cython.double
) -> cython.bint:
    """Goes on from one element: it is taken, or left out, or a set begins there."""
    row: dict = rows[place]
    if not row:
        return True
    rows[place] = {}
    if deadline and monotonic() > deadline:
        return False
    one: object = 1
    low = one << place
    starting: list = known[place]
    for taken, value in row.items():
        if taken & low:
            _step(rows, taken, low, value)
            continue
        _put(rows[place + 1], taken, value)
        for end, members, weight in starting:
            if end <= limit and not members & taken:
                _step(rows, members | taken, low, value + weight)
    return True


@cython.cfunc
def _step(rows: list, taken: object, low: object, value: object):
    """Goes over the run of taken elements that begins at ``low``."""
    carried = taken + low
    ahead = taken & carried
    _put(rows[(carried & ~taken).bit_length() - 1], ahead, value)


@cython.cfunc
def _put(row: dict, taken: object, value: object):
    if value > row.get(taken, -1):
        row[taken] = value
