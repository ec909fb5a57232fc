"""Kernel: what hangs from what among the constituents of a tree that count."""

from __future__ import annotations

try:
    import cython
except ImportError:
    from jpevalb._core import cython_shim as cython

COMPILED: bool = cython.compiled


def hanging(parents: tuple, word_parents: tuple, nodes: list) -> tuple:
    """The tree of some of a tree's nodes.

    Args:
        parents: As in ``Tree``.
        word_parents: As in ``Tree``.
        nodes: Numbers of the nodes that count, ascending; those that dominate no word
            may not be among them.

    Returns:
        ``(above, words, below)``.  For each of ``nodes`` the place of the nearest one
        above it, -1 for none; the same for each word; and for each of ``nodes`` a list
        of what hangs from it by first word, the place of a node or ``~w`` for word
        ``w``, with a last list for what hangs from none.

    Cost: O(nodes + words).
    """
    n: cython.Py_ssize_t = len(parents)
    m: cython.Py_ssize_t = len(nodes)
    i: cython.Py_ssize_t
    place: cython.Py_ssize_t = 0
    parent: cython.Py_ssize_t
    child: cython.Py_ssize_t
    wanted: cython.Py_ssize_t = nodes[0] if m else -1
    # For each node the place of the nearest one that counts, itself included.
    near: list = [-1] * n
    above: list = []
    words: list = []
    below: list = [[] for _ in range(m + 1)]
    for i in range(n):
        parent = parents[i]
        nearest = near[parent] if parent >= 0 else -1
        if i == wanted:
            above.append(nearest)
            near[i] = place
            place += 1
            wanted = nodes[place] if place < m else -1
        else:
            near[i] = nearest
    for i in range(len(word_parents)):
        parent = word_parents[i]
        place = near[parent]
        words.append(place)
        child = ~i
        while True:
            group: list = below[place if place >= 0 else m]
            group.append(child)
            if place < 0 or len(group) > 1:
                break
            child = place
            place = above[place]
    return above, words, below
