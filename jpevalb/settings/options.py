"""Option rows: the one declaration of an option, for the command line, help, checks and signatures."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, fields
from types import MappingProxyType
from typing import Any, NamedTuple, TypedDict, TypeVar

from ..base.files import Path
from ..base.values import ENCODING, NAME, SWITCH, Values, one_of
from ..formats.detect import FORMAT
from .convention import Convention
from .params import Params

if sys.version_info >= (3, 11):
    from typing import Unpack as Unpack
else:
    from typing_extensions import Unpack as Unpack

T = TypeVar("T")

# Values of ``used_by``
EVERY_RUN = ("every run",)
ALIGNED_WORDS, IDENTICAL_WORDS, WORD_TIMES = ("aligned words",), ("identical words",), ("word times",)


class Option(NamedTuple):
    """One option."""

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
    return field(default=default, metadata={"option": Option(*row, **{**more, "setting": True})})


def setting(row: Option, default: T) -> T:
    """Declare a field of ``Settings`` with a row of both commands."""
    return field(default=default, metadata={"option": row._replace(setting=True)})


def with_options(record: type[T]) -> type[T]:
    """Class decorator: list the options of a dataclass in its docstring."""
    rows = options_of(record)
    listed = [f"        {name}: {row.help}." for name, row in rows.items()]
    record.__doc__ = (record.__doc__ or "").format(options="\n".join(listed).lstrip())
    return record


def options_of(cls: type) -> dict[str, Option]:
    """Return the rows of a record's fields by name."""
    return {one.name: one.metadata["option"] for one in fields(cls) if "option" in one.metadata}


class Options(TypedDict, total=False):
    """Fields of :class:`Settings` as keyword arguments, so that type checkers know their names."""

    mode: str
    metrics: str | Sequence[str]
    convention: str | Convention | None
    prm: Path | Params | None
    lang: str
    exceptions: Path | None
    align_ratio: float
    unlike: str
    pair: str
    unlabeled: bool
    exclude_trivial: bool
    max_fanout: int | None
    punctuation: str | Iterable[str]
    cut_at: str | Iterable[str]
    drop_subtrees: str | Iterable[str]
    empty_f1: str
    least_words: int
    most_words: int | None
    least: int | None
    whole: str | None
    repeats: str | None
    only_tags: str | Iterable[str]
    compare: str | None
    cutoff: int | tuple[int, ...] | None
    traces: str
    unit: str
    strict_terminals: bool
    silence: str
    remove_silence: bool
    most_memory: int
    format: str
    gold_format: str | None
    sys_format: str | None
    nbest: bool
    encoding: str | None
    gold_encoding: str | None
    sys_encoding: str | None
    tags: str
    gold_tags: str | None
    sys_tags: str | None
    on_error: str
    by_label: bool
    analysis: bool
    error_classes: Path | None
    node_types: Path | Mapping[str, str] | tuple[tuple[str, str], ...]
    gold_times: Path | None
    sys_times: Path | None
    tier: str | None
    repair: bool
    several: str
    field: str | None
    gold_field: str | None
    id_field: str | None
    separator: str | None
