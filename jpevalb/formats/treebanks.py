"""Readers of trees among other text: OntoNotes .onf, raw Sejong, CoreNLP's text, n-best lists and tables."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from ..base.errors import ReaderOptionError, TreeError, reported
from ..trees.tree import EMPTY, Tree
from .answers import parse_answer
from .bracket import read_pieces
from .lines import BLANKS, Lines, ReadSentence, parsed, reader, tree_part

# A morpheme with its tag, and the mark between two of them or before the end of the leaf
_MORPHEME = re.compile(rb"(\S{1,200}?)/([A-Z]{1,6})(?:[ \t]*\+[ \t]+|(?=[ \t]*\)))")


@reader
def read_onf(lines: Lines) -> Iterator[ReadSentence]:
    """Read the trees of OntoNotes ``.onf`` files: the text after each heading ``Tree:``."""
    held: list[str] = []
    begin = 0
    follows = False  # True after the heading
    for number, line in chain(lines, [(0, "")]):
        if line.strip(BLANKS) == "Tree:":
            follows = True
        elif follows and line.lstrip(BLANKS)[:1] == "(":
            held, begin, follows = [line], number, False
        elif held and line.strip(BLANKS):
            held.append(line)
        elif held:
            yield ReadSentence(lines.damage() or parsed("\n".join(held), begin))
            held = []


@reader
def read_sejong(lines: Lines) -> Iterator[ReadSentence]:
    """Read raw trees of the Sejong treebank, whose leaves are morphemes with tags: ``학교/NNP + 의/JKG``."""
    return read_pieces((_MORPHEME.sub(_leaf, line) for line in lines.as_utf8()), lines)


def _leaf(match: re.Match[bytes]) -> bytes:
    word = match[1].replace(b"(", b"-LRB-").replace(b")", b"-RRB-")
    return b" (" + match[2] + b" " + word + b")"


@reader
def read_corenlp_text(lines: Lines) -> Iterator[ReadSentence]:
    """Read the tree of each sentence, which follows its tokens; a sentence may have none."""
    begin = sentence = 0  # line of the tree, and of its sentence's header until then
    held: list[str] = []
    after_tokens = False
    for number, line in lines:
        if held:
            if line.strip(BLANKS):
                held.append(line)
                continue
            yield ReadSentence(lines.damage() or parsed("\n".join(held), begin))
            held, sentence = [], 0
        elif line.startswith("Sentence #"):
            if sentence:
                yield ReadSentence(lines.damage() or EMPTY)
            sentence, after_tokens = number, False
        elif line.startswith(("[Text=", "Constituency parse:")):
            after_tokens = True
        elif sentence and after_tokens and line.startswith("("):
            held, begin = [line], number
    if held or sentence:
        yield ReadSentence(lines.damage() or parsed("\n".join(held), begin))


_COUNT = re.compile(r"\s*[0-9]+[ \t]+[^\s()]+\s*\Z")
_NUMBER = re.compile(r"#+ *Parse ([0-9]+)\b")
_SCORE = re.compile(r"\s*[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?\t(?=\s*\()")


@dataclass(frozen=True, slots=True, eq=False)
class NBest(Tree):
    """The first parse of a sentence, with the others, which have the same words."""

    others: tuple[Tree, ...] = field(default=(), compare=False)


@reader
def read_nbest(lines: Lines) -> Iterator[ReadSentence]:
    """Read the lists of a file as :class:`NBest` trees; one list is in memory.

    A list ends at a blank line, or at the count of BLLIP's next list, such as ``50 7``.  If parses are
    numbered with ``# Parse 1``, it ends at the next number 1.  A parse is on one line or on several, and may
    follow a score and a tab.
    """
    parses: list[tuple[int, str]] = []
    held: list[str] = []
    depth = begin = 0
    counted = numbered = False  # True after a count; if parses are numbered
    for number, line in lines:
        if not held:
            parse_number = _NUMBER.match(line)
            numbered = numbered or parse_number is not None
            count = _COUNT.match(line) is not None
            first = parse_number is not None and parse_number[1] == "1"
            if count or first or not (numbered or line.strip(BLANKS)):
                if parses or counted:
                    yield _sentence(parses, lines.damage())
                parses, counted = [], count
                continue
            score = _SCORE.match(line)
            line = line if score is None else line[score.end() :]
            part = tree_part(line.encode("utf-8", "surrogatepass"))
            if part is None or not part.strip():
                continue
            begin, line = number, part.decode("utf-8", "surrogatepass")
        held.append(line)
        depth += line.count("(") - line.count(")")
        if depth <= 0:
            parses.append((begin, "\n".join(held)))
            held, depth = [], 0
    if held:
        parses.append((begin, "\n".join(held)))
    if parses or counted:
        yield _sentence(parses, lines.damage())


def _sentence(parses: list[tuple[int, str]], damage: TreeError | None) -> ReadSentence:
    if damage is not None:
        return ReadSentence(damage)
    results: list[Any] = [parsed(text, line, parse_answer) for line, text in parses]
    errors = [result for result in results if isinstance(result, TreeError)]
    try:
        return ReadSentence(errors[0] if errors else first_of(results))
    except TreeError as error:
        return ReadSentence(reported(error, line=parses[-1][0]))


def first_of(trees: Sequence[Tree]) -> Tree:
    """Return the first parse of a list, which holds the other parses; the empty tree if it has no words."""
    if not trees or not trees[0].words:
        return EMPTY
    first, *others = trees
    for number, tree in enumerate(others, 2):
        if tree.words != first.words:
            raise TreeError(
                f"parse {number} has other words than the first; expected a blank line, or a count such as "
                "'50 7', between the lists of two sentences"
            )
    return NBest(**{name: getattr(first, name) for name in Tree.__match_args__}, others=tuple(others))


@reader
def read_table(lines: Lines, field: str | None = None, id_field: str | None = None) -> Iterator[ReadSentence]:
    """Read the tree of each row, in the column ``field``, or else the last one that begins with a bracket.

    The first row is a header if none of its cells begins with a bracket.  ``id_field`` names the column with
    the sentences' ids.  An empty cell is a sentence without a parse.
    """
    column = id_column = None
    numbered = ((number, line) for number, line in lines if line.strip(BLANKS))
    for count, (number, row) in enumerate(_rows(numbered)):
        is_tree = [cell.lstrip(BLANKS)[:1] == "(" for cell in row]
        if count == 0 and not any(is_tree):
            column = _column(row, field, "field") if field is not None else None
            id_column = _column(row, id_field, "id_field") if id_field is not None else None
            continue
        if column is None and any(is_tree):
            column = len(row) - 1 - is_tree[::-1].index(True)
        id = row[id_column] if id_column is not None and id_column < len(row) else None
        result: Tree | TreeError
        if column is None or column >= len(row):
            problem = f"the row has {len(row)} columns, none with a tree; expected a tree, such as (S ...)"
            result = TreeError(problem, line=number)
        else:
            result = parsed(row[column], number)
        yield ReadSentence(lines.damage() or result, id)


def _rows(numbered: Iterator[tuple[int, str]]) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the number of the line and the cells of each row; only cells of CSV have quotes around them."""
    last = 0

    def texts() -> Iterator[str]:
        nonlocal last
        for number, text in numbered:
            last = number
            yield text + "\n"

    rest = texts()
    first = next(rest, "")
    every = chain([first], rest)
    rows = (text.rstrip("\n").split("\t") for text in every) if "\t" in first else csv.reader(every)
    try:
        for row in rows:
            yield last, row
    except csv.Error as error:
        raise TreeError(f"invalid CSV: {error}", line=last) from None


def _column(header: Sequence[str], name: str, option: str) -> int:
    if name not in header:
        raise ReaderOptionError(f"no column {name!r}, but {', '.join(header)}", "set", option, "NAME")
    return header.index(name)
