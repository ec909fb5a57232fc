"""Reader of NEGRA export, versions 3 and 4: a line for each word and for each node above it.

::

    #BOS 1
    wake    VB   --  --  500
    me      PRP  --  --  501
    up      RP   --  --  500
    #500    VP   --  --  502
    #501    NP   --  --  502
    #502    S    --  --  0
    #EOS 1

A line is ``word [lemma] tag morph edge parent [label parent]*``, separated by tabs, or by blanks if the
line has no tab.  Only version 4 has the lemma; an odd number of fields means version 3, whatever the header
is.  Lemma, morphology and secondary edges (the pairs at the end) are ignored.  The label
``--`` is the empty label.  Parent 0 is the virtual root, which becomes a node without label only if several
nodes or words hang from it; a tree of one node keeps in ``below_root`` that the root is above it.

``#500`` to ``#999`` are nodes.  In a sentence with more than 500 nodes, ``#1000`` is the next one; elsewhere
it is a word, like any other text that begins with ``#``.  ``%%`` begins a comment, at the beginning of a line
or later.  Lines outside sentences are ignored; a file without sentences must begin with a comment or a mark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ..base.errors import ReaderOptionError, TreeError
from ..base.files import check_length
from ..base.text import counted
from ..trees.tree import Tree
from .lines import BLANKS, Lines, reader


class GraphNode(NamedTuple):
    """A node of a sentence; ``--`` is an empty label or function."""

    name: str  # for messages
    label: str
    line: int
    parent: Any = -1  # its index
    function: str = ""  # of the edge to its parent


class GraphSentence:
    """A sentence that is read to its end even after an error; ``id`` is empty if the file has none.

    ``read`` converts the rows: it returns the nodes, adds the words, and raises the first error.
    """

    def __init__(self, id: str, line: int, read: Callable[[GraphSentence], list[GraphNode]]) -> None:
        self.id, self.line, self._read = id, line, read
        self.rows: list[Any] = []  # lines, or the name, attributes and line of XML elements
        self.first_error: TreeError | None = None
        self.words: list[str] = []
        self.word_parents: list[int] = []

    def error(self, message: str, line: int) -> TreeError:
        """Return an error in a line of the sentence."""
        return TreeError(f"sentence {self.id!r}: {message}", line=line)

    def note_id(self, seen: set[str]) -> None:
        if self.id and self.id in seen:
            self.note_error("the id occurs twice; give each sentence a unique id", self.line)
        seen.add(self.id)

    def note_error(self, message: str, line: int) -> None:
        if self.first_error is None:
            self.first_error = self.error(message, line)

    def tree(self) -> Tree:
        """Build the tree, or raise the first error; the one for a cycle has the nodes' names in the file."""
        if self.first_error is not None:
            raise self.first_error
        nodes = self._read(self)
        parents = [node.parent for node in nodes]
        labels = ["" if node.label == "--" else node.label for node in nodes]
        functions = ["" if node.function == "--" else node.function for node in nodes]
        try:
            tree = Tree.build(labels, parents, self.words, self.word_parents, self.id or None, functions)
            # Several top nodes are under a root without label, which is a node of the tree.
            return tree.replace(below_root=True) if len(tree) == len(parents) else tree
        except TreeError:
            cycle = find_cycle(parents)
            names = [nodes[node].name for node in cycle]
            shown = [name if name.isprintable() else repr(name) for name in names]
            shown = [*shown[:5], *["..."][: len(cycle) > 5], shown[0]]
            raise self.error(
                f"the edges {' -> '.join(shown)} form a cycle; "
                "every node needs a way up to the root, correct one of these parents",
                nodes[cycle[0]].line,
            ) from None


def undeclared_encoding(error: Exception, line: int) -> ReaderOptionError:
    """Return the error for XML in an encoding that expat or Python does not know."""
    problem = f"the document's encoding cannot be read ({error})"
    return ReaderOptionError(problem, "try", "encoding", "utf-8", line=line)


def find_cycle(parents: Sequence[int]) -> list[int]:
    """Return the nodes of one cycle, child before parent; empty without a cycle."""
    visited = {-1}
    for node in range(len(parents)):
        path: list[int] = []
        while node not in visited:
            visited.add(node)
            path.append(node)
            node = parents[node]
        if node in path:
            return path[path.index(node) :]
    return []


FIRST_NODE = 500  # number of the first node
_NODE = re.compile(r"#[5-9][0-9]{2}\Z")
_BLANK = re.compile(r"[ \t\n\v\f\r]+")


@reader
def read_export(lines: Lines) -> Iterator[GraphSentence]:
    """Read the sentences of an export file; each tree's ``id`` is the text after ``#BOS``.

    Undecodable bytes between sentences raise even with ``on_error``.
    """
    seen = set[str]()
    sentence: GraphSentence | None = None
    size = 0
    first = 0, ""  # number and text of the first line that is not blank, until there is a sentence
    for number, line in lines:
        damage = lines.damage()
        size += len(line)
        if sentence is not None:
            check_length(size, f"sentence {sentence.id!r}", sentence.line)
        # A blank must follow a mark, since words may begin like one.
        mark = line[1:4] if line[:1] == "#" and line[4:5] in BLANKS else ""
        if damage is not None and mark != "BOS":
            if sentence is None:
                raise damage
            sentence.first_error = sentence.first_error or damage
        if mark not in ("BOS", "EOS"):
            if sentence is not None:
                sentence.rows.append(line)
            else:
                first = first if first[1] else (number, line.strip(BLANKS))
            continue
        first = number, "#"
        fields = _BLANK.split(line.rstrip(BLANKS), maxsplit=2)
        id = fields[1] if len(fields) > 1 and not fields[1].startswith("%%") else ""
        if mark == "BOS":
            if sentence is not None:
                _note_unclosed(sentence, f"{'#BOS ' + id!r} in line {number}")
                yield sentence
            sentence, size = GraphSentence(id, number, _nodes), 0
            sentence.first_error = damage
            sentence.note_id(seen)
            if not id:
                sentence.note_error("#BOS without an id; expected '#BOS 1'", number)
            continue
        found = repr(f"#EOS {id}")
        if sentence is None:
            sentence = GraphSentence(id, number, _nodes)
            sentence.note_error(f"{found} outside a sentence; expected {'#BOS ' + id!r} first", number)
        elif id != sentence.id:
            expected = f"{'#EOS ' + sentence.id!r}, as in line {sentence.line}"
            sentence.note_error(f"{found}; expected {expected}", number)
        yield sentence
        sentence = None
    if sentence is not None:
        _note_unclosed(sentence, "the end of the file (is it cut off?)")
        yield sentence
    number, text = first
    if text and not text.startswith(("#", "%%")):
        message = f"{text[:60]!r} and no sentence in the file; expected '#BOS 1' before it"
        raise TreeError(message, line=number)


def _note_unclosed(sentence: GraphSentence, found: str) -> None:
    sentence.note_error(f"got {found}; expected {'#EOS ' + sentence.id!r} first", sentence.line)


def _nodes(sentence: GraphSentence) -> list[GraphNode]:
    indices = {"0": -1}  # the number of a node, as text, to its index below
    nodes: list[GraphNode] = []  # with the number of the parent
    for number, line in enumerate(sentence.rows, sentence.line + 1):
        fields = line.split("\t")
        if len(fields) < 5 or "" in fields or " " in line or "%%" in line:
            if line.startswith("%%") or not line.strip(BLANKS):
                continue
            fields = [field for part in line.split("\t") if (field := part.strip(BLANKS))]
            if len(fields) < 5:  # blanks, or tabs and blanks mixed
                fields = _BLANK.split(line.strip(BLANKS))
            comment = [index for index in range(5, len(fields)) if fields[index].startswith("%%")]
            fields = fields[: comment[0]] if comment else fields
        n = len(fields)
        parent_field = 5 - n % 2
        if n < 5:
            raise sentence.error(
                f"got {counted(n, 'field')} in {line[:60]!r}; expected 'word tag morph edge parent', "
                "or a lemma after the word as well",
                number,
            )
        word = fields[0]
        if word[0] == "#" and is_node_mark(word, len(indices) - 1):
            if word[1:] in indices:
                before = nodes[indices[word[1:]]].line
                problem = f"node {word} occurs twice, first in line {before}; number each once"
                raise sentence.error(problem, number)
            indices[word[1:]] = len(nodes)
        else:
            sentence.words.append(word)
            sentence.word_parents.append(len(nodes))
        tag, _, function, parent = fields[parent_field - 3 : parent_field + 1]
        nodes.append(GraphNode(word, tag, number, parent, function))
    for node in nodes:
        if node.parent not in indices:
            raise sentence.error(
                f"the parent of {node.name!r} is {node.parent!r}, which is not in the sentence; "
                "expected 0 or the number of one of its nodes",
                node.line,
            )
    return [node._replace(parent=indices[node.parent]) for node in nodes]


def is_node_mark(word: str, n_before: int) -> bool:
    """Return True if the first field of a line is the mark of a node; ``n_before`` nodes precede it."""
    return _NODE.match(word) is not None or word == f"#{FIRST_NODE + n_before}"
