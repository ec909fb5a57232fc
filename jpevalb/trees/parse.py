"""The parts of a tree from its bracket text, and what is said of text that is none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from ..kernels.scan import NOTHING, OPEN, TREE, LabelCache, scan_tree
from .errors import TreeError
from .text import is_utf8

_Words: TypeAlias = "tuple[str, ...]"
_Places: TypeAlias = "tuple[int, ...]"
Parts: TypeAlias = "tuple[_Words, _Places, _Places, _Places, _Words, _Places]"
"""Labels, parents, starts, ends, words and words' parents of a tree, as ``Tree`` takes them."""


class Origin(NamedTuple):
    """What is the same for all sentences of a file."""

    source: str | None
    encoding: str
    cache: LabelCache | None = None


def parse(data: bytes, origin: Origin, line: int | None, offset: int | None) -> Parts | None:
    """The parts of the tree of one sentence; several trees stand under one root without label.

    Args:
        data: The sentence in UTF-8.
        origin: The file.
        line: Number of its first line, from 1.
        offset: Bytes of the file before it.

    Returns:
        The parts, or ``None`` where there are only blanks.

    Raises:
        TreeError: brackets that do not balance, text outside brackets, or bytes that are not UTF-8.

    Cost: O(bytes).
    """
    tree, place = scan(data, 0, origin, line, offset)
    if tree is None:
        return None
    # Behind the tree is mostly the end of the line and no more; else it is a tree, or an error.
    if place == len(data) or data[place:].isspace():
        return tree
    found = [tree]
    while place < len(data):
        tree, place = scan(data, place, origin, line, offset)
        if tree is not None:
            found.append(tree)
    return joined(found)


def scan(
    data: bytes, begin: int, origin: Origin, line: int | None, offset: int | None
) -> tuple[Parts | None, int]:
    """The parts of the next tree and the place behind it, or ``None`` where only blanks are left."""
    try:
        found = scan_tree(data, begin, len(data), origin.cache)
    except UnicodeDecodeError:
        raise _undecodable(data, begin, origin, line, offset) from None
    code, place = found[:2]
    if code == TREE:
        return found[2:], place
    if code == NOTHING:
        return None, place
    at_line, column = _place(data, place, line)
    if code == OPEN:
        missing = data.count(b"(", place) - data.count(b")", place)
        what = "1 ')' is" if missing == 1 else f"{missing} ')' are"
        message = f"the tree that begins here is not closed: {what} missing"
    else:
        text = data[place:].split(None, 1)[0]
        try:
            shown = text.decode("utf-8")
        except UnicodeDecodeError:
            raise _undecodable(data, place, origin, line, offset) from None
        if shown.startswith(")"):
            message = "found ')' outside a tree; expected '(' or the end of the sentence: one ')' too many"
        else:
            message = f"found {shorten(shown)} outside a tree; expected '('"
    raise TreeError(message, source=origin.source, line=at_line, column=column)


def _place(data: bytes, at: int, line: int | None) -> tuple[int | None, int]:
    """Line number and column of a byte of a sentence that begins at a line."""
    before = data[:at]
    begin = before.rfind(b"\n") + 1
    column = len(before[begin:].decode("utf-8", "replace")) + 1
    return (None if line is None else line + before.count(b"\n")), column


def _undecodable(data: bytes, begin: int, origin: Origin, line: int | None, offset: int | None) -> TreeError:
    """The error for the first byte from ``begin`` on that is not in the file's encoding."""
    try:
        data[begin:].decode("utf-8")
    except UnicodeDecodeError as error:
        at = begin + error.start
    else:
        raise AssertionError("called for bytes that are UTF-8")
    at_line, column = _place(data, at, line)
    same = is_utf8(origin.encoding)
    name = "UTF-8" if same else origin.encoding.upper()
    where = f" (byte {offset + at} of the file, from 0)" if same and offset is not None else ""
    advice = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "latin-1"
    return TreeError(
        f"byte {data[at]:#04x}{where} is not {name}; name the file's encoding, such as --encoding {advice}",
        source=origin.source,
        line=at_line,
        column=column,
    )


def shorten(text: str, limit: int = 30) -> str:
    """The text in quotes, cut where it is long.

    >>> shorten("cat"), shorten("a" * 99, 5)
    ("'cat'", "'aaaaa...'")
    """
    return repr(text if len(text) <= limit else text[:limit] + "...")


def joined(trees: Sequence[Parts], label: str = "") -> Parts:
    """The parts of trees in order under one new root.  Cost: O(nodes + words)."""
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
