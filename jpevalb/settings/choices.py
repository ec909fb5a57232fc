"""Values of single options: names to choose from, sizes, and what may name a file."""

from __future__ import annotations

import re
from math import isfinite

from ..base.errors import SettingsError
from ..base.plugins import late
from ..base.values import FILE, LIST, Values, decimal, is_path, one_of, whole_number
from .convention import Convention
from .params import Params
from .tools import TOOLS

SILENCE = ("keep", "drop", "shared")  # treatments of the time between words
POSITION, LABEL, NONE = NODE_TYPES = ("position", "label", "none")  # need no file or dict
NO_LIST = "none"  # the language code of an empty list of contractions
ANSWERS = ("answers", "jsonl")  # formats of language model output
WITHOUT_TREES = ("tokens", "text")  # formats of words alone
PAIRINGS: dict[str, tuple[str, ...]] = {
    "align": ("align_ratio", "unlike"),
    "order": (),
    "id": (),
    "words": (),
    "auto": (),
}
"""For each way to pair sentences, the settings that only it uses; ``auto`` is by id or by order."""


def _size(text: str) -> int:
    """Read a number of bytes, such as ``1.5G``, ``200M`` or ``4096``."""
    match = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)([KMG]?)", text.upper())
    return int(float(match[1]) * 1000 ** " KMG".index(match[2] or " ")) if match else 0


TAGGED = one_of("auto", "yes", "none")
TAGS = Values("tags with blanks between them", LIST.accepts, lambda text: tuple(text.split()))


def _limit(text: str) -> tuple[str, float]:
    name, equals, number = text.rpartition("=")
    return (name if equals else "f1"), float(number)


LIMIT = Values(
    "a number such as 92.5, or FIGURE=NUMBER such as f1=92.5",
    lambda value: isinstance(value, tuple) and bool(value[0]) and isfinite(value[1]) and value[1] >= 0,
    _limit,
)


def _lengths(text: str) -> int | tuple[int, ...]:
    lengths = tuple(sorted(set(map(int, text.split(",")))))
    return lengths if len(lengths) > 1 else lengths[0]


LENGTHS = Values(
    "a whole number from 0, or several such as 10,20,40",
    lambda value: (
        value != ()
        and all(isinstance(one, int) and one >= 0 for one in (value if isinstance(value, tuple) else [value]))
    ),
    _lengths,
)
SHARE = decimal("per cent from 0 to 100, such as 2.5", lambda value: 0 <= value <= 100)
PERCENT = decimal("per cent above 1 up to 100, such as 92.5", lambda value: 1 < value <= 100)
SIZE = Values("a number of bytes from 1, or a size such as 500M", whole_number(1).accepts, _size)
# Codes that are not the beginning of the language's English name
_CODES = {"german": "de", "greek": "el", "spanish": "es", "galician": "gl", "dutch": "nl", "portuguese": "pt"}


def _is_language(value: object) -> bool:
    """Return True for a code; raise a SettingsError for the name of a language."""
    if value in ("en", NO_LIST):
        return True
    known = late("languages")()
    code = _CODES.get(str(value).lower(), str(value)[:2].lower())
    if value not in known and len(str(value)) > 3 and code in known:
        raise SettingsError(f"unknown language {value!r}; did you mean {code}?")
    return value in known


LANGUAGE = Values(
    "one of {} (no list); to use your own list, give exceptions='FILE'",
    _is_language,
    choices=lambda: [*late("languages")(), NO_LIST],
)
TIMES = Values("the name of a file or a folder", is_path)
CONVENTION = Values(
    "one of {}, and after a blank changed rules, such as least:2",
    lambda value: isinstance(value, str) and bool(value.strip()) and bool(Convention.named(value)),
    choices=lambda: list(TOOLS),
)
PRM = Values("the name of a file or Params", lambda value: is_path(value) or isinstance(value, Params))
TYPES = Values(
    f"one of {', '.join(NODE_TYPES)}, the name of a file, or a dict from labels to types, which are strings",
    lambda value: (
        is_path(value)
        or (isinstance(value, tuple) and all(isinstance(part, str) for pair in value for part in pair))
    ),
)

FILES = (FILE, TIMES, PRM, TYPES)  # values that name a file, or may name one
