"""Start, end, messages and progress bar of a command, with fake streams."""

from __future__ import annotations

import gc
import io
import os
import re
import struct
import subprocess
import sys
from types import SimpleNamespace

import pytest

from jpevalb import cli
from jpevalb.base.version import version_line
from jpevalb.commands import arguments, evalb, evaluate, guarded, say
from jpevalb.commands.arguments import Watch, watching
from jpevalb.score.outcome import ChunkResult
from tests.support.commands import ROOT
from tests.support.files import write_files


def test_the_version_names_the_kernels_and_python():
    said = r"jpevalb \d+\.\d+\.\d+ \((compiled|interpreted) kernels, Python \d+\.\d+\.\d+\)"
    assert re.fullmatch(said, version_line())


HOST = """\
{import_first}
import gettext
gettext.bindtextdomain("messages", "locale")
from jpevalb import cli
assert cli.main(["gold", "gold", "--score-only"]) == 0
import argparse
argparse.ArgumentParser(prog="host", add_help=False).print_usage()
"""


@pytest.mark.parametrize("import_first", ["", "import argparse"])
def test_the_argparse_of_a_host_program_keeps_its_translation(tmp_path, import_first):
    write_files(tmp_path, {"gold": "(S (NN a))\n"})
    texts = {"": "Content-Type: text/plain; charset=UTF-8\n", "usage: ": "Aufruf: "}
    folder = tmp_path / "locale" / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "messages.mo").write_bytes(catalogue(texts))
    done = subprocess.run(
        [sys.executable, "-c", HOST.format(import_first=import_first)],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT), "LANGUAGE": "de"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "100.00\nAufruf: host\n"


def catalogue(texts):
    """Return the bytes of a .mo file of gettext."""
    parts = [part.encode() for part in (*texts, *texts.values())]
    tables, at = [], 28 + 8 * len(parts)
    for part in parts:
        tables += [len(part), at]
        at += len(part) + 1
    middle = 28 + 4 * len(parts)
    header = struct.pack("<7I", 0x950412DE, 0, len(texts), 28, middle, 0, middle)
    return header + struct.pack(f"<{len(tables)}I", *tables) + b"".join(part + b"\0" for part in parts)


# -- the beginning and the end ----------------------------------------------------------------


class Stream(io.StringIO):
    """A text stream over a file, whose flush may fail."""

    def __init__(self, folder, error=None):
        super().__init__()
        self.file = open(folder / f"stream{id(self)}", "wb")  # noqa: SIM115
        self.error = error

    def fileno(self):
        return self.file.fileno()

    def flush(self):
        if self.error is not None:
            raise self.error

    def lost(self):
        """True if output to this stream is discarded."""
        os.write(self.fileno(), b"more")
        return os.fstat(self.fileno()).st_rdev == os.stat(os.devnull).st_rdev


@pytest.fixture
def streams(tmp_path, monkeypatch):
    """Replace the standard streams by streams that fail as requested."""

    def put(out=None, err=None):
        made = SimpleNamespace(out=Stream(tmp_path, out), err=Stream(tmp_path, err))
        monkeypatch.setattr(sys, "stdout", made.out)
        monkeypatch.setattr(sys, "stderr", made.err)
        kept.append(made)
        return made

    kept = []
    yield put
    for made in kept:
        made.out.file.close()
        made.err.file.close()


def failing(error):
    def work():
        raise error

    return work


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (KeyboardInterrupt(), 130, ""),
        (BrokenPipeError(), 1, ""),
        (OSError(28, "No space left on device"), 1, "it: cannot write the output: No space left on device\n"),
        (OSError("of its own"), 1, "it: cannot write the output: of its own\n"),
        (
            MemoryError(),
            1,
            "it: the input does not fit into memory; is one of its sentences endless?\n",
        ),
        (
            ModuleNotFoundError("No module named 'tqdm.auto'", name="tqdm.auto"),
            1,
            f"it: {sys.executable} does not have the package tqdm, which is needed here; "
            f"install it: {sys.executable} -m pip install tqdm\n",
        ),
    ],
)
def test_interruptions_of_a_command(streams, error, status, said):
    made = streams()
    assert guarded("it", failing(error)) == status
    assert made.err.getvalue() == said
    assert sys.stdout is made.out
    # What is left in a buffer that nobody takes is not tried again at the exit.
    assert made.out.lost() == isinstance(error, OSError)
    assert not made.err.lost()


def test_other_errors_are_left_as_they_are(streams):
    streams()
    for error in (ModuleNotFoundError("x", name="jpevalb.colour"), ModuleNotFoundError("x"), ValueError("x")):
        with pytest.raises(type(error)):
            guarded("it", failing(error))


def test_the_status_of_a_command_and_of_its_last_output(streams):
    made = streams()
    assert [guarded("it", lambda status=status: status) for status in (0, 1, 3)] == [0, 1, 3]
    assert (made.out.lost(), made.err.lost()) == (False, False)
    made = streams(out=OSError(28, "No space left on device"))
    assert guarded("it", lambda: 0) == 1
    assert made.err.getvalue() == "it: cannot write the output: No space left on device\n"
    # Messages that are lost change no status.
    made = streams(err=OSError(28, "No space left on device"))
    assert guarded("it", lambda: 3) == 3
    assert made.err.lost()


def test_streams_that_are_closed_or_without_a_buffer(monkeypatch, tmp_path):
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)

    def work():
        print("to nobody", file=sys.stderr)
        return 3

    assert guarded("it", work) == 3
    # What is written to stdout is lost, and that is an error.
    assert guarded("it", lambda: print("to nobody") or 0) == 1
    for name in ("stdout", "stderr"):
        getattr(sys, name).close()
    with open(tmp_path / "out", "wb", buffering=0) as raw:
        stream = io.TextIOWrapper(raw, "utf-8", write_through=True)
        monkeypatch.setattr(sys, "stdout", stream)
        monkeypatch.setattr(sys, "stderr", io.StringIO())
        seen = []
        assert guarded("it", lambda: seen.append(sys.stdout) or print("out") or 0) == 0
        assert seen[0] is not stream
        assert sys.stdout is stream
        stream.detach()
    assert (tmp_path / "out").read_text() == "out\n"


def test_messages_are_one_line(streams, monkeypatch):
    made = streams()
    say("it", "a\nb\x1b[1m")
    assert made.err.getvalue() == "it: a\\x0ab\\x1b[1m\n"
    streams(err=OSError(28, "full"))
    say("it", "nobody reads this")
    streams(err=BrokenPipeError())
    with pytest.raises(BrokenPipeError):
        say("it", "the reader has gone")


# -- the command line ---------------------------------------------------------------------------


def test_where_a_call_goes(monkeypatch, capsys):
    calls = []

    def legacy(program, arguments):
        calls.append((program, arguments))
        return 1

    monkeypatch.setattr(evalb, "main", legacy)
    monkeypatch.setattr(evaluate, "main", lambda arguments: calls.append(arguments) or 3)
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == version_line() + "\n"
    assert cli.main(("a", "b")) == 3
    assert cli.main(["a", "b", "-evalb"]) == 1
    # Without arguments those of the process count, and its name.
    monkeypatch.setattr(sys, "argv", ["/bin/evalb", "a", "b"])
    assert cli.main() == 1
    for words in (["a", "--version"], ["--help"]):
        assert cli.main(words) == 3
    assert cli.main([]) == 2
    assert calls == [
        ["a", "b"],
        ("jpevalb", ["a", "b", "-evalb"]),
        ("/bin/evalb", ["a", "b"]),
        ["a", "--version"],
        ["--help"],
    ]


def test_characters_that_a_terminal_cannot_show_are_escaped(monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), "ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr(evaluate, "main", lambda arguments: print("ü") or 0)
    assert cli.main(["a"]) == 0
    assert stream.buffer.getvalue() == b"\\xfc\n"


@pytest.mark.parametrize("status", [0, 1, 130])
def test_the_installed_command(status, monkeypatch):
    before, frozen = gc.get_threshold(), []
    monkeypatch.setattr(cli, "main", lambda: status)
    monkeypatch.setattr(gc, "freeze", lambda: frozen.append(gc.get_threshold()))
    try:
        assert cli.run() == status
    finally:
        gc.set_threshold(*before)
    # Cycles are looked for rarely, and at the end no tree is visited.
    assert frozen == [(100_000, 50, 50)]


# -- the progress bar -----------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self):
        return True

    def fileno(self):
        return 1


class Bar:
    """A fake tqdm that records its calls."""

    def __init__(self, **how):
        self.how = how
        self.n = 0
        self.shown = []
        bars.append(self)

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.shown.append("end")

    def update(self, more=1):
        self.n += more
        self.shown.append(self.n)


bars: list[Bar] = []


@pytest.fixture
def terminal(monkeypatch):
    """A terminal of a size for the messages."""

    def made(columns, lines):
        bars.clear()
        monkeypatch.setattr(sys, "stderr", Terminal())
        monkeypatch.setattr(os, "get_terminal_size", lambda number: os.terminal_size((columns, lines)))

    return made


def test_a_bar_of_bytes(terminal, tmp_path):
    terminal(80, 24)
    for name, size in (("gold", 700), ("sys", 300)):
        (tmp_path / name).write_bytes(b"x" * (size - 1) + b"\n")
    watch = Watch([str(tmp_path / "gold"), str(tmp_path / "sys")], Bar)
    gold, system = watch.paths
    assert [os.fspath(path) for path in watch.paths] == [str(tmp_path / "gold"), str(tmp_path / "sys")]

    def results():
        for number in range(70):
            assert list(gold.lines([b"x" * 6])) == [b"x" * 6]
            assert list(system.lines([b"", b"xx"])) == [b"", b"xx"]
            yield number

    assert list(watch.results(results())) == list(range(70))
    (bar,) = bars
    # Two looks, at 32 sentences and at 64, of 8 bytes each.
    assert bar.shown == [256, 512, "end"]
    assert {name: bar.how[name] for name in ("unit", "unit_scale", "total", "delay", "leave")} == {
        "unit": "B",
        "unit_scale": True,
        "total": 1000,
        "delay": arguments.PATIENCE,
        "leave": False,
    }
    assert bar.how["dynamic_ncols"] is True
    assert bar.how["file"] is sys.stderr


@pytest.mark.parametrize("name", ["-", "a.gz", "a.bz2", "a.xz", "folder", "not there"])
def test_a_bar_of_sentences(name, terminal, folder):
    """Sentences are counted if the position in bytes is unknown."""
    terminal(0, 0)
    write_files(folder, dict.fromkeys(("gold", "a.gz", "a.bz2", "a.xz", "-"), "x"))
    (folder / "folder").mkdir()
    watch = Watch(["gold", name], Bar)
    assert watch.paths == ["gold", name]
    rows = [ChunkResult(1, 31, []), ChunkResult(32, 1, []), ChunkResult(33, 40, []), ChunkResult(73, 5, [])]
    assert list(watch.results(rows)) == rows
    (bar,) = bars
    assert bar.shown == [32, 72, "end"]
    assert bar.how == {
        "unit": " sentences",
        "delay": arguments.PATIENCE,
        "leave": False,
        "file": sys.stderr,
        # A terminal that does not know its size shows no bar by itself.
        "ncols": 80,
        "nrows": 24,
    }


def test_who_gets_a_bar(terminal, monkeypatch):
    tqdm = pytest.importorskip("tqdm").tqdm
    monkeypatch.setattr(tqdm, "monitor_interval", 10)

    def bar(*, quiet=False, output="text", out=None, rows=True):
        return watching(SimpleNamespace(output=output, out=out, quiet=quiet, rows=rows), ["-"])._bar

    terminal(80, 24)
    assert bar() is tqdm
    # It starts no thread, which a process forked from this one would lack.
    assert tqdm.monitor_interval == 0
    assert bar(quiet=True) is tqdm
    # Rows on the same terminal say by themselves how far the run has come.
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert [bar(), bar(out="-"), bar(quiet=True), bar(rows=False)] == [None, None, tqdm, tqdm]
    assert [bar(out="file"), bar(output="json")] == [tqdm, tqdm]
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert bar(out="file") is None
    idle = Watch(["a"], None)
    assert (idle.paths, list(idle.results("ab"))) == (["a"], ["a", "b"])
