"""Detection of the format of a treebank by its beginning."""

import io
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, NamedTuple

from ..base.errors import TreeError, encoding_error
from ..base.plugins import FORMATS as GROUP
from ..base.plugins import load_plugin, plugin_names
from ..base.values import one_of
from ..kernels.columns import current_names, read, tree_ends, words_of
from ..trees.objects import is_node
from ..trees.parse import shorten
from ..trees.tree import Tree

SEJONG = re.compile(rb"[^\s/]/[A-Z]{2,4}[ \t]+\+[ \t]+[^\s/]{1,200}/[A-Z]{2,4}[ \t)]")
_BINARY = b"\x7fELF", b"PK\x03\x04", b"%PDF", b"\x89PNG"  # first bytes of programs, zip, PDF and PNG
BLOCK = 65536  # number of bytes of a file that are looked at


class TreeFormat(NamedTuple):
    """A format of files of trees: its reader, and what a run has to know about it."""

    module: str
    function: str = ""  # the reader; empty in a module of another package
    has_gaps: bool = False  # True if trees may be discontinuous, so that words must agree
    may_lack_tags: bool = False  # True for brackets, whose files may have no tags
    sys_settings: tuple[str, ...] = ()  # arguments of the reader that options of the system's side set
    gold_settings: tuple[str, ...] = ()
    callbacks: tuple[str, ...] = ()  # other arguments of the reader
    encoding: str | None = "utf-8"  # default; ``None`` for XML, which declares its encoding

    @property
    def settings(self) -> tuple[str, ...]:
        """The settings of both sides."""
        return tuple(dict.fromkeys((*self.sys_settings, *self.gold_settings)))


_HERE = "jpevalb.formats."
_FIELDS = ("field", "id_field")
_ANSWERS = ("repair", "several")

FORMATS = {
    "bracket": TreeFormat(_HERE + "bracket", "read_bracket", may_lack_tags=True, callbacks=("unread",)),
    "discbracket": TreeFormat(_HERE + "discbracket", "read_discbracket", True, True, callbacks=("unread",)),
    "export": TreeFormat(_HERE + "export", "read_export", has_gaps=True),
    "tigerxml": TreeFormat(_HERE + "tigerxml", "read_tigerxml", has_gaps=True, encoding=None),
    "alpino": TreeFormat(_HERE + "alpino", "read_alpino", has_gaps=True, encoding=None),
    "corenlp": TreeFormat(_HERE + "jsonl", "read_corenlp"),
    "corenlp-text": TreeFormat(_HERE + "corenlp", "read_corenlp_text"),
    "conllu": TreeFormat(_HERE + "conll", "read_conllu"),
    "conll2012": TreeFormat(_HERE + "conll", "read_conll2012"),
    "nbest": TreeFormat(_HERE + "nbest", "read_nbest", may_lack_tags=True),
    "tokens": TreeFormat(_HERE + "tokens", "read_tokens"),
    "text": TreeFormat(_HERE + "tokens", "read_text"),
    "unlabeled": TreeFormat(_HERE + "unlabeled", "read_unlabeled"),
    "onf": TreeFormat(_HERE + "treebanks", "read_onf"),
    "sejong": TreeFormat(_HERE + "treebanks", "read_sejong"),
    "lists": TreeFormat(_HERE + "unlabeled", "read_lists", may_lack_tags=True),
    "answers": TreeFormat(
        _HERE + "answers",
        "read_answers",
        may_lack_tags=True,
        sys_settings=(*_ANSWERS, "separator"),
        callbacks=("on_answer",),
    ),
    "jsonl": TreeFormat(
        _HERE + "jsonl",
        "read_jsonl",
        may_lack_tags=True,
        sys_settings=(*_ANSWERS, *_FIELDS),
        gold_settings=("field", "gold_field", "id_field"),
        callbacks=("on_answer",),
    ),
    "table": TreeFormat(
        _HERE + "table",
        "read_table",
        may_lack_tags=True,
        sys_settings=_FIELDS,
        gold_settings=("field", "gold_field", "id_field"),
    ),
}
"""The formats by name; other packages add readers as entry points of the group ``jpevalb.formats``."""

FORMAT = one_of("auto", *FORMATS, more=lambda: plugin_names(GROUP))  # the values of the option `format`


def format_of_lines(sample: list[Any]) -> str:
    """Return the format of a file that begins with these lines; one tree does not show a lack of labels.

    >>> format_of_lines(["((the cat) sat)\\n", "(it rains)\\n"]), detect_format("((the cat) sat)")
    ('unlabeled', 'bracket')
    """
    head: bytes | str = sample[0][:0].join(sample) if sample else b""
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
    if data[:4] in _BINARY:
        raise TreeError("a binary file; give a text file with trees", line=1)
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
    if b" + " in data and SEJONG.search(data):
        return "sejong"
    return "discbracket" if data[:1] == b"(" and _indexed(data) else "bracket"


def format_named(name: str) -> TreeFormat:
    """Return a format, of jpevalb or of another package."""
    return FORMATS.get(name) or TreeFormat(name, has_gaps=True)


def reader_of(format: str) -> Callable[..., Iterator[Tree]]:
    """Return the reader of a format, of jpevalb or of another package."""
    if format not in FORMATS:
        return load_plugin(GROUP, format)  # type: ignore[no-any-return]
    return getattr(import_module(FORMATS[format].module), FORMATS[format].function)  # type: ignore[no-any-return]


BY_NAME = ("bracket", "unlabeled", "tokens", "text", "sejong")
"""Formats whose sentences may look like those of another format; a named one decides."""


def as_tree(item: Any, format: str = "auto") -> Tree:
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
        tree = tree_of_text(item, format if format in BY_NAME else detect_format(item))
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
            lines = [line for line in text.splitlines() if line.strip()]
            if len(lines) > 1 and all(0 < line.count("(") == line.count(")") for line in lines):
                problem = f"the text has {len(lines)} trees, a line each; give each as an item of the list"
                raise TreeError(problem)
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
        end = next(iter(tree_ends(text)), 0)
        leaves = words_of(read(text[:end], current_names()))
        if unclosed:
            leaves = leaves[: max(not single, len(leaves) - 1)]  # the last leaf may be cut off
        if len(leaves) == 1 and not unclosed and leaves[0][:2] == "0=":
            single = True  # "(CD 0=0)" may be a tree of either format: the next ones decide
        elif len(leaves) == 1 and not unclosed and "=" in leaves[0]:
            return False  # the index of a single word is 0
        elif leaves:
            indices = [leaf.partition("=")[0] for leaf in leaves]
            if not all(index.isascii() and index.isdecimal() for index in indices):
                return False
            words = text[end:].startswith(b"\t") and not text[end:].isspace()
            return all("=" in leaf for leaf in leaves) or (words and indices == list(leaves))
    return single
