"""Reader of the plain text that CoreNLP writes by default."""

from __future__ import annotations

from collections.abc import Iterator

from .answers import TREES, Output
from .lines import BLANKS, Lines, reader


@reader
def read_corenlp_text(lines: Lines) -> Iterator[Output]:
    """Read the tree of each sentence, which follows its tokens; a sentence may have none.

    >>> text = "Sentence #1 (1 tokens):\\na\\n\\n[Text=a]\\n\\nConstituency parse:\\n(ROOT\\n  (NN a))\\n\\n"
    >>> [tree.words for tree in read_corenlp_text(text.split("\\n"))]
    [('a',)]
    """
    begin = sentence = 0  # line of the tree, and of its sentence's header until then
    held: list[str] = []
    after_tokens = False
    for number, line in lines:
        if held:
            if line.strip(BLANKS):
                held.append(line)
                continue
            yield Output("\n".join(held), begin, error=lines.damage(), reader=TREES)
            held, sentence = [], 0
        elif line.startswith("Sentence #"):
            if sentence:
                yield Output("", sentence, error=lines.damage())
            sentence, after_tokens = number, False
        elif line.startswith(("[Text=", "Constituency parse:")):
            after_tokens = True
        elif sentence and after_tokens and line.startswith("("):
            held, begin = [line], number
    if held or sentence:
        yield Output("\n".join(held), begin if held else sentence, error=lines.damage(), reader=TREES)
