# cython: infer_types=True
"""Kernel: conflicts between yields, and the heaviest choice of yields without conflict.

Two yields conflict unless they are disjoint or nested; a tree is a set of yields without conflict.  The
heaviest one is a maximum-weight independent set of the conflict graph, found by branching with a memory: each
connected part is solved once, and each choice splits it into smaller parts.

Weights are positive integers of any size.  The caller gives every choice a different weight (see
``number_choices``).  So each answer is unique and exact, and the lowest bits of its weight name the choice.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

from array import array
from time import monotonic

from jpevalb.kernels.cut import heaviest_of_sides, two_sides
from jpevalb.kernels.yields import bit_set, span

# Bipartite parts with more vertices are solved by a minimum cut; branching is faster for smaller ones.
_SMALL = 12


def conflicts(keys: list, n_words: cython.Py_ssize_t, most: cython.Py_ssize_t) -> list | None:
    """Return for each of some ordered yields the conflicting ones; ``None`` for more than ``most`` pairs."""
    n: cython.Py_ssize_t = len(keys)
    starts: cython.longlong[:] = array("q", bytes(8 * (n + 1)))
    ends: cython.longlong[:] = array("q", bytes(8 * (n + 1)))
    with_gaps: cython.longlong[:] = array("q", bytes(8 * (n + 1)))
    any_gaps: cython.bint = False
    # The last end in each block of 64 yields: a yield that ends there or later is crossed by none of them.
    # Yields with gaps may conflict all the same.
    last: cython.longlong[:] = array("q", bytes(8 * (n // 64 + 1)))
    for i in range(n):
        start, end, _ = span(keys[i], n_words)
        starts[i] = start
        ends[i] = end
        if keys[i] < 0:
            any_gaps = True
            with_gaps[i] = 1
            last[i // 64] = n_words + 1
        elif last[i // 64] < ends[i]:
            last[i // 64] = ends[i]
    sets: list = [bit_set(key, n_words) for key in keys] if any_gaps else []
    result: list = [[] for _ in range(n)]
    pairs: cython.Py_ssize_t = 0
    for i in range(n):
        if pairs > most:
            return None
        j = i + 1
        while j < n and starts[j] < ends[i]:
            if j % 64 == 0 and not with_gaps[i]:
                block = j // 64
                if last[block] <= ends[i]:
                    j += 64
                    continue
            if with_gaps[i] or with_gaps[j]:
                a = sets[i]
                b = sets[j]
                both = a & b
                if both and both != b and both != a:
                    result[i].append(j)
                    result[j].append(i)
                    pairs += 1
            elif ends[j] > ends[i] and starts[j] != starts[i]:
                result[i].append(j)
                result[j].append(i)
                pairs += 1
            j += 1
    return None if pairs > most else result


def parts(neighbours: list) -> list:
    """Return the connected parts of a graph with more than one vertex, as sorted lists of vertices."""
    n: cython.Py_ssize_t = len(neighbours)
    visited: list = [False] * n
    components: list = []
    for vertex in range(n):
        if visited[vertex] or not neighbours[vertex]:
            continue
        visited[vertex] = True
        part = [vertex]
        for member in part:
            for other in neighbours[member]:
                if not visited[other]:
                    visited[other] = True
                    part.append(other)
        part.sort()
        components.append(part)
    return components


def number_choices(values: list) -> list:
    """Return weights that differ for all choices, for the values (positive integers) of ordered yields."""
    # Their sums compare by the sum of the values, then fewer yields, then the first yields: a value times
    # n + 1 loses one for each yield, and is followed by one bit for each yield, the first yield's highest.
    n: cython.Py_ssize_t = len(values)
    one: object = 1
    return [((values[index] * (n + 1) - 1) << n) | (one << (n - 1 - index)) for index in range(n)]


def named(number: object, n: cython.Py_ssize_t) -> list:
    """Return the indices of the yields, of ``n``, that a sum of such weights names, in order."""
    one: object = 1
    indices: list = []
    bits = number & ((one << n) - 1)
    while bits:
        high: cython.Py_ssize_t = bits.bit_length() - 1
        indices.append(n - 1 - high)
        bits ^= one << high
    return indices


def best_above(
    neighbours: list,
    weights: list,
    p: object,
    q: object,
    deadline: cython.double = 0.0,
    owners: list | None = None,
) -> list | None:
    """Return the constituents with the greatest sum of ``q * weight - p``; ``None`` after the deadline.

    ``owners`` has the yield of each constituent, if a yield can have several.  Ties: fewer constituents, then
    the first in order.
    """
    n: cython.Py_ssize_t = len(weights)
    index: cython.Py_ssize_t
    one: object = 1
    held: list = [0, 1] if owners is None else owners
    if n == 2 and (neighbours[held[0]] >> held[1]) & 1:
        # Most parts are two conflicting yields; the heavier one is chosen.
        index = 1 if weights[1] > weights[0] else 0
        return [index] if q * weights[index] > p else []
    live: list = []
    values: list = []
    for index in range(n):
        value = q * weights[index] - p
        if value > 0:
            live.append(index)
            values.append(value)
    sums: list = number_choices(values)
    holders: list = live
    if owners is not None:
        # Choosing a yield chooses all its worthwhile constituents, so it weighs their sum.
        numbers: list = sums
        sums = []
        holders = []
        for i in range(len(live)):
            holder = owners[live[i]]
            if holders and holders[len(holders) - 1] == holder:
                sums[len(sums) - 1] += numbers[i]
            else:
                holders.append(holder)
                sums.append(numbers[i])
    near: list = neighbours
    if len(holders) < len(neighbours):
        near = []
        for holder in holders:
            around = neighbours[holder]
            bits = 0
            for i in range(len(holders)):
                if (around >> holders[i]) & 1:
                    bits |= one << i
            near.append(bits)
    number = heaviest(near, sums, deadline)
    if number is None:
        return None
    return [live[index] for index in named(number, len(live))]


def heaviest(neighbours: list, weights: list, deadline: cython.double = 0.0) -> object:
    """Return the weight of the heaviest choice of vertices, no two of them neighbours.

    ``neighbours`` has a bit set for each vertex.  After the deadline on the monotonic clock (0 for none) the
    result is ``None``.
    """
    # A vertex that weighs as much as its neighbours together is taken; otherwise the vertex with most
    # neighbours is tried both ways.  Exponential in the size of connected parts at worst; the conflict graphs
    # of averaging are sparse and nearly bipartite and take some dozens of branches.
    return _solve(neighbours, weights, deadline, False)


def heaviest_by_size(neighbours: list, sums: list, deadline: cython.double = 0.0) -> list | None:
    """Return a list: item ``s`` is the heaviest weight of ``s`` constituents over yields without conflict.

    ``sums`` has for each yield 0, its heaviest constituent, its two heaviest and so on.
    """
    return _solve(neighbours, sums, deadline, True)


@cython.cfunc
def _solve(neighbours: list, weights: list, deadline: cython.double, by_size: cython.bint) -> object:
    """Solve each connected part once: a number, or by size a list of numbers."""
    one: object = 1
    memory: dict = {}
    plans: dict = {}
    goal: list = _split(neighbours, (one << len(neighbours)) - 1)
    stack: list = list(goal)
    steps: cython.Py_ssize_t = 0
    while stack:
        live = stack[len(stack) - 1]
        if live in memory:
            stack.pop()
            continue
        steps += 1
        if deadline and steps % 64 == 0 and monotonic() > deadline:
            return None
        plan = plans.get(live)
        if plan is None:
            plan = _plan(neighbours, weights, live, by_size)
            plans[live] = plan
        own, with_it, without_it = plan
        ready = True
        for parts_left in (with_it, without_it):
            for part in parts_left:
                if part not in memory:
                    ready = False
                    stack.append(part)
        if ready:
            chosen = _joint(memory, with_it, by_size)
            without = _joint(memory, without_it, by_size)
            memory[live] = _with_or_without(own, chosen, without) if by_size else max(own + chosen, without)
            del plans[live]
            stack.pop()
    return _joint(memory, goal, by_size)


@cython.cfunc
def _joint(memory: dict, components: list, by_size: cython.bint) -> object:
    """Return the weight of several parts together."""
    total: object = [0] if by_size else 0
    for part in components:
        total = combine(total, memory[part]) if by_size else total + memory[part]
    return total


def combine(a: list, b: list) -> list:
    """Return the max-plus convolution: item ``s`` is the greatest ``a[i] + b[s - i]``."""
    if len(a) == 1 and a[0] == 0:
        return b
    result: list = [-1] * (len(a) + len(b) - 1)
    for i in range(len(a)):
        x = a[i]
        for j in range(len(b)):
            y = x + b[j]
            if y > result[i + j]:
                result[i + j] = y
    return result


@cython.cfunc
def _with_or_without(own: list, chosen: list, without: list) -> list:
    """Return the best weight for each size, either with ``chosen`` or with ``without``."""
    best: list = list(without)
    for j in range(1, len(own)):
        weight = own[j]
        for i in range(len(chosen)):
            value = chosen[i] + weight
            if i + j == len(best):
                best.append(value)
            elif value > best[i + j]:
                best[i + j] = value
    return best


@cython.cfunc
def _split(neighbours: list, live: object) -> list:
    """Split a set of vertices into its connected parts; all are bit sets."""
    components: list = []
    while live:
        part = live & -live
        edge = part
        while edge:
            low = edge & -edge
            edge ^= low
            new = neighbours[low.bit_length() - 1] & live & ~part
            part |= new
            edge |= new
        components.append(part)
        live ^= part
    return components


@cython.cfunc
@cython.locals(vertex=cython.Py_ssize_t, degree=cython.Py_ssize_t)
def _plan(neighbours: list, weights: list, live: object, by_size: cython.bint) -> tuple:
    """Plan a connected part: return a weight to add, and the parts left with it and without it.

    By size, no vertex is certain to be chosen: the one with most neighbours is tried both ways.
    """
    one: object = 1
    most: cython.Py_ssize_t = -1
    branch: cython.Py_ssize_t = 0
    taken = 0
    rest = live
    left = live
    while left:
        low = left & -left
        left ^= low
        vertex = low.bit_length() - 1
        near = neighbours[vertex] & rest
        spare = -1 if by_size else weights[vertex]
        around = near
        while around and spare >= 0:
            bit = around & -around
            around ^= bit
            spare -= weights[bit.bit_length() - 1]
        if spare < 0:
            if not taken:
                degree = near.bit_count()
                if degree > most:
                    most = degree
                    branch = vertex
            continue
        taken += weights[vertex]
        rest &= ~(near | low)
        left &= rest
        # Neighbours of removed vertices have fewer neighbours now.
        while near:
            bit = near & -near
            near ^= bit
            left |= neighbours[bit.bit_length() - 1] & rest
    if taken:
        # Part of a heaviest choice, so there is nothing to try without them.
        return taken, _split(neighbours, rest), []
    if not by_size and live.bit_count() > _SMALL:
        sides = two_sides(neighbours, live)
        if sides is not None:
            return heaviest_of_sides(neighbours, weights, sides[0], sides[1]), [], []
    left = live & ~(one << branch)
    return weights[branch], _split(neighbours, left & ~neighbours[branch]), _split(neighbours, left)
