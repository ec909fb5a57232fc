"""Traces (words tagged ``-NONE-``): find out if only one of two files has some."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..base.errors import InputError
from ..base.text import split_lines
from ..formats.read import lines_of
from ..settings.labels import TRACE
from ..trees.objects import is_node
from ..trees.tree import Tree
from .inputs import FILE, ITEMS, ONCE, SEEKABLE, Input

if TYPE_CHECKING:
    from .workers import WorkerPool

_TAG = TRACE.encode()

# A tag -NONE- after a bracket, a tab (export) or a quotation mark (TIGER XML)
_TEXT = rb'[(\t"]\s*-NONE-(?:[\s"]|$)'

_PIPE = "pipe"  # must be read to know if there are traces
_UNREADABLE = (InputError, OSError, ValueError, AttributeError, EOFError)  # the reader raises them


def alone_with_traces(
    sides: Sequence[Input], pool: WorkerPool | None = None
) -> tuple[bool | None, bool | None]:
    """Return for gold and the system True if it alone has traces; None for a pipe that may have some.

    A pipe may have some if the other side has none.  If the other side has some, a pipe is read into memory
    first.  Files and lists are searched up to the first trace; generators are not searched.  The processes
    of a pool search a file each.
    """
    files = [_path(side) if side.kind == FILE else None for side in sides]
    has: list[bool | str | None]
    if pool is not None and pool.shares_files and None not in files:
        calls = zip(files, [side.encoding for side in sides])
        has = [found for _, found in pool.map_calls(_search_file, calls)]
    else:
        has = [_search(side) for side in sides]
    for side, other in ((0, 1), (1, 0)):
        if has[side] == _PIPE and has[other] is not None:
            if has[other] is False:
                return (None, False) if side == 0 else (False, None)
            sides[side].keep()
            has[side] = _search(sides[side])
    gold, system = has
    return gold is True and system is False, system is True and gold is False


def _search(side: Input) -> bool | str | None:
    """Return True if a side has traces, ``_PIPE`` for a pipe, and None if it cannot be searched."""
    source: Any = side.source
    if side.kind == FILE:
        return _search_file(_path(side), side.encoding)
    if side.kind == ONCE:
        return _PIPE
    if side.kind == SEEKABLE:
        with suppress(*_UNREADABLE):
            start = source.tell()
            # Not by iteration, which disables tell() on text files.
            found = any(map(_in_text, iter(source.readline, source.read(0))))
            source.seek(start)
            return found
    return any(map(_in_item, source)) if side.kind == ITEMS and isinstance(source, Sequence) else None


def _path(side: Input) -> str:
    """Return a path as plain text, since the text of a progress bar counts what is read."""
    return str(os.fspath(side.source))


def _search_file(path: str, encoding: str | None) -> bool | None:
    """Return True if a file has traces, and None if it cannot be searched."""
    try:
        for block in lines_of(path, encoding, together=True):
            # Most blocks have no such tag.
            lines = [block] if isinstance(block, str) else split_lines(block) if _TAG in bytes(block) else []
            if any(map(_in_text, lines)):
                return True
        return False
    except _UNREADABLE:
        return None


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
