"""Numbered lines of text or bytes, and the contract of the readers of all formats.

A reader is a function that yields trees and takes these arguments:

- ``lines``: an open file, binary or text, or any iterable of its lines;
- ``source``: name of the file, for errors;
- ``encoding``: encoding of bytes;
- ``on_error``: called with the error of each sentence that cannot be read, which then yields the empty
  tree; without it the error is raised;
- ``on_text``, only if sentences can be cut out before they are parsed: called with the UTF-8 text of each
  sentence before its tree is yielded; the ``text_parser`` of the format parses such texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from .errors import TreeError, encoding_error
from .typed import Any

BLANKS = " \t\n\v\f\r"
"""Separators of words in every format: C's six blanks.  A no-break space is part of a word."""

OnError = Callable[[TreeError], object]
"""Callback for each sentence that cannot be read."""

OnText = Callable[[bytes], object]
"""Callback for the UTF-8 text of each sentence."""


def sample_of(lines: Iterable[Any], max_bytes: int) -> list[Any]:
    """Take the first lines of a file, up to 1,000, to detect its format and layout."""
    sample = []
    size = 0
    for line in lines:
        sample.append(line)
        size += len(line)
        if len(sample) >= 1000 or size >= max_bytes:
            break
    return sample


def numbered_lines(
    lines: Iterable[str] | Iterable[bytes],
    *,
    source: str | None = None,
    encoding: str = "utf-8",
    unreadable: list[TreeError] | None = None,
) -> Iterator[tuple[int, str]]:
    """Yield ``(line number from 1, line without its ending)``, without a byte order mark.

    Args:
        lines: The lines, as passed to the reader.
        source: Name of the file, for errors.
        encoding: Encoding of bytes; text is not decoded.
        unreadable: If given, errors are appended to this list instead of raised, and the line is yielded
            with replacement characters.

    Raises:
        TreeError: bytes that are not in the encoding.

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
                problem = encoding_error(
                    f"byte {line[error.start]:#04x} is not {encoding.upper()}",
                    encoding,
                    line,
                    source=source,
                    line=number,
                    column=error.start + 1,
                )
                if unreadable is None:
                    raise problem from None
                unreadable.append(problem)
                text = line.decode(encoding, "replace")
        if number == 1:
            text = text.removeprefix("\ufeff")
        yield number, text.rstrip("\r\n")


def tree_part(line: bytes) -> bytes | None:
    """Return a line outside trees as :func:`jpevalb.trees.around.bare_line` does."""
    if line.lstrip()[:1] in (b"(", b""):
        return line
    # Most files have no such line, and its patterns take time to compile.
    from .around import bare_line

    return bare_line(line)
