"""The JSON report: every count and rate."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ..flow.summary import SentenceResult, node_pairs
from ..metrics import Metric
from .escape import harmless_json


def report(evaluation: Any, *, quiet: bool = False) -> str:
    """The evaluation as a JSON object; rates are in [0, 1], ``null`` where undefined.

    Each sentence is on a line of its own.  ``docs/report.schema.json`` describes
    every key; ``quiet`` leaves out ``sentences``.
    """
    content = evaluation.to_dict()
    sentences = content.pop("sentences")
    if quiet:
        return text_of(content) + "\n"
    head, tail = around_sentences(content)
    lines = ",".join([f"\n  {line_of(item)}" for item in sentences])
    return head + lines + ("\n " if lines else "") + tail


def text_of(content: Any) -> str:
    """A value as JSON over several lines."""
    return harmless_json(json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False))


def line_of(content: Any) -> str:
    """A value as JSON on one line."""
    return harmless_json(json.dumps(content, ensure_ascii=False, allow_nan=False))


def around_sentences(content: dict[str, Any]) -> tuple[str, str]:
    """What stands before and behind the sentences: their key comes last."""
    text = text_of({**content, "sentences": []})
    return text.removesuffix("]\n}"), "]\n}\n"


def sentence(result: SentenceResult, metrics: Sequence[Metric]) -> str:
    """A sentence as it stands in the report.

    It is what ``Evaluation.to_dict`` has of it, the metrics being the evaluation's.
    """
    end = result.known
    if not isinstance(end, str):
        end = sentence_end(result, metrics)
    gold, system = line_of(result.bead.gold), line_of(result.bead.system)
    return f'{{"number": {result.number}, "gold": {gold}, "system": {system}, {end}'


def sentence_end(result: SentenceResult, metrics: Sequence[Metric]) -> str:
    """The part of it that does not depend on the sentences before; workers make it."""
    content = result.to_dict()
    for key in ("number", "gold", "system"):
        del content[key]
    if any(metric.name == "siou" for metric in metrics):
        content["node_pairs"] = node_pairs(metrics, result.pair)
    return line_of(content)[1:]
