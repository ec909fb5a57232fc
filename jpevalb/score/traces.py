"""Traces (words tagged ``-NONE-``): find out if only one of two files has some."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence

from ..trees.errors import InputError
from ..trees.files import guarded, input_name, is_wide, open_blocks, open_lines
from ..trees.labels import TRACE
from ..trees.streams import is_pipe
from ..trees.tree import Tree, is_node
from ..trees.typed import TYPE_CHECKING, Any
from .inputs import joined, named_file

if TYPE_CHECKING:
    from .pairing import Side

_TAG = TRACE.encode()

_TEXT = rb'[(\t"]\s*-NONE-(?:[\s"]|$)'
"""A tag ``-NONE-`` after a bracket, a tab (export) or a quotation mark (TIGER XML)."""

_YES, _NO, _PIPE, _UNKNOWN = "yes", "no", "pipe", "unknown"
"""Does a side have traces?  A pipe must be read to know."""


def one_side_has_traces(gold: Side, system: Side) -> bool:
    """Return True if one side has traces, or may have, and the other has none.

    That side is marked: with ``has_traces``, or with ``watched`` if it is a pipe and the other side has no
    traces.  If the other side has some, a pipe is read into memory first.  Files and lists are searched up
    to the first trace; generators are not searched.
    """
    sides = gold, system
    has = [_search(gold), _search(system)]
    if _UNKNOWN in has:
        return False
    if has == [_PIPE, _PIPE]:
        has[0] = _search_pipe(gold)
    if _PIPE in has:
        pipe = has.index(_PIPE)
        if has[1 - pipe] == _NO:
            sides[pipe].watched = True
            return True
        has[pipe] = _search_pipe(sides[pipe])
    if has[0] == has[1]:
        return False
    sides[has.index(_YES)].has_traces = True
    return True


def _search(side: Side) -> str:
    source: Any = side.source
    try:
        if isinstance(source, (str, os.PathLike)):
            # The plain path: that of a progress bar would count what is searched as read.
            path = os.fspath(source)
            if os.path.isfile(path):
                if not _contains_tag(path, side.encoding):
                    return _NO
                with open_lines(path, encoding=side.encoding) as lines:
                    return _answer(map(_in_text, lines))
            return _PIPE if path == "-" or is_pipe(path) else _UNKNOWN
        if hasattr(source, "read"):
            if not source.seekable():
                return _PIPE
            start = source.tell()
            # Not by iteration, which disables tell() on text files.
            answer = _answer(map(_in_text, iter(source.readline, source.read(0))))
            source.seek(start)
            return answer
    except (InputError, OSError, ValueError, AttributeError, EOFError):
        # The reader raises it.
        return _UNKNOWN
    return _answer(map(_in_item, source)) if isinstance(source, Sequence) else _UNKNOWN


def _search_pipe(side: Side) -> str:
    """Search a pipe, and replace it by its content in memory."""
    source: Any = side.source
    if isinstance(source, (str, os.PathLike)):
        name = input_name(source)
        with open_blocks(source) as blocks:
            whole = joined(blocks)
    else:
        name = str(getattr(source, "name", "<file>"))
        whole = joined(guarded(source, name))
    side.source = named_file(whole, name)
    if isinstance(whole, bytes) and side.encoding is not None:
        whole = whole.decode(side.encoding, "replace")
    return _answer([_in_text(whole)])


def _contains_tag(path: Any, encoding: str | None) -> bool:
    """Search the bytes of a file for the tag, which is faster than by lines."""
    if is_wide(encoding):
        return True
    with open_blocks(path) as blocks:
        end = b""
        for block in blocks:
            if _TAG in end + block:
                return True
            end = (end + block)[1 - len(_TAG) :]
    return False


def _answer(hits: Iterable[bool]) -> str:
    return _YES if any(hits) else _NO


def _in_text(text: str | bytes) -> bool:
    if isinstance(text, str):
        return TRACE in text and re.search(_TEXT, text.encode("utf-8", "surrogatepass")) is not None
    return _TAG in text and re.search(_TEXT, text) is not None


def _in_item(item: Any) -> bool:
    """Search a text, a tree, or an object like a tree."""
    if isinstance(item, (str, bytes)):
        return _in_text(item)
    tree = Tree.from_nltk(item) if is_node(item) else item
    return isinstance(tree, Tree) and TRACE in tree.tags
