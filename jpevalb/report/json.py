"""The JSON report: every count and rate."""

from __future__ import annotations

import json

from ..results import Evaluation


def report(evaluation: Evaluation, *, quiet: bool = False) -> str:
    """The evaluation as a JSON object; rates are in [0, 1], ``null`` where undefined.

    Keys: ``signature``; ``total`` and ``cutoff``, each with the records of
    ``beads``, ``brackets``, ``tags`` and the other metrics; ``cutoff_length``;
    ``unaligned`` and ``unparsed``, the first five of each; ``warnings``; and,
    unless ``quiet``, ``sentences``: number, half-open ranges of gold and system
    sentences, whether they are aligned, and the same records.
    """
    content = evaluation.to_dict()
    if quiet:
        del content["sentences"]
    return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
