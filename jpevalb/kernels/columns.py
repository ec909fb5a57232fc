# cython: infer_types=True
"""Kernel: one tree as columns of whole numbers, read from any text.

A tree has brackets and words.  A bracket is a node that is no tag; it has a label, a parent, and the range of
words from its first to its last one.  A word has a text, a tag, and a home: the bracket that its tag, or the
word itself, is a child of.  Labels, tags and words are numbers of texts in one table, :class:`Names`.

    (S (NP (DT the) (NN cat)) (VP (VBD slept)))

    bracket  label  parent  left  right        word  text   tag  home
          0  S          -1     0      3           0  the    DT      1
          1  NP          0     0      2           1  cat    NN      1
          2  VP          0     2      3           2  slept  VBD     2

Brackets are in preorder, children by their first words.  Where the words of a bracket have gaps, ``left`` and
``right`` enclose them, and the homes of the words say which of these are inside.  A bracket without words has
equal ends.

In comparisons of bytes, 40 and 41 are brackets, 32 and 9 to 13 are blanks.  Only these six blanks of C
(space, tab, newline, vertical tab, form feed, carriage return) separate words; a no-break space or an
ideographic space is part of a word.  There is no recursion, so trees of any depth work.
"""

from __future__ import annotations

from array import array
from threading import local

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython
if cython.compiled:
    from cython.cimports.cpython import array as carray

COMPILED: bool = cython.compiled

# What is wrong with a text that is no tree
OPEN = "open"  # a tree is not closed at the end of the text
STRAY = "stray"  # a tree should begin with an open bracket, but does not
AFTER = "after"  # text after the tree of an indexed line
LEAF = "leaf"  # leaves of an indexed line that are not ``index=word`` with each index from 0 once

# What is unusual in a text that can be read, as bits: other tools may mean something else by it
HOLLOW = 1  # a bracket without words
GLUED = 2  # a word immediately after a closing bracket
SQUARE = 4  # a word that begins with a square bracket
SPACED = 8  # a label with a blank of typesetting in it

# C variables when compiled
NO_TAG = cython.declare(cython.int, -1)
MOST_TEXTS = cython.declare(cython.Py_ssize_t, 50_000)
SLOTS = cython.declare(cython.int, 8192)
# Longest text that is cached: together with its size it fits into 64 bits
MOST_BYTES = cython.declare(cython.int, 7)
# Numbers of the memory in which trees are read that is kept for the next one
MOST_KEPT = cython.declare(cython.Py_ssize_t, 1_000_000)
_NO_INTS = cython.declare(object, array("i"))


@cython.cfunc
@cython.inline
def ints(block, at: cython.Py_ssize_t = 0) -> cython.p_int:
    """Return the numbers of an ``array("i")`` from an index on: a pointer when compiled, else a view."""
    if cython.compiled:
        return cython.cast(carray.array, block).data.as_ints + at
    return memoryview(block)[at:]


@cython.ccall
def zeros(length: cython.Py_ssize_t):
    """Return an array of zeros."""
    if cython.compiled:
        return carray.clone(cython.cast(carray.array, _NO_INTS), length, True)
    return array("i", bytes(4 * length))


@cython.cclass
class Names:
    """Texts, each with a number; one table for labels, tags and words.

    A cache of short texts spares most look-ups a ``str``; interpreted kernels, where it is dearer, have none.
    """

    texts = cython.declare(list, visibility="readonly")  #: text of each number; only grows
    numbers: dict
    most: cython.Py_ssize_t
    cache: object  # memory of the following
    keys: cython.p_ulonglong  # up to seven bytes and their number, in 64 bits
    values: cython.p_int
    memory: object  # in which trees are read

    def __init__(self, most: cython.Py_ssize_t = MOST_TEXTS):
        self.texts = []
        self.numbers = {}
        self.most = most
        self.memory = zeros(0)
        self.cache = None
        # Empty slots of the cache hold the empty text, whose key is 0.
        self.number("")

    @property
    def full(self) -> bool:
        """True if the table has as many texts as it should; a longer one still works."""
        return len(self.texts) >= self.most

    @cython.ccall
    @cython.exceptval(-1)
    def number(self, text) -> cython.int:
        """Return the number of a text."""
        found = self.numbers.get(text)
        if found is None:
            found = self.numbers[text] = len(self.texts)
            self.texts.append(text)
        return found

    @cython.cfunc
    @cython.exceptval(-1)
    def number_of(self, data: bytes, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.int:
        """Return the number of ``data[i:j]``, which is UTF-8."""
        if not cython.compiled or j - i > MOST_BYTES:
            return self.number(data[i:j].decode("utf-8"))
        if self.cache is None:
            self.cache = array("Q", bytes(8 * SLOTS)), zeros(SLOTS)
            self.keys = cython.cast(carray.array, self.cache[0]).data.as_ulonglongs
            self.values = ints(self.cache[1])
        bytes_of: cython.p_const_uchar = data
        key: cython.ulonglong = 0
        for k in range(i, j):
            key = key << 8 | bytes_of[k]
        key = key << 3 | cython.cast(cython.ulonglong, j - i)
        # Only exclusive or: a product would need a constant that C and Python read alike.
        slot: cython.Py_ssize_t = (key ^ key >> 5 ^ key >> 13 ^ key >> 27) & (SLOTS - 1)
        if self.keys[slot] != key:
            self.values[slot] = self.number(data[i:j].decode("utf-8"))
            self.keys[slot] = key
        return self.values[slot]


_OF_THREAD = local()


def current_names() -> Names:
    """Return the table of this thread, a new one if it is full; to be asked for between sentences.

    Trees keep the table that they were read with, and :meth:`Columns.moved` takes them to another one.  Only
    the thread of a table adds texts to it; the texts that it has never change, so any thread may read them.
    """
    names = getattr(_OF_THREAD, "names", None)
    if names is None or names.full:
        names = _OF_THREAD.names = Names()
    return names


@cython.cclass
class Columns:
    """One tree; see the table above."""

    names = cython.declare(Names, visibility="readonly")  #: table of its texts
    brackets = cython.declare(cython.Py_ssize_t, visibility="readonly")  #: number of brackets, n
    words = cython.declare(cython.Py_ssize_t, visibility="readonly")  #: number of words, m
    #: label, parent, left and right of n brackets; then text, tag (-1 for none) and home of m words
    cells = cython.declare(object, visibility="readonly")
    #: False if brackets over one word are no tags
    tagged = cython.declare(cython.bint, visibility="readonly")
    gaps = cython.declare(cython.bint, visibility="readonly")  #: True if the words of some bracket have gaps
    #: True if the root hangs from another one, as in export and TIGER XML
    below_root = cython.declare(cython.bint, visibility="readonly")
    unusual = cython.declare(cython.int, visibility="readonly")  #: bits of what is unusual in the text
    #: what was rewritten in the text before it was read, with counts; None for most trees
    rewritten = cython.declare(object, visibility="public")

    def __init__(
        self,
        names: Names,
        cells,
        brackets: cython.Py_ssize_t,
        tagged: cython.bint = True,
        gaps: cython.bint = False,
        below_root: cython.bint = False,
    ):
        self.names = names
        self.cells = cells
        self.brackets = brackets
        self.words = (len(cells) - 4 * brackets) // 3
        self.tagged = tagged
        self.gaps = gaps
        self.below_root = below_root
        self.unusual = 0
        self.rewritten = None

    def lists(self) -> list:
        """Return the seven columns as lists."""
        n = self.brackets
        m = self.words
        cells = list(self.cells)
        return [cells[k * n : k * n + n] for k in range(4)] + [
            cells[4 * n + k * m : 4 * n + k * m + m] for k in range(3)
        ]

    def count_tag(self, tag: str) -> int:
        """Return the number of words with a tag."""
        if tag not in self.names.numbers:
            return 0
        first = 4 * self.brackets + self.words
        return self.cells[first : first + self.words].count(self.names.numbers[tag])

    def moved(self, names: Names) -> Columns:
        """Return the tree with the numbers of another table."""
        if names is self.names:
            return self
        made = Columns(names, self.cells[:], self.brackets, self.tagged, self.gaps, self.below_root)
        return _renumbered(made, self.names.texts)

    def __reduce__(self):
        """Pickle the tree with its own texts only; it is taken to the table of the thread that loads it."""
        after = 4 * self.brackets
        used = {*self.cells[: self.brackets], *self.cells[after : after + 2 * self.words]}
        texts = {number: self.names.texts[number] for number in used if number != NO_TAG}
        first = texts, self.cells.tobytes(), self.brackets, self.rewritten
        return _loaded, (*first, self.tagged, self.gaps, self.below_root)


def _loaded(texts: dict, data: bytes, brackets: int, rewritten, *flags) -> Columns:
    """Return a tree from a pickle."""
    made = Columns(current_names(), array("i", data), brackets, *flags)
    made.rewritten = rewritten
    return _renumbered(made, texts)


@cython.cfunc
def _renumbered(tree: Columns, texts) -> Columns:
    """Change the numbers of a tree's texts to those of its table."""
    after = 4 * tree.brackets
    cells = tree.cells
    for place in (*range(tree.brackets), *range(after, after + 2 * tree.words)):
        if cells[place] != NO_TAG:
            cells[place] = tree.names.number(texts[cells[place]])
    return tree


class BadTreeError(ValueError):
    """A text that is no tree: what is wrong, and the index of a byte.

    It is the first byte of the tree (OPEN), of the text outside trees (STRAY) or of the one after it (AFTER);
    where leaves are wrong (LEAF), it is the end of the tree, and these follow.
    """


@cython.ccall
def read(data: bytes, names: Names, tagged: cython.bint = True, indexed: cython.bint = False) -> Columns:
    """Read a sentence: one tree, or several, which get a root without label; none gives the empty tree.

    A label usually follows its open bracket immediately.  Text after blanks is also a label, unless the next
    thing is the closing bracket: ``( S (NP`` reads as ``(S (NP``, and ``( cat)`` is a word without a tag.
    The outer bracket of ``( (S`` has an empty label.

    Args:
        data: UTF-8.
        names: Table of the texts.
        tagged: False if brackets over one word are no tags.
        indexed: True if leaves are ``index=word``, in any order, as in discbracket.  Only the first tree is
            read; a tree without words is the empty one, and a comment may follow behind a tab.

    Raises:
        BadTreeError: the text is no tree.
        UnicodeDecodeError: a part of a tree is not UTF-8.
    """
    bytes_of: cython.p_const_uchar = data
    end: cython.Py_ssize_t = len(data)
    # A bracket takes two bytes of text, a word at least two with what ends it.
    most: cython.Py_ssize_t = end // 2 + 1
    memory = names.memory
    if len(memory) < 8 * most:
        memory = zeros(8 * most)
        if 8 * most <= MOST_KEPT:
            names.memory = memory
    label: cython.p_int = ints(memory)
    parent: cython.p_int = ints(memory, most)
    left: cython.p_int = ints(memory, 2 * most)
    right: cython.p_int = ints(memory, 3 * most)
    word: cython.p_int = ints(memory, 4 * most)
    tag: cython.p_int = ints(memory, 5 * most)
    home: cython.p_int = ints(memory, 6 * most)
    n: cython.int = 0  # brackets
    m: cython.int = 0  # words
    top: cython.int = -1  # the innermost open bracket
    closed: cython.int
    depth: cython.Py_ssize_t = 0
    trees: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t = 0  # byte of the last tree
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t
    c: cython.int
    unusual: cython.int = 0
    escaped: cython.bint = indexed and b"#" in data
    order: list = []  # index of each leaf
    while i < end:
        c = bytes_of[i]
        if c == 32 or 9 <= c <= 13:
            i += 1
        elif c == 40:
            if depth == 0:
                trees += 1
                first = i
            i = _label(bytes_of, i + 1, end, indexed)
            j = _text(bytes_of, i, end)
            label[n] = _unescaped(names, data[i:j]) if escaped else names.number_of(data, i, j)
            if _is_spaced(bytes_of, i, j):
                unusual |= 8  # SPACED
            parent[n] = top
            left[n] = right[n] = m
            top = n
            n += 1
            depth += 1
            i = j
        elif depth == 0:
            raise BadTreeError(STRAY, i)
        elif c == 41:
            i += 1
            depth -= 1
            closed = top
            top = parent[closed]
            right[closed] = m
            if tagged and closed == n - 1 and m - left[closed] == 1 and tag[m - 1] == NO_TAG:
                # Its only child is a word: it is the tag.
                n -= 1
                tag[m - 1] = label[closed]
                home[m - 1] = top
            elif left[closed] == m:
                unusual |= 1  # HOLLOW
            if indexed and depth == 0:
                break
        else:
            if c == 91:
                unusual |= 4  # SQUARE
            if bytes_of[i - 1] == 41:
                unusual |= 2  # GLUED
            j = _text(bytes_of, i + 1, end)
            if indexed:
                i = _after_index(bytes_of, i, j, order)
            if escaped and order[m] >= 0:
                word[m] = _unescaped(names, data[i:j])
            else:
                word[m] = names.number_of(data, i, j)
            tag[m] = NO_TAG
            home[m] = top
            m += 1
            i = j
    if depth:
        raise BadTreeError(OPEN, first)
    leaf: cython.p_int = ints(memory, 7 * most)  # of each word; -1 before it is found
    in_order: cython.bint = True
    if indexed:
        if m == 0:
            return Columns(names, zeros(0), 0, tagged)
        _check_end(bytes_of, i, end)
        for k in range(m):
            leaf[k] = -1
        for k in range(m):
            j = order[k]
            if not 0 <= j < m or leaf[j] >= 0:
                texts = [names.texts[word[k]] for k in range(m)]
                leaves = [text if k < 0 else f"{k}={text}" for k, text in zip(order, texts)]
                raise BadTreeError(LEAF, i, leaves)
            leaf[j] = k
            in_order = in_order and j == k
    up: cython.int = 1 if trees > 1 else 0
    if cython.compiled:
        cells = carray.clone(cython.cast(carray.array, memory), 4 * (n + up) + 3 * m, False)
    else:
        cells = zeros(4 * (n + up) + 3 * m)
    made: cython.p_int = ints(cells)
    if up:
        made[0] = 0
        made[n + 1] = -1
        made[2 * n + 2] = 0
        made[3 * n + 3] = m
    for k in range(n):
        made[up + k] = label[k]
        made[n + 2 * up + k] = parent[k] + up
        made[2 * n + 3 * up + k] = left[k]
        made[3 * n + 4 * up + k] = right[k]
    after: cython.Py_ssize_t = 4 * (n + up)
    for k in range(m):
        j = k if in_order else leaf[k]
        made[after + k] = word[j]
        made[after + m + k] = tag[j]
        made[after + 2 * m + k] = home[j] + up
    tree = Columns(names, cells, n + up, tagged)
    tree.unusual = unusual
    return tree if in_order else _in_preorder(_with_ranges(tree))


def read_trees(lines: list, begin: cython.Py_ssize_t, names: Names) -> list:
    """Read up to 256 lines, until one is no tree, is unusual, or does not begin with a bracket."""
    found: list = []
    for i in range(begin, min(begin + 256, len(lines))):
        line: bytes = lines[i]
        if line[:1] != b"(":
            break
        try:
            tree = read(line, names)
        except (UnicodeDecodeError, BadTreeError):
            break
        if tree.unusual:
            break
        found.append(tree)
    return found


@cython.locals(c=cython.int, i=cython.Py_ssize_t)
def balance(data: bytes) -> tuple:
    """Return the number of open minus closed brackets, and True if a word may be a bracket."""
    if not cython.compiled:
        return data.count(b"(") - data.count(b")"), b"()" in data or b" ))" in data
    bytes_of: cython.p_const_uchar = data
    depth: cython.Py_ssize_t = 0
    may_have_words: cython.bint = False
    for i in range(len(data)):
        c = bytes_of[i]
        if c >> 1 != 20:  # neither bracket
            continue
        if c == 40:
            depth += 1
        else:
            depth -= 1
            c = bytes_of[i - 1] if i > 0 else 0
            if c == 40 or (c == 41 and i > 1 and bytes_of[i - 2] == 32):
                may_have_words = True
    return depth, may_have_words


@cython.locals(c=cython.int, i=cython.Py_ssize_t)
def tree_ends(data: bytes) -> list:
    """Return the index after each tree of a text, up to one that is not closed, or text outside trees."""
    bytes_of: cython.p_const_uchar = data
    depth: cython.Py_ssize_t = 0
    ends: list = []
    for i in range(len(data)):
        c = bytes_of[i]
        if c == 40:
            depth += 1
        elif c == 41 and depth:
            depth -= 1
            if depth == 0:
                ends.append(i + 1)
        elif depth == 0 and c != 32 and not 9 <= c <= 13:
            break
    return ends


@cython.cfunc
@cython.locals(above=cython.Py_ssize_t)
def _with_ranges(tree: Columns) -> Columns:
    """Set the first and last word of each bracket from the homes of the words, and whether there are gaps.

    A bracket without words is put at the end of its parent.
    """
    n: cython.Py_ssize_t = tree.brackets
    m: cython.Py_ssize_t = tree.words
    parent: cython.p_int = ints(tree.cells, n)
    left: cython.p_int = ints(tree.cells, 2 * n)
    right: cython.p_int = ints(tree.cells, 3 * n)
    home: cython.p_int = ints(tree.cells, 4 * n + 2 * m)
    block = zeros(n)
    size: cython.p_int = ints(block)
    for i in range(n):
        left[i] = m
        right[i] = 0
    for i in range(m):
        above = home[i]
        if above >= 0:
            left[above] = min(left[above], i)
            right[above] = i + 1
            size[above] += 1
    for i in range(n - 1, -1, -1):
        above = parent[i]
        if above >= 0:
            left[above] = min(left[above], left[i])
            right[above] = max(right[above], right[i])
            size[above] += size[i]
    tree.gaps = False
    for i in range(n):
        if size[i] == 0:
            left[i] = right[i] = right[parent[i]] if parent[i] >= 0 else 0
        elif right[i] - left[i] != size[i]:
            tree.gaps = True
    return tree


# --- the order of a tree ---------------------------------------------------------------------------------


@cython.cfunc
@cython.locals(above=cython.Py_ssize_t, item=cython.Py_ssize_t, top=cython.Py_ssize_t)
def _walk(parent: cython.p_int, left: cython.p_int, home: cython.p_int, n: cython.int, m: cython.int):
    """Return brackets, and words as n + index, in preorder; children are ordered by their first words.

    Of children with the same first word, which may be none of theirs, brackets come first, in their order.
    """
    order = zeros(n + m)
    found: cython.p_int = ints(order)
    memory = array("i", (-1,)) * (2 * n + m + 1 + n + m + 1)
    child: cython.p_int = ints(memory)  # the first child of each bracket, and of what is above the root
    sister: cython.p_int = ints(memory, n + 1)  # the next child of the same bracket
    bucket: cython.p_int = ints(memory, 2 * n + m + 1)  # brackets by first word, the last one first
    after: cython.p_int = ints(memory, 2 * n + 2 * m + 2)
    for i in range(n):
        after[i] = bucket[left[i]]
        bucket[left[i]] = i
    for i in range(m, -1, -1):
        if i < m:
            above = home[i] if home[i] >= 0 else n
            sister[n + i] = child[above]
            child[above] = n + i
        item = bucket[i]
        while item >= 0:
            above = parent[item] if parent[item] >= 0 else n
            sister[item] = child[above]
            child[above] = item
            item = after[item]
    count: cython.Py_ssize_t = 0
    item = child[n]
    top = -1
    while item >= 0:
        found[count] = item
        count += 1
        if item < n:
            top = item
            item = child[item]
        else:
            item = sister[item]
        while item < 0 and top >= 0:
            item = sister[top]
            top = parent[top]
    return order


@cython.cfunc
def _order(tree: Columns):
    """Return the brackets and words of a tree as :func:`_walk` does."""
    n: cython.Py_ssize_t = tree.brackets
    m: cython.Py_ssize_t = tree.words
    parent: cython.p_int = ints(tree.cells, n)
    left: cython.p_int = ints(tree.cells, 2 * n)
    home: cython.p_int = ints(tree.cells, 4 * n + 2 * m)
    # Without gaps a bracket follows all words before its first one, unless fields came in another order.
    fits: cython.bint = not tree.gaps
    order = zeros(n + m)
    found: cython.p_int = ints(order)
    bracket: cython.Py_ssize_t = 0
    place: cython.Py_ssize_t = 0
    top: cython.Py_ssize_t = -1
    while fits and place < n + m:
        word: cython.Py_ssize_t = place - bracket
        is_next: cython.bint = bracket < n and left[bracket] <= word
        up: cython.Py_ssize_t = parent[bracket] if is_next else home[word]
        while top >= 0 and top != up:
            top = parent[top]
        fits = top == up and not (is_next and left[bracket] < word)
        found[place] = bracket if is_next else n + word
        if is_next:
            top = bracket
            bracket += 1
        place += 1
    return order if fits else _walk(parent, left, home, n, m)


@cython.cfunc
@cython.locals(item=cython.Py_ssize_t, up=cython.Py_ssize_t)
def _in_preorder(tree: Columns) -> Columns:
    """Put the brackets of a tree into preorder, and return it."""
    n: cython.Py_ssize_t = tree.brackets
    home: cython.Py_ssize_t = 4 * n + 2 * tree.words
    cells = tree.cells[:]
    old: cython.p_int = ints(tree.cells)
    made: cython.p_int = ints(cells)
    block = zeros(n + 1)
    number: cython.p_int = ints(block)  # new index of each bracket
    node: cython.Py_ssize_t = 0
    found = _walk(ints(tree.cells, n), ints(tree.cells, 2 * n), ints(tree.cells, home), n, tree.words)
    order: cython.p_int = ints(found)
    for i in range(n + tree.words):
        item = order[i]
        if item >= n:
            continue
        number[item] = node
        up = old[n + item]
        made[node] = old[item]
        made[n + node] = number[up] if up >= 0 else -1
        made[2 * n + node] = old[2 * n + item]
        made[3 * n + node] = old[3 * n + item]
        node += 1
    for i in range(home, home + tree.words):
        made[i] = number[old[i]] if old[i] >= 0 else -1
    tree.cells = cells
    return tree


@cython.locals(item=cython.Py_ssize_t, up=cython.Py_ssize_t)
def nodes(tree: Columns) -> tuple:
    """Return ``(count, cells)``: the nodes of a tree in preorder, tags among them, as columns of numbers.

    The cells are the parents, the numbers of the labels, the first words and the last words + 1 of the nodes;
    then a 1 for each tag, then the parent node of each word, then the node of each bracket.
    """
    n: cython.Py_ssize_t = tree.brackets
    m: cython.Py_ssize_t = tree.words
    cells = tree.cells
    label: cython.p_int = ints(cells)
    parent: cython.p_int = ints(cells, n)
    left: cython.p_int = ints(cells, 2 * n)
    right: cython.p_int = ints(cells, 3 * n)
    tag: cython.p_int = ints(cells, 4 * n + m)
    home: cython.p_int = ints(cells, 4 * n + 2 * m)
    found = _order(tree)
    order: cython.p_int = ints(found)
    count: cython.Py_ssize_t = n
    for i in range(m):
        count += tag[i] != NO_TAG
    block = zeros(5 * count + m + n)
    made: cython.p_int = ints(block)
    is_tag: cython.p_int = ints(block, 4 * count)
    word_parent: cython.p_int = ints(block, 5 * count)
    number: cython.p_int = ints(block, 5 * count + m)  # node of each bracket
    node: cython.Py_ssize_t = 0
    for i in range(n + m):
        item = order[i]
        up = parent[item] if item < n else home[item - n]
        above = number[up] if up >= 0 else -1
        if item < n:
            number[item] = node
            made[count + node] = label[item]
            made[2 * count + node] = left[item]
            made[3 * count + node] = right[item]
        else:
            item -= n
            word_parent[item] = above if tag[item] == NO_TAG else node
            if tag[item] == NO_TAG:
                continue
            made[count + node] = tag[item]
            made[2 * count + node] = item
            made[3 * count + node] = item + 1
            is_tag[node] = 1
        made[node] = above
        node += 1
    return count, block


def bracket_nodes(tree: Columns) -> list:
    """Return the node of each bracket."""
    count, block = nodes(tree)
    return block[5 * count + tree.words :].tolist()


# Kinds of what a tree has, and the names of shapes
LABEL, TAG, ROOT, ADDED, SHAPE, WORD = "label", "tag", "root", "root above one bracket", "shape", "word"
NARY = "brackets with more than two children"
_SHAPES = ("brackets without children", "brackets over one word", "brackets with two children", NARY)


@cython.locals(count=cython.Py_ssize_t, top=cython.Py_ssize_t, up=cython.Py_ssize_t, unary=cython.bint)
def inventory(tree: Columns, joint) -> list:
    """Return pairs of a kind and a text: one for each word, then those of each node in preorder.

    A root labelled ``joint`` is ignored.  A tree without words gives an empty list.
    """
    count, block = nodes(tree)
    texts: list = tree.names.texts
    parent: cython.p_int = ints(block)
    label: cython.p_int = ints(block, count)
    is_tag: cython.p_int = ints(block, 4 * count)
    word_parent: cython.p_int = ints(block, 5 * count)
    memory = zeros(count + 1)
    children: cython.p_int = ints(memory)
    for i in range(count + tree.words):
        up = parent[i] if i < count else word_parent[i - count]
        if up >= 0:
            children[up] += 1
    found: list = [(WORD, text) for text in words_of(tree)]
    top = -1
    for node in range(count if tree.words else 0):
        text = texts[label[node]]
        if text is joint:
            top = node
            continue
        found.append((TAG if is_tag[node] else LABEL, text))
        unary = children[node] == 1 and node + 1 < count and parent[node + 1] == node and not is_tag[node + 1]
        if parent[node] == top:
            found.append((ROOT, text))
            if unary:
                found.append((ADDED, text))
        elif not is_tag[node]:
            found.append((SHAPE, "brackets over one bracket" if unary else _SHAPES[min(children[node], 3)]))
    return found


@cython.locals(total=cython.Py_ssize_t, up=cython.Py_ssize_t)
def without(tree: Columns, kept: list) -> tuple:
    """Return the tree of the words that are kept, at least one, and the old node of each new node.

    Brackets without words go.  If tags are read, a bracket over one word without a tag becomes its tag.
    """
    n: cython.Py_ssize_t = tree.brackets
    m: cython.Py_ssize_t = tree.words
    parent: cython.p_int = ints(tree.cells, n)
    text: cython.p_int = ints(tree.cells, 4 * n)
    tag: cython.p_int = ints(tree.cells, 4 * n + m)
    home: cython.p_int = ints(tree.cells, 4 * n + 2 * m)
    total, before = nodes(tree)
    label: cython.p_int = ints(before, total)  # of each node
    node: cython.p_int = ints(before, 5 * total)  # of each word, then of each bracket
    block = zeros(2 * n + 1)
    children: cython.p_int = ints(block)  # of each bracket; a word that may need a tag counts 1, others 2
    number: cython.p_int = ints(block, n)  # new index of each bracket, or of the one above if it goes
    for i in range(m):
        if kept[i] and home[i] >= 0:
            children[home[i]] += 1 if tree.tagged and tag[i] == NO_TAG else 2
    for i in range(n - 1, 0, -1):
        children[parent[i]] += 2 if children[i] else 0
    count: cython.Py_ssize_t = 0
    for i in range(n):
        number[i] = number[parent[i]] if i else -1
        if children[i] > 1:
            number[i] = count
            count += 1
    words: cython.Py_ssize_t = kept.count(True)
    cells = zeros(4 * count + 3 * words)
    # Labels and tags hold old nodes until the brackets are in preorder.
    new: cython.p_int = ints(cells)
    for i in range(n):
        if children[i] > 1:
            new[number[i]] = node[m + i]
            new[count + number[i]] = number[parent[i]] if i else -1
    new = ints(cells, 4 * count)
    k = 0
    for i in range(m):
        if kept[i]:
            up = home[i]
            new[k] = text[i]
            new[words + k] = node[i] if tag[i] != NO_TAG or (up >= 0 and children[up] == 1) else NO_TAG
            new[2 * words + k] = number[up] if up >= 0 else -1
            k += 1
    made = _with_ranges(Columns(tree.names, cells, count, tree.tagged))
    if tree.gaps:
        made = _in_preorder(made)
    total, after = nodes(made)
    new = ints(made.cells)
    for i in range(4 * count + 2 * words):
        if (i < count or i >= 4 * count + words) and new[i] != NO_TAG:
            new[i] = label[new[i]]
    return made, after[total : 2 * total].tolist()


@cython.locals(node=cython.Py_ssize_t, up=cython.Py_ssize_t, index=cython.Py_ssize_t, size=cython.Py_ssize_t)
def chosen_tree(tree: Columns, chosen: list) -> tuple:
    """Return the tree that chosen nodes form: their parents, and children by first word.

    The nodes are in ascending order, and none is without words.  The parents are indices into ``chosen``, -1
    for none.  The children are indices, or ``~w`` for word ``w``; the last list is of those without a parent.
    The parent node of each word in the whole tree, and for each chosen node whether it has one word, follow.
    """
    count: cython.Py_ssize_t = len(chosen)
    size, cells = nodes(tree)
    parent: cython.p_int = ints(cells)
    left: cython.p_int = ints(cells, 2 * size)
    right: cython.p_int = ints(cells, 3 * size)
    word_parent: cython.p_int = ints(cells, 5 * size)
    # For each node, and at the end for no node, the index of the nearest chosen one, itself included, plus 1
    block = zeros(size + 1)
    nearest: cython.p_int = ints(block)
    for i in range(count):
        nearest[chosen[i]] = i + 1
    above: list = []
    below: list = [[] for _ in range(count + 1)]  # the first list is of those without a parent
    for node in range(size):
        index = nearest[parent[node] if parent[node] >= 0 else size]
        if nearest[node] == 0:
            nearest[node] = index
        else:
            above.append(index - 1)
    for word in range(tree.words):
        index = nearest[word_parent[word] if word_parent[word] >= 0 else size]
        group: list = below[index]
        group.append(~word)
        while index > 0 and len(group) == 1:
            up = index - 1
            index = above[up] + 1
            group = below[index]
            group.append(up)
    word_nodes = cells[5 * size : 5 * size + tree.words].tolist()
    return above, below[1:] + below[:1], word_nodes, [right[node] - left[node] == 1 for node in chosen]


@cython.locals(up=cython.Py_ssize_t, at=cython.Py_ssize_t)
def homes_of(parents: list, below: list, partners: list, others: list | None) -> tuple:
    """Return the part of each constituent of a :func:`chosen_tree`, and True if a match has its yield.

    ``partners`` has for each its match, or -1.  The part is the smallest matched yield that contains its own
    or equals it, so the order of the labels in a unary chain does not matter.  It is an index, that of the
    first matched constituent with that yield, for gold that in ``others``, the system's; -1 for the top part.
    """
    homes: list = []
    settled: list = []
    for index in range(len(parents)):
        up = parents[index]
        if up >= 0 and len(below[up]) == 1:
            # Inside a unary chain
            homes.append(homes[up])
            settled.append(settled[up])
            continue
        at = index
        while partners[at] < 0 and below[at] == [at + 1]:
            at += 1
        if partners[at] >= 0:
            homes.append(at if others is None else others[partners[at]])
        else:
            homes.append(homes[up] if up >= 0 else -1)
        settled.append(partners[at] >= 0)
    return homes, settled


def nodes_of(tree: Columns) -> tuple:
    """Return the public fields of a tree: what :func:`of_nodes` takes."""
    count, block = nodes(tree)
    n: cython.Py_ssize_t = count
    texts: list = tree.names.texts
    label: cython.p_int = ints(block, n)
    labels = tuple([texts[label[i]] for i in range(n)])
    parents, starts, ends = _numbers(block, 0, n), _numbers(block, 2 * n, n), _numbers(block, 3 * n, n)
    return labels, parents, starts, ends, words_of(tree), _numbers(block, 5 * n, tree.words)


@cython.cfunc
def _numbers(block, first: cython.Py_ssize_t, size: cython.Py_ssize_t) -> tuple:
    cells: cython.p_int = ints(block, first)
    return tuple([cells[i] for i in range(size)])


def texts_of(tree: Columns) -> list:
    """Return the labels of the brackets, the words and the tags."""
    n: cython.Py_ssize_t = tree.brackets
    texts: list = tree.names.texts
    cell: cython.p_int = ints(tree.cells)
    return [texts[cell[i]] for i in range(n)] + [
        texts[cell[i]] for i in range(4 * n, 4 * n + 2 * tree.words) if cell[i] != NO_TAG
    ]


def words_of(tree: Columns) -> tuple:
    """Return the texts of the words."""
    texts: list = tree.names.texts
    word: cython.p_int = ints(tree.cells, 4 * tree.brackets)
    return tuple([texts[word[i]] for i in range(tree.words)])


def tags_of(tree: Columns) -> tuple:
    """Return the tag of each word, ``None`` for a word without one."""
    texts: list = tree.names.texts
    tag: cython.p_int = ints(tree.cells, 4 * tree.brackets + tree.words)
    return tuple([None if tag[i] == NO_TAG else texts[tag[i]] for i in range(tree.words)])


def chains(tree: Columns) -> dict:
    """Return the labels over each set of words, from the top down; the sets, bit sets, are in preorder."""
    return {words: row[0] for words, row in votes([tree])[0].items()}


@cython.locals(i=cython.Py_ssize_t, k=cython.Py_ssize_t, count=cython.Py_ssize_t)
def votes(trees: list) -> tuple:
    """Return the labels over each set of words in several trees over the same words, and who has the set.

    A tree without a set has None, or ``()`` for a single word and the sentence, which every tree has.  For
    each other set a bit set has the trees with it.  Last comes the number of such sets in each tree.
    """
    count = len(trees)
    one: object = 1  # a number of C would overflow
    found: dict = {}
    for k in range(count):
        tree: Columns = trees[k]
        texts: list = tree.names.texts
        label: cython.p_int = ints(tree.cells)
        sets: list = _sets(tree)
        for i in range(tree.brackets):
            if sets[i]:
                row: list = found.get(sets[i])
                if row is None:
                    row = found[sets[i]] = [None] * count
                if row[k] is None:
                    row[k] = (texts[label[i]],)
                elif len(row[k]) == 1:
                    row[k] = [row[k][0], texts[label[i]]]
                else:
                    row[k].append(texts[label[i]])
    whole = (one << trees[0].words) - 1
    bits: list = [one << k for k in range(count)]
    supports: dict = {}
    sizes = zeros(count)
    size: cython.p_int = ints(sizes)
    for words, row in found.items():
        inner: cython.bint = words != whole and words & (words - 1) != 0
        support: object = 0
        for k in range(count):
            if row[k] is not None:
                row[k] = tuple(row[k])
                support |= bits[k]
                size[k] += inner
            elif not inner:
                row[k] = ()
        if inner:
            supports[words] = support
    return found, supports, sizes.tolist()


def hits(supports: dict, weights: tuple) -> tuple:
    """Return the keys that all trees have, and ``(hit count, key)`` of the others, most hits first.

    The hit count of a key is the weight of the trees that have it, which are the bits of its support.
    """
    counts: dict = {
        support: sum([weight for k, weight in enumerate(weights) if support >> k & 1])
        for support in set(supports.values())
    }
    most = sum(weights)
    shared: list = []
    others: list = []
    for key, support in supports.items():
        count = counts[support]
        if count == most:
            shared.append(key)
        else:
            others.append((count, key))
    others.sort(reverse=True)
    return shared, others


@cython.cfunc
def _sets(tree: Columns) -> list:
    """Return the words of each bracket as a bit set."""
    n: cython.Py_ssize_t = tree.brackets
    parent: cython.p_int = ints(tree.cells, n)
    home: cython.p_int = ints(tree.cells, 4 * n + 2 * tree.words)
    sets: list = [0] * n
    bit: object = 1  # a number of C would overflow
    for i in range(tree.words):
        if home[i] >= 0:
            sets[home[i]] |= bit
        bit += bit
    for i in range(n - 1, 0, -1):
        sets[parent[i]] |= sets[i]
    return sets


@cython.ccall
def majority(chains, weights):
    """Return the chain with the greatest weight of votes; None does not vote; ties: the first in order."""
    best = None
    for chain in chains:
        if best is None:
            best = chain
        elif chain is not None and chain != best:
            break
    else:
        return best
    sums: dict = {}
    for k in range(len(chains)):
        if chains[k] is not None:
            sums[chains[k]] = sums.get(chains[k], 0) + weights[k]
    for chain, weight in sums.items():
        if weight > sums[best] or (weight == sums[best] and chain < best):
            best = chain
    return best


def elected(votes: dict, chosen: set, supports: dict, weights) -> dict:
    """Return the chains of chosen sets, and those of single words and the sentence, by majority.

    Every tree votes on the latter, which are those without support.
    """
    return {
        words: majority(chains, weights)
        for words, chains in votes.items()
        if words in chosen or words not in supports
    }


def elected_tags(trees: list, weights) -> list:
    """Return the tag of each word by majority."""
    return [majority_tag(tags, weights) for tags in zip(*[tags_of(tree) for tree in trees])]


@cython.ccall
def majority_tag(tags, weights):
    """Return the tag with the greatest weight of votes; None votes, too; ties: None, then the first."""
    for tag in tags:
        if tag is None or tag != tags[0]:
            chain = majority([() if tag is None else (tag,) for tag in tags], weights)
            return chain[0] if chain else None
    return tags[0]


@cython.locals(item=cython.Py_ssize_t, up=cython.Py_ssize_t, top=cython.Py_ssize_t)
def bracket_text(tree: Columns, words, labels=None, blank: str = " ") -> str:
    """Write a tree with these words in brackets; the empty tree gives an empty text.

    ``labels`` has what to write for each node in preorder, by default its label; ``blank`` separates items.
    """
    n: cython.Py_ssize_t = tree.brackets
    m: cython.Py_ssize_t = tree.words
    label: cython.p_int = ints(tree.cells)
    parent: cython.p_int = ints(tree.cells, n)
    tag: cython.p_int = ints(tree.cells, 4 * n + m)
    home: cython.p_int = ints(tree.cells, 4 * n + 2 * m)
    texts: list = tree.names.texts
    opening: str = blank + "("
    pieces: list = []
    top = -1  # the innermost open bracket
    node: cython.Py_ssize_t = 0
    found = _order(tree)
    order: cython.p_int = ints(found)
    for i in range(n + m):
        item = order[i]
        up = parent[item] if item < n else home[item - n]
        while top != up:
            pieces.append(")")
            top = parent[top]
        number = label[item] if item < n else tag[item - n]
        if number != NO_TAG:
            pieces.append(opening)
            pieces.append(texts[number] if labels is None else labels[node])
            node += 1
        if item < n:
            top = item
            continue
        pieces.append(blank)
        pieces.append(words[item - n])
        if number != NO_TAG:
            pieces.append(")")
    while top >= 0:
        pieces.append(")")
        top = parent[top]
    return "".join(pieces)[len(blank) :]


# --- trees from other things -----------------------------------------------------------------------------


@cython.locals(node=cython.int, up=cython.int)
def of_nodes(names: Names, nodes: tuple, tagged: bool = True, below_root: bool = False) -> Columns:
    """Return the columns of a public tree.

    ``nodes`` are labels, parents, starts and ends of nodes in preorder, some of which are tags; then words
    and their parents.
    """
    labels, parents, starts, ends, words, word_parents = nodes
    count = len(labels)
    children = [0] * count  # a node counts 2, a word 1
    below = [0] * count  # words below each node
    for node in word_parents:
        children[node] += 1
        below[node] += 1
    gaps: cython.bint = False
    for node in range(count - 1, -1, -1):
        gaps = gaps or below[node] != ends[node] - starts[node]
        up = parents[node]
        if up >= 0:
            children[up] += 2
            below[up] += below[node]
    numbers = [-1] * count  # of brackets; of tags, that of the bracket above
    kept = []
    for node in range(count):
        if tagged and children[node] == 1:
            numbers[node] = numbers[parents[node]] if parents[node] >= 0 else -1
        else:
            numbers[node] = len(kept)
            kept.append(node)
    cells = [
        *[names.number(labels[node]) for node in kept],
        *[numbers[parents[node]] if parents[node] >= 0 else -1 for node in kept],
        *[starts[node] for node in kept],
        *[ends[node] for node in kept],
        *[names.number(word) for word in words],
        *[names.number(labels[node]) if tagged and children[node] == 1 else NO_TAG for node in word_parents],
        *[numbers[node] for node in word_parents],
    ]
    return Columns(names, array("i", cells), len(kept), tagged, gaps, below_root)


def of_chains(names: Names, chains: dict, words, tags) -> Columns:
    """Return the tree with the labels over each set of words; the tag None means no tag.

    Sets are bit sets, nested or disjoint.  The largest one has all words, unless there are no labels.
    """
    n: cython.Py_ssize_t = sum([len(labels) for labels in chains.values()])
    m: cython.Py_ssize_t = len(words)
    cells = zeros(4 * n + 3 * m)
    label: cython.p_int = ints(cells)
    parent: cython.p_int = ints(cells, n)
    word: cython.p_int = ints(cells, 4 * n)
    home: cython.p_int = ints(cells, 4 * n + 2 * m)
    for i in range(m):
        word[i] = names.number(words[i])
        word[m + i] = NO_TAG if tags[i] is None else names.number(tags[i])
        home[i] = -1
    i = 0
    for inside in sorted(chains, key=int.bit_count, reverse=True):
        data: bytes = inside.to_bytes(m // 8 + 1, "little")
        bits: cython.p_const_uchar = data
        for text in chains[inside]:
            label[i] = names.number(text)
            for j in range(m):
                if bits[j // 8] >> j % 8 & 1:
                    parent[i] = home[j]  # the innermost bracket so far
                    home[j] = i
            i += 1
    return _in_preorder(_with_ranges(Columns(names, cells, n)))


# Result codes of build()
TREE = 0
BAD_NODE = 1  # a node has a parent that does not exist
BAD_WORD = 2  # a word has one
NO_ROOT = 3
CYCLE = 4


def build(names: Names, labels, parents, words, word_parents) -> tuple:
    """Make a tree of nodes in any order; nodes without words follow their sisters.

    Args:
        names: Table of the texts.
        labels: Label of each node.
        parents: Parent of each node, -1 for none.  If several nodes or words have none, a root without label
            is added above them.
        words: The words, in order.
        word_parents: Parent node of each word, -1 for none.

    Returns:
        ``(TREE, 0, columns, order)``, where ``order`` has the given number of each node in preorder, -1 for
        an added root; or ``(code, index of the bad node or word)``.
    """
    given = len(parents)
    m = len(words)
    for code, ups in ((BAD_NODE, parents), (BAD_WORD, word_parents)):
        for i in range(len(ups)):
            if not -1 <= ups[i] < given:
                return code, i
    if given == 0 and m == 0:
        return TREE, 0, Columns(names, zeros(0), 0), []
    roots = list(parents).count(-1)
    if given and not roots:
        return NO_ROOT, 0
    adds = roots != 1 or -1 in word_parents
    n = given + adds
    above = array("i", [given if adds and up < 0 else up for up in parents] + [-1] * adds)
    homes = array("i", [given if adds and up < 0 else up for up in word_parents])
    memory = zeros(4 * n + 1)
    parent: cython.p_int = ints(above)
    home: cython.p_int = ints(homes)
    first: cython.p_int = ints(memory)
    last: cython.p_int = ints(memory, n)
    waiting: cython.p_int = ints(memory, 2 * n)  # children that are not done
    done: cython.p_int = ints(memory, 3 * n)  # children before parents
    node: cython.Py_ssize_t
    up: cython.Py_ssize_t
    for i in range(n):
        first[i] = m
        if parent[i] >= 0:
            waiting[parent[i]] += 1
    for i in range(m):
        node = home[i]
        first[node] = min(first[node], i)
        last[node] = i + 1
    count: cython.Py_ssize_t = 0
    for i in range(n):
        if waiting[i] == 0:
            done[count] = i
            count += 1
    k: cython.Py_ssize_t = 0
    while k < count:
        node = done[k]
        k += 1
        up = parent[node]
        if up >= 0:
            first[up] = min(first[up], first[node])
            last[up] = max(last[up], last[node])
            waiting[up] -= 1
            if waiting[up] == 0:
                done[count] = up
                count += 1
    if count < n:
        # It waits for a child that is never done: it is on a cycle or above one.
        i = 0
        while waiting[i] == 0:
            i += 1
        return CYCLE, i
    for k in range(n - 1, -1, -1):
        node = done[k]
        if last[node] == 0:
            first[node] = last[node] = last[parent[node]] if parent[node] >= 0 else 0
    order = [item for item in _walk(parent, first, home, n, m) if item < n]
    number = {item: i for i, item in enumerate(order)}
    nodes = (
        [labels[item] if item < given else "" for item in order],
        [number[parent[item]] if parent[item] >= 0 else -1 for item in order],
        [first[item] for item in order],
        [last[item] for item in order],
        words,
        [number[home[i]] for i in range(m)],
    )
    return TREE, 0, of_nodes(names, nodes), [item if item < given else -1 for item in order]


def side_by_side(trees: list, names: Names, label="") -> Columns:
    """Put trees under one new root, in order."""
    joined: list = [[names.number(label)], [-1], [0], [0], [], [], []]
    n = 1
    m = 0
    for tree in trees:
        columns: list = tree.moved(names).lists()
        for k, more in enumerate((0, n, m, m, 0, 0, n)):
            # The parents of roots, and homes of words above all brackets, are the new root.
            joined[k] += [0 if k in (1, 6) and cell < 0 else cell + more for cell in columns[k]]
        n += tree.brackets
        m += tree.words
    joined[3][0] = m
    tagged, gaps = all(tree.tagged for tree in trees), any(tree.gaps for tree in trees)
    return Columns(names, array("i", [cell for column in joined for cell in column]), n, tagged, gaps)


@cython.cfunc
def _unescaped(names: Names, text: bytes) -> cython.int:
    """Return the number of a text of an indexed line, where brackets are written ``#LRB#`` and ``#RRB#``."""
    return names.number(text.decode("utf-8").replace("#LRB#", "(").replace("#RRB#", ")"))


@cython.cfunc
def _after_index(
    bytes_of: cython.p_const_uchar, i: cython.Py_ssize_t, j: cython.Py_ssize_t, order: list
) -> cython.Py_ssize_t:
    """Note the index of a leaf ``index=word``, -1 for another leaf, and return the start of the word."""
    index: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t = i
    while k < j and 48 <= bytes_of[k] <= 57 and k - i < 15:
        index = 10 * index + (bytes_of[k] - 48)
        k += 1
    if not i < k < j - 1 or bytes_of[k] != 61:
        order.append(-1)
        return i
    order.append(index)
    return k + 1


@cython.cfunc
@cython.exceptval(-1)
def _check_end(text: cython.p_const_uchar, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
    """Check that only spaces, or a tab and a comment, follow the tree of an indexed line."""
    while i < end and text[i] == 32:
        i += 1
    if i < end and text[i] != 9 and _blanks(text, i, end) < end:
        raise BadTreeError(AFTER, i)
    return 0


@cython.cfunc
@cython.inline
def _label(
    text: cython.p_const_uchar, i: cython.Py_ssize_t, end: cython.Py_ssize_t, indexed: cython.bint
) -> cython.Py_ssize_t:
    """Return the start of a label: ``i``, or after blanks if more than a closing bracket follows the text.

    In an indexed line a leaf is no label.
    """
    k: cython.Py_ssize_t = _blanks(text, i, end)
    after: cython.Py_ssize_t
    if k > i:
        after = k
        while indexed and after < end and 48 <= text[after] <= 57:
            after += 1
        if after > k and (after == end or text[after] == 61 or _ends_text(text[after])):
            return i
        after = _blanks(text, _text(text, k, end), end)
        if after < end and text[after] != 41:
            return k
    return i


@cython.cfunc
@cython.inline
@cython.locals(k=cython.Py_ssize_t)
def _is_spaced(text: cython.p_const_uchar, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
    """Return True if a label has bytes with which blanks of typesetting begin: U+00A0, U+2000, U+3000."""
    for k in range(i, end - 1):
        if text[k] >= 194 and text[k + 1] == (160 if text[k] == 194 else 128) and text[k] in (194, 226, 227):
            return True
    return False


@cython.cfunc
@cython.inline
def _ends_text(c: cython.int) -> cython.bint:
    """Return True for a blank or a bracket."""
    return c == 32 or 9 <= c <= 13 or c == 40 or c == 41


@cython.cfunc
@cython.inline
def _blanks(text: cython.p_const_uchar, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the index of the first byte from ``i`` that is not a blank."""
    while i < end and (text[i] == 32 or 9 <= text[i] <= 13):
        i += 1
    return i


@cython.cfunc
@cython.inline
def _text(text: cython.p_const_uchar, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the index of the first byte from ``i`` that is a blank or a bracket."""
    while i < end and (text[i] > 41 or not _ends_text(text[i])):
        i += 1
    return i
