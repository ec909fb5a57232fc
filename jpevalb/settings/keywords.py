"""The settings as keyword arguments, for type hints."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict

from ..base.files import Path
from .convention import Convention
from .params import Params

if sys.version_info >= (3, 11):
    from typing import Unpack as Unpack
else:
    from typing_extensions import Unpack as Unpack


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
    chains: str
    gold_chains: str | None
    sys_chains: str | None
    binarised: str
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
