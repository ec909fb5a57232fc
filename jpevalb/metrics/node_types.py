"""Node types: which nodes tree node accuracy may map to each other, from the settings or a file."""

from __future__ import annotations

import os
from functools import partial
from typing import Any

from ..base.errors import InputError, SettingsError
from ..base.files import table_lines
from ..settings.settings import NODE_TYPES, Settings
from .mapping import LabelNumbers, Types


def load_types(path: str | os.PathLike[str]) -> dict[str, str]:
    """Read the types for ``tree_node_accuracy(types=...)`` from lines of a type and its labels."""
    return {label: type for label, (type, _) in _typed_labels(os.fspath(path)).items()}


def without_file(settings: Settings) -> Settings:
    """Replace a file of types with its content: a worker may not have the file."""
    types: Any = settings.node_types
    if isinstance(types, tuple) or types in NODE_TYPES or "nodes" not in settings.metrics:
        return settings
    return settings.replace(node_types=load_types(types))


def node_types(settings: Settings, names: LabelNumbers) -> Types:
    """Return the node types of a run by label, after labels are cut and equated by the .prm."""
    given: Any = settings.node_types
    source = None
    typed: list[tuple[str, str, int | None]]
    if isinstance(given, tuple):
        typed = [(label, type, None) for label, type in given]
    elif given in NODE_TYPES:
        return str(given)
    else:
        source = os.fspath(given)
        typed = [(label, *where) for label, where in _typed_labels(source).items()]
    tables: dict[bool, dict[str | None, tuple[str, str]]] = {False: {}, True: {}}
    for label, type, line in typed:
        for tag, table in tables.items():
            name = names.counted(label, tag=tag)
            first, before = table.setdefault(name, (type, label))
            if first != type and name is not None:
                raise SettingsError(
                    f"the type {type!r} for {label!r} and {first!r} for {before!r}, which count as one "
                    f"label, {name!r}; expected one type for it",
                    source=source,
                    line=line,
                )
    types = {tag: {name: type for name, (type, _) in table.items()} for tag, table in tables.items()}
    return partial(_type_of, types, names)


# A function at module level, so that metrics can be pickled.
def _type_of(types: dict[bool, dict[str | None, str]], names: LabelNumbers, label: str, kind: str) -> str:
    tag = kind == "tag"
    return kind if kind == "word" else types[tag].get(names.counted(label, tag=tag), kind)


def _typed_labels(path: str) -> dict[str, tuple[str, int]]:
    """Return the type of each label, and its line."""
    expected = f"{', '.join(NODE_TYPES)}, or a file"
    typed: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(table_lines(path, "the table of node types", expected), 1):
        type, *labels = line.split() or ("#",)
        if type.startswith("#"):
            continue
        if not labels:
            raise InputError(
                f"{type!r} alone; expected a type and its labels, as in 'concept AOrigin ADestination'",
                source=path,
                line=number,
            )
        for label in labels:
            known, before = typed.setdefault(label, (type, number))
            if known != type:
                raise InputError(
                    f"got the label {label!r} with the type {type!r}, but with {known!r} in line {before}; "
                    "expected one type for each label",
                    source=path,
                    line=number,
                )
    if not typed:
        raise InputError("no types; expected lines such as 'concept AOrigin ADestination'", source=path)
    return typed
