"""``examples/first-look.ipynb``: its cells run, and the notebook has what they print.

``python -m tests.project.test_example_notebook`` executes it again and stores the outputs.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import ROOT

NOTEBOOK = ROOT / "examples" / "first-look.ipynb"
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def code_cells() -> list[dict[str, Any]]:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def stored(cell: dict[str, Any]) -> str:
    """Return the text of a cell's outputs, without blanks, which a kernel adds to long lines."""
    texts = [
        "".join(output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"])
        for output in cell["outputs"]
    ]
    return "".join("".join(texts).split())


def run(cell: dict[str, Any], names: dict[str, Any]) -> str:
    """Run a cell; return what it prints and the value of a last expression."""
    tree = ast.parse("".join(cell["source"]))
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, NOTEBOOK.name, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), NOTEBOOK.name, "eval"), names)
            if value is not None:
                print(repr(value))
    return "".join(printed.getvalue().split())


def test_the_cells_print_what_the_notebook_has(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(NOTEBOOK.parent)
    names: dict[str, Any] = {}
    cells = code_cells()
    assert len(cells) >= 6
    for number, cell in enumerate(cells, start=1):
        assert run(cell, names) == stored(cell), f"cell {number}"


def test_the_notebook_shows_tables_and_drawings():
    kinds = [kind for cell in code_cells() for output in cell["outputs"] for kind in output.get("data", {})]
    assert {"text/html", "image/svg+xml"} <= set(kinds)
    assert not ADDRESS.search(NOTEBOOK.read_text(encoding="utf-8"))


if __name__ == "__main__":
    import nbformat
    from nbclient import NotebookClient

    os.chdir(NOTEBOOK.parent)
    book = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(book, timeout=120, kernel_name="python3").execute()
    for cell in book.cells:
        cell.metadata = {}
    book.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    Path(NOTEBOOK).write_text(nbformat.writes(book) + "\n", encoding="utf-8")
