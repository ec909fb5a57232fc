"""Kernel: puts the nodes of a tree, given by their parents, into preorder.

No recursion and no sorting: children come into the order of their first words by
buckets, and the walk needs no stack, since a node knows its parent.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

COMPILED: bool = cython.compiled

# What arrange() found; the first item of what it returns.
TREE = 0
BAD_NODE = 1  # the parent of a node is no node
BAD_WORD = 2  # the parent of a word is no node
NO_ROOT = 3
CYCLE = 4


def arrange(parents, word_parents) -> tuple:
    """Arranges nodes in preorder, children by their first word.

    Nodes without any word stand behind their sisters in the given order.  Where
    several nodes or words have no parent, one more node is put above them.

    Args:
        parents: A sequence of the parent of each node, -1 for none.
        word_parents: A sequence of the node that each word hangs from, -1 for none.

    Returns:
        ``(TREE, 0, order, parents, starts, ends, word_parents)``: the given number
        of each node in preorder (that of the added root is the number of nodes), and
        the arrays of a ``Tree``; or ``(code, place)``, where ``place`` is the node
        or word in question.

    Cost: O(nodes + words).
    """
    n_given: cython.Py_ssize_t = len(parents)
    n_words: cython.Py_ssize_t = len(word_parents)
    n: cython.Py_ssize_t = n_given
    i: cython.Py_ssize_t
    node: cython.Py_ssize_t
    parent: cython.Py_ssize_t
    root: cython.Py_ssize_t = -1
    n_roots: cython.Py_ssize_t = 0
    loose: cython.bint = False
    count: cython.Py_ssize_t
    if n_given == 0 and n_words == 0:
        return TREE, 0, [], [], [], [], []
    above: cython.longlong[:] = array("q", bytes(8 * (n_given + 1)))
    word_above: cython.longlong[:] = array("q", bytes(8 * (n_words + 1)))
    for i in range(n_given):
        given = parents[i]
        if given < -1 or given >= n_given:
            return BAD_NODE, i
        above[i] = given
        if above[i] < 0:
            n_roots += 1
            root = i
    for i in range(n_words):
        given = word_parents[i]
        if given < -1 or given >= n_given:
            return BAD_WORD, i
        word_above[i] = given
        if word_above[i] < 0:
            loose = True
    if n_given > 0 and n_roots == 0:
        return NO_ROOT, 0
    if n_roots != 1 or loose:
        root = n_given
        n = n_given + 1
        for i in range(n_given):
            if above[i] < 0:
                above[i] = root
        above[root] = -1
        for i in range(n_words):
            if word_above[i] < 0:
                word_above[i] = root
    first: cython.longlong[:] = array("q", bytes(8 * n))
    last: cython.longlong[:] = array("q", bytes(8 * n))
    waiting: cython.longlong[:] = array("q", bytes(8 * n))  # children not summed yet
    queue: cython.longlong[:] = array("q", bytes(8 * n))
    for i in range(n):
        first[i] = n_words
        if above[i] >= 0:
            waiting[above[i]] += 1
    for i in range(n_words):
        node = word_above[i]
        if first[node] > i:
            first[node] = i
        last[node] = i + 1
    # Children before parents, so that yields are summed from below; on a cycle
    # nobody is ever ready.
    count = 0
    for i in range(n):
        if waiting[i] == 0:
            queue[count] = i
            count += 1
    i = 0
    while i < count:
        node = queue[i]
        i += 1
        parent = above[node]
        if parent >= 0:
            if first[node] < first[parent]:
                first[parent] = first[node]
            if last[node] > last[parent]:
                last[parent] = last[node]
            waiting[parent] -= 1
            if waiting[parent] == 0:
                queue[count] = parent
                count += 1
    if count < n:
        for i in range(n):
            if waiting[i] > 0:
                # It waits for a child that waits, and so on: on a cycle or above one.
                return CYCLE, i
    # Buckets by first word, each from its last node to its first; then from the
    # last bucket to the first every node is put before its later sisters.
    bucket: cython.longlong[:] = array("q", bytes(8 * (n_words + 1)))
    beside: cython.longlong[:] = array("q", bytes(8 * n))
    child: cython.longlong[:] = array("q", bytes(8 * n))
    sister: cython.longlong[:] = array("q", bytes(8 * n))
    for i in range(n_words + 1):
        bucket[i] = -1
    for i in range(n):
        beside[i] = bucket[first[i]]
        bucket[first[i]] = i
        child[i] = -1
        sister[i] = -1
    for i in range(n_words, -1, -1):
        node = bucket[i]
        while node >= 0:
            parent = above[node]
            if parent >= 0:
                sister[node] = child[parent]
                child[parent] = node
            node = beside[node]
    number: cython.longlong[:] = waiting
    order: list = []
    new_parents: list = []
    starts: list = []
    ends: list = []
    node = root
    count = 0
    while node >= 0:
        parent = above[node]
        number[node] = count
        count += 1
        order.append(node)
        new_parents.append(number[parent] if parent >= 0 else -1)
        if first[node] >= last[node]:
            last[node] = last[parent] if parent >= 0 else 0
            first[node] = last[node]
        starts.append(first[node])
        ends.append(last[node])
        if child[node] >= 0:
            node = child[node]
            continue
        while node >= 0 and sister[node] < 0:
            node = above[node]
        if node >= 0:
            node = sister[node]
    new_word_parents: list = []
    for i in range(n_words):
        node = word_above[i]
        new_word_parents.append(number[node])
    return TREE, 0, order, new_parents, starts, ends, new_word_parents
