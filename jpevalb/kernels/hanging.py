"""Kernel: the children of selected nodes of a tree, and a compact text form of a tree for HTML pages."""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

COMPILED: bool = cython.compiled


def hanging(parents: tuple, word_parents: tuple, nodes: list) -> tuple:
    """Return the tree that selected nodes form: parents of nodes and words, and children by first word.

    Args:
        parents, word_parents: As in ``Tree``.
        nodes: Numbers of the selected nodes, ascending; none of them may be without words.

    Returns:
        ``(above, words, below)``, all by index into ``nodes``: the nearest selected node above each node and
        above each word, -1 for none; the children of each node, ``~w`` for word ``w``, with a last list for
        those without a parent.
    """
    n: cython.Py_ssize_t = len(parents)
    m: cython.Py_ssize_t = len(nodes)
    i: cython.Py_ssize_t
    index: cython.Py_ssize_t = 0
    parent: cython.Py_ssize_t
    child: cython.Py_ssize_t
    next_node: cython.Py_ssize_t = nodes[0] if m else -1
    # For each node the index of the nearest selected one, itself included.
    nearest_of: list = [-1] * n
    above: list = []
    words: list = []
    below: list = [[] for _ in range(m + 1)]
    for i in range(n):
        parent = parents[i]
        nearest = nearest_of[parent] if parent >= 0 else -1
        if i == next_node:
            above.append(nearest)
            nearest_of[i] = index
            index += 1
            next_node = nodes[index] if index < m else -1
        else:
            nearest_of[i] = nearest
    for i in range(len(word_parents)):
        parent = word_parents[i]
        index = nearest_of[parent]
        words.append(index)
        child = ~i
        while True:
            group: list = below[index if index >= 0 else m]
            group.append(child)
            if index < 0 or len(group) > 1:
                break
            child = index
            index = above[index]
    return above, words, below


def written(
    labels: tuple, parents: tuple, starts: tuple, word_parents: tuple, marks: dict, numbers: dict
) -> str:
    """Write a tree as brackets without blanks; see ``jpevalb.report.html_data.tree_text``.

    ``marks`` is the text behind the labels of some nodes; ``numbers`` replaces labels and grows.
    """
    n: cython.Py_ssize_t = len(labels)
    n_words: cython.Py_ssize_t = len(word_parents)
    i: cython.Py_ssize_t
    up: cython.Py_ssize_t
    start: cython.Py_ssize_t
    # The first child node and word of each node, then the next sister of each node and word; -1 for none.
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
            word = link[n + child]
            if link[child] < 0 and word >= 0 and link[3 * n + word] < 0:
                # A preterminal and its word
                place = "." if word == expected else f":{word}."
                pieces.append(f"{number}{place}" if mark is None else f"{number}{mark}{place}")
                expected = word + 1
            else:
                pieces.append(f"({number}_" if mark is None else f"({number}{mark}")
                node = child
            if node < 0:
                break
        elif word >= 0:
            link[n + node] = link[3 * n + word]
            pieces.append("." if word == expected else f":{word}.")
            expected = word + 1
        elif node >= 0:
            pieces.append(")")
            node = parents[node]
        else:
            break
    return "".join(pieces)
