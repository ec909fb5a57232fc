"""Answers of a language model: plain text, an answer a line or with a line of its own between answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from .answer import Answer
from .bracket import parse_sentence
from .discbracket import parse_discbracket
from .errors import TreeError
from .files import LONGEST, too_long
from .frozen import replace
from .lines import BLANKS, OnError, numbered_lines
from .repair import repair
from .tree import EMPTY, Tree

_INDEX = re.compile(r"[0-9]{1,15}=.")

OnAnswer = Callable[[Answer], object]
"""Told of each answer before its tree is handed out."""


class Output(NamedTuple):
    """The text of one answer as its file has it."""

    text: str
    line: int
    """Where it begins, from 1."""
    id: str | None = None
    error: TreeError | None = None
    """Why there is no text, if the record cannot be read."""


class Reading(NamedTuple):
    """How answers become trees.

    Attributes:
        repair: Whether repairs are made; else what is not one tree as written has no parse.
        several: What is done with several trees in one answer: ``"first"`` or ``"join"``.
        on_answer: Told of each answer before its tree is handed out.  An answer without a tree is
            then a sentence without a parse, and no error.
        on_error: Told of each sentence that cannot be read, which is then a sentence without a parse.
    """

    repair: bool
    several: str
    on_answer: OnAnswer | None
    on_error: OnError | None

    def trees(self, outputs: Iterable[Output], source: str | None) -> Iterator[Tree]:
        """One tree for each output.

        Where nothing is to be repaired and nobody is told of answers, outputs are read as lines of bracket
        text are: several trees are one sentence, and no text is a sentence without a parse.

        Raises:
            TreeError: an output that has no tree, or no output.

        Cost: O(length).
        """
        for output in outputs:
            tree, error = self._tree(output)
            if error is not None:
                found = TreeError(error.message, source=source, line=output.line, column=error.column)
                if self.on_error is None:
                    raise found from None
                self.on_error(found)
            yield tree if output.id is None else replace(tree, id=output.id)

    def _tree(self, output: Output) -> tuple[Tree, TreeError | None]:
        if output.error is not None:
            if self.on_answer is not None:
                self.on_answer(Answer("", reason=output.error.message))
            return EMPTY, output.error
        if self.on_answer is None and not self.repair:
            try:
                return parse_answer(output.text), None
            except TreeError as error:
                # A record is on one line of its file, whatever lines its text has.
                return EMPTY, TreeError(error.message, column=None)
        answer = read_answer(output.text, self.several)
        if self.on_answer is not None:
            self.on_answer(answer)
        if answer.valid or (self.repair and answer.reason is None):
            return parse_answer(answer.text), None
        if self.on_answer is not None:
            return EMPTY, None
        return EMPTY, TreeError(answer.trouble or "")


def parse_answer(text: str) -> Tree:
    """Reads the tree of an answer: discbracket where every word has its index, else bracket text.

    Raises:
        TreeError: no tree, or indices that are not those from 0 on, each once.

    Cost: O(length).

    >>> [parse_answer(text).words for text in ("(S (VB 0=wake) (RP 2=up) (NP 1=me))", "(S (NN 0=a) (NN b))")]
    [('wake', 'me', 'up'), ('0=a', 'b')]
    """
    tree = parse_sentence(text.encode("utf-8", "surrogatepass"))
    if tree.words and all(map(_INDEX.match, tree.words)):
        return parse_discbracket(" ".join(text.split()))
    return tree


def read_answer(text: str, several: str = "first") -> Answer:
    """The tree of an answer by :func:`jpevalb.repair`; none where its words have indices that do not fit.

    Args:
        text: The whole answer.
        several: See :class:`Reading`.

    Raises:
        SettingsError: ``several`` is something else.

    Cost: O(length).

    >>> read_answer("(S (NN 0=a) (NN 2=b))").reason
    'index 1 is missing: the indices of 2 words are 0 to 1, in any order'
    """
    answer = repair(text, several)
    if answer.reason is None and "=" in answer.text:
        try:
            parse_answer(answer.text)
        except TreeError as error:
            return Answer("", answer.repairs, error.message, answer.truncated)
    return answer


def read_answers(
    lines: Iterable[str] | Iterable[bytes],
    *,
    source: str | None = None,
    encoding: str = "utf-8",
    on_error: OnError | None = None,
    separator: str | None = None,
    repair: bool = False,
    several: str = "first",
    on_answer: OnAnswer | None = None,
) -> Iterator[Tree]:
    """Reads one tree from each answer of a file of plain text.

    An answer is a line, or all lines up to one that is the separator and nothing else but blanks
    around it.  An answer of blanks is a sentence without a parse; such answers at the end of the file
    are none.

    Arguments: those of all readers (:mod:`jpevalb.trees.lines`), those of
    :class:`Reading`, and ``separator``: the line between two answers, which else are a line each.

    Raises:
        TreeError: an answer that has no tree.
        InputError: an answer that is too long.

    Cost: O(length), in the memory of one answer.

    >>> text = ["Tree:", "(S (NN a))", "---", "(S (NN b))</s>"]
    >>> [tree.words for tree in read_answers(text, separator="---", repair=True)]
    [('a',), ('b',)]
    """
    unreadable: list[TreeError] = []
    numbered = numbered_lines(lines, source=source, encoding=encoding, unreadable=unreadable)
    outputs = _outputs(numbered, unreadable, separator, source)
    return Reading(repair, several, on_answer, on_error).trees(_without_last_blanks(outputs), source)


def _outputs(
    lines: Iterable[tuple[int, str]], unreadable: list[TreeError], separator: str | None, source: str | None
) -> Iterator[Output]:
    """The answers, the last one too if it is empty."""
    between = None if separator is None else separator.strip(BLANKS)
    held: list[str] = []
    begin = 1
    size = 0
    error: TreeError | None = None
    for number, line in lines:
        if unreadable:
            error = error or unreadable[0]
            unreadable.clear()
        if between is None:
            yield Output(line, number, error=error)
            error = None
        elif line.strip(BLANKS) == between:
            yield Output("\n".join(held), begin, error=error)
            held, begin, size, error = [], number + 1, 0, None
        else:
            held.append(line)
            size += len(line) + 1
            if size >= LONGEST:
                raise too_long("the answer", source, begin)
    if between is not None:
        yield Output("\n".join(held), begin, error=error)


def _without_last_blanks(outputs: Iterable[Output]) -> Iterator[Output]:
    blanks: list[Output] = []
    for output in outputs:
        if output.error is None and not output.text.strip(BLANKS):
            blanks.append(output)
            continue
        yield from blanks
        blanks.clear()
        yield output
