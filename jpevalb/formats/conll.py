"""Readers of CoNLL files, with or without trees, and of plain text with a sentence in each line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import TypeAlias

from ..base.errors import TreeError
from ..base.text import counted, number_of
from ..trees.parse import shorten
from ..trees.tree import Tree, flat_tree
from .around import without_around
from .lines import BLANKS, Lines, ReadSentence, parsed, reader

_Rows: TypeAlias = "list[tuple[int, str]]"  # with the numbers of their lines
_Comments: TypeAlias = "dict[str, tuple[int, str]]"  # number of the line and value of each key

_ESCAPED = str.maketrans({"(": "-LRB-", ")": "-RRB-"})


def _reader(tree_of: Callable[[_Rows, _Comments], Tree | TreeError | None]) -> Callable[..., Iterator[Tree]]:
    """Make a reader of a function that returns the tree of a sentence, or None for one without words."""

    @reader
    @wraps(tree_of)
    def read(lines: Lines) -> Iterator[ReadSentence]:
        for begin, texts, damage in lines.groups(lambda line: not line.strip(BLANKS), "the sentence"):
            rows: _Rows = []
            comments: _Comments = {}
            for number, text in enumerate(texts, begin):
                if text.startswith("#"):
                    key, _, value = text.lstrip("# ").partition("=")
                    comments.setdefault(key.strip(), (number, value.strip()))
                else:
                    rows.append((number, text))
            result = damage or tree_of(rows, comments)
            if result is not None:
                yield ReadSentence(result, comments["sent_id"][1] if "sent_id" in comments else None)

    return read


@_reader
def read_conllu(rows: _Rows, comments: _Comments) -> Tree | TreeError | None:
    """Read CoNLL-U: Stanza writes trees as ``# constituency = (ROOT ...)``; the id is ``# sent_id``."""
    if "constituency" in comments:
        number, text = comments["constituency"]
        return parsed(without_around(text) or "", number)
    if not rows:
        return None
    name = f"sentence {comments['sent_id'][1]!r}" if "sent_id" in comments else "the sentence"
    problem = f"{name} has no tree; expected a line '# constituency = (ROOT ...)' before its words"
    return TreeError(problem, line=rows[0][0])


@_reader
def read_conll2012(rows: _Rows, _: _Comments) -> Tree | TreeError | None:
    """Read CoNLL-2012 (OntoNotes): columns 4 to 6 are word, tag and parse bit; ``*`` stands for the word."""
    pieces: list[str] = []
    for number, line in rows:
        fields = line.split()
        if len(fields) < 6 or fields[5].count("*") != 1:
            problem = (
                f"{shorten(fields[5])} in column 6; expected a part of a tree, such as (NP*"
                if len(fields) > 5
                else f"got {counted(len(fields), 'column')}; expected a word, its tag and "
                "(NP* in columns 4 to 6"
            )
            return TreeError(problem, line=number)
        # Other writers do not escape brackets.
        word, tag = (field.translate(_ESCAPED) for field in fields[3:5])
        pieces.append(fields[5].replace("(", " (").replace("*", f" ({tag} {word})"))
    # OntoNotes marks a sentence without a parse so, with its words and tags.
    pieces = [piece.replace("(NOPARSE ", "( ") for piece in pieces]
    return parsed("".join(pieces), rows[0][0]) if pieces else None


@_reader
def read_tokens(rows: _Rows, _: _Comments) -> Tree | TreeError | None:
    """Read the words of CoNLL-U with their tags, XPOS or else UPOS; the id is ``# sent_id``.

    A multiword token such as ``1-2 au`` is one word; its tag joins those of its parts with ``+``.
    """
    words: list[str] = []
    tags: list[list[str]] = []
    last = 0  # number of the last part of a multiword token
    for number, row in rows:
        fields = row.split("\t")
        first, _dash, end = fields[0].partition("-")
        index, until = number_of(first), number_of(end or first)
        if len(fields) != 10 or index is None or until is None:
            if len(fields) == 10 and fields[0].replace(".", "", 1).isdecimal():
                continue  # an empty node
            expected = "expected a number, a word, and ten columns with tabs between them"
            return TreeError(f"{shorten(row)} is no row of CoNLL-U; {expected}", line=number)
        if end or index > last:
            words.append("".join(fields[1].split()))  # blanks in words are no boundaries
            tags.append([])
            last = until
        if not end:
            tags[-1].append(fields[4] if fields[4] != "_" else fields[3])
    return flat_tree(words, ["+".join(parts) for parts in tags]) if rows else None


@reader
def read_text(lines: Lines) -> Iterator[ReadSentence]:
    """Read plain text: a sentence in each line, with blanks between its words; blank lines are skipped."""
    for _, line in lines:
        damage = lines.damage()
        if damage is not None or line.strip(BLANKS):
            yield ReadSentence(damage or flat_tree(line.split()))
