"""Traces (words tagged ``-NONE-``): find out if only one of two files has some."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..base.errors import InputError
from ..base.files import is_wide, open_blocks
from ..base.streams import is_pipe
from ..formats.read import lines_of
from ..settings.labels import TRACE
from ..trees.tree import Tree, is_node
from .inputs import Replayable

if TYPE_CHECKING:
    from .pairing import Side

_TAG = TRACE.encode()

# A tag -NONE- after a bracket, a tab (export) or a quotation mark (TIGER XML)
_TEXT = rb'[(\t"]\s*-NONE-(?:[\s"]|$)'

_PIPE = "pipe"  # must be read to know if there are traces


def one_side_has_traces(gold: Side, system: Side) -> bool:
    """Return True if exactly one side has, or may have, traces.

    That side is marked: with ``has_traces``, or with ``watched`` if it is a pipe and the other side has no
    traces.  If the other side has some, a pipe is read into memory first.  Files and lists are searched up
    to the first trace; generators are not searched.
    """
    sides = gold, system
    has = [_search(gold), _search(system)]
    for side, other in ((0, 1), (1, 0)):
        if has[side] == _PIPE and has[other] is not None:
            if has[other] is False:
                sides[side].watched = True
                return True
            sides[side].source = Replayable(sides[side].source, sides[side].encoding).open()
            has[side] = _search(sides[side])
    if set(has) != {True, False}:
        return False
    sides[has.index(True)].has_traces = True
    return True


def _search(side: Side) -> bool | str | None:
    """Return True if a side has traces, ``_PIPE`` for a pipe, and None if it cannot be searched."""
    source: Any = side.source
    try:
        if isinstance(source, (str, os.PathLike)):
            # The plain path: that of a progress bar would count what is searched as read.
            path = os.fspath(source)
            if os.path.isfile(path):
                lines = lines_of(path, side.encoding)
                return _contains_tag(path, side.encoding) and any(map(_in_text, lines))
            return _PIPE if path == "-" or is_pipe(path) else None
        if hasattr(source, "read"):
            if not source.seekable():
                return _PIPE
            start = source.tell()
            # Not by iteration, which disables tell() on text files.
            found = any(map(_in_text, iter(source.readline, source.read(0))))
            source.seek(start)
            return found
    except (InputError, OSError, ValueError, AttributeError, EOFError):
        return None  # the reader raises it
    return any(map(_in_item, source)) if isinstance(source, Sequence) else None


def _contains_tag(path: Any, encoding: str | None) -> bool:
    """Search the bytes of a file for the tag, which is faster than by lines."""
    if is_wide(encoding):
        return True
    with open_blocks(path) as blocks:
        end = b""
        for block in blocks:
            if _TAG in block or _TAG in end + block[: len(_TAG)]:
                return True
            end = (end + block[-len(_TAG) :])[1 - len(_TAG) :]
    return False


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
