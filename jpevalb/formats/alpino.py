"""Reader of Alpino XML: an ``<alpino_ds>`` for each sentence, with nested ``<node>`` elements.

A node with ``cat`` is a phrase.  One with ``word`` is a word, and its ``begin`` is the position in the
sentence, so phrases may have gaps.  A node with only an ``index`` marks, for example, where a moved phrase
came from; the node with the same index that is spelled out elsewhere has the words.  Such nodes are left
out, and so are phrases of nothing else.  Tags are ``pt``, or ``pos`` in older files.  The root ``top``
becomes TOP.

Files of several sentences are usually joined from files of one sentence, each with its XML declaration, so
sentences are cut out before they are parsed.  No document type is read, so no entity can be declared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from ..base.errors import TreeError
from ..base.files import check_length
from ..base.text import number_of
from .edges import GraphSentence, IdSet, undeclared_encoding
from .lines import Lines, reader


@reader
def read_alpino(lines: Lines) -> Iterator[_AlpinoSentence]:
    """Read the sentences of Alpino XML; each tree's ``id`` is the ``sentid`` of its ``<sentence>``.

    >>> words = '<node begin="0" pt="tsw" word="ja"/><node begin="1" index="1"/>'
    >>> [tree] = read_alpino([f'<alpino_ds><node cat="top"><node cat="du">{words}</node></node></alpino_ds>'])
    >>> tree.to_bracket()
    '(TOP (du (tsw ja)))'
    """
    seen = IdSet()
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
                yield _AlpinoSentence(declaration + b"".join(held), begin, seen)
                held.clear()
    if held:
        problem = "the <alpino_ds> that begins here is not closed; is the file whole?"
        raise TreeError(problem, line=begin)
    if not begin:
        raise TreeError("no <alpino_ds>; expected one for each sentence")


class _AlpinoSentence(GraphSentence):
    """An ``<alpino_ds>``, which is parsed in :meth:`parents`."""

    def __init__(self, text: bytes, line: int, seen: IdSet) -> None:
        super().__init__("", line)
        self._text, self._seen = text, seen

    def parents(self) -> list[int]:
        """Parse the element."""
        line = self.line
        try:
            document = ElementTree.fromstring(self._text)
        except ElementTree.ParseError as error:
            row, column = error.position
            problem = f"not well-formed XML: {str(error).partition(':')[0]}; correct the sentence"
            raise TreeError(problem, line=line + row - 1, column=column + 1) from None
        except (LookupError, ValueError) as error:
            raise undeclared_encoding(error, line) from None
        named = document.find("sentence")
        self.id = "" if named is None else named.get("sentid", "")
        self.note_id(self._seen)
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
                    message = f"the word {word!r} has begin={written!r}; expected its position"
                    self.note_error(message, line)
                    continue
                before = words.get(begin)
                if before is not None:
                    # A repetition may be spelled out as well.
                    if not before[2] or before[::2] != (word, node.get("index")):
                        self.note_error(f"the words {before[0]!r} and {word!r} both begin at {begin}", line)
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
        phrases = [nodes[old] for old in sorted(kept)[1:]]
        self.labels = [label for label, _, _ in phrases]
        self.functions = [function for _, _, function in phrases]
        self.names, self.lines = self.labels, [line] * len(phrases)
        for _, (word, above, _) in sorted(words.items()):
            self.words.append(word)
            self.word_parents.append(number[above])
        return [number[parent] for _, parent, _ in phrases]
