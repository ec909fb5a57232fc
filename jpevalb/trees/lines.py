"""Numbered lines of text out of whatever a reader is given: text or bytes.

The readers of all formats take the same arguments:

- ``lines``: an open file, binary or text, or any iterable of its lines;
- ``source``: the name of the file, for errors;
- ``encoding``: how bytes are read;
- ``on_error``: called with the error of a sentence that cannot be read, which then counts as a sentence
  without a parse; without it the error is raised;
- ``on_text``, where a file can be cut into sentences before they are read: called with the text of each
  sentence, in UTF-8, before the sentence is handed out; the format's ``text_parser`` reads such texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .errors import TreeError

BLANKS = " \t\n\v\f\r"
"""What separates words in every format: the six blanks of C.  A no-break space is part of a word."""

OnError = Callable[[TreeError], object]
"""Told of each sentence that cannot be read, where a reader goes on after it."""

OnText = Callable[[bytes], object]
"""Told the text of each sentence in UTF-8 before the sentence is handed out, to read it again from."""


def sample_of(lines: Iterable[Any], most: int) -> list[Any]:
    """Takes from a file's lines the first, a thousand or so many bytes: they tell its format and layout."""
    sample = []
    size = 0
    for line in lines:
        sample.append(line)
        size += len(line)
        if len(sample) >= 1000 or size >= most:
            break
    return sample


def numbered_lines(
    lines: Iterable[str] | Iterable[bytes],
    *,
    source: str | None = None,
    encoding: str = "utf-8",
    unreadable: list[TreeError] | None = None,
) -> Iterator[tuple[int, str]]:
    """Yields ``(line number from 1, line without its ending)``.

    Args:
        lines: The lines, as all readers take them.
        source: Name of the file, for errors.
        encoding: How bytes are read; text is taken as it is.
        unreadable: If given, what is wrong with a line is put there before it is yielded,
            with signs that stand for the bytes, and nothing is raised.

    Raises:
        TreeError: bytes that are not in the encoding.

    A byte order mark before the first line is dropped.  Cost: O(length).

    >>> list(numbered_lines([b"\\xef\\xbb\\xbfa\\r\\n", b"b"]))
    [(1, 'a'), (2, 'b')]
    """
    pieces: Iterable[str | bytes] = lines
    for number, line in enumerate(pieces, 1):
        if isinstance(line, str):
            text = line
        else:
            try:
                text = line.decode(encoding)
            except UnicodeDecodeError as error:
                found = TreeError(
                    f"byte {line[error.start]:#04x} is not {encoding.upper()}; name the file's encoding",
                    source=source,
                    line=number,
                    column=error.start + 1,
                )
                if unreadable is None:
                    raise found from None
                unreadable.append(found)
                text = line.decode(encoding, "replace")
        if number == 1:
            text = text.removeprefix("\ufeff")
        yield number, text.rstrip("\r\n")
