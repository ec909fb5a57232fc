"""Readers of treebanks whose trees are brackets among other text: OntoNotes .onf, and raw Sejong."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .answers import TREES, Output
from .bracket import read_pieces
from .lines import BLANKS, Lines, ReadSentence, reader

# A morpheme with its tag, and the mark between two of them or before the end of the leaf
_MORPHEME = re.compile(rb"(\S{1,200}?)/([A-Z]{1,6})(?:[ \t]*\+[ \t]+|(?=[ \t]*\)))")


@reader
def read_onf(lines: Lines) -> Iterator[Output]:
    """Read the trees of OntoNotes ``.onf`` files: the text after each heading ``Tree:``.

    >>> lines = ["Plain sentence:", "  it rains", "", "Tree:", "-----", "  (S (NP it)", "    (VP rains))", ""]
    >>> [tree.words for tree in read_onf(lines)]
    [('it', 'rains')]
    """
    held: list[str] = []
    begin = 0
    follows = False  # True after the heading
    for number, line in lines:
        if line.strip(BLANKS) == "Tree:":
            follows = True
        elif follows and line.lstrip(BLANKS)[:1] == "(":
            held, begin, follows = [line], number, False
        elif held and line.strip(BLANKS):
            held.append(line)
        elif held:
            yield Output("\n".join(held), begin, error=lines.damage(), reader=TREES)
            held = []
    if held:
        yield Output("\n".join(held), begin, error=lines.damage(), reader=TREES)


@reader
def read_sejong(lines: Lines) -> Iterator[ReadSentence]:
    """Read raw trees of the Sejong treebank, whose leaves are morphemes with tags: ``학교/NNP + 의/JKG``.

    >>> [str(tree) for tree in read_sejong(["(NP\\t(NP_MOD\\t학교/NNP + 의/JKG)", "\\t(NP\\t도서관/NNG))"])]
    ['(NP (NP_MOD (NNP 학교) (JKG 의)) (NP (NNG 도서관)))']
    """
    return read_pieces((_MORPHEME.sub(_leaf, line) for line in lines.as_utf8()), lines)


def _leaf(match: re.Match[bytes]) -> bytes:
    word = match[1].replace(b"(", b"-LRB-").replace(b")", b"-RRB-")
    return b" (" + match[2] + b" " + word + b")"
