"""Detection of the format of a treebank by its beginning."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from ..base.errors import TreeError, encoding_error
from ..base.plugins import FORMATS as GROUP
from ..base.plugins import load_plugin, plugin_names
from ..base.values import one_of
from ..kernels.scan import scan_tree
from ..trees.parse import shorten
from ..trees.tree import Tree, is_node

BLOCK = 65536  # number of bytes of a file that are looked at

FORMATS = {
    "bracket": ("jpevalb.formats.bracket", "read_bracket"),
    "discbracket": ("jpevalb.formats.discbracket", "read_discbracket"),
    "export": ("jpevalb.formats.export", "read_export"),
    "tigerxml": ("jpevalb.formats.tigerxml", "read_tigerxml"),
    "alpino": ("jpevalb.formats.alpino", "read_alpino"),
    "corenlp": ("jpevalb.formats.jsonl", "read_corenlp"),
    "conllu": ("jpevalb.formats.conll", "read_conllu"),
    "conll2012": ("jpevalb.formats.conll", "read_conll2012"),
    "nbest": ("jpevalb.formats.nbest", "read_nbest"),
    "unlabeled": ("jpevalb.formats.unlabeled", "read_unlabeled"),
    "answers": ("jpevalb.formats.answers", "read_answers"),
    "jsonl": ("jpevalb.formats.jsonl", "read_jsonl"),
}
"""Module and function of the reader of each format; other packages add formats as entry points of the group
``jpevalb.formats``."""

FORMAT = one_of("auto", *FORMATS, more=lambda: plugin_names(GROUP))  # the values of the option `format`


def format_of_lines(sample: list[Any]) -> str:
    """Return the format of a file that begins with these lines, of bytes or text."""
    return format_of_file(sample[0][:0].join(sample)) if sample else "bracket"


def format_of_file(head: bytes | str) -> str:
    """Return the format of a file or list that begins with ``head``; one tree does not show a lack of labels.

    >>> format_of_file("((the cat) sat)\\n(it rains)\\n"), detect_format("((the cat) sat)")
    ('unlabeled', 'bracket')
    """
    format = detect_format(head)
    if format == "bracket":
        text = head if isinstance(head, str) else head.decode("utf-8", "replace")
        # Only brackets that begin with another one can show it; most files have none.
        if "((" in text or "( (" in text:
            from ..trees.nested import looks_unlabelled

            return "unlabeled" if looks_unlabelled(text) else format
    return format


def detect_format(head: bytes | str) -> str:
    """Return the format of a file that begins with ``head``, its first :data:`BLOCK` bytes.

    >>> detect_format("(S (NP 0=it) (VP 1=rains))"), detect_format("(S (NP it) (VP rains))")
    ('discbracket', 'bracket')
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


def reader_of(format: str) -> Callable[..., Iterator[Tree]]:
    """Return the reader of a format, of jpevalb or of another package."""
    if format not in FORMATS:
        return load_plugin(GROUP, format)  # type: ignore[no-any-return]
    module, function = FORMATS[format]
    return getattr(import_module(module), function)  # type: ignore[no-any-return]


def as_tree(item: Any) -> Tree:
    """Convert a Tree, text of a sentence in any format, UTF-8 bytes, or a tree of nltk or Stanza."""
    if isinstance(item, Tree):
        return item
    if isinstance(item, bytes):
        try:
            item = item.decode("utf-8")
        except UnicodeDecodeError as error:
            problem = f"byte {item[error.start]:#04x} is not UTF-8; give a text instead of bytes"
            raise TreeError(problem, column=error.start + 1) from None
    if isinstance(item, str):
        tree = tree_of_text(item, detect_format(item))
        if tree is None:
            raise TreeError(f"no tree in {shorten(item)}; expected the text of one tree")
        return tree
    if is_node(item):
        return Tree.from_nltk(item)
    if isinstance(item, (list, tuple)):
        from ..trees.nested import is_spans, tree_of_lists, tree_of_spans

        return tree_of_spans(*item) if is_spans(item) else tree_of_lists(item)
    expected = (
        "a Tree, the text of a tree, nested lists of words, words and spans, or a tree of nltk or Stanza"
    )
    raise TreeError(f"got an object of type {type(item).__name__}; expected {expected}")


def tree_of_text(text: str, format: str) -> Tree | None:
    """Parse the text of one sentence; ``None`` if it has only lines around trees."""
    if format == "unlabeled":
        from .unlabeled import parse_unlabeled

        return parse_unlabeled(text)
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
    trees = list(reader_of(format)(io.StringIO(text)))
    if len(trees) != 1:
        raise TreeError(f"got {len(trees)} sentences in the text; expected one tree")
    return trees[0]


def _indexed(data: bytes) -> bool:
    """Return True if the leaves of the first tree with leaves are indices, valid or not."""
    single = False
    for line in data.split(b"\n"):
        unclosed = max(0, line.count(b"(") - line.count(b")"))
        text = line.decode("latin-1").encode() + b")" * unclosed
        _, end, _, _, _, _, leaves, _ = scan_tree(text, 0, len(text))
        if unclosed:
            leaves = leaves[: max(not single, len(leaves) - 1)]  # the last leaf may be cut off
        if len(leaves) == 1 and not unclosed and leaves[0][:2] == "0=":
            single = True  # "(CD 0=0)" may be a tree of either format: the next ones decide
        elif leaves:
            indices = [leaf.partition("=")[0] for leaf in leaves]
            if not all(index.isascii() and index.isdecimal() for index in indices):
                return False
            words = text[end:].startswith(b"\t") and not text[end:].isspace()
            return all("=" in leaf for leaf in leaves) or (words and indices == list(leaves))
    return single
