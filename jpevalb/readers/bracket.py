"""Bracket text: one tree a line, or Penn Treebank trees over several lines."""

from __future__ import annotations

from .._core.scan import NOTHING, OPEN, STRAY, scan_tree
from ..errors import TreeError
from ..tree import EMPTY, Tree


def parse_sentence(data: bytes, *, source: str | None = None, line: int | None = None) -> Tree:
    """Reads the tree of one sentence from ``data``, the bytes of its line.

    Several trees are put under one root without label; blanks alone, and ``(())``
    or anything else without a word, give a tree without words.

    Raises:
        TreeError: brackets that do not balance, text outside brackets, or bytes
            that are not UTF-8.

    Cost: O(bytes).
    """
    found = []
    place = 0
    while True:
        try:
            code, place, *parts = scan_tree(data, place, len(data))
        except UnicodeDecodeError as error:
            at = data.find(error.object) + error.start
            raise TreeError(
                f"byte {data[at]:#04x} is not UTF-8; name the file's encoding",
                source=source,
                line=line,
                column=at + 1,
            ) from None
        if code == NOTHING:
            break
        if code in (STRAY, OPEN):
            column = len(data[:place].decode("utf-8", "replace")) + 1
            if code == OPEN:
                message = "the tree that begins here is not closed; expected as many ')' as '('"
            else:
                rest = data[place : place + 20].decode("utf-8", "replace").split()[0]
                message = f"found {rest!r} outside a tree; expected '('"
            raise TreeError(message, source=source, line=line, column=column)
        labels, parents, starts, ends, words, word_parents = map(tuple, parts)
        found.append(Tree(labels, parents, starts, ends, words, word_parents))
    if not found:
        return EMPTY
    if len(found) == 1:
        return found[0]
    return under_one_root(found)


def under_one_root(trees: list[Tree]) -> Tree:
    """The trees side by side under a root without label.  Cost: O(nodes + words)."""
    labels: list[str] = [""]
    parents: list[int] = [-1]
    starts: list[int] = [0]
    ends: list[int] = [0]
    words: list[str] = []
    word_parents: list[int] = []
    for tree in trees:
        nodes, tokens = len(labels), len(words)
        labels.extend(tree.labels)
        parents.extend(parent + nodes if parent >= 0 else 0 for parent in tree.parents)
        starts.extend(start + tokens for start in tree.starts)
        ends.extend(end + tokens for end in tree.ends)
        words.extend(tree.words)
        word_parents.extend(parent + nodes for parent in tree.word_parents)
    ends[0] = len(words)
    return Tree(tuple(labels), tuple(parents), tuple(starts), tuple(ends), tuple(words), tuple(word_parents))
