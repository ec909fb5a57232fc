"""The JSON report: every count and rate."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, lru_cache, partial
from typing import Any

from ..base.counts import Columns, Sums
from ..kernels.rows import rows_text, with_rates
from ..metrics import Metric
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
        more = result.listed(listing) if listing else {}
        if details:
            more |= result.details()
        record = result.record
        numbers, tables = record.numbers, record.tables
        parts = []
        for name, (columns, pick, own) in record.schema.parts.items():
            is_flat = not any(tables[own])
            text = _text(columns, pick(numbers)) if is_flat else line_of(record[name].of_bead())
            parts.append(f'"{name}": {text}')
        parts += [f'"{key}": {_listed(item)}' for key, item in more.items()]
        ends.append(f"{_place(result)}, {', '.join(parts)}}}")
    return ends


def _listed(item: Any) -> str:
    """Return what else is listed of a sentence, such as its pairs of nodes, as JSON."""
    text: str | None = rows_text(item) if isinstance(item, list) else None
    return line_of(item) if text is None else text


def _place(result: SentenceResult) -> str:
    """Return id, status and sentences as in :meth:`SentenceResult.to_dict`, without the braces."""
    bead = result.bead
    (a, b), (c, d), aligned = bead.gold, bead.system, "true" if bead.aligned else "false"
    return f'{_state(*result.state)}, "gold": [{a}, {b}], "system": [{c}, {d}], "aligned": {aligned}'


@lru_cache(1 << 10)
def _state(status: str, reason: str | None, id: str | None) -> str:
    return line_of({"id": id, "status": status, "reason": reason})[1:-1]


@lru_cache(1 << 14)
def _text(columns: Columns, numbers: tuple[int, ...]) -> str:
    """Return the counts of a metric without tables as JSON; many sentences have the same ones."""
    form = _form(columns, tuple([numbers[k] != 0 for k in _optional(columns)]))
    # Counts of other packages may be of other types, such as bool.
    if form is None or {*map(type, numbers)} != {int}:
        return line_of(columns.record(numbers, columns.empty).of_bead())
    text, items = form
    return text % with_rates(items, numbers)


@cache
def _optional(columns: Columns) -> list[int]:
    """Return the indices of the numbers that add an object to the JSON object unless they are 0."""
    return [columns.numbers.index(name) for name in columns.kind.json_optional]


@cache
def _form(columns: Columns, present: tuple[bool, ...]) -> tuple[str, list[Any]] | None:
    """Return the counts of a metric without tables as a format string, and the items that fill it.

    The items are those of ``with_rates``.  ``present`` has True for optional numbers that are not 0.
    """
    items: list[Any] = []

    def text_of(item: Any) -> str:
        if isinstance(item, dict):
            return "{" + ", ".join([f'"{key}": {text_of(inner)}' for key, inner in item.items()]) + "}"
        if isinstance(item, list):
            return line_of(item)
        is_rate = isinstance(item, Sums)
        items.append(item.terms_at(columns.numbers) if is_rate else columns.numbers.index(item))
        return "%s" if is_rate else "%d"

    names = [name for name, is_present in zip(columns.kind.json_optional, present) if is_present]
    layout = columns.kind.json_layout(names)
    return None if layout is None else (text_of(layout), items)


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
        from tempfile import SpooledTemporaryFile

        between = "\n  "
        how: Any = {"encoding": "utf-8", "errors": "surrogatepass", "newline": "\n"}
        with SpooledTemporaryFile(_IN_MEMORY, "w+", **how) as rows:
            cells = Cells(figures_of(run.metrics, run.settings))
            for chunk in sentences:
                ends = [row for row in chunk.rows if isinstance(row, str)]
                few = chunk.number + len(ends) <= MOST_RESAMPLED + 1
                for counts in chunk.rows if few else ():
                    if not isinstance(counts, str):
                        cells.numbers.extend(counts)
                if not few:
                    del cells.numbers[:]
                numbered = enumerate(ends, chunk.number)
                text = ",\n  ".join([f'{{"number": {number}, {end}' for number, end in numbered])
                rows.write(between + text)
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
            rows.seek(0)
            for piece in iter(lambda: rows.read(1 << 16), ""):
                write(piece)
            write(("\n " if between != "\n  " else "") + "]\n}\n")


JSON = Json()


_IN_MEMORY = 1 << 20  # maximum number of bytes of sentences that wait in memory


def text_of(content: Any) -> str:
    """Return a value as JSON over several lines."""
    return harmless_json(json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False))
