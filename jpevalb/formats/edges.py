"""Trees out of named nodes and the edges between them: what export and TIGER XML have in common."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.errors import TreeError
from ..model.tree import EMPTY, Tree


def empty_tree(id: str | None) -> Tree:
    """The tree of a sentence of that name that has none."""
    return Tree.build([], [], [], [], id) if id is not None else EMPTY


def find_cycle(parents: Sequence[int]) -> list[int]:
    """The nodes of one cycle, child before parent; empty where there is none.

    Cost: O(nodes).

    >>> find_cycle([2, -1, 3, 2]), find_cycle([1, -1])
    ([2, 3], [])
    """
    met = [-1] * len(parents)  # the start of the walk that came by
    for start in range(len(parents)):
        node = start
        while node >= 0 and met[node] < 0:
            met[node] = start
            node = parents[node]
        if node >= 0 and met[node] == start:
            cycle = [node]
            while parents[cycle[-1]] != node:
                cycle.append(parents[cycle[-1]])
            return cycle
    return []


def build_named(
    names: Sequence[str],
    labels: Sequence[str],
    parents: Sequence[int],
    words: Sequence[str],
    word_parents: Sequence[int],
    *,
    id: str | None,
    lines: Sequence[int],
    source: str | None,
) -> Tree:
    """:meth:`Tree.build`, but a cycle is told by the nodes' names in the file and their line.

    Raises:
        TreeError: a cycle.

    Cost: O(nodes + words).
    """
    try:
        return Tree.build(labels, parents, words, word_parents, id)
    except TreeError:
        cycle = find_cycle(parents)
        if not cycle:
            raise
        shown = [names[node] if names[node].isprintable() else repr(names[node]) for node in cycle[:5]]
        shown += ["..."] * (len(cycle) > 5) + shown[:1]
        raise TreeError(
            f"sentence {id!r}: the edges {' -> '.join(shown)} form a cycle; "
            "every node needs a way up to the root, correct one of these parents",
            source=source,
            line=lines[cycle[0]],
        ) from None
