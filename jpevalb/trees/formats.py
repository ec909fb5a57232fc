"""Formats of treebanks: one module a format reads it and writes it."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import chain
from typing import IO, TYPE_CHECKING, Any, TypeAlias

from .answer import SEVERAL
from .detect import BLOCK, as_tree, detect_format
from .errors import InputError, SettingsError, TreeError
from .files import guarded, input_name, is_wide, open_lines
from .lines import OnText, sample_of
from .plugins import FORMATS as GROUP
from .plugins import load_plugin, plugin_names
from .tree import EMPTY, Tree

if TYPE_CHECKING:
    from .answers import OnAnswer, Reading

Source: TypeAlias = "str | os.PathLike[str] | IO[str] | IO[bytes] | Iterable[Any]"
"""A corpus: a path, an open file, or an iterable of bracket texts, Trees or nltk trees."""

FORMATS = {
    "bracket": ("jpevalb.trees.bracket", "read_bracket"),
    "discbracket": ("jpevalb.trees.discbracket", "read_discbracket"),
    "export": ("jpevalb.trees.export", "read_export"),
    "tigerxml": ("jpevalb.trees.tigerxml", "read_tigerxml"),
    "answers": ("jpevalb.trees.answers", "read_answers"),
    "jsonl": ("jpevalb.trees.jsonl", "read_jsonl"),
}
"""For each file format the module that reads it and its function; other packages may have more, as entry
points of the group ``jpevalb.formats``."""

SETTINGS = {
    "answers": ("repair", "several", "separator"),
    "jsonl": ("repair", "several", "field", "gold_field", "id_field"),
}
"""For each format that has settings of its own, beside the encoding, which these are."""

_FOR_PROGRAMS = {
    "bracket": ("on_text", "words_alone"),
    "discbracket": ("on_text", "words_alone"),
    "export": ("on_text",),
    "answers": ("on_answer",),
    "jsonl": ("on_answer",),
}
"""What other options of :func:`read` a format's reader takes; to be told of what it has not means nothing."""

PARSED_FROM_TEXT = tuple([name for name, options in _FOR_PROGRAMS.items() if "on_text" in options])
"""Formats whose files are cut into the texts of sentences, so that workers can read them."""


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
    words_alone: bool = False,
) -> Iterator[Tree]:
    """Reads a treebank, one sentence at a time.

    Args:
        source: A path (``-`` is standard input; ``.gz``, ``.bz2`` and ``.xz``
            are decompressed), an open file (text or binary), or an iterable of
            sentences: each one a ``Tree``, its bracket text, or an nltk tree.
        format: ``"auto"`` tells the format from the file's beginning.
        encoding: Of a path's or a binary file's bytes; UTF-8 if not given.
        on_error: Called with the error of a sentence that cannot be read, which
            then counts as a sentence without a parse; if not given the error
            is raised.
        on_format: Called with the format of a file once it is known.
        repair: Whether each text is an answer of a language model, of which at most one tree is
            made by the repairs of :mod:`jpevalb.trees.repair`; files are then read as
            ``"answers"`` unless they are ``"jsonl"``.
        several: Which trees of an answer are taken: ``"first"``, or ``"join"`` for all of them
            under one root.
        field: The field of a ``"jsonl"`` record that has the tree; ``"output"`` if not given.
        id_field: The field of a ``"jsonl"`` record that has the sentence's id.
        separator: The line between two ``"answers"``, which else are a line each.
        on_answer: Called with what is known of each answer, an
            :class:`jpevalb.Answer`, before its tree is handed out.  Answers without a
            tree are then sentences without a parse and no errors.
        on_text: Called with the text of each sentence, in UTF-8, before the sentence is handed
            out; :func:`text_parser` reads such texts.  It is not called by formats that cannot
            be cut into sentences before they are read, nor for sentences given as objects.
        words_alone: Whether trees may have nothing but their words, since others read them again from
            the texts that ``on_text`` gets.

    Raises:
        TreeError: a sentence that cannot be read.
        InputError: a file that cannot be opened or read.
        SettingsError: an unknown format, or an option that the format does not have.

    Cost: O(length), in the memory of one sentence.

    >>> [tree.words for tree in read(["(S (NN a))", "(())"])]
    [('a',), ()]
    >>> [tree.words for tree in read(["Tree: (S (NN a)", "(S (NN b))</s>"], repair=True)]
    [('a',), ('b',)]
    """
    if format != "auto":
        check_format(format)
    if several not in SEVERAL:
        raise SettingsError(f"found several={several!r}; expected 'first' or 'join'")
    options = {"field": field, "id_field": id_field, "separator": separator, "on_text": on_text}
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    if repair or on_answer is not None:
        given.update(repair=repair, several=several, on_answer=on_answer)
    if words_alone:
        given["words_alone"] = True
    asked = (format, encoding, on_error, on_format, given)
    if isinstance(source, (str, os.PathLike)):
        return _read_path(source, encoding, asked)
    if hasattr(source, "read"):
        name = getattr(source, "name", None)
        name = name if isinstance(name, str) else "<file>"
        if isinstance(source, io.BufferedIOBase) and is_wide(encoding):
            source = _decoded(source, encoding)
        return _read_lines(guarded(source, name), name, *asked)
    if not isinstance(source, Iterable):
        raise InputError(f"found the object {source!r}; expected a path, an open file or a list of sentences")
    if isinstance(source, Tree) or callable(getattr(source, "label", None)):
        source = [source]
    if repair or (format == "answers" and on_answer is not None):
        from .answers import Reading

        return _read_answers(source, Reading(repair, several, on_answer, on_error))
    return read_items(source, format, on_error)


def check_format(format: str) -> None:
    """Makes sure that there is a format, here or in another package.

    Raises:
        SettingsError: there is none of that name.
    """
    if isinstance(format, str) and format in FORMATS:
        return
    installed = plugin_names(GROUP)
    if format not in installed:
        known = ", ".join(["auto", *FORMATS, *installed])
        raise SettingsError(f"found the format {format!r}; expected one of {known}")


def reader_of(format: str) -> Callable[..., Iterator[Tree]]:
    """The reader of a format, of jpevalb or of another package.

    Raises:
        SettingsError: there is none, or it cannot be loaded.
    """
    found: Callable[..., Iterator[Tree]]
    if format not in FORMATS:
        found = load_plugin(GROUP, format)
        return found
    module, function = FORMATS[format]
    found = getattr(import_module(module), function)
    return found


def _decoded(file: io.BufferedIOBase, encoding: str | None) -> Iterator[str]:
    """The lines of a binary file in which a line feed is more than a byte; the file stays open."""
    text = io.TextIOWrapper(file, encoding, newline="\n")  # type: ignore[type-var]
    try:
        yield from text
    finally:
        text.detach()


def _read_path(path: str | os.PathLike[str], encoding: str | None, asked: tuple[Any, ...]) -> Iterator[Tree]:
    with open_lines(path, encoding=encoding) as lines:
        yield from _read_lines(lines, input_name(path), *asked)


def _read_lines(
    lines: Iterable[Any],
    name: str,
    format: str,
    encoding: str | None,
    on_error: Callable[[TreeError], object] | None,
    on_format: Callable[[str], object] | None,
    given: dict[str, Any],
) -> Iterator[Tree]:
    told = format == "auto"
    if told and "separator" in given:
        format = "answers"
    if format == "auto":
        lines = iter(lines)
        sample = sample_of(lines, BLOCK)
        try:
            format = detect_format(sample[0][:0].join(sample) if sample else b"")
        except TreeError as error:
            raise TreeError(error.message, source=name) from None
        lines = chain(sample, lines)
        if given.get("repair") and format != "jsonl":
            format = "answers"  # whose text may begin like anything
    elif format == "bracket" and given.get("repair"):
        format = "answers"
    if on_format is not None:
        on_format(format)
    if encoding is None and format != "tigerxml":  # XML says itself what it is in
        encoding = "utf-8"
    known = (*SETTINGS.get(format, ()), *_FOR_PROGRAMS.get(format, ()))
    # Where the file said which format it is, fields are for the case that it has some.
    passed = {"several", "on_answer", "on_text", "words_alone", *(("field", "id_field") if told else ())}
    for option, value in given.items():
        if value and option not in passed.union(known):
            here = " or ".join([other for other, names in SETTINGS.items() if option in names])
            raise SettingsError(f"found {option}={value!r} for the format {format}; it is for {here}")
    options = {option: value for option, value in given.items() if option in known}
    return reader_of(format)(lines, source=name, encoding=encoding, on_error=on_error, **options)


def _read_answers(items: Iterable[Any], asked: Reading) -> Iterator[Tree]:
    """Answers given as texts; trees among them are taken as they are."""
    from .answers import Output

    on_error = asked.on_error
    errors: list[TreeError] = []
    reading = asked._replace(on_error=errors.append)
    for number, item in enumerate(items, 1):
        if not isinstance(item, str):
            yield from read_items([item], "auto", on_error, number)
            continue
        yield from reading.trees([Output(item, number)], None)
        for error in errors:
            told = TreeError(error.message, source=f"sentence {number}")
            if on_error is None:
                raise told
            on_error(told)
        errors.clear()


def text_parser(format: str) -> Callable[[bytes], Tree]:
    """A function that makes trees of the texts that :func:`read` gave to ``on_text``.

    Args:
        format: One of :data:`PARSED_FROM_TEXT`.
    """
    made: Callable[[bytes], Tree] = import_module(FORMATS[format][0]).text_parser()
    return made


def file_format(path: str, encoding: str | None = None) -> str:
    """The format of a file by its beginning; ``bracket`` where that cannot be looked at.

    A file that cannot be read is told of where it is read.
    """
    if path == "-" or not os.path.isfile(path):
        return "bracket"
    try:
        with open_lines(path, encoding=encoding) as lines:
            sample = sample_of(lines, BLOCK)
        return detect_format(sample[0][:0].join(sample)) if sample else "bracket"
    except (InputError, TreeError):
        return "bracket"


def read_items(
    items: Iterable[Any], format: str, on_error: Callable[[TreeError], object] | None, first: int = 1
) -> Iterator[Tree]:
    """Sentences given as objects; an error names the sentence's place in the iterable.

    Args:
        items: The sentences, or those from a place on.
        format: As for :func:`read`.
        on_error: As for :func:`read`.
        first: The number of the first of the items.
    """
    for number, item in enumerate(items, first):
        if isinstance(item, Tree):
            yield item
            continue
        try:
            # A sentence alone may look like another format: its one word could be "0=1".
            tree = Tree.parse(item) if format == "bracket" and isinstance(item, str) else as_tree(item)
        except TreeError as error:
            told = TreeError(error.message, source=f"sentence {number}", line=None, column=error.column)
            if on_error is None:
                raise told from None
            on_error(told)
            tree = EMPTY
        yield tree
