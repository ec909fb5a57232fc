"""Files for tests to read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path


def write_files(folder: Path, contents: Mapping[str, str | bytes | Iterable[str]]) -> Path:
    """Write files of these names, each from a text, bytes or lines, and return their folder."""
    for name, content in contents.items():
        if isinstance(content, bytes):
            (folder / name).write_bytes(content)
        else:
            text = content if isinstance(content, str) else "".join(f"{line}\n" for line in content)
            (folder / name).write_text(text, encoding="utf-8")
    return folder
