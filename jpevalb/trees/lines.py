"""Sentences of lines, and blocks of lines that are not read yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from ..base.text import count_lines, split_lines
from ..kernels.columns import BadTreeError, current_names
from .parse import NO_FILE, Origin, reading_error
from .tree import Tree
from .unusual import read_text


def parse_sentence(
    data: bytes, origin: Origin = NO_FILE, line: int | None = None, offset: int | None = None
) -> Tree:
    """Parse one sentence of UTF-8 bytes, on one line or several; blank text gives the empty tree."""
    try:
        return Tree.of_columns(read_text(data, current_names()))
    except (UnicodeDecodeError, BadTreeError) as error:
        raise reading_error(error, data, 0, origin, line, offset) from None


Parse: TypeAlias = "Callable[..., Tree]"
"""Parses a line, which may be followed by its :class:`Origin`, number and byte offset.  It is a function of a
module, so that it can be pickled."""


class LineBlock(NamedTuple):
    """Consecutive whole lines of a file that has a sentence on each line."""

    data: bytes | memoryview
    size: int  # number of lines
    parse: Parse
    origin: Origin
    line: int = 0  # number of lines before it in the file
    offset: int = 0  # number of bytes before it in the file

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        """Pickle the lines as a buffer, which a pool may send without copying them."""
        from pickle import PickleBuffer

        data: Any = PickleBuffer(self.data) if protocol >= 5 else bytes(self.data)
        return LineBlock, (data, *self[1:])

    def lines(self) -> list[bytes]:
        """Return the lines with their ends."""
        return split_lines(self.data)

    def followed_by(self, data: bytes | memoryview) -> LineBlock:
        """Return the block of the lines after these."""
        place = self.line + self.size, self.offset + len(self.data)
        return LineBlock(data, count_lines(data), self.parse, self.origin, *place)

    @classmethod
    def joined(cls, blocks: Sequence[LineBlock]) -> LineBlock:
        """Return consecutive blocks as one."""
        if len(blocks) == 1:
            return blocks[0]
        size = sum([block.size for block in blocks])
        return blocks[0]._replace(data=b"".join([block.data for block in blocks]), size=size)

    def split(self, count: int) -> tuple[LineBlock, LineBlock]:
        """Return the first lines and the others."""
        data = memoryview(self.data)
        first = self.lines()[:count]
        count, end = len(first), sum(map(len, first))
        rest = data[end:], self.size - count, self.parse, self.origin, self.line + count, self.offset + end
        return self._replace(data=data[:end], size=count), LineBlock(*rest)
