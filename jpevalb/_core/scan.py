"""Kernel: reads one bracketed tree from a buffer of UTF-8 bytes into flat lists.

Only the six blanks of C (space, tab, newline, vertical tab, form feed, carriage
return) separate; a no-break space or an ideographic space is part of a word.
No recursion: a tree 100,000 nodes deep is a long list like any other.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from jpevalb._core import cython_shim as cython

COMPILED: bool = cython.compiled

# What scan_tree() found; the first item of what it returns.
TREE = 0  # a whole tree
NOTHING = 1  # only blanks up to the end
OPEN = 2  # the end of the buffer inside a tree: the tree is not closed
STRAY = 3  # something else than an open bracket where a tree should begin


def scan_tree(data: bytes, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> tuple:
    """Reads the first tree of ``data[begin:end]``.

    Returns:
        ``(code, place, labels, parents, starts, ends, words, word_parents)``.
        ``place`` is the position behind the tree (TREE), ``end`` (NOTHING), the
        first byte of the tree (OPEN), or the byte in question (STRAY).  Nodes
        are in preorder; ``parents[0]`` is -1; ``starts`` and ``ends`` are
        half-open spans in words; ``word_parents[i]`` is the node that word ``i``
        hangs from.  A label is what touches the open bracket; where a blank
        follows the bracket the label is empty.

    Raises:
        UnicodeDecodeError: a label or a word is not UTF-8.

    Cost: O(bytes).
    """
    i: cython.Py_ssize_t = begin
    j: cython.Py_ssize_t
    c: cython.int
    top: cython.Py_ssize_t = -1
    n_nodes: cython.Py_ssize_t = 0
    n_words: cython.Py_ssize_t = 0
    text: cython.p_const_uchar = data
    labels: list = []
    parents: list = []
    starts: list = []
    ends: list = []
    words: list = []
    word_parents: list = []
    while i < end and (text[i] == 32 or 9 <= text[i] <= 13):
        i += 1
    if i == end:
        return NOTHING, end, labels, parents, starts, ends, words, word_parents
    if text[i] != 40:
        return STRAY, i, labels, parents, starts, ends, words, word_parents
    first: cython.Py_ssize_t = i
    while i < end:
        c = text[i]
        if c == 32 or 9 <= c <= 13:
            i += 1
        elif c == 40:
            i += 1
            j = i
            while j < end and not (text[j] == 32 or 9 <= text[j] <= 13 or text[j] == 40 or text[j] == 41):
                j += 1
            labels.append(data[i:j].decode("utf-8"))
            parents.append(top)
            starts.append(n_words)
            ends.append(0)
            top = n_nodes
            n_nodes += 1
            i = j
        elif c == 41:
            i += 1
            ends[top] = n_words
            top = parents[top]
            if top < 0:
                return TREE, i, labels, parents, starts, ends, words, word_parents
        else:
            j = i + 1
            while j < end and not (text[j] == 32 or 9 <= text[j] <= 13 or text[j] == 40 or text[j] == 41):
                j += 1
            words.append(data[i:j].decode("utf-8"))
            word_parents.append(top)
            n_words += 1
            i = j
    return OPEN, first, labels, parents, starts, ends, words, word_parents
