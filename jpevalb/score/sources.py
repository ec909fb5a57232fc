"""Sources: names for several of them, and those that are read more than once."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..trees.errors import SettingsError
from ..trees.files import guarded, open_lines
from ..trees.formats import Source
from ..trees.tree import Tree
from .pairing import source_name


def names_of(
    sources: Sequence[Source] | Mapping[str, Source], what: str = "system"
) -> list[tuple[str, Source]]:
    """Each source with a name of its own.

    A mapping's keys are the names.  Otherwise it is the file's name, with its
    folder where two would be alike; what is no file is called by its number.

    Args:
        sources: The sources, in order.
        what: What messages call one of them.

    Raises:
        SettingsError: one source in place of a list of them.

    >>> [name for name, _ in names_of(["a/x.mrg", "b/y.mrg", ["(S (N a))"]])]
    ['x.mrg', 'y.mrg', 'system 3']
    >>> [name for name, _ in names_of(["a/x.mrg", "b/x.mrg", "b/x.mrg"])]
    ['a/x.mrg', 'b/x.mrg', 'b/x.mrg (2)']
    """
    expected = f"expected a list of {what}s, or a mapping of names to {what}s"
    if isinstance(sources, (str, os.PathLike, Tree)) or hasattr(sources, "read"):
        raise SettingsError(f"found one {what}; {expected}")
    if not isinstance(sources, Iterable):
        raise SettingsError(f"found an object of type {type(sources).__name__}; {expected}")
    if isinstance(sources, Mapping):
        names, items = [str(name) for name in sources], list(sources.values())
    else:
        items = list(sources)
        paths = [source_name(source) or f"{what} {place}" for place, source in enumerate(items, 1)]
        names = [os.path.basename(path) or path for path in paths]
        if len(set(names)) < len(names):
            names = paths
    taken: set[str] = set()
    found = []
    for name, source in zip(names, items):
        name = plain = " ".join(name.split()) or what
        times = 1
        while name in taken:
            times += 1
            name = f"{plain} ({times})"
        taken.add(name)
        found.append((name, source))
    return found


class Again:
    """A source that can be read several times: a file is opened anew, anything else is read once and kept.

    Raises:
        InputError: what has to be kept cannot be read.
    """

    def __init__(self, source: Source, encoding: str | None = None) -> None:
        self._source = source
        self._kept: bytes | str | None = None
        if isinstance(source, (str, os.PathLike)):
            if not os.path.isfile(source) and not os.path.isdir(source) and _exists(source):
                # Standard input or a pipe.
                with open_lines(source, encoding=encoding) as lines:
                    self._kept = joined(lines)
        elif hasattr(source, "read"):
            self._kept = joined(guarded(source, source_name(source) or "<file>"))
        elif not isinstance(source, (Tree, Sequence)) and not callable(getattr(source, "label", None)):
            # What is no source is left to the reader's message.
            self._source = list(source) if isinstance(source, Iterable) else source

    def open(self) -> Source:
        """The source from its beginning."""
        return self._source if self._kept is None else named_file(self._kept, source_name(self._source))


def named_file(content: bytes | str, name: str | None) -> Source:
    """What a source has given as a file of its name."""
    file: Any = io.StringIO(content) if isinstance(content, str) else io.BytesIO(content)
    file.name = name or "<file>"
    return file  # type: ignore[no-any-return]


def joined(lines: Iterable[Any]) -> bytes | str:
    """All lines, or blocks, of a source as one."""
    pieces = list(lines)
    whole: bytes | str = pieces[0][:0].join(pieces) if pieces else b""
    return whole


def _exists(path: str | os.PathLike[str]) -> bool:
    return os.fspath(path) == "-" or os.path.exists(path)
