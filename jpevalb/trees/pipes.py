"""Inputs that can be read only once: pipes, by whatever name."""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def is_pipe(name: str) -> bool:
    """Whether a name leads to something that can be read only once, such as ``<(...)`` of the shell."""
    try:
        return stat.S_ISFIFO(os.stat(name).st_mode)
    except (OSError, ValueError):
        return False


def same_pipe(names: Sequence[str]) -> tuple[str, str] | None:
    """The first two of several inputs that are one and the same pipe: each would get what the other leaves.

    Args:
        names: Paths; ``-`` for the standard input, which is none to be named twice even if
            it is a file.

    Returns:
        Two of the names, or ``None``.  A file may be read as often as one likes, ``/dev/stdin``
        too where the shell has led it there.
    """
    met: dict[tuple[int, int], str] = {}
    for number, name in enumerate(names):
        if name == "-" and "-" in names[:number]:
            return name, name
        try:
            found = os.fstat(0) if name == "-" else os.stat(name)
        except (OSError, ValueError):
            continue
        if stat.S_ISFIFO(found.st_mode) or stat.S_ISSOCK(found.st_mode):
            file = found.st_dev, found.st_ino
            if file in met:
                return met[file], name
            met[file] = name
    return None
