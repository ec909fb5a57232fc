"""Writes the parts of report.schema.json that metrics declare themselves: ``python docs/schema.py``.

A metric's part is read from its record of no pair, with what the comments and
docstrings of the record's class say of each count and rate, so that a new metric needs no line in the schema.
"""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any

from jpevalb.base.counts import Counts
from jpevalb.metrics import metric_of
from jpevalb.settings.rules import RunRules
from jpevalb.settings.settings import REGISTRY, Settings

FILE = Path(__file__).with_name("report.schema.json")

BY_HAND = ("brackets", "tags", "alignment", "siou", "nodes", "concepts", "answers", "labels", "analysis")
"""Metrics whose part has shapes that a record of counts does not tell."""


def schema(text: str) -> str:
    """The schema with the parts of all metrics that declare theirs.

    Args:
        text: The schema as it is.
    """
    content = json.loads(text)
    parts = content["$defs"]
    for name in REGISTRY:
        if name in BY_HAND:
            continue
        metric = metric_of(name)
        zero = metric(Settings(convention="jpevalb"), RunRules(Settings(convention="jpevalb"))).zero()
        parts[name] = {"description": _sentence(metric.__doc__), **_object(zero)}
        for whole in ("record", "sentence"):
            parts[whole]["properties"][name] = {"$ref": f"#/$defs/{name}"}
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _object(record: Counts) -> dict[str, Any]:
    said = _said(type(record))
    found: dict[str, Any] = {}
    for key, value in record.to_dict().items():
        part: dict[str, Any]
        if isinstance(value, dict):
            part = _object(getattr(record, key))
        elif isinstance(value, int):
            part = {"type": "integer", "minimum": 0}
        else:
            part = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
        found[key] = {"description": said[key], **part}
    return {
        "type": "object",
        "properties": found,
        "required": list(found),
        "additionalProperties": False,
    }


def _said(kind: type) -> dict[str, str]:
    """What the comments on the fields of a class and the docstrings of its properties say."""
    found: dict[str, str] = {}
    for one in reversed(kind.__mro__):
        source = "" if one in (object, Counts) else inspect.getsource(one)
        behind = re.findall(r"^    (\w+): .*  #:? (.*)$", source, re.MULTILINE)
        above = [pair[::-1] for pair in re.findall(r"^    #: (.*)\n    (\w+): ", source, re.MULTILINE)]
        for name, said in behind + above:
            found[name] = said[0].upper() + said[1:] + "."
        for name, value in vars(one).items():
            if isinstance(value, property):
                found[name] = _sentence(value.__doc__)
    return found


def _sentence(text: str | None) -> str:
    first = (text or "").strip().split("\n\n")[0]
    return " ".join(first.replace("``", "").replace("None", "null").split())


if __name__ == "__main__":
    FILE.write_text(schema(FILE.read_text(encoding="utf-8")), encoding="utf-8")
