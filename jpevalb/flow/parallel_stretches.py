"""Stretches: parts of a treebank that are read on their own, on another process or machine."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

from .._core.scan import LabelCache
from ..formats import read_items
from ..formats.bracket import BOM, Origin, pieces, read_one_a_line, read_pieces
from ..model.errors import JpevalbError, TreeError
from ..model.tree import EMPTY, Tree

LINES = "lines"
"""Bracket text with one sentence a line."""
TREES = "trees"
"""Bracket text with trees over several lines."""
EXPORT = "export"
"""Sentences that begin with ``#BOS``."""
ITEMS = "items"
"""Sentences given as objects."""

FAR = 1 << 62

Parsed: TypeAlias = "tuple[Tree, TreeError | None]"
"""A sentence, and why it has no parse, if it could not be read."""


class NeedMoreError(Exception):
    """What comes next depends on what stands behind the stretch."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What is the same for all stretches of a file.

    Attributes:
        kind: ``LINES``, ``TREES``, ``EXPORT`` or ``ITEMS``.
        source: The file's name, for errors.
        format: Of the file; of items the format that the user named.
        encoding: Of the file; the bytes at hand are UTF-8 already.
        indented: As for :func:`jpevalb.formats.bracket.pieces`.
    """

    kind: str
    source: str | None = None
    format: str = "auto"
    encoding: str = "utf-8"
    indented: bool | None = None


class Place(NamedTuple):
    """A place in a file, by what is before it."""

    offset: int = 0
    """Bytes, or items."""
    line: int = 0
    """Lines."""
    sentence: int = 0
    """Sentences."""


class FilePart(NamedTuple):
    """Bytes of a file that a worker reads itself."""

    path: str
    size: int
    """Of the whole file, in bytes."""
    time: int
    """When it was changed last, in nanoseconds."""
    start: int
    end: int

    def read(self) -> bytes:
        """The bytes.

        Raises:
            OSError: the file is not the one that was meant.
        """
        with open(self.path, "rb", buffering=0) as file:
            found = os.fstat(file.fileno())
            if (found.st_size, found.st_mtime_ns) != (self.size, self.time):
                raise OSError("another file is there")
            file.seek(self.start)
            size = self.end - self.start
            data = file.read(size)
            while len(data) < size:
                more = file.read(size - len(data))
                if not more:
                    raise OSError("the file has become shorter")
                data += more
        return data


@dataclass(frozen=True, slots=True)
class Stretch:
    """Part of a file, with some of what follows.

    Attributes:
        layout: How the file is read.
        start: Where the part begins.
        data: Its bytes or items, and those that may be looked ahead at.
        target: Bytes or items of the file up to the part's end.
        last: Whether the file ends with ``data``.
    """

    layout: Layout
    start: Place
    data: bytes | list[Any] | FilePart
    target: int
    last: bool

    def bytes(self) -> bytes:
        """The bytes as they are in the file."""
        data = self.data.read() if isinstance(self.data, FilePart) else self.data
        assert not isinstance(data, list)
        return data

    def in_file(self, file: FilePart) -> Stretch:
        """The same with the bytes left in the file."""
        assert isinstance(self.data, bytes)
        begin = self.start.offset
        return replace(self, data=file._replace(start=begin, end=begin + len(self.data)))

    def reading(self, *, resume: bool) -> Reading:
        """Begins to read it.

        Args:
            resume: Whether to go on after sentences that cannot be read.

        Raises:
            OSError: the data is in a file that is not there.
        """
        data = self.data
        if isinstance(data, FilePart):
            data = data.read()
            if self.start.offset == 0 and data.startswith(BOM):
                data = b"   " + data[3:]
        items: Iterable[Any] = io.BytesIO(data) if isinstance(data, bytes) else data
        return Reading(self.layout, self.start, items, self.target, last=self.last, resume=resume)


class Reading:
    """The sentences of a file from a place on, and where each of them begins.

    Attributes:
        end: The first sentence at the target or behind it, from 0 for the first one
            read; ``FAR`` until it is known, which it is once the one before has been read.
    """

    def __init__(
        self,
        layout: Layout,
        start: Place,
        source: Iterable[Any],
        target: int,
        *,
        last: bool,
        resume: bool,
    ) -> None:
        self.layout = layout
        self.start = start
        self.end = 0 if target <= start.offset else FAR
        self._target = target
        self._source = source
        self._last = last
        self._resume = resume
        self._sizes: list[int] = []
        self._marks: dict[int, tuple[int, int]] = {0: (start.offset, start.line)}

    def sentences(self) -> Iterator[Parsed]:
        """Yields the sentences.

        Raises:
            TreeError: a sentence that cannot be read.
            NeedMoreError: the data ends before the file does.
        """
        if self.layout.kind == TREES:
            return self._of_pieces()
        return self._one_each()

    def is_place(self, sentence: int) -> bool:
        """Whether reading can begin at a sentence: not where it is behind another one on its line.

        Args:
            sentence: One of those read, or the next one, from 0.
        """
        return self.layout.kind != TREES or sentence in self._marks

    def place(self, sentence: int) -> Place:
        """Where a sentence begins; reading can begin there."""
        start = self.start
        if self.layout.kind == TREES:
            return Place(*self._marks[sentence], start.sentence + sentence)
        size = sentence if self.layout.kind == ITEMS else sum(self._sizes[:sentence])
        return Place(start.offset + size, start.line + sentence, start.sentence + sentence)

    # -- one sentence a line, or an item ---------------------------------------------------

    def _one_each(self) -> Iterator[Parsed]:
        errors: list[TreeError] = []
        on_error = errors.append if self._resume else None
        layout, start = self.layout, self.start
        if layout.kind == ITEMS:
            yield from self._of_items(on_error, errors)
            return
        origin = Origin(layout.source, layout.encoding, LabelCache())
        trees = read_one_a_line(self._lines(), origin, on_error, start.line + 1, start.offset)
        for tree in trees:
            yield tree, errors.pop() if errors else None

    def _lines(self) -> Iterator[bytes]:
        """The lines of the data; finds out which sentence the target is."""
        sizes, target, offset = self._sizes, self._target, self.start.offset
        for line in self._source:
            size = len(line)
            sizes.append(size)
            offset += size
            if offset >= target:
                self.end = min(self.end, len(sizes))
            yield line
        if not self._last:
            raise NeedMoreError

    def _of_items(
        self, on_error: Callable[[TreeError], object] | None, errors: list[TreeError]
    ) -> Iterator[Parsed]:
        first = self.start.offset
        self.end = max(0, self._target - first)
        for number, item in enumerate(self._source, first + 1):
            if isinstance(item, Tree):
                yield item, None
            elif isinstance(item, TreeError):
                yield EMPTY, item
            else:
                for tree in read_items((item,), self.layout.format, on_error, number):
                    yield tree, errors.pop() if errors else None
        if not self._last:
            raise NeedMoreError

    # -- trees over several lines ----------------------------------------------------------

    def _of_pieces(self) -> Iterator[Parsed]:
        layout, start = self.layout, self.start
        origin = Origin(layout.source, layout.encoding, LabelCache())
        found = pieces(
            self._open_lines(),
            layout.source,
            resume=self._resume,
            number=start.line + 1,
            offset=start.offset,
            indented=layout.indented,
        )
        errors: list[TreeError] = []
        count = 0
        for piece in found:
            data, line, offset = piece
            trees: list[Parsed] = []
            try:
                for tree in read_pieces((piece,), origin, errors.append if self._resume else None):
                    trees.append((tree, errors.pop() if errors else None))
            except JpevalbError:
                yield from trees
                raise
            count += len(trees)
            self._marks[count] = (offset + len(data), line - 1 + data.count(b"\n"))
            if offset + len(data) >= self._target:
                self.end = min(self.end, count)
            yield from trees

    def _open_lines(self) -> Iterator[bytes]:
        yield from self._source
        if not self._last:
            raise NeedMoreError
