"""A checker of the keywords that docs/report.schema.json uses."""

from __future__ import annotations

import json
import re

from tests.support.commands import ROOT

SCHEMA = json.loads((ROOT / "docs" / "report.schema.json").read_text(encoding="utf-8"))
TYPES = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
}
IGNORED = {"$schema", "$id", "$defs", "title", "description"}


def errors(value, schema, where="$"):
    """List the errors of a value against a schema; an unsupported keyword is a KeyError."""
    found = []
    for keyword, given in schema.items():
        if keyword in IGNORED:
            continue
        elif keyword == "$ref":
            found += errors(value, SCHEMA["$defs"][given.removeprefix("#/$defs/")], where)
        elif keyword == "oneOf":
            results = [errors(value, choice, where) for choice in given]
            if results.count([]) != 1:
                found += [f"{where}: fits {results.count([])} choices", *min(results, key=len)]
        elif keyword == "type":
            names = [given] if isinstance(given, str) else given
            if not any(TYPES[name](value) for name in names):
                return [f"{where}: {value!r} is no {given}"]
        elif keyword == "const":
            found += [] if value == given else [f"{where}: {value!r} is not {given!r}"]
        elif keyword == "enum":
            found += [] if value in given else [f"{where}: {value!r} is none of {given!r}"]
        elif keyword in ("minimum", "maximum"):
            beyond = value is not None and (value < given if keyword == "minimum" else value > given)
            found += [f"{where}: {value!r} is beyond {given}"] if beyond else []
        elif keyword in ("minItems", "maxItems"):
            # They say nothing of null.
            size = given if value is None else len(value)
            beyond = size < given if keyword == "minItems" else size > given
            found += [f"{where}: {size} items"] if beyond else []
        elif keyword == "pattern":
            found += [] if re.search(given, value) else [f"{where}: {value!r} does not match"]
        elif keyword == "required":
            found += [f"{where}: no {name}" for name in given if name not in value]
        elif keyword == "properties":
            for name, part in given.items():
                if name in value:
                    found += errors(value[name], part, f"{where}.{name}")
        elif keyword == "additionalProperties":
            others = value.keys() - schema.get("properties", {}).keys()
            for name in sorted(others):
                found += [f"{where}: {name}?"] if not given else errors(value[name], given, f"{where}.{name}")
        elif keyword == "items":
            for place, item in enumerate(value or ()):
                found += errors(item, given, f"{where}[{place}]")
        else:
            raise KeyError(keyword)
    return found
