"""Sources: the names of several systems, and input that is read more than once."""

from __future__ import annotations

import io
import os
import sys
import threading
from pathlib import Path

import pytest

from jpevalb import InputError, SettingsError, Tree
from jpevalb.score.inputs import Replayable, names_of

TREE = "(S (N a))"


def names(sources, *what):
    return [name for name, _ in names_of(sources, *what)]


def test_names_of_sources():
    trees = [TREE]
    assert names_of(["a/x", trees, Path("b/y")]) == [("x", "a/x"), ("system 2", trees), ("y", Path("b/y"))]
    assert names([trees, trees], "reference") == ["reference 1", "reference 2"]
    # With their folders where two would be alike, and with numbers where these are.
    assert names(["a/x", "b/x", "c/y"]) == ["a/x", "b/x", "c/y"]
    assert names(["x", "x", "x"]) == ["x", "x (2)", "x (3)"]
    assert names(["a/", "b/"]) == ["a/", "b/"]
    assert names({"one": trees, 2: trees, "three\n  four": trees, " ": trees}) == [
        *("one", "2", "three four", "system")
    ]
    assert names({"a b": trees, "a  b": trees, "a b (2)": trees}) == ["a b", "a b (2)", "a b (2) (2)"]
    assert names_of({"one": trees}) == [("one", trees)]
    assert names(iter([trees])) == ["system 1"]
    file = io.StringIO(TREE)
    file.name = "c/z"
    assert names([file]) == ["z"]


@pytest.mark.parametrize("one", ["a/x", Path("x"), Tree.parse(TREE), io.StringIO(TREE)])
def test_one_source_in_place_of_several(one):
    with pytest.raises(SettingsError, match=r"^found one system; expected a list of systems, or a mapping"):
        names_of(one)
    with pytest.raises(SettingsError, match=r"^found an object of type int; expected a list of references"):
        names_of(5, "reference")


def read_twice(source, encoding=None):
    """Check that a source can be opened twice; return its contents and name."""
    again = Replayable(source, encoding)
    first, second = again.open(), again.open()
    assert first is not second
    found = [(file.read(), file.name) for file in (first, second)]
    assert found[0] == found[1]
    return found[0]


def test_streams_are_kept():
    lines = f"{TREE}\n\n{TREE}"
    assert read_twice(io.BytesIO(lines.encode())) == (lines.encode(), "<file>")
    assert read_twice(io.StringIO(lines)) == (lines, "<file>")
    file = io.BytesIO(b"")
    file.name = "a/x"
    assert read_twice(file) == (b"", "a/x")
    kept = Replayable(iter([TREE, TREE]))
    assert (kept.open(), kept.open()) == ([TREE, TREE], [TREE, TREE])


def test_files_are_not_kept(tmp_path):
    (tmp_path / "x").write_text(TREE)
    tree = Tree.parse(TREE)

    class Labelled:
        """As a tree of nltk, it is a sentence and a list of its children."""

        def __iter__(self):
            raise AssertionError

        def label(self):
            return "S"

    # What is no source is left to the reader's message, and so is what is not there.
    for source in (
        *(str(tmp_path / "x"), tmp_path / "x", str(tmp_path), tmp_path / "not there"),
        *([TREE], (TREE,), tree, Labelled(), 5, None),
    ):
        assert Replayable(source).open() is source


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes")
def test_a_pipe_is_kept(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(f"{TREE}\n{TREE}\n".encode("utf-16"),))
    writer.start()
    content, name = read_twice(pipe, "utf-16")
    writer.join()
    assert (content, name) == (f"{TREE}\n{TREE}\n", str(pipe))


def test_a_source_that_cannot_be_kept():
    class Broken(io.BytesIO):
        def read(self, *_size):
            raise OSError("the disk is gone")

        readline = readlines = __next__ = read

    with pytest.raises(InputError, match="the disk is gone"):
        Replayable(Broken())
