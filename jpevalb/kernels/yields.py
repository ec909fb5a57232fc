# cython: infer_types=True
"""Kernel: the yields of a tree with the labels over them, and trees built from such yields.

A yield is a set of words.  Its key is one integer: ``start * (n + 1) + end`` for a block in a sentence of
``n`` words, and minus the bit set (bit ``i`` is word ``i``) for a yield with gaps.  Equal keys mean equal
yields, and continuous trees need no bit sets.

The labels over one yield are its chain, a tuple from the top down; it has several labels if a constituent's
only child is a constituent.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

from array import array

# Chains of one label; equal ones are one object, which is compared faster
SINGLE = cython.declare(dict, {})
MOST_SINGLE = cython.declare(cython.int, 10000)


@cython.cfunc
def _single(label) -> tuple:
    """Return the chain of one label."""
    chain = SINGLE.get(label)
    if chain is None:
        if len(SINGLE) >= MOST_SINGLE:
            SINGLE.clear()
        chain = SINGLE[label] = (label,)
    return chain


@cython.locals(up=cython.Py_ssize_t, size=cython.Py_ssize_t)
def tree_yields(tree) -> tuple:
    """Return ``(chains, root_chain, unaries, tags)`` of columns; nodes without words are left out.

    The chains, by key, are those over more than one and fewer than all words, in preorder.  Each word has the
    chain over it without its tag, and its tag as a tuple of one label, or ``()``.
    """
    n: cython.Py_ssize_t = tree.brackets
    m: cython.Py_ssize_t = tree.words
    texts: list = tree.names.texts
    # A memoryview costs as much as a dozen nodes.
    cells: cython.int[::1] = tree.cells
    sizes: list = [0] * n
    tag: cython.Py_ssize_t = 4 * n + m
    home: cython.Py_ssize_t = 4 * n + 2 * m
    for i in range(m):
        if cells[home + i] >= 0:
            sizes[cells[home + i]] += 1
    for i in range(n - 1, 0, -1):
        sizes[cells[n + i]] += sizes[i]
    bits: list = []
    if tree.gaps:
        one: object = 1
        bits = [0] * n
        for i in range(m):
            bits[cells[home + i]] |= one << i
        for i in range(n - 1, 0, -1):
            bits[cells[n + i]] |= bits[i]
    chains: dict = {}
    root_chain: list = []
    unaries: list = [()] * m
    longer: list = []  # holders and keys of chains of several labels, which are lists until the end
    for i in range(n):
        size = sizes[i]
        start = cells[2 * n + i]
        label = texts[cells[i]]
        if size == 0:
            continue
        if size == 1:
            if unaries[start]:
                _lengthen(unaries, start, label, longer)
            else:
                unaries[start] = _single(label)
        elif size == m:
            root_chain.append(label)
        else:
            end = cells[3 * n + i]
            key = start * (m + 1) + end if end - start == size else -bits[i]
            up = cells[n + i]
            if up >= 0 and sizes[up] == size:
                _lengthen(chains, key, label, longer)
            else:
                chains[key] = _single(label)
    for holder, key in longer:
        holder[key] = tuple(holder[key])
    tags = [() if cells[tag + i] < 0 else _single(texts[cells[tag + i]]) for i in range(m)]
    return chains, tuple(root_chain), unaries, tags


@cython.cfunc
def _lengthen(holder: object, key: object, label: object, longer: list) -> None:
    """Append a label to the chain of a key or word."""
    chain = holder[key]
    if type(chain) is tuple:
        chain = holder[key] = [chain[0]]
        longer.append((holder, key))
    chain.append(label)


def pairs(n_words: cython.Py_ssize_t, chains: dict, root_chain: tuple, unaries: list) -> list:
    """Return ``(key, label, copy)`` for each label over a yield, top down; ``copy`` numbers equal ones."""
    result: list = []
    for key, chain in chains.items():
        _add_pairs(result, key, chain)
    if n_words > 1:
        _add_pairs(result, n_words, root_chain)
    for index in range(n_words):
        if unaries[index]:
            _add_pairs(result, index * (n_words + 1) + index + 1, unaries[index])
    return result


@cython.cfunc
def _add_pairs(result: list, key: object, chain: tuple) -> None:
    """Append the labels of one yield that are not empty."""
    counts: dict = {}
    for label in chain:
        if label:
            copy = counts.get(label, 0)
            counts[label] = copy + 1
            result.append((key, label, copy))


def supports(keys_of_trees: list) -> dict:
    """Return for each key the bit set of the lists that contain it: bit ``k`` is list ``k``."""
    result: dict = {}
    one: object = 1
    for k in range(len(keys_of_trees)):
        keys = keys_of_trees[k]
        if k == 0:
            result = dict.fromkeys(keys, 1)
            continue
        bit = one << k
        for key in keys:
            result[key] = result.get(key, 0) | bit
    return result


def by_hits(supports: dict, weights: tuple) -> tuple:
    """Return the keys that all trees have, and ``(hit count, key)`` of the others, most hits first."""
    n_trees: cython.Py_ssize_t = len(weights)
    one: object = 1
    everyone = (one << n_trees) - 1
    hits: dict = {}
    shared: list = []
    others: list = []
    for key, support in supports.items():
        if support == everyone:
            shared.append(key)
            continue
        count = hits.get(support)
        if count is None:
            count = hits[support] = sum([weights[k] for k in range(n_trees) if support >> k & 1])
        others.append((count, key))
    others.sort(reverse=True)
    return shared, others


def voted(chains: list, keys: list, weights: list) -> list:
    """Return for each key the chain of :func:`majority`; ``chains`` are those of each tree by key."""
    columns: list = []
    chains_of: dict
    for chains_of in chains:
        columns.append([chains_of.get(key) for key in keys])
    return majority(columns, weights)


@cython.ccall
@cython.locals(column=list)
def majority(columns: list, weights: list) -> list:
    """Return for each index the value with the greatest weight of votes; ties: the smallest value."""
    # One column for each voter, with None for no vote; each index has at least one vote.
    n_voters: cython.Py_ssize_t = len(columns)
    winners: list = []
    if n_voters == 0:
        return winners
    for index in range(len(columns[0])):
        first = None
        agreed = True
        for k in range(n_voters):
            column = columns[k]
            value = column[index]
            if value is not None:
                if first is None:
                    first = value
                elif value is not first and value != first:
                    agreed = False
                    break
        if not agreed:
            votes = {}
            for k in range(n_voters):
                column = columns[k]
                value = column[index]
                if value is not None:
                    votes[value] = votes.get(value, 0) + weights[k]
            first = best = None
            for value, weight in votes.items():
                if best is None or weight > best or (weight == best and value < first):
                    first = value
                    best = weight
        winners.append(first)
    return winners


@cython.ccall
@cython.locals(block=cython.longlong, start=cython.longlong, end=cython.longlong)
def span(key: object, n_words: cython.Py_ssize_t) -> tuple:
    """Return ``(first word, last word + 1, number of words)`` of a yield."""
    if key >= 0:
        block = key
        start = block // (n_words + 1)
        end = block - start * (n_words + 1)
        return start, end, end - start
    bits = -key
    return (bits & -bits).bit_length() - 1, bits.bit_length(), bits.bit_count()


def in_order(keys: list, n_words: cython.Py_ssize_t) -> list:
    """Order yields by first word, then longer before shorter, then by the first word not in both."""
    entries: list = []
    for key in keys:
        start, end, size = span(key, n_words)
        gaps = ""
        if key < 0:
            # From the first word on, 0 for a word of the yield and 1 for a gap.
            inside = ((-key) >> start) ^ ((1 << (end - start)) - 1)
            gaps = bin(inside | (1 << (end - start)))[:2:-1]
        entries.append((start, -size, gaps, key))
    entries.sort()
    return [entry[3] for entry in entries]


def bit_set(key: object, n_words: cython.Py_ssize_t) -> object:
    """Return a yield as a bit set."""
    if key < 0:
        return -key
    one: object = 1
    start, end = divmod(key, n_words + 1)
    return (one << end) - (one << start)


@cython.locals(holder=cython.Py_ssize_t, parent=cython.Py_ssize_t)
@cython.locals(start=cython.Py_ssize_t, end=cython.Py_ssize_t, number=cython.Py_ssize_t)
def assemble(
    n_words: cython.Py_ssize_t,
    keys: list,
    chains: list,
    root_chain: tuple,
    unaries: list,
    tags: list,
    binary: cython.bint,
) -> tuple:
    """Return the tree with exactly these yields, disjoint or nested.

    With ``binary``, children c1 c2 c3 ... become c1 and a new constituent of c2 c3 ... with the lowest label
    of the old one.

    Returns:
        ``(labels, parents, starts, ends, word_parents)``, the arrays of a ``Tree``.  With gaps or several
        roots, starts and ends are ``None`` and the nodes have to be arranged.
    """
    index: cython.Py_ssize_t = 0
    gaps: cython.bint = False
    n_keys: cython.longlong = len(keys)
    rank: cython.longlong
    # By first word, then longer before shorter: whole numbers are sorted fastest.
    ranks: list = [0] if n_words > 1 else []
    after: list = [n_words]  # the last word + 1 of the sentence, and of each key
    for i in range(len(keys)):
        start, end, size = span(keys[i], n_words)
        gaps = gaps or end - start != size
        after.append(end)
        rank = start * (n_words + 1) + n_words - size
        ranks.append(rank * (n_keys + 1) + i + 1)
    ranks.sort()
    n_sets = len(ranks)
    # Of each set its first word, last word + 1, index of the key (-1 for the sentence), number of children,
    # number of placed children, and the node that the next child goes under; then the open sets.
    memory: cython.longlong[:] = array("q", bytes(8 * (9 * n_sets + 2 * n_words)))
    starts: cython.longlong[:] = memory[:n_sets]
    ends: cython.longlong[:] = memory[n_sets : 2 * n_sets]
    which: cython.longlong[:] = memory[2 * n_sets : 3 * n_sets]
    n_children: cython.longlong[:] = memory[3 * n_sets : 4 * n_sets]
    n_placed: cython.longlong[:] = memory[4 * n_sets : 5 * n_sets]
    lowest: cython.longlong[:] = memory[5 * n_sets : 6 * n_sets]
    open_sets: cython.longlong[:] = memory[6 * n_sets : 7 * n_sets]
    order: cython.longlong[:] = memory[7 * n_sets : 8 * n_sets + n_words]  # a set, or -1 - word
    holders: cython.longlong[:] = memory[8 * n_sets + n_words :]
    for i in range(n_sets):
        rank = ranks[i]
        number = rank % (n_keys + 1)
        which[i] = number - 1
        starts[i] = rank // ((n_keys + 1) * (n_words + 1))
        ends[i] = after[number]
        lowest[i] = -1
    # Sets and words from left to right, each after the sets that contain it.  The last open set that contains
    # a word is the smallest.
    n_open: cython.Py_ssize_t = 0
    n_ordered: cython.Py_ssize_t = 0
    for i in range(n_words):
        while n_open > 0 and ends[open_sets[n_open - 1]] <= i:
            n_open -= 1
        while True:
            holder = _holder(open_sets, n_open, ends, which, keys, i)
            holders[n_ordered] = holder
            if holder >= 0:
                n_children[holder] += 1
            n_ordered += 1
            if index == n_sets or starts[index] != i:
                order[n_ordered - 1] = -1 - i
                break
            order[n_ordered - 1] = index
            open_sets[n_open] = index
            n_open += 1
            index += 1
    labels: list = []
    parents: list = []
    first_words: list = []
    after_words: list = []
    word_parents: list = [-1] * n_words
    for i in range(n_sets + n_words):
        index = order[i]
        start = -1 - index if index < 0 else starts[index]
        holder = holders[i]
        parent = -1
        if holder >= 0:
            parent = lowest[holder]
            if binary and 0 < n_placed[holder] < n_children[holder] - 1:
                labels.append(labels[parent])
                parents.append(parent)
                first_words.append(start)
                after_words.append(ends[holder])
                parent = len(labels) - 1
                lowest[holder] = parent
            n_placed[holder] += 1
        if index < 0:
            end = start + 1
            chain = unaries[start] + tags[start]
        else:
            end = ends[index]
            number = which[index]
            chain = root_chain if number < 0 else chains[number]
        for label in chain:
            labels.append(label)
            parents.append(parent)
            first_words.append(start)
            after_words.append(end)
            parent = len(labels) - 1
        if index < 0:
            word_parents[start] = parent
        else:
            lowest[index] = parent
    if gaps or not (root_chain if n_words > 1 else labels):
        return labels, parents, None, None, word_parents
    return tuple(labels), tuple(parents), tuple(first_words), tuple(after_words), tuple(word_parents)


@cython.cfunc
@cython.locals(candidate=cython.Py_ssize_t)
def _holder(
    open_sets: cython.longlong[:],
    n_open: cython.Py_ssize_t,
    ends: cython.longlong[:],
    which: cython.longlong[:],
    keys: list,
    word: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the last of the open sets that contains the word; -1 for none."""
    for i in range(n_open - 1, -1, -1):
        candidate = open_sets[i]
        if ends[candidate] > word:
            if which[candidate] < 0:
                return candidate
            key = keys[which[candidate]]
            if key >= 0 or (-key >> word) & 1:
                return candidate
    return -1
