"""The JSON report: every count and rate."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from ..score.scorer import Scorer
from ..score.sentence import SentenceResult
from . import Format, Write
from .escape import harmless_json


def row_ends(results: Sequence[SentenceResult], scorer: Scorer) -> list[str]:
    """Return the text of each sentence behind its number, with the keys of the evaluation's ``to_dict``."""
    found = []
    for result in results:
        content = result.to_dict(scorer.metrics)
        del content["number"]
        found.append(_line_of(content)[1:])
    return found


def detailed_row_ends(results: Sequence[SentenceResult], scorer: Scorer) -> list[str]:
    """Return the same as :func:`row_ends`, with the words, units and constituents of each sentence."""
    return [
        f"{end[:-1]}, {_line_of(result.details())[1:]}"
        for end, result in zip(row_ends(results, scorer), results)
    ]


class Json(Format):
    """A JSON object; rates are in [0, 1], ``null`` where undefined.

    Each sentence is on a line of its own.  ``docs/report.schema.json`` describes every key.

    Args:
        details: Whether sentences have their words, units and constituents.
    """

    choices = ()
    node_pairs = True

    def __init__(self, *, details: bool = False) -> None:
        self._details = details
        self.row_ends = detailed_row_ends if details else row_ends

    def detailed(self) -> Json:
        return Json(details=True)

    def comparison(self, comparison: Any, **how: Any) -> str:
        return _text_of(comparison.to_dict()) + "\n"

    def write(
        self, run: Any, sentences: Iterable[Any], write: Write, *, quiet: bool = False, **names: Any
    ) -> None:
        from tempfile import TemporaryFile

        with TemporaryFile("w+", encoding="utf-8", errors="surrogatepass", newline="\n") as spool:
            between = "\n  "
            for chunk in sentences:
                for number, end in enumerate(chunk.rows, chunk.number):
                    spool.write(f'{between}{{"number": {number}, {end}')
                    between = ",\n  "
            content = run.evaluation().to_dict()
            if quiet:
                del content["sentences"]
                write(_text_of(content) + "\n")
                return
            # Their key comes last.
            write(_text_of({**content, "sentences": []}).removesuffix("]\n}"))
            spool.seek(0)
            for piece in iter(lambda: spool.read(1 << 16), ""):
                write(piece)
            write(("\n " if between != "\n  " else "") + "]\n}\n")


JSON = Json()


def _text_of(content: Any) -> str:
    """Return a value as JSON over several lines."""
    return harmless_json(json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False))


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def _line_of(content: Any) -> str:
    """Return a value as JSON on one line."""
    return harmless_json(_ENCODER.encode(content))
