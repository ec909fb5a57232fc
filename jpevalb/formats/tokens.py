"""Readers of words without trees: CoNLL-U, and plain text with a sentence in each line.

Their trees have no constituents: a root without label over the words, or over the words with their tags.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..base.errors import TreeError
from ..base.text import number_of
from ..trees.parse import shorten
from ..trees.tree import EMPTY, Tree
from .lines import BLANKS, Lines, ReadSentence, reader


@reader
def read_tokens(lines: Lines) -> Iterator[ReadSentence]:
    """Read the words of CoNLL-U with their tags, XPOS or else UPOS; the id is ``# sent_id``.

    A multiword token such as ``1-2 au`` is one word; its tag joins those of its parts with ``+``.

    >>> rows = ["1-2 au _ _ _ _ _ _ _ _", "1 à _ ADP _ _ _ _ _ _", "2 le _ DET _ _ _ _ _ _"]
    >>> [(tree.words, tree.tags) for tree in read_tokens([row.replace(" ", "\\t") for row in rows])]
    [(('au',), ('ADP+DET',))]
    """
    for begin, rows, damage in lines.groups(lambda line: not line.strip(BLANKS), "the sentence"):
        id = None
        for row in rows:
            key, _, value = row.lstrip("# ").partition("=")
            if row.startswith("#") and key.strip() == "sent_id":
                id = value.strip()
        if damage is not None:
            yield ReadSentence(damage, id=id)
        elif any(not row.startswith("#") for row in rows):
            try:
                yield ReadSentence(_tree(begin, rows, id), id=id)
            except TreeError as error:
                yield ReadSentence(error, id=id)


def _tree(begin: int, rows: Sequence[str], id: str | None) -> Tree:
    words: list[str] = []
    tags: list[list[str]] = []
    last = 0  # number of the last part of a multiword token
    for number, row in enumerate(rows, begin):
        if row.startswith("#"):
            continue
        fields = row.split("\t")
        first, _, end = fields[0].partition("-")
        index, until = number_of(first), number_of(end or first)
        if len(fields) != 10 or index is None or until is None:
            if len(fields) == 10 and fields[0].replace(".", "", 1).isdecimal():
                continue  # an empty node
            expected = "expected a number, a word, and ten columns with tabs between them"
            raise TreeError(f"{shorten(row)} is no row of CoNLL-U; {expected}", line=number)
        if end or index > last:
            words.append("".join(fields[1].split()))  # blanks in words are no boundaries
            tags.append([])
            last = until
        if not end:
            tags[-1].append(fields[4] if fields[4] != "_" else fields[3])
    return flat_tree(words, ["+".join(parts) for parts in tags], id)


@reader
def read_text(lines: Lines) -> Iterator[ReadSentence]:
    """Read plain text: a sentence in each line, with blanks between its words; blank lines are skipped.

    >>> [tree.words for tree in read_text(["the cat", "", "sat ."])]
    [('the', 'cat'), ('sat', '.')]
    """
    for _, line in lines:
        damage = lines.damage()
        if damage is not None or line.strip(BLANKS):
            yield ReadSentence(damage or flat_tree(line.split()))


def flat_tree(words: Sequence[str], tags: Sequence[str | None] | None = None, id: str | None = None) -> Tree:
    """Return a tree without constituents."""
    n = len(words)
    if not n:
        return EMPTY.replace(id=id)
    if tags is None:
        return Tree(("",), (-1,), (0,), (n,), tuple(words), (0,) * n, id, tagged=False)
    labels = ("", *[tag or "" for tag in tags])
    starts, ends = (0, *range(n)), (n, *range(1, n + 1))
    return Tree(labels, (-1, *[0] * n), starts, ends, tuple(words), tuple(range(1, n + 1)), id)
