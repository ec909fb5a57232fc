"""Answers of a language model in plain text: one per line, or with a separator line between them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any, NamedTuple, TypeVar

from ..base.errors import TreeError, reported
from ..base.values import check, one_of
from ..kernels.columns import BadTreeError, current_names, read, tree_ends
from ..trees.parse import BLANK, BRACKET_LEAF, BRACKET_TAG, BRACKETS_IN_WORD, SPACES, TEXT, with_blanks
from ..trees.sentence import REPAIRS, SEVERAL, Answer
from ..trees.tree import EMPTY, Tree
from .bracket import parse_discbracket
from .lines import BLANKS, Lines, ReadSentence, reader, until_last_text

# Placeholders for brackets that are words; no text has them once half surrogate pairs are replaced.
_LEFT, _RIGHT = "\ud800", "\ud801"
_WORD_BRACKETS = str.maketrans({_LEFT: "-LRB-", _RIGHT: "-RRB-"})

# Meanings of escaped characters; the others are blanks.
_UNESCAPED = {"(": _LEFT, ")": _RIGHT, '"': '"', "'": "'"}

_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPE = re.compile(
    rf"(?<!\\)\\+(?:[nrt](?={BLANK}|(?:[{SPACES}]|{BLANK})*[()\[\]\uff08\uff09\\]|\Z)|[\"'()])"
)
_FENCE = re.compile(r"```+(?:[a-z]+(?![^ \t\n\v\f\r(\[]))?")
_MARK = re.compile(
    r"(?:</?s>|<\|[^|<>()\s]{1,40}\|>|<(?:eos|EOS|bos|BOS|pad|PAD|end_of_turn|end_of_text)>|\[/?INST\])"
    rf"(?!{BLANK}*[)\]\uff09])"
)
_HEADING = re.compile(r"[\W_]*\w+(?:[^\w\n:=]+\w+){0,7}[\W_]*[:=][\W_]*")
_LONGEST_HEADING = 80
_GROUP = re.compile(r"[(\[\uff08][^()\[\]\uff08\uff09]*[)\]\uff09]?")

_TO_ROUND = {
    left: str.maketrans({} if left == "(" else {"(": _LEFT, ")": _RIGHT, left: "(", right: ")"})
    for left, right in ("()", "[]", "\uff08\uff09")
}
# Where a tree begins, with round brackets: a bracket inside a bracket, or else a leaf
_NESTED = re.compile(r"\([^()]*\(")
_LEAF = re.compile(rf"\({BLANK}*{TEXT}+{BLANK}+{TEXT}")

_TOKEN = re.compile(
    # An empty line before text ends a tree that is not closed.
    r"\n[ \t\v\f\r]*\n[ \t\v\f\r]*(?=[^ \t\n\v\f\r()])"
    rf"|{BRACKET_LEAF}"
    # An open bracket with its label, adjacent or followed by more than a closing bracket.
    rf"|\({BLANK}+{TEXT}+(?!{TEXT})(?={BLANK}*[^) \t\n\v\f\r])|\({TEXT}*"
    r"|\)"
    rf"|{BRACKETS_IN_WORD}"
    rf"|{TEXT}+"
)
# Text that can be parsed, but that no tool writes: escaped line ends before nodes, and brackets in words,
# which look like empty nodes.
_ESCAPED_LINE = re.compile(rf"\\[nrt]{BLANK}*\(")
_EMPTY_NODE = re.compile(rf"\({TEXT}*{BLANK}*\)")
_BRACKET_IN_WORD = re.compile(rf"\({BRACKET_TAG}{BLANK}+\({BLANK}*\)|(?<={BLANK}){TEXT}+\({TEXT}*\)(?=\))")
_WORD_BEGINS = re.compile(rf"(?:{BLANK}|\)){TEXT}")
_NEXT_OPENS = re.compile(rf"{BLANK}*\(")
# A word before a node, or before the one word of a leaf, which lacks its "(".
_LOST_OPEN = re.compile(
    rf"[A-Z][A-Z0-9|$+=-]{{0,19}}(?:{BLANK}*\(|{BLANK}+{TEXT}+{BLANK}*\))|[^\w()\s]+{BLANK}+[^\w()\s]+{BLANK}*\)"
)
_ROOT_LABEL = re.compile(r"[A-Z][A-Z0-9|$+=-]{0,19}\Z")


def is_one_tree(text: str) -> bool:
    """Return True if a text is exactly one bracket tree with words."""
    # Text with escaped line ends, or with brackets in words, would be parsed with other labels and words.
    # The first test rejects most texts.
    if not text.rstrip(BLANKS).endswith(")") or text.count("(") != text.count(")"):
        return False
    data = text.encode("utf-8", "surrogatepass")
    try:
        tree = read(data, current_names())
        if not tree.words or len(tree_ends(data)) > 1 or (tree.unusual and with_blanks(text)[1]):
            return False
    except (BadTreeError, UnicodeDecodeError):
        return False
    if "\\" in text and _ESCAPED_LINE.search(text):
        return False
    return not (_EMPTY_NODE.search(text) and _BRACKET_IN_WORD.search(text))


def repair(text: str | None, several: str = "first") -> Answer:
    """Repair the answer of a language model so that it is one bracket tree.

    An answer that is one tree is returned unchanged, and so is a repaired text.  No word is added, and the
    order of the words is kept.

    Args:
        text: The whole answer; ``None`` is an empty one.
        several: Treatment of several trees: ``"first"``, ``"last"`` or ``"longest"``, by its words, is taken;
            ``"join"`` puts them under one root without label.

    Returns:
        The text of the tree and the names of the repairs.

    Raises:
        SettingsError: an unknown value of ``several``.

    >>> repair("Sure! Here it is: ```(S (NP (DT the) (NN cat)) (VP (VBZ sleeps))```")
    ... # doctest: +NORMALIZE_WHITESPACE
    Answer(text='(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))', repairs=('fence', 'unclosed'),
           reason=None, truncated=False, raw='', others=())
    >>> repair("I cannot parse this (sorry).").reason
    'no tree in the answer: brackets occur only inside text, or are empty'
    """
    check("several", several, one_of(*SEVERAL))
    text = text or ""
    if is_one_tree(text):
        return Answer(text)
    return _Repairer(text, several).answer()


class _Repairer:
    """One answer under repair."""

    def __init__(self, text: str, several: str) -> None:
        self.text = text
        self.several = several
        self.done: set[str] = set()
        self.truncated = False
        self.trees: list[tuple[list[str], bool]] = []  # with True if nodes without words were omitted
        self.hollow = False  # True once a tree had no word
        self.emptied = False
        self.pieces: list[str] = []  # of the tree that is written
        self.begins: list[int] = []  # of its open nodes

    def answer(self) -> Answer:
        if not self.text.strip(BLANKS):
            return Answer("", reason="the answer is empty")
        self._replace("characters", _SURROGATE, lambda match: "\ufffd")
        self._replace("escapes", _ESCAPE, lambda match: _UNESCAPED.get(match[0][-1], " "))
        # A reasoning model's thoughts may hold trees.
        end = self.text.rfind("</think>")
        if end >= 0:
            self.text = self.text[end + len("</think>") :]
            self.done.add("prose")
        if "<think>" in self.text:
            return Answer("", reason="the answer ends inside an unclosed <think> block")
        begin = self._find_tree()
        if begin is None:
            brackets = any(sign in self.text for sign in "([\uff08")
            why = "brackets occur only inside text, or are empty" if brackets else "it has no bracket"
            return Answer("", reason=f"no tree in the answer: {why}")
        # Megabytes of brackets without a word are not worth writing.
        trees = self._write_trees(begin) if _WORD_BEGINS.search(self.text, begin) else []
        if not trees:
            return Answer("", reason="the tree has no word", truncated=self.truncated)
        if len(trees) > 1:
            self.done.add("several")
        if self.several == "longest":
            # The first one of the most words
            trees = [max(trees, key=lambda tree: sum([one[1:2] not in ("", "(") for one in tree[0]]))]
        kept = {"first": trees[:1], "last": trees[-1:]}.get(self.several, trees)
        if any(emptied for _, emptied in kept):
            self.done.add("empty_nodes")
        tree = "".join([piece for pieces, _ in kept for piece in pieces])
        tree = f"({tree})" if len(kept) > 1 else tree.lstrip(" ")
        repairs = tuple(name for name in REPAIRS if name in self.done)
        return Answer(tree.translate(_WORD_BRACKETS), repairs, truncated=self.truncated)

    def _replace(self, name: str, pattern: re.Pattern[str], by: Callable[[re.Match[str]], str]) -> None:
        self.text, count = pattern.subn(by, self.text)
        if count:
            self.done.add(name)

    def _find_tree(self) -> int | None:
        """Reduce the text to the part with the tree; return the index at which the tree begins."""
        parts = _FENCE.split(self.text)
        # Text inside fences comes first.
        order = [*range(1, len(parts), 2), *range(0, len(parts), 2)]
        texts = {
            left: [with_blanks(part.translate(to_round)) for part in parts]
            for left, to_round in _TO_ROUND.items()
            if left in self.text
        }
        for pattern, left, number in product((_NESTED, _LEAF), texts, order):
            text, count = texts[left][number]
            match = pattern.search(text)
            if match is None:
                continue
            begin, part = match.start(), parts[number]
            mark = _MARK.search(part, begin)
            end = mark.start() if mark else len(part)
            if pattern is _LEAF and (_is_prose(part[:begin]) or _is_prose(_GROUP.sub("", part[begin:end]))):
                continue
            # A fence or an end mark after the tree means that the answer is complete.
            self.truncated = number == len(parts) - 1 and mark is None
            self.text = text[:end]
            done = {
                "fence": len(parts) > 1,
                "end_mark": mark,
                "characters": count,
                "other_brackets": left != "(",
            }
            self.done.update([name for name, is_done in done.items() if is_done])
            return begin
        return None

    def _write_trees(self, begin: int) -> list[tuple[list[str], bool]]:
        """Return the trees that begin at ``begin`` or later, token by token, without empty nodes."""
        text, done = self.text, self.done
        # Open minus closing brackets after the current token.
        balance = text.count("(", begin) - text.count(")", begin)
        before = text[:begin].strip(BLANKS)
        if balance < 0 and _ROOT_LABEL.match(before):
            done.add("unopened")
            self._open(before)
        else:
            rest = _MARK.sub("", before).strip(BLANKS)
            if len(rest) < len(before):
                done.add("end_mark")
            if rest:
                done.add("prose" if _is_prose(rest) else "prefix")
        prose = False
        last = "("  # kind of the last token inside a tree: its first character, or "w" for a word
        for match in _TOKEN.finditer(text, begin):
            token = match[0]
            kind = token[0]
            if kind == "(":
                balance -= 1
                last = kind
                if token[-1] in "()" and len(token) > 1:
                    done.add("word_brackets")
                    balance += 1 if token[-1] == ")" else -1
                    self._open(token[1:-1].strip(BLANKS))
                    self.pieces.append(" " + (_LEFT if token[-1] == "(" else _RIGHT))
                    last = "w"
                else:
                    self._open(token[1:].lstrip(BLANKS))
            elif kind == ")":
                balance += 1
                last = kind
                if len(self.begins) == 1 and balance < 0 and _NEXT_OPENS.match(text, match.end()):
                    # Later text closes more than it opens, so this bracket is the superfluous one.
                    done.add("extra")
                elif self.begins:
                    self._close()
                elif not prose:
                    done.add("extra")
            elif kind == "\n":
                if self.begins:
                    self._close_all(last)
            elif self.begins:
                if last != "w" and len(self.begins) + balance < 0 and _LOST_OPEN.match(text, match.start()):
                    # More brackets are closed than opened, and a label is where a node should be.
                    done.add("unopened")
                    self._open(token)
                    last = "("
                    continue
                if "(" in token:
                    done.add("word_brackets")
                    balance -= token.count("(") - token.count(")")
                    token = token.replace("(", _LEFT).replace(")", _RIGHT)
                self.pieces.append(" " + token)
                last = "w"
            else:
                prose = True
        if self.begins:
            self._close_all(last)
        else:
            self.truncated = False
        trees = self.trees
        if self.hollow and not prose:
            done.add("empty_nodes")
        if prose:
            done.add("prose")
            # After the first tree, single brackets are part of the prose.
            trees = trees[:1] + [tree for tree in trees[1:] if sum("(" in one for one in tree[0]) > 1]
        return trees

    def _open(self, label: str) -> None:
        self.begins.append(len(self.pieces))
        self.pieces.append(" (" + label)

    def _close(self, *, cut_off: bool = False) -> None:
        """Close the innermost node; one that is cut off may lack a word."""
        begin = self.begins.pop()
        pieces = self.pieces
        size = len(pieces) - begin
        if size == 1:
            pieces.pop()
            self.emptied = self.emptied or not cut_off
        else:
            if pieces[begin] == " (" and size > 2 and pieces[begin + 1][1] != "(":
                # Without the empty node the first word would be parsed as the label.
                pieces[begin] = " (()"
            pieces.append(")")
        if not self.begins:
            if pieces:
                self.trees.append((pieces, self.emptied))
            else:
                self.hollow = self.hollow or not cut_off
            self.pieces = []
            self.emptied = False

    def _close_all(self, last: str) -> None:
        self.done.add("unclosed")
        if last != ")":
            self.done.add("cut_leaf")
        while self.begins:
            self._close(cut_off=last == "(")


def _is_prose(text: str) -> bool:
    """Return True if a text is more than a heading and end marks."""
    text = _MARK.sub("", text).strip(BLANKS)
    return bool(text) and (len(text) > _LONGEST_HEADING or not _HEADING.fullmatch(text))


_LABEL_OR_LEAF = re.compile(r"\([^\s()]*|([^\s()]+)")  # a bracket and its label, or a leaf
_MOST_WAITING = 1000  # items whose dialect is unknown
T = TypeVar("T")
_INDEX = re.compile(r"[0-9]{1,15}=.")


class AnswerReader(NamedTuple):
    """Converts answers to trees, with the arguments of :func:`jpevalb.read`."""

    repair: bool = False
    several: str = "first"
    on_answer: Callable[[Answer], object] | None = None

    def tree(self, text: str, others: tuple[str, ...] = (), indexed: bool = True) -> Tree:
        """Convert one answer; without ``indexed`` the leaf ``0=it`` is the word ``0=it``.

        Without ``on_answer``, raise an error if the answer has no tree.
        """
        parse = parse_answer if indexed else Tree.parse
        if self.on_answer is None and not self.repair:
            try:
                return parse(text)
            except TreeError as error:
                # Its column counts in the text, not in the record.
                raise reported(error, column=None) from None
        answer = read_answer(text, self.several)
        if self.on_answer is not None:
            answer = answer._replace(others=others)
            self.on_answer(answer if answer.valid else answer._replace(raw=text))
        if answer.valid:
            return parse(answer.text)
        if self.repair and answer.reason is None:
            return parse_answer(answer.text)  # a repaired answer does not show the dialect of its file
        if self.on_answer is not None:
            return EMPTY
        raise TreeError(answer.trouble or "")


class Output(NamedTuple):
    """The text of one answer in its file; ``error`` if the record cannot be read."""

    text: str
    line: int
    id: str | None = None
    error: TreeError | None = None
    others: tuple[str, ...] = ()  # further answers of the record
    given: Tree | None = None  # the tree, if the record has it as lists or spans


def parse_answer(text: str) -> Tree:
    """Parse the tree of an answer: discbracket if every word has an index, else bracket text."""
    tree = Tree.parse(text)
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
            leaves = list(filter(None, _LABEL_OR_LEAF.findall(tree))) if is_whole else []
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


def read_outputs(outputs: Iterable[Output], answers: AnswerReader) -> Iterator[ReadSentence]:
    """Read the answers of a file, each in its dialect."""
    on_answer = answers.on_answer or (lambda answer: None)
    for output, indexed in with_dialect(outputs, lambda output: output.text):
        result: Tree | TreeError
        try:
            if output.error is not None:
                on_answer(Answer("", reason=output.error.message))
                raise output.error
            if output.given is not None:
                on_answer(Answer(str(output.given)))
            result = output.given or answers.tree(output.text, output.others, indexed)
        except TreeError as error:
            result = reported(error, line=output.line)
        yield ReadSentence(result, output.id)


@reader
def read_answers(lines: Lines, separator: str | None = None, **options: Any) -> Iterator[ReadSentence]:
    """Read one tree from each answer of a plain text file.

    An answer is a line, or all lines up to one that is the separator, ignoring blanks around it.  A blank
    answer is a sentence without a parse, but blank answers at the end of the file are ignored.
    """
    if separator is None:
        texts = ((number, line, lines.damage()) for number, line in lines)
    else:
        mark = separator.strip(BLANKS)
        groups = lines.groups(lambda line: line.strip(BLANKS) == mark, "the answer")
        texts = ((begin, "\n".join(group), damage) for begin, group, damage in groups)
    outputs = (Output(text, begin, error=damage) for begin, text, damage in until_last_text(texts))
    return read_outputs(outputs, AnswerReader(**options))
