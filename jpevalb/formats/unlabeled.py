"""Reader of trees without labels: brackets such as ``((the cat) sat)``, or nested JSON lists, one a line."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ..base.errors import TreeError, reported
from ..base.text import parse_json
from ..trees.nested import tree_of_brackets, tree_of_lists
from ..trees.tree import EMPTY, Tree
from .lines import BLANKS, Lines, ReadSentence, reader


@reader
def read_unlabeled(lines: Lines) -> Iterator[ReadSentence]:
    """Read one tree without labels from each line; all its constituents get the label ``NT``.

    A line that begins with ``[`` is a nested JSON list of words.  A blank line is a sentence without a parse;
    blank lines at the end are ignored.

    >>> [str(tree) for tree in read_unlabeled(["((the cat) sat)", '[["the", "cat"], "sat"]'])]
    ['(NT (NT the cat) sat)', '(NT (NT the cat) sat)']
    """
    blanks = 0
    for number, line in lines:
        damage = lines.damage()
        if not line.strip(BLANKS):
            blanks += 1
            continue
        yield from [ReadSentence(EMPTY)] * blanks
        blanks = 0
        try:
            result: Tree | TreeError = damage or parse_unlabeled(line)
        except TreeError as error:
            result = reported(error, line=number)
        yield ReadSentence(result)


def parse_unlabeled(text: str) -> Tree:
    """Parse the text of one tree without labels."""
    if not text.lstrip(BLANKS).startswith("["):
        return tree_of_brackets(text)
    try:
        return tree_of_lists(parse_json(text))
    except json.JSONDecodeError as error:
        problem = f'invalid JSON: {error.msg}; write a nested list of words, as [["the", "cat"], "sat"]'
        raise TreeError(problem, column=error.colno) from None
