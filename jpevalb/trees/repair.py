"""Repairs of one answer of a language model: whatever text it is, at most one bracket tree comes out.

The list of repairs is fixed and each has a name, so that a report says how much of a score is
the tool's work.  ``docs/language-models.md`` shows an example of each.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ..kernels.scan import TREE, scan_tree
from .answer import REPAIRS, SEVERAL, Answer
from .errors import SettingsError

_SPACES = " \t\n\v\f\r"
_B = r"[ \t\n\v\f\r]"
_NO = r"[^ \t\n\v\f\r()]"

# Signs that no text has once halves of surrogate pairs are replaced: brackets that are words.
_LEFT, _RIGHT = "\ud800", "\ud801"
_WORD_BRACKETS = str.maketrans({_LEFT: "-LRB-", _RIGHT: "-RRB-"})

_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPE = re.compile(rf"(?<!\\)\\+(?:[nrt](?={_B}|[()\[\]\\]|\Z)|[\"'()])")
_FENCE = re.compile(r"```+(?:[a-z]+(?![^ \t\n\v\f\r(\[]))?")
_MARK = re.compile(
    r"(?:</?s>|<\|[^|<>()\s]{1,40}\|>|<(?:eos|EOS|bos|BOS|pad|PAD|end_of_turn|end_of_text)>|\[/?INST\])"
    rf"(?!{_B}*[)\]\uff09])"
)
_HEADING = re.compile(r"[\W_]*\w+(?:[^\w\n:=]+\w+){0,7}[\W_]*[:=][\W_]*")
_LONGEST_HEADING = 80
_GROUP = re.compile(r"[(\[\uff08][^()\[\]\uff08\uff09]*[)\]\uff09]?")

# For each kind of brackets what makes round ones of them, and how a tree begins: with a bracket inside
# a bracket, or else with a leaf.
_STYLES: list[tuple[dict[int, str] | None, re.Pattern[str], re.Pattern[str]]] = []
for _open, _close in ("()", "[]", "\uff08\uff09"):
    _o, _c = re.escape(_open), re.escape(_close)
    _none = rf"[^ \t\n\v\f\r{_o}{_c}]"
    _STYLES.append(
        (
            None if _open == "(" else str.maketrans({"(": _LEFT, ")": _RIGHT, _open: "(", _close: ")"}),
            re.compile(rf"{_o}[^{_o}{_c}]*{_o}"),
            re.compile(rf"{_o}{_B}*{_none}+{_B}+{_none}"),
        )
    )

# Tags of words that may be brackets: those of punctuation, and such as have no letter.
_BRACKET_TAG = r"(?:-[LR][RCS]B-|[^\w \t\n\v\f\r()]+|PUNC[T]?|PU|PONCT|punct?|SYM|NFP|HYPH)"
_TOKEN = re.compile(
    # An empty line with text behind it: the tree is over, if it is not closed.
    r"\n[ \t\v\f\r]*\n[ \t\v\f\r]*(?=[^ \t\n\v\f\r()])"
    # A leaf whose word is a bracket.
    rf"|\({_BRACKET_TAG}{_B}+[()](?={_B}*\))"
    # An open bracket with its label, which touches it or is followed by more than a closing bracket.
    rf"|\({_B}+{_NO}+(?!{_NO})(?={_B}*[^) \t\n\v\f\r])|\({_NO}*"
    r"|\)"
    # A word with brackets in it, such as f(x) or :( before the bracket that closes its leaf.
    rf"|{_NO}+(?:\({_NO}*\){_NO}*){{1,3}}(?=\))|{_NO}+\((?=\)(?!\)))"
    rf"|{_NO}+"
)
# What no tree has as a tool writes it, although it can be read: escaped line ends before nodes, and empty
# nodes that are brackets in words.
_ESCAPED_LINE = re.compile(rf"\\[nrt]{_B}*\(")
_EMPTY_NODE = re.compile(rf"\({_NO}*{_B}*\)")
_BRACKET_IN_WORD = re.compile(rf"\({_BRACKET_TAG}{_B}+\({_B}*\)|(?<={_B}){_NO}+\({_NO}*\)(?=\))")
_WORD_BEGINS = re.compile(rf"(?:{_B}|\)){_NO}")
_NEXT_OPENS = re.compile(rf"{_B}*\(")
_ROOT_LABEL = re.compile(r"[A-Z][A-Z0-9|$+=-]{0,19}\Z")


def is_one_tree(text: str) -> bool:
    """Whether a text is one bracket tree with words, with nothing but blanks around it.

    A text with escaped line ends is no such tree, nor is one with brackets in words, as in ``(-LRB- ()`` and
    ``(NN f(x))``: read as they are, labels and words would be others.  Cost: O(length).

    >>> [is_one_tree(text) for text in ("(S (NN rain))", "(S (NN rain)) </s>", "(see below) (S (NN rain))")]
    [True, False, False]
    """
    # Most texts of another kind are told by this alone.
    if not text.rstrip(_SPACES).endswith(")") or text.count("(") != text.count(")"):
        return False
    data = text.encode("utf-8", "surrogatepass")
    try:
        code, place, _, _, _, _, words, _ = scan_tree(data, 0, len(data))
    except UnicodeDecodeError:
        return False
    if code != TREE or not words or data[place:].strip(_SPACES.encode()):
        return False
    if "\\" in text and _ESCAPED_LINE.search(text):
        return False
    return not (_EMPTY_NODE.search(text) and _BRACKET_IN_WORD.search(text))


def repair(text: str, several: str = "first") -> Answer:
    """Makes one bracket tree of an answer, with as little change as the fixed list allows.

    An answer that is one tree comes back as it is, so a repaired text does too.  No word is
    added, and the words that are left stand in the order of the answer.

    Args:
        text: The whole answer.
        several: What is done with several trees: ``"first"`` takes the first, ``"join"`` puts
            them under one root without label.

    Raises:
        SettingsError: ``several`` is something else.

    Cost: O(length).

    >>> repair("Sure! Here it is: ```(S (NP (DT the) (NN cat)) (VP (VBZ sleeps))```")
    ... # doctest: +NORMALIZE_WHITESPACE
    Answer(text='(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))', repairs=('fence', 'unclosed'),
           reason=None, truncated=False)
    >>> repair("I cannot parse this (sorry).").reason
    'no tree is in the answer: its brackets stand inside text, or are empty'
    """
    if several not in SEVERAL:
        raise SettingsError(f"found several={several!r}; expected 'first' or 'join'")
    if is_one_tree(text):
        return Answer(text)
    return _Repairing(text, several).answer()


class _Repairing:
    """One answer under repair."""

    def __init__(self, text: str, several: str) -> None:
        self.text = text
        self.several = several
        self.done: set[str] = set()
        self.truncated = False

    def answer(self) -> Answer:
        if not self.text.strip(_SPACES):
            return Answer("", reason="the answer is empty")
        self._replace("characters", _SURROGATE, lambda match: "\ufffd")
        self._replace("escapes", _ESCAPE, _unescaped)
        if not self._leave_out_thoughts():
            return Answer("", reason="the answer ends before its thoughts do")
        begin = self._find_tree()
        if begin is None:
            if any(sign in self.text for sign in "([\uff08"):
                return Answer(
                    "", reason="no tree is in the answer: its brackets stand inside text, or are empty"
                )
            return Answer("", reason="no tree is in the answer: it has no bracket")
        # Megabytes of brackets need no writer.
        trees = self._trees(begin) if _WORD_BEGINS.search(self.text, begin) else []
        if not trees:
            return Answer("", reason="the tree has no word", truncated=self.truncated)
        if len(trees) > 1:
            self.done.add("several")
        kept = trees if self.several == "join" else trees[:1]
        if any(emptied for _, emptied in kept):
            self.done.add("empty_nodes")
        found = kept[0][0] if len(kept) == 1 else f"( {' '.join([tree for tree, _ in kept])})"
        return Answer(
            found.translate(_WORD_BRACKETS),
            tuple(name for name in REPAIRS if name in self.done),
            truncated=self.truncated,
        )

    def _replace(self, name: str, pattern: re.Pattern[str], by: Callable[[re.Match[str]], str]) -> None:
        self.text, count = pattern.subn(by, self.text)
        if count:
            self.done.add(name)

    def _leave_out_thoughts(self) -> bool:
        """Leaves out what a reasoning model says to itself; False where that never ends."""
        end = self.text.rfind("</think>")
        if end >= 0:
            self.text = self.text[end + len("</think>") :]
            self.done.add("prose")
        return "<think>" not in self.text

    def _find_tree(self) -> int | None:
        """Narrows the text down to the part that has the tree; where that begins."""
        parts = _FENCE.split(self.text)
        # What is inside fences comes first.
        order = [*range(1, len(parts), 2), *range(0, len(parts), 2)]
        for nested in (True, False):
            for translation, inside, leaf in _STYLES:
                pattern = inside if nested else leaf
                for number in order:
                    match = pattern.search(parts[number])
                    if match is None:
                        continue
                    begin = match.start()
                    mark = _MARK.search(parts[number], begin)
                    part = parts[number][: mark.start()] if mark else parts[number]
                    if not nested and (_is_prose(part[:begin]) or _is_prose(_GROUP.sub("", part[begin:]))):
                        continue
                    if len(parts) > 1:
                        self.done.add("fence")
                    # A fence or a mark behind it says that the answer was not cut off.
                    self.truncated = number == len(parts) - 1 and mark is None
                    if mark:
                        self.done.add("end_mark")
                    self.text = part
                    if translation is not None:
                        self.text = part.translate(translation)
                        self.done.add("other_brackets")
                    return begin
        return None

    def _text_before(self, text: str) -> None:
        """Names what stands before the tree."""
        rest = _MARK.sub("", text).strip(_SPACES)
        if len(rest) < len(text.strip(_SPACES)):
            self.done.add("end_mark")
        if rest:
            self.done.add("prose" if _is_prose(rest) else "prefix")

    def _trees(self, begin: int) -> list[tuple[str, bool]]:
        """The trees from a place on, as :class:`_Writer` has them."""
        text, done = self.text, self.done
        # Brackets opened less those closed, behind the last token.
        balance = text.count("(", begin) - text.count(")", begin)
        writer = _Writer()
        before = text[:begin].strip(_SPACES)
        if balance < 0 and _ROOT_LABEL.match(before):
            done.add("unopened")
            writer.open(before)
        else:
            self._text_before(text[:begin])
        prose = False
        kinds = "("  # the kind of the last token inside a tree, by its first sign
        for match in _TOKEN.finditer(text, begin):
            token = match[0]
            kind = token[0]
            if kind == "(":
                balance -= 1
                kinds = kind
                if token[-1] in "()" and len(token) > 1:
                    done.add("word_brackets")
                    balance += 1 if token[-1] == ")" else -1
                    writer.open(token[1:-1].strip(_SPACES))
                    writer.word(_LEFT if token[-1] == "(" else _RIGHT)
                    kinds = "w"
                else:
                    writer.open(token[1:].lstrip(_SPACES))
            elif kind == ")":
                balance += 1
                kinds = kind
                if writer.depth == 1 and balance < 0 and _NEXT_OPENS.match(text, match.end()):
                    # More is closed behind it than is opened, and a tree goes on: it came too early.
                    done.add("extra")
                elif writer.depth:
                    writer.close()
                elif not prose:
                    done.add("extra")
            elif kind == "\n":
                if writer.depth:
                    self._close(writer, kinds)
            elif writer.depth:
                if "(" in token:
                    done.add("word_brackets")
                    balance -= token.count("(") - token.count(")")
                    token = token.replace("(", _LEFT).replace(")", _RIGHT)
                writer.word(token)
                kinds = "w"
            else:
                prose = True
        if writer.depth:
            self._close(writer, kinds)
        else:
            self.truncated = False
        trees = writer.trees
        if writer.hollow and not prose:
            done.add("empty_nodes")
        if prose:
            done.add("prose")
            # A bracket inside text is no tree where there is one of several nodes.
            trees = trees[:1] + [found for found in trees[1:] if found[0].count("(") > 1]
        return trees

    def _close(self, writer: _Writer, kind: str) -> None:
        self.done.add("unclosed")
        if kind != ")":
            self.done.add("cut_leaf")
        cut = kind == "("
        while writer.depth:
            writer.close(dropped=cut)


def _is_prose(text: str) -> bool:
    """Whether a text is more than a heading and end marks."""
    text = _MARK.sub("", text).strip(_SPACES)
    return bool(text) and (len(text) > _LONGEST_HEADING or not _HEADING.fullmatch(text))


def _unescaped(match: re.Match[str]) -> str:
    sign = match[0][-1]
    return {"(": _LEFT, ")": _RIGHT, '"': '"', "'": "'"}.get(sign, " ")


class _Writer:
    """Trees as text, written token by token; a node without words leaves nothing behind."""

    def __init__(self) -> None:
        self.trees: list[tuple[str, bool]] = []
        """Each tree that has words, and whether nodes of it were left out."""
        self.depth = 0
        self.hollow = False
        """Whether a tree had no word."""
        self._emptied = False
        self._pieces: list[str] = []
        self._begins: list[int] = []

    def open(self, label: str) -> None:
        self._begins.append(len(self._pieces))
        self._pieces.append(" (" + label)
        self.depth += 1

    def word(self, word: str) -> None:
        self._pieces.append(" " + word)

    def close(self, *, dropped: bool = False) -> None:
        """Closes the innermost node.

        Args:
            dropped: Whether no word is missed if it has none, as in a leaf that is cut off.
        """
        begin = self._begins.pop()
        self.depth -= 1
        pieces = self._pieces
        size = len(pieces) - begin
        if size == 1:
            pieces.pop()
            self._emptied = self._emptied or not dropped
        else:
            if pieces[begin] == " (" and size > 2 and pieces[begin + 1][1] != "(":
                # Without the empty node its first word would be read as the label.
                pieces[begin] = " (()"
            pieces.append(")")
        if not self.depth:
            if pieces:
                self.trees.append(("".join(pieces).lstrip(" "), self._emptied))
            else:
                self.hollow = self.hollow or not dropped
            pieces.clear()
            self._emptied = False
