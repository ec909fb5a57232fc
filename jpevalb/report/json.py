"""The JSON report: every count and rate."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import ExitStack
from functools import cache, lru_cache, partial
from typing import Any, TextIO

from ..base.counts import Sums
from ..kernels.rows import filled, pattern_of, rate_of, rows_text
from ..metrics import Metric
from ..metrics.record import Record, Schema
from ..metrics.significance import MOST_RESAMPLED, named_intervals
from ..score.chunk import Scoring
from ..score.evaluation import Cells, figures_of, listed_intervals
from ..score.run import Outcome
from ..score.sentence import SentenceResult
from . import Format, Write
from .escape import harmless_json


def rows(results: Sequence[SentenceResult], run: Scoring, *, details: bool = False) -> list[Any]:
    """Return the text of each sentence behind its number, then the numbers of their :class:`Cells`."""
    ends = row_ends(results, run, details=details)
    cells = Cells(figures_of(run.metrics, run.settings))
    for result in results:
        cells.add(result.record)
    return [*ends, cells.numbers]


def row_ends(results: Sequence[SentenceResult], run: Scoring, *, details: bool = False) -> list[str]:
    """Return the text of each sentence behind its number, with the keys of the evaluation's ``to_dict``."""
    ends = []
    listing = [metric for metric in run.metrics if type(metric).listed is not Metric.listed]
    for result in results:
        text = f"{_place(result)}, {_counts(result.record)}"
        if listing or details:
            more = {**result.listed(listing), **(result.details() if details else {})}
            text += "".join([f', "{key}": {_listed(item)}' for key, item in more.items()])
        ends.append(text + "}")
    return ends


def _listed(item: Any) -> str:
    """Return what else is listed of a sentence, such as its pairs of nodes, as JSON."""
    text: str | None = rows_text(item) if isinstance(item, list) else None
    return line_of(item) if text is None else text


def _place(result: SentenceResult) -> str:
    """Return id, status and sentences as in :meth:`SentenceResult.to_dict`, without the braces."""
    (a, b), (c, d), aligned = result.bead
    state = _state(*result.state)
    return f'{state}, "gold": [{a}, {b}], "system": [{c}, {d}], "aligned": {_ALIGNED[aligned]}'


_ALIGNED = {False: "false", True: "true"}


@lru_cache(1 << 10)
def _state(status: str, reason: str | None, id: str | None) -> str:
    return line_of({"id": id, "status": status, "reason": reason})[1:-1]


def _counts(record: Record) -> str:
    """Return the counts of each metric as in :meth:`Record.of_bead`, without the braces."""
    pattern = pattern_of(record.numbers)
    if pattern is None:  # counts of other packages may be of other types, such as bool
        return line_of(record.of_bead())[1:-1]
    tables = tuple(map(bool, record.tables)) if any(record.tables) else ()
    pieces, items, names = _form(record.schema, pattern, tables)
    others = {name: line_of(record[name].of_bead()) for name in names} if names else {}
    text: str = filled(pieces, items, record.numbers, others)
    return text


@lru_cache(1 << 10)
def _form(
    schema: Schema, pattern: bytes, filled_tables: tuple[bool, ...]
) -> tuple[list[Any], list[Any], list[str]]:
    """Return pieces and items for :func:`filled`, and the metrics whose JSON is not made from numbers.

    Most numbers of a sentence are 0 or 1: these, and their rates, become parts of the pieces.
    """
    present = tuple([pattern[place] > 0 for place in _optional(schema)])
    pieces: list[Any] = [""]
    items: list[Any] = []
    names = []
    layout, end = _layout(schema, present, filled_tables)
    for text, item in layout:
        pieces[-1] += text
        if isinstance(item, str):
            names.append(item)
        else:
            rate = item if isinstance(item, tuple) else ([(1, item)], [], 1)
            if all(pattern[place] < 2 for terms in rate[:2] for _, place in terms):
                value = rate_of(rate, pattern)
                pieces[-1] += "null" if value is None else str(value)
                continue
        if item not in items:
            items.append(item)
        pieces += items.index(item), ""
    pieces[-1] += end
    return pieces, items, names


@cache
def _optional(schema: Schema) -> list[int]:
    """Return the places of the numbers that add an object to the JSON object unless they are 0."""
    return [schema.places[f"{name}.{one}"] for name, kind in schema.kinds for one in kind.json_optional]


@cache
def _layout(
    schema: Schema, present: tuple[bool, ...], filled_tables: tuple[bool, ...]
) -> tuple[list[tuple[str, Any]], str]:
    """Return the items of records, each behind its text, and the text behind the last one.

    An item is the place of a number, a rate for :func:`rate_of`, or a metric whose JSON is not made from
    numbers.

    Args:
        schema: The columns of the records.
        present: True for each optional number that is not 0.
        filled_tables: True for each table that is not empty; without any if all are.
    """
    found: list[tuple[str, Any]] = []
    is_present = iter(present)

    def add(text: str, item: Any, name: str) -> str:
        """Add what is in an item; return the text behind it."""
        if isinstance(item, list):
            return text + line_of(item)
        if isinstance(item, dict):
            text += "{"
            for key, inner in item.items():
                text = add(f'{text}"{key}": ', inner, name) + ", "
            return text.removesuffix(", ") + "}"
        is_rate = isinstance(item, Sums)
        place = item.of(name).terms_at(schema.places) if is_rate else schema.places[f"{name}.{item}"]
        found.append((text, place))
        return ""

    text = ""
    for name, (columns, _, own) in schema.parts.items():
        text += f'"{name}": '
        optional = [one for one in columns.kind.json_optional if next(is_present)]
        layout = None if any(filled_tables[own]) else columns.kind.json_layout(optional)
        if layout is None:
            found.append((text, name))
            text = ", "
        else:
            text = add(text, layout, name) + ", "
    return found, text.removesuffix(", ")


def line_of(content: Any) -> str:
    """Return a value as JSON on one line."""
    return harmless_json(_ENCODER.encode(content))


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


class Json(Format):
    """A JSON object, with each sentence on its own line; ``docs/report.schema.json`` describes every key."""

    choices = ()
    node_pairs = True

    def __init__(self, *, details: bool = False) -> None:
        self.row_ends = partial(rows, details=details)

    def detailed(self) -> Json:
        return Json(details=True)

    def comparison(self, comparison: Any, **how: Any) -> str:
        return text_of(comparison.to_dict()) + "\n"

    def write(self, run: Outcome, sentences: Any, write: Write, *, quiet: bool = False, **names: Any) -> None:
        between = "\n  "
        first: list[str] = []  # texts in memory
        with ExitStack() as stack:
            rest: TextIO | None = None  # file of the texts behind them
            cells = Cells(figures_of(run.metrics, run.settings))
            size = 0
            for chunk in sentences:
                ends = [row for row in chunk.rows if isinstance(row, str)]
                few = chunk.number + len(ends) <= MOST_RESAMPLED + 1
                for counts in chunk.rows if few else ():
                    if not isinstance(counts, str):
                        cells.numbers.extend(counts)
                if not few:
                    del cells.numbers[:]
                numbered = enumerate(ends, chunk.number)
                texts = between, ",\n  ".join([f'{{"number": {number}, {end}' for number, end in numbered])
                size += len(texts[1])
                if rest is None and size > _IN_MEMORY:
                    from tempfile import TemporaryFile

                    how: Any = {"encoding": "utf-8", "errors": "surrogatepass", "newline": "\n"}
                    rest = stack.enter_context(TemporaryFile("w+", **how))
                if rest is None:
                    first += texts
                else:
                    rest.writelines(texts)
                between = ",\n  "
            content = run.evaluation().to_dict()
            if cells.numbers:
                named = named_intervals(cells.columns())
                parts = [*content.items()]
                parts.insert(list(content).index("figures") + 1, ("intervals", listed_intervals(named)))
                content = dict(parts)
            if quiet:
                del content["sentences"]
                write(text_of(content) + "\n")
                return
            # Their key comes last.
            write(text_of({**content, "sentences": []}).removesuffix("]\n}"))
            for text in first:
                write(text)
            if rest is not None:
                rest.seek(0)
                for text in iter(partial(rest.read, 1 << 16), ""):
                    write(text)
            write(("\n " if first or rest else "") + "]\n}\n")


JSON = Json()


_IN_MEMORY = 1 << 22  # maximum number of characters of sentences that wait in memory


def text_of(content: Any) -> str:
    """Return a value as JSON over several lines."""
    return harmless_json(json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False))
