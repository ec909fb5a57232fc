"""Kernel: the heaviest independent set of a bipartite graph, found by a minimum cut.

What is left out of the heaviest independent set is the lightest vertex cover, and that
is a minimum cut between a source before one side and a sink behind the other (König's
theorem with weights); the flow is made as large as can be by Dinic's algorithm.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

COMPILED: bool = cython.compiled


def two_sides(neighbours: list, live: object) -> tuple | None:
    """The two sides of a connected bipartite graph, as bit sets; ``None`` if there is an odd cycle.

    Args:
        neighbours: For each vertex its neighbours as a bit set.
        live: The vertices of the graph; others do not count.

    Cost: O(vertices) operations on bit sets.
    """
    here = live & -live
    there = 0
    edge = here
    while edge:
        around = 0
        while edge:
            low = edge & -edge
            edge ^= low
            around |= neighbours[low.bit_length() - 1]
        around &= live
        if around & here:
            return None
        edge = around & ~there
        there |= edge
        here, there = there, here
    return here, there


def heaviest_of_sides(neighbours: list, weights: list, left: object, right: object) -> object:
    """The weight of the heaviest choice of vertices no two of which are neighbours.

    Args:
        neighbours: For each vertex its neighbours as a bit set.
        weights: Of the vertices, positive integers of any size.
        left, right: The two sides; no edge within either.

    Cost: O(vertices**2 * edges) at worst; in practice about that of reading the edges some times.
    """
    vertex: cython.Py_ssize_t
    other: cython.Py_ssize_t
    edge: cython.Py_ssize_t
    n: cython.Py_ssize_t = len(weights)
    rest: list = list(weights)  # what can still flow in (left) or out (right)
    # Edges by vertex; an edge goes from its left end and may be filled back.
    tails: list = []
    heads: list = []
    flows: list = []
    at: list = [[] for _ in range(n)]
    lefts: list = _members(left)
    rights: list = _members(right)
    for vertex in lefts:
        around = neighbours[vertex] & right
        while around:
            low = around & -around
            around ^= low
            other = low.bit_length() - 1
            # As much as goes straight through.
            flow = rest[vertex] if rest[vertex] < rest[other] else rest[other]
            rest[vertex] -= flow
            rest[other] -= flow
            at[vertex].append(len(tails))
            at[other].append(len(tails))
            tails.append(vertex)
            heads.append(other)
            flows.append(flow)
    level: list = [0] * n
    tried: list = [0] * n
    depth: cython.Py_ssize_t
    found: cython.bint = True
    on_left: list = [False] * n
    for vertex in lefts:
        on_left[vertex] = True
    while found:
        # Levels from what can still flow in, as far as the first that can flow out.
        for vertex in range(n):
            level[vertex] = -1
            tried[vertex] = 0
        row: list = [vertex for vertex in lefts if rest[vertex]]
        for vertex in row:
            level[vertex] = 0
        depth = 0
        found = False
        while row and not found:
            depth += 1
            following: list = []
            for vertex in row:
                for edge in at[vertex]:
                    if on_left[vertex]:
                        other = heads[edge]
                    elif flows[edge]:
                        other = tails[edge]
                    else:
                        continue
                    if level[other] < 0:
                        level[other] = depth
                        following.append(other)
                        if not on_left[other] and rest[other]:
                            found = True
            row = following
        if not found:
            break
        for start in lefts:
            while rest[start] and level[start] == 0:
                if not _push(start, on_left, level, tried, at, tails, heads, flows, rest):
                    break
    # What the source still reaches on the left, and what it does not reach on the right.
    best = 0
    for vertex in lefts:
        if level[vertex] >= 0:
            best += weights[vertex]
    for vertex in rights:
        if level[vertex] < 0:
            best += weights[vertex]
    return best


@cython.cfunc
def _members(bits: object) -> list:
    found: list = []
    while bits:
        low = bits & -bits
        bits ^= low
        found.append(low.bit_length() - 1)
    return found


@cython.cfunc
def _push(
    start: cython.Py_ssize_t,
    on_left: list,
    level: list,
    tried: list,
    at: list,
    tails: list,
    heads: list,
    flows: list,
    rest: list,
) -> cython.bint:
    """Sends what it can along one path by levels; whether there was one."""
    vertex: cython.Py_ssize_t = start
    other: cython.Py_ssize_t
    edge: cython.Py_ssize_t
    path: list = []
    edges: list
    while on_left[vertex] or not rest[vertex]:
        edges = at[vertex]
        forward: cython.bint = on_left[vertex]
        moved: cython.bint = False
        place: cython.Py_ssize_t = tried[vertex]
        while place < len(edges):
            edge = edges[place]
            other = heads[edge] if forward else tails[edge]
            if level[other] == level[vertex] + 1 and (forward or flows[edge]):
                moved = True
                break
            place += 1
        tried[vertex] = place
        if moved:
            path.append(edge)
            vertex = other
            continue
        if not path:
            return False
        # A dead end: back, and on with the next edge.
        edge = path.pop()
        vertex = heads[edge] if on_left[vertex] else tails[edge]
        tried[vertex] += 1
    flow = rest[start] if rest[start] < rest[vertex] else rest[vertex]
    vertex = start
    for edge in path:
        if on_left[vertex]:
            vertex = heads[edge]
        else:
            if flows[edge] < flow:
                flow = flows[edge]
            vertex = tails[edge]
    rest[start] -= flow
    rest[vertex] -= flow
    vertex = start
    for edge in path:
        if on_left[vertex]:
            flows[edge] += flow
            vertex = heads[edge]
        else:
            flows[edge] -= flow
            vertex = tails[edge]
    return True
