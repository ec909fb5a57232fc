# cython: infer_types=True
"""Kernel: look at texts of trees without reading them.

In comparisons of bytes, 40 and 41 are brackets, 32 and 9 to 13 are blanks.  Only these six blanks of C
(space, tab, newline, vertical tab, form feed, carriage return) separate words; a no-break space or an
ideographic space is part of a word.  There is no recursion, so trees of any depth work.
"""

from __future__ import annotations

import io
import sys
from itertools import islice

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython
if cython.compiled:
    from cython.cimports.libc.string import memchr

COMPILED: bool = cython.compiled


@cython.locals(found=cython.p_const_uchar)
def first_lines(data: cython.const[cython.uchar][:], most: cython.Py_ssize_t = sys.maxsize) -> tuple:
    """Return the number of the first ``most`` lines of a text, or of all lines, and of their bytes."""
    if not cython.compiled:
        lines = list(islice(io.BytesIO(data), most))
        return len(lines), sum(map(len, lines))
    count: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = len(data)
    if size == 0:
        return 0, 0
    begin: cython.p_const_uchar = cython.address(data[0])
    place: cython.p_const_uchar = begin
    end: cython.p_const_uchar = begin + size
    while place < end and count != most:
        found = cython.cast(cython.p_const_uchar, memchr(place, 10, end - place))
        place = end if found == cython.NULL else found + 1
        count += 1
    return count, place - begin


@cython.locals(i=cython.Py_ssize_t, c=cython.int)
def is_tree(data: bytes) -> bool:
    """Return True if a text is exactly one tree, without creating objects for its parts."""
    end: cython.Py_ssize_t = len(data)
    depth: cython.Py_ssize_t = 0
    text: cython.p_const_uchar = data
    i = _blanks(text, 0, end)
    if i == end or text[i] != 40:
        return False
    while i < end:
        c = text[i]
        i += 1
        if c == 40:
            depth += 1
        elif c == 41:
            depth -= 1
            if depth == 0:
                break
    return depth == 0 and _blanks(text, i, end) == end and _is_utf8(data)


@cython.cfunc
def _is_utf8(data: bytes) -> bool:
    """Return True for text in UTF-8."""
    if not data.isascii():
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            return False
    return True


@cython.locals(c=cython.int)
def count_tagged(data: bytes) -> int:
    """Return the number of words of a tree; -1 if one has a sister, so that its parent cannot be its tag.

    The text satisfies :func:`is_tree` or :func:`is_indexed_tree`.
    """
    end: cython.Py_ssize_t = len(data)
    i: cython.Py_ssize_t = 0
    n: cython.Py_ssize_t = 0
    opened: cython.bint = False  # the innermost bracket has no child yet
    after_word: cython.bint = False
    text: cython.p_const_uchar = data
    while i < end:
        c = text[i]
        if c == 32 or 9 <= c <= 13:
            i += 1
        elif c == 41:
            i += 1
            opened = after_word = False
        elif after_word or not (opened or c == 40):
            return -1
        elif c == 40:
            i = _text(text, _label(text, i + 1, end), end)
            opened = True
        else:
            i = _text(text, i + 1, end)
            n += 1
            opened = False
            after_word = True
    return n


@cython.locals(begin=cython.Py_ssize_t, index=cython.Py_ssize_t)
def is_indexed_tree(data: bytes) -> bool:
    """Return True if a text is certainly a tree with leaves ``index=word`` and each index from 0 once.

    Some valid trees give False: those with escaped brackets in labels, nodes without a label, blanks other
    than single spaces, or text after the tree.
    """
    end: cython.Py_ssize_t = len(data)
    i: cython.Py_ssize_t = 0
    depth: cython.Py_ssize_t = 0
    n: cython.Py_ssize_t = 0
    most: cython.Py_ssize_t = -1
    text: cython.p_const_uchar = data
    while end > 0 and (text[end - 1] == 10 or text[end - 1] == 13):
        end -= 1
    # A leaf takes at least three bytes and a separator.
    room: cython.Py_ssize_t = end // 4 + 1
    seen: cython.uchar[:] = bytearray(room)
    while i < end:
        if text[i] == 40:
            # A label, one blank, and a child; or the label of a node without words.
            begin = i + 1
            i = _plain(text, begin, end)
            if not begin < i < end or (text[i] != 32 and text[i] != 41):
                return False
            depth += 1
            if text[i] == 41:
                continue
            i += 1
            if i == end or text[i] == 41 or text[i] == 32:
                return False
        elif text[i] == 41:
            depth -= 1
            i += 1
            if depth <= 0:
                return depth == 0 and i == end and n > 0 and most == n - 1 and _is_utf8(data)
        elif text[i] == 32:
            # Between children: another follows.
            i += 1
            if i == end or text[i] == 32 or text[i] == 41:
                return False
        else:
            index = 0
            begin = i
            while i < end and 48 <= text[i] <= 57 and i - begin < 9:
                index = 10 * index + (text[i] - 48)
                i += 1
            if not begin < i < end or text[i] != 61 or index >= room or seen[index] or not depth:
                return False
            seen[index] = 1
            n += 1
            most = max(most, index)
            begin = i + 1
            i = _plain(text, begin, end)
            while i < end and text[i] == 35:  # of an escaped bracket, or itself
                i = _plain(text, i + 1, end)
            if not begin < i < end or (text[i] != 32 and text[i] != 41):
                return False
    return False


@cython.cfunc
@cython.inline
def _plain(text: cython.p_const_uchar, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the index of the first byte from ``i`` that is a bracket, ``#``, a blank or a control code."""
    # Most bytes are above a bracket.
    while i < end and (41 < text[i] != 127 or (32 < text[i] < 40 and text[i] != 35)):
        i += 1
    return i


def same_words(gold: bytes, system: bytes) -> bool:
    """Return True if two texts that satisfy :func:`is_tree` have the same words."""
    n: cython.Py_ssize_t = len(gold)
    m: cython.Py_ssize_t = len(system)
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t = 0
    first: cython.p_const_uchar = gold
    second: cython.p_const_uchar = system
    while True:
        i = _word(first, i, n)
        j = _word(second, j, m)
        if i == n or j == m:
            return i == n and j == m
        while i < n and j < m and first[i] == second[j] and not _ends_text(first[i]):
            i += 1
            j += 1
        # Inside a tree a byte always follows a word.
        if not (_ends_text(first[i]) and _ends_text(second[j])):
            return False


@cython.cfunc
@cython.inline
def _word(text: cython.p_const_uchar, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the start of the next word from ``i`` inside a tree; the end if no word follows."""
    while i < end:
        if text[i] == 40:
            i = _text(text, _label(text, i + 1, end), end)
        elif _ends_text(text[i]):
            i += 1
        else:
            return i
    return end


@cython.cfunc
@cython.inline
def _label(text: cython.p_const_uchar, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the start of a label: ``i``, or after blanks if more than a closing bracket follows the text."""
    k: cython.Py_ssize_t = _blanks(text, i, end)
    after: cython.Py_ssize_t
    if k > i:
        after = _blanks(text, _text(text, k, end), end)
        if after < end and text[after] != 41:
            return k
    return i


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
