"""The formats of treebanks, their detection, and :func:`read` for all of them."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import chain
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ..base.errors import InputError, SettingsError, TreeError, encoding_error, reported
from ..base.files import lines_of, source_name
from ..base.plugins import FORMATS as GROUP, imported, load_plugin, plugin_names
from ..base.values import check, one_of
from ..kernels.columns import current_names, read as read_columns, tree_ends, words_of
from ..trees.parse import shorten
from ..trees.sentence import SEVERAL, Answer
from ..trees.tree import EMPTY, Tree, is_node
from .lines import BLOCK, OnError, OnLine, sample_of

if TYPE_CHECKING:
    from .answers import AnswerReader

SEJONG = rb"[^\s/]/[A-Z]{2,4}[ \t]+\+[ \t]+[^\s/]{1,200}/[A-Z]{2,4}[ \t)]"
_BINARY = b"\x7fELF", b"PK\x03\x04", b"%PDF", b"\x89PNG"  # first bytes of programs, zip, PDF and PNG


class TreeFormat(NamedTuple):
    """A format of files of trees: its reader, and what a run has to know about it."""

    reader: str = ""  # its module and function; empty in another package
    has_gaps: bool = False  # True if trees may be discontinuous, so that words must agree
    may_lack_tags: bool = False  # True for brackets, whose files may have no tags
    settings: tuple[str, ...] = ()  # arguments of the reader that options of the system's side set
    callbacks: tuple[str, ...] = ()  # other arguments of the reader
    encoding: str | None = "utf-8"  # default; ``None`` for XML, which declares its encoding

    @property
    def gold_settings(self) -> tuple[str, ...]:
        """The settings of gold, whose files are no answers."""
        return ("field", "gold_field", "id_field") if "field" in self.settings else ()


_FIELDS = ("field", "id_field")
_ANSWERS = ("repair", "several")

FORMATS = {
    "bracket": TreeFormat("bracket:read_bracket", may_lack_tags=True, callbacks=("on_line",)),
    "discbracket": TreeFormat("bracket:read_discbracket", True, True, callbacks=("on_line",)),
    "export": TreeFormat("export:read_export", has_gaps=True),
    "tigerxml": TreeFormat("xml:read_tigerxml", has_gaps=True, encoding=None),
    "alpino": TreeFormat("xml:read_alpino", has_gaps=True, encoding=None),
    "corenlp": TreeFormat("jsonl:read_corenlp"),
    "corenlp-text": TreeFormat("treebanks:read_corenlp_text"),
    "conllu": TreeFormat("conll:read_conllu"),
    "conll2012": TreeFormat("conll:read_conll2012"),
    "nbest": TreeFormat("treebanks:read_nbest", may_lack_tags=True),
    "tokens": TreeFormat("conll:read_tokens"),
    "text": TreeFormat("conll:read_text"),
    "unlabeled": TreeFormat("jsonl:read_unlabeled"),
    "onf": TreeFormat("treebanks:read_onf"),
    "sejong": TreeFormat("treebanks:read_sejong"),
    "lists": TreeFormat("jsonl:read_lists", may_lack_tags=True),
    "answers": TreeFormat(
        "answers:read_answers",
        may_lack_tags=True,
        settings=(*_ANSWERS, "separator"),
        callbacks=("on_answer",),
    ),
    "jsonl": TreeFormat(
        "jsonl:read_jsonl", may_lack_tags=True, settings=(*_ANSWERS, *_FIELDS), callbacks=("on_answer",)
    ),
    "table": TreeFormat("treebanks:read_table", may_lack_tags=True, settings=_FIELDS),
}
"""The formats by name; other packages add readers as entry points of the group ``jpevalb.formats``."""

FORMAT = one_of("auto", *FORMATS, more=lambda: plugin_names(GROUP))  # the values of the option `format`


def format_of_lines(sample: list[Any]) -> str:
    """Return the format of a file that begins with these lines; one tree does not show a lack of labels."""
    head: bytes | str = sample[0][:0].join(sample) if sample else b""
    format = detect_format(head)
    if format == "bracket":
        text = head if isinstance(head, str) else head.decode("utf-8", "replace")
        # Only brackets that begin with another one can show it; most files have none.
        if "((" in text or "( (" in text:
            from ..trees.nested import looks_unlabelled

            return "unlabeled" if looks_unlabelled(text) else format
    return format


def detect_format(head: bytes | str) -> str:
    """Return the format of a file that begins with ``head``, its first :data:`BLOCK` bytes."""
    data = head.encode("utf-8", "surrogatepass") if isinstance(head, str) else bytes(head)
    if data[:4] in _BINARY:
        raise TreeError("a binary file; give a text file with trees", line=1)
    if data[:4] in (b"\xff\xfe<\0", b"\xfe\xff\0<"):
        return "tigerxml"  # XML declares its encoding
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise encoding_error("the file is UTF-16", "utf-8", data)
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if data[:1] != b"(":
        # Its patterns take longer to compile than a short run takes to score.
        from .around import from_first_tree, marked_format

        tree = from_first_tree(data)
        format = marked_format(data[: len(data) - len(tree)], tree)
        if format is not None:
            return format
        data = tree
    if b" + " in data and re.search(SEJONG, data):
        return "sejong"
    return "discbracket" if data[:1] == b"(" and _indexed(data) else "bracket"


def format_named(name: str) -> TreeFormat:
    return FORMATS.get(name) or TreeFormat(has_gaps=True)


def reader_of(format: str) -> Callable[..., Iterator[Tree]]:
    if format not in FORMATS:
        return load_plugin(GROUP, format)  # type: ignore[no-any-return]
    return imported("jpevalb.formats." + FORMATS[format].reader)  # type: ignore[no-any-return]


BY_NAME = ("bracket", "unlabeled", "tokens", "text", "sejong")
"""Formats whose sentences may look like those of another format; a named one decides."""


def as_tree(item: Any, format: str = "auto") -> Tree:
    """Convert a Tree, text of a sentence in any format, UTF-8 bytes, or a tree of nltk or Stanza."""
    if isinstance(item, Tree):
        return item
    if isinstance(item, bytes):
        try:
            item = item.decode("utf-8")
        except UnicodeDecodeError as error:
            problem = f"byte {item[error.start]:#04x} is not UTF-8; give a text instead of bytes"
            raise TreeError(problem, column=error.start + 1) from None
    if isinstance(item, str):
        tree = tree_of_text(item, format)
        if tree is None:
            raise TreeError(f"no tree in {shorten(item)}; expected the text of one tree")
        return tree
    if is_node(item):
        return Tree.from_nltk(item)
    if isinstance(item, (list, tuple)):
        from ..trees.nested import is_spans, tree_of_lists, tree_of_spans

        return tree_of_spans(*item) if is_spans(item) else tree_of_lists(item)
    expected = (
        "a Tree, the text of a tree, nested lists of words, words and spans, or a tree of nltk or Stanza"
    )
    raise TreeError(f"got an object of type {type(item).__name__}; expected {expected}")


def tree_of_text(text: str, format: str) -> Tree | None:
    """Parse the text of one sentence; ``None`` if it has only lines around trees."""
    if format not in BY_NAME:
        format = detect_format(text)
    if format == "unlabeled":
        from ..trees.nested import tree_of_unlabeled

        return tree_of_unlabeled(text)
    if format in ("bracket", "discbracket", "jsonl"):
        if text[:1] != "(":
            from .around import without_around

            bare = without_around(text)
            if bare is None:
                return None
            text = bare
        if format != "discbracket":
            lines = [line for line in text.splitlines() if line.strip()]
            if len(lines) > 1 and all(0 < line.count("(") == line.count(")") for line in lines):
                problem = f"the text has {len(lines)} trees, a line each; give each as an item of the list"
                raise TreeError(problem)
            return Tree.parse(text)
        from .bracket import parse_discbracket

        return parse_discbracket(text.strip("\r\n"))
    trees = list(reader_of(format)(io.StringIO(text)))
    if len(trees) != 1:
        raise TreeError(f"got {len(trees)} sentences in the text; expected one tree")
    return trees[0]


def _indexed(data: bytes) -> bool:
    """Return True if the leaves of the first tree with leaves are indices, valid or not."""
    single = False
    for line in data.split(b"\n"):
        unclosed = max(0, line.count(b"(") - line.count(b")"))
        text = line.decode("latin-1").encode() + b")" * unclosed
        end = next(iter(tree_ends(text)), 0)
        leaves = words_of(read_columns(text[:end], current_names()))
        if unclosed:
            leaves = leaves[: max(not single, len(leaves) - 1)]  # the last leaf may be cut off
        if len(leaves) == 1 and not unclosed and leaves[0][:2] == "0=":
            single = True  # "(CD 0=0)" may be a tree of either format: the next ones decide
        elif len(leaves) == 1 and not unclosed and "=" in leaves[0]:
            return False  # the index of a single word is 0
        elif leaves:
            indices = [leaf.partition("=")[0] for leaf in leaves]
            if not all(index.isascii() and index.isdecimal() for index in indices):
                return False
            words = text[end:].startswith(b"\t") and not text[end:].isspace()
            return all("=" in leaf for leaf in leaves) or (words and indices == list(leaves))
    return single


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
    on_line: OnLine | None = None,
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
        on_line: Called before the tree of one line of ``"bracket"`` or ``"discbracket"`` is yielded, with a
            function that parses the line, and the line as UTF-8 bytes.

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
    given: dict[str, Any] = {"field": field, "id_field": id_field, "separator": separator, "on_line": on_line}
    if repair or on_answer is not None:
        given.update(repair=repair, several=several, on_answer=on_answer)
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
        return OpenedFile(self.first, name=self.name, format=vars(self).get("format"))

    def read(self) -> bytes | str:
        pieces = list(self._lines)
        return pieces[0][:0].join(pieces) if pieces else b""

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
    ignored = {"several", "on_answer", "on_line", *(("field", "id_field") if auto else ())}
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
        is_list = isinstance(item, (list, tuple)) and not is_node(item)
        tree: Tree | None
        try:
            if answers is not None and (is_list or item is None or isinstance(item, str)):
                text, *others = [one or "" for one in (item if is_list else [item])] or [""]
                tree = answers.tree(text, tuple(others), indexed)
            elif format == "nbest" and is_list:
                from .treebanks import first_of

                tree = first_of([as_tree(parse) for parse in item])
            elif isinstance(item, str):
                tree = tree_of_text(item, format if indexed or format in BY_NAME else "bracket")
                if tree is None:
                    continue
            else:
                tree = as_tree(item)
        except TreeError as raised:
            error = reported(raised, source=f"sentence {number}", line=None)
            if on_error is None:
                raise error from None
            on_error(error)
            tree = EMPTY
        yield tree
