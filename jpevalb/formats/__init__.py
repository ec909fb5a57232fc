"""Formats of treebanks: one module a format reads it and writes it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import chain
from typing import IO, Any, TypeAlias

from ..model.errors import InputError, SettingsError, TreeError
from ..model.tree import EMPTY, Tree
from .detect import BLOCK, as_tree, detect_format
from .files import guarded, input_name, open_lines

Source: TypeAlias = "str | os.PathLike[str] | IO[str] | IO[bytes] | Iterable[Any]"
"""A corpus: a path, an open file, or an iterable of bracket texts, Trees or nltk trees."""

FORMATS = {
    "bracket": ("jpevalb.formats.bracket", "read_bracket"),
    "discbracket": ("jpevalb.formats.discbracket", "read_discbracket"),
    "export": ("jpevalb.formats.export", "read_export"),
    "tigerxml": ("jpevalb.formats.tigerxml", "read_tigerxml"),
}
"""For each file format the module that reads it and its function."""


def read(
    source: Source,
    format: str = "auto",
    *,
    encoding: str | None = None,
    on_error: Callable[[TreeError], object] | None = None,
    on_format: Callable[[str], object] | None = None,
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

    Raises:
        TreeError: a sentence that cannot be read.
        InputError: a file that cannot be opened or read.
        SettingsError: an unknown format.

    Cost: O(length), in the memory of one sentence.

    >>> [tree.words for tree in read(["(S (NN a))", "(())"])]
    [('a',), ()]
    """
    if format != "auto" and (not isinstance(format, str) or format not in FORMATS):
        known = ", ".join(["auto", *FORMATS])
        raise SettingsError(f"found the format {format!r}; expected one of {known}")
    if isinstance(source, (str, os.PathLike)):
        return _read_path(source, format, encoding, on_error, on_format)
    if hasattr(source, "read"):
        name = getattr(source, "name", None)
        name = name if isinstance(name, str) else "<file>"
        return _read_lines(guarded(source, name), format, name, encoding, on_error, on_format)
    if not isinstance(source, Iterable):
        raise InputError(f"found the object {source!r}; expected a path, an open file or a list of sentences")
    if isinstance(source, Tree) or callable(getattr(source, "label", None)):
        source = [source]
    return read_items(source, format, on_error)


def _read_path(
    path: str | os.PathLike[str],
    format: str,
    encoding: str | None,
    on_error: Callable[[TreeError], object] | None,
    on_format: Callable[[str], object] | None,
) -> Iterator[Tree]:
    with open_lines(path, encoding=encoding) as lines:
        yield from _read_lines(lines, format, input_name(path), encoding, on_error, on_format)


def _read_lines(
    lines: Iterable[Any],
    format: str,
    name: str | None,
    encoding: str | None,
    on_error: Callable[[TreeError], object] | None,
    on_format: Callable[[str], object] | None,
) -> Iterator[Tree]:
    if format == "auto":
        lines = iter(lines)
        sample: list[Any] = []
        size = 0
        while size < BLOCK and len(sample) < 1000:
            line = next(lines, None)
            if line is None:
                break
            sample.append(line)
            size += len(line)
        try:
            format = detect_format(sample[0][:0].join(sample) if sample else b"")
        except TreeError as error:
            raise TreeError(error.message, source=name) from None
        lines = chain(sample, lines)
    if on_format is not None:
        on_format(format)
    if encoding is None and format != "tigerxml":  # XML says itself what it is in
        encoding = "utf-8"
    module, function = FORMATS[format]
    reader = getattr(import_module(module), function)
    trees: Iterator[Tree] = reader(lines, source=name, encoding=encoding, on_error=on_error)
    return trees


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
