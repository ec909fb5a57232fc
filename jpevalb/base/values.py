"""Values of options: their spelling on the command line, and the objects that a call may pass."""

import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .errors import SettingsError

ROUNDING = 0.02  # seconds by which words may overlap: starts and durations are rounded separately


class OptionError(SettingsError):
    """An option with an invalid value, or one that a run does not use."""

    option = ""
    value: object = None
    problem = ""

    @classmethod
    def of(cls, option: str, value: object, problem: str) -> "OptionError":
        """Return the error of a Python call; the command line spells the option differently."""
        error = cls(f"{option}={value!r}{problem}")
        error.option, error.value, error.problem = option, value, problem
        return error


class Values(NamedTuple):
    text: str  # the values that are accepted; {} stands for the choices
    accepts: Callable[[Any], bool]  # True if a call may pass this object
    read: Callable[[str], Any] = str  # converts text; raises ValueError, or returns what is not accepted
    choices: Callable[[], Sequence[str]] = tuple  # names to choose from, for messages

    @property
    def expected(self) -> str:
        """Accepted values, as the end of a message."""
        return self.text.format(", ".join(self.choices()))


def one_of(*names: str, more: Callable[[], Sequence[str]] = tuple) -> Values:
    """Return the values of a choice; ``more`` are looked up only for names that are not listed."""
    return Values(
        "one of {}",
        lambda value: isinstance(value, str) and (value in names or value in more()),
        choices=lambda: [*names, *more()],
    )


def whole_number(least: int = 0) -> Values:
    return Values(
        f"a whole number from {least}", lambda value: isinstance(value, int) and value >= least, int
    )


def decimal(expected: str, accepts: Callable[[float], bool] = lambda value: True) -> Values:
    return Values(expected, lambda value: isinstance(value, (int, float)) and accepts(value), float)


def list_of(*names: str) -> Values:
    """Return the values of an option that takes names; error messages propose the listed names."""
    return Values(
        "names with commas between them",
        lambda value: isinstance(value, tuple),
        # No name at all is accepted in a call only.
        lambda text: tuple(name for name in map(str.strip, text.split(",")) if name) or None,
        lambda: names,
    )


def is_path(value: object) -> bool:
    return isinstance(value, (str, os.PathLike))


def is_encoding(name: object) -> bool:
    try:
        # A few encodings, such as punycode, cannot pass on bytes that are invalid.
        return isinstance(name, str) and "a".encode(name).decode(name, "surrogateescape") == "a"
    except (LookupError, ValueError):  # a NUL in a name is a plain ValueError
        return False


SWITCH = Values("True or False", lambda value: value in (True, False))
COUNT = Values(
    "a whole number from 1, or auto",
    lambda value: value is None or (isinstance(value, int) and value >= 1),
    lambda text: None if text == "auto" else int(text),
)
NAME = Values("a name", lambda value: isinstance(value, str))
LIST = list_of()
ENCODING = Values("an encoding that Python knows, such as latin-1", is_encoding)
FILE = Values("the name of a file", is_path)


def check(name: str, value: object, values: Values) -> None:
    """Raise a SettingsError unless the value is among those of its option."""
    if not values.accepts(value):
        raise OptionError.of(name, value, f"; expected {values.expected}")
