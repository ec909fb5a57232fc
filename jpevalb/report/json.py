"""The JSON report: every count and rate."""

from __future__ import annotations

import json

from ..results import Evaluation
from .escape import harmless_json


def report(evaluation: Evaluation, *, quiet: bool = False) -> str:
    """The evaluation as a JSON object; rates are in [0, 1], ``null`` where undefined.

    ``docs/report.schema.json`` describes every key; ``quiet`` leaves out ``sentences``.
    """
    content = evaluation.to_dict()
    if quiet:
        del content["sentences"]
    return harmless_json(json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)) + "\n"
