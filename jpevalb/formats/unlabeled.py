"""Readers of nested JSON lists, with and without labels, and of brackets such as ``((the cat) sat)``."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ..base.errors import TreeError, reported
from ..base.files import check_length
from ..base.text import parse_json
from ..trees.nested import has_labels, is_list_of_texts, tree_of_brackets, tree_of_lists
from ..trees.tree import EMPTY, Tree
from .jsonl import tokens_of
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


@reader
def read_lists(lines: Lines) -> Iterator[ReadSentence]:
    """Read JSON lists: each is a tree with labels, or a list of such trees or of the texts of trees.

    >>> tree = '["S", ["NP", ["PRP", "it"]], ["VP", ["VBZ", "rains"]]]'
    >>> [str(tree) for tree in read_lists([tree, '["(S (NN a))",', ' "(S (NN b))"]'])]
    ['(S (NP (PRP it)) (VP (VBZ rains)))', '(S (NN a))', '(S (NN b))']
    """
    held: list[str] = []
    begin = depth = size = 0
    for number, line in lines:
        if not held and not line.strip(BLANKS):
            continue
        begin = begin if held else number
        held.append(line)
        size += len(line)
        check_length(size, "the list", begin)
        brackets = [match[0] for match in tokens_of(line)]
        depth += brackets.count("[") - brackets.count("]")
        if depth <= 0:
            yield from _trees_of("\n".join(held), begin, lines.damage())
            held, depth, size = [], 0, 0
    if held:
        yield from _trees_of("\n".join(held), begin, lines.damage())


def _trees_of(text: str, line: int, damage: TreeError | None) -> Iterator[ReadSentence]:
    """Read the trees of one JSON list."""
    try:
        if damage is not None:
            raise damage
        item = parse_json(text)
    except json.JSONDecodeError as error:
        problem = f"invalid JSON: {error.msg}; expected a list of labels and words, or of trees"
        yield ReadSentence(TreeError(problem, line=line + error.lineno - 1, column=error.colno))
        return
    except TreeError as error:
        yield ReadSentence(reported(error, line=line))
        return
    are_trees = isinstance(item, list) and (is_list_of_texts(item) or all(map(has_labels, item)))
    for one in item if are_trees else [item]:
        try:
            yield ReadSentence(Tree.parse(one) if isinstance(one, str) else tree_of_lists(one or []))
        except TreeError as error:
            yield ReadSentence(reported(error, line=line, column=None))


def parse_unlabeled(text: str) -> Tree:
    """Parse the text of one tree without labels."""
    if not text.lstrip(BLANKS).startswith("["):
        return tree_of_brackets(text)
    try:
        return tree_of_lists(parse_json(text))
    except json.JSONDecodeError as error:
        problem = f'invalid JSON: {error.msg}; write a nested list of words, as [["the", "cat"], "sat"]'
        raise TreeError(problem, column=error.colno) from None
