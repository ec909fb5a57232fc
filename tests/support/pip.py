"""Stands in for ``pip install --quiet ./PACKAGE`` in the pages: one module with entry points."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path


def install(packages: Path, source: Path) -> None:
    """Install the module of ``source`` into ``packages``, with the entry points of its pyproject.toml."""
    project = (source / "pyproject.toml").read_text(encoding="utf-8")
    name, version = (re.search(rf'^{key} = "(.*)"$', project, re.MULTILINE)[1] for key in ("name", "version"))
    metadata = packages / f"{name}-{version}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    group, points = re.search(
        r'^\[project\.entry-points\."(.*)"\]\n((?:.+\n)+)', project, re.MULTILINE
    ).groups()
    (metadata / "entry_points.txt").write_text(f"[{group}]\n{points.replace(chr(34), '')}")
    shutil.copy(source / f"{name}.py", packages)


if __name__ == "__main__":
    folder, *arguments = sys.argv[1:]
    assert arguments[:-1] == ["install", "--quiet"], arguments
    install(Path(folder), Path(arguments[-1]))
