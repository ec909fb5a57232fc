"""Detection of the format of a treebank by its beginning."""

from __future__ import annotations

import io
import re
from importlib import import_module

from .errors import TreeError, encoding_error
from .parse import shorten
from .tree import Tree, is_node
from .typed import Any

BLOCK = 65536
"""Number of bytes of a file that are looked at."""

FORMATS = {
    "bracket": ("jpevalb.trees.bracket", "read_bracket"),
    "discbracket": ("jpevalb.trees.discbracket", "read_discbracket"),
    "export": ("jpevalb.trees.export", "read_export"),
    "tigerxml": ("jpevalb.trees.tigerxml", "read_tigerxml"),
    "alpino": ("jpevalb.trees.alpino", "read_alpino"),
    "corenlp": ("jpevalb.trees.jsonl", "read_corenlp"),
    "conllu": ("jpevalb.trees.conll", "read_conllu"),
    "conll2012": ("jpevalb.trees.conll", "read_conll2012"),
    "nbest": ("jpevalb.trees.nbest", "read_nbest"),
    "answers": ("jpevalb.trees.answers", "read_answers"),
    "jsonl": ("jpevalb.trees.jsonl", "read_jsonl"),
}
"""Module and function of the reader of each format; other packages add formats as entry points of the group
``jpevalb.formats``."""


def detect_format(head: bytes | str) -> str:
    """Return the format of a file that begins with ``head``, its first :data:`BLOCK` bytes.

    Lines around trees are skipped.  XML begins with ``<``, JSON with ``{`` or ``[{``.  An export file has
    a line that begins a sentence, a header or a comment, and no bracket before it; CoNLL files have a
    header, a comment with a tree, or a row of columns.  In discbracket the leaves of the first tree with
    leaves are all ``index=word``, or all bare indices with words after the tree.  Anything else, an empty
    file too, is bracket text.

    Raises:
        TreeError: UTF-16 that is not XML; its encoding has to be named.

    >>> detect_format("(S (NP 0=it) (VP 1=rains))"), detect_format("(S (NP it) (VP rains))")
    ('discbracket', 'bracket')
    >>> detect_format(b"%% made by hand\\n#BOS 1\\n"), detect_format(b"<?xml version='1.0'?>")
    ('export', 'tigerxml')
    """
    data = head.encode("utf-8", "surrogatepass") if isinstance(head, str) else bytes(head)
    if data[:4] in (b"\xff\xfe<\0", b"\xfe\xff\0<"):
        return "tigerxml"  # XML declares its encoding
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise encoding_error("the file is UTF-16", "utf-8", data)
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if data[:1] != b"(":
        # Its patterns take longer to compile than a short run takes to score.
        from .around import from_first_tree, marked_format

        tree = from_first_tree(data)
        format = marked_format(data[: len(data) - len(tree)], tree)
        if format is not None:
            return format
        data = tree
    return "discbracket" if data[:1] == b"(" and _indexed(data) else "bracket"


def as_tree(item: Any) -> Tree:
    """Convert a ``Tree``, the text of one sentence in any format, UTF-8 bytes, or a tree of nltk or Stanza.

    Raises:
        TreeError: anything else, text that cannot be read, or text of several sentences.

    >>> as_tree("(S (VP 0=wake 2=up) (NP 1=me))").words
    ('wake', 'me', 'up')
    """
    if isinstance(item, Tree):
        return item
    if isinstance(item, bytes):
        try:
            item = item.decode("utf-8")
        except UnicodeDecodeError as error:
            raise TreeError(
                f"byte {item[error.start]:#04x} is not UTF-8; give a text instead of bytes",
                column=error.start + 1,
            ) from None
    if isinstance(item, str):
        tree = tree_of_text(item, detect_format(item))
        if tree is None:
            raise TreeError(f"found no tree in {shorten(item)}; expected the text of one tree")
        return tree
    if is_node(item):
        return Tree.from_nltk(item)
    raise TreeError(
        f"found an object of type {type(item).__name__}; "
        "expected a Tree, the text of a tree, or a tree of nltk or Stanza"
    )


def tree_of_text(text: str, format: str) -> Tree | None:
    """Parse the text of one sentence; ``None`` if it has only lines around trees."""
    if format in ("bracket", "discbracket", "jsonl"):
        if text[:1] != "(":
            from .around import without_around

            bare = without_around(text)
            if bare is None:
                return None
            text = bare
        if format != "discbracket":
            return Tree.parse(text)
        from .discbracket import parse_discbracket

        return parse_discbracket(text.strip("\r\n"))
    module, function = FORMATS[format]
    trees: list[Tree] = list(getattr(import_module(module), function)(io.StringIO(text)))
    if len(trees) != 1:
        raise TreeError(f"found {len(trees)} sentences in the text; expected one tree")
    return trees[0]


def _indexed(data: bytes) -> bool:
    """Return True if the leaves of the first tree with leaves are indices, valid or not."""
    begin, closed, _ = data.partition(b"\n")[0].partition(b")")
    first = begin.split()[-1:]
    if closed and first and b"(" not in first[0] and not first[0][:1].isdigit():
        return False  # without compiling the patterns
    pieces = re.compile(rb"\([^ \t\n\v\f\r()]*|\)|[^ \t\n\v\f\r()]+")
    for line in data.split(b"\n"):
        depth = 0
        leaves: list[bytes] = []
        rest = b""
        for piece in pieces.finditer(line):
            if piece[0][:1] == b"(":
                depth += 1
            elif piece[0] != b")":
                if not re.match(rb"[0-9]+(?:=|\Z)", piece[0]):
                    return False
                leaves.append(piece[0])
            elif depth == 1:
                rest = line[piece.end() :]
                break
            else:
                depth -= 1
        else:
            del leaves[max(1, len(leaves) - 1) :]  # not closed: the last leaf may be cut off
        if leaves:
            bare = rest[:1] == b"\t" and bool(rest.strip())
            with_words = all(re.match(rb"[0-9]+=", leaf) for leaf in leaves)
            return with_words or (bare and all(map(bytes.isdigit, leaves)))
    return False
