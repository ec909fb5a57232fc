# cython: infer_types=True
"""Kernel: the arrays of a tree from parents in any order or from nested objects, and its text in brackets.

All take O(nodes + words).  There is no recursion: the walk goes back up through the parents.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

# Result codes of arrange()
TREE = 0
BAD_NODE = 1  # a node has an invalid parent
BAD_WORD = 2  # a word has an invalid parent
NO_ROOT = 3
CYCLE = 4

_END = object()  # on a stack, the end of a node


def arrange(labels, parents, word_parents) -> tuple:
    """Arrange nodes in preorder, children by first word; nodes without words follow their sisters.

    Children are ordered by bucketing their first words.

    Args:
        labels: Label of each node.
        parents: Parent of each node, -1 for none.  If several nodes or words have none, a root without label
            is added above them.
        word_parents: Parent node of each word, -1 for none.

    Returns:
        ``(TREE, 0, labels, parents, starts, ends, word_parents)``, the arrays of a ``Tree``; or
        ``(code, index of the bad node or word)``.
    """
    n = n_given = len(parents)
    n_words = len(word_parents)
    i = n_roots = 0
    root = -1
    loose_words = False
    if n_given == 0 and n_words == 0:
        return TREE, 0, (), (), (), (), ()
    # One block of memory: a memoryview costs as much as arranging a dozen nodes.
    size = n_given + 1
    memory: cython.longlong[:] = array("q", bytes(8 * (8 * size + 2 * n_words + 1)))
    above: cython.longlong[:] = memory[:size]
    first: cython.longlong[:] = memory[size : 2 * size]
    last: cython.longlong[:] = memory[2 * size : 3 * size]
    waiting: cython.longlong[:] = memory[3 * size : 4 * size]  # children not yet processed
    queue: cython.longlong[:] = memory[4 * size : 5 * size]
    next_in_bucket: cython.longlong[:] = memory[5 * size : 6 * size]
    child: cython.longlong[:] = memory[6 * size : 7 * size]
    sister: cython.longlong[:] = memory[7 * size : 8 * size]
    word_above: cython.longlong[:] = memory[8 * size : 8 * size + n_words]
    bucket: cython.longlong[:] = memory[8 * size + n_words :]
    try:
        for i in range(n_given):
            above[i] = parents[i]
            if above[i] < -1 or above[i] >= n_given:
                return BAD_NODE, i
            if above[i] < 0:
                n_roots += 1
                root = i
    except OverflowError:
        return BAD_NODE, i
    try:
        for i in range(n_words):
            word_above[i] = word_parents[i]
            if word_above[i] < -1 or word_above[i] >= n_given:
                return BAD_WORD, i
            if word_above[i] < 0:
                loose_words = True
    except OverflowError:
        return BAD_WORD, i
    if n_given > 0 and n_roots == 0:
        return NO_ROOT, 0
    if n_roots != 1 or loose_words:
        root = n_given
        n = n_given + 1
        for i in range(n_given):
            if above[i] < 0:
                above[i] = root
        above[root] = -1
        for i in range(n_words):
            if word_above[i] < 0:
                word_above[i] = root
    for i in range(n):
        first[i] = n_words
        if above[i] >= 0:
            waiting[above[i]] += 1
    for i in range(n_words):
        node = word_above[i]
        if first[node] > i:
            first[node] = i
        last[node] = i + 1
    # Children before parents, so that spans are known bottom-up; a node on a cycle is never ready.
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
                # It waits for a child that never becomes ready: it is on a cycle or above one.
                return CYCLE, i
    if root == 0 and n == n_given and _is_arranged(above, first, n, n_words):
        starts = [first[i] for i in range(n)]
        ends = [last[i] for i in range(n)]
        return TREE, 0, tuple(labels), tuple(parents), tuple(starts), tuple(ends), tuple(word_parents)
    # Each bucket lists its nodes from last to first.  Going through the buckets from the last to the first,
    # every node is put before its later sisters.
    for i in range(n_words + 1):
        bucket[i] = -1
    for i in range(n):
        next_in_bucket[i] = bucket[first[i]]
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
            node = next_in_bucket[node]
    number: cython.longlong[:] = waiting
    new_labels, new_parents, starts, ends = [], [], [], []
    node = root
    count = 0
    while node >= 0:
        parent = above[node]
        number[node] = count
        count += 1
        new_labels.append(labels[node] if node < n_given else "")
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
    word_numbers = tuple([number[word_above[i]] for i in range(n_words)])
    return TREE, 0, tuple(new_labels), tuple(new_parents), tuple(starts), tuple(ends), word_numbers


@cython.cfunc
def _is_arranged(
    above: cython.longlong[:], first: cython.longlong[:], n: cython.Py_ssize_t, n_words: cython.Py_ssize_t
) -> cython.bint:
    """Return True if nodes are in preorder, children by first word, and all have words."""
    for i in range(1, n):
        if first[i] == n_words:
            return False
        # Go up from the node before to the sister before, or to the parent.
        node = i - 1
        if above[i] != node:
            while node >= 0 and above[node] != above[i]:
                node = above[node]
            if node < 0 or first[node] > first[i]:
                return False
    return True


def flatten(root) -> tuple:
    """Return labels, parents, starts, ends, words and word parents of a tree of nested objects.

    An object with a method ``label`` is a node, and its items are its children.  One with the attributes
    ``label`` and ``children`` is a node, or a word if it has no child.  All others are words.
    """
    stack = [root]
    labels, parents, starts, ends, words, word_parents = [], [], [], [], [], []
    children: list
    top: cython.Py_ssize_t = -1
    n_nodes = n_words = 0
    kind: object = None  # a class of lists, as nltk's, and its method
    method: object = None
    direct: cython.bint = False
    while stack:
        item = stack.pop()
        if item is _END:
            ends[top] = n_words
            top = parents[top]
            continue
        # Most words are strings, which have no label.
        label = None if type(item) is str or type(item) is kind else getattr(item, "label", None)
        if type(item) is kind:
            name = item._label if direct else method(item)
            children = cython.cast(list, item)
        elif label is not None and callable(label):
            name = label()
            # Most nodes are lists, which need no copy.
            plain = isinstance(item, list) and type(item).__iter__ is list.__iter__
            children = cython.cast(list, item) if plain else list(item)
            function = getattr(label, "__func__", None)
            if plain and function is not None and function is getattr(type(item), "label", None):
                kind, method = type(item), function
                # nltk's own method only returns an attribute, at five times the cost.
                direct = str(function.__module__).startswith("nltk.") and hasattr(item, "_label")
        else:
            inner = None if type(item) is str else getattr(item, "children", None)
            if not inner:
                word = item if inner is None or label is None else label
                words.append(word if type(word) is str else str(word))
                word_parents.append(top)
                n_words += 1
                continue
            name = label
            children = list(inner)
        stack.append(_END)
        for i in range(len(children) - 1, -1, -1):
            stack.append(children[i])
        labels.append("" if name is None else str(name))
        parents.append(top)
        starts.append(n_words)
        ends.append(n_words)
        top = n_nodes
        n_nodes += 1
    return tuple(labels), tuple(parents), tuple(starts), tuple(ends), tuple(words), tuple(word_parents)


@cython.locals(node=cython.Py_ssize_t, width=cython.Py_ssize_t)
def word_tags(
    labels: tuple, parents: tuple, starts: tuple, ends: tuple, word_parents: tuple, tagged: cython.bint, bare
) -> list:
    """Return for each word the label of its preterminal, or ``bare`` for a word without one."""
    n: cython.Py_ssize_t = len(labels)
    tags: list = []
    for node in word_parents:
        width = ends[node] - starts[node]
        # In preorder a node has a child node if and only if it is the parent of the next node.
        if tagged and width == 1 and (node + 1 == n or parents[node + 1] != node):
            tags.append(labels[node])
        else:
            tags.append(bare)
    return tags


def is_continuous(parents: tuple, starts: tuple, ends: tuple, word_parents: tuple) -> bool:
    """Return True if the yield of every node is one block of words."""
    n = len(parents)
    parent: cython.Py_ssize_t
    sizes: cython.longlong[:] = array("q", bytes(8 * (n + 1)))
    for parent in word_parents:
        sizes[parent] += 1
    for node in range(n - 1, -1, -1):
        parent = ends[node] - starts[node]
        if sizes[node] != parent:
            return False
        parent = parents[node]
        if parent >= 0:
            sizes[parent] += sizes[node]
    return True


def bracket_text(labels, parents: tuple, starts: tuple, word_parents: tuple, leaves) -> str:
    """Write a tree in brackets with these labels and leaves; the empty tree gives an empty string.

    A node without words comes before a leaf at the same position.
    """
    n = len(labels)
    m = len(leaves)
    node: cython.Py_ssize_t
    pieces: list = []
    if n == 0:
        return ""
    # The next child node, next sister, next leaf and the leaf after it; -1 for none.
    memory: cython.longlong[:] = array("q", bytes(8 * (3 * n + m + 1)))
    child: cython.longlong[:] = memory[:n]
    sister: cython.longlong[:] = memory[n : 2 * n]
    leaf: cython.longlong[:] = memory[2 * n : 3 * n]
    after: cython.longlong[:] = memory[3 * n :]
    for i in range(n):
        child[i] = leaf[i] = -1
    for i in range(n - 1, 0, -1):
        node = parents[i]
        sister[i] = child[node]
        child[node] = i
    for i in range(m - 1, -1, -1):
        node = word_parents[i]
        after[i] = leaf[node]
        leaf[node] = i
    pieces.append("(")
    pieces.append(labels[0])
    node = 0
    while node >= 0:
        i = child[node]
        if i >= 0 and (leaf[node] < 0 or starts[i] <= leaf[node]):
            child[node] = sister[i]
            pieces.append(" (")
            pieces.append(labels[i])
            node = i
        elif leaf[node] >= 0:
            i = leaf[node]
            leaf[node] = after[i]
            pieces.append(" ")
            pieces.append(leaves[i])
        else:
            pieces.append(")")
            node = parents[node]
    return "".join(pieces)


@cython.locals(i=cython.Py_ssize_t, up=cython.Py_ssize_t, word=cython.Py_ssize_t, start=cython.Py_ssize_t)
def compact_text(
    labels: tuple, parents: tuple, starts: tuple, word_parents: tuple, marks: str, numbers: dict
) -> str:
    """Write a tree as brackets without blanks; see ``jpevalb.report.html_data.tree_text``.

    ``marks`` is the character behind the label of each node, blank for none; ``numbers`` has the text that
    replaces each label, and grows.
    """
    n: cython.Py_ssize_t = len(labels)
    pieces: list = []
    expected: cython.Py_ssize_t = 0
    node: cython.Py_ssize_t = -1  # the node that is open
    # The next word of each node that is not written yet, then the word after each; -1 for none.
    waiting: cython.longlong[::1] = array("q", (-1,)) * (n + len(word_parents) + 1)
    for word in range(len(word_parents) - 1, -1, -1):
        up = word_parents[word]
        waiting[n + word] = waiting[up]
        waiting[up] = word
    for i in range(n + 1):
        up = parents[i] if i < n else -1
        start = starts[i] if i < n else 0
        while node >= 0:
            while waiting[node] >= 0 and (node != up or waiting[node] < start):
                word = waiting[node]
                waiting[node] = waiting[n + word]
                pieces.append("." if word == expected else f":{word}.")
                expected = word + 1
            if node == up:
                break
            pieces.append(")")
            node = parents[node]
        if i < n:
            number = numbers.get(labels[i])
            if number is None:
                number = numbers[labels[i]] = str(len(numbers))
            mark = marks[i]
            word = waiting[i]
            if word >= 0 and waiting[n + word] < 0 and (i + 1 == n or parents[i + 1] != i):
                # A preterminal and its word
                pieces.append(number)
                if mark != " ":
                    pieces.append(mark)
                pieces.append("." if word == expected else f":{word}.")
                expected = word + 1
            else:
                pieces.append("(")
                pieces.append(number)
                pieces.append("_" if mark == " " else mark)
                node = i
    return "".join(pieces)
