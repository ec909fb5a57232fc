"""Writes trees as bracket text, discbracket or NEGRA export."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .detect import as_tree
from .errors import SettingsError, TreeError
from .export import FIRST_NODE, is_node_mark
from .output import whole_file
from .tree import Tree, bracket_text

_BAD_BRACKET = re.compile(r"[ \t\n\v\f\r()]")
_BAD_DISCBRACKET = re.compile(r"[ \t\n\v\f\r]|#[LR]RB#")
_BAD_BARE = re.compile(r"[ \t\n\v\f\r]")
_BAD_EXPORT = re.compile(r"[\t\n\v\f\r]|\A[ ]|[ ]\Z")
_RESERVED = re.compile(r"%%|#(?:BOS|EOS)(?: |\Z)")


def write(
    trees: Iterable[Any] | Tree, path_or_file: Any, format: str = "bracket", *, encoding: str = "utf-8"
) -> int:
    """Writes trees to a file, one after the other.

    Formats:
        ``bracket``: one tree a line; continuous trees only.
        ``discbracket``: one tree a line, leaves ``index=word``.
        ``discbracket-indices``: the older dialect, bare indices, then a tab and the words.
        ``export`` or ``export4``: NEGRA export version 4; ``export3``: version 3.

    The tree is written whole: what is read back is equal to it, with these exceptions.
    Export has no word without a tag: such a word comes back under a preterminal without label.
    The virtual root of export, a root without label, is ``ROOT`` in discbracket, where other programs
    would count an empty label; neither counts here, so that no score depends on it.
    A node that dominates no word has no place among its sisters in export and in
    discontinuous trees: it comes back as the last of them.  A tree without
    words comes back without nodes.  Lemma, morphology and edge labels are no part of a
    :class:`Tree`; export has ``--`` for them.  The name of a sentence is its ``id``,
    or else its number in the file, from 1; only export carries it.

    Args:
        trees: Trees, bracket texts or nltk trees; or one tree.
        path_or_file: A path, or a file open for writing, text or binary.  A path
            that ends in ``.gz``, ``.bz2`` or ``.xz`` is written compressed.  A file that
            is there stays as it was until all trees are written.
        format: One of the above.
        encoding: Of the file, where a path or a binary file is given.

    Returns:
        How many trees were written.

    Raises:
        TreeError: a word, label or id that the format cannot carry, a discontinuous
            tree for ``bracket``, or a sentence id twice.
        SettingsError: a format that is not one of these, or an encoding that is no name.
        InputError: the file cannot be written, or the encoding has no such character.

    Cost: O(nodes + words) for each tree.

    >>> import io
    >>> out = io.StringIO()
    >>> write([Tree.build(["VP", "NP"], [-1, 0], ["wake", "me", "up"], [0, 1, 0])], out, "discbracket")
    1
    >>> out.getvalue()
    '(VP 0=wake (NP 1=me) 2=up)\\n'
    """
    if not isinstance(format, str) or format not in WRITE_FORMATS:
        raise SettingsError(f"no format {format!r} to write; expected one of {', '.join(WRITE_FORMATS)}")
    if not isinstance(encoding, str):
        raise SettingsError(f"found encoding={encoding!r}; expected a name, such as 'utf-8'")
    if isinstance(trees, (Tree, str)):
        trees = [trees]
    if not isinstance(trees, Iterable):
        raise TreeError(f"found an object of type {type(trees).__name__}; expected trees")
    count = 0
    with whole_file(path_or_file, encoding) as put:
        if format in _EXPORT_VERSIONS:
            put(f"#FORMAT {_EXPORT_VERSIONS[format]}\n")
        for text in _texts(trees, format):
            put(text)
            count += 1
    return count


def to_discbracket(tree: Tree, *, words: bool = True) -> str:
    """The tree as one line of discbracket, without its newline.

    Args:
        tree: Any tree; the empty tree is ``(())``, as evalb has it.
            A root without label, as export's virtual root, is written ``ROOT``.
        words: Write ``index=word``; otherwise the older dialect, in which bare indices
            are followed by a tab and the words.

    Raises:
        TreeError: a word or label with a blank in it, an empty word, or ``#LRB#`` or
            ``#RRB#`` where the format has them for brackets: in labels, and in words
            unless they stand behind the tree.

    Cost: O(nodes + words).

    >>> to_discbracket(Tree.parse("(S (NP it) (VP rains))"), words=False)
    '(S (NP 0) (VP 1))\\tit rains'
    """
    labels = [_escaped(_checked(label, _BAD_DISCBRACKET, "label", "discbracket")) for label in tree.labels]
    if labels and not labels[0] and not tree.preterminals[0]:
        labels[0] = VIRTUAL_ROOT
    if words:
        leaves = [
            f"{place}={_escaped(_checked(word, _BAD_DISCBRACKET, 'word', 'discbracket'))}"
            for place, word in enumerate(tree.words)
        ]
        return bracket_text(tree, labels, leaves) or "(())"
    text = " ".join(_checked(word, _BAD_BARE, "word", "discbracket") for word in tree.words)
    leaves = list(map(str, range(len(tree.words))))
    return (bracket_text(tree, labels, leaves) or "(())") + ("\t" + text if text else "")


def to_bracket(tree: Tree) -> str:
    """The tree as one line of bracket text, without its newline; unlike the method, it checks every word.

    Raises:
        TreeError: the tree is discontinuous, has a word or label with a blank or
            bracket in it, or an empty word, or a node without label whose first
            child, but not its only one, is a word: that word would be its label.

    Cost: O(nodes + words).
    """
    for label in tree.labels:
        _checked(label, _BAD_BRACKET, "label", "bracket")
    for word in tree.words:
        _checked(word, _BAD_BRACKET, "word", "bracket")
    if "" in tree.labels:
        _check_unlabelled(tree)
    return tree.to_bracket() or "(())"


def _check_unlabelled(tree: Tree) -> None:
    children = [0] * len(tree)
    node_at: dict[int, int] = {}  # where the first node below a node begins
    for node in range(1, len(tree)):
        children[tree.parents[node]] += 1
        node_at.setdefault(tree.parents[node], tree.starts[node])
    word_at: dict[int, int] = {}
    for place, parent in enumerate(tree.word_parents):
        children[parent] += 1
        word_at.setdefault(parent, place)
    for node, place in word_at.items():
        if not tree.labels[node] and children[node] > 1 and place < node_at.get(node, place + 1):
            raise TreeError(
                f"bracket would take the word {tree.words[place]!r}, the first below a node without label, "
                "for its label; give the node a label or the word a tag"
            )


def to_export(tree: Tree, id: str, *, version: int = 4) -> str:
    """The lines of one sentence in NEGRA export, ``#BOS`` to ``#EOS``, each with its newline.

    Nodes are numbered from 500 upwards, children before their parents, left before right;
    a sentence with more than 500 of them goes on with ``#1000``.  A root without
    label that has several children is the virtual root, 0; one that has a single child is written
    ``ROOT``, as other programs count a node without label.

    Args:
        tree: Any tree.
        id: Name of the sentence.
        version: 4 writes a lemma field (``--``), 3 does not.

    Raises:
        TreeError: text with a tab or a line break in it, an empty word, a word that
            export takes for something else (``#500``, ``#BOS``, ``%%``), a label ``--``,
            which means no label, or an id with a blank in it.

    Cost: O(nodes + words).

    >>> print(to_export(Tree.parse("(S (NP it) (VP rains))"), "1", version=3).expandtabs(8), end="")
    #BOS 1
    it      NP      --      --      500
    rains   VP      --      --      500
    #500    S       --      --      0
    #EOS 1
    """
    if not id or _BAD_BARE.search(id) or id.startswith("%%"):
        raise TreeError(f"export cannot carry the sentence id {id!r}; expected an id without blanks")
    number = _export_numbers(tree)
    preterminal = tree.preterminals
    fill = "\t--" if version == 4 else ""
    rows = [f"#BOS {id}\n"]
    labels = [_checked(label, _BAD_EXPORT, "label", "export") or "--" for label in tree.labels]
    if "--" in tree.labels:
        raise TreeError("export cannot carry the label '--', which means no label; rename it")
    if labels and labels[0] == "--" and number[0]:
        labels[0] = VIRTUAL_ROOT
    for word, parent in zip(tree.words, tree.word_parents):
        _checked(word, _BAD_EXPORT, "word", "export")
        if _RESERVED.match(word) or is_node_mark(word, 0):
            raise TreeError(
                f"export cannot carry the word {word!r}, which it reads as a mark; change the word"
            )
        if preterminal[parent]:
            above = tree.parents[parent]
            rows.append(f"{word}{fill}\t{labels[parent]}\t--\t--\t{number[above] if above >= 0 else 0}\n")
        else:
            rows.append(f"{word}{fill}\t--\t--\t--\t{number[parent]}\n")
    nodes = sorted((place, node) for node, place in enumerate(number) if place)
    for place, node in nodes:
        above = tree.parents[node]
        rows.append(f"#{place}{fill}\t{labels[node]}\t--\t--\t{number[above] if above >= 0 else 0}\n")
    rows.append(f"#EOS {id}\n")
    return "".join(rows)


def _export_numbers(tree: Tree) -> list[int]:
    """For each node its number in export: from 500 in postorder; 0 for preterminals and the virtual root."""
    n = len(tree)
    preterminal = tree.preterminals
    numbers = [0] * n
    # Nodes first and sisters from the right: postorder backwards, so the count goes down.
    children = tree.children()
    several = tree.parents.count(0) + tree.word_parents.count(0) > 1
    virtual = several and tree.labels[0] == "" and not preterminal[0]
    place = FIRST_NODE + n - sum(preterminal) - virtual
    stack = [0] if n else []
    while stack:
        node = stack.pop()
        stack.extend([child for child in children[node] if child >= 0])
        if not preterminal[node] and not (virtual and node == 0):
            place -= 1
            numbers[node] = place
    return numbers


def _checked(text: str, bad: re.Pattern[str], what: str, format: str) -> str:
    if not text and what == "word":
        raise TreeError(f"{format} cannot carry an empty word; give it a form, or leave it out")
    found = bad.search(text)
    if found:
        advice = "; discbracket and export can" if found[0] in "()" else ""
        raise TreeError(f"{format} cannot carry the {what} {text!r}, for the {found[0]!r} in it{advice}")
    return text


def _escaped(text: str) -> str:
    return text.replace("(", "#LRB#").replace(")", "#RRB#")


def _texts(trees: Iterable[Any], format: str) -> Iterator[str]:
    """The text of each tree with its newline; an error names the tree."""
    seen: set[str] = set()
    for number, item in enumerate(trees, 1):
        try:
            tree = as_tree(item)
        except TreeError as error:
            raise TreeError(f"tree {number}: {error}") from None
        name = str(number) if tree.id is None else f"{number} (id {tree.id!r})"
        try:
            if format not in _EXPORT_VERSIONS:
                yield _WRITERS[format](tree) + "\n"
                continue
            id = str(number) if tree.id is None else tree.id
            if id in seen:
                raise TreeError(f"the id {id!r} stands twice; name each tree once")
            seen.add(id)
            yield to_export(tree, id, version=_EXPORT_VERSIONS[format])
        except TreeError as error:
            raise TreeError(f"tree {name}: {error.message}") from None


_WRITERS: dict[str, Callable[[Tree], str]] = {
    "bracket": to_bracket,
    "discbracket": to_discbracket,
    "discbracket-indices": lambda tree: to_discbracket(tree, words=False),
}
_EXPORT_VERSIONS = {"export": 4, "export3": 3, "export4": 4}

VIRTUAL_ROOT = "ROOT"
"""What discbracket calls a root without label."""

WRITE_FORMATS = (*_WRITERS, *_EXPORT_VERSIONS)
"""The names that :func:`write` takes as ``format``."""
