"""Inputs: opened as far as their format needs, names of several, and input that is read more than once."""

from __future__ import annotations

import io
import os
import sys
import threading
from pathlib import Path

import pytest

from jpevalb import InputError, Settings, SettingsError, Tree
from jpevalb.formats.bracket import parse_discbracket
from jpevalb.formats.lines import BLOCK
from jpevalb.score.inputs import Input, Replayable, names_of
from jpevalb.score.run import Run

TREE = "(S (N a))"
GAPS = "(S (N 0=a 2=c) (V 1=b))"
AUTO = Settings()


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
    with pytest.raises(SettingsError, match=r"^got one system; expected a list of systems, or a mapping"):
        names_of(one)
    with pytest.raises(SettingsError, match=r"^got an object of type int; expected a list of references"):
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


class Once:
    """A file that can only be read from its beginning to its end."""

    def __init__(self, text, kind=io.BytesIO):
        self.file = kind(text)

    def read(self, *size):
        return self.file.read(*size)

    def __iter__(self):
        return iter(self.file)


class OnceBinary(io.BytesIO):
    def seekable(self):
        return False


def test_names_and_formats_of_inputs(tmp_path):
    path = tmp_path / "x"
    path.write_text(GAPS)
    made = Input(str(path), "gold", AUTO)
    assert (made.name, made.format, made.used_format) == (str(path), "discbracket", "discbracket")
    assert made.source == str(path)
    assert Input(tmp_path, "gold", AUTO).format is None
    for side, name in (("gold", "<gold>"), ("sys", "<system>")):
        made = Input([TREE], side, AUTO)
        assert (made.name, made.format, made.used_format) == (name, None, "bracket")
        assert Input(str(path), side, AUTO).format == "discbracket"
        asked = Input(str(path), side, Settings(format="export"))
        assert (asked.format, asked.used_format, asked.has_gaps) == ("export", "export", True)
    gold, system = Input([TREE], "gold", AUTO), Input(str(path), "sys", AUTO)
    assert (gold.name, system.name) == ("<gold>", str(path))
    for given in ((gold, system), ([TREE], str(path))):
        run = Run(*given, AUTO)
        assert (run.settings.convention, run.job.names) == ("discontinuous", ("<gold>", str(path)))


def test_formats_of_repaired_answers(tmp_path):
    repair = Settings(repair=True)
    for name, text, format in (("b", TREE, "answers"), ("d", GAPS, "answers"), ("j", '{"a": 1}', "jsonl")):
        (tmp_path / name).write_text(text)
        made = Input(tmp_path / name, "sys", repair)
        assert (made.format, made.used_format) == (format, format)
    assert Input(tmp_path / "d", "gold", repair).format == "discbracket"
    # Formats that are asked for stay, except brackets.
    for format, used in (("bracket", "answers"), ("export", "export"), ("jsonl", "jsonl")):
        made = Input(tmp_path / "b", "sys", Settings(repair=True, sys_format=format))
        assert (made.format, made.used_format) == (used, used)
    assert Input([TREE], "sys", repair).used_format == "answers"
    assert Input([TREE], "gold", repair).used_format == "bracket"
    assert Input([TREE], "sys", Settings(sys_format="answers")).used_format == "answers"
    with pytest.raises(SettingsError, match="it separates the answers of a file"):
        Input([TREE], "sys", Settings(separator="=="))
    assert Input([TREE], "gold", Settings(separator="==")).used_format == "bracket"


@pytest.mark.parametrize("kind", [io.BytesIO, Once, OnceBinary])
def test_the_beginning_of_an_open_file_is_not_lost(kind):
    text = f"{GAPS}\n{TREE}\n".encode()
    made = Input(kind(text), "gold", AUTO)
    assert (made.format, made.has_gaps, made.source.read()) == ("discbracket", True, text)
    assert Input(kind(b""), "gold", AUTO).format == "bracket"
    # UTF-16 that is not asked for is reported by the reader.
    assert Input(kind(text.decode().encode("utf-16")), "gold", AUTO).format is None


@pytest.mark.parametrize("kind", [io.BytesIO, OnceBinary])
def test_open_utf16(kind):
    wide = Settings(encoding="utf-16-le")
    assert Input(kind(GAPS.encode("utf-16-le")), "gold", wide).format == "discbracket"
    assert Input(kind(b""), "gold", wide).format == "bracket"


def test_open_texts():
    wide = Settings(encoding="utf-16-le")
    for file in (io.StringIO(GAPS), Once(GAPS, io.StringIO)):
        made = Input(file, "gold", wide)
        assert (made.format, made.source.read()) == ("discbracket", GAPS)
    file = io.StringIO(f"{TREE}\n{GAPS}")
    file.readline()
    assert (Input(file, "gold", AUTO).format, file.read()) == ("discbracket", GAPS)


def test_open_files_that_cannot_be_read():
    # Bytes of another encoding are reported by the reader.
    assert Input(io.TextIOWrapper(io.BytesIO(b"\xe9"), "utf-8"), "gold", AUTO).format is None
    closed = io.BytesIO(b"")
    closed.close()
    for sides in ((closed, [TREE]), ([TREE], closed)):
        with pytest.raises(InputError, match="cannot read the file: I/O operation on closed file"):
            list(Run(*sides, AUTO))


def test_gaps_of_objects():
    tree, crossing = Tree.parse(TREE), parse_discbracket(GAPS)
    for objects, has_gaps in (
        ([], False),
        ([tree], False),
        ([tree, crossing], True),
        ([TREE.encode(), GAPS], False),
        ([GAPS.encode(), TREE], True),
        ([5, crossing], False),
        # All trees of a list are looked at, and a thousand items of a generator.
        ([tree] * 1000 + [crossing], True),
        (iter([tree] * 1000 + [crossing]), False),
        (iter([tree] * 999 + [crossing]), True),
        (tree, False),
        (crossing, True),
    ):
        assert Input(objects, "sys", AUTO).has_gaps is has_gaps
    assert not Input([GAPS], "gold", Settings(convention="jpevalb")).has_gaps


def test_items_of_a_generator_are_not_lost():
    def items():
        yield TREE
        yield TREE
        raise RuntimeError("the model is gone")

    source = iter(Input(items(), "sys", AUTO).source)
    assert [next(source), next(source)] == [TREE, TREE]
    with pytest.raises(RuntimeError, match="the model is gone"):
        next(source)
    # Texts are looked at until they are a block with their line feeds.
    for sizes, left in (((BLOCK - 2, 1, 1), 1), ((BLOCK - 1, 1, 1), 2), ((BLOCK - 3, 1, 1), 1)):
        texts = iter(["(" * size for size in sizes])
        made = Input(texts, "sys", AUTO)
        assert len(list(texts)) == left
        assert [len(text) for text in made.source] == list(sizes)[: 3 - left]
