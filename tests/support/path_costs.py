"""The cost of an alignment path by exhaustive search."""

from __future__ import annotations

import itertools

FAR = 10**9


def token(text: str, levels: bytes, end: int) -> str:
    """Return the token that ends at a place."""
    return text[max(k for k in range(end) if levels[k]) : end]


def slow_cost(
    gold: str, system: str, mine: bytes, other: bytes, start=(0, 0), end=None, way="", inside=None
) -> int:
    """The least cost of a path between two places, by three states a place, looked at one by one.

    Args:
        way: How the step before the first place went: passing gold, passing the system, or neither.
        inside: Pairs of places that the path keeps to; all if left out.
    """
    n, m = end or (len(gold), len(system))
    costs: dict[tuple[int, int, str], int] = {(*start, way): 0}
    for i, j in itertools.product(range(start[0], n + 1), range(start[1], m + 1)):
        if (i, j) == start or (inside is not None and (i, j) not in inside):
            continue
        both = mine[i] == other[j] == 2
        cut = 16 if mine[i] and other[j] else 0
        if cut and i > 0 < j and token(gold, mine, i) == token(system, other, j):
            cut += 12

        def least(i: int, j: int, kind: str) -> int:
            opening = sum(2 - level for level in (mine[i], other[j]))
            return min(
                costs.get((i, j, before), FAR) + (0 if before == kind else opening)
                for before in ("", "gold", "system")
            )

        found = {}
        if i > start[0] and j > start[1]:
            pair = min(costs.get((i - 1, j - 1, before), FAR) for before in ("", "gold", "system"))
            found[""] = pair + (0 if gold[i - 1] == system[j - 1] else 8) - cut - 12 * both
        if i > start[0]:
            found["gold"] = least(i - 1, j, "gold") + 4 - 13 * both
        if j > start[1]:
            found["system"] = least(i, j - 1, "system") + 4 - 13 * both
        for kind, cost in found.items():
            costs[i, j, kind] = cost
    return min(costs.get((n, m, before), FAR) for before in ("", "gold", "system"))
