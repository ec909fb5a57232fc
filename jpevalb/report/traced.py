"""Templates of rows: a row is made once from unknown counts, then filled with those of each sentence."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from operator import index
from types import SimpleNamespace
from typing import Any, TypeAlias

from ..alignment import Bead
from ..base.counts import Counts
from ..metrics import PlainCounts, PlainRecord
from ..score.scorer import Scorer
from ..score.sentence import PLAIN_STATE, SentenceResult
from .escape import harmless_json

Fill: TypeAlias = "Callable[[Iterable[tuple[int, int, PlainRecord]]], list[str]]"
"""Takes the numbers of the gold and the system sentence, and the counts, of some pairs."""


def _operator(sign: str) -> Any:
    return lambda one, other: Traced(f"({_operand(one)} {sign} {_operand(other)})")


class Traced:
    """A number known only as an expression; operations that need its value raise a TypeError."""

    __slots__ = ("shown", "text")

    def __init__(self, text: str, shown: str = "") -> None:
        self.text = text  # empty for a rate that may be undefined
        self.shown = shown or text

    __add__ = __radd__ = _operator("+")
    __sub__ = _operator("-")
    __mul__ = __rmul__ = _operator("*")

    def __truediv__(self, other: Any) -> Traced:
        sides = _operand(self), _operand(other)
        text = "" if isinstance(other, Traced) else f"({sides[0]} / {sides[1]})"
        return Traced(text, f"rates[{sides[0]}, {sides[1]}]")

    def _unknown(self, *_: object) -> Any:
        raise TypeError("the number is not known yet")

    __bool__ = __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __str__ = _unknown
    __hash__ = None  # type: ignore[assignment]


def _operand(value: Any) -> str:
    text: str = value.text if isinstance(value, Traced) else repr(index(value))
    if not text:
        raise TypeError("a rate may be undefined")
    return text


def row_template(scorer: Scorer) -> Fill:
    """Return a function that writes rows of plain pairs, without ``{"number": 1, ``, as ``line_of`` does."""
    others = [_traced(metric.zero(), f"others[{k}]") for k, metric in enumerate(scorer.others)]
    plain: Any = map(Traced, PlainCounts._fields[1:])
    no_pair: Any = None
    sides: Any = [(number - 1, number) for number in map(Traced, ("gold_number", "system_number"))]
    bead = Bead(sides[0], sides[1], True)
    counts = PlainRecord(PlainCounts(1, *plain), tuple(others))
    row = SentenceResult(0, counts, bead, scorer, no_pair, PLAIN_STATE).to_dict()
    del row["number"]
    parts = _ENCODER.encode(row)[1:].replace(_END, _BEGIN).split(_BEGIN)
    parts[::2] = [part.replace("{", "{{").replace("}", "}}") for part in parts[::2]]
    known: dict[str, str] = {}
    for k in range(1, len(parts), 2):
        expression = parts[k]
        if expression in PlainCounts._fields:
            expression = f"numbers[{expression}]"
        if expression in known or not expression.endswith("]"):
            parts[k] = f"{{{known.get(expression, expression)}}}"
        else:
            known[expression] = f"text{k}"
            parts[k] = f"{{(text{k} := {expression})}}"
    names = f"gold_number, system_number, (({', '.join(PlainCounts._fields)}), others)"
    source = f"lambda rows: [f{''.join(parts)!r} for {names} in rows]"
    numbers = Memo(str)
    rates = Memo(lambda key: repr(key[0] / key[1]) if key[1] else "null")
    fill: Fill = eval(source, {"numbers": numbers, "rates": rates, "line_of": line_of})
    return fill


def _traced(zero: Any, path: str) -> Any:
    """Return a record of unknown counts; if its keys depend on them, its text is made for each row."""
    try:
        record = _unknown(zero, path)
        _ENCODER.encode(record.of_bead())
    except (AttributeError, TypeError):
        return SimpleNamespace(of_bead=lambda: Traced(f"line_of({path}.of_bead())"))
    return record


def _unknown(record: Counts, path: str) -> Counts:
    values: list[Any] = []
    for name in record.__match_args__:
        value, inner = getattr(record, name), f"{path}.{name}"
        other = _unknown(value, inner) if isinstance(value, Counts) else object()
        values.append(Traced(inner) if type(value) is int else other)
    return type(record)(*values)


def line_of(content: Any) -> str:
    """Return a value as JSON on one line."""
    return harmless_json(_ENCODER.encode(content))


def _marked(value: Any) -> str:
    if isinstance(value, Traced):
        return f"\0{value.shown}\0"
    raise TypeError(f"{type(value).__name__} is no JSON")


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=_marked)
_BEGIN, _END = '"\\u0000', '\\u0000"'  # of an expression in JSON


class Memo(dict[Any, str]):
    """Cache of the texts of numbers; most numbers occur often."""

    def __init__(self, text_of: Callable[[Any], str]) -> None:
        self._text_of = text_of

    def __missing__(self, key: Any) -> str:
        if len(self) == _MOST:
            self.clear()
        text = self[key] = self._text_of(key)
        return text


_MOST = 4096  # maximum number of cached texts
