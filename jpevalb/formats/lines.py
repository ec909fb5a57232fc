"""Numbered lines of text or bytes, and the contract of the readers of all formats.

A reader is a function that yields trees and takes these arguments:

- ``lines``: an open file, binary or text, or any iterable of its lines;
- ``source``: name of the file, for errors;
- ``encoding``: encoding of bytes;
- ``on_error``: called with the error of each sentence that cannot be read, which then yields the empty
  tree; without it the error is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from ..base.errors import JpevalbError, TreeError, encoding_error, reported
from ..base.files import check_length
from ..base.text import is_utf8
from ..trees.parse import read_text
from ..trees.tree import EMPTY, Tree

BLANKS = " \t\n\v\f\r"  # separators of words in every format; a no-break space is part of a word
OnError = Callable[[TreeError], object]  # callback for each sentence that cannot be read
BOM = b"\xef\xbb\xbf"
BLOCK = 1 << 16  # number of bytes of lines that are looked at, or that are read together


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


def tree_part(line: bytes) -> bytes | None:
    """Return a line outside trees as :func:`jpevalb.formats.around.bare_line` does."""
    if line.lstrip()[:1] in (b"(", b""):
        return line
    # Most files have no such line, and its patterns take time to compile.
    from .around import bare_line

    return bare_line(line)


class Lines:
    """The lines of a file for a :func:`reader`, iterated over as numbers and texts without line endings."""

    def __init__(self, raw: Iterable[Any], encoding: str | None, skips: bool) -> None:
        self.raw, self.encoding = raw, encoding
        self.skips = skips  # True if the caller goes on after an error
        self._damage: TreeError | None = None
        self._numbered = self._decoded(encoding or "utf-8")

    def __iter__(self) -> Iterator[tuple[int, str]]:
        return self._numbered

    def _decoded(self, encoding: str) -> Iterator[tuple[int, str]]:
        for number, line in enumerate(self.raw, 1):
            try:
                text = line if isinstance(line, str) else line.decode(encoding)
            except UnicodeDecodeError as error:
                problem = f"byte {line[error.start]:#04x} is not {encoding.upper()}"
                damage = encoding_error(problem, encoding, line, line=number, column=error.start + 1)
                self._damage = self._damage or damage
                text = line.decode(encoding, "replace")
            if number == 1:
                text = text.removeprefix("\ufeff")
            yield number, text.rstrip("\r\n")

    def damage(self) -> TreeError | None:
        """Return the error of the first line since the last call whose bytes are not in the encoding."""
        error, self._damage = self._damage, None
        return error

    def groups(
        self, ends: Callable[[str], bool], what: str
    ) -> Iterator[tuple[int, list[str], TreeError | None]]:
        """Yield the lines up to each that ``ends`` a group: number of the first, texts, and their damage."""
        begin, size = 1, 1
        texts: list[str] = []
        for number, line in self:
            if ends(line):
                yield begin, texts, self.damage()
                begin, texts, size = number + 1, [], 1
            else:
                texts.append(line)
                size += len(line) + 1
                check_length(size, what, begin)
        yield begin, texts, self.damage()

    def as_utf8(self) -> Iterator[bytes]:
        """Recode the lines as UTF-8, with blanks for a byte order mark; undecodable bytes are kept."""
        encoding = self.encoding or "utf-8"
        same = is_utf8(encoding)
        for number, line in enumerate(self.raw, 1):
            if isinstance(line, str):
                data = line.encode("utf-8", "surrogatepass")
            elif same:
                data = line
            else:
                try:
                    data = line.decode(encoding, "surrogateescape").encode("utf-8", "surrogateescape")
                except UnicodeError as error:
                    problem = f"the line is not {encoding.upper()} ({error})"
                    raise encoding_error(problem, encoding, line, line=number) from None
            if number == 1 and data.startswith(BOM):
                data = b"   " + data[3:]
            yield data

    def blocks(self, first: list[bytes], data: Iterator[bytes]) -> Iterator[bytes | memoryview]:
        """Yield some lines of :meth:`as_utf8`, and those after them, in blocks."""
        rest: Iterator[Any] = data
        if is_utf8(self.encoding or "utf-8") and hasattr(self.raw, "blocks"):
            rest = self.raw.blocks()
        held: list[bytes | memoryview] = []
        size = 0
        try:
            for item in chain(first, rest):
                block = item.encode("utf-8", "surrogatepass") if isinstance(item, str) else item
                held.append(block)
                size += len(block)
                if size >= BLOCK or block[-1:] not in (b"", b"\n"):
                    yield b"".join(held) if len(held) > 1 else block
                    held, size = [], 0
        except Exception:
            if size:
                yield b"".join(held)  # the lines before those that cannot be read
            raise
        if size:
            yield b"".join(held)


class ReadSentence(NamedTuple):
    """The tree of a sentence, or why it has none, and the id."""

    result: Tree | TreeError
    id: str | None = None

    def tree(self) -> Tree:
        """Return the result, or raise it."""
        if isinstance(self.result, TreeError):
            raise self.result
        return self.result if self.id is None else self.result.replace(id=self.id)


def parsed(
    text: str, line: int, parse: Callable[[str], Tree] = Tree.parse, *, is_line: bool = False
) -> Tree | TreeError:
    """Parse the text of a sentence that begins in a line, or is that line; return its error."""
    try:
        return parse(text)
    except TreeError as error:
        # Elsewhere its column counts in the text, not in the line.
        return reported(error, line=line, column=error.column if is_line else None)


def until_last_text(
    items: Iterable[tuple[int, str, TreeError | None]],
) -> Iterator[tuple[int, str, TreeError | None]]:
    """Yield numbered texts with their damage, up to the last that is not blank."""
    held = []
    for item in items:
        held.append(item)
        if item[1].strip(BLANKS) or item[2] is not None:
            yield from held
            held.clear()


def reader(cut: Callable[..., Iterable[Any]]) -> Callable[..., Iterator[Tree]]:
    """Make a reader of a function that cuts :class:`Lines` into sentences; its options are the reader's."""

    # A sentence is a tree, or has an ``id`` and a method ``tree``.
    @wraps(cut)
    def read(
        lines: Iterable[str] | Iterable[bytes],
        *,
        source: str | None = None,
        encoding: str | None = None,
        on_error: OnError | None = None,
        **options: Any,
    ) -> Iterator[Tree]:
        try:
            for sentence in cut(Lines(lines, encoding, on_error is not None), **options):
                if isinstance(sentence, Tree):
                    yield sentence
                    continue
                try:
                    tree = sentence.tree()
                except TreeError as raised:
                    error = reported(raised, source=source)
                    if on_error is None:
                        raise error from None
                    on_error(error)
                    tree = EMPTY.replace(id=sentence.id) if sentence.id else EMPTY
                yield tree
        except JpevalbError as error:
            if error.source is not None:
                raise
            raise reported(error, source=source) from None

    return read


def parse_sentence(data: bytes) -> Tree:
    """Parse one sentence of UTF-8 bytes, on one line or several; blank text gives the empty tree."""
    return Tree.of_columns(read_text(data))


Parse: TypeAlias = Callable[[bytes], Tree]
"""Parses a line, or raises an error for ``reading_error``; a function of a module, which can be pickled."""
OnLine: TypeAlias = Callable[[Parse, bytes], object]
"""Called before a tree is yielded, with the function that parses its line, and the line."""
