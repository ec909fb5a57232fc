"""Sentences of a file, and the answers of language models that they may be read from."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from ..base.errors import TreeError
from .tree import Tree

REPAIRS = {
    "characters": "half a surrogate pair is read as U+FFFD, a no-break space at a label as a blank",
    "escapes": r"\n, \r, \t are read as blanks, \" and \' as quotes, \( and \) as brackets that are words",
    "fence": "code fences are left out, and the text outside of them",
    "end_mark": "end marks such as </s> are left out, and the text after them",
    "prefix": "a heading before the tree, such as Tree:, is left out",
    "prose": "other text before or after the tree is left out",
    "several": "of several trees one is taken, by default the first, or all are put under one root",
    "other_brackets": "square or full-width brackets are read as round ones",
    "word_brackets": "round brackets inside words are read as -LRB- and -RRB-",
    "unopened": "the bracket before a label is added",
    "unclosed": "brackets that are missing at the end are added",
    "extra": "superfluous closing brackets are left out",
    "cut_leaf": "a last leaf that is cut off keeps the beginning of its word",
    "empty_nodes": "nodes without a word are left out",
}
"""Names and descriptions of the repairs, in the order in which answers list them."""

_AROUND = {"characters", "escapes", "fence", "end_mark", "prefix", "prose", "several"}

STATES = {
    "valid": "tree as written",
    "around": "text around the tree",
    "brackets": "wrong brackets",
    "cut": "cut off",
    "none": "no tree",
    "words": "other words",
}
"""States of answers, with their descriptions."""

SEVERAL = ("first", "last", "longest", "join")  # the choices for an answer with several trees


class Answer(NamedTuple):
    """The tree in an answer of a language model."""

    text: str  #: text of one tree; empty without a tree
    repairs: tuple[str, ...] = ()  #: names of the repairs that were needed
    reason: str | None = None  #: why there is no tree; ``None`` if there is one
    truncated: bool = False  #: True if the answer ends inside the tree
    raw: str = ""  #: the answer as written, if it is not valid and was read from a file
    #: the further answers to the same prompt, as written, if there is a list of answers
    others: tuple[str, ...] = ()

    @property
    def valid(self) -> bool:
        """True if the answer is exactly one tree and needed no repair."""
        return not self.repairs and self.reason is None

    @property
    def trouble(self) -> str | None:
        """Reason why the unrepaired answer is not a tree; ``None`` if it is one."""
        if self.reason is not None or not self.repairs:
            return self.reason
        return f"the answer is not one tree; it would be with repairs: {', '.join(self.repairs)}"

    def state(self, faithful: object) -> str:
        """Return one of :data:`STATES`; an answer that is valid has the words of gold if it is faithful."""
        if self.reason is not None:
            return "none"
        if self.truncated:
            return "cut"
        if self.repairs:
            return "around" if _AROUND.intersection(self.repairs) else "brackets"
        return "valid" if faithful else "words"

    def pieces(self) -> list[tuple[str, str]]:
        """Return what repairs keep (``=``), drop (``-``) and add (``+``) of the answer, in order.

        >>> Answer("(S (N a))", ("prefix", "unclosed"), raw="Tree: (S (N a)").pieces()
        [('-', 'Tree: '), ('=', '(S (N a)'), ('+', ')')]
        """
        from difflib import SequenceMatcher

        sides = [re.findall(r"\s+|[()\[\]]|[^\s()\[\]]+", one) for one in (self.raw or self.text, self.text)]
        before, after = ([" " if one.isspace() else one for one in side] for side in sides)
        found: list[tuple[str, str]] = []
        for kind, *ends in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            first, last, begin, end = ends
            parts = [("=" if kind == "equal" else "-", sides[0][first:last])]
            parts += [("+", sides[1][begin:end])] if kind != "equal" else []
            found += [(sign, "".join(tokens)) for sign, tokens in parts if tokens]
        return found


class Sentence(NamedTuple):
    """A sentence of one side."""

    number: int  # in its file, from 1
    tree: Tree  # the tree to score: that of the file, or the empty tree without a usable parse
    source: Tree  # the tree in the file
    error: TreeError | None = None  # why the sentence could not be read
    answer: Answer | None = None  # of a language model
    line: tuple[Callable[[bytes], Tree], bytes] | None = None  # as read, and what parses it

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the line if it is kept: its tree would take ten times as long."""
        return (Sentence, tuple(self)) if self.line is None else (_of_line, (self.number, *self.line))

    @property
    def words(self) -> tuple[str, ...]:
        """The words to score."""
        return self.tree.words

    @property
    def name(self) -> str:
        """Name in messages: the id, or else the number."""
        return f"sentence {self.number}" if self.source.id is None else f"sentence {self.source.id!r}"


def _of_line(number: int, parse: Callable[[bytes], Tree], line: bytes) -> Sentence:
    tree = parse(line)
    return Sentence(number, tree, tree)
