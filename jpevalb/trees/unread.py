"""Trees that are parsed from their text on first access."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from ..kernels.scan import is_tree
from .parse import NO_FILE, Origin, new_origin, parse
from .tree import EMPTY, Tree


def parse_sentence(
    data: bytes, origin: Origin = NO_FILE, line: int | None = None, offset: int | None = None
) -> Tree:
    """Parse one sentence of UTF-8 bytes, on one line or several; blank text gives the empty tree."""
    parts = parse(data, origin, line, offset)
    return EMPTY if parts is None else Tree(*parts)


class Unread(Tree):
    """A tree that is parsed from its valid UTF-8 bracket text on first access."""

    __slots__ = ("_read", "data")

    is_valid = staticmethod(is_tree)
    from_text = staticmethod(parse_sentence)

    @classmethod
    def text_parser(cls) -> Callable[[bytes], Tree]:
        """Return the parser of the texts given to ``on_text``."""
        return partial(cls.from_text, origin=new_origin())

    def __repr__(self) -> str:
        return repr(self.replace())

    def __init__(self, data: bytes, read: Callable[[bytes], Tree]) -> None:
        _set_data(self, data)
        _set_read(self, read)

    def __getattr__(self, name: str) -> Any:
        # Called only while the slots are unset.
        if name not in Tree.__match_args__:
            raise AttributeError(name)
        self.__setstate__(self._read(self.data).__getstate__())
        return getattr(self, name)


class UnreadLines(NamedTuple):
    """Consecutive lines of a file that hold a sentence each, not parsed yet."""

    texts: list[bytes]
    kind: type[Unread]
    origin: Origin
    line: int  # number of the first line
    offset: int  # number of bytes before it in the file
    number: int = 0  # number of the first sentence

    def parse(self, index: int) -> Tree:
        """Parse a line; raise a TreeError with its place."""
        offset = self.offset + sum(map(len, self.texts[:index]))
        tree: Tree = self.kind.from_text(self.texts[index], self.origin, self.line + index, offset)
        return tree

    def split(self, count: int) -> tuple[UnreadLines, UnreadLines]:
        """Return the first lines and the others."""
        place = self.line + count, self.offset + sum(map(len, self.texts[:count])), self.number + count
        return self._replace(texts=self.texts[:count]), UnreadLines(self.texts[count:], *self[1:3], *place)


_set_data, _set_read = Unread.data.__set__, Unread._read.__set__  # type: ignore[attr-defined]
