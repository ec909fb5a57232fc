"""The values that settings may have."""

from __future__ import annotations

import os
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


def check_values(settings: Any) -> None:
    """Makes sure that each value has a meaning.

    Raises:
        SettingsError: one that has none.
    """
    if not isinstance(settings.align_ratio, (int, float)) or not 0 <= settings.align_ratio <= 1:
        raise SettingsError(f"found the align ratio {settings.align_ratio!r}; expected a number from 0 to 1")
    if settings.unlike not in UNLIKE:
        raise SettingsError(f"found unlike={settings.unlike!r}; expected 'pair' or 'alone'")
    if settings.cutoff is not None and not isinstance(settings.cutoff, int):
        raise SettingsError(f"found the cutoff {settings.cutoff!r}; expected a whole number of units")
    if not isinstance(settings.most_memory, int) or settings.most_memory < 1:
        raise SettingsError(
            f"found most_memory {settings.most_memory!r}; expected a number of bytes from 1 on"
        )
    if settings.unit not in UNITS:
        raise SettingsError(f"found the unit {settings.unit!r}; expected {', '.join(UNITS)}")
    if settings.silence not in SILENCE:
        raise SettingsError(f"found silence={settings.silence!r}; expected one of {', '.join(SILENCE)}")
    if settings.on_error not in ("stop", "skip"):
        raise SettingsError(f"found on_error {settings.on_error!r}; expected 'stop' or 'skip'")
    if settings.max_fanout is not None and not (
        isinstance(settings.max_fanout, int) and settings.max_fanout >= 1
    ):
        raise SettingsError(f"found max_fanout {settings.max_fanout}; expected a number of blocks from 1")
    if settings.empty_f1 not in EMPTY_F1:
        raise SettingsError(f"found empty_f1={settings.empty_f1!r}; expected 'none' or 'one'")
    if settings.traces not in TRACES:
        raise SettingsError(f"found traces={settings.traces!r}; expected one of {', '.join(TRACES)}")
    if not isinstance(settings.least_words, int) or settings.least_words < 0:
        raise SettingsError(f"found least_words {settings.least_words!r}; expected a number of words")
    if settings.several not in SEVERAL:
        raise SettingsError(f"found several={settings.several!r}; expected 'first' or 'join'")
    if settings.pair not in PAIRINGS:
        raise SettingsError(f"found pair {settings.pair!r}; expected one of {', '.join(PAIRINGS)}")
