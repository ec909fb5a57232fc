"""Reader of n-best lists: several parses of each sentence, the best one first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..base.errors import TreeError, reported
from ..trees.tree import EMPTY, Tree
from .answers import parse_answer
from .lines import BLANKS, Lines, ReadSentence, reader, tree_part

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

    >>> lines = ["2 0", "-1.5", "(S (NN a))", "-2", "(X (NN a))", "", "1 1", "-3", "(S (NN b))"]
    >>> [(str(tree), len(tree.others)) for tree in read_nbest(lines)]
    [('(S (NN a))', 1), ('(S (NN b))', 0)]
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
    """Parse the texts of a list, each with the number of its first line."""
    line = None
    try:
        if damage is not None:
            raise damage
        trees = []
        for line, text in parses:  # noqa: B007
            trees.append(parse_answer(text))
        return ReadSentence(first_of(trees))
    except TreeError as error:
        return ReadSentence(reported(error, line=error.line or line, column=None))


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
    fields = {name: getattr(first, name) for name in Tree.__match_args__}
    return NBest(**fields, others=tuple(others))
