"""Kernel: the cheapest alignment of two runs of characters, with gaps that are cheap where sentences end.

A run is a string; each of its places, from 0 before the first character to its length behind
the last, has a level: 0 inside a token, 1 between tokens, 2 where a sentence ends.  An alignment
is a path from place (0, 0) to the ends of both runs, of steps that pair two characters or pass
one character of one side.  Costs are whole numbers, in quarters of an edit.

Source: affine gaps in O(n * m), Gotoh 1982, with a cost of opening that depends on the place.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from jpevalb._core import cython_shim as cython

COMPILED: bool = cython.compiled

GAP = 4
"""Passing a character of one side."""
UNLIKE = 8
"""Pairing two characters that differ: as much as passing both, so that only shared cuts pair them."""
OPEN = 2
"""Beginning to pass characters, for each side; one less for each level of its place."""
CUT = 16
"""What a pair of characters earns that ends a token on both sides: as much as a boundary that was
moved by one character could cost, so that no equal characters are parted for one."""
SENTENCE = 12
"""What any step earns that arrives at a sentence end of both sides."""

FAR = 1 << 29
"""More than any path costs."""


@cython.cfunc
@cython.exceptval(check=False)
def _pass_gold(
    downs: cython.p_int,
    row: cython.p_int,
    opens: cython.p_int,
    steps: cython.p_uchar,
    opening: cython.int,
    earned: cython.p_int,
    at: cython.Py_ssize_t,
    m: cython.Py_ssize_t,
) -> cython.void:
    """Passing a gold character, at all places of the system.  No step needs another: several go at once.

    The shift is -1 below 0 and else 0: which way is the cheaper is hard to foresee, so branches
    would cost five times as much, here and below.
    """
    j: cython.Py_ssize_t
    other: cython.int
    less: cython.int
    for j in range(m + 1):
        other = row[j] + opening + opens[j] - downs[j]
        less = other >> 31
        downs[j] += (other & less) + 4 - earned[j]
        steps[at + j] = less & 4


@cython.cfunc
@cython.exceptval(check=False)
def _pair(
    found: cython.p_int,
    downs: cython.p_int,
    row: cython.p_int,
    codes: cython.p_int,
    steps: cython.p_uchar,
    code: cython.int,
    earned: cython.p_int,
    at: cython.Py_ssize_t,
    m: cython.Py_ssize_t,
) -> cython.void:
    """Pairing both characters, or passing gold's, whichever is cheaper."""
    j: cython.Py_ssize_t
    other: cython.int
    here: cython.int
    less: cython.int
    for j in range(1, m + 1):
        other = codes[j] - code
        here = row[j - 1] - earned[j] + (((other | -other) >> 31) & 8)
        other = downs[j] - here - 1
        less = other >> 31
        found[j] = here + ((other + 1) & less)
        steps[at + j] |= less & 1


@cython.cfunc
@cython.exceptval(check=False)
def _pass_system(
    found: cython.p_int,
    row: cython.p_int,
    opens: cython.p_int,
    steps: cython.p_uchar,
    opening: cython.int,
    earned: cython.p_int,
    at: cython.Py_ssize_t,
    m: cython.Py_ssize_t,
    far: cython.int,
) -> cython.void:
    """Or passing the system's, from left to right."""
    j: cython.Py_ssize_t
    right: cython.int = far
    here: cython.int = found[0]
    other: cython.int
    less: cython.int
    flags: cython.int
    row[0] = here
    for j in range(1, m + 1):
        other = here + opening + opens[j - 1] - right
        less = other >> 31
        right += (other & less) + 4 - earned[j]
        flags = less & 8
        here = found[j]
        other = right - here - 1
        less = other >> 31
        here += (other + 1) & less
        row[j] = here
        steps[at + j] = (steps[at + j] & (4 | (~less & 1))) | flags | (less & 2)


def align_runs(
    gold: str, system: str, gold_levels: bytes, system_levels: bytes, before: tuple = (0, 0, 0)
) -> tuple:
    """Finds the cheapest path and the places on it where both sides are between tokens.

    Among paths of one cost the one is taken that passes characters as late as possible, the
    system's after gold's.

    Args:
        gold: Gold characters; not empty.
        system: The system's characters; not empty.
        gold_levels: The level of each gold place, one byte each, one more than characters; neither
            the first nor the last is 0.
        system_levels: The level of each place of the system, in the same form.
        before: Gold tokens, system tokens and equal characters before the first place.

    Returns:
        ``(cost, points)``: each point is ``(gold tokens, system tokens, equal characters)`` up to
        a place of the path that is between tokens on both sides, from ``before`` to the ends.

    Cost: O(n * m) time and bytes for n and m characters.

    >>> align_runs("cannot", "canot", bytes([2, 0, 0, 1, 0, 0, 2]), bytes([2, 0, 0, 1, 0, 2]))
    (-38, [(0, 0, 0), (1, 1, 3), (2, 2, 5)])
    """
    found: tuple = _search(gold, system, gold_levels, system_levels, before)
    return found[:2]


def unpaired(gold: str, system: str, gold_levels: bytes, system_levels: bytes) -> tuple:
    """The tokens of which the cheapest path pairs no character with one of the other side.

    Args:
        gold: As for :func:`align_runs`.
        system: As for :func:`align_runs`.
        gold_levels: As for :func:`align_runs`.
        system_levels: As for :func:`align_runs`.

    Returns:
        The numbers of such gold tokens, and of such tokens of the system; ascending lists.

    Cost: that of :func:`align_runs`.

    >>> levels = bytes([2, 0, 0, 0, 2]), bytes([2, 0, 1, 0, 0, 1, 0, 2])
    >>> unpaired("cats", "caxyzts", *levels)
    ([], [1])
    """
    found: tuple = _search(gold, system, gold_levels, system_levels, (0, 0, 0))
    return tuple([[token for token, bare in enumerate(side) if bare] for side in found[2:]])


@cython.cfunc
def _search(gold: str, system: str, gold_levels: bytes, system_levels: bytes, before: tuple) -> tuple:
    """Cost and points of the cheapest path, and the tokens of either side that it pairs nothing of."""
    n: cython.Py_ssize_t = len(gold)
    m: cython.Py_ssize_t = len(system)
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    level: cython.int
    opening: cython.int
    opening_above: cython.int
    here: cython.int
    far: cython.int = FAR
    gap: cython.int = GAP
    cut: cython.int = CUT
    sentence: cython.int = SENTENCE
    open_inside: cython.int = OPEN
    flags: cython.int
    o: cython.p_int
    c: cython.p_int
    zero: cython.p_int
    cut_1: cython.p_int
    cut_2: cython.p_int
    end_2: cython.p_int
    best: cython.p_int
    falls: cython.p_int
    least: cython.p_int
    earned: cython.p_int
    earned_gap: cython.p_int
    steps: cython.p_uchar
    trace: cython.uchar[::1] = bytearray((n + 1) * (m + 1))
    steps = cython.address(trace[0]) if cython.compiled else trace
    # Rows of one number for each place of the system, all zero at first.
    if cython.compiled:
        rows: cython.int[::1] = array("i", bytes(36 * (m + 1)))
        o = cython.address(rows[0])
        c = cython.address(rows[m + 1])
        zero = cython.address(rows[2 * (m + 1)])
        cut_1 = cython.address(rows[3 * (m + 1)])
        cut_2 = cython.address(rows[4 * (m + 1)])
        end_2 = cython.address(rows[5 * (m + 1)])
        best = cython.address(rows[6 * (m + 1)])
        falls = cython.address(rows[7 * (m + 1)])
        least = cython.address(rows[8 * (m + 1)])
    else:
        o, c, zero, cut_1, cut_2, end_2, best, falls, least = ([0] * (m + 1) for _ in range(9))
    tokens: cython.Py_ssize_t = 0
    others: cython.Py_ssize_t = 0
    for j in range(m + 1):
        level = system_levels[j]
        falls[j] = far
        if j:
            c[j] = ord(system[j - 1])
            others += level > 0
        # What it costs to begin passing here, and what an arrival earns, by gold's level.
        o[j] = open_inside - level
        if level:
            cut_1[j] = cut_2[j] = cut
        if level == 2:
            cut_2[j] = cut + sentence
            end_2[j] = sentence
    level = gold_levels[0]
    opening = open_inside - level
    earned_gap = end_2 if level == 2 else zero
    here = opening + o[0]
    for j in range(1, m + 1):
        here += gap - earned_gap[j]
        best[j] = here
    for i in range(1, n + 1):
        opening_above = opening
        level = gold_levels[i]
        tokens += level > 0
        opening = open_inside - level
        earned = cut_2 if level == 2 else cut_1 if level == 1 else zero
        earned_gap = end_2 if level == 2 else zero
        _pass_gold(falls, best, o, steps, opening_above, earned_gap, i * (m + 1), m)
        least[0] = falls[0]
        _pair(least, falls, best, c, steps, ord(gold[i - 1]), earned, i * (m + 1), m)
        _pass_system(least, best, o, steps, opening, earned_gap, i * (m + 1), m, far)
    cost: cython.int = best[m]
    # Back from the ends: which tokens are behind, and how many pairs of equal characters.
    alone = bytearray(b"\1" * tokens)
    others_alone = bytearray(b"\1" * others)
    marks: cython.p_int
    if cython.compiled:
        marks_view: cython.int[::1] = array("i", bytes(12 * (tokens + others + 1)))
        marks = cython.address(marks_view[0])
    else:
        marks = [0] * (3 * (tokens + others + 1))
    count: cython.Py_ssize_t = 0
    equal: cython.int = 0
    way: cython.int = 0  # 1 and 2: the step here belongs to a run of passed characters
    i, j = n, m
    while True:
        gold_level: cython.int = gold_levels[i]
        system_level: cython.int = system_levels[j]
        if gold_level and system_level:
            marks[count] = tokens
            marks[count + 1] = others
            marks[count + 2] = equal
            count += 3
        if i == 0 and j == 0:
            break
        if i == 0:
            way = 2
            flags = 0
        elif j == 0:
            way = 1
            flags = 0
        else:
            flags = steps[i * (m + 1) + j]
            if way == 0:
                way = flags & 3
        if way != 2:
            i -= 1
            if gold_level:
                tokens -= 1
        if way != 1:
            j -= 1
            if system_level:
                others -= 1
        if way == 0:
            alone[tokens] = 0
            others_alone[others] = 0
            if gold[i] == system[j]:
                equal += 1
        elif (way == 1 and flags & 4) or (way == 2 and flags & 8):
            way = 0
    tokens, others, i = before
    equal += i
    points: list = []
    while count > 0:
        count -= 3
        points.append((tokens + marks[count], others + marks[count + 1], equal - marks[count + 2]))
    return cost, points, alone, others_alone
