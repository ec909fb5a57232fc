"""Option rows: the one declaration of an option, for the command line, help, checks and signatures."""

from collections.abc import Mapping, Sequence
from dataclasses import field, fields
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from ..base.values import ENCODING, NAME, SWITCH, Values, one_of
from ..formats.read import FORMAT

T = TypeVar("T")

# Values of ``used_by``
EVERY_RUN = ("every run",)
ALIGNED_WORDS, IDENTICAL_WORDS, WORD_TIMES = ("aligned words",), ("identical words",), ("word times",)


class Option(NamedTuple):
    group: str  # heading of the help that lists it
    metavar: str  # name of its value in the help; empty for a switch
    help: str  # one line of at most 54 characters
    values: Values = SWITCH
    flags: tuple[str, ...] = ()  # spellings on the command line, if not --name
    short: str = ""  # a short spelling, such as -o
    everyday: bool = False  # True if the first screen of the help lists it
    used_by: Sequence[str] = ()  # runs that use it, besides what metrics, formats, pairings, reports declare
    signed: bool = True  # True if signatures show it when it is used and not the default
    setting: bool = False  # True for a field of Settings
    in_command: bool = True  # False for a setting that only Python has
    old: tuple[str, ...] = ()  # further spellings that are read, but not shown
    argparse: Mapping[str, Any] = MappingProxyType({})  # further arguments of add_argument

    def spellings(self, name: str) -> tuple[str, ...]:
        """Return the spellings of the option of this name on the command line."""
        return self.flags or (*filter(None, [self.short]), "--" + name.replace("_", "-"))


READ_OPTIONS = {
    "format": Option(
        "input", "FORMAT", "bracket, discbracket, export, ... (default: auto)", FORMAT, everyday=True,
        used_by=EVERY_RUN),
    "encoding": Option(
        "input", "NAME", "encoding of the files (default: UTF-8)", ENCODING, used_by=EVERY_RUN),
    "on_error": Option(
        "input", "HOW", "at an unreadable sentence: stop (default) or skip it", one_of("stop", "skip"),
        everyday=True, used_by=EVERY_RUN),
    "field": Option(
        "answers of a language model", "NAME", "the field of jsonl with the tree (default: output)", NAME),
}  # fmt: skip
"""Options of reading, which both commands have."""


def option(*row: Any, default: T, **more: Any) -> T:
    """Declare a field of ``Settings`` with its row; ``row`` and ``more`` are arguments of :class:`Option`."""
    return field(default=default, metadata={"option": Option(*row, **more)._replace(setting=True)})


def options_of(record: Any) -> dict[str, Option]:
    """Return the options of a dataclass by name, and list them in its docstring."""
    rows = {one.name: one.metadata["option"] for one in fields(record) if "option" in one.metadata}
    listed = [f"        {name}: {row.help}." for name, row in rows.items()]
    record.__doc__ = record.__doc__.format(options="\n".join(listed).lstrip())
    return rows
