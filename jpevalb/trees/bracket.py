"""Bracket text: one sentence a line, or Penn Treebank trees over several lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from ..kernels.scan import LabelCache, is_tree
from .errors import TreeError
from .files import LONGEST, too_long
from .lines import OnError, OnText, sample_of
from .parse import Origin, parse, scan
from .text import is_utf8
from .tree import EMPTY, Tree

_BLANKS = b" \t\n\v\f\r"
BOM = b"\xef\xbb\xbf"

SAMPLE_BYTES = 1 << 20
"""How much of a file is looked at to tell its layout."""


def read_bracket(
    lines: Iterable[str] | Iterable[bytes],
    *,
    source: str | None = None,
    encoding: str = "utf-8",
    on_error: OnError | None = None,
    on_text: OnText | None = None,
    words_alone: bool = False,
) -> Iterator[Tree]:
    """Reads bracket trees, one sentence at a time.

    The layout is told from the file's beginning.  *One sentence a line*: every
    line holds whole trees; several on one line are one sentence, a blank line
    is a sentence without a parse, except for blank lines at the end.  *Trees
    over several lines* (``.mrg``): each outermost bracket is a sentence and
    blank lines mean nothing.

    Arguments: those of all readers (:mod:`jpevalb.trees.lines`), and ``words_alone``:
    whether trees with a line for themselves may have nothing but words, which are compared unread.

    Raises:
        TreeError: brackets that do not balance, text outside brackets, or bytes
            that are not in the encoding.

    Cost: O(length), in the memory of one sentence.

    >>> [tree.words for tree in read_bracket(["( (S (NN a))", "  )", "( (S (NN b)) )"])]
    [('a',), ('b',)]
    >>> [tree.words for tree in read_bracket(["(S (NN a))", "", "(S (NN b)) (S (NN c))"])]
    [('a',), (), ('b', 'c')]
    """
    data = as_utf8(lines, source, encoding)
    sample = sample_of(data, SAMPLE_BYTES)
    origin = Origin(source, encoding, LabelCache())
    if _is_one_a_line(sample):
        return _read_one_a_line(chain(sample, data), origin, on_error, on_text, words_alone)
    whole = _pieces(chain(sample, data), source, resume=on_error is not None)
    return _read_pieces(whole, origin, on_error, on_text)


def as_utf8(lines: Iterable[str] | Iterable[bytes], source: str | None, encoding: str) -> Iterator[bytes]:
    """The lines as UTF-8, a byte order mark made blanks; what cannot be decoded stays as it is."""
    same = is_utf8(encoding)
    line: Any
    first = True
    for number, line in enumerate(lines, 1):
        if isinstance(line, str):
            data = line.encode("utf-8", "surrogatepass")
        elif same:
            data = line
        else:
            try:
                data = line.decode(encoding, "surrogateescape").encode("utf-8", "surrogateescape")
            except UnicodeError as error:
                raise TreeError(
                    f"the line is not {encoding.upper()} ({error}); name the file's encoding",
                    source=source,
                    line=number,
                ) from None
        if first:
            if data.startswith(BOM):
                data = b"   " + data[3:]
            first = False
        yield data


def _is_one_a_line(sample: list[bytes]) -> bool:
    """Whether a file that begins with these lines has one sentence a line.

    It has where all lines balance.  The first line that does not balance shows
    a tree over several lines if the line after it continues it, and a damaged
    line otherwise: continuations are indented, trees are not.
    """
    for place, line in enumerate(sample):
        balance = line.count(b"(") - line.count(b")")
        if balance < 0:
            return True
        if balance > 0:
            for after in sample[place + 1 :]:
                if after.strip(_BLANKS):
                    begins = after[:1] == b"("
                    return begins and after.count(b"(") == after.count(b")")
            return True
    return True


def _read_one_a_line(
    lines: Iterable[bytes],
    origin: Origin,
    on_error: OnError | None,
    on_text: OnText | None,
    words_alone: bool,
) -> Iterator[Tree]:
    """One sentence a line; blank lines wait until a sentence follows."""
    offset = 0
    blanks = 0
    read = text_parser()
    for number, data in enumerate(lines, 1):
        trouble = None
        try:
            unread = words_alone and is_tree(data)
            tree = Unread(data, read) if unread else _sentence(data, origin, number, offset)
        except TreeError as error:
            if on_error is None:
                raise
            tree, trouble = EMPTY, error
        offset += len(data)
        if tree is EMPTY and trouble is None:
            blanks += 1
            continue
        while blanks:
            blanks -= 1
            if on_text is not None:
                on_text(b"")
            yield EMPTY
        if trouble is not None and on_error is not None:
            on_error(trouble)
        if on_text is not None:
            on_text(data)
        yield tree


def _read_pieces(
    parts: Iterable[tuple[bytes, int, int]],
    origin: Origin,
    on_error: OnError | None,
    on_text: OnText | None = None,
) -> Iterator[Tree]:
    """Trees over several lines; each outermost bracket of the :func:`_pieces` is a sentence."""
    for data, line, offset in parts:
        place = begin = 0
        tree = None
        while True:
            try:
                found, end = scan(data, place, origin, line, offset)
            except TreeError as error:
                if on_error is None:
                    raise
                # What trails a tree spoils it; a tree not closed is one of its own.
                if tree is not None and data[place:].lstrip(_BLANKS)[:1] == b"(":
                    if on_text is not None:
                        on_text(data[begin:place])
                    yield tree
                on_error(error)
                tree, place = EMPTY, begin
                break
            if found is None:
                break
            if tree is not None:
                if on_text is not None:
                    on_text(data[begin:place])
                yield tree
            tree, begin, place = Tree(*found), place, end
        if tree is not None:
            if on_text is not None:
                on_text(data[begin:place])
            yield tree


def _pieces(lines: Iterable[bytes], source: str | None, *, resume: bool) -> Iterator[tuple[bytes, int, int]]:
    """Cuts a file into pieces of whole lines whose brackets balance.

    Yields each with the number of its first line and its place in the file in bytes.

    A tree that is not closed would swallow the rest of the file.  An open
    bracket at the beginning of a line ends it where the trees so far had none
    on their later lines.  Otherwise only the end of the file does; to
    ``resume`` then means to end it at the first such bracket after all.

    Raises:
        InputError: a piece longer than ``LONGEST``.
    """
    number, offset = 1, 0
    # Whether the trees so far have no open bracket at the beginning of their later lines, if they have some.
    indented: bool | None = None
    rest = iter(lines)
    held: list[bytes] = []
    restart = 0
    depth = 0
    size = 0
    while True:
        for data in rest:
            if held:
                if data[:1] == b"(" and not restart:
                    restart = len(held)
                if restart and indented:
                    yield b"".join(held), number, offset
                    number, offset = number + len(held), offset + sum(map(len, held))
                    held, restart, depth, size = [], 0, 0, 0
            elif not data.strip(_BLANKS):
                number, offset = number + 1, offset + len(data)
                continue
            held.append(data)
            size += len(data)
            if size > LONGEST:
                raise too_long("the tree", source, number)
            depth += data.count(b"(") - data.count(b")")
            if depth <= 0:
                if indented is None and len(held) > 1:
                    indented = not restart
                yield b"".join(held), number, offset
                number, offset = number + len(held), offset + sum(map(len, held))
                held, restart, depth, size = [], 0, 0, 0
        if not held:
            return
        end = restart if restart and resume else len(held)
        yield b"".join(held[:end]), number, offset
        number, offset = number + end, offset + sum(map(len, held[:end]))
        rest = iter(held[end:])
        held, restart, depth, size, indented = [], 0, 0, 0, True


def parse_sentence(data: bytes) -> Tree:
    """Reads the tree of one sentence from UTF-8 bytes, over one line or several.

    Several trees are put under one root without label; blanks alone, and ``(())``
    or anything else without a word, give a tree without words.

    Raises:
        TreeError: brackets that do not balance, text outside brackets, or bytes
            that are not UTF-8.

    Cost: O(bytes).
    """
    return _sentence(data, Origin(None, "utf-8"), None, None)


def text_parser() -> Callable[[bytes], Tree]:
    """A function that makes trees of the texts of sentences that have been read once."""
    origin = Origin(None, "utf-8", LabelCache())
    return lambda data: _sentence(data, origin, None, None)


def _sentence(data: bytes, origin: Origin, line: int | None, offset: int | None) -> Tree:
    parts = parse(data, origin, line, offset)
    return EMPTY if parts is None else Tree(*parts)


class Unread(Tree):
    """The tree of a text, which is read once anything of the tree is asked for.

    Args:
        data: The bracket text of one sentence in UTF-8, of which ``is_tree`` is true.
        read: Reads it.

    >>> tree = Unread(b"(S (NN a) (VB b))", parse_sentence)
    >>> tree.data, tree.words
    (b'(S (NN a) (VB b))', ('a', 'b'))
    """

    __slots__ = ("_read", "data")

    def __init__(self, data: bytes, read: Callable[[bytes], Tree]) -> None:
        _set_data(self, data)
        _set_read(self, read)

    def __getattr__(self, name: str) -> Any:
        # Asked only of what has no value yet.
        if name not in Tree.__match_args__:
            raise AttributeError(name)
        self.__setstate__(self._read(self.data).__getstate__())
        return getattr(self, name)


_set_data, _set_read = Unread.data.__set__, Unread._read.__set__  # type: ignore[attr-defined]
