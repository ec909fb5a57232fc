"""Reader of TIGER XML: sentences as ``<t>`` and ``<nt>`` elements with edges between them.

The words are the ``<t>`` elements in document order; ``<edge>`` inside an ``<nt>`` names its children.
Secondary edges, lemma and morphology are ignored.  The root is the node without an incoming
edge; several such nodes are put under one root without label.

Files may be untrusted, so expat must not fetch or expand anything: a document that declares an entity is
rejected, and no external entity or document type is read.  In a document with a document type, expat
silently drops undeclared entities from words, so the tags are searched for these here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any
from xml.parsers import expat

from ..base.errors import TreeError
from ..base.files import check_length
from .edges import GraphSentence, IdSet, undeclared_encoding
from .lines import Lines, reader

_BLOCK = 1 << 16  # minimum number of bytes passed to the parser at once
_OUTERMOST = ("corpus", "subcorpus", "body", "s")  # root elements of valid documents

# A tag, and in it an entity that is not one of XML's five.
_TAG = re.compile(r"""<(?:[^>"']|"[^"]*"|'[^']*')*>""")
_NAMED = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);|#)([^;\s&<>\"']+);?")


@reader
def read_tigerxml(lines: Lines) -> Iterator[TigerSentence]:
    """Read the sentences of a TIGER XML file; each tree's ``id`` is that of its ``<s>``.

    ``lines`` may be any pieces of the document.  ``encoding`` overrides the declared one.  A document that
    is not well-formed raises even with ``on_error``.

    >>> graph = '<graph><t id="w" word="yes" pos="UH"/><nt id="n" cat="S"><edge idref="w"/></nt></graph>'
    >>> [tree] = read_tigerxml(['<s id="s1">', graph, "</s>"])
    >>> tree.id, tree.to_bracket()
    ('s1', '(S (UH yes))')
    """
    parser = _TigerParser(lines.encoding)
    for piece in chain(lines.raw, [None]):
        try:
            parser.feed(piece)
        finally:
            # Sentences before an error are yielded first.
            yield from parser.done
            parser.done.clear()


class _TigerParser:
    """Parser of one document: expat calls the handlers, which append complete sentences to ``done``."""

    def __init__(self, encoding: str | None) -> None:
        self.done: list[TigerSentence] = []
        self.seen = IdSet()
        self.sentence: TigerSentence | None = None
        self.outermost = ""  # name of the root element, or "s" after the first sentence
        self.parent = ""  # id of the open <nt>
        self.empty = True
        self.waiting: list[Any] = []
        self.size = 0  # of the pieces that wait
        self.goal = _BLOCK  # size at which they are parsed
        self.read = 0  # bytes passed to expat
        self.typed = False  # True if the document has a type, which may declare entities
        self.parser = parser = expat.ParserCreate(encoding)
        parser.StartDoctypeDeclHandler = self.start_type
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.EntityDeclHandler = self.reject_entity
        parser.ExternalEntityRefHandler = self.reject_external
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)

    def feed(self, piece: Any) -> None:
        """Parse a piece; ``None`` ends the document."""
        # expat rescans an incomplete tag or comment with each piece, which is quadratic for a long comment of
        # short lines.  So pieces wait until they are as long as the text that expat holds.
        if piece is not None:
            self.waiting.append(piece)
            self.size += len(piece)
            if self.size < self.goal:
                return
        if self.waiting:
            joined = self.waiting[0][:0].join(self.waiting)
            self.waiting.clear()
            self.size = 0
            if self.empty and isinstance(joined, str):
                joined = joined.removeprefix("\ufeff")
            self.empty = self.empty and not joined.strip()
            self.parse(joined, last=False)
            parsed = self.parser.CurrentByteIndex
            self.goal = max(_BLOCK, self.read - parsed)
            held = self.read - (min(parsed, self.mark) if self.sentence else parsed)
            check_length(held, "the sentence, tag or comment", self.line)
        if piece is None:
            if not self.empty:
                self.parse(b"", last=True)
            if self.outermost not in ("", *_OUTERMOST):
                raise self.error(
                    f"<{self.outermost}> and no sentence in it; expected TIGER XML, <corpus> with <s>"
                )

    def parse(self, piece: str | bytes, *, last: bool) -> None:
        self.read += len(piece)
        try:
            self.parser.Parse(piece, last)
        except expat.ExpatError as error:
            within = f"; it ends inside sentence {self.sentence.id!r}" if self.sentence and last else ""
            problem = f"not well-formed XML: {expat.ErrorString(error.code)}{within}; is the file whole?"
            raise self.error(problem, error.lineno, error.offset + 1) from None
        except TreeError:
            raise
        except (LookupError, ValueError) as error:
            raise undeclared_encoding(error, self.line) from None

    def error(self, message: str, line: int | None = None, column: int | None = None) -> TreeError:
        return TreeError(message, line=line or self.line, column=column)

    @property
    def line(self) -> int:
        return self.parser.CurrentLineNumber

    def reject_entity(self, name: str, *_rest: object) -> None:
        raise self.error(
            f"the document declares the entity {name!r}; entities are not supported, remove the declaration"
        )

    def reject_external(self, *_names: object) -> int:
        problem = "the document refers to an external entity, which is not supported; remove the reference"
        raise self.error(problem)

    def start_type(self, *_names: object) -> None:
        self.typed = True

    def reject_undeclared(self) -> None:
        """Reject a tag with an entity that only the document type could declare."""
        context = self.parser.GetInputContext() or b""
        wide = context[:2].find(b"\0")
        # Entities are ASCII in every encoding with one-byte line feeds.
        text = context.decode("latin-1" if wide < 0 else ("utf-16-be", "utf-16-le")[wide], "replace")
        # Most tags are short, and what follows may be a whole block.
        tag = _TAG.match(text, 0, 1000) or _TAG.match(text)
        named = _NAMED.search(tag[0]) if tag else None
        if named:
            raise self.error(
                f"got the undeclared entity {named[0]!r}; document types are not read, "
                "write the character itself"
            )

    def start(self, tag: str, values: dict[str, str]) -> None:
        if self.typed:
            self.reject_undeclared()
        sentence = self.sentence
        self.outermost = self.outermost or tag
        if tag == "s":
            self.outermost = "s"
            if sentence is not None:
                raise self.error(f"sentence {values.get('id', '')!r} is inside sentence {sentence.id!r}")
            self.sentence = sentence = TigerSentence(values.get("id", ""), self.line)
            self.mark = self.parser.CurrentByteIndex
            sentence.note_id(self.seen)
        elif sentence is None:
            return
        elif tag == "t":
            sentence.add(tag, values, self.line)
        elif tag == "nt":
            self.parent = sentence.add(tag, values, self.line)
        elif tag == "edge":
            if "idref" not in values:
                sentence.note_error(f"an <edge> of {self.parent!r} has no idref", self.line)
            edge = self.parent, values.get("idref", ""), self.line, values.get("label", "")
            sentence.edges.append(edge)
        elif tag == "graph" and "root" in values:
            sentence.root = values["root"], self.line

    def end(self, tag: str) -> None:
        if tag == "s" and self.sentence is not None:
            self.done.append(self.sentence)
            self.sentence = None


class TigerSentence(GraphSentence):
    """The elements of a sentence so far."""

    def __init__(self, id: str, line: int) -> None:
        super().__init__(id, line)
        self.root: tuple[str, int] | None = None  # id and line
        self.nodes: dict[str, int] = {}
        self.edges: list[tuple[str, str, int, str]] = []  # parent, child, line, function

    def add(self, tag: str, values: dict[str, str], line: int) -> str:
        """Add a ``<t>`` or ``<nt>``, and return its id."""
        name = values.get("id", "")
        word = values.get("word", "") if tag == "t" else None
        if word == "":
            self.note_error(f"the <t> {name!r} has no word", line)
        if not name:
            self.note_error("got an element without id; <t> and <nt> need one", line)
        elif name in self.nodes:
            before = self.lines[self.nodes[name]]
            self.note_error(f"the id {name!r} occurs twice, first in line {before}; make it unique", line)
        self.nodes[name] = len(self.labels)
        self.add_node(name, values.get("pos" if tag == "t" else "cat", ""), line, word)
        return name

    def parents(self) -> list[int]:
        nodes = self.nodes
        parents = [-1] * len(self.labels)
        for parent, child, line, function in self.edges:
            if parent not in nodes:
                self.note_error("an <edge> outside an <nt>", line)
            elif child not in nodes:
                problem = f"the edge from {parent!r} leads to {child!r}, which is not in the sentence"
                self.note_error(problem, line)
            elif parents[nodes[child]] >= 0:
                before = self.names[parents[nodes[child]]]
                self.note_error(f"{child!r} has two parents, {before!r} and {parent!r}; keep one edge", line)
            else:
                parents[nodes[child]] = nodes[parent]
                self.functions[nodes[child]] = "" if function == "--" else function
        if self.root is not None and self.root[0] not in nodes and nodes:
            self.note_error(f"the root is {self.root[0]!r}, which is not in the sentence", self.root[1])
        return parents
