"""Readers of JSON: records, one to a line or in an array, CoreNLP's documents, and nested lists."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from ..base.errors import ReaderOptionError, TreeError, reported
from ..base.files import check_length
from ..base.text import number_of, parse_json
from ..trees import nested
from ..trees.parse import NO_RECORD, shorten
from ..trees.tree import Tree
from .answers import AnswerReader, Output, read_outputs
from .around import without_around
from .lines import BLANKS, Lines, ReadSentence, parsed, reader, until_last_text

FIELD = "output"  # default field of the tree
_EXPECTED = "expected a record, such as {...}"
_BRACKETS = re.compile("[][{},]")
_TOKENS = r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|(?P<unclosed>\\?\Z))|[][{},]'
_TOKEN = re.compile(_TOKENS)


@reader
def read_jsonl(
    lines: Lines, field: str = FIELD, id_field: str | None = None, **options: Any
) -> Iterator[ReadSentence]:
    """Read one tree from each record; only one record, or one line if that is longer, is in memory.

    ``field`` names the text, a nested list of words, or with ``on_answer`` a list of answers; the first
    answer is read.  ``null`` there, or as the record, is an empty text.  Dots lead into nested records, and
    numbers from 0 into lists: ``choices.0.message.content``.  A record may have ``words`` and ``spans`` or
    ``actions`` instead.  ``id_field`` names the sentence's id, a text or a whole number.  A file that begins
    with ``[`` is one array of records.
    """
    answers = AnswerReader(**options)
    lists = answers.on_answer is not None
    return read_outputs((_output(*one, field, id_field, lists=lists) for one in _records(lines)), answers)


@reader
def read_corenlp(lines: Lines) -> Iterator[ReadSentence]:
    """Read the JSON that CoreNLP writes: documents with the list ``sentences``, each with its ``parse``."""
    for number, (line, item) in enumerate(_array_items(lines, lines, "sentences"), 1):
        try:
            sentence = _parse_record(item)
            if sentence is not None and "parse" not in sentence:
                raise TreeError(f"no 'parse', but {_keys(sentence)}; run CoreNLP with the annotator parse")
            text = None if sentence is None else sentence["parse"]
            if text is not None and not isinstance(text, str):
                raise TreeError(f"got {_kind_of(text)} as 'parse'; expected the text of a tree")
            result = parsed(without_around(text or "") or "", line)
        except TreeError as error:
            result = reported(error, f"sentence {number}: ", line=line)
        yield ReadSentence(result)


def _records(lines: Lines) -> Iterator[tuple[int, str | TreeError, int]]:
    """Yield the line of each record, its text or an error, and its number in an array, 0 in JSON Lines."""
    blanks: list[int] = []
    first = True
    for number, line in lines:
        damage = lines.damage()
        if not damage and not line.strip(BLANKS):
            blanks.append(number)
        elif first and line.lstrip(BLANKS)[:1] == "[":
            if damage is not None:
                raise damage
            items = _array_items(chain([(number, line)], lines), lines)
            for record, (item_line, item) in enumerate(items, 1):
                yield item_line, item, record
        else:
            first = False
            for blank in blanks:
                yield blank, TreeError(f"the line is empty; {_EXPECTED}"), 0
            blanks.clear()
            yield number, damage or line, 0


def _array_items(
    numbered: Iterable[tuple[int, str]], lines: Lines, key: str = ""
) -> Iterator[tuple[int, str]]:
    """Yield line and text of each item of a JSON array, or of the arrays named ``key`` in any documents."""
    token = re.compile((rf'"{key}"\s*:\s*\[|' if key else "") + _TOKENS)
    pieces: list[str] = []
    size = depth = begin = items = 0
    base = 0  # depth of the items while inside the array
    for number, line in numbered:
        damage = lines.damage()
        if damage is not None:
            raise damage
        start = 0
        for match in _found(token, line):
            found = match[0]
            if found[-1] in "[{":
                depth += 1
                if not base and (len(found) > 1 if key else not begin):
                    base, begin, start, items = depth, number, match.end(), 0
            elif found == "]" or (found == "}" and depth != base):
                depth -= 1
            elif found != ",":
                continue
            if base and (depth < base or (depth == base and found == ",")):
                item = "\n".join([*pieces, line[start : match.start()]])
                if depth == base or items or item.strip(BLANKS):
                    items += 1
                    yield begin + item[: len(item) - len(item.lstrip(BLANKS))].count("\n"), item
                pieces, size, begin, start = [], 0, number, match.end()
                base = base if depth >= base else 0
        rest = line[start:]
        if base:
            pieces.append(rest)
            size += len(rest)
            check_length(size, "the record", begin)
        elif rest.strip(BLANKS) and not key:
            raise TreeError(
                f"{shorten(rest.strip(BLANKS))} after the JSON array of {items} records; "
                "expected the end of the file",
                line=number,
            )
    if base:
        problem = f"the JSON array ends in record {items + 1}; expected ']', is the file whole?"
        raise TreeError(problem, line=begin)
    if key and not begin:
        raise TreeError(f"no list {key!r} in the JSON; expected one, with the records")


def _found(token: re.Pattern[str], line: str) -> Iterator[re.Match[str]]:
    """Yield the tokens of a line of JSON; a text that is not closed comes last, as a quotation mark."""
    for match in token.finditer(line):
        if match["unclosed"] is not None:
            yield from _BRACKETS.finditer(line, match.start() + 1)
            return
        yield match


def _output(
    line: int, item: str | TreeError, number: int, field: str, id_field: str | None, *, lists: bool
) -> Output:
    id = None
    try:
        if isinstance(item, TreeError):
            raise item
        record = _parse_record(item)
        if record is None:
            return Output("", line)
        if id_field is not None:
            value = _value(record, id_field, "id_field")
            if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
                expected = "expected an id, a text or a whole number"
                raise TreeError(f"got {_kind_of(value)} in the field {id_field!r}; {expected}")
            id = str(value)
        words = record.get("words", record.get("tokens"))
        if "actions" in record and field not in record:
            return Output("", line, id, given=nested.tree_of_actions(words, record["actions"]))
        if "spans" in record and field not in record:
            if isinstance(record["spans"], str):
                record["spans"] = nested.spans_of(record["spans"])
            if not nested.is_spans((words, record["spans"])):
                raise TreeError("'spans' without 'words'; expected words and [first, last + 1, label]")
            return Output("", line, id, given=nested.tree_of_spans(words, record["spans"]))
        value = _value(record, field, "field")
        if isinstance(value, list) and _is_nested(value):
            return Output("", line, id, given=nested.tree_of_lists(value))
        if lists and isinstance(value, list) and all(item is None or isinstance(item, str) for item in value):
            text, *others = [item or "" for item in value] or [""]
            return Output(text, line, id, others=tuple(others))
        if value is not None and not isinstance(value, str):
            advice = f"; set field={inner!r}" if (inner := _text_in(value, field)) else ""
            raise TreeError(f"got {_kind_of(value)} in the field {field!r}; expected a text{advice}")
        return Output(value or "", line, id)
    except TreeError as error:
        # In an array the column would count from the beginning of the record, not of the line.
        return Output("", line, id, reported(error, f"record {number}: ", column=None) if number else error)


def _is_nested(value: list[Any]) -> bool:
    """Return True for nested lists of words, False for a list of answers, which have brackets or blanks."""
    texts = [item for item in value if isinstance(item, str)]
    return any(isinstance(item, list) for item in value) or (
        len(texts) == len(value) > 0 and not any(set(text) & set("( \n") or not text for text in texts)
    )


def _parse_record(text: str) -> Any:
    """Parse a record; ``None`` for ``null``."""
    try:
        record = parse_json(text)
    except json.JSONDecodeError as error:
        if text.lstrip(BLANKS)[:1] not in ("{", ""):
            raise TreeError(shorten(text.strip(BLANKS).split(" ")[0]) + NO_RECORD) from None
        raise TreeError(f"invalid JSON: {error.msg}; {_EXPECTED}", column=error.colno) from None
    if record is not None and not isinstance(record, dict):
        raise TreeError(f"got {_kind_of(record)} instead of a record; {_EXPECTED}")
    return record


def _value(record: Any, name: str, option: str) -> Any:
    """Return the value of a field; a key that contains dots takes precedence over nested records."""
    value, rest = record, name
    while True:
        if isinstance(value, dict) and rest in value:
            return value[rest]
        first, dot, after = rest.partition(".")
        if isinstance(value, dict) and dot and first in value:
            value = value[first]
        elif isinstance(value, list) and (index := number_of(first)) is not None and index < len(value):
            value = value[index]
            if not dot:
                return value
        else:
            break
        rest = after
    found = _keys(value) if isinstance(value, dict) else _kind_of(value)
    where = f" of {name!r}" if rest != name else ""
    inner = _text_in(record) if option == "field" else ""
    raise ReaderOptionError(f"no field {first!r}{where}, but {found}", "set", option, inner or "NAME")


def _text_in(value: Any, name: str = "", depth: int = 8) -> str:
    """Return the name of the first text with a bracket in a value; empty if there is none."""
    if isinstance(value, str):
        return name if "(" in value else ""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = (_text_in(item, f"{name}.{key}".removeprefix("."), depth - 1) for key, item in items if depth)
    return next(filter(None, found), "")


def _keys(record: dict[str, Any]) -> str:
    return ", ".join([shorten(key) for key in list(record)[:8]]) or "no field"


def _kind_of(value: Any) -> str:
    """Return the kind of a JSON value for a message."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return "a text" if value else "an empty text"
    return {type(None): "null", dict: "a record", list: "a list"}.get(type(value), "a number")


@reader
def read_unlabeled(lines: Lines) -> Iterator[ReadSentence]:
    """Read one tree without labels from each line; all its constituents get the label ``NT``.

    A line that begins with ``[`` is a nested JSON list of words.  A blank line is a sentence without a parse;
    blank lines at the end are ignored.
    """
    for number, line, damage in until_last_text((number, line, lines.damage()) for number, line in lines):
        yield ReadSentence(damage or parsed(line, number, nested.tree_of_unlabeled, is_line=True))


@reader
def read_lists(lines: Lines) -> Iterator[ReadSentence]:
    """Read JSON lists: each is a tree with labels, or a list of such trees or of the texts of trees."""
    held: list[str] = []
    begin = depth = size = 0
    for number, line in lines:
        if not held and not line.strip(BLANKS):
            continue
        begin = begin if held else number
        held.append(line)
        size += len(line)
        check_length(size, "the list", begin)
        brackets = [match[0] for match in _found(_TOKEN, line)]
        depth += brackets.count("[") - brackets.count("]")
        if depth <= 0:
            yield from _trees_of("\n".join(held), begin, lines.damage())
            held, depth, size = [], 0, 0
    if held:
        yield from _trees_of("\n".join(held), begin, lines.damage())


def _trees_of(text: str, line: int, damage: TreeError | None) -> Iterator[ReadSentence]:
    if damage is not None:
        yield ReadSentence(reported(damage, line=line))
        return
    try:
        item = parse_json(text)
    except json.JSONDecodeError as error:
        problem = f"invalid JSON: {error.msg}; expected a list of labels and words, or of trees"
        yield ReadSentence(TreeError(problem, line=line + error.lineno - 1, column=error.colno))
        return
    for one in item if nested.are_trees(item) else [item]:
        one = one or ""
        parse: Callable[[Any], Tree] = Tree.parse if isinstance(one, str) else nested.tree_of_lists
        yield ReadSentence(parsed(one, line, parse))
