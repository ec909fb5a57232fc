"""The JSON report: every count and rate."""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any

from ..comparison.significance import named_intervals
from ..metrics import PlainRecord
from ..score.evaluation import cells_of, figures_of, listed_intervals
from ..score.scorer import Scorer
from ..score.sentence import PlainResults, SentenceResult
from . import Format, Write
from .escape import harmless_json
from .traced import Memo, line_of, row_template


def rows(results: Sequence[SentenceResult], scorer: Scorer, *, details: bool = False) -> list[Any]:
    """Return the text of each sentence behind its number, then the counts of their figures as an array."""
    ends = row_ends(results, scorer, details=details)  # first: records of plain pairs are not made for it
    figures = figures_of(scorer.metrics, scorer.settings)
    cells = array("q")
    for counts in results.counts if isinstance(results, PlainResults) else [one.counts for one in results]:
        record = scorer.record_of(counts) if isinstance(counts, PlainRecord) else counts
        cells.extend(cells_of(figures, record))
    return [*ends, cells]


def row_ends(results: Sequence[SentenceResult], scorer: Scorer, *, details: bool = False) -> list[str]:
    """Return the text of each sentence behind its number, with the keys of the evaluation's ``to_dict``."""
    if details:
        ends = zip(row_ends(results, scorer), results)
        return [f"{end[:-1]}, {line_of(result.details())[1:]}" for end, result in ends]
    fill = _template(scorer) if isinstance(scorer, Scorer) else None
    siou: Any = next((metric for metric in scorer.metrics if metric.name == "siou"), None)
    if fill is not None and siou is None and isinstance(results, PlainResults):
        return fill(results.numbered())
    found = []
    for result in results:
        counts = result.counts
        if fill is not None and isinstance(counts, PlainRecord):
            [line] = fill([(result.bead.gold[1], result.bead.system[1], counts)])
        else:
            content = result.to_dict()
            del content["number"]
            line = line_of(content)[1:]
        if siou is not None:
            pairs = siou.overlaps(result.pair)
            text = "null" if pairs is None else f"[{', '.join(map(_PAIRS.__getitem__, pairs))}]"
            line = f'{line[:-1]}, "node_pairs": {text}}}'
        found.append(line)
    return found


_template = lru_cache(1)(row_template)
_PAIRS = Memo(lambda pair: f"[{pair[0]}, {pair[1]}, {pair[2]!r}]")


class Json(Format):
    """A JSON object, with each sentence on its own line; ``docs/report.schema.json`` describes every key."""

    choices = ()
    node_pairs = True

    def __init__(self, *, details: bool = False) -> None:
        self.row_ends = partial(rows, details=details)

    def detailed(self) -> Json:
        return Json(details=True)

    def comparison(self, comparison: Any, **how: Any) -> str:
        return _text_of(comparison.to_dict()) + "\n"

    def write(self, run: Any, sentences: Any, write: Write, *, quiet: bool = False, **names: Any) -> None:
        from tempfile import SpooledTemporaryFile

        between = "\n  "
        how: Any = {"encoding": "utf-8", "errors": "surrogatepass", "newline": "\n"}
        with SpooledTemporaryFile(_IN_MEMORY, "w+", **how) as rows:
            cells = array("q")
            for chunk in sentences:
                ends = [row for row in chunk.rows if isinstance(row, str)]
                for counts in chunk.rows:
                    if not isinstance(counts, str):
                        cells.extend(counts)
                numbered = enumerate(ends, chunk.number)
                text = ",\n  ".join([f'{{"number": {number}, {end}' for number, end in numbered])
                rows.write(between + text)
                between = ",\n  "
            content = run.evaluation().to_dict()
            if cells:
                named = named_intervals(figures_of(run.metrics, run.settings), cells)
                parts = [*content.items()]
                parts.insert(list(content).index("figures") + 1, ("intervals", listed_intervals(named)))
                content = dict(parts)
            if quiet:
                del content["sentences"]
                write(_text_of(content) + "\n")
                return
            # Their key comes last.
            write(_text_of({**content, "sentences": []}).removesuffix("]\n}"))
            rows.seek(0)
            for piece in iter(lambda: rows.read(1 << 16), ""):
                write(piece)
            write(("\n " if between != "\n  " else "") + "]\n}\n")


JSON = Json()


_IN_MEMORY = 1 << 20  # maximum number of bytes of sentences that wait in memory


def _text_of(content: Any) -> str:
    """Return a value as JSON over several lines."""
    return harmless_json(json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False))
