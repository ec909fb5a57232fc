"""Traces: whether the words tagged ``-NONE-`` count, where one of two files may have none."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..trees.errors import InputError
from ..trees.files import guarded, input_name, is_wide, open_blocks, open_lines
from ..trees.labels import TRACE
from ..trees.streams import is_pipe
from ..trees.tree import Tree
from .inputs import joined, named_file

if TYPE_CHECKING:
    from .pairing import Side

_TAG = TRACE.encode()

_TEXT = rb'[(\t"]\s*-NONE-(?:[\s"]|$)'
"""A tag ``-NONE-``: behind a bracket, a tab (export) or a quotation mark (TIGER XML)."""


_YES, _NO, _PIPE, _UNKNOWN = "yes", "no", "pipe", "unknown"
"""Whether a side has traces, where that can be known before it is read."""


def one_side_has_traces(gold: Side, system: Side) -> bool:
    """Whether words tagged ``-NONE-`` are left out, since one side alone has some, or may have.

    That side is marked: ``has_traces``, or ``watched`` where it is a pipe beside a side that has none,
    whose traces are taken out as they come.  Beside a side that has some a pipe is read into memory
    first.  A file, a list and what can be wound back is searched; what is handed out item by item, by a
    generator, is taken as it is.

    Raises:
        InputError: a pipe cannot be read.

    Cost: that of reading each file up to its first trace; O(1) memory but for pipes.
    """
    sides = gold, system
    has = [_has(gold), _has(system)]
    if _UNKNOWN in has:
        return False
    if has == [_PIPE, _PIPE]:
        has[0] = _kept(gold)
    if _PIPE in has:
        pipe = has.index(_PIPE)
        if has[1 - pipe] == _NO:
            sides[pipe].watched = True
            return True
        has[pipe] = _kept(sides[pipe])
    if has[0] == has[1]:
        return False
    sides[has.index(_YES)].has_traces = True
    return True


def _has(side: Side) -> str:
    source: Any = side.source
    try:
        if isinstance(source, (str, os.PathLike)):
            # Without what follows how far a run has come.
            path = str(source) if isinstance(source, str) else source
            if os.path.isfile(path):
                if not _may_have(path, side.encoding):
                    return _NO
                with open_lines(path, encoding=side.encoding) as lines:
                    return _answer(map(_in_text, lines))
            return _PIPE if path == "-" or is_pipe(os.fspath(path)) else _UNKNOWN
        if hasattr(source, "read"):
            if not source.seekable():
                return _PIPE
            place = source.tell()
            # Not by iteration: a text file then says nothing of its place.
            found = _answer(map(_in_text, iter(source.readline, source.read(0))))
            source.seek(place)
            return found
    except (InputError, OSError, ValueError, AttributeError, EOFError):
        # The run itself comes upon it, and says so.
        return _UNKNOWN
    return _answer(map(_in_item, source)) if isinstance(source, Sequence) else _UNKNOWN


def _kept(side: Side) -> str:
    """Whether a pipe has traces; what it has given is kept as a file of its name."""
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


def _may_have(path: Any, encoding: str | None) -> bool:
    """Whether the letters of the tag are in the bytes of a file, which are searched faster than its lines."""
    if is_wide(encoding):
        return True
    with open_blocks(path) as blocks:
        end = b""
        for block in blocks:
            if _TAG in end + block:
                return True
            end = (end + block)[1 - len(_TAG) :]
    return False


def _answer(found: Iterable[bool]) -> str:
    return _YES if any(found) else _NO


def _in_text(text: str | bytes) -> bool:
    if isinstance(text, str):
        return TRACE in text and re.search(_TEXT, text.encode("utf-8", "surrogatepass")) is not None
    return _TAG in text and re.search(_TEXT, text) is not None


def _in_item(item: Any) -> bool:
    """Whether a sentence of a list has a trace: a text, a tree, or an nltk tree."""
    if isinstance(item, (str, bytes)):
        return _in_text(item)
    if isinstance(item, Tree):
        return TRACE in item.tags
    leaves = getattr(item, "pos", None)
    return callable(leaves) and any(tag == TRACE for _, tag in leaves())
