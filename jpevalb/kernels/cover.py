"""Kernel: which yields conflict, and the heaviest choice of yields without conflict.

Two yields *conflict* unless they are disjoint or nested; a set of yields without
conflict is what a tree is made of.  In graph terms this is the maximum-weight
independent set, for which the search goes by branching with a memory: a
connected part of the conflict graph is solved once, and each choice cuts it into
smaller parts that are solved on their own.

Weights are positive integers of any size.  The caller makes them such that no two
choices weigh the same (its lowest bits name the choice), so each answer is
unique, exact, and says by itself what was chosen.
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

COMPILED: bool = cython.compiled

# A bipartite part of more vertices is solved by a cut, a smaller one faster by branching.
_SMALL = 12


def conflicts(keys: list, n_words: cython.Py_ssize_t, most: cython.Py_ssize_t) -> list | None:
    """For each yield the places of those that it conflicts with.

    Args:
        keys: Of yields (kernel ``yields``), in order.
        n_words: Length of the sentence.
        most: With more pairs in conflict, ``None`` is returned.

    Cost: O(pairs whose spans overlap), a step for many pairs where they are nested
    blocks; O(words / 64) for a pair of which one has gaps.
    """
    n: cython.Py_ssize_t = len(keys)
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    block: cython.Py_ssize_t
    starts: cython.longlong[:] = array("q", bytes(8 * (n + 1)))
    ends: cython.longlong[:] = array("q", bytes(8 * (n + 1)))
    with_gaps: cython.longlong[:] = array("q", bytes(8 * (n + 1)))
    any_gaps: cython.bint = False
    # The last end in each block of 64 yields: where no yield ends behind another,
    # none of them crosses it.  A yield with gaps may conflict all the same.
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
    found: list = [[] for _ in range(n)]
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
                    found[i].append(j)
                    found[j].append(i)
                    pairs += 1
            elif ends[j] > ends[i] and starts[j] != starts[i]:
                found[i].append(j)
                found[j].append(i)
                pairs += 1
            j += 1
    return None if pairs > most else found


def parts(neighbours: list) -> list:
    """The connected parts of a graph that have more than one vertex, as lists of vertices in order.

    Args:
        neighbours: For each vertex the list of its neighbours.

    Cost: O(vertices + edges), and the sorting.
    """
    n: cython.Py_ssize_t = len(neighbours)
    vertex: cython.Py_ssize_t
    met: list = [False] * n
    found: list = []
    part: list
    for vertex in range(n):
        if met[vertex] or not neighbours[vertex]:
            continue
        met[vertex] = True
        part = [vertex]
        for member in part:
            for other in neighbours[member]:
                if not met[other]:
                    met[other] = True
                    part.append(other)
        part.sort()
        found.append(part)
    return found


def number_choices(values: list) -> list:
    """Weights that tell every choice from every other.

    Args:
        values: Of yields in order, positive integers.

    Returns:
        Weights whose sums compare as the choices do: by the sum of the values, then
        the fewer yields, then the first yields.  Below a value there is one less
        for each yield, and below that a bit for each, the first yield's highest.
    """
    n: cython.Py_ssize_t = len(values)
    place: cython.Py_ssize_t
    one: object = 1
    return [((values[place] * (n + 1) - 1) << n) | (one << (n - 1 - place)) for place in range(n)]


def named(number: object, n: cython.Py_ssize_t) -> list:
    """The places of the yields, of ``n``, that a sum of such weights names, in order."""
    one: object = 1
    found: list = []
    bits = number & ((one << n) - 1)
    while bits:
        high: cython.Py_ssize_t = bits.bit_length() - 1
        found.append(n - 1 - high)
        bits ^= one << high
    return found


def best_above(
    neighbours: list,
    weights: list,
    p: object,
    q: object,
    deadline: cython.double = 0.0,
    owners: list | None = None,
) -> list | None:
    """The choice of constituents with the greatest sum of ``q * weight - p``, as places in order.

    Args:
        neighbours: For each yield its neighbours as a bit set.
        weights: Of the constituents.
        p, q: Integers; only constituents with ``q * weight > p`` are chosen.
        deadline: As for :func:`heaviest`; ``None`` comes back when time is up.
        owners: For each constituent the place of its yield, in order; ``None`` where each
            yield is one constituent.  Those over one yield are chosen or left each on its own.

    Ties: fewer constituents, then the first in order.
    """
    n: cython.Py_ssize_t = len(weights)
    place: cython.Py_ssize_t
    i: cython.Py_ssize_t
    one: object = 1
    held: list = [0, 1] if owners is None else owners
    if n == 2 and (neighbours[held[0]] >> held[1]) & 1:
        # Most parts are two yields in conflict; the heavier one is chosen.
        place = 1 if weights[1] > weights[0] else 0
        return [place] if q * weights[place] > p else []
    live: list = []
    values: list = []
    for place in range(n):
        value = q * weights[place] - p
        if value > 0:
            live.append(place)
            values.append(value)
    sums: list = number_choices(values)
    holders: list = live
    if owners is not None:
        # All that is worth it over a yield comes with it, so a yield weighs as much as that.
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
    return [live[place] for place in named(number, len(live))]


def heaviest(neighbours: list, weights: list, deadline: cython.double = 0.0) -> object:
    """The weight of the heaviest choice of vertices no two of which are neighbours.

    Args:
        neighbours: For each vertex its neighbours as a bit set.
        weights: Of the vertices, positive.
        deadline: Time of the monotonic clock at which to give up; 0 for never.

    Returns:
        The weight; ``None`` when time is up.

    A vertex that weighs as much as its neighbours together is taken; otherwise the
    vertex with most neighbours is tried both ways.  Cost: exponential in the size
    of the connected parts at worst; on the conflict graphs of averaging, which are
    sparse and nearly bipartite, some dozens of branches.
    """
    one: object = 1
    memory: dict = {}
    plans: dict = {}
    goal: list = _split(neighbours, (one << len(neighbours)) - 1)
    stack: list = list(goal)
    ready: cython.bint
    turns: cython.Py_ssize_t = 0
    while stack:
        live = stack[len(stack) - 1]
        if live in memory:
            stack.pop()
            continue
        turns += 1
        if deadline and turns % 64 == 0 and monotonic() > deadline:
            return None
        plan = plans.get(live)
        if plan is None:
            plan = _plan(neighbours, weights, live)
            plans[live] = plan
        taken, with_it, without_it = plan
        ready = True
        for part in with_it:
            if part not in memory:
                ready = False
                stack.append(part)
        if without_it is not None:
            for part in without_it:
                if part not in memory:
                    ready = False
                    stack.append(part)
        if ready:
            best = taken
            for part in with_it:
                best += memory[part]
            if without_it is not None:
                other = 0
                for part in without_it:
                    other += memory[part]
                if other > best:
                    best = other
            memory[live] = best
            del plans[live]
            stack.pop()
    total = 0
    for part in goal:
        total += memory[part]
    return total


def heaviest_by_size(neighbours: list, sums: list, deadline: cython.double = 0.0) -> list | None:
    """For each number of constituents the weight of the heaviest choice of so many, no two over neighbours.

    Args:
        neighbours: For each yield its neighbours as a bit set.
        sums: For each yield the weights of its heaviest constituent, its two heaviest and so on;
            place 0 is 0.
        deadline: As for :func:`heaviest`, like cost and ``None``.

    Returns:
        A list: place ``s`` has the heaviest weight of ``s`` constituents.
    """
    one: object = 1
    memory: dict = {}
    plans: dict = {}
    goal: list = _split(neighbours, (one << len(neighbours)) - 1)
    stack: list = list(goal)
    ready: cython.bint
    turns: cython.Py_ssize_t = 0
    while stack:
        live = stack[len(stack) - 1]
        if live in memory:
            stack.pop()
            continue
        turns += 1
        if deadline and turns % 64 == 0 and monotonic() > deadline:
            return None
        plan = plans.get(live)
        if plan is None:
            plan = _plan_by_size(neighbours, sums, live)
            plans[live] = plan
        own, with_it, without_it = plan
        ready = True
        for part in with_it + without_it:
            if part not in memory:
                ready = False
                stack.append(part)
        if ready:
            chosen: list = [0]
            for part in with_it:
                chosen = combine(chosen, memory[part])
            others: list = [0]
            for part in without_it:
                others = combine(others, memory[part])
            memory[live] = _with_or_without(own, chosen, others)
            del plans[live]
            stack.pop()
    table = [0]
    for part in goal:
        table = combine(table, memory[part])
    return table


def combine(a: list, b: list) -> list:
    """The max-plus convolution: place ``s`` has the greatest ``a[i] + b[s - i]``.

    Cost: O(len(a) * len(b)).
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    if len(a) == 1 and a[0] == 0:
        return b
    found: list = [-1] * (len(a) + len(b) - 1)
    for i in range(len(a)):
        x = a[i]
        for j in range(len(b)):
            y = x + b[j]
            if y > found[i + j]:
                found[i + j] = y
    return found


@cython.cfunc
def _with_or_without(own: list, chosen: list, others: list) -> list:
    """The better for each size: some of a yield's own and the best beside it, or the best without it."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    found: list = list(others)
    for j in range(1, len(own)):
        weight = own[j]
        for i in range(len(chosen)):
            value = chosen[i] + weight
            if i + j == len(found):
                found.append(value)
            elif value > found[i + j]:
                found[i + j] = value
    return found


@cython.cfunc
def _split(neighbours: list, live: object) -> list:
    """Cuts a set of vertices into its connected parts; all are bit sets."""
    found: list = []
    while live:
        part = live & -live
        edge = part
        while edge:
            low = edge & -edge
            edge ^= low
            new = neighbours[low.bit_length() - 1] & live & ~part
            part |= new
            edge |= new
        found.append(part)
        live ^= part
    return found


@cython.cfunc
def _plan(neighbours: list, weights: list, live: object) -> tuple:
    """How to solve a connected part: a weight that is taken, the parts left beside it, and those without it.

    Vertices that are part of the heaviest choice in any case are taken at once, and
    the last is ``None``.  Where there are none, one vertex is to be tried both ways.
    """
    one: object = 1
    most: cython.Py_ssize_t = -1
    branch: cython.Py_ssize_t = 0
    vertex: cython.Py_ssize_t
    degree: cython.Py_ssize_t
    taken = 0
    rest = live
    left = live
    while left:
        low = left & -left
        left ^= low
        vertex = low.bit_length() - 1
        near = neighbours[vertex] & rest
        spare = weights[vertex]
        around = near
        while around:
            bit = around & -around
            around ^= bit
            spare -= weights[bit.bit_length() - 1]
            if spare < 0:
                break
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
        # Those next to what has gone have fewer neighbours now.
        while near:
            bit = near & -near
            near ^= bit
            left |= neighbours[bit.bit_length() - 1] & rest
    if taken:
        return taken, _split(neighbours, rest), None
    if live.bit_count() > _SMALL:
        sides = two_sides(neighbours, live)
        if sides is not None:
            return heaviest_of_sides(neighbours, weights, sides[0], sides[1]), [], None
    low = one << branch
    return (
        weights[branch],
        _split(neighbours, live & ~neighbours[branch] & ~low),
        _split(neighbours, live & ~low),
    )


@cython.cfunc
def _plan_by_size(neighbours: list, sums: list, live: object) -> tuple:
    """The heaviest choice of each size, where no vertex is sure to be taken."""
    one: object = 1
    most: cython.Py_ssize_t = -1
    branch: cython.Py_ssize_t = 0
    vertex: cython.Py_ssize_t
    degree: cython.Py_ssize_t
    left = live
    while left:
        low = left & -left
        left ^= low
        vertex = low.bit_length() - 1
        degree = (neighbours[vertex] & live).bit_count()
        if degree > most:
            most = degree
            branch = vertex
    low = one << branch
    return (
        sums[branch],
        _split(neighbours, live & ~neighbours[branch] & ~low),
        _split(neighbours, live & ~low),
    )
