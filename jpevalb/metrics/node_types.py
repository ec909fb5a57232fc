"""Node types: which nodes tree node accuracy may map to each other, as settings and files say it."""

from __future__ import annotations

import os
from functools import partial
from typing import Any, TypeAlias

from ..trees.errors import InputError, SettingsError
from ..trees.files import table_lines
from ..trees.settings import Settings
from ..trees.values import NODE_TYPES
from .mapping import LabelNumbers, Types

TypedLabels: TypeAlias = list[tuple[str, str, int | None]]
"""Labels, the type of each, and the line that says so."""


def load_types(path: str | os.PathLike[str]) -> dict[str, str]:
    """The types of labels in a file, as ``tree_node_accuracy(types=...)`` takes them.

    A line has a type and its labels, with blanks between them; a type may stand in several, and
    ``#`` begins a comment line.

    Raises:
        InputError: it cannot be read, has no types, has a type without labels, or gives a label two.

    Cost: O(length).
    """
    return {label: type for label, type, _ in _typed_labels(os.fspath(path))}


def without_file(settings: Settings) -> Settings:
    """Settings whose types are a dict where a file has them: a worker may have no such file."""
    types: Any = settings.node_types
    if isinstance(types, tuple) or types in NODE_TYPES or "nodes" not in settings.metrics:
        return settings
    return settings.replace(node_types=load_types(types))


def node_types(settings: Settings, names: LabelNumbers) -> Types:
    """The types of a run, for labels as they count in it: cut, and equated by a .prm.

    Raises:
        InputError: as for :func:`load_types`.
        SettingsError: two types for labels that count as one.

    Cost: that of reading the file.
    """
    given: Any = settings.node_types
    source = None
    if isinstance(given, tuple):
        labels: TypedLabels = [(label, type, None) for label, type in given]
    elif given in NODE_TYPES:
        return str(given)
    else:
        source = os.fspath(given)
        labels = _typed_labels(source)
    tables: dict[bool, dict[str | None, tuple[str, str]]] = {False: {}, True: {}}
    for label, type, line in labels:
        for tag, table in tables.items():
            name = names.counted(label, tag=tag)
            first, before = table.setdefault(name, (type, label))
            if first != type and name is not None:
                raise SettingsError(
                    f"found the type {type!r} for {label!r} and {first!r} for {before!r}, which count as one "
                    f"label, {name!r}; expected one type for it",
                    source=source,
                    line=line,
                )
    types = {tag: {name: type for name, (type, _) in table.items()} for tag, table in tables.items()}
    return partial(_type_of, types, names)


def _type_of(types: dict[bool, dict[str | None, str]], names: LabelNumbers, label: str, kind: str) -> str:
    tag = kind == "tag"
    return kind if kind == "word" else types[tag].get(names.counted(label, tag=tag), kind)


def _typed_labels(path: str) -> TypedLabels:
    expected = f"{', '.join(NODE_TYPES)}, or a file"
    found: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(table_lines(path, "the table of node types", expected), 1):
        type, *labels = line.split() or ("#",)
        if type.startswith("#"):
            continue
        if not labels:
            raise InputError(
                f"found {type!r} alone; expected a type and its labels, as in 'concept AOrigin ADestination'",
                source=path,
                line=number,
            )
        for label in labels:
            known, before = found.setdefault(label, (type, number))
            if known != type:
                raise InputError(
                    f"found the label {label!r} with the type {type!r}, in line {before} it has {known!r}; "
                    "expected one type for a label",
                    source=path,
                    line=number,
                )
    if not found:
        raise InputError("found no types; expected lines such as 'concept AOrigin ADestination'", source=path)
    return [(label, type, number) for label, (type, number) in found.items()]
