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
from collections.abc import Iterator

from ..base.errors import TreeError
from ..base.files import check_length
from ..base.text import counted
from .edges import GraphSentence, IdSet
from .lines import BLANKS, Lines, reader

FIRST_NODE = 500  # number of the first node
_NODE = re.compile(r"#[5-9][0-9]{2}\Z")
_BLANK = re.compile(r"[ \t\n\v\f\r]+")


@reader
def read_export(lines: Lines) -> Iterator[ExportSentence]:
    """Read the sentences of an export file; each tree's ``id`` is the text after ``#BOS``.

    Undecodable bytes between sentences raise even with ``on_error``.

    >>> text = "#BOS 7\\nyes\\tUH\\t--\\t--\\t500\\n#500\\tINTJ\\t--\\t--\\t0\\n#EOS 7"
    >>> [tree] = read_export(text.splitlines())
    >>> tree.id, tree.to_bracket()
    ('7', '(INTJ (UH yes))')
    """
    seen = IdSet()
    sentence: ExportSentence | None = None
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
                sentence.unclosed(f"{'#BOS ' + id!r} in line {number}")
                yield sentence
            sentence, size = ExportSentence(id, number), 0
            sentence.first_error = damage
            sentence.note_id(seen)
            if not id:
                sentence.note_error("#BOS without an id; expected '#BOS 1'", number)
            continue
        found = repr(f"#EOS {id}")
        if sentence is None:
            sentence = ExportSentence(id, number)
            sentence.note_error(f"{found} outside a sentence; expected {'#BOS ' + id!r} first", number)
        elif id != sentence.id:
            expected = f"{'#EOS ' + sentence.id!r}, as in line {sentence.line}"
            sentence.note_error(f"{found}; expected {expected}", number)
        yield sentence
        sentence = None
    if sentence is not None:
        sentence.unclosed("the end of the file (is it cut off?)")
        yield sentence
    number, text = first
    if text and not text.startswith(("#", "%%")):
        message = f"{text[:60]!r} and no sentence in the file; expected '#BOS 1' before it"
        raise TreeError(message, line=number)


class ExportSentence(GraphSentence):
    """The lines of a sentence between its marks."""

    def __init__(self, id: str, line: int) -> None:
        super().__init__(id, line)
        self.rows: list[str] = []

    def unclosed(self, found: str) -> None:
        self.note_error(f"got {found}; expected {'#EOS ' + self.id!r} first", self.line)

    def parents(self) -> list[int]:
        """Parse the lines."""
        nodes = {"0": -1}  # the number of a node, as text, to its index below
        above: list[str] = []  # the parent's number as text
        for number, line in enumerate(self.rows, self.line + 1):
            fields = line.split("\t")
            if len(fields) < 5 or "" in fields or " " in line or "%%" in line:
                if line.startswith("%%") or not line.strip(BLANKS):
                    continue
                fields = _fields(line)
            n = len(fields)
            parent_field = 5 - n % 2
            if n < 5:
                raise self.error(
                    f"got {counted(n, 'field')} in {line[:60]!r}; expected 'word tag morph edge parent', "
                    "or a lemma after the word as well",
                    number,
                )
            word = fields[0]
            is_node = word[0] == "#" and is_node_mark(word, len(nodes) - 1)
            if is_node:
                if word[1:] in nodes:
                    before = self.lines[nodes[word[1:]]]
                    problem = f"node {word} occurs twice, first in line {before}; number each once"
                    raise self.error(problem, number)
                nodes[word[1:]] = len(above)
            tag, _, function = fields[parent_field - 3 : parent_field]
            self.add_node(word, tag, number, None if is_node else word, function)
            above.append(fields[parent_field])
        parents = [nodes.get(parent, -2) for parent in above]
        if -2 in parents:
            child = parents.index(-2)
            raise self.error(
                f"the parent of {self.names[child]!r} is {above[child]!r}, which is not in the sentence; "
                "expected 0 or the number of one of its nodes",
                self.lines[child],
            )
        return parents


def is_node_mark(word: str, n_before: int) -> bool:
    """Return True if the first field of a line is the mark of a node; ``n_before`` nodes precede it."""
    return _NODE.match(word) is not None or word == f"#{FIRST_NODE + n_before}"


def _fields(line: str) -> list[str]:
    fields = [field for part in line.split("\t") if (field := part.strip(BLANKS))]
    if len(fields) < 5:  # blanks, or tabs and blanks mixed
        fields = _BLANK.split(line.strip(BLANKS))
    comment = [index for index in range(5, len(fields)) if fields[index].startswith("%%")]
    return fields[: comment[0]] if comment else fields
