"""The formats of treebanks, and :func:`read` for all of them."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import chain
from typing import IO, TYPE_CHECKING, Any, TypeAlias

from ..base.errors import InputError, SettingsError, TreeError
from ..base.files import Path, guarded, input_name, is_wide, open_lines
from ..base.values import check, one_of
from ..trees.answer import SEVERAL
from ..trees.tree import EMPTY, Tree, is_node
from .detect import BLOCK, FORMAT, FORMATS, as_tree, detect_format, format_of_lines, reader_of, tree_of_text
from .lines import OnError, OnText, sample_of

if TYPE_CHECKING:
    from .answers import AnswerReader, OnAnswer

Source: TypeAlias = "str | os.PathLike[str] | IO[str] | IO[bytes] | Iterable[Any]"
"""A corpus: a path, an open file, or an iterable of texts, Trees, or trees of nltk or Stanza."""

SETTINGS = {  # that only some formats have
    "answers": ("repair", "several", "separator"),
    "jsonl": ("repair", "several", "field", "gold_field", "id_field"),
}

_CALLBACKS = {
    "bracket": ("on_text", "unread"),
    "discbracket": ("on_text", "unread"),
    "export": ("on_text",),
    "answers": ("on_answer",),
    "jsonl": ("on_answer",),
}
"""Other arguments of a format's reader; :func:`read` ignores them for formats without them."""

PARSED_FROM_TEXT = tuple([name for name, options in _CALLBACKS.items() if "on_text" in options])
"""Formats whose files are cut into the texts of sentences, which workers can parse."""


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
    on_answer: OnAnswer | None = None,
    on_text: OnText | None = None,
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
        several: Which trees of an answer to use: ``"first"``, or ``"join"`` for all of them under one root.
        field: Field of a ``"jsonl"`` record that holds the tree; the default is ``"output"``.
        id_field: Field of a ``"jsonl"`` record that holds the sentence's id.
        separator: Line between two ``"answers"``; by default each line is an answer.
        on_answer: Called with the :class:`jpevalb.Answer` of each text before its tree is yielded.  An
            answer without a tree then yields the empty tree and is not an error.
        on_text: Called with the UTF-8 text of each sentence before its tree is yielded, for
            :func:`text_parser`.  Not called for objects, and for formats outside :data:`PARSED_FROM_TEXT`.
        unread: True to yield lines that hold a sentence each together and unparsed, as
            :class:`jpevalb.trees.unread.UnreadLines`, without calling ``on_text`` for them.

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
    given: dict[str, Any] = {"field": field, "id_field": id_field, "separator": separator, "on_text": on_text}
    if repair or on_answer is not None:
        given.update(repair=repair, several=several, on_answer=on_answer)
    given["unread"] = unread or None
    given = {option: value for option, value in given.items() if value is not None}
    request = (format, encoding, on_error, on_format, given)
    if isinstance(source, (str, os.PathLike)):
        return _read_path(source, encoding, request)
    if hasattr(source, "read"):
        name = getattr(source, "name", None)
        name = name if isinstance(name, str) else "<file>"
        if isinstance(source, io.BufferedIOBase) and is_wide(encoding):
            source = decoded_lines(source, encoding)
        return _read_lines(guarded(source, name), name, *request)
    if isinstance(source, Tree) or is_node(source):
        source = [source]
    if not isinstance(source, Iterable):
        raise InputError(f"got the object {source!r}; expected a path, an open file or a list of sentences")
    answers = None
    if repair or (format == "answers" and on_answer is not None):
        from .answers import AnswerReader

        answers = AnswerReader(repair, several, on_answer)
    return _read_items(source, format, on_error, answers)


def decoded_lines(file: io.BufferedIOBase, encoding: str | None) -> Iterator[str]:
    """Decode the lines of a binary file in a wide encoding; the file stays open."""
    text = io.TextIOWrapper(file, encoding, newline="\n")  # type: ignore[type-var]
    try:
        yield from text
    finally:
        text.detach()


def _read_path(path: Path, encoding: str | None, request: tuple[Any, ...]) -> Iterator[Tree]:
    with open_lines(path, encoding=encoding) as lines:
        yield from _read_lines(lines, input_name(path), *request)


def _read_lines(
    lines: Iterable[Any],
    name: str,
    format: str,
    encoding: str | None,
    on_error: OnError | None,
    on_format: Callable[[str], object] | None,
    given: dict[str, Any],
) -> Iterator[Tree]:
    lines = _with_returns(lines)
    auto = format == "auto"
    if auto and "separator" in given:
        format = "answers"
    elif auto:
        lines = iter(lines)
        sample = sample_of(lines, BLOCK)
        try:
            format = format_of_lines(sample)
        except TreeError as error:
            error.source = name
            raise
        lines = chain(sample, lines)
    if given.get("repair") and (format == "bracket" or (auto and format != "jsonl")):
        format = "answers"
    if on_format is not None:
        on_format(format)
    if encoding is None and format not in ("tigerxml", "alpino"):  # XML declares its encoding
        encoding = "utf-8"
    known = (*SETTINGS.get(format, ()), *_CALLBACKS.get(format, ()))
    # A format that was detected may lack the fields.
    ignored = {"several", "on_answer", "on_text", "unread", *(("field", "id_field") if auto else ())}
    for option, value in given.items():
        if value and option not in ignored.union(known):
            formats = " or ".join([other for other, names in SETTINGS.items() if option in names])
            raise SettingsError(f"{option}={value!r} for the format {format}; it is for {formats}")
    options = {option: value for option, value in given.items() if option in known}
    return reader_of(format)(lines, source=name, encoding=encoding, on_error=on_error, **options)


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
            yield from first.splitlines(keepends=True)
        break
    yield from rest


def text_parser(format: str) -> Callable[[bytes], Tree]:
    """Return the parser of the texts that ``on_text`` gets, for a format of :data:`PARSED_FROM_TEXT`."""
    return import_module(FORMATS[format][0]).text_parser()  # type: ignore[no-any-return]


def file_format(path: str, encoding: str | None = None) -> str:
    """Detect the format of a file; ``bracket`` for pipes and files that cannot be read."""
    if not os.path.isfile(path):
        return "bracket"
    try:
        with open_lines(path, encoding=encoding) as lines:
            return format_of_lines(sample_of(lines, BLOCK))
    except (InputError, TreeError):
        return "bracket"


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
            elif format == "nbest" and isinstance(item, (list, tuple)) and not is_node(item):
                from .nbest import first_of

                tree = first_of([as_tree(parse) for parse in item])
            elif isinstance(item, str):
                if format in ("bracket", "unlabeled"):
                    text_format = format
                else:
                    text_format = detect_format(item) if indexed else "bracket"
                read_tree = tree_of_text(item, text_format)
                if read_tree is None:
                    continue
                tree = read_tree
            else:
                tree = as_tree(item)
        except TreeError as error:
            error.source, error.line = f"sentence {number}", None
            if on_error is None:
                raise
            on_error(error)
            tree = EMPTY
        yield tree
