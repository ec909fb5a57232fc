"""NEGRA export, versions 3 and 4: a line for each word and for each node above it.

::

    #BOS 1
    wake    VB   --  --  500
    me      PRP  --  --  501
    up      RP   --  --  500
    #500    VP   --  --  502
    #501    NP   --  --  502
    #502    S    --  --  0
    #EOS 1

A line is ``word [lemma] tag morph edge parent [label parent]*``, separated by
tabs, or by blanks where there is no tab.  The lemma is there in version 4 only;
an odd number of fields means version 3, whatever the header says.  Lemma,
morphology, edge labels and secondary edges (the pairs at the end) are read over:
no score needs them.  A label ``--`` is the empty label.  Parent 0 is the virtual
root: it is a node, without label, only where more than one thing hangs from it.

``#500`` to ``#999`` are nodes.  In a sentence with more nodes the count goes on:
``#1000`` is a node right after 500 others, and a word anywhere else, as is
every other word that begins with ``#``.  A line, or the rest of one, that begins with
``%%`` is a comment.  Lines outside sentences say nothing; a file without sentences
that does not begin with such a comment or a mark is no export file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from .edges import NamedSentence
from .errors import TreeError
from .files import LONGEST, too_long
from .ids import Names
from .lines import BLANKS, OnError, OnText, numbered_lines
from .tree import Tree

FIRST_NODE = 500
"""The number of the first nonterminal."""

_NODE = re.compile(r"#[5-9][0-9]{2}\Z")
_BLANK = re.compile(r"[ \t\n\v\f\r]+")


def read_export(
    lines: Iterable[str] | Iterable[bytes],
    *,
    source: str | None = None,
    encoding: str = "utf-8",
    on_error: OnError | None = None,
    on_text: OnText | None = None,
) -> Iterator[Tree]:
    """Reads the sentences of an export file; each tree's ``id`` is what follows ``#BOS``.

    Arguments: those of all readers (:mod:`jpevalb.trees.lines`).  Bytes between
    sentences that are not in the encoding end the reading whatever ``on_error`` is.

    Raises:
        TreeError: a line with too few fields, a parent that is no node, a node
            twice, a cycle, a sentence id twice, ``#EOS`` without its ``#BOS`` or
            the other way round, or a file that ends inside a sentence, or has other text and none.

    Cost: O(length); memory for one sentence and the ids.

    >>> text = "#BOS 7\\nyes\\tUH\\t--\\t--\\t500\\n#500\\tINTJ\\t--\\t--\\t0\\n#EOS 7"
    >>> [tree] = read_export(text.splitlines())
    >>> tree.id, tree.to_bracket()
    ('7', '(INTJ (UH yes))')
    """
    unreadable: list[TreeError] | None = None if on_error is None else []
    numbered = numbered_lines(lines, source=source, encoding=encoding, unreadable=unreadable)
    for sentence in _sentences(numbered, source, unreadable):
        try:
            tree = sentence.tree()
        except TreeError as error:
            if on_error is None:
                raise
            on_error(error)
            tree = sentence.empty()
        if on_text is not None:
            on_text("\n".join([sentence.id, *sentence.lines]).encode("utf-8", "surrogatepass"))
        yield tree


def text_parser() -> Callable[[bytes], Tree]:
    """A function that makes trees of the texts of sentences that have been read once."""

    def parse(data: bytes) -> Tree:
        id, *lines = data.decode("utf-8", "surrogatepass").split("\n")
        sentence = _Sentence(id, 1, None)
        sentence.lines = lines
        return sentence.tree()

    return parse


def _sentences(
    lines: Iterator[tuple[int, str]],
    source: str | None,
    unreadable: list[TreeError] | None,
) -> Iterator[_Sentence]:
    """Cuts a file into sentences; what is wrong with one is noted in it."""
    seen = Names()
    sentence: _Sentence | None = None
    size = 0
    first = 0, ""  # the first line that says something and its number, until there is a sentence
    for number, line in lines:
        damage = unreadable.pop() if unreadable else None
        size += len(line)
        if sentence is not None and size > LONGEST:
            raise too_long(f"sentence {sentence.id!r}", source, sentence.line)
        begins = line.startswith("#BOS") and line[4:5] in BLANKS
        if damage is not None and not begins:
            if sentence is None:
                raise damage  # there is no sentence that it costs
            sentence.broken = sentence.broken or damage
        # The marks are fields of their own; a word may well begin like one.
        if line[:1] != "#":
            if sentence is not None:
                sentence.lines.append(line)
            else:
                first = first if first[1] else (number, line.strip(BLANKS))
        elif begins:
            first = number, "#"
            name = _name(line)
            if sentence is not None:
                sentence.unclosed(f"{'#BOS ' + name!r} in line {number}")
                yield sentence
            sentence, size = _Sentence(name, number, source), 0
            sentence.broken = damage
            if not name:
                sentence.wrong("found #BOS without an id; expected '#BOS 1'", number)
            elif not seen.add(name):
                sentence.wrong("the id stands twice; each sentence needs one of its own", number)
        elif line.startswith("#EOS") and line[4:5] in BLANKS:
            first = number, "#"
            name = _name(line)
            if sentence is None:
                sentence = _Sentence(name, number, source)
                sentence.wrong(
                    f"found {'#EOS ' + name!r} outside a sentence; expected {'#BOS ' + name!r} first", number
                )
            elif name != sentence.id:
                sentence.wrong(
                    f"found {'#EOS ' + name!r}; expected {'#EOS ' + sentence.id!r}, "
                    f"as in line {sentence.line}",
                    number,
                )
            yield sentence
            sentence = None
        elif sentence is not None:
            sentence.lines.append(line)
        else:
            first = first if first[1] else (number, line)
    if sentence is not None:
        sentence.unclosed("the end of the file (is it cut off?)")
        yield sentence
    at, text = first
    if text and not text.startswith(("#", "%%")):
        message = f"found {text[:60]!r} and no sentence in the file; expected '#BOS 1' before it"
        raise TreeError(message, source=source, line=at)


def _name(line: str) -> str:
    """The id behind ``#BOS`` or ``#EOS``; empty where there is none."""
    fields = _BLANK.split(line.rstrip(BLANKS), maxsplit=2)
    return fields[1] if len(fields) > 1 and not fields[1].startswith("%%") else ""


class _Sentence(NamedSentence):
    """The lines of a sentence between its marks, and what is wrong with the marks."""

    def __init__(self, id: str, line: int, source: str | None) -> None:
        super().__init__(id, source)
        self.line = line
        self.lines: list[str] = []

    def unclosed(self, found: str) -> None:
        self.wrong(f"found {found}; expected {'#EOS ' + self.id!r} first", self.line)

    def tree(self) -> Tree:
        """The tree of the sentence.

        Raises:
            TreeError: what is wrong with its marks, or else with its lines.
        """
        if self.broken is not None:
            raise self.broken
        nodes = {"0": -1}  # the number of a nonterminal, as text, to its place below
        names: list[str] = []
        labels: list[str] = []
        above: list[str] = []  # the parent's number as text
        numbers: list[int] = []
        words: list[str] = []
        word_parents: list[int] = []
        for number, line in enumerate(self.lines, self.line + 1):
            fields = line.split("\t")
            if len(fields) < 5 or "" in fields or " " in line or "%%" in line:
                if line.startswith("%%") or not line.strip(BLANKS):
                    continue
                fields = _fields(line)
            n = len(fields)
            parent_field = 5 - n % 2
            if n < 5:
                raise self.error(
                    f"found {n} fields in {line[:60]!r}; expected 'word tag morph edge parent', "
                    "or a lemma behind the word as well",
                    number,
                )
            word = fields[0]
            if word[0] == "#" and is_node_mark(word, len(nodes) - 1):
                name = word[1:]
                if name in nodes:
                    before = numbers[nodes[name]]
                    raise self.error(
                        f"node {word} stands twice, first in line {before}; number each once", number
                    )
                nodes[name] = len(labels)
            else:
                words.append(word)
                word_parents.append(len(labels))
            names.append(word)
            labels.append(fields[parent_field - 3])
            above.append(fields[parent_field])
            numbers.append(number)
        parents = [nodes.get(parent, -2) for parent in above]
        if -2 in parents:
            child = parents.index(-2)
            raise self.error(
                f"the parent of {names[child]!r} is {above[child]!r}, which the sentence has not; "
                "expected 0 or the number of one of its nodes",
                numbers[child],
            )
        if "--" in labels:
            labels = ["" if label == "--" else label for label in labels]
        return self.build(names, labels, parents, words, word_parents, numbers)


def is_node_mark(word: str, n_before: int) -> bool:
    """Whether the first field of a line names a node, given how many nodes stand before it.

    >>> is_node_mark("#500", 0), is_node_mark("#1000", 500), is_node_mark("#1000", 2), is_node_mark("#1", 0)
    (True, True, False, False)
    """
    if word[0] != "#":
        return False
    return _NODE.match(word) is not None or word[1:] == str(FIRST_NODE + n_before)


def _fields(line: str) -> list[str]:
    if "\t" not in line:
        fields = _BLANK.split(line.strip(BLANKS))
    else:
        fields = line.split("\t")
        if "" in fields or " " in line:
            fields = [field for field in (part.strip(BLANKS) for part in fields) if field]
            if len(fields) < 5:  # tabs and blanks mixed
                fields = _BLANK.split(line.strip(BLANKS))
    if "%%" in line:
        for place in range(5, len(fields)):
            if fields[place].startswith("%%"):
                return fields[:place]
    return fields
