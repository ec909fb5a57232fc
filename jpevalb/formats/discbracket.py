"""Reader of discbracket: bracketed, possibly discontinuous trees whose leaves carry the index of their word.

Each line has one of two dialects::

    (S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)))<TAB>optional comment
    (S (VP (VB 0) (RP 2)) (NP (PRP 1)))<TAB>wake me up

In the first, a leaf is split at its first ``=``, and ``#LRB#`` and ``#RRB#`` stand for brackets in words and
labels; in the second, in labels only.  Indices count from 0 and occur once each.  A line without words, blank
or ``(())``, is a sentence without a tree; blank lines at the end of the file, and lines around trees
(:mod:`jpevalb.formats.around`), are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..base.errors import TreeError
from ..base.text import counted
from ..kernels.scan import is_indexed_tree, split_leaves
from ..trees.parse import NO_FILE, Origin, scan, undecodable
from ..trees.tree import EMPTY, Tree
from ..trees.unread import Unread
from .bracket import read_lines
from .lines import BLANKS, Lines, ReadSentence, reader, sample_of

_UNLABELLED = re.compile(rb"\([ \t\n\v\f\r]+(?=[0-9]+[= \t\n\v\f\r)])")
_NEEDED = (b"( ", b"\t", b"\n", b"\v", b"\f", b"\r")  # _UNLABELLED has one; found in a fifth of its time
_PIECE = re.compile(r"\([^ \t\n\v\f\r()]*|\)|[^ \t\n\v\f\r()]+")
_BLANK = re.compile(r"[ \t\n\v\f\r]+")


@reader
def read_discbracket(lines: Lines, unread: bool = False) -> Iterator[ReadSentence]:
    """Read one tree from each line; with ``unread``, lines are yielded as ``read_bracket`` does.

    >>> [tree] = read_discbracket(["(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)))"])
    >>> tree.words, tree.tags, tree.is_continuous
    (('wake', 'me', 'up'), ('VB', 'PRP', 'RP'), False)
    """
    data = lines.as_utf8()
    return read_lines(sample_of(data, 1), data, lines, UnreadDiscbracket, unread)


def parse_discbracket(text: str) -> Tree:
    """Parse one line; a tree without words is the empty tree."""
    return _parse_line(text.encode("utf-8", "surrogatepass"))


def _parse_line(
    data: bytes, origin: Origin = NO_FILE, line: int | None = None, offset: int | None = None
) -> Tree:
    def error(message: str, column: int | None = None) -> TreeError:
        return TreeError(message, source=origin.source, line=line, column=column)

    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise undecodable(data, 0, origin, line, offset) from None
    parts, end = scan(data, 0, origin, line, offset)
    if parts is None or not parts[4]:
        return EMPTY
    unlabelled = ""
    if any(map(data[:end].__contains__, _NEEDED)) and _UNLABELLED.search(data, 0, end):
        # The scanner would take the index after a blank for the label.
        unlabelled = "\0"
        while unlabelled in text:
            unlabelled += "\0"
        again, _ = scan(_UNLABELLED.sub(f"({unlabelled} ".encode(), data[:end]), 0, origin, line, offset)
        parts = again or parts
    labels, parents, starts, ends, leaves, leaf_parents = parts
    rest = data[end:].lstrip(b" ").decode()
    if rest.strip(BLANKS) and rest[0] != "\t":
        shown = _BLANK.split(rest)[0][:20]
        problem = f"{shown!r} after the tree; expected the end of the line, or a tab"
        raise error(problem, len(text) - len(rest) + 1)
    found = split_leaves(leaves, leaf_parents)
    if found is None:
        message, number = _wrong_leaf(leaves)
        columns = [piece.start() + 1 for piece in _PIECE.finditer(text) if piece[0][0] not in "()"]
        raise error(message, None if number is None else columns[number])
    words, word_parents, same_order = found
    if not words[0]:
        tail = rest.split("\t")
        words = _BLANK.split(tail[1].strip(BLANKS)) if len(tail) > 1 and tail[1].strip(BLANKS) else []
        if len(words) != len(leaves):
            raise error(
                f"{counted(len(words), 'word')} after the tree of {len(leaves)} indices; "
                "expected a tab and then as many words, with blanks between them"
            )
    elif "#" in text:
        words = [_unescape(word) for word in words]
    if unlabelled or "#" in text:
        labels = tuple([_unescape("" if label == unlabelled else label) for label in labels])
    if same_order:
        return Tree(labels, parents, starts, ends, tuple(words), word_parents)
    return Tree.build(labels, parents, words, word_parents)


class UnreadDiscbracket(Unread):
    """Like :class:`Unread`, but the order of the words cannot be read off the text."""

    __slots__ = ()

    is_valid = staticmethod(is_indexed_tree)
    from_text = staticmethod(_parse_line)


text_parser = UnreadDiscbracket.text_parser


def _wrong_leaf(leaves: Sequence[str]) -> tuple[str, int | None]:
    """Return why leaves are invalid, and the number of the first invalid one, if any."""
    with_words = "=" in leaves[0]
    for number, leaf in enumerate(leaves):
        index, sign, word = leaf.partition("=")
        valid = re.fullmatch("[0-9]{1,15}", index) is not None
        if not valid or bool(sign) != with_words or (with_words and not word):
            expected = "index=word" if with_words or not valid else "a bare index as before"
            return f"got the leaf {leaf[:40]!r}; expected {expected}", number
    n = len(leaves)
    seen: set[int] = set()
    for number, leaf in enumerate(leaves):
        word_index = int(leaf.partition("=")[0])
        if word_index in seen:
            message = f"index {word_index} occurs twice; each word has one index, from 0 to {n - 1}"
            return message, number
        seen.add(word_index)
    missing = min(set(range(n)) - seen)
    return f"index {missing} is missing: the indices of {n} words are 0 to {n - 1}, in any order", None


def _unescape(text: str) -> str:
    return text.replace("#LRB#", "(").replace("#RRB#", ")")
