"""Traces: whether the words tagged ``-NONE-`` count, where one of two files may have none."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from typing import Any

from ..formats import Source
from ..formats.files import guarded, input_name, is_wide, open_blocks, open_lines
from ..model.errors import InputError
from ..model.labels import TRACE
from ..model.pipes import is_pipe
from ..model.tree import Tree
from .sources import joined, named_file

_TAG = TRACE.encode()

_TEXT = rb'[(\t"]\s*-NONE-(?:[\s"]|$)'
"""A tag ``-NONE-``: behind a bracket, a tab (export) or a quotation mark (TIGER XML)."""


NEITHER, GOLD, SYSTEM, WATCH_GOLD, WATCH_SYSTEM = "neither", "gold", "system", "watch gold", "watch system"
"""Which side alone has traces: none (or both, or it cannot be known), one of them, or one of them if any."""


class Sources:
    """The sources of the two files of a run, looked at before they are read.

    A file, a list and what can be wound back is searched.  A pipe is read into memory first where the
    other side has traces; where that has none the pipe's are taken out as they come.  What is handed
    out item by item, by a generator, is taken as it is.
    """

    def __init__(self, gold: Source, system: Source, encodings: Sequence[str | None]) -> None:
        self.sources = [gold, system]
        self._encodings = encodings

    def alone(self) -> str:
        """The side that alone has traces, as :data:`NEITHER` and those beside it say.

        Cost: that of reading each file up to its first trace; O(1) memory but for pipes.
        """
        has = [self._has(0), self._has(1)]
        if _UNKNOWN in has:
            return NEITHER
        if has == [_PIPE, _PIPE]:
            has[0] = self._kept(0)
        for side, other, watched in ((0, 1, WATCH_GOLD), (1, 0, WATCH_SYSTEM)):
            if has[side] == _PIPE:
                if has[other] == _NO:
                    return watched
                has[side] = self._kept(side)
        if _UNKNOWN in has or has[0] == has[1]:
            return NEITHER
        return GOLD if has[0] == _YES else SYSTEM

    def _has(self, side: int) -> str:
        source: Any = self.sources[side]
        try:
            if isinstance(source, (str, os.PathLike)):
                # Without what follows how far a run has come.
                path = str(source) if isinstance(source, str) else source
                if os.path.isfile(path):
                    if not _may_have(path, self._encodings[side]):
                        return _NO
                    with open_lines(path, encoding=self._encodings[side]) as lines:
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

    def _kept(self, side: int) -> str:
        """Whether a pipe has traces; what it has given is kept as a file of its name.

        Raises:
            InputError: it cannot be read.
        """
        source: Any = self.sources[side]
        if isinstance(source, (str, os.PathLike)):
            name = input_name(source)
            with open_blocks(source) as blocks:
                whole = joined(blocks)
        else:
            name = str(getattr(source, "name", "<file>"))
            whole = joined(guarded(source, name))
        self.sources[side] = named_file(whole, name)
        encoding = self._encodings[side]
        if isinstance(whole, bytes) and encoding is not None:
            whole = whole.decode(encoding, "replace")
        return _answer([_in_text(whole)])


_YES, _NO, _PIPE, _UNKNOWN = "yes", "no", "pipe", "unknown"


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
