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
from ..kernels.columns import AFTER, LEAF, BadTreeError, current_names, read
from ..trees.parse import NO_FILE, Origin, bad_tree, undecodable
from ..trees.tree import Tree
from .bracket import read_lines
from .lines import BLANKS, Lines, ReadSentence, reader, sample_of

_BARE = re.compile(r"(?<=[ \t\n\v\f\r)])[0-9]+(?=[ \t\n\v\f\r()])")
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
    return read_lines(sample_of(data, 1), data, lines, _parse_line, unread)


def parse_discbracket(text: str) -> Tree:
    """Parse one line; a tree without words is the empty tree."""
    return _parse_line(text.encode("utf-8", "surrogatepass"))


def _parse_line(
    data: bytes, origin: Origin = NO_FILE, line: int | None = None, offset: int | None = None
) -> Tree:
    try:
        text = data.decode("utf-8")
        return Tree.of_columns(read(data, current_names(), indexed=True))
    except UnicodeDecodeError:
        raise undecodable(data, 0, origin, line, offset) from None
    except BadTreeError as error:
        problem, index, *leaves = error.args
    if problem == LEAF:
        found = _of_bare_indices(text, len(data[:index].decode()), *leaves)
        if isinstance(found, Tree):
            return found
        raise TreeError(found[0], source=origin.source, line=line, column=found[1])
    if problem == AFTER:
        rest = data[index:].decode()
        message = f"{_BLANK.split(rest)[0][:20]!r} after the tree; expected the end of the line, or a tab"
        raise TreeError(message, source=origin.source, line=line, column=len(text) - len(rest) + 1)
    raise bad_tree(data, problem, index, origin, line, offset)


def _of_bare_indices(text: str, end: int, leaves: list[str]) -> Tree | tuple[str, int | None]:
    """Parse a tree of bare indices, up to ``end``, with the words behind it.

    Return what is wrong and the column, if any, where the leaves are no bare indices.
    """
    wrong = _wrong_leaf(leaves)
    if wrong is not None:
        message, number = wrong
        begins = [piece.start() for piece in _PIECE.finditer(text) if piece[0][0] not in "()"]
        return message, None if number is None else begins[number] + 1
    tail = text[end:].split("\t")
    words = _BLANK.split(tail[1].strip(BLANKS)) if len(tail) > 1 and tail[1].strip(BLANKS) else []
    if len(words) != len(leaves):
        return (
            f"{counted(len(words), 'word')} after the tree of {len(leaves)} indices; "
            "expected a tab and then as many words, with blanks between them",
            None,
        )
    # Words may have brackets, so each index stands for its word while the tree is read.
    names = current_names()
    columns = read(_BARE.sub(r"\g<0>=\g<0>", text[:end]).encode(), names, indexed=True)
    for index, word in enumerate(words, 4 * columns.brackets):
        columns.cells[index] = names.number(word)
    return Tree.of_columns(columns)


def _wrong_leaf(leaves: Sequence[str]) -> tuple[str, int | None] | None:
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
    missing = set(range(n)) - seen
    if not missing:
        return None
    return f"index {min(missing)} is missing: the indices of {n} words are 0 to {n - 1}, in any order", None
