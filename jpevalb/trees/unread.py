"""Trees that are parsed from their text on first access."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from ..base.fields import set_fields
from ..base.text import split_lines
from ..kernels.scan import first_lines, is_tree
from .parse import NO_FILE, Origin, parse
from .tree import Tree


def parse_sentence(
    data: bytes, origin: Origin = NO_FILE, line: int | None = None, offset: int | None = None
) -> Tree:
    """Parse one sentence of UTF-8 bytes, on one line or several; blank text gives the empty tree."""
    return Tree.of_columns(parse(data, origin, line, offset))


class Unread(Tree):
    """A tree that is parsed from its valid UTF-8 bracket text on first access."""

    __slots__ = ("_read", "data")

    is_valid = staticmethod(is_tree)
    from_text = staticmethod(parse_sentence)

    @classmethod
    def text_parser(cls) -> Callable[[bytes], Tree]:
        """Return the parser of the texts given to ``on_text``."""
        return cls.from_text

    def __repr__(self) -> str:
        return repr(self.replace())

    def __init__(self, data: bytes, read: Callable[[bytes], Tree]) -> None:
        set_fields(self, ("data", "_read"), (data, read))

    def __getattr__(self, name: str) -> Any:
        # Called only while a slot is unset; first all are.
        if name in _OF_TREE:
            set_fields(self, _OF_TREE, _VALUES(self._read(self.data)))
            return getattr(self, name)
        return super().__getattr__(name)


class LineBlock(NamedTuple):
    """Consecutive whole lines of a file that has a sentence on each line."""

    data: bytes | memoryview
    size: int  # number of lines
    kind: type[Unread]
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
        return LineBlock(data, first_lines(data)[0], self.kind, self.origin, *place)

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
        count, end = first_lines(data, count)
        rest = data[end:], self.size - count, self.kind, self.origin, self.line + count, self.offset + end
        return self._replace(data=data[:end], size=count), LineBlock(*rest)


_OF_TREE = ("columns", "id", "edges")
_VALUES = attrgetter(*_OF_TREE)
