"""Kernel: what hangs from what in a tree, and the tree written so, as pages have it."""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

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


def written(
    labels: tuple, parents: tuple, starts: tuple, word_parents: tuple, marks: dict, numbers: dict
) -> str:
    """A tree as brackets without blanks; see ``jpevalb.report.html_data.tree_text``.

    Args:
        labels: As in ``Tree``.
        parents: As in ``Tree``.
        starts: As in ``Tree``.
        word_parents: As in ``Tree``.
        marks: What stands behind the labels of some nodes, by their numbers.
        numbers: For each label its number; labels not in it are added.

    Cost: O(nodes + words).
    """
    n: cython.Py_ssize_t = len(labels)
    n_words: cython.Py_ssize_t = len(word_parents)
    i: cython.Py_ssize_t
    up: cython.Py_ssize_t
    start: cython.Py_ssize_t
    # What comes next below each node, a node and a word, and behind each node and word; -1 for nothing.
    links = array("q", (-1,)) * (2 * n + n + n_words + 1)
    link: cython.longlong[::1] = links
    for i in range(n - 1, 0, -1):
        up = parents[i]
        link[2 * n + i] = link[up]
        link[up] = i
    for i in range(n_words - 1, -1, -1):
        up = word_parents[i]
        link[3 * n + i] = link[n + up]
        link[n + up] = i
    pieces: list = []
    expected: cython.Py_ssize_t = 0
    node: cython.Py_ssize_t = -1
    child: cython.Py_ssize_t = 0 if n else -1
    word: cython.Py_ssize_t = -1
    while True:
        if node >= 0:
            child = link[node]
            word = link[n + node]
            if word >= 0 and child >= 0:
                start = starts[child]
                if word < start:
                    child = -1
        if child >= 0:
            if node >= 0:
                link[node] = link[2 * n + child]
            label = labels[child]
            number = numbers.get(label)
            if number is None:
                number = numbers[label] = len(numbers)
            mark = marks.get(child)
            pieces.append(f"({number}" if mark is None else f"({number}{mark}")
            node = child
        elif word >= 0:
            link[n + node] = link[3 * n + word]
            pieces.append("." if word == expected else f".{word}")
            expected = word + 1
        elif node >= 0:
            pieces.append(")")
            node = parents[node]
        else:
            break
    return "".join(pieces)
