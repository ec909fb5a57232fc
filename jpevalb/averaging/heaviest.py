"""The heaviest choice of yields without conflict, by branching.

A tree is a set of yields without conflict.  The heaviest one is a maximum-weight independent set of the
conflict graph, found by branching with a memory: each connected part is solved once, and each choice splits
it into smaller parts.  Sets of yields are bit sets.

Weights are positive integers of any size.  The caller gives every choice a different weight (see
``number_choices``).  So each answer is unique and exact, and the lowest bits of its weight name the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial, reduce
from itertools import zip_longest
from time import monotonic
from typing import TypeVar

Weight = TypeVar("Weight")  # of a part: a number, or a list of numbers by size


def number_choices(values: list[int]) -> list[int]:
    """Return weights that differ for all choices, for the values (positive integers) of ordered yields."""
    # Their sums compare by the sum of the values, then fewer yields, then the first yields: a value times
    # n + 1 loses one for each yield, and is followed by one bit for each yield, the first yield's highest.
    n = len(values)
    return [(value * (n + 1) - 1) << n | 1 << (n - 1 - index) for index, value in enumerate(values)]


def named(number: int, n: int) -> list[int]:
    """Return the indices of the yields, of ``n``, that a sum of such weights names, in order."""
    return [index for index in range(n) if number >> (n - 1 - index) & 1]


def heaviest(neighbours: list[int], weights: dict[int, int], deadline: float = 0.0) -> int | None:
    """Return the weight of the heaviest choice of the weighted vertices, no two of them neighbours.

    ``neighbours`` has a bit set for each vertex.  After the deadline on the monotonic clock (0 for none) the
    result is ``None``.
    """
    # A vertex that weighs as much as its neighbours together is taken; otherwise the vertex with most
    # neighbours is tried both ways.  Exponential in the size of connected parts at worst; the conflict graphs
    # of averaging are sparse and nearly bipartite and take some dozens of branches.

    def plan(part: int) -> tuple[int, list[int], list[int]]:
        taken, rest = _surely_taken(neighbours, weights, part)
        if taken:
            return taken, _split(neighbours, rest), []
        return _branch(neighbours, weights, part)

    def better(own: int, chosen: int, without: int) -> int:
        return max(own + chosen, without)

    def joint(parts: list[int]) -> int:
        return sum(parts)

    weighted = _split(neighbours, sum([1 << vertex for vertex in weights]))
    return _solve(weighted, plan, joint, better, deadline)


def heaviest_by_size(neighbours: list[int], sums: list[list[int]], deadline: float = 0.0) -> list[int] | None:
    """Return a list: item ``s`` is the heaviest weight of ``s`` constituents over yields without conflict.

    ``sums`` has for each yield 0, its heaviest constituent, its two heaviest and so on.
    """

    def better(own: list[int], chosen: list[int], without: list[int]) -> list[int]:
        return [max(pair) for pair in zip_longest(combine(own, chosen), without, fillvalue=0)]

    def joint(parts: list[list[int]]) -> list[int]:
        return reduce(combine, parts, [0])

    # No yield is certain to be chosen in every size.
    every = _split(neighbours, (1 << len(neighbours)) - 1)
    return _solve(every, partial(_branch, neighbours, dict(enumerate(sums))), joint, better, deadline)


def combine(a: list[int], b: list[int]) -> list[int]:
    """Return the max-plus convolution: item ``s`` is the greatest ``a[i] + b[s - i]``."""
    if a == [0]:
        return b
    sums = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for size, y in enumerate(b, i):
            if x + y > sums[size]:
                sums[size] = x + y
    return sums


def _solve(
    parts: list[int],
    plan: Callable[[int], tuple[Weight, list[int], list[int]]],
    joint: Callable[[list[Weight]], Weight],
    better: Callable[[Weight, Weight, Weight], Weight],
    deadline: float,
) -> Weight | None:
    """Solve each connected part once.

    The plan of a part has the weight of a vertex, the parts left with this vertex and those left without it.
    """
    solved: dict[int, Weight] = {}
    plans: dict[int, tuple[Weight, list[int], list[int]]] = {}
    stack = list(parts)
    steps = 0
    while stack:
        part = stack[-1]
        if part in solved:
            stack.pop()
            continue
        steps += 1
        if deadline and steps % 64 == 0 and monotonic() > deadline:
            return None
        if part not in plans:
            plans[part] = plan(part)
        own, with_it, without_it = plans[part]
        unsolved = [one for one in with_it + without_it if one not in solved]
        if unsolved:
            stack += unsolved
        else:
            chosen, without = (joint([solved[one] for one in some]) for some in (with_it, without_it))
            solved[part] = better(own, chosen, without)
            del plans[part]
    return joint([solved[part] for part in parts])


def _surely_taken(neighbours: list[int], weights: dict[int, int], part: int) -> tuple[int, int]:
    """Return the weight of vertices that some heaviest choice has, and the part without them."""
    taken, rest, queue = 0, part, part
    while queue:
        vertex = (queue & -queue).bit_length() - 1
        queue ^= 1 << vertex
        near = neighbours[vertex] & rest
        if weights[vertex] >= sum([weights[other] for other in _members(near)]):
            taken += weights[vertex]
            rest &= ~(near | 1 << vertex)
            # Neighbours of removed vertices have fewer neighbours now.
            for other in _members(near):
                queue |= neighbours[other]
            queue &= rest
    return taken, rest


def _branch(
    neighbours: list[int], weights: Mapping[int, Weight], part: int
) -> tuple[Weight, list[int], list[int]]:
    """Plan to try the vertex with most neighbours both ways."""
    vertex = max(_members(part), key=lambda vertex: (neighbours[vertex] & part).bit_count())
    rest = part ^ 1 << vertex
    return weights[vertex], _split(neighbours, rest & ~neighbours[vertex]), _split(neighbours, rest)


def _split(neighbours: list[int], vertices: int) -> list[int]:
    """Split a set of vertices into its connected parts."""
    parts = []
    while vertices:
        part = edge = vertices & -vertices
        while edge:
            vertex = (edge & -edge).bit_length() - 1
            new = neighbours[vertex] & vertices & ~part
            part |= new
            edge = edge ^ 1 << vertex | new
        parts.append(part)
        vertices ^= part
    return parts


def _members(vertices: int) -> Iterator[int]:
    while vertices:
        yield (vertices & -vertices).bit_length() - 1
        vertices &= vertices - 1
