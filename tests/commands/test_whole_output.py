"""Incomplete output is an error in every mode: full disks, buffered or not."""

from __future__ import annotations

import gzip
import io
import os
import signal
import subprocess
import sys
import threading

import pytest

from jpevalb import InputError, Tree, cli, write
from jpevalb.base import files, streams
from jpevalb.base.files import whole_file
from jpevalb.commands import average, guarded
from tests.support.commands import AVERAGE, ROOT, jpevalb
from tests.support.files import write_files

pytestmark = pytest.mark.slow

COMMAND = "jpevalb.cli:run"
TOO_LARGE = "cannot write the output: File too large\n"

FORMS = [
    *(["--output", name] for name in ("text", "json", "csv", "tsv", "markdown", "latex", "html")),
    ["--quiet"],
    ["--jobs", "2"],
    ["--view", "1-40"],
    ["--by-label", "--analysis"],
    ["--convention", "discontinuous"],
    ["--convention", "discontinuous", "--output", "csv"],
    ["gold", "--samples", "10"],
    ["gold", "--samples", "10", "--output", "html"],
    ["-evalb"],
    ["-evalb", "-d"],
    ["gold", "-evalb", "--samples", "10"],
    ["--help"],
    ["--version"],
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    # Longer than a buffer, in most reports.
    gold = "".join(f"(S (NP (DT the) (NN cat{number})) (VP (VBD slept)))\n" for number in range(200))
    system = gold.replace("0)) (VP (VBD slept))", "0)) (VBD slept)")
    return write_files(tmp_path_factory.mktemp("files"), {"gold": gold, "sys": system})


def run(folder, home, arguments, **how):
    """Run a call with its output in a file; return its status, its messages and the report."""
    program = "jpevalb-average" if home == AVERAGE else "jpevalb"
    with open(folder / f"report.{os.getpid()}", "wb") as report:
        done = jpevalb(*arguments, cwd=folder, home=home, program=program, stdout=report, **how)
    return done.returncode, done.stderr, (folder / f"report.{os.getpid()}").read_bytes()


def check_one_byte_less(folder, home, arguments, program):
    """The whole report with either writing, and neither without its last byte."""
    status, said, whole = run(folder, home, arguments, unbuffered=False)
    assert (status, said) == (0, b"")
    assert run(folder, home, arguments, unbuffered=True) == (0, b"", whole)
    for unbuffered in (False, True):
        status, said, cut = run(folder, home, arguments, unbuffered=unbuffered, limit=len(whole) - 1)
        assert (status, said.decode()) == (1, f"{program}: {TOO_LARGE}")
        assert whole.startswith(cut)


@pytest.mark.parametrize("options", FORMS, ids=" ".join)
def test_a_report_that_lacks_one_byte_is_an_error(folder, options):
    arguments = options if options[0] in ("--help", "--version") else ["gold", "sys", *options]
    check_one_byte_less(folder, COMMAND, arguments, "jpevalb")


@pytest.mark.parametrize("options", [[], ["--to", "export"], ["--encoding", "utf-16"]], ids=" ".join)
def test_averages_that_lack_one_byte_are_no_success(folder, options):
    names = ["gold", "sys", "sys"]
    if "utf-16" in options:
        for name in ("gold", "sys"):
            text = (folder / name).read_text()
            (folder / f"{name}16").write_text(text, encoding="utf-16")
        names = ["gold16", "sys16"]
    check_one_byte_less(folder, AVERAGE, [*names, *options], "jpevalb-average")


def test_averages_of_processes_that_cannot_be_written_are_one_line(folder):
    (folder / "many").write_text((folder / "gold").read_text() * 10)
    arguments = ["many", "many", "--jobs", "2", "--out", "averages"]
    status, said, report = run(folder, AVERAGE, arguments, unbuffered=False, limit=4096)
    told = "jpevalb-average: averages: cannot write the file: File too large\n"
    assert (status, said.decode(), report) == (1, told, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize("unbuffered", [False, True], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["roots", "roots"], 0),
        (["roots", "roots", "--output", "json"], 0),
        (["gold", "other", "-evalb"], 0),
        (["gold", "nothing"], 1),
        (["gold", "nothing", "-evalb"], 1),
        (["gold", "sys", "--no-such-option"], 2),
    ],
)
def test_a_full_stderr_changes_no_status(folder, arguments, status, unbuffered):
    (folder / "roots").write_text("".join(f"(S1 (S (NN w{number})))\n" for number in range(12)))
    (folder / "other").write_text((folder / "sys").read_text().replace("slept", "ran", 1))
    with open("/dev/full", "wb") as full:
        found, _, report = run(folder, COMMAND, arguments, unbuffered=unbuffered, stderr=full)
    assert found == status
    assert bool(report) == (status == 0)


def test_no_memory_is_one_line_that_needs_no_import(capsys, monkeypatch):
    def work() -> int:
        def refuse(*_arguments: object, **_more: object) -> object:
            raise MemoryError

        monkeypatch.setattr("builtins.__import__", refuse)
        raise MemoryError

    try:
        assert guarded("jpevalb", work) == 1
    finally:
        monkeypatch.undo()
    assert capsys.readouterr().err == (
        "jpevalb: the input does not fit into memory; is one of its sentences endless?\n"
    )


class Stingy(io.RawIOBase):
    """Takes seven bytes at a time, and a hundred in all."""

    def __init__(self) -> None:
        self.taken = b""

    def writable(self) -> bool:
        return True

    def write(self, data, /):
        some = bytes(data)[: min(7, 100 - len(self.taken))]
        if not some:
            raise OSError(28, "No space left on device")
        self.taken += some
        return len(some)


TREE = Tree.parse("(S (NP (DT the) (NN cat)) (VP (VBD slept)))")
LINE = b"(S (NP (DT the) (NN cat)) (VP (VBD slept)))\n"


@pytest.mark.parametrize("text", [False, True], ids=["raw", "text above raw"])
def test_an_open_file_without_a_buffer_gets_everything_or_an_error(text):
    raw = Stingy()
    file = io.TextIOWrapper(raw, "utf-8", write_through=True) if text else raw
    write([TREE, TREE], file)
    assert raw.taken == LINE * 2
    with pytest.raises((OSError, InputError), match="No space left"):
        write([TREE], file)
    assert raw.taken == (LINE * 3)[:100]
    assert not raw.closed


def test_a_file_that_accepts_no_data():
    class Busy(Stingy):
        def write(self, data, /):
            return None

    with pytest.raises(OSError, match="the file takes no more"):
        write([TREE], Busy())


def test_a_text_stream_without_a_buffer_writes_at_once_and_whole():
    raw = Stingy()
    stream = streams.unbuffered(io.TextIOWrapper(raw, "utf-8", write_through=True))
    assert stream.writable()
    assert stream.write("ein Café\nund mehr\n") == 18
    assert raw.taken.decode() == "ein Café\nund mehr\n"
    stream.flush()
    with pytest.raises(OSError, match="No space left"):
        stream.write("x" * 100)
    assert len(raw.taken) == 100
    # Who did not look at the error is told once more, by what is done at the end.
    with pytest.raises(OSError, match="No space left"):
        stream.buffer.flush()
    stream.buffer.flush()


def test_files_of_predictable_names_are_not_touched(tmp_path, monkeypatch):
    """Another's file or link where the unfinished report would go: it is neither followed nor mixed in."""
    victim = tmp_path / "victim"
    victim.write_text("precious")
    monkeypatch.setattr(os, "urandom", lambda number: b"\x07" * number)
    report = "report" * 7 + ".csv"
    part = tmp_path / f"{report[:40]}.{'07' * 8}.part"
    for planted in (f"{report}.{os.getpid()}.part", part.name):
        (tmp_path / planted).symlink_to(victim)
    with (
        pytest.raises(InputError, match="cannot write the file: File exists"),
        whole_file(tmp_path / report),
    ):
        pass
    part.unlink()
    with whole_file(tmp_path / report) as put:
        assert [name for name in os.listdir(tmp_path) if name.startswith("report")] != [report]
        put("whole\n")
    assert (tmp_path / report).read_text() == "whole\n"
    assert victim.read_text() == "precious"
    assert (tmp_path / f"{report}.{os.getpid()}.part").is_symlink()


def test_several_writers_of_one_file_do_not_mix(tmp_path, monkeypatch):
    """As in containers that share a folder, where the ids of processes are the same."""
    monkeypatch.setattr(files.os, "getpid", lambda: 7)
    with whole_file(tmp_path / "report") as first, whole_file(tmp_path / "report") as second:
        for _ in range(3):
            first("first\n" * 5000)
            second("second\n" * 5000)
    assert (tmp_path / "report").read_text() == "first\n" * 15000
    assert os.listdir(tmp_path) == ["report"]


@pytest.mark.parametrize(("mask", "mode"), [(0o027, 0o640), (0, 0o666)])
def test_a_new_file_has_the_permissions_that_the_user_wants(tmp_path, mask, mode):
    before = os.umask(mask)
    try:
        with whole_file(tmp_path / "report") as put:
            put("x")
    finally:
        os.umask(before)
    assert (tmp_path / "report").stat().st_mode & 0o777 == mode


def test_compressed_files_have_no_time_stamp(tmp_path):
    with whole_file(tmp_path / "report.gz") as put:
        put("x")
    data = (tmp_path / "report.gz").read_bytes()
    assert (data[:3], data[4:8], gzip.decompress(data)) == (b"\x1f\x8b\x08", bytes(4), b"x")


def test_a_long_name_is_still_a_name(tmp_path):
    name = "ü" * 120 + ".csv"
    with whole_file(tmp_path / name) as put:
        put("x")
    assert os.listdir(tmp_path) == [name]


@pytest.mark.parametrize("error", [ValueError("no"), InputError("no")])
def test_the_old_file_stays_after_an_error(tmp_path, error):
    def fail():
        with whole_file(path) as put:
            put("half")
            raise error

    path = tmp_path / "report"
    path.write_text("as it was")
    path.chmod(0o604)
    with pytest.raises(type(error), match="no"):
        fail()
    assert (path.read_text(), os.listdir(tmp_path)) == ("as it was", ["report"])
    with whole_file(path) as put:
        put("new")
        assert path.read_text() == "as it was"
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("new", 0o604)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("", "^{0}: cannot write the file: Is a directory$"),
        ("no/report", "^{0}/no/report: cannot write the file: No such file or directory$"),
        ("a\0b", "cannot write the file: .*embedded null"),
    ],
)
def test_places_where_no_file_can_be(tmp_path, target, message):
    place = f"{tmp_path}/{target}" if target else str(tmp_path)
    with pytest.raises(InputError, match=message.format(tmp_path)), whole_file(place):
        pass
    what = "got the object 3; expected a path, or a file open for writing"
    with pytest.raises(InputError, match=what), whole_file(3):
        pass


def test_an_output_without_a_name_is_refused(capsys):
    path = str(ROOT / "examples/gold.mrg")
    for run, arguments in ((cli.main, []), (cli.main, [path, "-evalb"]), (average.main, [])):
        assert run([path, path, *arguments, "--out", ""]) == 2
        expected = "--out: got ''; expected the name of a file, or - for standard output\n"
        assert capsys.readouterr().err.endswith(f": {expected}")


def test_a_character_that_the_encoding_lacks(tmp_path):
    what = "latin-1 has no character '€'; choose another encoding"
    with pytest.raises(InputError, match=what), whole_file(tmp_path / "report", "latin-1") as put:
        put("é €")
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name")
def test_a_pipe_is_written_directly(tmp_path):
    place = tmp_path / "pipe"
    os.mkfifo(place)
    reader = os.open(place, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with whole_file(place) as put:
            put("x")
        assert os.read(reader, 9) == b"x"
    finally:
        os.close(reader)
    assert os.listdir(tmp_path) == ["pipe"]


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="no /dev/fd")
def test_an_open_file_that_was_deleted_is_written_directly(tmp_path):
    with open(tmp_path / "gone", "w+b") as file:
        (tmp_path / "gone").unlink()
        with whole_file(f"/dev/fd/{file.fileno()}") as put:
            put("x")
        assert (file.read(), os.listdir(tmp_path)) == (b"x", [])
        # Another file has its name now, or what the system calls it.
        (tmp_path / "gone (deleted)").write_text("as it was")
        with whole_file(f"/dev/fd/{file.fileno()}") as put:
            put("y")
        assert (tmp_path / "gone (deleted)").read_text() == "as it was"
        file.seek(0)
        assert file.read() == b"y"


ENDS = """
import os, signal, sys
from jpevalb.base.files import whole_file
with whole_file("report") as put:
    put("half")
    if sys.argv[1] == "gone":
        os.unlink([name for name in os.listdir() if name.endswith(".part")][0])
    if sys.argv[1] != "worker" or not os.fork():
        os.kill(os.getpid(), signal.SIGTERM)
    print(os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
"""


@pytest.mark.parametrize(
    ("how", "status", "said", "left"),
    [
        ("here", -signal.SIGTERM, b"", []),
        ("gone", -signal.SIGTERM, b"", []),
        # A worker that is ended takes nothing of its parent's away.
        ("worker", 0, b"-15\n", ["report"]),
    ],
)
def test_a_signal_leaves_no_unfinished_file(tmp_path, how, status, said, left):
    program, environment = [sys.executable, "-c", ENDS, how], {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(program, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (status, said, b"")
    assert os.listdir(tmp_path) == left


def test_signals_have_their_handlers_back(tmp_path):
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        with whole_file(tmp_path / "report"):
            assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        with whole_file(tmp_path / "report"):
            assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_file_may_be_written_from_any_thread(tmp_path):
    def write_it():
        with whole_file(tmp_path / "report") as put:
            put("x")

    thread = threading.Thread(target=write_it)
    thread.start()
    thread.join()
    assert (tmp_path / "report").read_text() == "x"
