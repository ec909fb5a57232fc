"""TIGER XML: sentences as ``<t>`` and ``<nt>`` elements with edges between them.

The words are the ``<t>`` elements in document order; ``<edge>`` inside an
``<nt>`` names its children.  Secondary edges, edge labels, lemma and morphology
are read over: no score needs them.  The ``root`` attribute of ``<graph>`` may be
missing: the root is what no edge leads to, and several such are put under one
root without label.

Files may come from anywhere, so the parser (expat) is kept from everything
that a document can make it fetch or multiply: a document that declares an
entity is refused, and no external entity or document type is ever read.  A
document that names such a type may use what would be declared there; expat
leaves that out of a word without a call, so the tags are looked through here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any
from xml.parsers import expat

from .edges import NamedSentence
from .errors import TreeError
from .files import LONGEST, too_long
from .ids import Names
from .lines import OnError
from .tree import Tree

# Bytes that the parser is given at once, at least.
_BLOCK = 1 << 16

# The outermost elements of documents that may well have no sentence, and one that is a sentence.
_OUTERMOST = ("corpus", "subcorpus", "body", "s")

# A tag, and in it what stands for a character by a name that is not one of XML's five.
_TAG = re.compile(r"""<(?:[^>"']|"[^"]*"|'[^']*')*>""")
_NAMED = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);|#)([^;\s&<>\"']+);?")


def read_tigerxml(
    lines: Iterable[str] | Iterable[bytes],
    *,
    source: str | None = None,
    encoding: str | None = None,
    on_error: OnError | None = None,
) -> Iterator[Tree]:
    """Reads the sentences of a TIGER XML file; each tree's ``id`` is that of its ``<s>``.

    Arguments: those of all readers (:mod:`jpevalb.trees.lines`); lines may be any
    pieces of the document.  The encoding is for bytes, in place of the one that the document declares;
    a document that is no XML ends the reading whatever ``on_error`` is.

    Raises:
        TreeError: a document that is not well-formed or declares entities, an
            edge to nowhere, a node with two parents, a cycle, or an id twice; or is no TIGER XML.

    Cost: O(length); memory for one sentence and the ids.

    >>> graph = '<graph><t id="w" word="yes" pos="UH"/><nt id="n" cat="S"><edge idref="w"/></nt></graph>'
    >>> [tree] = read_tigerxml(['<s id="s1">', graph, "</s>"])
    >>> tree.id, tree.to_bracket()
    ('s1', '(S (UH yes))')
    """
    reading = _Reading(source, encoding, on_error)
    for piece in chain(lines, [None]):
        try:
            reading.feed(piece)
        finally:
            # What came before an error is read, whatever follows.
            yield from reading.done
            reading.done.clear()


class _Reading:
    """The state of one document: expat calls back, whole sentences come out of :meth:`feed`."""

    def __init__(self, source: str | None, encoding: str | None, on_error: OnError | None) -> None:
        self.source = source
        self.on_error = on_error
        self.done: list[Tree] = []
        self.seen = Names()
        self.sentence: _Sentence | None = None
        self.outermost = ""  # the name of the outermost element, until there is a sentence
        self.parent = ""  # the id of the <nt> that is open
        self.empty = True
        self.waiting: list[Any] = []
        self.size = 0  # of what waits
        self.goal = _BLOCK  # the size at which it is parsed
        self.read = 0  # bytes that the parser has been given
        self.typed = False  # whether the document names a type, in which entities may be declared
        self.parser = parser = expat.ParserCreate(encoding)
        parser.StartDoctypeDeclHandler = self.start_type
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.EntityDeclHandler = self.refuse_entity
        parser.ExternalEntityRefHandler = self.refuse_external
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)

    def feed(self, piece: Any) -> None:
        """Puts the sentences that ``piece`` completes into ``done``; ``None`` ends the document.

        The parser begins anew with each piece where a tag or a comment is not complete:
        a comment of a million short lines would cost a million times its length.  So
        pieces wait until they are as long as what the parser holds.
        """
        if piece is not None:
            self.waiting.append(piece)
            self.size += len(piece)
            if self.size < self.goal:
                return
        if self.waiting:
            joined = self.waiting[0][:0].join(self.waiting)
            self.waiting.clear()
            self.size = 0
            self.parse(joined)
            place = self.parser.CurrentByteIndex
            self.goal = max(_BLOCK, self.read - place)
            if self.read - (min(place, self.mark) if self.sentence else place) > LONGEST:
                raise too_long("the sentence, tag or comment", self.source, self.line)
        if piece is None:
            self.parse(None)
            if self.outermost not in ("", *_OUTERMOST):
                raise self.error(
                    f"found <{self.outermost}> and no sentence in it; expected TIGER XML, <corpus> with <s>"
                )

    def parse(self, piece: Any) -> None:
        if piece is not None and self.empty:
            if isinstance(piece, str):
                piece = piece.removeprefix("\ufeff")
            self.empty = not piece.strip()
        if piece is None and self.empty:
            return
        self.read += len(piece or b"")
        try:
            self.parser.Parse(b"" if piece is None else piece, piece is None)
        except expat.ExpatError as error:
            within = (
                f"; it ends inside sentence {self.sentence.id!r}" if self.sentence and piece is None else ""
            )
            raise self.error(
                f"not well-formed XML: {expat.ErrorString(error.code)}{within}; is the file whole?",
                error.lineno,
                error.offset + 1,
            ) from None
        except TreeError:
            raise
        except (LookupError, ValueError) as error:  # an encoding that expat or Python does not know
            raise self.error(f"the document's encoding cannot be read ({error}); name it") from None

    def error(self, message: str, line: int | None = None, column: int | None = None) -> TreeError:
        return TreeError(message, source=self.source, line=line or self.line, column=column)

    @property
    def line(self) -> int:
        return self.parser.CurrentLineNumber

    def refuse_entity(self, name: str, *_rest: object) -> None:
        raise self.error(
            f"the document declares the entity {name!r}; no entity is read, remove the declaration"
        )

    def refuse_external(self, *_names: object) -> int:
        raise self.error("the document refers to an external entity; none is read, remove the reference")

    def start_type(self, *_names: object) -> None:
        self.typed = True

    def refuse_undeclared(self) -> None:
        """Refuses a tag that uses an entity which only the document type could declare."""
        context = self.parser.GetInputContext() or b""
        wide = context[:2].find(b"\0")
        # Names of entities and what stands around them are ASCII wherever a line feed is one byte.
        text = context.decode("latin-1" if wide < 0 else ("utf-16-be", "utf-16-le")[wide], "replace")
        # Most tags are short, and what follows may be a whole block.
        tag = _TAG.match(text, 0, 1000) or _TAG.match(text)
        named = _NAMED.search(tag[0]) if tag else None
        if named:
            raise self.error(
                f"found the entity {named[0]!r}, which the document does not declare; no document type is "
                "read, write the character itself"
            )

    def start(self, tag: str, values: dict[str, str]) -> None:
        if self.typed:
            self.refuse_undeclared()
        sentence = self.sentence
        self.outermost = self.outermost or tag
        if tag == "s":
            self.outermost = "s"
            if sentence is not None:
                raise self.error(f"sentence {values.get('id', '')!r} stands inside sentence {sentence.id!r}")
            self.sentence = sentence = _Sentence(values.get("id", ""), self.source)
            self.mark = self.parser.CurrentByteIndex  # where it begins
            if not self.seen.add(sentence.id) and sentence.id:
                sentence.wrong("the id stands twice; each sentence needs one of its own", self.line)
        elif sentence is None:
            return
        elif tag == "t":
            sentence.add_word(values, self.line)
        elif tag == "nt":
            self.parent = sentence.add(values, "cat", self.line)
        elif tag == "edge":
            if "idref" not in values:
                sentence.wrong(f"an <edge> of {self.parent!r} has no idref", self.line)
            sentence.edges.append((self.parent, values.get("idref", ""), self.line))
        elif tag == "graph" and "root" in values:
            sentence.root, sentence.root_line = values["root"], self.line

    def end(self, tag: str) -> None:
        if tag != "s" or self.sentence is None:
            return
        sentence, self.sentence = self.sentence, None
        try:
            tree = sentence.tree()
        except TreeError as error:
            if self.on_error is None:
                raise
            self.on_error(error)
            tree = sentence.empty()
        self.done.append(tree)


class _Sentence(NamedSentence):
    """What was read of a sentence so far."""

    def __init__(self, id: str, source: str | None) -> None:
        super().__init__(id, source)
        self.root: str | None = None
        self.root_line = 0
        self.nodes: dict[str, int] = {}
        self.names: list[str] = []
        self.labels: list[str] = []
        self.lines: list[int] = []
        self.words: list[str] = []
        self.word_parents: list[int] = []
        self.edges: list[tuple[str, str, int]] = []  # parent, child, line

    def add_word(self, values: dict[str, str], line: int) -> None:
        if not values.get("word"):
            self.wrong(f"the <t> {values.get('id', '')!r} has no word", line)
        self.word_parents.append(len(self.labels))
        self.words.append(values.get("word", ""))
        self.add(values, "pos", line)

    def add(self, values: dict[str, str], attribute: str, line: int) -> str:
        name = values.get("id", "")
        if not name:
            self.wrong("an element without id; <t> and <nt> need one", line)
        elif name in self.nodes:
            before = self.lines[self.nodes[name]]
            self.wrong(f"the id {name!r} stands twice, first in line {before}", line)
        self.nodes[name] = len(self.labels)
        self.names.append(name)
        label = values.get(attribute, "")
        self.labels.append("" if label == "--" else label)
        self.lines.append(line)
        return name

    def tree(self) -> Tree:
        """The tree of the sentence, now that its element is closed."""
        nodes = self.nodes
        parents = [-1] * len(self.labels)
        for parent, child, line in self.edges:
            if parent not in nodes:
                self.wrong("an <edge> stands outside an <nt>", line)
            elif child not in nodes:
                self.wrong(f"the edge from {parent!r} leads to {child!r}, which the sentence has not", line)
            elif parents[nodes[child]] >= 0:
                before = self.names[parents[nodes[child]]]
                self.wrong(f"{child!r} has two parents, {before!r} and {parent!r}; keep one edge", line)
            else:
                parents[nodes[child]] = nodes[parent]
        if self.root is not None and self.root not in nodes and self.labels:
            self.wrong(f"the root is {self.root!r}, which the sentence has not", self.root_line)
        if self.broken is not None:
            raise self.broken
        return self.build(self.names, self.labels, parents, self.words, self.word_parents, self.lines)
