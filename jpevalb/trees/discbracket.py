"""Discbracket: bracketed trees, possibly discontinuous, whose leaves carry the index of their word.

Two dialects, told apart line by line::

    (S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)))<TAB>optional comment
    (S (VP (VB 0) (RP 2)) (NP (PRP 1)))<TAB>wake me up

In the first a leaf is split at its first ``=``, and ``#LRB#`` and ``#RRB#``
stand for brackets, in words and in labels; in the second in labels only.
Indices count from 0, each stands once.  A line without words, blank or ``(())``,
is a sentence without a tree; blank lines at the end of the file mean nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from ..kernels.scan import NOTHING, OPEN, TREE, is_indexed_tree, scan_tree
from .bracket import Unread
from .errors import TreeError
from .lines import BLANKS, OnError, OnText, numbered_lines
from .tree import EMPTY, Tree

_UNLABELLED = re.compile(rb"\([ \t\n\v\f\r]+(?=[0-9]+[= \t\n\v\f\r)])")
_INDEX = re.compile(r"[0-9]{1,15}\Z")
_INDICES = re.compile(r"(?:[0-9]{1,15} )*\Z")
_PIECE = re.compile(r"\([^ \t\n\v\f\r()]*|\)|[^ \t\n\v\f\r()]+")
_BLANK = re.compile(r"[ \t\n\v\f\r]+")


def read_discbracket(
    lines: Iterable[str] | Iterable[bytes],
    *,
    source: str | None = None,
    encoding: str = "utf-8",
    on_error: OnError | None = None,
    on_text: OnText | None = None,
    words_alone: bool = False,
) -> Iterator[Tree]:
    """Reads one tree from each line, in either dialect.

    Arguments: those of all readers (:mod:`jpevalb.trees.lines`), and ``words_alone``: whether trees
    that are surely without error are read only when they are looked at.

    Raises:
        TreeError: a line that is no tree of this format.

    Cost: O(length).

    >>> [tree] = read_discbracket(["(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)))"])
    >>> tree.words, tree.tags, tree.is_continuous
    (('wake', 'me', 'up'), ('VB', 'PRP', 'RP'), False)
    """
    blanks = 0
    unreadable: list[TreeError] | None = None if on_error is None else []
    read = text_parser()
    tree: Tree
    for number, line in numbered_lines(lines, source=source, encoding=encoding, unreadable=unreadable):
        if not line.strip(BLANKS):
            blanks += 1
            continue
        for _ in range(blanks):
            if on_text is not None:
                on_text(b"")
            yield EMPTY
        blanks = 0
        try:
            if unreadable:
                raise unreadable.pop()
            data = line.encode("utf-8", "surrogatepass") if words_alone else b""
            if is_indexed_tree(data):
                tree = UnreadDiscbracket(data, read)
            else:
                tree = parse_discbracket(line, source=source, line=number)
        except TreeError as error:
            if on_error is None:
                raise
            on_error(error)
            tree = EMPTY
        if on_text is not None:
            on_text(line.encode("utf-8", "surrogatepass"))
        yield tree


class UnreadDiscbracket(Unread):
    """The tree of a line of which ``is_indexed_tree`` is true.

    Its text is in the order of the brackets and not of the words, so that nothing is told by the text alone.
    """

    __slots__ = ()


def text_parser() -> Callable[[bytes], Tree]:
    """A function that makes trees of the texts of sentences that have been read once."""
    return lambda data: parse_discbracket(data.decode("utf-8", "surrogatepass"))


def parse_discbracket(text: str, *, source: str | None = None, line: int | None = None) -> Tree:
    """Reads the tree of one line; a tree without words is the empty tree.

    Raises:
        TreeError: brackets that do not balance, a leaf that is not of the
            dialect, an index that is missing or stands twice, words that do not
            fit the indices, or text behind the tree without a tab before it.

    Cost: O(length).

    >>> parse_discbracket("(S (A 0) (B 1))\\tyes indeed").words
    ('yes', 'indeed')
    """

    def error(message: str, column: int | None = None) -> TreeError:
        return TreeError(message, source=source, line=line, column=column)

    data = text.encode("utf-8", "surrogatepass")
    code, place, *parts = scan_tree(data, 0, len(data))
    if code == NOTHING:
        return EMPTY
    if code != TREE:
        column = len(data[:place].decode("utf-8", "replace")) + 1
        if code == OPEN:
            raise error("the tree that begins here is not closed; expected as many ')' as '('", column)
        raise error(
            f"found {_BLANK.split(text[column - 1 :])[0][:20]!r}; expected a tree, which begins with '('",
            column,
        )
    unlabelled = ""
    if _UNLABELLED.search(data, 0, place):
        # The scanner takes a text behind a blank for a label; an index is none.
        unlabelled = "\0"
        while unlabelled in text:
            unlabelled += "\0"
        tree = _UNLABELLED.sub(f"({unlabelled} ".encode(), data[:place])
        _, _, *parts = scan_tree(tree, 0, len(tree))
    labels, parents, starts, ends, leaves, leaf_parents = parts
    if unlabelled:
        labels = ["" if label == unlabelled else label for label in labels]
    rest = data[place:].decode("utf-8", "surrogatepass").lstrip(" ")
    if rest and rest.strip(BLANKS) and rest[0] != "\t":
        column = len(text) - len(rest) + 1
        raise error(
            f"found {_BLANK.split(rest)[0][:20]!r} behind the tree; expected the end of the line, or a tab",
            column,
        )
    if "#" in text:
        labels = [unescape(label) for label in labels]
    n = len(leaves)
    split = [leaf.partition("=") for leaf in leaves]
    indices, signs, words = map(list, zip(*split)) if split else ([], [], [])
    with_words = any(signs[:1])
    alike = "" not in signs and "" not in words if with_words else not any(signs)
    if not alike or not _INDICES.match(" ".join([*indices, ""])):
        number, wanted = _wrong_leaf(split, with_words)
        raise error(f"found the leaf {leaves[number][:40]!r}; expected {wanted}", _leaf_column(text, number))
    order = list(map(int, indices))
    if with_words:
        words = [unescape(word) for word in words] if "#" in text else words
    elif n:
        tail = rest.split("\t")
        words = _BLANK.split(tail[1].strip(BLANKS)) if len(tail) > 1 and tail[1].strip(BLANKS) else []
        if len(words) != n:
            raise error(
                f"found {len(words)} words behind the tree of {n} indices; "
                "expected a tab and then as many words, with blanks between them"
            )
    else:
        return EMPTY
    if order == list(range(n)):
        return Tree(
            tuple(labels), tuple(parents), tuple(starts), tuple(ends), tuple(words), tuple(leaf_parents)
        )
    _check_indices(order, text, error)
    at = sorted(range(n), key=order.__getitem__)
    if with_words:
        words = [words[number] for number in at]
    return Tree.build(labels, parents, words, [leaf_parents[number] for number in at])


def unescape(text: str) -> str:
    """Puts brackets back for ``#LRB#`` and ``#RRB#``."""
    return text.replace("#LRB#", "(").replace("#RRB#", ")")


def _wrong_leaf(split: Sequence[tuple[str, str, str]], with_words: bool) -> tuple[int, str]:
    """The number of the first leaf that is none, and what is expected in its place."""
    for number, (index, sign, word) in enumerate(split):
        if not _INDEX.match(index) or bool(sign) != with_words or (with_words and not word):
            wanted = "index=word" if with_words or not _INDEX.match(index) else "a bare index as before"
            return number, wanted
    raise AssertionError("called for leaves that are all right")


def _check_indices(order: Sequence[int], text: str, error: Callable[[str, int | None], TreeError]) -> None:
    n = len(order)
    if sorted(order) == list(range(n)):
        return
    met: set[int] = set()
    for number, index in enumerate(order):
        if index in met:
            raise error(
                f"index {index} stands twice; each word has an index of its own, from 0 to {n - 1}",
                _leaf_column(text, number),
            )
        met.add(index)
    missing = min(set(range(n)) - met)
    raise error(f"index {missing} is missing: the indices of {n} words are 0 to {n - 1}, in any order", None)


def _leaf_column(text: str, number: int) -> int | None:
    for piece in _PIECE.finditer(text):
        if piece[0][0] not in "()":
            if number == 0:
                return piece.start() + 1
            number -= 1
    return None
