"""JSON Lines: a record a line, with the text of a tree in one of its fields."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from .answers import OnAnswer, Output, Reading
from .errors import TreeError
from .lines import BLANKS, OnError, numbered_lines
from .parse import shorten
from .tree import Tree

FIELD = "output"
"""The field that has the tree, if no other is named."""

_EXPECTED = "expected a record on each line, such as {...}"


def read_jsonl(
    lines: Iterable[str] | Iterable[bytes],
    *,
    source: str | None = None,
    encoding: str = "utf-8",
    on_error: OnError | None = None,
    field: str = FIELD,
    id_field: str | None = None,
    repair: bool = False,
    several: str = "first",
    on_answer: OnAnswer | None = None,
) -> Iterator[Tree]:
    """Reads one tree from each record, whatever its text is.

    Arguments: those of all readers (:mod:`jpevalb.trees.lines`), those of
    :class:`jpevalb.trees.answers.Reading`, and:

    Args:
        field: The field with the text; ``null`` there is an empty text.  Dots lead into records
            within records, and numbers from 0 into lists: ``choices.0.message.content``.
        id_field: The field with the sentence's id, a text or a whole number.

    Raises:
        TreeError: a line that is no record, a record without the field, or a text that is no tree.

    Cost: O(length), in the memory of one record.

    >>> records = ['{"id": 7, "reply": {"text": "(S (NN a))"}}', '{"id": "b", "reply": {"text": null}}']
    >>> [(tree.id, tree.words) for tree in read_jsonl(records, field="reply.text", id_field="id")]
    [('7', ('a',)), ('b', ())]
    """
    unreadable: list[TreeError] = []
    numbered = numbered_lines(lines, source=source, encoding=encoding, unreadable=unreadable)
    outputs = _outputs(numbered, unreadable, field, id_field)
    return Reading(repair, several, on_answer, on_error).trees(outputs, source)


def _outputs(
    lines: Iterable[tuple[int, str]], unreadable: list[TreeError], field: str, id_field: str | None
) -> Iterator[Output]:
    blanks: list[int] = []
    for number, line in lines:
        if not unreadable and not line.strip(BLANKS):
            blanks.append(number)
            continue
        for blank in blanks:
            yield Output("", blank, error=TreeError(f"the line is empty; {_EXPECTED}"))
        blanks.clear()
        if unreadable:
            yield Output("", number, error=unreadable.pop())
            continue
        id = None
        try:
            record = _record(line)
            if id_field is not None:
                id = _id(_value(record, id_field, "--id-field"), id_field)
            yield Output(_text(_value(record, field, "--field"), field), number, id)
        except TreeError as error:
            yield Output("", number, id, error)


def _record(line: str) -> Any:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise TreeError(f"the line is no JSON: {error.msg}; {_EXPECTED}", column=error.colno) from None
    except RecursionError:
        raise TreeError("the record is nested too deep to be read as JSON") from None
    except ValueError as error:  # a number of thousands of digits
        raise TreeError(f"the line is no JSON that can be read: {error}") from None
    if not isinstance(record, dict):
        raise TreeError(f"found {_kind(record)} in place of a record; {_EXPECTED}")
    return record


def _value(record: Any, name: str, option: str) -> Any:
    """What a field of a record has; a name with dots that is there as it stands comes first."""
    found, rest = record, name
    while True:
        if isinstance(found, dict) and rest in found:
            return found[rest]
        first, dot, after = rest.partition(".")
        if isinstance(found, dict) and dot and first in found:
            found, rest = found[first], after
            continue
        if isinstance(found, list) and first.isascii() and first.isdecimal() and int(first) < len(found):
            found, rest = found[int(first)], after
            if not dot:
                return found
            continue
        there = (
            ", ".join([shorten(key) for key in list(found)[:8]]) if isinstance(found, dict) else _kind(found)
        )
        where = f" of {name!r}" if rest != name else ""
        raise TreeError(
            f"found no field {first!r}{where}, but {there or 'no field'}; name the field with {option}"
        )


def _text(value: Any, field: str) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TreeError(f"found {_kind(value)} in the field {field!r}; expected a text")
    return value


def _id(value: Any, field: str) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
        raise TreeError(
            f"found {_kind(value)} in the field {field!r}; expected an id, a text or a whole number"
        )
    return str(value)


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return "a text" if value else "an empty text"
    return "a record" if isinstance(value, dict) else "a list" if isinstance(value, list) else "a number"
