"""The formats of treebanks, and :func:`read` for all of them."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import chain
from typing import IO, TYPE_CHECKING, Any, TypeAlias

from ..base.errors import InputError, SettingsError, TreeError, reported
from ..base.files import decoded, guarded, input_name, is_wide, open_lines
from ..base.values import check, one_of
from ..trees.answer import SEVERAL, Answer
from ..trees.objects import is_node
from ..trees.tree import EMPTY, Tree
from .detect import (
    BLOCK,
    BY_NAME,
    FORMAT,
    FORMATS,
    as_tree,
    detect_format,
    format_named,
    format_of_lines,
    reader_of,
    tree_of_text,
)
from .lines import OnError, sample_of

if TYPE_CHECKING:
    from .answers import AnswerReader

Source: TypeAlias = str | os.PathLike[str] | IO[str] | IO[bytes] | Iterable[Any]
"""A corpus: a path, an open file, or an iterable of texts, Trees, or trees of nltk or Stanza."""


def read(
    source: Source,
    format: str = "auto",
    *,
    encoding: str | None = None,
    on_error: Callable[[TreeError], object] | None = None,
    on_format: Callable[[str], object] | None = None,
    repair: bool = False,
    several: str = "first",
    field: str | None = None,
    id_field: str | None = None,
    separator: str | None = None,
    on_answer: Callable[[Answer], object] | None = None,
    unread: bool = False,
) -> Iterator[Tree]:
    """Read a treebank one sentence at a time; only that sentence is in memory.

    Args:
        source: A path (``-`` is standard input; ``.gz``, ``.bz2`` and ``.xz`` are decompressed), an open
            file (text or binary), or an iterable of sentences, each a ``Tree``, its text, or a
            tree of nltk or Stanza.
        format: Name of the format; ``"auto"`` detects it by the beginning of the file.
        encoding: Encoding of a path or a binary file; the default is UTF-8.
        on_error: Called with the error of each sentence that cannot be read, which then yields the empty
            tree.  Without it the error is raised.
        on_format: Called with the format of a file once it is known.
        repair: True to read each text as an answer of a language model and repair it
            (:func:`jpevalb.repair`).  Files are then ``"answers"`` unless they are ``"jsonl"``.
        several: Which tree of an answer to use: ``"first"``, ``"last"``, ``"longest"``, or ``"join"`` for all
            of them under one root.
        field: Field of a ``"jsonl"`` record that holds the tree; the default is ``"output"``.
        id_field: Field of a ``"jsonl"`` record that holds the sentence's id.
        separator: Line between two ``"answers"``; by default each line is an answer.
        on_answer: Called with the :class:`jpevalb.Answer` of each text before its tree is yielded.  An
            answer without a tree then yields the empty tree and is not an error.
        unread: True to yield a file of one sentence per line as blocks of lines that are not parsed
            (:class:`jpevalb.trees.lines.LineBlock`), without calling ``on_error`` for them.

    Returns:
        An iterator over the trees.

    Raises:
        TreeError: a sentence that cannot be read.
        InputError: a file that cannot be opened or read.
        SettingsError: an unknown format, or an option that the format does not have.

    >>> [tree.words for tree in read(["# one", "(S (NN a))", "null", "(())"])]
    [('a',), (), ()]
    >>> [tree.words for tree in read(["Tree: (S (NN a)", "(S (NN b))</s>"], repair=True)]
    [('a',), ('b',)]
    """
    check("format", format, FORMAT)
    check("several", several, one_of(*SEVERAL))
    given: dict[str, Any] = {"field": field, "id_field": id_field, "separator": separator}
    if repair or on_answer is not None:
        given.update(repair=repair, several=several, on_answer=on_answer)
    given["unread"] = unread or None
    given = {option: value for option, value in given.items() if value is not None}
    if isinstance(source, (str, os.PathLike)) or hasattr(source, "read"):
        return _read_file(source, format, encoding, on_error, on_format, given)
    if isinstance(source, Tree) or is_node(source):
        source = [source]
    if not isinstance(source, Iterable):
        raise InputError(f"got the object {source!r}; expected a path, an open file or a list of sentences")
    answers = None
    if repair or (format == "answers" and on_answer is not None):
        from .answers import AnswerReader

        answers = AnswerReader(repair, several, on_answer)
    return _read_items(source, format, on_error, answers)


def lines_of(source: Any, encoding: str | None, together: bool = False) -> Iterator[Any]:
    """Yield the lines of a path or an open file, as bytes, or as text in a wide encoding.

    With ``together``, some lines of bytes come in blocks of whole lines.
    """
    if isinstance(source, (str, os.PathLike)):
        with open_lines(source, encoding=encoding, together=together) as lines:
            yield from lines
    elif isinstance(source, io.BufferedIOBase) and is_wide(encoding):
        with decoded(source, encoding) as text:
            yield from guarded(text, source_name(source) or "<file>")
    else:
        yield from guarded(source, source_name(source) or "<file>", together)


def source_name(source: Source) -> str | None:
    """Return the name of a source for messages, if it has one."""
    if isinstance(source, (str, os.PathLike)):
        return input_name(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else None


class OpenedFile:
    """A file that is opened once: its first lines, the format that they show, and all its lines."""

    def __init__(
        self, source: Any, encoding: str | None = None, name: str | None = None, format: str | None = None
    ) -> None:
        self.name = name or source_name(source) or "<file>"
        if format is not None:
            self.format = format
        self._rest = lines_of(source, encoding, together=True)
        self._block = io.BytesIO()  # lines that are read, but not yielded
        self._ahead: Iterator[Any] = iter(())  # the first lines, if they have been looked at
        self._lines = _with_returns(self._cut())

    def _cut(self) -> Iterator[Any]:
        """Yield the lines."""
        for item in self._rest:
            if isinstance(item, (bytes, memoryview)):
                self._block = io.BytesIO(item)
                yield from self._block
            else:
                yield item

    def blocks(self) -> Iterator[Any]:
        """Yield the rest of the file: blocks of whole lines, and some lines."""
        yield from self._ahead
        yield self._block.read()
        yield from self._rest

    @cached_property
    def first(self) -> list[Any]:
        """The first lines; slow input is not waited for before they are needed."""
        first = sample_of(self._lines, BLOCK)
        self._ahead = iter(first)
        self._lines = chain(self._ahead, self._lines)
        return first

    @cached_property
    def format(self) -> str:
        """The detected format; a TreeError for bytes in another encoding."""
        try:
            return format_of_lines(self.first)
        except TreeError as error:
            raise reported(error, source=self.name) from None

    def __iter__(self) -> Iterator[Any]:
        return self._lines

    def beginning(self) -> OpenedFile:
        """Return a file of the first lines."""
        return OpenedFile(self.first, name=self.name, format=vars(self).get("format"))

    def read(self) -> bytes | str:
        """Return the rest of the file."""
        pieces = list(self._lines)
        whole: bytes | str = pieces[0][:0].join(pieces) if pieces else b""
        return whole

    def seekable(self) -> bool:
        """Return False, because the file can be read only once."""
        return False


def _read_file(
    source: Any,
    format: str,
    encoding: str | None,
    on_error: OnError | None,
    on_format: Callable[[str], object] | None,
    given: dict[str, Any],
) -> Iterator[Tree]:
    file = source if isinstance(source, OpenedFile) else OpenedFile(source, encoding)
    auto = format == "auto"
    if auto:
        format = "answers" if "separator" in given else file.format
    if given.get("repair") and (format == "bracket" or (auto and format != "jsonl")):
        format = "answers"
    if on_format is not None:
        on_format(format)
    kind = format_named(format)
    known = (*kind.settings, *kind.callbacks)
    # A format that was detected may lack the fields.
    ignored = {"several", "on_answer", "unread", *(("field", "id_field") if auto else ())}
    for option, value in given.items():
        if value and option not in ignored.union(known):
            formats = " or ".join([name for name, other in FORMATS.items() if option in other.settings])
            raise SettingsError(f"{option}={value!r} for the format {format}; it is for {formats}")
    options = {option: value for option, value in given.items() if option in known}
    encoding = encoding or kind.encoding
    yield from reader_of(format)(file, source=file.name, encoding=encoding, on_error=on_error, **options)


def _with_returns(lines: Iterable[Any]) -> Iterator[Any]:
    """Yield lines; a file without line feeds is cut at its carriage returns."""
    rest = iter(lines)
    for first in rest:
        text = isinstance(first, str)
        if first.endswith("\n" if text else b"\n"):
            yield first
        elif text:
            yield from io.StringIO(first.replace("\r", "\n"))
        else:
            yield from io.BytesIO(first.replace(b"\r", b"\n"))
        break
    yield from rest


def _read_items(
    items: Iterable[Any], format: str, on_error: OnError | None, answers: AnswerReader | None
) -> Iterator[Tree]:
    """Convert sentences given as objects; errors have their numbers."""
    from .answers import with_dialect

    for number, (item, indexed) in enumerate(with_dialect(items, lambda item: item), 1):
        if isinstance(item, Tree):
            yield item
            continue
        try:
            if answers is not None and (item is None or isinstance(item, str)):
                tree = answers._replace(indexed=indexed).tree(item or "")
            elif answers is not None and isinstance(item, (list, tuple)) and not is_node(item):
                text, *others = [text or "" for text in item] or [""]
                tree = answers._replace(indexed=indexed).tree(text, tuple(others))
            elif format == "nbest" and isinstance(item, (list, tuple)) and not is_node(item):
                from .nbest import first_of

                tree = first_of([as_tree(parse) for parse in item])
            elif isinstance(item, str):
                if format in BY_NAME:
                    text_format = format
                else:
                    text_format = detect_format(item) if indexed else "bracket"
                read_tree = tree_of_text(item, text_format)
                if read_tree is None:
                    continue
                tree = read_tree
            else:
                tree = as_tree(item)
        except TreeError as raised:
            error = reported(raised, source=f"sentence {number}", line=None)
            if on_error is None:
                raise error from None
            on_error(error)
            tree = EMPTY
        yield tree
