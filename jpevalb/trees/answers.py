"""Answers of a language model in plain text: one per line, or with a separator line between them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from .answer import Answer
from .bracket import parse_sentence
from .discbracket import parse_discbracket
from .errors import TreeError
from .files import LONGEST, too_long
from .frozen import NamedTuple, replace
from .lines import BLANKS, OnError, numbered_lines
from .repair import repair
from .tree import EMPTY, Tree

_INDEX = re.compile(r"[0-9]{1,15}=.")

OnAnswer = Callable[[Answer], object]
"""Callback for each answer."""


class Output(NamedTuple):
    """The text of one answer in its file; ``error`` if the record cannot be read."""

    text: str
    line: int
    id: str | None = None
    error: TreeError | None = None


class AnswerReader(NamedTuple):
    """Converts answers to trees, with the arguments of :func:`jpevalb.read`."""

    repair: bool
    several: str
    on_answer: OnAnswer | None
    on_error: OnError | None

    def trees(self, outputs: Iterable[Output], source: str | None) -> Iterator[Tree]:
        """Yield one tree for each output."""
        for output in outputs:
            try:
                if output.error is not None:
                    if self.on_answer is not None:
                        self.on_answer(Answer("", reason=output.error.message))
                    raise output.error
                tree = self.tree(output.text)
            except TreeError as error:
                error.source, error.line = source, output.line
                if self.on_error is None:
                    raise
                self.on_error(error)
                tree = EMPTY
            yield tree if output.id is None else replace(tree, id=output.id)

    def tree(self, text: str) -> Tree:
        """Convert one answer; without a tree, raise unless there is ``on_answer``."""
        if self.on_answer is None and not self.repair:
            try:
                return parse_answer(text)
            except TreeError as error:
                error.column = None  # it counts in the text, not in the record
                raise
        answer = read_answer(text, self.several)
        if self.on_answer is not None:
            self.on_answer(answer if answer.valid else answer._replace(raw=text))
        if answer.valid or (self.repair and answer.reason is None):
            return parse_answer(answer.text)
        if self.on_answer is not None:
            return EMPTY
        raise TreeError(answer.trouble or "")


def parse_answer(text: str) -> Tree:
    """Parse the tree of an answer: discbracket if every word has an index, else bracket text."""
    tree = parse_sentence(text.encode("utf-8", "surrogatepass"))
    if tree.words and all(map(_INDEX.match, tree.words)):
        return parse_discbracket(" ".join(text.split()))
    return tree


def read_answer(text: str, several: str = "first") -> Answer:
    """Repair an answer; one with invalid word indices has no tree."""
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
    """Read one tree from each answer of a plain text file.

    An answer is a line, or all lines up to one that is the separator, ignoring blanks around it.  A blank
    answer is a sentence without a parse, but blank answers at the end of the file are ignored.

    >>> text = ["Tree:", "(S (NN a))", "---", "(S (NN b))</s>"]
    >>> [tree.words for tree in read_answers(text, separator="---", repair=True)]
    [('a',), ('b',)]
    """
    unreadable: list[TreeError] = []
    numbered = numbered_lines(lines, source=source, encoding=encoding, unreadable=unreadable)
    outputs = _without_final_blanks(_outputs(numbered, unreadable, separator, source))
    return AnswerReader(repair, several, on_answer, on_error).trees(outputs, source)


def _outputs(
    lines: Iterable[tuple[int, str]], unreadable: list[TreeError], separator: str | None, source: str | None
) -> Iterator[Output]:
    """Yield the answers, including an empty last one."""
    separator = None if separator is None else separator.strip(BLANKS)
    held: list[str] = []
    begin = 1
    size = 0
    error: TreeError | None = None
    for number, line in lines:
        if unreadable:
            error = error or unreadable[0]
            unreadable.clear()
        if separator is None:
            yield Output(line, number, error=error)
            error = None
        elif line.strip(BLANKS) == separator:
            yield Output("\n".join(held), begin, error=error)
            held, begin, size, error = [], number + 1, 0, None
        else:
            held.append(line)
            size += len(line) + 1
            if size >= LONGEST:
                raise too_long("the answer", source, begin)
    if separator is not None:
        yield Output("\n".join(held), begin, error=error)


def _without_final_blanks(outputs: Iterable[Output]) -> Iterator[Output]:
    blanks: list[Output] = []
    for output in outputs:
        if output.error is None and not output.text.strip(BLANKS):
            blanks.append(output)
            continue
        yield from blanks
        blanks.clear()
        yield output
