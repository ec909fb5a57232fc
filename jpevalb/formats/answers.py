"""Answers of a language model in plain text: one per line, or with a separator line between them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

from ..base.errors import TreeError, reported
from ..trees.answer import Answer
from ..trees.lines import parse_sentence
from ..trees.tree import EMPTY, Tree
from .discbracket import parse_discbracket
from .lines import BLANKS, Lines, reader
from .repair import repair

_LEAF = re.compile(r"\([^\s()]*|([^\s()]+)")  # a bracket and its label, or a leaf
_MOST_WAITING = 1000  # items whose dialect is unknown
T = TypeVar("T")
_INDEX = re.compile(r"[0-9]{1,15}=.")
OnAnswer = Callable[[Answer], object]  # callback for each answer


class AnswerReader(NamedTuple):
    """Converts answers to trees, with the arguments of :func:`jpevalb.read`."""

    repair: bool = False
    several: str = "first"
    on_answer: OnAnswer | None = None
    indexed: bool = True  # False to read the leaf 0=it as a word

    def tree(self, text: str, others: tuple[str, ...] = ()) -> Tree:
        """Convert one answer; without a tree, raise an error unless there is ``on_answer``."""
        if self.on_answer is None and not self.repair:
            try:
                return self._parse(text)
            except TreeError as error:
                # Its column counts in the text, not in the record.
                raise reported(error, column=None) from None
        answer = read_answer(text, self.several)
        if self.on_answer is not None:
            answer = answer._replace(others=others)
            self.on_answer(answer if answer.valid else answer._replace(raw=text))
        if answer.valid:
            return self._parse(answer.text)
        if self.repair and answer.reason is None:
            return parse_answer(answer.text)  # a repaired answer does not show the dialect of its file
        if self.on_answer is not None:
            return EMPTY
        raise TreeError(answer.trouble or "")

    def _parse(self, text: str) -> Tree:
        return parse_answer(text) if self.indexed else Tree.parse(text)


TREES = AnswerReader(indexed=False)  # of bracket trees


class Output(NamedTuple):
    """The text of one answer in its file; ``error`` if the record cannot be read."""

    text: str
    line: int
    id: str | None = None
    error: TreeError | None = None
    reader: AnswerReader = AnswerReader()
    others: tuple[str, ...] = ()  # further answers of the record
    given: Tree | None = None  # the tree, if the record has it as lists or spans

    def tree(self) -> Tree:
        """Return the tree of the answer."""
        try:
            if self.error is not None:
                if self.reader.on_answer is not None:
                    self.reader.on_answer(Answer("", reason=self.error.message))
                raise self.error
            if self.given is not None and self.reader.on_answer is not None:
                self.reader.on_answer(Answer(str(self.given)))
            tree = self.given or self.reader.tree(self.text, self.others)
        except TreeError as error:
            raise reported(error, line=self.line) from None
        return tree if self.id is None else tree.replace(id=self.id)


def parse_answer(text: str) -> Tree:
    """Parse the tree of an answer: discbracket if every word has an index, else bracket text."""
    tree = parse_sentence(text.encode("utf-8", "surrogatepass"))
    if tree.words and all(map(_INDEX.match, tree.words)):
        return parse_discbracket(" ".join(text.split()))
    return tree


def with_dialect(items: Iterable[T], text_of: Callable[[T], Any]) -> Iterator[tuple[T, bool]]:
    """Yield each item, and False if its text is a bracket tree whose only word looks like ``0=it``.

    Such a tree has the dialect of the tree before it, or else of the next one that has other words.
    """
    waiting: list[tuple[T, bool]] = []  # items, with True for such a tree
    indexed: bool | None = None  # True after a text in discbracket, False after another one

    def decided() -> Iterator[tuple[T, bool]]:
        yield from [(item, not is_single or indexed is not False) for item, is_single in waiting]
        waiting.clear()

    try:
        for item in items:
            text = text_of(item)
            tree = text[text.find("(") :].rstrip() if isinstance(text, str) else ""
            is_whole = tree[-1:] == ")" and tree.count("(") == tree.count(")")
            leaves = list(filter(None, _LEAF.findall(tree))) if is_whole else []
            is_single = len(leaves) == 1 and leaves[0].startswith("0=")
            if leaves and not is_single:
                indexed = all(map(_INDEX.match, leaves))
            waiting.append((item, is_single))
            if indexed is not None or not waiting[0][1] or len(waiting) == _MOST_WAITING:
                yield from decided()
    except Exception:
        yield from decided()  # the items before the error
        raise
    yield from decided()


def read_answer(text: str, several: str = "first") -> Answer:
    """Repair an answer; one with invalid word indices has no tree."""
    answer = repair(text, several)
    if answer.reason is None and "=" in answer.text:
        try:
            parse_answer(answer.text)
        except TreeError as error:
            return Answer("", answer.repairs, error.message, answer.truncated)
    return answer


def in_dialect(outputs: Iterable[Output]) -> Iterator[Output]:
    """Yield the answers of a file, each with a reader for its dialect."""
    for output, indexed in with_dialect(outputs, lambda output: output.text):
        yield output if indexed else output._replace(reader=output.reader._replace(indexed=False))


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
    for output in in_dialect(outputs):
        blanks.append(output)
        if output.error is not None or output.text.strip(BLANKS):
            yield from blanks
            blanks.clear()
