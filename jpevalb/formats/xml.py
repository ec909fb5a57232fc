"""Readers of TIGER XML, sentences of ``<t>`` and ``<nt>`` elements with edges, and of Alpino XML.

The words of TIGER XML are the ``<t>`` elements in document order; ``<edge>`` inside an ``<nt>`` names its
children.  Secondary edges, lemma and morphology are ignored.  The root is the node without an incoming edge;
several such nodes are put under one root without label.

Files may be untrusted, so expat must not fetch or expand anything: a document that declares an entity is
rejected, and no external entity or document type is read.  In a document with a document type, expat
silently drops undeclared entities from words, so the tags are searched for these here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Any
from xml.parsers import expat

from ..base.errors import TreeError
from ..base.files import check_length
from ..base.text import number_of
from .export import GraphNode, GraphSentence, undeclared_encoding
from .lines import BLOCK, Lines, reader

_OUTERMOST = ("corpus", "subcorpus", "body", "s")  # root elements of valid documents

# A tag, and in it an entity that is not one of XML's five.
_TAG = re.compile(r"""<(?:[^>"']|"[^"]*"|'[^']*')*>""")
_NAMED = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);|#)([^;\s&<>\"']+);?")


@reader
def read_tigerxml(lines: Lines) -> Iterator[GraphSentence]:
    """Read the sentences of a TIGER XML file; each tree's ``id`` is that of its ``<s>``.

    ``lines`` may be any pieces of the document.  ``encoding`` overrides the declared one.  A document that
    is not well-formed raises even with ``on_error``.
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
        self.done: list[GraphSentence] = []
        self.seen = set[str]()
        self.sentence: GraphSentence | None = None
        self.outermost = ""  # name of the root element, or "s" after the first sentence
        self.empty = True
        self.waiting: list[Any] = []
        self.size = 0  # of the pieces that wait
        self.goal = BLOCK  # size at which they are parsed
        self.read = 0  # bytes passed to expat
        self.typed = False  # True if the document has a type, which may declare entities
        self.parser = parser = expat.ParserCreate(encoding)
        parser.StartDoctypeDeclHandler = self.start_type
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.EntityDeclHandler = self.reject_entity
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
            self.goal = max(BLOCK, self.read - parsed)
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
            self.sentence = sentence = GraphSentence(values.get("id", ""), self.line, _tiger_nodes)
            self.mark = self.parser.CurrentByteIndex
            sentence.note_id(self.seen)
        elif sentence is not None:
            sentence.rows.append((tag, values, self.line))

    def end(self, tag: str) -> None:
        if tag == "s" and self.sentence is not None:
            self.done.append(self.sentence)
            self.sentence = None


def _tiger_nodes(sentence: GraphSentence) -> list[GraphNode]:
    """Convert the elements; edges may be in front of their nodes."""
    nodes: list[GraphNode] = []
    indices: dict[str, int] = {}
    parent = ""  # id of the last <nt>
    edges: list[tuple[str, str, int, str]] = []  # parent, child, line, function
    root: tuple[str, int] | None = None  # id and line
    for tag, values, line in sentence.rows:
        if tag in ("t", "nt"):
            name = values.get("id", "")
            if tag == "nt":
                parent = name
            else:
                sentence.words.append(values.get("word", ""))
                sentence.word_parents.append(len(nodes))
                if not sentence.words[-1]:
                    raise sentence.error(f"the <t> {name!r} has no word", line)
            if not name:
                raise sentence.error("got an element without id; <t> and <nt> need one", line)
            if name in indices:
                before = nodes[indices[name]].line
                problem = f"the id {name!r} occurs twice, first in line {before}; make it unique"
                raise sentence.error(problem, line)
            indices[name] = len(nodes)
            nodes.append(GraphNode(name, values.get("pos" if tag == "t" else "cat", ""), line))
        elif tag == "edge":
            if "idref" not in values:
                raise sentence.error(f"an <edge> of {parent!r} has no idref", line)
            edges.append((parent, values["idref"], line, values.get("label", "")))
        elif tag == "graph" and "root" in values:
            root = values["root"], line
    for above, child, line, function in edges:
        if above not in indices:
            raise sentence.error("an <edge> outside an <nt>", line)
        if child not in indices:
            problem = f"the edge from {above!r} leads to {child!r}, which is not in the sentence"
            raise sentence.error(problem, line)
        node = nodes[indices[child]]
        if node.parent >= 0:
            both = f"{nodes[node.parent].name!r} and {above!r}"
            raise sentence.error(f"{child!r} has two parents, {both}; keep one edge", line)
        nodes[indices[child]] = node._replace(parent=indices[above], function=function)
    if root is not None and root[0] not in indices and nodes:
        raise sentence.error(f"the root is {root[0]!r}, which is not in the sentence", root[1])
    return nodes


@reader
def read_alpino(lines: Lines) -> Iterator[GraphSentence]:
    """Read each ``<alpino_ds>``; the tree's ``id`` is the ``sentid`` of its ``<sentence>``.

    A node with ``cat`` is a phrase.  One with ``word`` is a word, and its ``begin`` is the position in the
    sentence, so phrases may have gaps.  A node with only an ``index`` marks, for example, where a moved
    phrase came from; the node with the same index that is spelled out elsewhere has the words.  Such nodes
    are left out, and so are phrases of nothing else.  Tags are ``pt``, or ``pos`` in older files.  The root
    ``top`` becomes TOP.

    Files of several sentences are usually joined from files of one, each with its XML declaration, so
    sentences are cut out before they are parsed.  No document type is read, so no entity can be declared.
    """
    seen = set[str]()
    declaration = b""
    held: list[bytes] = []
    begin = size = 0
    encoding = lines.encoding
    for number, line in enumerate(lines.raw if encoding is None else lines.as_utf8(), 1):
        if isinstance(line, str):
            line = line.encode("utf-8", "surrogatepass")
        elif encoding is None:
            declared = re.search(rb"<\?xml[^>]*\?>", line)
            declaration = declared[0] if declared else declaration
        for part in re.split(rb"(?<=</alpino_ds>)", line):
            if not held:
                start = part.find(b"<alpino_ds")
                if start < 0:
                    continue
                part, begin, size = part[start:], number, 0
            held.append(part)
            size += len(part)
            check_length(size, "the sentence", begin)
            if part.endswith(b"</alpino_ds>"):
                yield GraphSentence("", begin, partial(_alpino_nodes, declaration + b"".join(held), seen))
                held.clear()
    if held:
        raise TreeError("the <alpino_ds> that begins here is not closed; is the file whole?", line=begin)
    if not begin:
        raise TreeError("no <alpino_ds>; expected one for each sentence")


def _alpino_nodes(text: bytes, seen: set[str], sentence: GraphSentence) -> list[GraphNode]:
    """Parse the text of an ``<alpino_ds>``; ``seen`` has the ids of the sentences before."""
    from xml.etree import ElementTree

    line = sentence.line
    try:
        document = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        row, column = error.position
        problem = f"not well-formed XML: {str(error).partition(':')[0]}; correct the sentence"
        raise TreeError(problem, line=line + row - 1, column=column + 1) from None
    except (LookupError, ValueError) as error:
        raise undeclared_encoding(error, line) from None
    named = document.find("sentence")
    sentence.id = "" if named is None else named.get("sentid", "")
    sentence.note_id(seen)
    if sentence.first_error is not None:
        raise sentence.first_error
    nodes: list[tuple[str, int, str]] = []  # label, parent and function
    words: dict[int, tuple[str, int, str]] = {}  # by position: word, node and index
    stack = [(node, -1) for node in document.findall("node")]
    while stack:
        node, parent = stack.pop()
        label, word = node.get("cat"), node.get("word")
        if label is None and word is None:
            continue
        if word is not None:
            label = node.get("pt") or node.get("pos") or ""
            written = node.get("begin", "")
            begin = number_of(written)
            if begin is None:
                raise sentence.error(f"the word {word!r} has begin={written!r}; expected its position", line)
            before = words.get(begin)
            if before is not None:
                # A repetition may be spelled out as well.
                if not before[2] or before[::2] != (word, node.get("index")):
                    raise sentence.error(f"the words {before[0]!r} and {word!r} both begin at {begin}", line)
                continue
            words[begin] = word, len(nodes), node.get("index", "")
        stack.extend((child, len(nodes)) for child in node.findall("node"))
        function = node.get("rel", "").removeprefix("--")
        nodes.append(("TOP" if label == "top" else label or "", parent, function))
    kept = {-1}
    for _, above, _ in words.values():
        while above not in kept:
            kept.add(above)
            above = nodes[above][1]
    number = {old: new for new, old in enumerate(sorted(kept), -1)}
    for _, (word, above, _) in sorted(words.items()):
        sentence.words.append(word)
        sentence.word_parents.append(number[above])
    phrases = [nodes[old] for old in sorted(kept)[1:]]
    return [GraphNode(label, label, line, number[parent], function) for label, parent, function in phrases]
