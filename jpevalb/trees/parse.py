"""Errors of trees in brackets, with their places."""

from __future__ import annotations

from typing import NamedTuple

from ..base.errors import TreeError, encoding_error
from ..base.text import is_utf8
from ..kernels.columns import OPEN, BadTreeError


class Origin(NamedTuple):
    """Name and encoding of the file that a sentence is from."""

    source: str | None = None
    encoding: str = "utf-8"


NO_FILE = Origin()
NO_TREE = " outside a tree; expected '('"  # end of the message for a text outside trees
NO_RECORD = " outside a record; expected '{'"  # the same of JSON


def reading_error(
    error: UnicodeDecodeError | BadTreeError,
    data: bytes,
    begin: int = 0,
    origin: Origin = NO_FILE,
    line: int | None = None,
    offset: int | None = None,
) -> TreeError:
    """Return the error of a sentence from an index of a text on, at a line and byte offset of a file."""
    if isinstance(error, UnicodeDecodeError):
        return undecodable(data, begin, origin, line, offset)
    problem, index = error.args
    return bad_tree(data, problem, begin + index, origin, line, offset)


def bad_tree(
    data: bytes,
    problem: str,
    index: int,
    origin: Origin = NO_FILE,
    line: int | None = None,
    offset: int | None = None,
) -> TreeError:
    """Return the error of a text whose tree at an index is missing or not closed."""
    if problem == OPEN:
        missing = data.count(b"(", index) - data.count(b")", index)
        number = "1 ')' is" if missing == 1 else f"{missing} ')' are"
        message = f"the tree that begins here is not closed: {number} missing"
    else:
        text = data[index:].split(None, 1)[0]
        try:
            shown = text.decode("utf-8")
        except UnicodeDecodeError:
            return undecodable(data, index, origin, line, offset)
        if shown.startswith(")"):
            message = "')' outside a tree; expected '(' or the end of the sentence: one ')' too many"
        else:
            message = shorten(shown) + NO_TREE
    line, column = _position(data, index, line)
    return TreeError(message, source=origin.source, line=line, column=column)


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
