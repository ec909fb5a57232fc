"""Fuzzes the readers of trees, times and exception lists, on files plain and compressed."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import tempfile
from typing import Any

from .driver import Choices, instrumented, main
from .text import corpus, damaged, soup, words

with instrumented():
    from jpevalb import JpevalbError, Tree, read
    from jpevalb.alignment.exceptions import parse_exceptions, read_exceptions
    from jpevalb.base.errors import InputError, TreeError
    from jpevalb.base.files import lines_of
    from jpevalb.formats.bracket import read_bracket
    from jpevalb.formats.timings import read_ctm, read_timings
    from jpevalb.formats.writers import WRITE_FORMATS, write
    from jpevalb.formats.xml import read_tigerxml
    from jpevalb.metrics.times import Timings

KINDS = ("bracket", "bracket", "discbracket", "export", "tigerxml", "soup", "ctm", "grid", "list", "packed")
PACKERS = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}
GRID = (
    'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n1\n<exists>\n1\n'
    '"IntervalTier"\n"words"\n0\n1\n2\n0\n0.5\n"a"\n0.5\n1\n"b"\n'
)
FOLDER = tempfile.mkdtemp(prefix="fuzz-readers-")


def target(choices: Choices) -> None:
    kind = choices.pick(KINDS)
    if kind == "ctm":
        _times(choices)
    elif kind == "grid":
        _grid(choices)
    elif kind == "list":
        _exceptions(choices)
    elif kind == "packed":
        _packed(choices)
    else:
        _trees(choices, kind)


def _trees(choices: Choices, kind: str) -> None:
    sentences = [words(choices) for _ in range(choices.number(5))]
    data = corpus(choices, sentences, kind)
    format = kind if kind != "soup" and choices.flag(2) else choices.pick(("auto", "bracket", "export"))
    encoding = choices.pick((None, None, None, "latin-1", "utf-16", "cp1252"))
    stopped = _read(io.BytesIO(data), format, encoding, None)
    errors: list[TreeError] = []
    skipped = _read(io.BytesIO(data), format, encoding, errors.append)
    for error in errors:
        assert isinstance(error, TreeError)
        assert "\n" not in str(error) or "\n" in (error.source or ""), str(error)
    if isinstance(stopped, list):
        assert not errors
        assert stopped == skipped
        for tree in stopped:
            check_tree(tree)
        _round_trip(choices, stopped)
    elif isinstance(skipped, list):
        assert errors, stopped
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return
    if encoding is None and "\r" not in text and not text.startswith("<?xml"):
        # Text gives what bytes give, and a file what a list of lines gives.
        assert _same(_read(io.StringIO(text), format, None, None), stopped), text
        if format == "bracket" and "\v" not in text:
            lines = text.split("\n")
            lines = [line + "\n" for line in lines[:-1]] + lines[-1:] * bool(lines[-1])
            assert _same(_result(lambda: list(read_bracket(lines))), stopped)
    if kind == "tigerxml" and format == "tigerxml" and encoding is None:
        size = 1 + choices.number(60)
        pieces = [data[at : at + size] for at in range(0, len(data), size)]
        assert _same(_result(lambda: list(read_tigerxml(pieces))), stopped)


def _read(source: Any, format: str, encoding: str | None, on_error: Any) -> Any:
    return _result(lambda: list(read(source, format, encoding=encoding, on_error=on_error)))


def _result(call: Any) -> Any:
    try:
        return call()
    except JpevalbError as error:
        return error


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, list) or isinstance(other, list):
        return bool(one == other)
    # An error may know its file's name or its byte; the line is the same.
    return bool(one.line == other.line)


def check_tree(tree: Tree) -> None:
    """Check the invariants of a tree."""
    n, size = len(tree), len(tree.words)
    assert len(tree.labels) == len(tree.parents) == len(tree.starts) == len(tree.ends) == n
    assert len(tree.word_parents) == size
    for node, parent in enumerate(tree.parents):
        assert -1 <= parent < node
        assert (parent == -1) == (node == 0)
        assert 0 <= tree.starts[node] <= tree.ends[node] <= size
    assert all(0 <= parent < n for parent in tree.word_parents)
    for label, found in tree.constituents():
        assert isinstance(label, str)
        assert 0 < found < 1 << size


def _round_trip(choices: Choices, trees: list[Tree]) -> None:
    """Check that a tree survives writing and reading."""
    to = choices.pick(WRITE_FORMATS)
    file = io.StringIO()
    try:
        write(trees, file, to)
    except JpevalbError:
        return
    format = {"export3": "export", "export4": "export"}.get(to, to)
    format = next((name for name in ("discbracket", "export") if format.startswith(name)), "bracket")
    again = list(read(io.StringIO(file.getvalue()), format))
    while again and not again[-1].words:
        again.pop()
    wanted = list(trees)
    while wanted and not wanted[-1].words:
        wanted.pop()
    assert [tree.words for tree in again] == [tree.words for tree in wanted], (to, file.getvalue())
    for one, other in zip(wanted, again):
        if one.words:
            assert _named(one, to) == _named(other, to), (to, file.getvalue())


def _named(tree: Tree, to: str) -> list[tuple[str, int]]:
    """The constituents; discbracket and export call a root without label ROOT."""
    whole = (1 << len(tree.words)) - 1
    empty = ("", whole) if to.startswith(("discbracket", "export")) else None
    return sorted([("ROOT", whole) if one == empty else one for one in tree.constituents()])


def _times(choices: Choices) -> None:
    if choices.flag(3):
        data = soup(choices)
    else:
        lines = []
        at = 0.0
        for word in words(choices, 12):
            length = choices.number(50) / 100
            lines.append(f"{choices.pick(('u', 'u', 'v'))} 1 {at:.2f} {length:.2f} {word}")
            at += length - (0.01 if choices.flag(4) else 0)
        data = damaged(choices, "\n".join(lines).encode("utf-8", "surrogatepass"))
    found = _result(lambda: read_ctm(io.BytesIO(data)))
    if isinstance(found, list):
        for utterance in found:
            assert len(utterance.words) == len(utterance.times) == len(utterance.lines)
            assert all(begin <= end for begin, end in utterance.times)
        trees = []
        for utterance in found[: choices.number(4)]:
            some = utterance.words if choices.flag(4) else words(choices, 6)
            trees.append(Tree.build(["S"], [-1], some, [0] * len(some), utterance.name))
        _result(lambda: _fitted(Timings(found), trees))


def _fitted(timings: Timings, trees: list[Tree]) -> None:
    for tree in trees:
        assert len(timings.times(tree)) == len(tree.words)
    timings.finish()


def _grid(choices: Choices) -> None:
    place = os.path.join(FOLDER, "a.TextGrid")
    with open(place, "wb") as file:
        file.write(damaged(choices, GRID.encode()) if not choices.flag(4) else soup(choices))
    _result(lambda: read_timings(place))


def _exceptions(choices: Choices) -> None:
    if choices.flag(2):
        data = soup(choices)
    else:
        lines = ["\t".join(words(choices, 3)) for _ in range(choices.number(8))]
        data = damaged(choices, "\n".join(lines).encode("utf-8", "surrogatepass"))
    place = os.path.join(FOLDER, "list.tsv")
    with open(place, "wb") as file:
        file.write(data)
    found = _result(lambda: read_exceptions(place))
    if isinstance(found, dict):
        assert found == parse_exceptions(data.decode("utf-8-sig").split("\n"))
        assert all(token and replacement for token, replacement in found.items())


def _packed(choices: Choices) -> None:
    """Check that compressed data is read completely, or reported as an error."""
    suffix = choices.pick(tuple(PACKERS))
    parts = [choices.raw(60) for _ in range(1 + choices.number(3))]
    members = [PACKERS[suffix](part) for part in parts]
    whole = b"".join(members)
    trouble = choices.number(4)
    if trouble == 1:
        whole = whole[: choices.number(len(whole))]
    elif trouble == 2:
        whole += choices.raw(20)
    elif trouble == 3:
        place = choices.number(len(whole) - 1)
        whole = whole[:place] + bytes([whole[place] ^ (1 + choices.number(254))]) + whole[place + 1 :]
    elif trouble == 4:
        whole += b"\0" * choices.number(20)
    place_name = os.path.join(FOLDER, f"packed{suffix}")
    with open(place_name, "wb") as file:
        file.write(whole)
    try:
        data = b"".join(lines_of(place_name))
    except InputError:
        assert trouble, "refused what is right"
        return
    if trouble in (0, 4):
        assert data == b"".join(parts)
    elif trouble in (1, 2):
        # Cut between two members, or with more members behind.
        assert any(data == b"".join(parts[:size]) for size in range(len(parts) + 1)), (whole, data)


if __name__ == "__main__":
    main(target)
