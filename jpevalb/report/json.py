"""The JSON report: every count and rate."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Sequence
from functools import lru_cache, partial
from tempfile import SpooledTemporaryFile
from typing import Any

from ..base.counts import CountColumns
from ..base.text import UNSEEN
from ..metrics import Metric
from ..metrics.record import Record, picked_rows
from ..metrics.significance import MOST_RESAMPLED, named_intervals
from ..score.evaluation import Cells, figures_of
from ..score.outcome import Outcome, Scoring
from ..score.sentence import SentenceResult
from . import Format, Write

_IN_MEMORY = 1 << 22  # maximum number of bytes of sentences that wait in memory


def rows(
    results: Sequence[SentenceResult], run: Scoring, *, details: bool
) -> list[tuple[list[str], array[int]]]:
    """Return objects without their numbers, which earlier sentences decide, and the numbers of ``Cells``."""
    cells = Cells(figures_of(run.metrics, run.settings))
    listing = [metric for metric in run.metrics if type(metric).listed is not Metric.listed]
    texts = []
    for result, row in zip(results, picked_rows([one.record for one in results], cells.names)):
        cells.add(record := result.record, row)
        more = {**result.listed(listing), **(result.details() if details else {})}
        counts = [f'"{name}": {_counts(record, name)}' for name in record.names]
        _, _, place = line_of(result.place())[:-1].partition(", ")  # the number is the first
        parts = [place, *counts, *([line_of(more)[1:-1]] if more else [])]
        texts.append(", ".join(parts) + "}")
    return [(texts, cells.numbers)]


def _counts(record: Record, name: str) -> str:
    columns, own, others = record.schema.parts[name]
    if any(record.tables[others]):
        return line_of(record[name].of_bead())
    return _numbers(columns, record.numbers[own])


@lru_cache(1 << 13)
def _numbers(columns: CountColumns, numbers: tuple[int, ...]) -> str:
    """Return counts without tables as JSON; many sentences share these, or those of a part."""
    if columns.is_flat or not columns.json_has_fields_only:
        return line_of(columns.record(numbers, columns.empty).of_bead())
    parts = [(name, inner, numbers[own]) for name, (inner, own, _) in columns.parts.items()]
    texts = [f'"{name}": {_numbers(inner, own) if inner else own[0]}' for name, inner, own in parts]
    return f"{{{', '.join(texts)}}}"


def harmless_json(text: str) -> str:
    r"""Escape the characters of JSON that control a terminal or that UTF-8 lacks.

    >>> print(harmless_json('["\x9b31m", "a"]'))
    ["\u009b31m", "a"]
    """
    if text.isascii() and "\x7f" not in text:
        return text
    # Line feeds separate values; inside strings they are already escaped.
    return re.sub(UNSEEN, lambda found: found[0] if found[0] == "\n" else f"\\u{ord(found[0]):04x}", text)


# Nothing contains itself: a check would take a tenth of the time.
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False).encode


def line_of(content: Any) -> str:
    """Return a value as JSON on one line."""
    return harmless_json(_encode(content))


def text_of(content: Any) -> str:
    """Return a value as JSON over several lines."""
    return harmless_json(json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False))


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
        # The sums are written first, but known last.
        how: Any = {"encoding": "utf-8", "errors": "surrogatepass", "newline": "\n"}
        with SpooledTemporaryFile(_IN_MEMORY, "w+", **how) as waiting:
            cells = Cells(figures_of(run.metrics, run.settings))
            count = 0
            for chunk in sentences:
                for texts, numbers in chunk.rows:
                    numbered = [f'\n  {{"number": {k}, {text}' for k, text in enumerate(texts, count + 1)]
                    waiting.write("," * (count > 0) + ",".join(numbered))
                    count += len(texts)
                    if count <= MOST_RESAMPLED:
                        cells.numbers.extend(numbers)
            evaluation = run.evaluation()
            if quiet:
                write(text_of(evaluation.sums(evaluation.intervals)) + "\n")
                return
            content = evaluation.sums(named_intervals(cells.columns()) if 0 < count <= MOST_RESAMPLED else {})
            # Their key comes last.
            write(text_of({**content, "sentences": []}).removesuffix("]\n}"))
            waiting.seek(0)
            for text in iter(partial(waiting.read, 1 << 16), ""):
                write(text)
            write(("\n " if count else "") + "]\n}\n")


JSON = Json()
