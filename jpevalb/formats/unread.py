"""Unread trees: sentences that are only compared here, and read by whoever scores them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..model.tree import Tree


class Unread(Tree):
    """The tree of a text, which is read once anything of the tree is asked for.

    Args:
        data: The bracket text of one sentence in UTF-8, of which ``is_tree`` is true.
        read: Reads it.

    >>> from jpevalb.formats.bracket import parse_sentence
    >>> tree = Unread(b"(S (NN a) (VB b))", parse_sentence)
    >>> tree.data, tree.words
    (b'(S (NN a) (VB b))', ('a', 'b'))
    """

    __slots__ = ("_read", "data")

    def __init__(self, data: bytes, read: Callable[[bytes], Tree]) -> None:
        _set_data(self, data)
        _set_read(self, read)

    def __getattr__(self, name: str) -> Any:
        # Asked only of what has no value yet.
        if name not in Tree.__match_args__:
            raise AttributeError(name)
        self.__setstate__(self._read(self.data).__getstate__())
        return getattr(self, name)


_set_data, _set_read = Unread.data.__set__, Unread._read.__set__  # type: ignore[attr-defined]
