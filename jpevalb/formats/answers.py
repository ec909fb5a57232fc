"""Answers of a language model in plain text: one per line, or with a separator line between them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ..base.errors import TreeError
from ..base.frozen import NamedTuple, replace
from ..base.typed import Any
from ..trees.answer import Answer
from ..trees.tree import EMPTY, Tree
from ..trees.unread import parse_sentence
from .discbracket import parse_discbracket
from .lines import BLANKS, Lines, reader
from .repair import repair

_INDEX = re.compile(r"[0-9]{1,15}=.")
OnAnswer = Callable[[Answer], object]  # callback for each answer


class AnswerReader(NamedTuple):
    """Converts answers to trees, with the arguments of :func:`jpevalb.read`."""

    repair: bool = False
    several: str = "first"
    on_answer: OnAnswer | None = None

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


class Output(NamedTuple):
    """The text of one answer in its file; ``error`` if the record cannot be read."""

    text: str
    line: int
    id: str | None = None
    error: TreeError | None = None
    reader: AnswerReader = AnswerReader()

    def tree(self) -> Tree:
        """Return the tree of the answer."""
        try:
            if self.error is not None:
                if self.reader.on_answer is not None:
                    self.reader.on_answer(Answer("", reason=self.error.message))
                raise self.error
            tree = self.reader.tree(self.text)
        except TreeError as error:
            error.line = self.line
            raise
        return tree if self.id is None else replace(tree, id=self.id)


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


@reader
def read_answers(lines: Lines, separator: str | None = None, **options: Any) -> Iterator[Output]:
    """Read one tree from each answer of a plain text file.

    An answer is a line, or all lines up to one that is the separator, ignoring blanks around it.  A blank
    answer is a sentence without a parse, but blank answers at the end of the file are ignored.

    >>> text = ["Tree:", "(S (NN a))", "---", "(S (NN b))</s>"]
    >>> [tree.words for tree in read_answers(text, separator="---", repair=True)]
    [('a',), ('b',)]
    """
    answers = AnswerReader(**options)
    if separator is None:
        outputs = (Output(line, number, None, lines.damage(), answers) for number, line in lines)
    else:
        mark = separator.strip(BLANKS)
        texts = lines.groups(lambda line: line.strip(BLANKS) == mark, "the answer")
        outputs = (Output("\n".join(text), begin, None, damage, answers) for begin, text, damage in texts)
    blanks: list[Output] = []
    for output in outputs:
        blanks.append(output)
        if output.error is not None or output.text.strip(BLANKS):
            yield from blanks
            blanks.clear()
