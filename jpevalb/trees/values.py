"""The values that settings may have."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from .answer import SEVERAL
from .errors import SettingsError
from .params import Params

UNITS = ("auto", "word", "char")

EMPTY_F1 = ("none", "one")
"""What the F1 of a sentence without a constituent on either side may be."""

SILENCE = ("keep", "drop", "shared")
"""What may be made of the time between words."""

ROUNDING = 0.02
"""Seconds by which words may overlap: start and duration are often rounded to 0.01 s apart."""

POSITION, LABEL, NONE = NODE_TYPES = ("position", "label", "none")
"""Which nodes may map to each other for tree node accuracy, where no file or dict says so."""

TRACES = ("auto", "keep", "drop")
"""What may be done with words tagged ``-NONE-``."""

NO_LIST = "none"
"""The language code that stands for an empty list of contractions."""

LISTS = os.path.join(os.path.dirname(os.path.dirname(__file__)), "alignment", "exceptions")
"""The folder of the lists of contractions, a file a language."""

SWITCHES = (
    "strict_terminals",
    "unlabeled",
    "by_label",
    "analysis",
    "exclude_trivial",
    "repair",
    "remove_silence",
)
"""Settings that are on or off."""

READING = ("format", "gold_format", "sys_format", "encoding", "gold_encoding", "sys_encoding")

ANSWERS = ("answers", "jsonl")
"""The formats of what a language model wrote."""

PAIRINGS: dict[str, tuple[str, ...]] = {"align": ("align_ratio", "unlike"), "order": (), "id": (), "auto": ()}
"""For each way to pair sentences the settings that it alone looks at; ``auto`` is by id or by order."""

UNLIKE = ("pair", "alone")
"""What may be made of beads whose texts are not similar."""


def check_types(settings: Any) -> None:
    """Makes sure that names are names.

    Raises:
        SettingsError: one that is something else.
    """
    for name in ("prm", "exceptions", "error_classes", "gold_times", "sys_times"):
        value = getattr(settings, name)
        fits = isinstance(value, (str, os.PathLike)) or (name == "prm" and isinstance(value, Params))
        if value is not None and not fits:
            raise SettingsError(f"found {name}={value!r}; expected the name of a file")
    given = settings.node_types
    if not isinstance(given, (str, os.PathLike)):
        pairs = given if isinstance(given, tuple) else None
        if pairs is None or not all(isinstance(part, str) for pair in pairs for part in pair):
            raise SettingsError(
                f"found node_types={given!r}; expected one of {', '.join(NODE_TYPES)}, the name of a file, "
                "or a dict from labels to types, which are strings"
            )
    for name in (*READING, "field", "gold_field", "id_field", "separator"):
        value = getattr(settings, name)
        if value is not None and not isinstance(value, str):
            raise SettingsError(f"found {name}={value!r}; expected a name, a str")
    for name in SWITCHES:
        value = getattr(settings, name)
        if value not in (True, False):
            raise SettingsError(f"found {name}={value!r}; expected True or False")
    if not isinstance(settings.punctuation, Iterable):
        raise SettingsError(f"found punctuation={settings.punctuation!r}; expected tags")


def languages() -> list[str]:
    """The codes of the languages that have a list of contractions here.

    >>> "en" in languages()
    True
    """
    return sorted(entry[:-4] for entry in os.listdir(LISTS) if entry.endswith(".tsv"))


def check_language(lang: str) -> None:
    """Makes sure that there is a list of contractions for a language.

    Raises:
        SettingsError: there is none.
    """
    if lang not in ("en", NO_LIST) and lang not in languages():
        raise SettingsError(
            f"found language {lang!r}; expected one of {', '.join(languages())}, or {NO_LIST} for no list; "
            "a list of your own goes in a file"
        )


def check_encoding(name: str | None) -> None:
    """Makes sure that text can have an encoding.

    Raises:
        SettingsError: no such encoding, or one that is not of text.
    """
    try:
        "".encode(name or "utf-8")
    except (LookupError, ValueError):  # a NUL in a name is a plain ValueError
        raise SettingsError(
            f"the encoding {name!r} is unknown; expected one that Python knows, such as latin-1"
        ) from None


def check_values(settings: Any) -> None:
    """Makes sure that each value has a meaning.

    Raises:
        SettingsError: one that has none.
    """

    def check(fits: bool, found: str, name: str, expected: str) -> None:
        if not fits:
            raise SettingsError(f"found {found}{getattr(settings, name)!r}; expected {expected}")

    def number(name: str, least: float) -> bool:
        value = getattr(settings, name)
        return isinstance(value, int) and value >= least

    def one_of(name: str, found: str, choices: Iterable[str], expected: str = "") -> None:
        check(getattr(settings, name) in choices, found, name, expected or f"one of {', '.join(choices)}")

    ratio = settings.align_ratio
    fits = isinstance(ratio, (int, float)) and 0 <= ratio <= 1
    check(fits, "the align ratio ", "align_ratio", "a number from 0 to 1")
    one_of("unlike", "unlike=", UNLIKE, "'pair' or 'alone'")
    fits = settings.cutoff is None or isinstance(settings.cutoff, int)
    check(fits, "the cutoff ", "cutoff", "a whole number of units")
    check(number("most_memory", 1), "most_memory ", "most_memory", "a number of bytes from 1 on")
    one_of("unit", "the unit ", UNITS, ", ".join(UNITS))
    one_of("silence", "silence=", SILENCE)
    one_of("on_error", "on_error ", ("stop", "skip"), "'stop' or 'skip'")
    if settings.max_fanout is not None and not number("max_fanout", 1):
        raise SettingsError(f"found max_fanout {settings.max_fanout}; expected a number of blocks from 1")
    one_of("empty_f1", "empty_f1=", EMPTY_F1, "'none' or 'one'")
    one_of("traces", "traces=", TRACES)
    check(number("least_words", 0), "least_words ", "least_words", "a number of words")
    one_of("several", "several=", SEVERAL, "'first' or 'join'")
    one_of("pair", "pair ", PAIRINGS)
    check_language(settings.lang)
    for name in ("encoding", "gold_encoding", "sys_encoding"):
        check_encoding(getattr(settings, name))
