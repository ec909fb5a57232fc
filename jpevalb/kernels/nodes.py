# cython: infer_types=True
"""Kernel: the nodes of a tree as columns of numbers, the input of the mapping kernel.

A table has one row per mappable node, in preorder, with nine integer columns and, for intervals, their ends.
-1 means none.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

from jpevalb.kernels.columns import nodes

# The columns in order, each as long as the stride:
#   parent     row of the parent
#   size       rows of the subtree, including the node's own
#   label      number of the label
#   kind       only nodes of the same kind map to each other; for intervals: 1 for a preterminal
#   word       number of the word that the row stands for, alone or with its preterminal
#   word_kind  only words of the same kind map to each other
#   node       index of the node in its tree
#   position   index of the word in its sentence
#   digest     equal subtrees have equal digests, unequal ones rarely do
COLUMNS = 9


@cython.cfunc
def _zeros(length: cython.Py_ssize_t):
    return array("q", (0,)) * length


@cython.cfunc
def _sum_sizes(numbers: cython.longlong[::1], stride: cython.Py_ssize_t, count: cython.Py_ssize_t):
    """Fill the column of sizes from the parents."""
    for x in range(count):
        numbers[stride + x] = 1
    for x in range(count - 1, -1, -1):
        if numbers[x] >= 0:
            numbers[stride + numbers[x]] += numbers[stride + x]


@cython.cfunc
def _number(table, label) -> cython.longlong:
    """Return the number of a label; looking it up in a subclass of dict is slow, so known ones are first."""
    number = cython.cast(dict, table).get(label)
    return table[label] if number is None else number


@cython.locals(up=cython.Py_ssize_t, start=cython.Py_ssize_t, end=cython.Py_ssize_t, begin=cython.double)
@cython.locals(stop=cython.double)
def interval_nodes(tree, begins, stops, names: tuple, skip):
    """Tabulate the constituents and preterminals of a tree with intervals; ``None`` for a tree with gaps.

    Returns ``(rows, stride, numbers, axis, still)``: ``axis`` has all starts, then all ends; ``still`` counts
    the nodes of no duration, which have no row.  ``names`` has the numbers of labels and those of tags; nodes
    with a negative number are left out.
    """
    # ``tree``: columns.  ``begins`` and ``stops``: start and end of each word, or None if word ``i`` lasts
    # from ``i`` to ``i + 1``.  ``skip``: labels of roots to leave out, with all such roots right below them,
    # or None; preterminals are never roots.
    if tree.gaps:
        return None
    texts: list = tree.names.texts
    label_numbers, tag_numbers = names
    count: cython.Py_ssize_t
    count, block = nodes(tree)
    node: cython.int[::1] = block
    number: cython.longlong[::1] = _zeros(count + 1)
    table_of_numbers = _zeros(COLUMNS * count + 1)
    numbers: cython.longlong[::1] = table_of_numbers
    table_of_ends = array("d", (0.0,)) * (2 * count + 1)
    axis: cython.double[::1] = table_of_ends
    row: cython.Py_ssize_t = 0
    still: cython.Py_ssize_t = 0
    for x in range(count):
        up = node[x]
        if up >= 0:
            up = number[up]
        # Children of a node that is left out go to its parent.
        number[x] = up
        start = node[2 * count + x]
        end = node[3 * count + x]
        if start >= end:
            continue
        if begins is None:
            begin = start
            stop = end
        else:
            begin = begins[start]
            stop = stops[end - 1]
        label = texts[node[count + x]]
        is_tag = node[4 * count + x]
        if not is_tag and up < 0 and skip is not None and label in skip:
            continue
        value = _number(tag_numbers if is_tag else label_numbers, label)
        if value < 0:
            continue
        if begin >= stop:
            still += 1
            continue
        numbers[row] = up
        numbers[2 * count + row] = value
        numbers[3 * count + row] = is_tag
        numbers[6 * count + row] = x
        axis[row] = begin
        axis[count + row] = stop
        number[x] = row
        row += 1
    _sum_sizes(numbers, count, row)
    return row, count, table_of_numbers, table_of_ends, still


@cython.locals(start=cython.Py_ssize_t, up=cython.Py_ssize_t, value=cython.longlong, with_word=cython.bint)
@cython.locals(kind=cython.longlong, code=cython.longlong, word_kind=cython.longlong)
@cython.locals(node=cython.Py_ssize_t, position=cython.Py_ssize_t)
def typed_nodes(
    tree,
    tokens: tuple,
    kinds,
    word_kinds,
    names: tuple,
    words: dict,
    skip,
    untyped: cython.bint = False,
):
    """Return ``(rows, stride, numbers, None)`` of nodes and words with kinds; ``None`` for a tree with gaps.

    With the default kinds a preterminal and its word share one row: they stand in the same relations to all
    other nodes, so if either is mapped to such a node, the other one can be mapped too.  With ``untyped``,
    words may map to nodes: all rows are of one kind, every word has a row, numbered behind the nodes, and a
    label never equals a word.
    """
    # ``tree``: columns.  ``tokens``: its words as they are compared.  ``kinds`` and ``word_kinds``: numbers
    # >= 0 for nodes and for words, or None twice where preterminals, other nodes and words are three kinds.
    if tree.gaps:
        return None
    texts: list = tree.names.texts
    label_numbers, tag_numbers = names
    count: cython.Py_ssize_t
    count, block = nodes(tree)
    of_node: cython.int[::1] = block
    n_words: cython.Py_ssize_t = len(tokens)
    stride: cython.Py_ssize_t = count + n_words
    number: cython.longlong[::1] = _zeros(count + 1)
    table_of_numbers = _zeros(COLUMNS * stride + 1)
    numbers: cython.longlong[::1] = table_of_numbers
    x: cython.Py_ssize_t = 0
    word_index: cython.Py_ssize_t = 0
    row: cython.Py_ssize_t = 0
    while x < count or word_index < n_words:
        start = of_node[2 * count + x] if x < count else n_words
        value = kind = code = word_kind = node = position = -1
        if x < count and (word_index >= n_words or start <= word_index):
            up = of_node[x]
            if up >= 0:
                up = number[up]
            label = texts[of_node[count + x]]
            is_tag = of_node[4 * count + x]
            if up >= 0 or skip is None or label not in skip:
                value = _number(tag_numbers if is_tag else label_numbers, label)
            if value < 0:
                number[x] = up
                x += 1
                continue
            kind = is_tag if kinds is None else kinds[x]
            with_word = kinds is None and kind == 1 and not untyped
            if untyped:
                value *= 2
                kind = 0
            node = x
            number[x] = row
            x += 1
        else:
            up = number[of_node[5 * count + word_index]]
            with_word = True
        if with_word:
            code = words.setdefault(tokens[word_index], len(words))
            if untyped:
                value = 2 * code + 1
                kind = 0
                code = -1
                node = count + word_index
            else:
                word_kind = 0 if kinds is None else word_kinds[word_index]
                position = word_index
            word_index += 1
        numbers[row] = up
        numbers[2 * stride + row] = value
        numbers[3 * stride + row] = kind
        numbers[4 * stride + row] = code
        numbers[5 * stride + row] = word_kind
        numbers[6 * stride + row] = node
        numbers[7 * stride + row] = position
        row += 1
    complete(table_of_numbers, stride, row)
    return row, stride, table_of_numbers, None


def complete(table_of_numbers, stride: cython.Py_ssize_t, count: cython.Py_ssize_t) -> None:
    """Fill the columns of sizes and digests from the others."""
    numbers: cython.longlong[::1] = table_of_numbers
    up: cython.Py_ssize_t
    _sum_sizes(numbers, stride, count)
    digest: cython.Py_ssize_t = 8 * stride
    for x in range(count - 1, -1, -1):
        # Every product stays below 2**63: numbers of labels and words are below 2**31.
        value = (numbers[digest + x] * 1000003 + numbers[2 * stride + x] + 2) % 2147483647
        value = (value * 1000033 + numbers[4 * stride + x] + 2) % 2147483647
        value = (value * 1000037 + numbers[3 * stride + x] + 2) % 2147483647
        numbers[digest + x] = value
        up = numbers[x]
        if up >= 0:
            numbers[digest + up] = (numbers[digest + up] * 1000039 + value + 1) % 2147483647


def slot_numbers(tree, names: tuple, skip, paths: dict) -> list:
    """Return a number for the labels above each word; ``paths`` has those known, for both sides.

    ``names`` and ``skip`` are those of :func:`interval_nodes`.
    """
    label_numbers, tag_numbers = names
    texts: list = tree.names.texts
    count, block = nodes(tree)
    path: list = [-1] * count
    for x in range(count):
        up = block[x]
        if up >= 0:
            up = path[up]
        label = texts[block[count + x]]
        number = -1
        if up >= 0 or skip is None or label not in skip:
            number = (tag_numbers if block[4 * count + x] else label_numbers)[label]
        if number >= 0:
            key = (up, number)
            up = paths.get(key)
            if up is None:
                up = len(paths)
                paths[key] = up
        path[x] = up
    return [path[up] for up in block[5 * count : 5 * count + tree.words]]
