"""Signatures: everything that a score depends on beside the two files, in one line."""

from __future__ import annotations

import os
from typing import Any, TypeAlias

from .params import Params
from .values import NODE_TYPES
from .version import __version__

Settings: TypeAlias = Any
"""A ``jpevalb.Settings``, whose signatures are made here: its module imports this one."""

_SHOWN = (
    *("align_ratio", "unlike", "unlabeled", "exclude_trivial", "max_fanout", "punctuation"),
    *("empty_f1", "least_words", "traces", "unit", "strict_terminals", "silence", "most_memory"),
    *("format", "gold_format", "sys_format", "encoding", "gold_encoding", "sys_encoding", "on_error"),
)
"""Settings that a signature has by name, in this order, where they are not as the mode has them."""

_OF_STRUCT_IOU = ("unit", "strict_terminals", "silence", "gold_times", "sys_times")


def signature_of(settings: Settings, paired_by: str) -> str:
    """The signature of a run.

    Args:
        settings: How the files are read, paired and scored.
        paired_by: How the sentences were paired.

    Raises:
        OSError: a list of exceptions, of error classes or of node types cannot be read.
    """
    parts = [f"jpevalb:{__version__}", f"mode:{settings.mode}", f"prm:{prm_name(settings)}"]
    if settings.mode != "alignment" or paired_by != "align":
        parts.append(f"pair:{paired_by}")
    shown = settings.given()
    if "siou" not in settings.metrics:
        # Nothing else depends on them.
        for name in _OF_STRUCT_IOU:
            shown.pop(name, None)
    if not {"siou", "nodes", "tedeval"} & set(settings.metrics):
        shown.pop("most_memory", None)
    if settings.exceptions is not None:
        with open(settings.exceptions, "rb") as file:
            parts.append(f"exceptions:{_base(settings.exceptions)}#{_digest(file.read())}")
    elif not settings.conventions.same_words or "lang" in shown:
        parts.append(f"lang:{settings.lang}")
    parts += [f"{name.replace('_', '-')}:{_text(shown[name])}" for name in _SHOWN if name in shown]
    if settings.analysis and settings.error_classes is not None:
        parts.append(f"error-classes:{_named(settings.error_classes)}")
    if "node_types" in shown and "nodes" in settings.metrics:
        parts.append(f"node-types:{_types_name(settings.node_types)}")
    if settings.answers:
        parts.append(f"answers:{'strict' if not settings.repair else f'repaired-{settings.several}'}")
    for name in ("gold_times", "sys_times"):
        if name in shown:
            parts.append(f"{name.replace('_', '-')}:{_base(shown[name])}")
    return " ".join(parts)


def prm_name(settings: Settings) -> str:
    """What a signature calls the .prm: its name and a digest of what it says."""
    if settings.prm is None:
        return "none"
    params: Params = settings.params()
    name = _base(params.name) if params.name else "given"
    said = [getattr(params, field) for field in ("delete_labels", "delete_labels_for_length")]
    said += [params.eq_labels, params.eq_words, params.labeled]
    added = (params.delete_words, params.delete_root_preterms, params.disc_only)
    if any(added):
        said += [*added]
    return f"{name}#{_digest(repr(said).encode('utf-8', 'surrogatepass'))}"


def _base(path: str | os.PathLike[str]) -> str:
    # The signature is a list of words; a name must stay one of them.
    return "_".join(os.path.basename(os.fspath(path)).split())


def _named(path: str | os.PathLike[str]) -> str:
    """The name of a file and a digest of what it says; of a table that comes with the package the name."""
    if not os.path.exists(path):
        return _base(path)
    with open(path, "rb") as file:
        return f"{_base(path)}#{_digest(file.read())}"


def _types_name(types: Any) -> str:
    """What a signature calls node types: a word, or a name and a digest of what they are."""
    if isinstance(types, tuple):
        return f"given#{_digest(repr(sorted(types)).encode('utf-8', 'surrogatepass'))}"
    return types if types in NODE_TYPES else _named(types)


def _digest(data: bytes) -> str:
    from hashlib import sha256

    return sha256(data).hexdigest()[:8]


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "|".join(value) if isinstance(value, tuple) else str(value)
