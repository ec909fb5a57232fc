"""Values of options: their spelling on the command line, and the objects that a call may pass."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence

from .errors import SettingsError
from .params import Params
from .typed import Any, NamedTuple

ROUNDING = 0.02  # seconds by which words may overlap: starts and durations are rounded separately
SILENCE = ("keep", "drop", "shared")  # treatments of the time between words
POSITION, LABEL, NONE = NODE_TYPES = ("position", "label", "none")  # need no file or dict
NO_LIST = "none"  # the language code of an empty list of contractions
LISTS = os.path.join(os.path.dirname(os.path.dirname(__file__)), "alignment", "exceptions")
"""The folder of the lists of contractions, one file per language."""

ANSWERS = ("answers", "jsonl")  # formats of language model output
PAIRINGS: dict[str, tuple[str, ...]] = {"align": ("align_ratio", "unlike"), "order": (), "id": (), "auto": ()}
"""For each way to pair sentences, the settings that only it uses; ``auto`` is by id or by order."""


class OptionError(SettingsError):
    """An option with an invalid value, or one that a run does not use."""

    option = ""
    value: object = None
    problem = ""

    @classmethod
    def of(cls, option: str, value: object, problem: str) -> OptionError:
        """Return the error of a call; a command line spells the option in its own way."""
        error = cls(f"found {option}={value!r}{problem}")
        error.option, error.value, error.problem = option, value, problem
        return error


class Values(NamedTuple):
    """The values of one option."""

    text: str  # the values that are accepted; {} stands for the choices
    accepts: Callable[[Any], bool]  # True if a call may pass this object
    read: Callable[[str], Any] = str  # converts text; raises ValueError, or returns what is not accepted
    choices: Callable[[], Sequence[str]] = tuple  # names to choose from, for messages and completion

    @property
    def expected(self) -> str:
        """The end of a message: the values that are accepted."""
        return self.text.format(", ".join(self.choices()))


def one_of(*names: str, more: Callable[[], Sequence[str]] = tuple) -> Values:
    """Return the values of a choice; ``more`` are looked up only for names that are not listed."""
    return Values(
        "one of {}",
        lambda value: isinstance(value, str) and (value in names or value in more()),
        choices=lambda: [*names, *more()],
    )


def whole_number(least: int = 0) -> Values:
    """Return the values of an option that takes a whole number."""
    return Values(
        f"a whole number from {least}", lambda value: isinstance(value, int) and value >= least, int
    )


def decimal(expected: str, accepts: Callable[[float], bool] = lambda value: True) -> Values:
    """Return the values of an option that takes a decimal number."""
    return Values(expected, lambda value: isinstance(value, (int, float)) and accepts(value), float)


def count_or_all() -> Values:
    """Return the values of an option that takes a whole number from 1, or ``all``, which is ``None``."""
    return Values(
        "a whole number from 1, or all",
        lambda value: value is None or (isinstance(value, int) and value >= 1),
        lambda text: None if text == "all" else int(text),
    )


def _size(text: str) -> int:
    """Read a number of bytes, such as ``1.5G``, ``200M`` or ``4096``."""
    match = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)([KMG]?)", text.upper())
    return int(float(match[1]) * 1000 ** " KMG".index(match[2] or " ")) if match else 0


def list_of(*names: str) -> Values:
    """Return the values of an option that takes names; those listed are proposed."""
    return Values(
        "names with commas between them",
        lambda value: isinstance(value, tuple),
        # No name at all is accepted in a call only.
        lambda text: tuple(name for name in map(str.strip, text.split(",")) if name) or None,
        lambda: names,
    )


def is_path(value: object) -> bool:
    """Return True for the name of a file."""
    return isinstance(value, (str, os.PathLike))


def is_encoding(name: object) -> bool:
    """Return True for an encoding of text that Python knows."""
    try:
        return isinstance(name, str) and "".encode(name) is not None
    except (LookupError, ValueError):  # a NUL in a name is a plain ValueError
        return False


def languages() -> list[str]:
    """Return the codes of the languages that have a list of contractions."""
    return sorted(entry[:-4] for entry in os.listdir(LISTS) if entry.endswith(".tsv"))


SWITCH = Values("True or False", lambda value: value in (True, False))
NAME = Values("a name", lambda value: isinstance(value, str))
LIST = list_of()
TAGS = Values("tags with blanks between them", LIST.accepts, lambda text: tuple(text.split()))
MARKS = Values(
    "marks with blanks between them",
    lambda value: isinstance(value, tuple) and all(isinstance(mark, str) and mark for mark in value),
    TAGS.read,
)
PERCENT = decimal("per cent above 1 up to 100, such as 92.5", lambda value: 1 < value <= 100)
SIZE = Values("a number of bytes from 1, or a size such as 500M", whole_number(1).accepts, _size)
ENCODING = Values("an encoding that Python knows, such as latin-1", is_encoding)
LANGUAGE = Values(
    "one of {} (no list); a list of your own goes in a file (exceptions)",
    lambda value: value in ("en", NO_LIST) or value in languages(),
    choices=lambda: [*languages(), NO_LIST],
)
FILE = Values("the name of a file", is_path)
TIMES = Values("the name of a file or a folder", is_path)
PRM = Values("the name of a file or Params", lambda value: is_path(value) or isinstance(value, Params))
TYPES = Values(
    f"one of {', '.join(NODE_TYPES)}, the name of a file, or a dict from labels to types, which are strings",
    lambda value: (
        is_path(value)
        or (isinstance(value, tuple) and all(isinstance(part, str) for pair in value for part in pair))
    ),
)

FILES = (FILE, TIMES, PRM, TYPES)  # values that name a file, or may name one


def check(name: str, value: object, values: Values) -> None:
    """Raise a SettingsError unless the value is among those of its option."""
    if not values.accepts(value):
        raise OptionError.of(name, value, f"; expected {values.expected}")
