"""Readers of CoNLL files: a line for each word, and a blank line after each sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from ..base.errors import TreeError
from ..base.text import counted
from ..trees.parse import shorten
from .answers import TREES, Output
from .around import without_around
from .lines import BLANKS, Lines, reader

_Rows: TypeAlias = "list[tuple[int, str]]"

_ESCAPED = str.maketrans({"(": "-LRB-", ")": "-RRB-"})


@reader
def read_conllu(lines: Lines) -> Iterator[Output]:
    """Read CoNLL-U: Stanza writes trees as ``# constituency = (ROOT ...)``; the id is ``# sent_id``."""
    return _outputs(lines, _tree_in_comment)


@reader
def read_conll2012(lines: Lines) -> Iterator[Output]:
    """Read CoNLL-2012 (OntoNotes): columns 4 to 6 are word, tag and parse bit; ``*`` stands for the word."""
    return _outputs(lines, _tree_in_column)


def _outputs(lines: Lines, output_of: Callable[[_Rows], Output | None]) -> Iterator[Output]:
    """Cut a file into sentences at blank lines, and convert their lines."""
    for begin, texts, damage in lines.groups(lambda line: not line.strip(BLANKS), "the sentence"):
        output = output_of(list(enumerate(texts, begin)))
        if damage is not None:
            output = Output("", damage.line or 0, error=damage)
        if output is not None:
            yield output


def _tree_in_comment(rows: _Rows) -> Output | None:
    id = None
    for number, line in rows:
        key, equals, value = line.lstrip("# ").partition("=")
        if not line.startswith("#"):
            name = "the sentence" if id is None else f"sentence {id!r}"
            problem = f"{name} has no tree; expected a line '# constituency = (ROOT ...)' before its words"
            return Output("", number, id, TreeError(problem))
        if equals and key.strip() == "sent_id":
            id = value.strip()
        elif equals and key.strip() == "constituency":
            return Output(without_around(value.strip()) or "", number, id, reader=TREES)
    return None  # comments without words


def _tree_in_column(rows: _Rows) -> Output | None:
    pieces: list[str] = []
    rows = [row for row in rows if not row[1].startswith("#")]
    for number, line in rows:
        fields = line.split()
        if len(fields) < 6 or fields[5].count("*") != 1:
            problem = (
                f"{shorten(fields[5])} in column 6; expected a part of a tree, such as (NP*"
                if len(fields) > 5
                else f"got {counted(len(fields), 'column')}; expected a word, its tag and "
                "(NP* in columns 4 to 6"
            )
            return Output("", number, error=TreeError(problem))
        # Other writers do not escape brackets.
        word, tag = (field.translate(_ESCAPED) for field in fields[3:5])
        pieces.append(fields[5].replace("(", " (").replace("*", f" ({tag} {word})"))
    # OntoNotes marks a sentence without a parse so, with its words and tags.
    pieces = [piece.replace("(NOPARSE ", "( ") for piece in pieces]
    return Output("".join(pieces), rows[0][0], reader=TREES) if pieces else None
