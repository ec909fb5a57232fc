"""Readers of CoNLL files: a line for each word, and a blank line after each sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TypeAlias

from .answers import AnswerReader, Output
from .around import without_around
from .errors import TreeError
from .files import LONGEST, too_long
from .lines import BLANKS, OnError, numbered_lines
from .parse import shorten
from .tree import Tree

_Rows: TypeAlias = "list[tuple[int, str]]"

_ESCAPED = {"(": "-LRB-", ")": "-RRB-"}


def _outputs(
    lines: Iterable[str] | Iterable[bytes],
    source: str | None,
    encoding: str,
    output_of: Callable[[_Rows], Output | None],
) -> Iterator[Output]:
    """Cut a file into sentences at blank lines, and convert their lines."""
    unreadable: list[TreeError] = []
    rows: _Rows = []
    size = 0
    numbered = numbered_lines(lines, source=source, encoding=encoding, unreadable=unreadable)
    for number, line in chain(numbered, [(0, "")]):
        size += len(line)
        if size > LONGEST:
            raise too_long("the sentence", source, rows[0][0] if rows else number)
        if line.strip(BLANKS):
            rows.append((number, line))
            continue
        if unreadable:
            yield Output("", unreadable[0].line or 0, error=unreadable[0])
        elif rows:
            output = output_of(rows)
            if output is not None:
                yield output
        rows.clear()
        unreadable.clear()
        size = 0


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
            return Output(without_around(value.strip()) or "", number, id)
    return None  # comments without words


def _tree_in_column(rows: _Rows) -> Output | None:
    pieces: list[str] = []
    for number, line in rows:
        if line.startswith("#"):
            continue
        fields = line.split()
        if len(fields) < 6 or fields[5].count("*") != 1:
            problem = (
                f"found {shorten(fields[5])} in column 6; expected a part of a tree, such as (NP*"
                if len(fields) > 5
                else f"found {len(fields)} columns; expected a word, its tag and (NP* in columns 4 to 6"
            )
            return Output("", number, error=TreeError(problem))
        # Other writers do not escape brackets.
        word, tag = (re.sub(r"[()]", lambda found: _ESCAPED[found[0]], field) for field in fields[3:5])
        pieces.append(fields[5].replace("(", " (").replace("*", f" ({tag} {word})"))
    return Output("".join(pieces), rows[0][0]) if pieces else None


def _reader(output_of: Callable[[_Rows], Output | None]) -> Callable[..., Iterator[Tree]]:
    def read(
        lines: Iterable[str] | Iterable[bytes],
        *,
        source: str | None = None,
        encoding: str = "utf-8",
        on_error: OnError | None = None,
    ) -> Iterator[Tree]:
        outputs = _outputs(lines, source, encoding, output_of)
        return AnswerReader(False, "first", None, on_error).trees(outputs, source)

    return read


read_conllu = _reader(_tree_in_comment)
"""Reader of CoNLL-U: Stanza writes trees as ``# constituency = (ROOT ...)``; the id is ``# sent_id``."""

read_conll2012 = _reader(_tree_in_column)
"""Reader of CoNLL-2012 (OntoNotes): columns 4 to 6 are word, tag and parse bit; ``*`` stands for the word."""
