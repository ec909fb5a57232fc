"""Kernel: constituents of trees that may be discontinuous, each with a key for its yield and its fan-out.

A tree comes as the flat sequences of ``Tree``.  A yield without a gap is known by
its two ends; only the others are made bit sets, so that a sentence of 100,000
words whose constituents have no gaps needs no set at all.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from jpevalb._core import cython_shim as cython

COMPILED: bool = cython.compiled


def constituents(
    labels: tuple,
    parents: tuple,
    starts: tuple,
    ends: tuple,
    word_parents: tuple,
    counted: dict,
    resolve,
    exclude_trivial: cython.bint,
    max_fanout: cython.Py_ssize_t,
) -> tuple:
    """The constituents of a tree that count, in preorder.

    A node is none if it is a preterminal (its one child is a word), has no word
    below it, or its label does not count.

    Args:
        labels: As in ``Tree``.
        parents: As in ``Tree``.
        starts: As in ``Tree``.
        ends: As in ``Tree``.
        word_parents: As in ``Tree``.
        counted: For labels the one they count as, or ``None``; grows.
        resolve: Called with a label that is not in ``counted`` yet.
        exclude_trivial: Leave out constituents of one word and of all words.
        max_fanout: Leave out constituents of more blocks; 0 for no limit.

    Returns:
        ``(labels, keys, fanouts, nodes)``, lists of the same length: label, yield,
        number of blocks and number in the tree of each.  Two keys of trees over the
        same number of words are equal where the yields are: ``start * (words + 1) + end``
        for one block of words, else the bit set, negative.

    Cost: O(nodes + words), and O(words / 64) for each node below one with gaps.
    """
    n: cython.Py_ssize_t = len(labels)
    n_words: cython.Py_ssize_t = len(word_parents)
    i: cython.Py_ssize_t
    parent: cython.Py_ssize_t
    size: cython.Py_ssize_t
    start: cython.Py_ssize_t
    end: cython.Py_ssize_t
    fanout: cython.Py_ssize_t
    some: cython.bint = False
    sizes: list = [0] * n
    found: list = []
    keys: list = []
    fanouts: list = []
    nodes: list = []
    for node in word_parents:
        i = node
        sizes[i] += 1
    for i in range(n - 1, 0, -1):
        parent = parents[i]
        size = sizes[i]
        start = starts[i]
        end = ends[i]
        if size != end - start:
            some = True
        sizes[parent] += size
    if n > 0:
        start = starts[0]
        end = ends[0]
        size = sizes[0]
        if size != end - start:
            some = True
    sets: list = _bit_sets(n, parents, starts, ends, word_parents, sizes) if some else []
    for i in range(n):
        size = sizes[i]
        if size == 0:
            continue
        start = starts[i]
        end = ends[i]
        if size == 1 and (i + 1 == n or parents[i + 1] != i):
            continue
        if exclude_trivial and (size == 1 or size == n_words):
            continue
        label = counted.get(labels[i], counted)
        if label is counted:
            label = counted[labels[i]] = resolve(labels[i])
        if label is None:
            continue
        if size == end - start:
            fanout = 1
            key = starts[i] * (n_words + 1) + end
        else:
            bits = sets[i]
            fanout = (bits & ~(bits << 1)).bit_count()
            if max_fanout > 0 and fanout > max_fanout:
                continue
            key = -bits
        found.append(label)
        keys.append(key)
        fanouts.append(fanout)
        nodes.append(i)
    return found, keys, fanouts, nodes


def _bit_sets(
    n: cython.Py_ssize_t, parents: tuple, starts: tuple, ends: tuple, word_parents: tuple, sizes: list
) -> list:
    """For each node whose yield has gaps its bit set; 0 for the others."""
    i: cython.Py_ssize_t
    place: cython.Py_ssize_t
    parent: cython.Py_ssize_t
    size: cython.Py_ssize_t
    start: cython.Py_ssize_t
    end: cython.Py_ssize_t
    gaps: list = [False] * n
    sets: list = [0] * n
    one: object = 1
    for i in range(n):
        size = sizes[i]
        start = starts[i]
        end = ends[i]
        gaps[i] = size != end - start
    for place in range(len(word_parents)):
        parent = word_parents[place]
        if gaps[parent]:
            sets[parent] |= one << place
    for i in range(n - 1, 0, -1):
        parent = parents[i]
        if gaps[parent]:
            if gaps[i]:
                sets[parent] |= sets[i]
            else:
                sets[parent] |= ((one << sizes[i]) - 1) << starts[i]
    return sets
