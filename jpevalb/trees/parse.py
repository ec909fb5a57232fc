"""Errors of trees in brackets, with their places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from ..base.errors import TreeError, encoding_error, reported
from ..base.text import is_utf8
from ..kernels.columns import GLUED, HOLLOW, OPEN, SQUARE, BadTreeError, Columns, balance, current_names, read

# Blanks of typesetting, which are part of a word elsewhere
SPACES = "\u00a0\u2000-\u200a\u202f\u3000"

# Tags of words that may be brackets: tags of punctuation and tags without letters
BRACKET_TAG = r"(?:-[LR][RCS]B-|[^\w \t\n\v\f\r()]+|PUNC[T]?|PU|PONCT|punct?|SYM|NFP|HYPH)"
# Patterns of a blank, and of a character of a label or word
BLANK, TEXT = r"[ \t\n\v\f\r]", r"[^ \t\n\v\f\r()]"
# A leaf whose word is a bracket; a word with brackets in it before the bracket that closes its leaf
BRACKET_LEAF = rf"\({BRACKET_TAG}{BLANK}+[()](?={BLANK}*\))"
BRACKETS_IN_WORD = rf"{TEXT}+(?:\({TEXT}*\){TEXT}*){{1,3}}(?=\))|{TEXT}+\((?=\)(?!\)))"

WORD_BRACKETS = "words with round brackets"
BRACKETED = "words in brackets without labels"
CLOSERS = "labels behind closing brackets"
SCORES = "scores behind labels"
BLANKS = "blanks that were no-break spaces"
REWRITTEN = (WORD_BRACKETS, BRACKETED, CLOSERS, SCORES, BLANKS)
"""Names of what is rewritten, in the order of reports."""

# Few files need these, so the start does not compile them.
_BRACKET_WORD = rf"{BRACKET_LEAF}|(?<={BLANK})(?:{BRACKETS_IN_WORD})"
_SMILEY = r"(?<=[ \t])[:;=8]-?[()](?=\))"
_NAMED = str.maketrans({"(": "-LRB-", ")": "-RRB-"})
_LABEL = rf"[^ \t\n\v\f\r(){SPACES}]"
_SPACE = (
    # Before a label or behind it, and before or behind other brackets; a text after blanks is a label only if
    # more than a closing bracket follows
    rf"\((?:{BLANK}*[{SPACES}][ \t\n\v\f\r{SPACES}]*{_LABEL}*[{SPACES}]*|{_LABEL}+[{SPACES}]+"
    rf"|{BLANK}+{_LABEL}+[{SPACES}]+(?![{SPACES}])(?={TEXT}*(?!{TEXT}){BLANK}*[^) \t\n\v\f\r]))"
    rf"|(?<=\))[{SPACES}]+|(?<![{SPACES}])[{SPACES}]+(?=\()"
)
_SCORE = rf"(\({TEXT}*){BLANK}\[-?[0-9.]+(?:[eE][-+]?[0-9]+)?\](?={BLANK}*[^) \t\n\v\f\r])"
_HOLLOW = rf"\(({TEXT}+)\)"
_ONLY_CHILD = rf"\({TEXT}+{BLANK}*\({TEXT}+\){BLANK}*\)"
_TOKEN = rf"[()]|{TEXT}+"


class _ReadText(NamedTuple):
    """A text, and how often something was rewritten in it."""

    text: str
    counts: Mapping[str, int] = {}

    def with_text(self, what: str, text: str, count: int) -> _ReadText:
        return _ReadText(text, {**self.counts, what: count}) if count else self


def read_text(data: bytes) -> Columns:
    """Read a sentence as the kernel does; a text that is unusual is rewritten first, if that is certain."""
    try:
        tree = read(data, current_names())
    except BadTreeError:
        other = _other(data)
        if other is None:
            raise
        return other
    return (_other(data, tree) or tree) if tree.unusual else tree


def _other(data: bytes, tree: Columns | None = None) -> Columns | None:
    """Return the tree of the rewritten text; ``None`` if nothing is certain."""
    if tree is not None and not tree.words and data.strip() in (b"(())", b"()"):
        return None
    for text, counts in _meant(data, 0 if tree is None else tree.unusual, tree):
        try:
            other: Columns = read(text.encode("utf-8", "surrogatepass"), current_names())
        except BadTreeError:
            continue
        if not other.unusual & (HOLLOW | GLUED):
            other.rewritten = counts
            return other
    return None


def _meant(data: bytes, unusual: int, tree: Columns | None) -> Iterator[_ReadText]:
    """Yield what a text may mean, the most likely reading first."""
    try:
        plain = _ReadText(data.decode("utf-8", "surrogatepass"))
    except UnicodeDecodeError:
        return
    failed = tree is None
    plain = plain.with_text(BLANKS, *with_blanks(plain.text))
    if failed or unusual & SQUARE:
        # Scores stand behind every label: (NP [12.1] (DT [1.2] the)).
        text, count = re.subn(_SCORE, r"\1", plain.text)
        if count == text.count("("):
            plain = plain.with_text(SCORES, text, count)
    if failed or unusual & GLUED:
        plain = _without_closers(plain)
    if tree is not None and not tree.words:
        text, count = re.subn(_HOLLOW, r" \1", plain.text)
        if count and 2 * len(re.findall(_ONLY_CHILD, plain.text)) >= count:
            yield plain.with_text(BRACKETED, text, count)
    smiles = re.subn(_SMILEY, _named, plain.text) if failed else ("", 0)
    for text, count in ((plain.text, 0), smiles):
        text, more = re.subn(_BRACKET_WORD, _named, text)
        found = plain.with_text(WORD_BRACKETS, text, count + more)
        if text and found.counts:
            yield found


def _named(match: re.Match[str]) -> str:
    """Return a leaf or word with names for the brackets in its word."""
    return match[0][0] + match[0][1:].translate(_NAMED)


def with_blanks(text: str) -> tuple[str, int]:
    """Return a text with blanks for no-break spaces next to labels and brackets, and the number of places."""
    if text.isascii():
        return text, 0
    return re.subn(_SPACE, lambda match: re.sub(f"[{SPACES}]", " ", match[0]), text)


def _without_closers(plain: _ReadText) -> _ReadText:
    """Leave out labels behind closing brackets, ``(S (NP it )NP )S``, if each is that of its bracket."""
    opened: list[str] = []
    kept: list[str] = []
    end = count = 0
    before = closed = ""
    for match in re.finditer(_TOKEN, plain.text):
        token = match[0]
        glued = before == ")" and match.start() == end
        if token == ")":
            closed = opened.pop() if opened else ""
        elif token == "(":
            opened.append("")
        elif before == "(" and match.start() == end:
            opened[-1] = token
        elif glued and token != closed:
            return plain
        if not (glued and token not in "()"):
            kept.append(plain.text[end : match.end()])
        else:
            count += 1
        before, end = token, match.end()
    return plain.with_text(CLOSERS, "".join(kept), count)


def without_bracket_words(data: bytes) -> tuple[bytes, int]:
    """Return lines with names for the brackets in words, and the number of these words."""
    if not balance(data)[1]:
        return data, 0
    text, count = re.subn(_BRACKET_WORD, _named, data.decode("utf-8", "surrogateescape"))
    return (text.encode("utf-8", "surrogateescape"), count) if count else (data, 0)


NO_TREE = " outside a tree; expected '('"  # end of the message for a text outside trees
NO_RECORD = " outside a record; expected '{'"  # the same of JSON


def reading_error(
    error: ValueError,
    data: bytes,
    begin: int = 0,
    encoding: str = "utf-8",
    line: int | None = None,
    offset: int | None = None,
) -> TreeError:
    """Return the error of a sentence from an index of a text on, at a line and byte offset of a file.

    ``error`` is one of a parser of sentences: a tree that is missing or not closed, bytes that are not UTF-8,
    or a ``TreeError`` with a column only.
    """
    if isinstance(error, TreeError):
        return reported(error, line=line)
    index, message = begin, ""
    if isinstance(error, BadTreeError):
        problem, index = error.args[0], begin + error.args[1]
        if problem == OPEN:
            missing = data.count(b"(", index) - data.count(b")", index)
            number = "1 ')' is" if missing == 1 else f"{missing} ')' are"
            message = f"the tree that begins here is not closed: {number} missing"
        else:
            with suppress(UnicodeDecodeError):
                shown = data[index:].split(None, 1)[0].decode("utf-8")
                message = shorten(shown) + NO_TREE
                if shown.startswith(")"):
                    message = "')' outside a tree; expected '(' or the end of the sentence: one ')' too many"
    if not message:
        try:
            data[index:].decode("utf-8")
        except UnicodeDecodeError as undecodable:
            index += undecodable.start
    before = data[:index]
    where: dict[str, Any] = {
        "line": None if line is None else line + before.count(b"\n"),
        "column": len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1,
    }
    if message:
        return TreeError(message, **where)
    utf8 = is_utf8(encoding)
    at = f" (byte {offset + index} of the file, from 0)" if utf8 and offset is not None else ""
    problem = f"byte {data[index]:#04x}{at} is not {'UTF-8' if utf8 else encoding.upper()}"
    return encoding_error(problem, encoding, data, **where)


def shorten(text: str) -> str:
    return repr(text if len(text) <= 30 else text[:30] + "...")
