"""Fuzzes the commands end to end: any options on any input give a report or one line, never a traceback."""

from __future__ import annotations

import io
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .driver import Choices, instrumented, main
from .text import changed, corpus, soup, words

with instrumented():
    import jpevalb.comparison
    import jpevalb.page.report
    import jpevalb.report.view  # noqa: F401
    from jpevalb import cli
    from jpevalb.commands import average as average_command, is_legacy

FOLDER = tempfile.mkdtemp(prefix="fuzz-commands-")
# Names that a careless report would take for a formula, an option, markup, an escape sequence or two lines.
NAMES = ("sys", "=1+1", "a b", "x\x1b[31m.txt", "two\nlines", "<b>", "@x|y", "\udcff", "%s", "_*_")
FORMATS = (*["bracket"] * 6, "discbracket", "discbracket", "export", "tigerxml", "soup")
OPTIONS: tuple[tuple[str, ...], ...] = (
    *(("--as", name) for name in ("text", "json", "csv", "tsv", "markdown", "latex", "html")),
    *(("--metrics", name) for name in ("brackets", "siou", "nodes,tags", "x", "")),
    *(("--prm", name) for name in ("COLLINS", "nk.prm", "own.prm", "nothing", ".", "\udcff")),
    *(("--lang", name) for name in ("de", "none", "xx", "\x1b")),
    *(("--format", name) for name in ("bracket", "discbracket", "export", "tigerxml", "auto", "pdf")),
    *(("--encoding", name) for name in ("latin-1", "utf-16", "utf-8", "rot13", "x\0", "cp1252")),
    *(("--view", name) for name in ("1", "1-3,2", "gold:1", "sys:2", "0", "x", "9")),
    *(("--cutoff", name) for name in ("0", "-1", "5", "99999999999999999999", "x")),
    *(("--test", name) for name in ("bootstrap", "permutation", "sign", "none")),
    *(("--samples", name) for name in ("0", "3", "-1")),
    *(("--confidence", name) for name in ("0.9", "0", "1", "nan")),
    *(("--unit", name) for name in ("char", "word")),
    *(("--punctuation", name) for name in ("", "$, ,", "\x1b")),
    *(("--convention", f"discontinuous most-gaps:{name}") for name in ("0", "1", "2", "-1")),
    *(("--convention", name) for name in ("evalb", "all", "supar,evalb", "sejong", "COLLINS.prm", "x")),
    *(("--pair", name) for name in ("id", "order")),
    *(("--gold-times", name) for name in ("times.ctm", "nothing", ".")),
    *(("--exceptions", name) for name in ("list.tsv", ".", "/dev/null")),
    *(
        ("--out", name)
        for name in ("report", "gold", "./gold", "no/such", ".", "/dev/null", "r.gz", "/dev/full")
    ),
    *(("--node-types", name) for name in ("label", "none", "gold", "x")),
    *((name,) for name in ("--quiet", "--by-label", "--unlabeled")),
    *((name,) for name in ("--help", "--version", "--", "-", "-x\x1b")),
    ("--on-error", "skip"),
    ("--seed", "3"),
    ("--sys-times", "times.ctm"),
)
LEGACY: tuple[tuple[str, ...], ...] = (
    *(("-p", name) for name in ("COLLINS.prm", "own.prm", "nothing")),
    *((name,) for name in ("-d", "-D", "-c", "-e", "-c10", "-e3", "-L", "-V", "-X", "-h")),
    *(("--dialect", name) for name in ("spmrl", "evalb", "x")),
    ("-evalb",),
    ("-K", "2"),
    ("-evalb", "nk"),
)
AVERAGE: tuple[tuple[str, ...], ...] = (
    *(("--to", name) for name in ("bracket", "discbracket", "export", "discbracket-indices", "x")),
    *(("--weights", name) for name in ("1,2", "1", "0,0", "nan,1", "1/3,2", "x")),
    *(("--out", name) for name in ("report", "report.txt", "gold", ".")),
    *(("--limit", name) for name in ("0", "1", "nan")),
    *(("--encoding", name) for name in ("latin-1", "utf-16")),
    ("--binary",),
    ("--labeled",),
    ("--on-error", "skip"),
)
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


@contextmanager
def streams() -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    """stdout and stderr as bytes, an empty stdin."""
    saved = sys.stdin, sys.stdout, sys.stderr
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(b"(S (NN a))\n"))
    sys.stdout = io.TextIOWrapper(out, encoding="utf-8", write_through=True)
    sys.stderr = io.TextIOWrapper(err, encoding="utf-8", errors="backslashreplace", write_through=True)
    try:
        yield out, err
    finally:
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            stream.detach()
        sys.stdin, sys.stdout, sys.stderr = saved


def _run(program: Callable[[list[str]], int], arguments: list[str]) -> tuple[int, bytes, bytes]:
    with streams() as (out, err):
        status = program(arguments)
        return status, out.getvalue(), err.getvalue()


def _write(name: str, data: bytes) -> None:
    with open(os.path.join(FOLDER, name), "wb") as file:
        file.write(data)


def target(choices: Choices) -> None:
    os.chdir(FOLDER)
    for name in os.listdir(FOLDER):
        os.unlink(name)
    gold = [words(choices, 6) for _ in range(choices.number(4))]
    form = choices.pick(FORMATS)
    _write("gold", corpus(choices, gold, form))
    names = []
    for _ in range(1 + (choices.number(2) if choices.flag(3) else 0)):
        name = choices.pick(NAMES)
        names.append(name)
        system = gold if choices.flag(2) else [changed(choices, some) for some in gold]
        _write(name, corpus(choices, system, choices.pick(FORMATS) if choices.flag(6) else form))
    _write("own.prm", b"DELETE_LABEL TOP\nEQ_LABEL S NP\n" + (soup(choices) if choices.flag(3) else b""))
    _write("list.tsv", b"n't\tnot\n" + (soup(choices) if choices.flag(3) else b""))
    spoken = enumerate([word for some in gold for word in some])
    _write("times.ctm", "".join([f"u 1 {at} 1 {word}\n" for at, word in spoken]).encode("utf-8", "replace"))
    kind = choices.number(5)
    if kind == 0:
        _legacy(choices, names)
    elif kind == 1:
        _average(choices, names)
    else:
        _jpevalb(choices, names)


def _jpevalb(choices: Choices, names: list[str]) -> None:
    arguments = ["gold", *(f"./{name}" for name in names)]
    options = choices.several(OPTIONS, 3)
    if choices.flag(2):
        options.append(("--on-error", "skip"))
    arguments += [part for option in options for part in option]
    if choices.flag(8):
        arguments.insert(choices.number(len(arguments)), choices.pick(("gold", "-", "", "nothing\n\x1b[1m")))
    if is_legacy("jpevalb", arguments):
        return
    before = _content("gold")
    status, out, err = _run(cli.main, arguments)
    assert status in (0, 1, 2), (arguments, status)
    assert _content("gold") == before, arguments
    assert not [name for name in os.listdir(".") if name.endswith(".part")], arguments
    _check_stderr(arguments, status, err)
    if status == 0 and not {"--help", "--version"} & set(arguments):
        _check_output(arguments, out)


def _check_stderr(arguments: list[str], status: int, err: bytes) -> None:
    text = err.decode("utf-8")
    assert "Traceback" not in text, text
    assert not CONTROLS.search(text), (arguments, text)
    if status == 1:
        lines = [line for line in text.splitlines() if "warning: " not in line]
        assert len(lines) == 1, (arguments, text)
        assert lines[0].startswith("jpevalb"), (arguments, text)
    elif status == 2:
        assert text.splitlines()[-1].startswith("jpevalb"), (arguments, text)


def _check_output(arguments: list[str], out: bytes) -> None:
    text = out.decode("utf-8")
    format = "text"
    for place, argument in enumerate(arguments[:-1]):
        if argument == "--as":
            format = arguments[place + 1]
        if argument == "--out" and arguments[place + 1] != "-":
            assert not out, arguments
            return
    # A page is for a browser; everything else is looked at in a terminal.
    found = None if format == "html" else CONTROLS.search(text.replace("\t", "") if format == "tsv" else text)
    assert found is None, (arguments, text[max(0, found.start() - 200) : found.start() + 50])
    if format == "json":
        json.loads(text)
    elif format == "html":
        assert "<script>alert" not in text
    elif format in ("csv", "tsv"):
        for line in text.splitlines():
            for cell in line.split("\t" if format == "tsv" else ","):
                # A number may begin with a minus.
                assert not re.match(r'"?[=@+]', cell), (arguments, line)


def _legacy(choices: Choices, names: list[str]) -> None:
    options = [part for option in choices.several(LEGACY, 4) for part in option]
    arguments = ["gold", names[0], *options] if choices.flag(2) else [*options, "gold", names[0]]
    if not is_legacy("jpevalb", arguments):
        arguments.append("-evalb")
    status, _, err = _run(cli.main, arguments)
    assert status in (0, 1, 2), (arguments, status)
    assert b"Traceback" not in err


def _average(choices: Choices, names: list[str]) -> None:
    options = [part for option in choices.several(AVERAGE, 2) for part in option]
    arguments = ["gold", *(f"./{name}" for name in names), *options]
    before = _content("gold")
    status, _, err = _run(average_command.main, arguments)
    assert status in (0, 1, 2), (arguments, status)
    assert _content("gold") == before, arguments
    _check_stderr(arguments, status, err)


def _content(name: str) -> bytes:
    with open(name, "rb") as file:
        return file.read()


if __name__ == "__main__":
    main(target)
