# cython: infer_types=True
"""Kernel: the nodes of a tree as columns of numbers, the input of the mapping kernel.

A table has one row per mappable node, in preorder, with the columns below and, for intervals, their ends.
-1 means none.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

from jpevalb.kernels.columns import nodes, zeros

# The columns in order, each as long as the stride:
#   parent     row of the parent
#   size       rows of the subtree, including the node's own
#   label      number of the label
#   kind       only nodes of the same kind map to each other; for intervals: 1 for a preterminal
#   node       index of the node in its tree
#   word       number of the word that the row stands for, alone or with its preterminal
#   word_kind  only words of the same kind map to each other
#   position   index of the word in its sentence
COLUMNS = 8


@cython.cfunc
def _sum_sizes(numbers: cython.longlong[::1], stride: cython.Py_ssize_t, count: cython.Py_ssize_t):
    """Fill the column of sizes from the parents."""
    for x in range(count):
        numbers[stride + x] = 1
    for x in range(count - 1, -1, -1):
        if numbers[x] >= 0:
            numbers[stride + numbers[x]] += numbers[stride + x]


@cython.locals(up=cython.Py_ssize_t, is_tag=cython.bint)
def counted_nodes(tree, names: tuple, skip, tags: cython.bint = True) -> tuple:
    """Return ``(count, cells, counted)``: the nodes of columns, and for each whether and where it counts.

    ``counted`` has the numbers of the labels, -1 for a node that is left out, then the nearest node above
    that counts, -1 for none.  ``names`` has the numbers of labels and those of tags; nodes with a negative
    number are left out.  ``skip`` has labels of roots to leave out, with all such roots right below them, or
    is None; preterminals are roots only with ``tags``.
    """
    texts: list = tree.names.texts
    count: cython.Py_ssize_t
    count, block = nodes(tree)
    node: cython.int[::1] = block
    counted = zeros(2 * count + 1)
    made: cython.int[::1] = counted
    for x in range(count):
        up = node[x]
        if up >= 0 and made[up] < 0:
            up = made[count + up]
        made[count + x] = up
        label = texts[node[count + x]]
        is_tag = node[4 * count + x]
        if up < 0 and skip is not None and (tags or not is_tag) and label in skip:
            made[x] = -1
            continue
        table = names[is_tag]
        # Looking a label up in a subclass of dict is slow, so known ones are first.
        number = cython.cast(dict, table).get(label)
        made[x] = table[label] if number is None else number
    return count, block, counted


@cython.locals(up=cython.Py_ssize_t, start=cython.Py_ssize_t, end=cython.Py_ssize_t, begin=cython.double)
@cython.locals(stop=cython.double)
def interval_nodes(tree, begins, stops, names: tuple, skip):
    """Tabulate the constituents and preterminals of a tree with intervals; ``None`` for a tree with gaps.

    Returns ``(rows, stride, numbers, axis, still)``: ``axis`` has all starts, then all ends; ``still`` counts
    the nodes of no duration, which have no row.  ``begins`` and ``stops`` are the start and end of each word,
    or None if word ``i`` lasts from ``i`` to ``i + 1``.
    """
    if tree.gaps:
        return None
    count: cython.Py_ssize_t
    count, block, counted = counted_nodes(tree, names, skip, False)
    node: cython.int[::1] = block
    value: cython.int[::1] = counted
    number: cython.int[::1] = zeros(count + 1)
    table_of_numbers = array("q", bytes(8 * (COLUMNS * count + 1)))
    numbers: cython.longlong[::1] = table_of_numbers
    table_of_ends = array("d", (0.0,)) * (2 * count + 1)
    axis: cython.double[::1] = table_of_ends
    row: cython.Py_ssize_t = 0
    still: cython.Py_ssize_t = 0
    for x in range(count):
        start = node[2 * count + x]
        end = node[3 * count + x]
        if value[x] < 0 or start >= end:
            continue
        begin = start if begins is None else begins[start]
        stop = end if begins is None else stops[end - 1]
        if begin >= stop:
            still += 1
            continue
        up = value[count + x]
        numbers[row] = number[up] if up >= 0 else -1
        numbers[2 * count + row] = value[x]
        numbers[3 * count + row] = node[4 * count + x]
        numbers[4 * count + row] = x
        axis[row] = begin
        axis[count + row] = stop
        number[x] = row
        row += 1
    _sum_sizes(numbers, count, row)
    return row, count, table_of_numbers, table_of_ends, still


@cython.locals(up=cython.Py_ssize_t, kind=cython.longlong, code=cython.longlong, word_kind=cython.longlong)
@cython.locals(with_word=cython.bint, position=cython.Py_ssize_t)
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
    count: cython.Py_ssize_t
    count, block, counted = counted_nodes(tree, names, skip)
    of_node: cython.int[::1] = block
    value: cython.int[::1] = counted
    n_words: cython.Py_ssize_t = len(tokens)
    stride: cython.Py_ssize_t = count + n_words
    number: cython.int[::1] = zeros(count + 1)
    table_of_numbers = array("q", (-1,)) * (COLUMNS * stride + 1)
    numbers: cython.longlong[::1] = table_of_numbers
    x: cython.Py_ssize_t = 0
    position = 0
    row: cython.Py_ssize_t = 0
    while x < count or position < n_words:
        with_word = x == count or (position < n_words and of_node[2 * count + x] > position)
        if with_word:
            up = of_node[5 * count + position]
            if up >= 0 and value[up] < 0:
                up = value[count + up]
        else:
            up = value[count + x]
            number[x] = row
            x += 1
            if value[x - 1] < 0:
                continue
            kind = of_node[4 * count + x - 1] if kinds is None else kinds[x - 1]
            numbers[2 * stride + row] = 2 * value[x - 1] if untyped else value[x - 1]
            numbers[3 * stride + row] = 0 if untyped else kind
            numbers[4 * stride + row] = x - 1
            with_word = kinds is None and kind == 1 and not untyped
        numbers[row] = number[up] if up >= 0 else -1
        if with_word:
            code = words.setdefault(tokens[position], len(words))
            if untyped:
                numbers[2 * stride + row] = 2 * code + 1
                numbers[3 * stride + row] = 0
                numbers[4 * stride + row] = count + position
            else:
                numbers[5 * stride + row] = code
                numbers[6 * stride + row] = 0 if kinds is None else word_kinds[position]
                numbers[7 * stride + row] = position
            position += 1
        row += 1
    _sum_sizes(numbers, stride, row)
    return row, stride, table_of_numbers, None


def slot_numbers(tree, names: tuple, skip, paths: dict) -> list:
    """Return a number for the labels above each word; ``paths`` has those known, for both sides.

    The other arguments are those of :func:`counted_nodes`.
    """
    count, block, counted = counted_nodes(tree, names, skip)
    path: list = [-1] * count
    for x in range(count):
        up = counted[count + x]
        above = path[up] if up >= 0 else -1
        path[x] = above if counted[x] < 0 else paths.setdefault((above, counted[x]), len(paths))
    return [path[up] for up in block[5 * count : 5 * count + tree.words]]
