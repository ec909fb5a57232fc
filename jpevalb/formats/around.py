"""Lines around trees, as treebanks and parsers write them."""

from __future__ import annotations

import io
import json
import re

from ..base.errors import TreeError
from ..base.text import parse_json
from ..trees.nested import are_trees, has_labels

# A header of the Penn Treebank; a comment; a parser's message; the count, id and scores of n-best lists.
_SKIPPED = re.compile(
    rb"\s*(?:\*x\*|[#;]|Sentence skipped:|[0-9]+[ \t]+[^\s()]+\s*\Z"
    rb"|(?:[-+]?(?:[0-9.]+(?:e[-+]?[0-9]+)?|inf(?:inity)?)(?:[ \t]+|\s*\Z))+\Z)",
    re.IGNORECASE,
)
_TAGS = re.compile(rb"\s*(?:<[/!?]?[A-Za-z][^()<>]*>\s*)+")
_END_TAG = re.compile(rb"</?[A-Za-z][^()<>]*>")
_NO_PARSE = re.compile(rb"\s*(null|None|SENTENCE_SKIPPED_OR_UNPARSABLE)\s*\Z")
_ALPINO = re.compile(rb"^\s*(?:<[^>]*>\s*)*<alpino_ds[\s>]")
_NBEST = re.compile(rb"\s*(?:[2-9]|[1-9][0-9]+)[ \t]+[^\s()]+\s*\n\s*[-+]?[0-9.]+[^()\n]*\n\s*\(")
_PARSE_1 = re.compile(rb"^#+ *Parse 1\b", re.MULTILINE)
_PARSE_2 = re.compile(rb"^#+ *Parse 2\b", re.MULTILINE)
_XML = re.compile(rb"<(?:graph|t)[\s>]")
_SINICA = re.compile(rb"^#[0-9]+:[0-9]+\.\[[0-9]+\][^\n(]*\(", re.MULTILINE)
# A row with a tree behind a tab or a comma, which may follow a header
_TABLE = re.compile(
    rb"(?:[^\n(\t,]{1,200}[\t,][^\n(]{0,1000}\n)?"
    rb"[^\n(\t,]{1,200}(?:\t|,\"?)(?:[^\n(]{0,1000}(?:\t|,\"?))?[ ]*\("
)
# The text of a tree, or a label before a list
_LABELLED = re.compile(r'\[\s*(?:\[\s*)?(?:"\s*\(|"[!#-`{-~]{1,50}"\s*,\s*\[\s*[\["])')
_S = re.compile(rb"</?s[^<>\n]*>\s*", re.IGNORECASE)
_BEGIN = re.compile(rb"^#(?:BOS|FORMAT|BOT)[ \t]", re.MULTILINE)
_EXPORT = re.compile(rb"^(?:#BOS[ \t]|#FORMAT[ \t]|#BOT[ \t]|%%)", re.MULTILINE)
_SENTENCES = re.compile(rb'"sentences"\s*:\s*\[\s*[]{]')
_CORENLP = re.compile(rb"(?:Document: ID=[^\n]*\n\s*)?Sentence #[0-9]+ \([0-9]+ tokens")
_CONLLU = re.compile(rb"^# *constituency *=", re.MULTILINE)
_CONLLU_ROW = re.compile(rb"1(?:-[0-9]+)?(?:\t[^\t\n]*){9}\r?\n")
_CONLL2012_ROW = re.compile(rb"\S+[ \t]+[0-9]+[ \t]+[0-9]+[ \t]+\S+[ \t]+\S+[ \t]+[^\s*]*\*")


def bare_line(line: bytes) -> bytes | None:
    """Return a line outside trees with its tags and marks blanked out in place; ``None`` to skip it."""
    tags = _TAGS.match(line)
    if tags:
        rest = line[tags.end() :]
        begin, end = _tags_at_end(rest)
        if not rest or (rest[:1] != b"(" and tags[0].lstrip()[1:2] not in b"sS" and begin < end):
            return None  # a tag, or an element of a header with its text
        if rest[:1] != b"(":
            return line
        return b" " * tags.end() + rest[:begin] + b" " * (end - begin) + rest[end:]
    mark = _NO_PARSE.match(line)
    if mark:
        return line.replace(mark[1], b"(())".ljust(len(mark[1])))
    return None if _SKIPPED.match(line) else line


def _tags_at_end(line: bytes) -> tuple[int, int]:
    """Return where the tags at the end of a line begin, with the blanks before them, and where they end."""
    begin = end = len(line.rstrip())
    while line[begin - 1 : begin] == b">":
        tag = line.rfind(b"<", 0, begin)
        if tag < 0 or _END_TAG.fullmatch(line, tag, begin) is None:
            break
        begin = tag
        while line[begin - 1 : begin] in (b" ", b"\t"):
            begin -= 1
    return begin, end


def from_first_tree(data: bytes) -> bytes:
    """Return the text of a file from the first line that may be part of a tree."""
    end = 0
    for line in io.BytesIO(data):
        end += len(line)
        part = bare_line(line)
        if part is not None and part.split() not in ([], [b"(())"]):
            return part.lstrip() + data[end:]
    return b""


def marked_format(around: bytes, tree: bytes) -> str | None:
    """Return the format by the lines before the first tree and its beginning; ``None`` if unmarked."""
    if _SINICA.search(around):
        problem = "lines of the Sinica treebank, #1:1.[0] S(...)#, which are read as comments"
        raise TreeError(f"{problem}; convert them to bracket trees, as (S ...)", line=1)
    if _BEGIN.search(around):
        return "export"  # its first word may begin like XML or JSON
    if _ALPINO.search(around + tree[:1000]):
        return "alpino"
    # Tags around bracketed trees are those of SGML.
    is_sgml = (tree[:1] == b"(" and not _XML.search(around + tree)) or _S.fullmatch(around)
    if b"<" in (around[:1], tree[:1]) and not is_sgml:
        return "tigerxml"
    if tree[:1] in (b"{", b"[") and _SENTENCES.search(tree):
        return "corenlp"
    if _CORENLP.match(tree):
        return "corenlp-text"
    if tree[:1] == b"[" and tree[1:].lstrip()[:1] in (b"[", b'"'):
        # JSON lists with labels, texts of trees, or words alone
        text = tree.decode("utf-8", "replace")
        try:
            item = parse_json(text.split("\n", 1)[0])
        except json.JSONDecodeError:
            return "lists" if _LABELLED.match(text) else "unlabeled"
        return "lists" if item and (has_labels(item) or are_trees(item)) else "unlabeled"
    if tree[:1] == b"{" or (tree[:1] == b"[" and tree[1:].lstrip()[:1] == b"{"):
        return "jsonl"
    if _CONLLU.search(around) or _CONLLU_ROW.match(tree):
        return "conllu" if _CONLLU.search(around + tree) else "tokens"
    if around.lstrip().startswith(b"#begin document") or _CONLL2012_ROW.match(tree):
        return "conll2012"
    if _NBEST.match(around + tree[:1]) or (_PARSE_1.search(around) and _PARSE_2.search(tree)):
        return "nbest"
    if _TABLE.match(tree):
        return "table"
    if tree.startswith(b"Plain sentence:"):
        return "onf"
    if _EXPORT.search(around) or (tree[:1] != b"(" and _EXPORT.search(tree)):
        return "export"
    return None


def without_around(text: str) -> str | None:
    """Return a sentence's text without the lines around its trees; ``None`` if nothing else is there."""
    kept: list[bytes] = []
    depth = 0
    lines = text.encode("utf-8", "surrogatepass").splitlines(keepends=True)
    for line in lines:
        part = line if depth > 0 or line[:1] == b"(" else bare_line(line)
        if part is not None:
            kept.append(part)
            depth += part.count(b"(") - part.count(b")")
    data = b"".join(kept)
    return data.decode("utf-8", "surrogatepass") if data.strip() or len(kept) == len(lines) else None
