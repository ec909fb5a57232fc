# cython: infer_types=True
"""Kernel: the heaviest independent set of a bipartite graph, found by a minimum cut.

The complement of the heaviest independent set is the lightest vertex cover, which is a minimum cut between a
source on the left and a sink on the right (König's theorem with weights).  The flow is maximised by Dinic's
algorithm.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

COMPILED: bool = cython.compiled


def two_sides(neighbours: list, live: object) -> tuple | None:
    """Return the two sides of a connected bipartite graph as bit sets; ``None`` if it has an odd cycle.

    ``neighbours`` has a bit set for each vertex, ``live`` the vertices of the graph.
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


@cython.locals(vertex=cython.Py_ssize_t, other=cython.Py_ssize_t, edge=cython.Py_ssize_t)
@cython.locals(depth=cython.Py_ssize_t)
def heaviest_of_sides(neighbours: list, weights: list, left: object, right: object) -> object:
    """Return the weight of the heaviest independent set of a bipartite graph.

    Weights are positive integers of any size.  Cost: O(vertices**2 * edges) at worst, usually a few times
    O(edges).
    """
    n: cython.Py_ssize_t = len(weights)
    residual: list = list(weights)  # capacity left from the source (left) or to the sink (right)
    # An edge leads from its left end (tail) to its right end (head).
    tails: list = []
    heads: list = []
    flows: list = []
    edges_of: list = [[] for _ in range(n)]
    lefts: list = _members(left)
    rights: list = _members(right)
    for vertex in lefts:
        around = neighbours[vertex] & right
        while around:
            low = around & -around
            around ^= low
            other = low.bit_length() - 1
            # A greedy initial flow.
            flow = residual[vertex] if residual[vertex] < residual[other] else residual[other]
            residual[vertex] -= flow
            residual[other] -= flow
            edges_of[vertex].append(len(tails))
            edges_of[other].append(len(tails))
            tails.append(vertex)
            heads.append(other)
            flows.append(flow)
    level: list = [0] * n
    tried: list = [0] * n
    reaches_sink: cython.bint = True
    on_left: list = [False] * n
    for vertex in lefts:
        on_left[vertex] = True
    while reaches_sink:
        # Breadth-first levels from the source, up to the first level that reaches the sink.
        for vertex in range(n):
            level[vertex] = -1
            tried[vertex] = 0
        row: list = [vertex for vertex in lefts if residual[vertex]]
        for vertex in row:
            level[vertex] = 0
        depth = 0
        reaches_sink = False
        while row and not reaches_sink:
            depth += 1
            following: list = []
            for vertex in row:
                for edge in edges_of[vertex]:
                    if on_left[vertex]:
                        other = heads[edge]
                    elif flows[edge]:
                        other = tails[edge]
                    else:
                        continue
                    if level[other] < 0:
                        level[other] = depth
                        following.append(other)
                        if not on_left[other] and residual[other]:
                            reaches_sink = True
            row = following
        if not reaches_sink:
            break
        for start in lefts:
            while residual[start] and level[start] == 0:
                if not _push(start, on_left, level, tried, edges_of, tails, heads, flows, residual):
                    break
    # The independent set: left vertices that the source still reaches, right ones that it does not.
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
    vertices: list = []
    while bits:
        low = bits & -bits
        bits ^= low
        vertices.append(low.bit_length() - 1)
    return vertices


@cython.cfunc
@cython.locals(other=cython.Py_ssize_t, edge=cython.Py_ssize_t)
def _push(
    start: cython.Py_ssize_t,
    on_left: list,
    level: list,
    tried: list,
    edges_of: list,
    tails: list,
    heads: list,
    flows: list,
    residual: list,
) -> cython.bint:
    """Push flow along one path through the levels; return False without a path."""
    vertex: cython.Py_ssize_t = start
    path: list = []
    edges: list
    while on_left[vertex] or not residual[vertex]:
        edges = edges_of[vertex]
        forward: cython.bint = on_left[vertex]
        advanced: cython.bint = False
        index: cython.Py_ssize_t = tried[vertex]
        while index < len(edges):
            edge = edges[index]
            other = heads[edge] if forward else tails[edge]
            if level[other] == level[vertex] + 1 and (forward or flows[edge]):
                advanced = True
                break
            index += 1
        tried[vertex] = index
        if advanced:
            path.append(edge)
            vertex = other
            continue
        if not path:
            return False
        # Dead end: go back and try the next edge.
        edge = path.pop()
        vertex = heads[edge] if on_left[vertex] else tails[edge]
        tried[vertex] += 1
    flow = residual[start] if residual[start] < residual[vertex] else residual[vertex]
    vertex = start
    for edge in path:
        if on_left[vertex]:
            vertex = heads[edge]
        else:
            if flows[edge] < flow:
                flow = flows[edge]
            vertex = tails[edge]
    residual[start] -= flow
    residual[vertex] -= flow
    vertex = start
    for edge in path:
        if on_left[vertex]:
            flows[edge] += flow
            vertex = heads[edge]
        else:
            flows[edge] -= flow
            vertex = tails[edge]
    return True
