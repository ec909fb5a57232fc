"""The JSON report: every count and rate."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ..metrics import Metric
from ..results import Evaluation, SentenceResult, node_pairs
from .escape import harmless_json


def report(evaluation: Evaluation, *, quiet: bool = False) -> str:
    """The evaluation as a JSON object; rates are in [0, 1], ``null`` where undefined.

    ``docs/report.schema.json`` describes every key; ``quiet`` leaves out ``sentences``.
    """
    content = evaluation.to_dict()
    if quiet:
        del content["sentences"]
    return text_of(content) + "\n"


def text_of(content: Any) -> str:
    """A value as JSON, as reports have it."""
    return harmless_json(json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False))


def sentence(result: SentenceResult, metrics: Sequence[Metric]) -> str:
    """A sentence as it stands in the report, without the indentation of its place there.

    It is what ``Evaluation.to_dict`` has of it, the metrics being the evaluation's.
    """
    gold, system = (
        text_of(list(side)).replace("\n", "\n ") for side in (result.bead.gold, result.bead.system)
    )
    end = result.known
    if not isinstance(end, str):
        end = sentence_end(result, metrics)
    return f'{{\n "number": {result.number},\n "gold": {gold},\n "system": {system},\n{end}'


def sentence_end(result: SentenceResult, metrics: Sequence[Metric]) -> str:
    """The part of it that does not depend on the sentences before; workers make it."""
    content = result.to_dict()
    for key in ("number", "gold", "system"):
        del content[key]
    if any(metric.name == "siou" for metric in metrics):
        content["node_pairs"] = node_pairs(metrics, result.pair)
    return text_of(content)[2:]
