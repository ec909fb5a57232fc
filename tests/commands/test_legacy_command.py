"""The command in legacy mode: options in every spelling, files, exit status and streams."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from jpevalb.base.streams import open_binary
from jpevalb.base.version import version_line
from jpevalb.commands import evalb as command, is_legacy
from jpevalb.commands.evalb import UsageError, parse
from jpevalb.legacy import engine
from jpevalb.legacy.engine import Stream, new_scorer, run, taken
from jpevalb.settings.params import Params
from tests.support.commands import COMMAND, ROOT, jpevalb, start
from tests.support.files import write_files

TREE = b"(S (NP (DT the) (NN cat)) (VP (VBD slept)))\n"
OTHER = b"(S (NP (DT the)) (VP (NN cat) (VBD slept)))\n"


@pytest.fixture
def files(tmp_path):
    return write_files(tmp_path, {"gold": TREE * 3, "sys": OTHER * 3})


@pytest.mark.parametrize(
    ("program", "arguments", "expected"),
    [
        ("jpevalb", ["a", "b"], False),
        ("jpevalb", ["a", "b", "-evalb"], True),
        ("jpevalb", ["a", "b", "-p", "X"], True),
        ("jpevalb", ["-c10", "a", "b"], False),
        ("jpevalb", ["-c10", "-d", "a", "b"], True),
        ("jpevalb", ["--dialect=spmrl", "a", "b"], True),
        ("jpevalb", ["--evalb=new.prm", "a", "b"], True),
        ("jpevalb", ["-evalb=new.prm", "a", "b"], True),
        ("jpevalb", ["--cutoff", "10", "a", "b"], False),
        ("jpevalb", ["-", "b"], False),
        ("/usr/bin/evalb", ["a", "b"], True),
        ("evalb_spmrl", [], True),
        ("EVALB", ["a"], False),
    ],
)
def test_which_mode(program, arguments, expected):
    assert is_legacy(program, arguments) is expected


@pytest.mark.parametrize(
    ("arguments", "files", "max_error", "cutoff", "debug", "collins"),
    [
        (["g", "s", "-evalb"], ["g", "s"], 10, 40, 0, True),
        (["-evalb", "g", "s"], ["g", "s"], 10, 40, 0, True),
        (["-evalb", "COLLINS.prm", "g", "s"], ["g", "s"], 10, 40, 0, True),
        (["g", "-evalb", "COLLINS", "s"], ["g", "s"], 10, 40, 0, True),
        (["g", "s", "-evalb", "COLLINS.prm", "-e", "1000"], ["g", "s"], 1000, 40, 0, True),
        (["g", "s", "-evalb=COLLINS.prm"], ["g", "s"], 10, 40, 0, True),
        (["--evalb=COLLINS", "g", "s", "-e3x"], ["g", "s"], 3, 40, 0, True),
        (["-e", "1000", "g", "s", "-evalb", "COLLINS.prm"], ["g", "s"], 1000, 40, 0, True),
        (["-e", "7", "-p", "COLLINS.prm", "g", "s"], ["g", "s"], 10, 40, 0, True),
        (["-p", "COLLINS.prm", "-e", "7", "g", "s"], ["g", "s"], 7, 40, 0, True),
        (["-c", "5", "-dD", "g", "s"], ["g", "s"], 10, 5, 1, False),
        (["-D", "g", "-c5x", "s"], ["g", "s"], 10, 5, 2, False),
        (["-c", "-d", "g", "s"], ["g", "s"], 10, 0, 0, False),
        (["-", "-d", "g", "-", "s"], ["g", "s"], 10, 40, 1, False),
        (["-", "s", "-evalb"], ["-", "s"], 10, 40, 0, True),
    ],
)
def test_options_in_every_order(arguments, files, max_error, cutoff, debug, collins):
    options = parse("jpevalb", arguments)
    assert options.files == files
    found = options.params
    assert (found.max_error, found.cutoff, found.debug) == (max_error, cutoff, debug)
    assert ("TOP" in found.delete_labels) is collins


@pytest.mark.parametrize("word", ["-evalb", "-evalb=COLLINS.prm", "-eval", "-error"])
def test_called_evalb_the_word_evalb_is_an_e(word):
    options = parse("evalb", [word, "g", "s"])
    assert options.files == ["g", "s"]
    assert options.params == Params(max_error=0)


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["-evalbCOLLINS.prm"], "write -evalb COLLINS.prm"),
        (["-evalb_spmrl"], "write --dialect spmrl"),
        (["-eval", "X"], "write -evalb [PRM]"),
        (["-eval=new.prm"], "write -evalb new.prm"),
        (["-error", "3"], "write -e N"),
        (["-d", "-e=3"], "write -e 3"),
        (["-cutoff", "40"], "write -c N with -evalb or -p, or --cutoff without them"),
        (["-cutoff=40"], "write -c N with -evalb or -p, or --cutoff without them"),
        (["-d", "-c=40"], "write -c 40"),
        (["-columns", "F"], "write --columns"),
        (["-dialect", "spmrl"], "write --dialect"),
        (["-debug"], "write -d"),
        (["-p=new.prm"], "write -p new.prm"),
        (["-prm", "new.prm"], "write --prm"),
        (["-d", "-KX", "--dialect", "spmrl"], "write -K N"),
        (["-lang", "de", "--dialect", "spmrl"], "write --lang"),
    ],
)
def test_a_word_that_evalb_reads_as_a_letter_is_refused(files, arguments, advice):
    """It would be evalb's -e, -c or -d with junk, and the .prm would be missing."""
    done = jpevalb("gold", "sys", *arguments, cwd=files)
    word = next(word for word in arguments if word != "-d")
    message = f"jpevalb: unknown option {word!r} of evalb; {advice}\n"
    assert (done.returncode, done.stdout, done.stderr.decode()) == (2, b"", message)


@pytest.mark.parametrize(
    ("arguments", "params"),
    [
        (["-e3x"], Params(max_error=3)),
        (["-e-1"], Params(max_error=-1)),
        (["-e +7"], Params(max_error=7)),
        (["-e", "X"], Params(max_error=0)),
        (["-dc5"], Params(debug=1)),
        (["-Dz"], Params(debug=2)),
        (["-pprm", "-c5x"], Params(cutoff=5, labeled=False)),
        (["-pnew.prm"], Params.load("new.prm")),
    ],
)
def test_what_scripts_pass_to_evalb_is_accepted(files, monkeypatch, arguments, params):
    (files / "prm").write_text("LABELED 0\n")
    monkeypatch.chdir(files)
    for program in ("jpevalb", "evalb"):
        options = parse(program, ["gold", "sys", *arguments])
        assert (options.files, options.params) == (["gold", "sys"], params)


@pytest.mark.parametrize("arguments", [["-evalb", ""], ["--evalb", ""], ["-evalb="], ["--evalb="]])
def test_an_empty_name_of_a_parameter_file(files, arguments):
    """A shell variable that is not set."""
    for order in (["gold", "sys", *arguments], [*arguments, "gold", "sys"]):
        done = jpevalb(*order, cwd=files)
        assert (done.returncode, done.stdout) == (2, b"")
        name = arguments[0].rstrip("=")
        assert done.stderr.decode() == (
            f"jpevalb: {name}: the name of the .prm is empty; name a file, or leave it out for COLLINS.prm\n"
        )


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes")
@pytest.mark.parametrize("name", ["-", "pipe"])
def test_rows_of_slow_input_are_printed_as_they_are_scored(tmp_path, name):
    (tmp_path / "gold").write_bytes(TREE * 3)
    os.mkfifo(tmp_path / "pipe")
    with start(COMMAND, "gold", name, "-evalb", cwd=tmp_path, stdin=subprocess.PIPE) as process:
        with process.stdin if name == "-" else open(tmp_path / "pipe", "wb") as parser:
            for number in range(1, 4):
                parser.write(OTHER)
                parser.flush()
                lines = [process.stdout.readline() for _ in range(4 if number == 1 else 1)]
                assert lines[-1].split()[:2] == [b"%d" % number, b"3"]
        assert b"=== Summary" in process.stdout.read()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes")
def test_both_streams_of_slow_input_in_one_file_keep_the_order(tmp_path):
    (tmp_path / "gold").write_bytes(TREE * 3)
    system = OTHER + TREE.replace(b"cat", b"dog") + OTHER
    (tmp_path / "sys").write_bytes(system)
    for name, data in (("sys", b""), ("-", system)):
        with open(tmp_path / f"log{name}", "wb") as log:
            jpevalb("gold", name, "-evalb", cwd=tmp_path, stdin=data, stdout=log, stderr=log)
    assert (tmp_path / "log-").read_bytes() == (tmp_path / "logsys").read_bytes()
    assert (tmp_path / "log-").read_bytes().startswith(b"2 : Words unmatch (cat|dog)\n")


def test_spmrl_options():
    options = parse("evalb_spmrl", ["-K", "5", "-LV", "-V", "-X", "g", "s"])
    assert (options.last_line, options.compact, options.names, options.score_skipped) == (
        5,
        "all",
        True,
        True,
    )
    with pytest.raises(UsageError, match="--dialect spmrl"):
        parse("jpevalb", ["-L", "-d", "g", "s"])


def test_only_spmrl_prints_its_cutoff():
    assert parse("evalb_spmrl", ["-c", "5", "g", "s"]).messages == ["cutoff 5"]
    assert parse("evalb", ["-c", "5", "g", "s"]).messages == []


@pytest.mark.parametrize(
    ("arguments", "comparing"),
    [
        ([], None),
        (["--jobs", "1"], None),
        (["--jobs=999999999"], None),
        (["--test", "sign"], ["--test", "sign"]),
        (["t"], []),
        (["t", "--verbose", "--sort=F"], ["--verbose", "--sort", "F"]),
    ],
)
def test_options_of_our_own(arguments, comparing):
    found = parse("jpevalb", ["g", "s", *arguments, "-evalb"])
    assert (found.comparing, found.last_line) == (comparing, -1)


@pytest.mark.parametrize(
    ("program", "arguments", "message"),
    [
        ("jpevalb", ["--jobs", "x"], "--jobs: got 'x'; expected a whole number from 1"),
        ("jpevalb", ["--jobs=0"], "--jobs: got '0'; expected a whole number from 1"),
        (
            "jpevalb",
            ["--jobs=1111111111"],
            "--jobs: got '1111111111'; expected a whole number from 1",
        ),
        (
            "evalb",
            ["--metrics=siou"],
            "unknown option '--metrics=siou' of evalb; call jpevalb for jpevalb's own score",
        ),
    ],
)
def test_options_of_our_own_without_meaning(program, arguments, message):
    with pytest.raises(UsageError) as caught:
        parse(program, ["g", "s", *arguments, *(["-evalb"] if program == "jpevalb" else [])])
    assert str(caught.value) == message


@pytest.mark.parametrize("debug", [[], ["-d"], ["-D"]])
@pytest.mark.parametrize(("gold", "system"), [(2, 3), (3, 2), (2, 2)])
def test_nothing_is_read_behind_the_last_line(files, gold, system, debug):
    (files / "gold").write_bytes(TREE * gold)
    (files / "sys").write_bytes(OTHER * system)
    done = jpevalb("--dialect", "spmrl", *debug, "-K2", "gold", "sys", cwd=files)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Number of sentence        =      2" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-evalb"], "no file name; expected two"),
        (["-d", "gold"], "one file name; expected two"),
        (
            ["-z", "-d", "gold", "sys"],
            "unknown option '-z' of evalb; jpevalb -evalb --help lists its options\n",
        ),
        (
            ["-evalb", "gold", "sys", "--nonsense"],
            "unknown option '--nonsense' of evalb; jpevalb -evalb --help lists its options\n",
        ),
        (["-L", "-evalb", "gold", "sys"], "'-L' of evalb; it is an option of --dialect spmrl\n"),
        (
            ["gold", "sys", "-evalb", "--metrics=siou"],
            "option '--metrics=siou' of evalb; leave out -evalb for jpevalb's own score\n",
        ),
        (
            ["gold", "sys", "--verbose", "-p", "COLLINS.prm"],
            "--verbose needs several systems with -evalb; leave it out\n",
        ),
        (
            ["gold", "sys", "-evalb", "sys"],
            "sys: trees, not a parameter file; name the systems before -evalb",
        ),
        (["--dialect", "evalc", "gold", "sys"], "--dialect: got 'evalc'; expected one of evalb, spmrl"),
        (["--dialect"], "--dialect: got ''; expected one of evalb, spmrl"),
    ],
)
def test_usage(files, arguments, words):
    done = jpevalb(*arguments, cwd=files)
    assert (done.returncode, done.stdout) == (2, b"")
    assert words in done.stderr.decode()
    # The usage is shown only where files are missing.
    assert done.stderr.count(b"\n") == 1 or b"file name" in done.stderr


def test_help_marks_options_of_the_other_dialect():
    lines = jpevalb("-evalb", "--help").stdout.decode().splitlines()
    at = lines.index("with --dialect spmrl also:")
    assert lines[at - 1] == ""
    assert [line.split()[0] for line in lines[at + 1 :]] == ["-L,", "-K", "-V", "-X"]
    short = jpevalb("--dialect", "evalb", "-h")
    assert (short.returncode, short.stdout) == (0, b"")
    assert short.stderr.decode().splitlines() == lines[: at - 1]


def test_no_arguments_at_all():
    done = jpevalb()
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"usage:" in done.stderr


@pytest.mark.parametrize(
    ("opener", "name"), [(gzip.open, "gold.gz"), (bz2.open, "gold.bz2"), (lzma.open, "gold.xz")]
)
def test_compressed_input(files, opener, name):
    with opener(files / name, "wb") as file:
        file.write(TREE * 3)
    expected = jpevalb("gold", "sys", "-evalb", cwd=files)
    assert jpevalb(name, "sys", "-evalb", cwd=files).stdout == expected.stdout
    damaged = (files / name).read_bytes()[:-9]
    (files / name).write_bytes(damaged)
    done = jpevalb(name, "sys", "-evalb", cwd=files)
    assert done.returncode == 1
    assert done.stderr.decode().startswith(f"jpevalb: {name}: cannot read the file: ")
    assert done.stderr.count(b"\n") == 1


def test_standard_input(files):
    expected = jpevalb("gold", "sys", "-evalb", cwd=files)
    assert jpevalb("-", "sys", "-evalb", cwd=files, stdin=TREE * 3).stdout == expected.stdout
    done = jpevalb("-", "-", "-evalb", cwd=files, stdin=TREE * 3)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"standard input" in done.stderr


@pytest.mark.parametrize("side", [0, 1])
def test_a_directory_cannot_be_opened(files, side):
    names = ["gold", "sys"]
    names[side] = "."
    done = jpevalb(*names, "-evalb", cwd=files)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"Can't open %s file (.)\n" % (b"gold", b"test")[side]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX shell")
def test_a_closed_output_pipe(tmp_path):
    (tmp_path / "gold").write_bytes(TREE * 20_000)
    with start(COMMAND, "gold", "gold", "-evalb", cwd=tmp_path) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_interrupted(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "sys").write_bytes(OTHER)
    process = start(
        COMMAND,
        *("pipe", "sys", "-evalb"),
        cwd=tmp_path,
        # A background job of a shell without job control ignores the signal, and so would its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    # Opening the other end waits until the process has opened its own. A signal that comes in the
    # instant before it begins to read is seen only when the read returns: time to get there.
    with process, open(tmp_path / "pipe", "wb"):
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        stderr = process.communicate(timeout=30)[1]
    assert (process.returncode, stderr) == (130, b"")


def test_a_message_may_repeat_a_million_times(files):
    (files / "sys").write_bytes(b"stray " + OTHER)
    done = jpevalb("gold", "sys", "--dialect", "evalb", "-e", "999999", cwd=files)
    assert done.returncode == 1
    assert done.stderr == b"1 : Reading sentence\n" * 1_000_001


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_legacy_path_imports_nothing_heavy(files, unbuffered):
    code = (
        "import sys; from jpevalb.cli import main; main(['gold', 'sys', '-evalb']);"
        "main(['gold', 'sys', '-pnew.prm', '-p', 'nk.prm', '-e10', '-c', '5', '-Dz']);"
        "heavy = {'numpy', 'rapidfuzz', 'regex', 'tabulate', 'tqdm', 'argparse', 'dataclasses', 'typing'};"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd=files,
        capture_output=True,
        env=dict(os.environ, PYTHONPATH=str(ROOT), PYTHONUNBUFFERED=unbuffered),
        check=True,
    )
    assert done.stderr == b"[]\n"


def test_version():
    for pure, kind in ((True, "interpreted"), (None, "")):
        done = jpevalb("--version", pure=pure)
        assert done.returncode == 0
        assert done.stdout.startswith(b"jpevalb 0.1.0 (")
        assert kind.encode() in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX shell")
@pytest.mark.parametrize(
    ("closed", "status", "stdout", "stderr"),
    [(">&-", 1, 0, 1), ("2>&-", 0, 1, 0), (">&- 2>&-", 1, 0, 0), ("<&-", 0, 1, 1)],
)
def test_closed_streams(files, closed, status, stdout, stderr):
    (files / "sys").write_bytes(TREE.replace(b"cat", b"dog") * 3)
    done = subprocess.run(
        f"'{sys.executable}' -c '{COMMAND}' gold sys -evalb {closed}",
        shell=True,
        cwd=files,
        capture_output=True,
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
        check=False,
    )
    assert done.returncode == status
    assert done.stdout.count(b"Number of Error sentence  =      3") == 2 * stdout
    assert done.stderr.count(b"Words unmatch (cat|dog)") == 3 * stderr
    lost = b"jpevalb: cannot write the output: Bad file descriptor\n" if status and stderr else b""
    assert done.stderr.count(b"\n") == 3 * stderr + bool(lost)
    assert done.stderr.endswith(lost)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_messages_on_a_full_disk_do_not_spoil_the_report(files):
    (files / "sys").write_bytes(TREE.replace(b"cat", b"dog") * 3)
    with open("/dev/full", "wb") as full:
        done = jpevalb("gold", "sys", "-evalb", cwd=files, stderr=full)
    assert done.returncode == 0
    assert b"-- len<=40 --" in done.stdout


def test_names_are_shown_in_the_bytes_of_the_file_system(monkeypatch, capsysbinary):
    """In a Latin-1 locale the name's bytes are not UTF-8."""
    monkeypatch.setattr(os, "fsencode", lambda text: text.encode("latin-1"))
    assert command.main("evalb", ["gol\xe9", "sys"]) == 1
    assert command.main("evalb", ["gold", "sys", "-p", "\xe9.prm"]) == 1
    expected = b"Can't open gold file (gol\xe9)\nCan't open parameter file (\xe9.prm)\n"
    assert capsysbinary.readouterr() == (b"", expected)


def test_python_without_a_decompressor(files, monkeypatch, capsysbinary):
    monkeypatch.setitem(sys.modules, "lzma", None)
    with pytest.raises(OSError, match="this Python cannot decompress it"):
        open_binary(str(files / "gold.xz"))
    assert command.main("evalb", ["gold.xz", "sys"]) == 1
    assert capsysbinary.readouterr() == (b"", b"Can't open gold file (gold.xz)\n")


@pytest.mark.parametrize("jobs", ["0", "-1", "two", "9" * 5000])
def test_bad_numbers_of_jobs(files, jobs):
    done = jpevalb("gold", "sys", "-evalb", "--jobs", jobs, cwd=files)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"expected a whole number from 1\n" in done.stderr


def test_the_trace_of_a_long_pair_is_written_while_it_grows(files, monkeypatch, capsysbinary):
    levels = 300
    deep = b"(S " * levels + b"(X a)" + b")" * levels + b"\n"
    (files / "deep").write_bytes(deep * 2)
    scorer = new_scorer(Params.load("COLLINS.prm").replace(debug=2))
    chunks = run(scorer, Stream(io.BytesIO(deep * 2), 0), Stream(io.BytesIO(deep * 2), 1))
    expected = b"".join([item for *_, trace, _ in chunks for item in trace if isinstance(item, bytes)])
    assert len(expected) > levels**2 * 50
    sizes = []
    for module in (command, engine):
        monkeypatch.setattr(module, "taken", lambda *what: sizes.append(taken(*what)) or sizes[-1])
    monkeypatch.chdir(files)
    assert command.main("evalb", ["-D", "deep", "deep"]) == 0
    # About a megabyte each, and the tables of a pair with its last one.
    traces = [sum(len(item) for item in trace if isinstance(item, bytes)) for *_, trace, _ in sizes]
    assert len(traces) >= 4
    assert max(traces) < 1_700_000 < len(expected) / 3
    pieces = [item for *_, trace, _ in sizes for item in trace if isinstance(item, bytes)]
    assert b"".join(pieces) == expected
    printed = capsysbinary.readouterr().out
    # The rows come after the trace of their pair.
    first, second = (printed.index(b"\n%4d    1    0  100.00" % number) for number in (1, 2))
    assert len(expected) < 2 * (second - first) + 2000


WELL = b"(S (NP (DT the) (NN cat)) (VP (VBD slept) (RB well)))\n"
COMPARED = ["--dialect", "spmrl", "gold", "sys", "gold", "-evalb", "--test", "sign"]


@pytest.fixture
def legacy(folder, capsysbinary):
    """Return a function that runs legacy mode on three sentences of 3, 3 and 4 words.

    One bracket of three is right in the first two, all are in the last.
    """
    write_files(folder, {"gold": TREE * 2 + WELL, "sys": OTHER * 2 + WELL})

    def call(*arguments):
        program = "jpevalb" if "-evalb" in arguments else "evalb_spmrl"
        status = command.main(program, list(arguments))
        return (status, *capsysbinary.readouterr())

    return call


def test_the_summary_that_is_asked_for(legacy):
    def last(*options):
        status, out, err = legacy("gold", "sys", *options)
        assert (status, err) == (0, b"cutoff 3\n" if "-c" in options else b"")
        return out.splitlines()[6:]

    line = "F1: {:6.2f} %\tPrec: {:6.2f} %\tRec: {:6.2f} %\tPOS: 100.00 %\tEX: {:6.2f} %"
    rest = "\tUnparsed:      0\tSent: {:6d}\tfile: sys"
    # 5 of 9, and 2 of 6 up to the cut-off.
    assert last("-L") == last("-L", "-c", "3") == [(line + rest).format(*[500 / 9] * 3, 100 / 3, 3).encode()]
    assert last("-l", "-c", "3") == [(line + rest).format(*[100 / 3] * 3, 0, 2).encode()]
    assert b"=== Summary ===" in last()
    assert b"=== Summary: gold\tvs\tsys ===" in last("-V")
    lines = last("-c", "3")
    assert lines.count(b"Number of sentence        =      3") == 1
    assert lines[lines.index(b"-- len<=3 --") + 1] == b"Number of sentence        =      2"


def test_rows_are_printed_between_debug_tables(legacy):
    status, out, err = legacy("gold", "sys", "-d", "-K", "2")
    assert (status, err) == (0, b"")
    lines = out.splitlines()
    assert [lines[place].split()[0] for place in (0, 1, 3)] == [b"Sent.", b"ID", b"1"]
    assert lines[4].startswith(b"-<1>---(wn1=  3, bn1=  3)-")
    second = next(place for place, line in enumerate(lines[4:], 4) if line.split()[:2] == [b"2", b"3"])
    assert lines[second + 1].startswith(b"-<1>---")
    assert lines.count(b"Number of sentence        =      2") == 2


def test_a_run_that_is_given_up_has_no_summary(legacy):
    Path("sys").write_bytes(TREE.replace(b"cat", b"dog") * 3)
    Path("gold").write_bytes(TREE * 3)
    status, out, err = legacy("gold", "sys", "-e", "1")
    # The second message beyond the first is the last.
    assert (status, err.count(b"Words unmatch (cat|dog)")) == (1, 3)
    assert b"Summary" not in out
    # Each message has its line, however often it comes.
    status, _, err = legacy("gold", "sys", "-e", "5")
    assert (status, err.count(b"\n")) == (0, 3)


def test_calls_that_score_nothing(legacy):
    status, out, err = legacy("--version")
    assert (status, out, err) == (0, version_line().encode() + b"\n", b"")
    status, out, err = legacy("--help")
    assert (status, err) == (0, b"")
    assert out.decode() == command.USAGE + "\nwith --dialect spmrl also:\n" + command.SPMRL_USAGE
    usage = (command.USAGE + command.SPMRL_USAGE).encode()
    assert legacy("-h") == (0, b"", usage)
    expected = b"expected two: GOLD SYSTEM; jpevalb -evalb --help lists the options\n"
    assert legacy() == (2, b"", b"jpevalb: no file name; " + expected)
    assert legacy("gold") == (2, b"", b"jpevalb: one file name; " + expected)
    assert legacy("no", "sys") == (1, b"", b"Can't open gold file (no)\n")
    assert legacy("gold", "no\0") == (1, b"", b"Can't open test file (no\0)\n")
    assert legacy("gold", "sys", "-p", "no") == (1, b"", b"Can't open parameter file (no)\n")
    assert legacy("gold", "sys", "--jobs", "2") == legacy("gold", "sys")


@pytest.mark.parametrize(
    "option", [["-d"], ["-D"], ["-K", "2"], ["-L"], ["-l"], ["-V"], ["-X"]], ids=lambda words: words[0]
)
def test_options_that_comparisons_reject(option, legacy):
    status, out, err = legacy(*COMPARED, *option)
    message = f"jpevalb: {option[0]} has no effect in comparisons of systems; leave it out\n"
    assert (status, out, err) == (2, b"", message.encode())


def test_a_comparison_of_the_figures_of_evalb(legacy, tmp_path):
    status, out, _ = legacy(*COMPARED)
    lines = [line.split() for line in out.splitlines()]
    assert (status, lines[0][:4]) == (0, [b"System", b"P", b"R", b"F"])
    assert [line[:2] for line in lines[2:4]] == [[b"gold", b"100.00"], [b"sys", b"55.56"]]
    # What is read is not written over; else a report goes where it is to go.
    assert legacy(*COMPARED, "--out", "sys")[0] == 2
    assert legacy(*COMPARED, "--out", "report.csv", "--output", "csv") == (0, b"", b"")
    assert (tmp_path / "report.csv").read_text().startswith("system,precision,")
    # The name of the file chooses the format, as in the other modes.
    assert legacy(*COMPARED, "-o", "other.csv") == (0, b"", b"")
    assert (tmp_path / "other.csv").read_text() == (tmp_path / "report.csv").read_text()
    for words, status in ((["--samples", "none"], 2), (["--seed", "1", "--against", "x"], 2)):
        assert legacy(*COMPARED, *words)[0] == status
    assert legacy(*COMPARED[:3], "no", *COMPARED[4:])[0] == 1


def test_repeated_messages_are_printed_each_time(capsysbinary, monkeypatch):
    for count in (0, 1, 2, command.PIECE, command.PIECE + 1, 2 * command.PIECE + 3):
        command._write(b"x\n", count)
        assert capsysbinary.readouterr().err == b"x\n" * count

    class Gone:
        def __init__(self, error):
            self.error = error

        def write(self, data):
            raise self.error

    for error in (OSError(28, "full"), BrokenPipeError()):
        monkeypatch.setattr(sys, "stderr", SimpleNamespace(buffer=Gone(error)))
        with (
            pytest.raises(BrokenPipeError) if isinstance(error, BrokenPipeError) else contextlib.nullcontext()
        ):
            command._write(b"x\n")


class Recorded(io.BytesIO):
    """A stream that adds what is written to a list that it shares with another."""

    def __init__(self, name, written):
        super().__init__()
        self.name = name
        self.written = written

    def write(self, data):
        if data:
            self.written.append((self.name, len(data)))
        return super().write(data)


def test_output_is_written_in_blocks_before_messages(monkeypatch):
    """As C's library does: a full block waits for the next byte."""
    written = []
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, SimpleNamespace(buffer=Recorded(name, written)))
    monkeypatch.setattr(command, "DEFAULT_BLOCK", 10)
    monkeypatch.setattr(command, "MOST_WAITING", 50)
    with command._BlockWriter() as out:
        out.message(b"x", 1)
        out.write([b"abcde", b"fghij"])
        out.message(b"xx", 1)
        assert written == [("stderr", 1), ("stderr", 2)]
        out.write([b"k" * 15])
        out.message(b"xxx", 2)
        out.write([b"l" * 46])
        assert written[2:] == [("stdout", 20), ("stderr", 6), ("stdout", 50)]
    assert written[5:] == [("stdout", 1)]
    assert sys.stdout.buffer.getvalue() == b"abcdefghij" + b"k" * 15 + b"l" * 46
    monkeypatch.setattr(sys.stdout.buffer, "fileno", lambda: 0)
    for size, block in ((4, 4), (0, 10), (11, 10), (10, 10)):
        with monkeypatch.context() as patch:
            patch.setattr(os, "fstat", lambda _, size=size: SimpleNamespace(st_blksize=size))
            assert command._BlockWriter()._block == block
            patch.setattr(sys.stdout.buffer, "isatty", lambda: True)
            terminal = command._BlockWriter()
            assert terminal._block == 1
            written.clear()
            terminal.write([b"row"])
            assert written == [("stdout", 3)]


@pytest.mark.parametrize("debug", ["-d", "-D"])
def test_the_summary_has_no_tables(debug, files):
    plain, quiet = (
        jpevalb("gold", "sys", "-evalb", *words, "--quiet", cwd=files) for words in ((), (debug,))
    )
    assert quiet.stdout == plain.stdout != b""
