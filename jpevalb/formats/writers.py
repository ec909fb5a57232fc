"""Writers of trees: bracket text, discbracket and NEGRA export."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from ..base.errors import TreeError
from ..base.files import whole_file
from ..base.values import ENCODING, check, one_of
from ..kernels.columns import bracket_text, texts_of
from ..trees.parse import BLANK, SPACES
from ..trees.tree import Tree
from .read import as_tree

# Patterns that only their format compiles, but for the one that each tree in bracket text is searched for
_BAD_BRACKET = r"[ \t\n\v\f\r()]"
_BAD_OR_SPACE = re.compile(f"{_BAD_BRACKET}|[{SPACES}]")
_BAD_DISCBRACKET = r"[ \t\n\v\f\r]|#[LR]RB#"
_BAD_EXPORT = r"[\t\n\v\f\r]|\A[ ]|[ ]\Z"
_RESERVED = r"%%|#(?:BOS|EOS)(?: |\Z)"


def write(
    trees: Iterable[Any] | Tree, path_or_file: Any, format: str = "bracket", *, encoding: str = "utf-8"
) -> int:
    """Write trees to a file, one after the other.

    Formats:
        ``bracket``: one tree per line; continuous trees only.
        ``discbracket``: one tree per line, leaves ``index=word``.
        ``discbracket-indices``: the older dialect, bare indices, then a tab and the words.
        ``export`` or ``export4``: NEGRA export version 4; ``export3``: version 3.

    Reading the file gives equal trees, with these exceptions.  In export a word without a tag gets a
    preterminal without label.  A root without label, export's virtual root, is ``ROOT`` in discbracket,
    since other programs would count an empty label; jpevalb counts neither.  In export and in discontinuous
    trees a node without words becomes the last of its sisters.  A tree without words loses its nodes.
    Export has ``--`` for lemma and morphology, which a :class:`Tree` lacks; the functions of
    :attr:`Tree.edges` are written in export only.  The id of a
    sentence, or else its number from 1, is written in export only.

    Args:
        trees: Trees, bracket texts or nltk trees; or one tree.
        path_or_file: A path, or a file open for writing, text or binary.  A path that ends in ``.gz``,
            ``.bz2`` or ``.xz`` is compressed.  An existing file is replaced once all trees are written.
        format: One of the above.
        encoding: Encoding of a path or a binary file.

    Returns:
        The number of trees written.

    Raises:
        TreeError: a word, label or id that the format cannot represent, a discontinuous tree for
            ``bracket``, or a duplicate id.
        SettingsError: an unknown format, or an invalid encoding.
        InputError: the file cannot be written, or the encoding lacks a character.

    >>> import io
    >>> out = io.StringIO()
    >>> write([Tree.build(["VP", "NP"], [-1, 0], ["wake", "me", "up"], [0, 1, 0])], out, "discbracket")
    1
    >>> out.getvalue()
    '(VP 0=wake (NP 1=me) 2=up)\\n'
    """
    check("format", format, one_of(*WRITE_FORMATS))
    check("encoding", encoding, ENCODING)
    if isinstance(trees, (Tree, str)):
        trees = [trees]
    if not isinstance(trees, Iterable):
        raise TreeError(f"got an object of type {type(trees).__name__}; expected trees")
    seen: set[str] = set()
    number = 0
    with whole_file(path_or_file, encoding) as put:
        if format in _EXPORT_VERSIONS:
            put(f"#FORMAT {_EXPORT_VERSIONS[format]}\n")
        for number, item in enumerate(trees, 1):
            name = str(number)
            try:
                tree = as_tree(item)
                if tree.id is not None:
                    name = f"{number} (id {tree.id!r})"
                if format in _WRITERS:
                    text = _WRITERS[format](tree) + "\n"
                else:
                    id = str(number) if tree.id is None else tree.id
                    if id in seen:
                        raise TreeError(f"the id {id!r} occurs twice; give each tree a unique id")
                    seen.add(id)
                    text = to_export(tree, id, version=_EXPORT_VERSIONS[format])
            except TreeError as error:
                raise TreeError(f"tree {name}: {error}") from None
            put(text)
    return number


def to_discbracket(tree: Tree, *, words: bool = True) -> str:
    """Return one line of discbracket; with ``words=False`` the older dialect."""
    _check(tree, "discbracket", _BAD_DISCBRACKET, _BAD_DISCBRACKET if words else BLANK)
    leaves = [f"{index}={_escaped(word)}" if words else str(index) for index, word in enumerate(tree.words)]
    written = bracket_text(tree.columns, leaves, list(map(_escaped, tree.labels))) or "(())"
    if tree.labels and not tree.labels[0] and not tree.preterminals[0]:
        written = f"({VIRTUAL_ROOT}{written[1:]}"
    return written if words or not tree.words else f"{written}\t{' '.join(tree.words)}"


def to_bracket(tree: Tree) -> str:
    """Return one line of bracket text; unlike ``Tree.to_bracket``, check that it can be read back."""
    texts = texts_of(tree.columns)
    if "" in texts or _BAD_OR_SPACE.search("\0".join(texts)):
        # Words may have the blanks of ``SPACES``.
        _check(tree, "bracket", _BAD_OR_SPACE.pattern, _BAD_BRACKET)
        for node, children in enumerate(tree.children()):
            if not tree.labels[node] and len(children) > 1 and children[0] < 0:
                word = tree.words[-1 - children[0]]
                raise TreeError(
                    f"bracket would parse the word {word!r}, the first child of a node without label, as its "
                    "label; give the node a label or the word a tag"
                )
    # Brackets without words would be read as words: (S (it)).
    return tree.to_bracket() if tree.columns.words else "(())"


def to_export(tree: Tree, id: str, *, version: int = 4) -> str:
    """Return one sentence in NEGRA export, ``#BOS`` to ``#EOS``."""
    from .export import is_node_mark

    if not id or re.search(BLANK, id) or id.startswith("%%"):
        raise TreeError(f"export cannot represent the sentence id {id!r}; expected an id without blanks")
    _check(tree, "export", _BAD_EXPORT, _BAD_EXPORT)
    for function in tree.edges:
        if re.search(BLANK, function):
            raise TreeError(f"export cannot represent the function {function!r}; write it without blanks")
    if "--" in tree.labels:
        raise TreeError("export cannot represent the label '--', which means no label; rename it")
    numbers = _export_numbers(tree)
    preterminal = tree.preterminals
    labels = [label or "--" for label in tree.labels]
    if labels and not tree.labels[0] and numbers[0]:
        labels[0] = VIRTUAL_ROOT
    edges = [edge or "--" for edge in tree.edges or [""] * len(tree)]
    rows: list[tuple[str, str, str, int]] = []  # first field, label, function and parent
    for word, parent in zip(tree.words, tree.word_parents):
        if re.match(_RESERVED, word) or is_node_mark(word, 0):
            problem = f"export cannot represent the word {word!r}, which is a mark in export; change the word"
            raise TreeError(problem)
        has_tag = preterminal[parent]
        above = tree.parents[parent] if has_tag else parent
        rows.append((word, labels[parent], edges[parent], above) if has_tag else (word, "--", "--", above))
    for mark, node in sorted((mark, node) for node, mark in enumerate(numbers) if mark):
        rows.append((f"#{mark}", labels[node], edges[node], tree.parents[node]))
    fill = "\t--" if version == 4 else ""
    text = "".join(
        [f"{name}{fill}\t{label}\t--\t{edge}\t{numbers[above]}\n" for name, label, edge, above in rows]
    )
    return f"#BOS {id}\n{text}#EOS {id}\n"


def _export_numbers(tree: Tree) -> list[int]:
    """Return the export number of each node, in postorder; 0 for preterminals, the virtual root and -1."""
    from .export import FIRST_NODE

    n = len(tree)
    preterminal = tree.preterminals
    numbers = [0] * (n + 1)
    # The loop visits the nodes in reverse postorder.
    children = tree.children()
    several = tree.parents.count(0) + tree.word_parents.count(0) > 1
    virtual = several and tree.labels[0] == "" and not preterminal[0]
    number = FIRST_NODE + n - sum(preterminal) - virtual
    stack = [0] if n else []
    while stack:
        node = stack.pop()
        stack.extend([child for child in children[node] if child >= 0])
        if not preterminal[node] and not (virtual and node == 0):
            number -= 1
            numbers[node] = number
    return numbers


def _check(tree: Tree, format: str, bad_label: str, bad_word: str) -> None:
    for what, texts, bad in (("label", tree.labels, bad_label), ("word", tree.words, bad_word)):
        pattern = re.compile(bad)
        for text in texts:
            if not text and what == "word":
                raise TreeError(f"{format} cannot represent an empty word; give it a form or remove it")
            if match := pattern.search(text):
                advice = "; discbracket and export can" if match[0] in "()" else ""
                raise TreeError(f"{format} cannot represent {match[0]!r} in the {what} {text!r}{advice}")


def _escaped(text: str) -> str:
    return text.replace("(", "#LRB#").replace(")", "#RRB#")


_WRITERS: dict[str, Callable[[Tree], str]] = {
    "bracket": to_bracket,
    "discbracket": to_discbracket,
    "discbracket-indices": lambda tree: to_discbracket(tree, words=False),
}
_EXPORT_VERSIONS = {"export": 4, "export3": 3, "export4": 4}
VIRTUAL_ROOT = "ROOT"  # label of a root without label in discbracket
WRITE_FORMATS = (*_WRITERS, *_EXPORT_VERSIONS)  # the formats of `write`
