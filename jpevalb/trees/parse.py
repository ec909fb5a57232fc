"""Parser for bracketed trees, and its error messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from ..base.errors import TreeError, encoding_error
from ..base.text import is_utf8
from ..kernels.scan import NOTHING, OPEN, TREE, LabelCache, scan_tree

_Texts: TypeAlias = "tuple[str, ...]"
_Ints: TypeAlias = "tuple[int, ...]"
Parts: TypeAlias = "tuple[_Texts, _Ints, _Ints, _Ints, _Texts, _Ints]"  # arguments of `Tree`


class Origin(NamedTuple):
    """Name, encoding and label cache of the file that a sentence is from."""

    source: str | None = None
    encoding: str = "utf-8"
    cache: LabelCache | None = None


NO_FILE = Origin()
NO_TREE = " outside a tree; expected '('"  # end of the message for a text outside trees
NO_RECORD = " outside a record; expected '{'"  # the same of JSON


def new_origin(source: str | None = None, encoding: str | None = None) -> Origin:
    """Return the origin of the sentences of one file, with an empty cache."""
    return Origin(source, encoding or "utf-8", LabelCache())


def parse(
    data: bytes, origin: Origin = NO_FILE, line: int | None = None, offset: int | None = None
) -> Parts | None:
    """Parse one sentence, at a line and byte offset; several trees get a root, blank text gives ``None``."""
    tree, end = scan(data, 0, origin, line, offset)
    if tree is None:
        return None
    # Usually only a line end follows.
    if end == len(data) or data[end:].isspace():
        return tree
    trees = [tree]
    while end < len(data):
        tree, end = scan(data, end, origin, line, offset)
        if tree is not None:
            trees.append(tree)
    return joined(trees)


def scan(
    data: bytes, begin: int, origin: Origin, line: int | None, offset: int | None
) -> tuple[Parts | None, int]:
    """Parse the next tree; return it, or ``None`` if only blanks are left, and the index after it."""
    try:
        found = scan_tree(data, begin, len(data), origin.cache)
    except UnicodeDecodeError:
        raise undecodable(data, begin, origin, line, offset) from None
    code, index = found[:2]
    if code == TREE:
        return found[2:], index
    if code == NOTHING:
        return None, index
    if code == OPEN:
        missing = data.count(b"(", index) - data.count(b")", index)
        number = "1 ')' is" if missing == 1 else f"{missing} ')' are"
        message = f"the tree that begins here is not closed: {number} missing"
    else:
        text = data[index:].split(None, 1)[0]
        try:
            shown = text.decode("utf-8")
        except UnicodeDecodeError:
            raise undecodable(data, index, origin, line, offset) from None
        if shown.startswith(")"):
            message = "')' outside a tree; expected '(' or the end of the sentence: one ')' too many"
        else:
            message = shorten(shown) + NO_TREE
    line, column = _position(data, index, line)
    raise TreeError(message, source=origin.source, line=line, column=column)


def _position(data: bytes, index: int, line: int | None) -> tuple[int | None, int]:
    """Return line number and column of a byte of a sentence that begins at a line."""
    before = data[:index]
    begin = before.rfind(b"\n") + 1
    column = len(before[begin:].decode("utf-8", "replace")) + 1
    return (None if line is None else line + before.count(b"\n")), column


def undecodable(data: bytes, begin: int, origin: Origin, line: int | None, offset: int | None) -> TreeError:
    """Return the error for the first byte from ``begin`` on that is not in the file's encoding."""
    try:
        data[begin:].decode("utf-8")
    except UnicodeDecodeError as error:
        index = begin + error.start
    utf8 = is_utf8(origin.encoding)
    name = "UTF-8" if utf8 else origin.encoding.upper()
    at = f" (byte {offset + index} of the file, from 0)" if utf8 and offset is not None else ""
    problem = f"byte {data[index]:#04x}{at} is not {name}"
    line, column = _position(data, index, line)
    return encoding_error(problem, origin.encoding, data, source=origin.source, line=line, column=column)


def shorten(text: str, limit: int = 30) -> str:
    """Return the text in quotes, shortened if it is long."""
    return repr(text if len(text) <= limit else text[:limit] + "...")


def joined(trees: Sequence[Parts], label: str = "") -> Parts:
    """Put trees under one new root, in order."""
    labels: list[str] = [label]
    parents: list[int] = [-1]
    starts: list[int] = [0]
    ends: list[int] = [0]
    words: list[str] = []
    word_parents: list[int] = []
    for tree in trees:
        nodes, tokens = len(labels), len(words)
        labels.extend(tree[0])
        parents += [parent + nodes if parent >= 0 else 0 for parent in tree[1]]
        starts += [start + tokens for start in tree[2]]
        ends += [end + tokens for end in tree[3]]
        words.extend(tree[4])
        word_parents += [parent + nodes for parent in tree[5]]
    ends[0] = len(words)
    return tuple(labels), tuple(parents), tuple(starts), tuple(ends), tuple(words), tuple(word_parents)
