"""The command that makes the figures of a page again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from ..comparison import Testing
from ..comparison.result import Comparison
from ..metrics.significance import CONFIDENCE, SEED
from ..settings.settings import OPTIONS, Settings


def command_of(
    gold: str, systems: Sequence[str], settings: Settings, comparison: Comparison | None = None
) -> str:
    """Return the command that makes the page; empty if a setting cannot be written in a command."""
    words = ["jpevalb", gold, *systems, "-o", "report.html"]
    for name, value in settings.given().items():
        if name == "analysis":  # of every page
            continue
        parts = value if isinstance(value, tuple) else (value,)
        if not OPTIONS[name].in_command or not all(isinstance(part, (str, int, float)) for part in parts):
            return ""
        words += [OPTIONS[name].spellings(name)[-1], *([] if value is True else [",".join(map(str, parts))])]
    if comparison is not None:
        usual: dict[str, Any] = {"confidence": CONFIDENCE}
        if len(systems) > 1:
            usual |= {"test": "permutation", "correction": "pairs", "seed": SEED}
            test, seed, correction = comparison.test, comparison.seed, comparison.correction
            usual["test_samples"] = Testing(test, seed, None, None, "", correction).test_samples(len(systems))
        for name, default in usual.items():
            value = getattr(comparison, name) or "none"
            if value != default and (value != "none" or name == "test"):
                words += [f"--{name.removeprefix('test_')}", str(value)]
    return shlex.join(words)
