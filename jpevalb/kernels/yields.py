"""Kernel: the yields of a tree with the labels over them, and trees out of such yields.

A yield is a set of words.  Its *key* is one integer: ``start * (n + 1) + end``
for a block of words of a sentence of ``n`` words, and minus the bit set (bit
``i`` is word ``i``) for a yield with gaps.  So two yields are equal if their keys
are, and a continuous tree costs no bit sets, however long the sentence.

The labels over one yield are its *chain*, a tuple from the top down; it has
several where a constituent's only child is a constituent.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

from array import array

COMPILED: bool = cython.compiled


def tree_yields(labels: tuple, parents: tuple, starts: tuple, ends: tuple, word_parents: tuple) -> tuple:
    """Finds the yields of a tree, given as the fields of a ``Tree``.

    Returns:
        ``(keys, chains, root_chain, unaries, tags)``.  ``keys`` and ``chains`` are
        those of the yields of more than one and fewer than all words, in
        preorder.  ``root_chain`` is the chain over the whole sentence; for one
        word it is empty, for the labels are in ``unaries``.  For each word,
        ``unaries`` has the chain over it without its tag, and ``tags`` its tag as
        a tuple of one label, or ``()`` where its parent is no preterminal.
        Nodes that dominate no word are left out.

    Cost: O(nodes + words), and O(words / 64) for each child of a node with gaps.
    """
    n_nodes: cython.Py_ssize_t = len(parents)
    n_words: cython.Py_ssize_t = len(word_parents)
    node: cython.Py_ssize_t
    word: cython.Py_ssize_t
    parent: cython.Py_ssize_t
    size: cython.Py_ssize_t
    place: cython.Py_ssize_t
    start: cython.Py_ssize_t
    gaps: cython.bint = False
    sizes: cython.longlong[:] = array("q", bytes(8 * (n_nodes + 1)))
    n_children: cython.longlong[:] = array("q", bytes(8 * (n_nodes + 1)))
    for word in range(n_words):
        parent = word_parents[word]
        sizes[parent] += 1
        n_children[parent] += 1
    for node in range(n_nodes - 1, 0, -1):
        size = sizes[node]
        parent = parents[node]
        sizes[parent] += size
        n_children[parent] += 1
        start = starts[node]
        if size and ends[node] - start != size:
            gaps = True
    bits: list = []
    if gaps:
        if n_words <= 64:
            bits = _small_bit_sets(parents, word_parents)
        else:
            bits = _bit_sets(parents, starts, ends, word_parents, sizes)
    keys: list = []
    chains: list = []
    root_chain: list = []
    unaries: list = [()] * n_words
    tags: list = [()] * n_words
    # Where the chain of a node's yield stands in `chains`.  Only of nodes over one word
    # is the number of children still asked for, and only the others get a place.
    slots: cython.longlong[:] = n_children
    longer: list = []
    for node in range(n_nodes):
        size = sizes[node]
        if size == 0:
            continue
        parent = parents[node]
        start = starts[node]
        if size == 1:
            word = start
            if n_children[node] == 1 and word_parents[word] == node:
                tags[word] = (labels[node],)
            elif unaries[word]:
                if type(unaries[word]) is tuple:
                    unaries[word] = [unaries[word][0]]
                    longer.append(-1 - word)
                unaries[word].append(labels[node])
            else:
                unaries[word] = (labels[node],)
        elif size == n_words:
            root_chain.append(labels[node])
        elif parent >= 0 and sizes[parent] == size:
            place = slots[parent]
            slots[node] = place
            if type(chains[place]) is tuple:
                chains[place] = [chains[place][0]]
                longer.append(place)
            chains[place].append(labels[node])
        else:
            slots[node] = len(keys)
            if ends[node] - start == size:
                keys.append(start * (n_words + 1) + start + size)
            else:
                keys.append(-bits[node])
            chains.append((labels[node],))
    for place in longer:
        if place >= 0:
            chains[place] = tuple(chains[place])
        else:
            unaries[-1 - place] = tuple(unaries[-1 - place])
    return keys, chains, tuple(root_chain), unaries, tags


@cython.cfunc
def _small_bit_sets(parents: tuple, word_parents: tuple) -> list:
    """For each node of a sentence of 64 words at most its yield as a bit set."""
    n_nodes: cython.Py_ssize_t = len(parents)
    node: cython.Py_ssize_t
    word: cython.Py_ssize_t
    parent: cython.Py_ssize_t
    one: cython.ulonglong = 1
    bits: cython.ulonglong[:] = array("Q", bytes(8 * n_nodes))
    for word in range(len(word_parents)):
        parent = word_parents[word]
        bits[parent] |= one << word
    for node in range(n_nodes - 1, 0, -1):
        parent = parents[node]
        bits[parent] |= bits[node]
    return [bits[node] for node in range(n_nodes)]


@cython.cfunc
def _bit_sets(
    parents: tuple, starts: tuple, ends: tuple, word_parents: tuple, sizes: cython.longlong[:]
) -> list:
    """For each node with gaps its yield as a bit set; 0 for the others."""
    n_nodes: cython.Py_ssize_t = len(parents)
    node: cython.Py_ssize_t
    word: cython.Py_ssize_t
    parent: cython.Py_ssize_t
    one: object = 1
    bits: list = [0] * n_nodes
    with_gaps: list = [
        ends[node] - starts[node] != sizes[node] and sizes[node] > 0 for node in range(n_nodes)
    ]
    for word in range(len(word_parents)):
        parent = word_parents[word]
        if with_gaps[parent]:
            bits[parent] |= one << word
    for node in range(n_nodes - 1, 0, -1):
        parent = parents[node]
        if with_gaps[parent] and sizes[node]:
            if with_gaps[node]:
                bits[parent] |= bits[node]
            else:
                bits[parent] |= ((one << sizes[node]) - 1) << starts[node]
    return bits


def pairs(n_words: cython.Py_ssize_t, keys: list, chains: list, root_chain: tuple, unaries: list) -> list:
    """The labelled constituents of a tree: one for each label over a yield.

    Args:
        n_words: Length of the sentence.
        keys, chains, root_chain, unaries: As :func:`tree_yields` gives them.

    Returns:
        For each label ``(key, label, copy)``, those over one yield from the top down;
        ``copy`` counts equal labels over one yield, from 0 on.  Tags are not among them,
        nor are nodes without a label.

    Cost: O(labels).
    """
    place: cython.Py_ssize_t
    found: list = []
    for place in range(len(keys)):
        _add_pairs(found, keys[place], chains[place])
    if n_words > 1:
        _add_pairs(found, n_words, root_chain)
    for place in range(n_words):
        if unaries[place]:
            _add_pairs(found, place * (n_words + 1) + place + 1, unaries[place])
    return found


@cython.cfunc
def _add_pairs(found: list, key: object, chain: tuple) -> None:
    """Appends what one yield has."""
    counts: dict
    if len(chain) == 1:
        if chain[0]:
            found.append((key, chain[0], 0))
        return
    counts = {}
    for label in chain:
        if label:
            copy = counts.get(label, 0)
            counts[label] = copy + 1
            found.append((key, label, copy))


def supports(keys_of_trees: list) -> dict:
    """For each key the trees that have it, as a bit set: bit ``k`` is the ``k``-th list.  Cost: O(keys)."""
    k: cython.Py_ssize_t
    found: dict = {}
    one: object = 1
    keys: list
    for k in range(len(keys_of_trees)):
        keys = keys_of_trees[k]
        bit = one << k
        for key in keys:
            found[key] = found.get(key, 0) | bit
    return found


def majority(columns: list, weights: list) -> list:
    """For each place the value with the greatest weight of votes.

    Args:
        columns: One list of values for each voter, all of the same length;
            ``None`` is no vote, and each place has at least one vote.
        weights: Of the voters, integers.

    Ties: the smallest value wins.  Cost: O(places * voters).
    """
    place: cython.Py_ssize_t
    k: cython.Py_ssize_t
    n_voters: cython.Py_ssize_t = len(columns)
    agreed: cython.bint
    column: list
    votes: dict
    winners: list = []
    if n_voters == 0:
        return winners
    for place in range(len(columns[0])):
        first = None
        agreed = True
        for k in range(n_voters):
            column = columns[k]
            value = column[place]
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
                value = column[place]
                if value is not None:
                    votes[value] = votes.get(value, 0) + weights[k]
            best = max(votes.values())
            first = min([value for value, weight in votes.items() if weight == best])
        winners.append(first)
    return winners


def span(key: object, n_words: cython.Py_ssize_t) -> tuple:
    """``(first word, last word + 1, number of words)`` of a yield.  Cost: O(words / 64)."""
    if key >= 0:
        start, end = divmod(key, n_words + 1)
        return start, end, end - start
    bits = -key
    return (bits & -bits).bit_length() - 1, bits.bit_length(), bits.bit_count()


def in_order(keys: list, n_words: cython.Py_ssize_t) -> list:
    """The yields ordered by first word, longer before shorter, then earlier words before later.

    The last: of two yields of as many words the one with the first word that is not
    in both.  Cost: O(keys log keys).
    """
    placed: list = []
    for key in keys:
        start, end, size = span(key, n_words)
        gaps = ""
        if key < 0:
            # From the first word on, 0 for a word that is in it and 1 for a gap.
            inside = ((-key) >> start) ^ ((1 << (end - start)) - 1)
            gaps = bin(inside | (1 << (end - start)))[:2:-1]
        placed.append((start, -size, gaps, key))
    placed.sort()
    return [entry[3] for entry in placed]


def bit_set(key: object, n_words: cython.Py_ssize_t) -> object:
    """A yield as a bit set.  Cost: O(words / 64)."""
    if key < 0:
        return -key
    one: object = 1
    start, end = divmod(key, n_words + 1)
    return (one << end) - (one << start)


def assemble(
    n_words: cython.Py_ssize_t,
    keys: list,
    chains: list,
    root_chain: tuple,
    unaries: list,
    tags: list,
    binary: cython.bint,
) -> tuple:
    """Makes the nodes of the tree that has just these yields, single words and the whole sentence.

    Args:
        n_words: Length of the sentence, at least 1.
        keys: Of yields of fewer than all words, any two of them disjoint or nested.
        chains: The labels over each of them.
        root_chain: The labels over the sentence.
        unaries: For each word the labels over it, without its tag and those of its key.
        tags: For each word its tag as a tuple, or ``()``.
        binary: Whether to complete the tree right-branching: a constituent with
            the children c1 c2 c3 ... becomes c1 and a new constituent of c2 c3
            ..., which has the label of the old one (the lowest of its chain).

    Returns:
        ``(labels, parents, word_parents)``, as ``Tree.build`` takes them.

    Cost: O(nodes log nodes); for yields with gaps O(nodes * depth).
    """
    i: cython.Py_ssize_t
    place: cython.Py_ssize_t = 0
    holder: cython.Py_ssize_t
    parent: cython.Py_ssize_t
    n_sets: cython.Py_ssize_t
    spans: list = [(0, n_words, -1, -n_words)] if n_words > 1 else []
    for i in range(len(keys)):
        start, end, size = span(keys[i], n_words)
        spans.append((start, end, i, -size))
    spans.sort(key=_by_place)
    n_sets = len(spans)
    # Sets and words in one walk from the left, each after what it is part of.  The
    # stack holds the sets begun; the last of them that has a word is the smallest.
    begun: list = []
    met: list = []  # a set, or -1 - word
    holders: list = []
    n_children: list = [0] * n_sets
    for i in range(n_words):
        while begun and spans[begun[len(begun) - 1]][1] <= i:
            begun.pop()
        while True:
            holder = _holder(begun, spans, keys, i)
            holders.append(holder)
            if holder >= 0:
                n_children[holder] += 1
            if place == n_sets or spans[place][0] != i:
                met.append(-1 - i)
                break
            met.append(place)
            begun.append(place)
            place += 1
    labels: list = []
    parents: list = []
    word_parents: list = [-1] * n_words
    lowest: list = [-1] * n_sets  # the node that the next child of a set goes under
    n_placed: list = [0] * n_sets
    for i in range(len(met)):
        holder = holders[i]
        parent = -1
        if holder >= 0:
            parent = lowest[holder]
            if binary and 0 < n_placed[holder] < n_children[holder] - 1:
                labels.append(labels[parent])
                parents.append(parent)
                parent = len(labels) - 1
                lowest[holder] = parent
            n_placed[holder] += 1
        place = met[i]
        if place < 0:
            chain = unaries[-1 - place] + tags[-1 - place]
        elif spans[place][2] < 0:
            chain = root_chain
        else:
            chain = chains[spans[place][2]]
        for label in chain:
            labels.append(label)
            parents.append(parent)
            parent = len(labels) - 1
        if place < 0:
            word_parents[-1 - place] = parent
        else:
            lowest[place] = parent
    return labels, parents, word_parents


def _by_place(item: tuple) -> tuple:
    return item[0], item[3]


@cython.cfunc
def _holder(begun: list, spans: list, keys: list, word: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The last of the sets begun that has the word; -1 for none."""
    i: cython.Py_ssize_t
    place: cython.Py_ssize_t
    which: cython.Py_ssize_t
    for i in range(len(begun) - 1, -1, -1):
        place = begun[i]
        if spans[place][1] > word:
            which = spans[place][2]
            if which < 0:
                return place
            key = keys[which]
            if key >= 0 or (-key >> word) & 1:
                return place
    return -1
