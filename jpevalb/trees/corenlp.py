"""Reader of the JSON that CoreNLP writes: documents with the list ``sentences``, each with its ``parse``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .answers import AnswerReader, Output
from .around import without_around
from .errors import TreeError
from .jsonl import array_items, kind_of, parse_record
from .lines import OnError, numbered_lines
from .parse import shorten
from .tree import Tree


def read_corenlp(
    lines: Iterable[str] | Iterable[bytes],
    *,
    source: str | None = None,
    encoding: str = "utf-8",
    on_error: OnError | None = None,
) -> Iterator[Tree]:
    """Read the parses of one or several documents; only one sentence is in memory.

    >>> [tree.words for tree in read_corenlp(['{"sentences": [{"index": 0, "parse": "(ROOT (NN a))"}]}'])]
    [('a',)]
    """
    unreadable: list[TreeError] = []
    numbered = numbered_lines(lines, source=source, encoding=encoding, unreadable=unreadable)
    items = array_items(numbered, unreadable, source, "sentences")
    outputs = (_output(item, line, number) for number, (line, item) in enumerate(items, 1))
    return AnswerReader(False, "first", None, on_error).trees(outputs, source)


def _output(item: str, line: int, number: int) -> Output:
    try:
        sentence = parse_record(item)
        if sentence is not None and "parse" not in sentence:
            found = ", ".join([shorten(key) for key in list(sentence)[:8]]) or "nothing"
            raise TreeError(f"found no 'parse', but {found}; run CoreNLP with the annotator parse")
        text = None if sentence is None else sentence["parse"]
        if text is not None and not isinstance(text, str):
            raise TreeError(f"found {kind_of(text)} as 'parse'; expected the text of a tree")
        return Output(without_around(text or "") or "", line)
    except TreeError as error:
        error.message = f"sentence {number}: {error.message}"
        return Output("", line, error=error)
