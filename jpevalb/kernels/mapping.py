# cython: infer_types=True
"""Kernel: the heaviest ordered mapping of two trees, for Struct-IoU, TedEval and accuracies.

A mapping pairs nodes of two trees, each at most once, and keeps ancestors and left-to-right order.  Its
weight is the sum over its pairs.  The recurrence is Zhang & Shasha's (1989, section 3) turned from costs to
weights: ``weight = deletion + insertion - substitution``, so that the cheapest mapping is the heaviest one,
and deletions and insertions weigh nothing.

All weights are integers, so that sums are exact and independent of their order.  An overlap is stored in
units of ``1 / SCALE``.  Ties are broken in the low digits of the weights, so that one maximum decides several
criteria.

A tree is a table with one row per mappable node, in preorder, with the columns of :data:`COLUMNS` and, for
intervals, their ends.  -1 means none.

Before weights are computed, certain parts are removed: nodes that some heaviest mapping pairs for sure, and
parts that cannot touch.  Trees that differ in one place cost little more than reading them.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython
if cython.compiled:
    from cython.cimports.cpython import array as carray

from jpevalb.kernels.columns import nodes as node_columns, zeros

SCALE = 1 << 40  # one full overlap

# New arrays are multiples of these.
ZERO, ZERO_TIME, NONE, NO_ROW = array("q", (0,)), array("d", (0.0,)), array("q", (-1,)), array("i", (-1,))
TOO_LARGE = -1  # result code: the tables would be larger, or take longer, than allowed


# --- tables ------------------------------------------------------------------------------------------

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
@cython.inline
def ints(block) -> cython.p_int:
    """Return the numbers of an ``array("i")``: a pointer when compiled."""
    return cython.cast(carray.array, block).data.as_ints if cython.compiled else block


@cython.cfunc
@cython.inline
def longs(block, at: cython.Py_ssize_t = 0) -> cython.p_longlong:
    """Return the numbers of an ``array("q")`` from an index on: a pointer when compiled, else a view."""
    if cython.compiled:
        return cython.cast(carray.array, block).data.as_longlongs + at
    return memoryview(block)[at:]


@cython.cfunc
@cython.inline
def doubles(block, at: cython.Py_ssize_t = 0) -> cython.p_double:
    """Return the numbers of an ``array("d")`` from an index on: a pointer when compiled, else a view."""
    if cython.compiled:
        return cython.cast(carray.array, block).data.as_doubles + at
    return memoryview(block)[at:]


@cython.cfunc
def _sum_sizes(numbers: cython.p_longlong, stride: cython.Py_ssize_t, count: cython.Py_ssize_t):
    """Fill the column of sizes from the parents."""
    for x in range(count):
        numbers[stride + x] = 1
    for x in range(count - 1, -1, -1):
        if numbers[x] >= 0:
            numbers[stride + numbers[x]] += numbers[stride + x]


@cython.final
@cython.cclass
class LabelledNodes:
    """The nodes of a tree in preorder, with numbers of their labels, and of the words."""

    count: cython.Py_ssize_t
    texts: list
    cells: object  # as :func:`jpevalb.kernels.columns.nodes` returns them
    labels: object  # a negative number for a node that is left out
    words = cython.declare(object, visibility="readonly")  #: ``array("i")``

    def __init__(self, tree, words, names: tuple):
        """``tree``: columns.  ``names`` has the numbers of labels and those of tags."""
        self.count, self.cells = node_columns(tree)
        self.words = words
        self.texts = tree.names.texts
        self.labels = zeros(self.count + 1)
        made: cython.p_int = ints(self.labels)
        node: cython.p_int = ints(self.cells)
        for x in range(self.count):
            table = names[node[4 * self.count + x]]
            label = self.texts[node[self.count + x]]
            # Looking a label up in a subclass of dict is slow, so known ones are first.
            number = cython.cast(dict, table).get(label)
            made[x] = table[label] if number is None else number


@cython.cfunc
@cython.exceptval(-1)
def _is_skipped(nodes: LabelledNodes, x: cython.Py_ssize_t, skip, tags: cython.bint = True) -> cython.bint:
    """Return True if a node is a root to leave out; no node above it counts.

    ``skip`` has labels of roots to leave out, or is None; preterminals are roots only with ``tags``.
    """
    return (
        skip is not None
        and (tags or not ints(nodes.cells)[4 * nodes.count + x])
        and nodes.texts[ints(nodes.cells)[nodes.count + x]] in skip
    )


@cython.locals(up=cython.Py_ssize_t, start=cython.Py_ssize_t, end=cython.Py_ssize_t, begin=cython.double)
@cython.locals(stop=cython.double)
def interval_nodes(nodes: LabelledNodes, times, skip) -> tuple:
    """Tabulate the constituents and preterminals of a continuous tree with intervals.

    Returns ``(rows, stride, numbers, axis, still)``: ``axis`` has all starts, then all ends; ``still`` counts
    the nodes of no duration, which have no row.  ``times`` are the starts and the ends of the words, or None
    if word ``i`` lasts from ``i`` to ``i + 1``.
    """
    begins, stops = times or (None, None)
    count: cython.Py_ssize_t = nodes.count
    node: cython.p_int = ints(nodes.cells)
    label: cython.p_int = ints(nodes.labels)
    rows = zeros(count + 1)
    number: cython.p_int = ints(rows)  # row of each node, or of the one above it that counts
    table_of_numbers = ZERO * (COLUMNS * count + 1)
    numbers: cython.p_longlong = longs(table_of_numbers)
    table_of_ends = ZERO_TIME * (2 * count + 1)
    axis: cython.p_double = doubles(table_of_ends)
    row: cython.Py_ssize_t = 0
    still: cython.Py_ssize_t = 0
    for x in range(count):
        up = number[node[x]] if node[x] >= 0 else -1
        number[x] = up
        if label[x] < 0 or (up < 0 and _is_skipped(nodes, x, skip, False)):
            continue
        number[x] = row
        start = node[2 * count + x]
        end = node[3 * count + x]
        if start >= end:
            continue
        begin = start if begins is None else begins[start]
        stop = end if begins is None else stops[end - 1]
        if begin >= stop:
            still += 1
            continue
        numbers[row] = up
        numbers[2 * count + row] = label[x]
        numbers[3 * count + row] = node[4 * count + x]
        numbers[4 * count + row] = x
        axis[row] = begin
        axis[count + row] = stop
        row += 1
    _sum_sizes(numbers, count, row)
    return row, count, table_of_numbers, table_of_ends, still


@cython.locals(up=cython.Py_ssize_t, kind=cython.longlong, with_word=cython.bint)
def typed_nodes(nodes: LabelledNodes, given_kinds, skip, untyped: cython.bint = False) -> tuple:
    """Return ``(rows, stride, numbers, None)``: nodes and words; in a tree with gaps no node may count.

    With the default kinds a preterminal and its word share one row: they stand in the same relations to all
    other nodes, so if either is mapped to such a node, the other one can be mapped too.  With ``untyped``,
    words may map to nodes: all rows are of one kind, every word has a row, numbered behind the nodes, and a
    label never equals a word.
    """
    # ``given_kinds``: numbers >= 0 of nodes and of words, or None where preterminals, other nodes and words
    # are three kinds.
    kinds, word_kinds = given_kinds or (None, None)
    count: cython.Py_ssize_t = nodes.count
    node: cython.p_int = ints(nodes.cells)
    label: cython.p_int = ints(nodes.labels)
    word: cython.p_int = ints(nodes.words)
    n_words: cython.Py_ssize_t = len(nodes.words)
    stride: cython.Py_ssize_t = count + n_words
    # With gaps, a word may come before a node above it, which has no row yet.
    rows = NO_ROW * (count + 1)
    number: cython.p_int = ints(rows)  # row of each node, or of the one above it that counts
    table_of_numbers = NONE * (COLUMNS * stride + 1)
    numbers: cython.p_longlong = longs(table_of_numbers)
    x: cython.Py_ssize_t = 0
    position: cython.Py_ssize_t = 0
    row: cython.Py_ssize_t = 0
    while x < count or position < n_words:
        with_word = x == count or (position < n_words and node[2 * count + x] > position)
        up = node[5 * count + position] if with_word else node[x]
        up = number[up] if up >= 0 else -1
        if not with_word:
            x += 1
            number[x - 1] = up
            if label[x - 1] < 0 or (up < 0 and _is_skipped(nodes, x - 1, skip)):
                continue
            number[x - 1] = row
            kind = node[4 * count + x - 1] if kinds is None else kinds[x - 1]
            numbers[2 * stride + row] = 2 * label[x - 1] if untyped else label[x - 1]
            numbers[3 * stride + row] = 0 if untyped else kind
            numbers[4 * stride + row] = x - 1
            with_word = kinds is None and kind == 1 and not untyped
        numbers[row] = up
        if with_word:
            if untyped:
                numbers[2 * stride + row] = 2 * word[position] + 1
                numbers[3 * stride + row] = 0
                numbers[4 * stride + row] = count + position
            else:
                numbers[5 * stride + row] = word[position]
                numbers[6 * stride + row] = 0 if kinds is None else word_kinds[position]
                numbers[7 * stride + row] = position
            position += 1
        row += 1
    _sum_sizes(numbers, stride, row)
    return row, stride, table_of_numbers, None


@cython.locals(above=cython.Py_ssize_t)
def slot_numbers(nodes: LabelledNodes, skip, paths: dict) -> list:
    """Return a number for the labels above each word; ``paths`` has those known, for both sides."""
    count: cython.Py_ssize_t = nodes.count
    path: list = [-1] * count
    for x in range(count):
        up = nodes.cells[x]
        above = path[x] = path[up] if up >= 0 else -1
        if nodes.labels[x] >= 0 and not (above < 0 and _is_skipped(nodes, x, skip)):
            path[x] = paths.setdefault((above, nodes.labels[x]), len(paths))
    return [path[up] for up in nodes.cells[5 * count : 5 * count + len(nodes.words)]]


# --- mappings ----------------------------------------------------------------------------------------


@cython.final
@cython.cclass
class Nodes:
    """The columns of one tree's table."""

    count: cython.Py_ssize_t
    parent: cython.p_longlong
    size: cython.p_longlong
    label: cython.p_longlong
    kind: cython.p_longlong
    node: cython.p_longlong
    word: cython.p_longlong
    word_kind: cython.p_longlong
    position: cython.p_longlong
    begin: cython.p_double
    end: cython.p_double
    numbers: object
    axis: object


@cython.cfunc
@cython.exceptval(check=False)
def _column(table, begin: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.p_longlong:
    """Return a column of a table: a pointer, or a list if interpreted."""
    return longs(table, begin) if cython.compiled else table[begin : begin + count].tolist()


@cython.cfunc
def _open_table(table: tuple):
    """Return the columns of a table as ``Nodes``."""
    count: cython.Py_ssize_t = table[0]
    stride: cython.Py_ssize_t = table[1]
    nodes: Nodes = Nodes()
    nodes.count = count
    nodes.numbers = numbers = table[2]
    nodes.axis = table[3]
    nodes.parent = _column(numbers, 0, count)
    nodes.size = _column(numbers, stride, count)
    nodes.label = _column(numbers, 2 * stride, count)
    nodes.kind = _column(numbers, 3 * stride, count)
    nodes.node = _column(numbers, 4 * stride, count)
    nodes.word = _column(numbers, 5 * stride, count)
    nodes.word_kind = _column(numbers, 6 * stride, count)
    nodes.position = _column(numbers, 7 * stride, count)
    if table[3] is not None:
        nodes.begin = doubles(table[3]) if cython.compiled else table[3].tolist()
        nodes.end = doubles(table[3], stride) if cython.compiled else table[3][stride:].tolist()
    return nodes


@cython.final
@cython.cclass
class MappingTask:
    """One pair of trees, the weights of node pairs, and the result so far."""

    one: Nodes
    two: Nodes
    by_overlap: cython.bint
    strict: cython.bint
    base: cython.longlong  # weight of one unit of the first criterion; the second one counts in ones
    match: cython.longlong  # weight of two equal nodes (for overlap: over equal intervals)
    mismatch: cython.longlong  # weight of two nodes of one kind whose labels differ
    most_cells: cython.double
    most_steps: cython.double
    refused: object  # None, or (gold rows, system rows, cells, steps) of the part that is too large
    pairs: object  # for each row of ``one`` the row of ``two`` or -1; None if not wanted


@cython.final
@cython.cclass
class Forest:
    """Some rows of a table, in postorder of the tree or of its mirror image; columns are by position."""

    count: cython.Py_ssize_t
    n_roots: cython.Py_ssize_t
    row: cython.p_longlong
    low: cython.p_longlong  # position of the leftmost leaf below a row
    parts: cython.p_longlong  # nodes and words before a position
    root: cython.p_longlong  # the keyroots, the whole forest last


@cython.final
@cython.cclass
class Tables:
    """The tables of two forests; :func:`_fill` fills a band of them."""

    need: cython.longlong  # pairs of nodes or words that a heaviest mapping has at least
    trees: cython.p_longlong  # weight of each pair of subtrees
    forests: cython.p_longlong  # weight of each pair of prefixes
    first: cython.p_longlong  # first and last column known in each row of ``forests``
    last: cython.p_longlong


# Buffers of earlier calls. A call takes one out, so that no two threads share it.
_buffers: list = []

MOST_KEPT = cython.declare(cython.int, 1 << 18)  # size of the largest buffer kept


@cython.cfunc
@cython.exceptval(check=False)
def _numbers(
    buffer: cython.p_longlong, offset: cython.Py_ssize_t, length: cython.Py_ssize_t
) -> cython.p_longlong:
    """Return part of a buffer: a pointer, or a list of zeros if interpreted."""
    return buffer + offset if cython.compiled else [0] * length


@cython.cfunc
@cython.exceptval(check=False)
def _parts(nodes: Nodes, x: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return how many nodes and words a row stands for: a node, a word, or both."""
    return (nodes.kind[x] >= 0) + (nodes.word_kind[x] >= 0)


@cython.cfunc
@cython.exceptval(check=False)
def _weight(task: MappingTask, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.longlong:
    """Return the weight of gold row ``x`` with system row ``y``; 0 if they must not map."""
    one, two = task.one, task.two
    same: cython.bint = one.label[x] == two.label[y]
    total: cython.longlong = 0
    if not task.by_overlap:
        if one.kind[x] >= 0 and one.kind[x] == two.kind[y]:
            total = task.match if same else task.mismatch
        if one.word_kind[x] >= 0 and one.word_kind[x] == two.word_kind[y]:
            total += task.match if one.word[x] == two.word[y] else task.mismatch
        return total
    if not same and (task.strict or not (one.kind[x] or two.kind[y])):
        return 0
    begin1, end1, begin2, end2 = one.begin[x], one.end[x], two.begin[y], two.end[y]
    shared: cython.double = (end1 if end1 < end2 else end2) - (begin1 if begin1 > begin2 else begin2)
    if shared <= 0.0:
        return 0
    # The literal is SCALE; a name would be looked up again for each pair.
    shared = shared / ((end1 if end1 > end2 else end2) - (begin1 if begin1 < begin2 else begin2))
    total = cython.cast(cython.longlong, shared * 1099511627776.0 + 0.5)
    if not cython.compiled:
        total = int(total)
    # A base of 1 leaves no room for the second criterion, equal labels.
    return total * task.base + same if task.base > 1 else total


@cython.cfunc
@cython.locals(x=cython.Py_ssize_t, p=cython.Py_ssize_t, up=cython.Py_ssize_t)
def _forest(
    task: MappingTask,
    nodes: Nodes,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    mirrored: cython.bint,
    buffer: cython.p_longlong,
    offset: cython.Py_ssize_t,
):
    """Put the forest of rows ``begin`` to ``end`` into postorder, or into that of its mirror image."""
    count: cython.Py_ssize_t = end - begin
    n_roots: cython.Py_ssize_t = 0
    parent, size = nodes.parent, nodes.size
    row: cython.p_longlong = _numbers(buffer, offset, count)
    low: cython.p_longlong = _numbers(buffer, offset + count, count)
    parts: cython.p_longlong = _numbers(buffer, offset + 2 * count, count + 1)
    root: cython.p_longlong = _numbers(buffer, offset + 3 * count + 1, count)
    # The depth of each row is needed until the keyroots are known.
    depth: cython.p_longlong = root
    for x in range(begin, end):
        if mirrored:
            # Preorder read backwards is the postorder of the mirror image.
            p = end - 1 - x
        else:
            up = parent[x]
            depth[x - begin] = depth[up - begin] + 1 if up >= begin else 0
            p = x - begin + size[x] - 1 - depth[x - begin]
        row[p] = x
        low[p] = p - size[x] + 1
    parts[0] = 0
    for p in range(count):
        x = row[p]
        if _is_keyroot(nodes, x, begin, end, mirrored):
            root[n_roots] = p
            n_roots += 1
        parts[p + 1] = parts[p] + (1 if task.by_overlap else _parts(nodes, x))
    root[n_roots] = count - 1
    forest: Forest = Forest()
    forest.count = count
    forest.n_roots = n_roots + 1
    forest.row = row
    forest.low = low
    forest.parts = parts
    forest.root = root
    return forest


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_keyroot(
    nodes: Nodes,
    x: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    mirrored: cython.bint,
) -> cython.bint:
    """Return True unless a row is the first child of its parent, or the last one of the mirror image."""
    up: cython.Py_ssize_t = nodes.parent[x]
    if mirrored:
        return x + nodes.size[x] != (up + nodes.size[up] if up >= begin else end)
    return x != (up + 1 if up >= begin else begin)


@cython.cfunc
@cython.exceptval(check=False)
def _keyroot_cost(
    nodes: Nodes, begin: cython.Py_ssize_t, end: cython.Py_ssize_t, mirrored: cython.bint
) -> cython.double:
    """Return the sum of the sizes of a forest's keyroots: its rows in all tables together."""
    total: cython.double = end - begin
    for x in range(begin, end):
        if _is_keyroot(nodes, x, begin, end, mirrored):
            total += nodes.size[x]
    return total


@cython.cfunc
@cython.exceptval(check=False)
@cython.locals(here=cython.Py_ssize_t, base=cython.Py_ssize_t, column=cython.Py_ssize_t)
@cython.locals(reach=cython.Py_ssize_t)
def _fill(
    task: MappingTask,
    one: Forest,
    from1: cython.Py_ssize_t,
    to1: cython.Py_ssize_t,
    two: Forest,
    from2: cython.Py_ssize_t,
    to2: cython.Py_ssize_t,
    tables: Tables,
) -> cython.int:
    """Fill the table of prefixes of two forests, positions ``from`` to ``to`` (inclusive)."""
    # ``forests[i * (width + 1) + j]`` becomes the weight of the first ``i`` positions against the first
    # ``j``; ``trees[i * width + j]`` that of the subtrees at ``i`` and ``j``, for all pairs whose leftmost
    # leaves are the first positions.
    #
    # Only prefixes that a mapping of ``tables.need`` pairs can pass are considered: before, within and after
    # them it has at most as many pairs as the smaller side has nodes and words.  All other entries are too
    # small or absent.
    width: cython.Py_ssize_t = two.count
    stride: cython.Py_ssize_t = width + 1
    row1, low1, parts1 = one.row, one.low, one.parts
    row2, low2, parts2 = two.row, two.low, two.parts
    trees, forests, first, last = tables.trees, tables.forests, tables.first, tables.last
    above: cython.Py_ssize_t = 0  # the row before the one being filled
    # Limits of the band: parts before a system position, less those before its gold position.
    need: cython.longlong = tables.need - min(parts1[from1], parts2[from2])
    lowest: cython.longlong = parts2[from2] + need - parts1[one.count]
    highest: cython.longlong = parts2[width] - need - parts1[from1]
    begin: cython.Py_ssize_t = from2
    end: cython.Py_ssize_t = from2  # behind the last position of the band
    for i in range(from1, to1 + 1):
        while begin <= to2 and parts2[begin + 1] < parts1[i + 1] + lowest:
            begin += 1
        if begin > to2:
            return 0
        reach = max(end, begin + 1)  # behind the last position of the next band
        while reach <= to2 and parts2[reach + 1] <= parts1[i + 1] + highest:
            reach += 1
        # Complete the row before.
        if i == from1:
            for j in range(reach - from2 + 1):
                forests[j] = 0
            first[0] = 0
        else:
            best = forests[above + end - from2]
            for j in range(end - from2 + 1, reach - from2 + 1):
                forests[above + j] = best
        last[i - from1] = reach - from2
        end = reach
        here = above + stride
        first[i - from1 + 1] = begin - from2
        best = forests[above + begin - from2]
        forests[here + begin - from2] = best
        at = i * width
        base = low1[i] - from1  # the row before the subtree of i
        for j in range(begin, end):
            value = forests[above + j - from2 + 1]
            if value > best:
                best = value
            if base == 0 and low2[j] == from2:
                weight = _weight(task, row1[i], row2[j])
                if weight:
                    value = forests[above + j - from2] + weight
                    if value > best:
                        best = value
                trees[at + j] = best
            elif trees[at + j]:
                column = low2[j] - from2
                if column >= first[base]:
                    value = forests[base * stride + min(column, last[base])] + trees[at + j]
                    if value > best:
                        best = value
            forests[here + j - from2 + 1] = best
        above = here
    best = forests[above + end - from2]
    for j in range(end - from2 + 1, to2 - from2 + 2):
        forests[above + j] = best
    return 0


@cython.cfunc
@cython.locals(from1=cython.Py_ssize_t, from2=cython.Py_ssize_t, i=cython.Py_ssize_t, j=cython.Py_ssize_t)
@cython.locals(at=cython.Py_ssize_t, value=cython.longlong)
def _trace(task: MappingTask, one: Forest, two: Forest, tables: Tables):
    """Walk back through the tables and add the row pairs of a heaviest mapping to the task."""
    stack: list = [(0, one.count - 1, 0, two.count - 1)]
    stride: cython.Py_ssize_t = two.count + 1
    while stack:
        from1, i, from2, j = stack.pop()
        _fill(task, one, from1, i, two, from2, j, tables)
        while i >= from1 and j >= from2:
            at = (i - from1 + 1) * stride + j - from2 + 1
            value = tables.forests[at]
            if value == tables.forests[at - stride]:
                i -= 1
            elif value == tables.forests[at - 1]:
                j -= 1
            elif one.low[i] == from1 and two.low[j] == from2:
                task.pairs[one.row[i]] = two.row[j]
                i -= 1
                j -= 1
            else:
                stack.append((one.low[i], i, two.low[j], j))
                i = one.low[i] - 1
                j = two.low[j] - 1


@cython.cfunc
def _map_forests(
    task: MappingTask,
    begin1: cython.Py_ssize_t,
    end1: cython.Py_ssize_t,
    begin2: cython.Py_ssize_t,
    end2: cython.Py_ssize_t,
) -> cython.longlong:
    """Return the weight of the heaviest mapping between forests of rows; -1 if the tables are too large."""
    count1, count2 = end1 - begin1, end2 - begin2
    steps: cython.double = _keyroot_cost(task.one, begin1, end1, False) * _keyroot_cost(
        task.two, begin2, end2, False
    )
    mirror_steps: cython.double = _keyroot_cost(task.one, begin1, end1, True) * _keyroot_cost(
        task.two, begin2, end2, True
    )
    mirrored: cython.bint = mirror_steps < steps
    if mirrored:
        steps = mirror_steps
    cells: cython.double = (count1 + 1.0) * (count2 + 1.0) * 2.0
    if cells > task.most_cells or steps > task.most_steps:
        task.refused = (count1, count2, int(cells), int(steps))
        return -1
    at_trees: cython.Py_ssize_t = 6 * count1 + 4 * count2 + 4
    at_forests: cython.Py_ssize_t = at_trees + count1 * count2
    size: cython.Py_ssize_t = at_forests + (count1 + 1) * (count2 + 1)
    store = _buffers.pop() if _buffers else array("q")
    if cython.compiled and len(store) < size:
        store = ZERO * size
    buffer: cython.p_longlong = longs(store)
    one: Forest = _forest(task, task.one, begin1, end1, mirrored, buffer, 0)
    two: Forest = _forest(task, task.two, begin2, end2, mirrored, buffer, 4 * count1 + 1)
    tables: Tables = Tables()
    tables.first = _numbers(buffer, 4 * (count1 + count2) + 2, count1 + 1)
    tables.last = _numbers(buffer, 4 * count2 + 5 * count1 + 3, count1 + 1)
    tables.trees = _numbers(buffer, at_trees, count1 * count2)
    tables.forests = _numbers(buffer, at_forests, (count1 + 1) * (count2 + 1))
    parts: cython.longlong = min(one.parts[count1], two.parts[count2])
    # A guess, mostly right and never checked by more than one more round.
    tables.need = parts - parts // 32 - 2
    while True:
        best = _fill_all(task, one, two, tables)
        if best >= (tables.need - 1) * task.match + 1:
            break
        tables.need = (best + task.match - 1) // task.match
    if task.pairs is not None:
        _trace(task, one, two, tables)
    if cython.compiled and len(store) <= MOST_KEPT:
        _buffers.append(store)
    return best


@cython.cfunc
@cython.locals(p=cython.Py_ssize_t, q=cython.Py_ssize_t, x=cython.Py_ssize_t, y=cython.Py_ssize_t)
@cython.locals(from1=cython.Py_ssize_t, from2=cython.Py_ssize_t, last1=cython.bint, last2=cython.bint)
def _fill_all(task: MappingTask, one: Forest, two: Forest, tables: Tables) -> cython.longlong:
    """Fill the tables of all keyroots; return the weight of the heaviest mapping."""
    nodes1, nodes2 = task.one, task.two
    parts1, parts2 = one.parts, two.parts
    spare1: cython.longlong = parts1[one.count] - tables.need
    spare2: cython.longlong = parts2[two.count] - tables.need
    by_overlap: cython.bint = task.by_overlap
    for p in range(one.count):
        for q in range(two.count):
            tables.trees[p * two.count + q] = 0
    for k in range(one.n_roots):
        p = one.root[k]
        x = one.row[p]
        # The last keyroot stands for the whole forest, whatever the leaf and the interval of its row.
        last1 = k + 1 == one.n_roots
        from1 = 0 if last1 else one.low[p]
        lowest = parts1[from1] - spare1
        highest = parts1[from1] + spare2
        for m in range(two.n_roots):
            q = two.root[m]
            last2 = m + 1 == two.n_roots
            from2 = 0 if last2 else two.low[q]
            # No mapping of so many pairs can map these subtrees.
            if not lowest <= parts2[from2] <= highest:
                continue
            y = two.row[q]
            # Subtrees that share no time weigh 0, which the table holds already.
            if by_overlap and not (
                last1 or last2 or (nodes1.end[x] > nodes2.begin[y] and nodes2.end[y] > nodes1.begin[x])
            ):
                continue
            if from1 == p and from2 == q and not (last1 and last2):
                tables.trees[p * two.count + q] = _weight(task, x, y)
            else:
                _fill(task, one, from1, p, two, from2, q, tables)
    return tables.forests[one.count * (two.count + 1) + two.count]


@cython.cfunc
@cython.locals(i=cython.Py_ssize_t, j=cython.Py_ssize_t, to1=cython.Py_ssize_t, to2=cython.Py_ssize_t)
@cython.locals(head1=cython.Py_ssize_t, head2=cython.Py_ssize_t, reach=cython.double)
def _solve_overlaps(task: MappingTask) -> cython.longlong:
    """Return the weight of the heaviest mapping by overlap, cutting forests at common boundaries."""
    # Trees that share no time are independent, so they are solved separately wherever no tree of either side
    # crosses a cut.  Two single trees whose roots have the greatest possible weight map root to root: any
    # other partner of either root could be exchanged, and both roots cannot be mapped elsewhere at once.
    one, two = task.one, task.two
    total: cython.longlong = 0
    size1, size2 = one.size, two.size
    stack: list = [(0, one.count, 0, two.count)]
    while stack:
        i, to1, j, to2 = stack.pop()
        while i < to1 and j < to2:
            if one.end[i] <= two.begin[j]:
                i += size1[i]
                continue
            if two.end[j] <= one.begin[i]:
                j += size2[j]
                continue
            head1 = i
            head2 = j
            reach = one.end[i] if one.end[i] > two.end[j] else two.end[j]
            i += size1[i]
            j += size2[j]
            while True:
                if i < to1 and one.begin[i] < reach:
                    if one.end[i] > reach:
                        reach = one.end[i]
                    i += size1[i]
                elif j < to2 and two.begin[j] < reach:
                    if two.end[j] > reach:
                        reach = two.end[j]
                    j += size2[j]
                else:
                    break
            if (
                head1 + size1[head1] == i
                and head2 + size2[head2] == j
                and _weight(task, head1, head2) == task.match
            ):
                total += task.match
                if task.pairs is not None:
                    task.pairs[head1] = head2
                if head1 + 1 < i and head2 + 1 < j:
                    stack.append((head1 + 1, i, head2 + 1, j))
                continue
            part = _map_forests(task, head1, i, head2, j)
            if part < 0:
                return -1
            total += part
    return total


@cython.cfunc
@cython.exceptval(check=False)
def _same_root(task: MappingTask, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.bint:
    """Return True if rows ``x`` and ``y`` are equal, regardless of their children."""
    one, two = task.one, task.two
    return (
        one.kind[x] == two.kind[y]
        and one.label[x] == two.label[y]
        and one.word_kind[x] == two.word_kind[y]
        and one.word[x] == two.word[y]
    )


@cython.cfunc
def _tops(nodes: Nodes, x: cython.Py_ssize_t, end: cython.Py_ssize_t) -> list:
    """Return the rows without a parent among some rows."""
    tops: list = []
    while x < end:
        tops.append(x)
        x += nodes.size[x]
    return tops


@cython.cfunc
def _take(
    task: MappingTask, x: cython.Py_ssize_t, y: cython.Py_ssize_t, rows: cython.Py_ssize_t
) -> cython.longlong:
    """Map ``rows`` equal rows from ``x`` and ``y`` on to each other; return their weight."""
    total: cython.longlong = 0
    for k in range(rows):
        total += _weight(task, x + k, y + k)
        if task.pairs is not None:
            task.pairs[x + k] = y + k
    return total


@cython.cfunc
@cython.locals(x=cython.Py_ssize_t, y=cython.Py_ssize_t)
def _solve_labels(task: MappingTask) -> cython.longlong:
    """Return the weight of the heaviest mapping by labels, pairing equal ends and equal roots first."""
    # These weights come from a metric (deletion + insertion - weight obeys the triangle inequality), so some
    # heaviest mapping maps equal first trees, equal last trees and equal roots of single trees to each other.
    # Proof: follow what any mapping does to a node on the left side, through the equal part and back, until
    # it leaves it.  The positions it passes lie further and further from its start, so the composed mapping
    # keeps the order and costs no more.
    one, two = task.one, task.two
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t = 0
    to1: cython.Py_ssize_t = one.count
    to2: cython.Py_ssize_t = two.count
    total: cython.longlong = 0
    # Numbers of equal rows at the begin and at the end: subtrees of one size among them are equal.
    begin: cython.Py_ssize_t = 0
    while begin < min(to1, to2) and one.parent[begin] == two.parent[begin] and _same_root(task, begin, begin):
        begin += 1
    end: cython.Py_ssize_t = 0
    while end < min(to1, to2):
        x = to1 - end - 1
        y = to2 - end - 1
        if one.size[x] != two.size[y] or not _same_root(task, x, y):
            break
        end += 1
    while i < to1 and j < to2:
        while i < to1 and j < to2 and one.size[i] == two.size[j] and i + one.size[i] <= begin:
            x = one.size[i]
            total += _take(task, i, j, x)
            i += x
            j += x
        if i == to1 or j == to2:
            break
        tops1 = _tops(one, i, to1)
        tops2 = _tops(two, j, to2)
        while tops1 and tops2:
            x = tops1[len(tops1) - 1]
            y = tops2[len(tops2) - 1]
            if one.size[x] != two.size[y] or one.count - x > end:
                break
            total += _take(task, x, y, one.size[x])
            to1 = x
            to2 = y
            tops1.pop()
            tops2.pop()
        if len(tops1) == 1 and len(tops2) == 1 and _same_root(task, i, j):
            total += _take(task, i, j, 1)
            i += 1
            j += 1
        elif tops1 and tops2:
            part = _map_forests(task, i, to1, j, to2)
            return -1 if part < 0 else total + part
    return total


@cython.cfunc
def _task(
    gold: tuple, system: tuple, with_pairs: cython.bint, most_cells: cython.double, most_steps: cython.double
):
    """Return a task for two tables with common numbers of labels and words."""
    task: MappingTask = MappingTask()
    task.one = _open_table(gold)
    task.two = _open_table(system)
    task.most_cells = most_cells
    task.most_steps = most_steps
    task.refused = None
    task.pairs = [-1] * task.one.count if with_pairs else None
    return task


@cython.locals(x=cython.Py_ssize_t, y=cython.Py_ssize_t, overlap=cython.longlong)
def map_intervals(
    gold: tuple,
    system: tuple,
    strict: cython.bint,
    with_pairs: cython.bint,
    most_cells: cython.double,
    most_steps: cython.double,
) -> tuple:
    """Return the greatest summed overlap of a mapping in units of 1 / SCALE (Struct-IoU), and its pairs.

    The pairs are ``(gold node, system node, overlap)`` in gold preorder, or ``None`` if not wanted.  Ties:
    most equal labels if the smaller tree has less than 2,000 nodes, then a fixed order of search.  If a part
    exceeds a maximum the result is ``(TOO_LARGE, (gold rows, system rows, cells, steps))``.
    """
    task: MappingTask = _task(gold, system, with_pairs, most_cells, most_steps)
    task.by_overlap = True
    task.strict = strict
    smaller: cython.Py_ssize_t = min(task.one.count, task.two.count)
    # smaller * (SCALE * base + 1) stays below 2**62.
    task.base = smaller + 1 if smaller < 2000 else 1
    task.match = SCALE * task.base + (task.base > 1)
    task.mismatch = 0
    total = _solve_overlaps(task)
    if total < 0:
        return TOO_LARGE, task.refused
    pairs = None
    if with_pairs:
        pairs = []
        for x, y in enumerate(task.pairs):
            if y >= 0:
                overlap = _weight(task, x, y) // task.base
                # The literal is SCALE, as in _weight.
                pairs.append((task.one.node[x], task.two.node[y], overlap / 1099511627776.0))
    return total // task.base, pairs


@cython.locals(x=cython.Py_ssize_t, y=cython.Py_ssize_t)
def map_labels(
    gold: tuple, system: tuple, with_pairs: cython.bint, most_cells: cython.double, most_steps: cython.double
) -> tuple:
    """Return ``(C, S, n, m, (node pairs, word pairs))`` of a cheapest mapping (tree node accuracy).

    A substitution costs 4, a deletion and an insertion 3.  ``n`` and ``m`` count nodes and words, C equal
    pairs and S others.  Ties: most equal pairs.  If it is too large: ``(TOO_LARGE, 0, n, m, details)``.
    """
    # The cost is 3 (n + m) - 2 (3 C + S).  The weight is base * (3 C + S) + C with a base greater than any C,
    # so that C and S can be read off the maximum.
    task: MappingTask = _task(gold, system, with_pairs, most_cells, most_steps)
    one, two = task.one, task.two
    n: cython.Py_ssize_t = 0
    m: cython.Py_ssize_t = 0
    for x in range(one.count):
        n += _parts(one, x)
    for y in range(two.count):
        m += _parts(two, y)
    task.by_overlap = False
    # C <= min(n, m) < base; 3 * base**2 < 2**63 up to 1.7e9 nodes.
    task.base = min(n, m) + 1
    task.match = 3 * task.base + 1
    task.mismatch = task.base
    total: cython.longlong = _solve_labels(task)
    if total < 0:
        return TOO_LARGE, 0, n, m, task.refused
    details = None
    if with_pairs:
        node_pairs: list = []
        word_pairs: list = []
        # A pair of rows stands for a pair of nodes, a pair of words, or both.
        for x, y in enumerate(task.pairs):
            if y < 0:
                continue
            if one.kind[x] >= 0 and one.kind[x] == two.kind[y]:
                node_pairs.append((one.node[x], two.node[y]))
            if one.word_kind[x] >= 0 and one.word_kind[x] == two.word_kind[y]:
                word_pairs.append((one.position[x], two.position[y]))
        details = (node_pairs, word_pairs)
    correct: cython.longlong = total % task.base
    return correct, total // task.base - 3 * correct, n, m, details
