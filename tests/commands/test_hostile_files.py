"""Bad files: empty, truncated, endless, locked, on a full disk, or not files at all."""

from __future__ import annotations

import fcntl
import gzip
import lzma
import os
import re
import signal
import subprocess
import sys
import termios
import time
import tracemalloc
from array import array
from pathlib import Path

import pytest

from jpevalb import JpevalbError, TreeError, evaluate, read
from jpevalb.commands import REQUIRED
from jpevalb.commands.average import main as average
from jpevalb.commands.evaluate import main
from jpevalb.formats.xml import read_tigerxml
from tests.support.commands import AVERAGE, AVERAGE_COMMAND, COMMAND, ROOT, jpevalb, start
from tests.support.files import write_files

pytestmark = pytest.mark.slow

LINE = "(S (NP (DT the) (NN cat)) (VP (VBD slept)))\n"


@pytest.fixture
def folder(folder):
    return write_files(folder, {"gold": LINE, "sys": LINE})


# -- content ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", []),
        (b"\n\n\n", []),
        (b"(S (NN a))", [("a",)]),
        (b"(S (NN a))\r\n(S (NN b))\r\n", [("a",), ("b",)]),
        (b"(S (NN a))\r\n\r\n(S (NN b))", [("a",), (), ("b",)]),
        (b"\xef\xbb\xbf(S (NN a))\n", [("a",)]),
        (b"\xef\xbb\xbf", []),
        (b"(S (NN a\x00b))\n", [("a\x00b",)]),
        (b"\x00\n", "outside a tree"),
        (b"(S)\n", [()]),
        (b"(S (NP) (NN a))\n", [("a",)]),
        (b"(a)\n", [()]),
        (b"( a)\n", [("a",)]),
        (b"((NN a))\n", [("a",)]),
        (b"( (S\n   (NN a)\n   (NN b)))\n", [("a", "b")]),
        (b"(S (NN a)\n", r"not closed: 1 '\)' is missing"),
        (b"(S (NN a)))\n", r"one '\)' too many"),
        (b"(S (NN caf\xe9))\n", r"byte 0xe9 \(byte 10 of the file, from 0\) is not UTF-8"),
        (b"\xff\xfe(\x00S\x00", "UTF-16"),
    ],
)
def test_contents(folder, data, words, capsys):
    (folder / "odd").write_bytes(data)
    if isinstance(words, str):
        with pytest.raises(TreeError, match=words):
            list(read("odd"))
        assert main(["gold", "odd"]) == 1
    else:
        assert [tree.words for tree in read("odd")] == words
        nothing = (
            ""
            if any(words)
            else "jpevalb: odd: no sentence of gold has words, so there is nothing to score\n"
        )
        assert main(["odd", "odd", "--quiet"]) == int(bool(nothing))
        assert capsys.readouterr().err == nothing


def test_a_word_without_a_tag_and_a_label_without_a_word():
    [tree] = read(["(S a (NN b) (NP) c)"])
    assert tree.words == ("a", "b", "c")
    assert tree.tags == (None, "NN", None)
    result = evaluate(["(S a (NN b) (NP))"], ["(S a (NN b))"], tags="yes")
    assert (result.total.brackets.matched, result.total.brackets.gold) == (1, 1)


@pytest.mark.parametrize("counts", [(1, 3), (3, 1)])
def test_unequal_numbers_of_lines_are_reported(folder, counts, capsys):
    for name, count in zip(("gold", "sys"), counts):
        (folder / name).write_text("".join(f"(S (NN {'abc'[k] * 9}) (NN x))\n" for k in range(count)))
    assert main(["gold", "sys"]) == 0
    out = capsys.readouterr().out
    longer, most = ("gold", counts[0]) if counts[0] > counts[1] else ("system", counts[1])
    assert f"# unaligned: {longer} sentences {most - 1}-{most}\n" in out
    result = evaluate("gold", "sys")
    assert (result.total.sentences.gold, result.total.sentences.system) == counts


@pytest.mark.parametrize(
    ("gold", "system", "message"),
    [
        ("", LINE, "gold: no sentence of gold has words, so there is nothing to score"),
        (LINE, "", "sys: no sentence of the system, so there is nothing to score"),
    ],
    ids=["gold", "system"],
)
def test_a_file_without_a_line_is_refused(folder, gold, system, message, capsys):
    write_files(folder, {"gold": gold, "sys": system})
    assert main(["gold", "sys"]) == 1
    assert capsys.readouterr().err == f"jpevalb: {message}\n"
    with pytest.raises(JpevalbError, match=message):
        evaluate("gold", "sys")


# -- size -------------------------------------------------------------------------

PURE = os.environ.get("JPEVALB_PURE") == "1"
not_traced = pytest.mark.skipif(PURE and "coverage" in sys.modules, reason="minutes of traced steps")

SHAPES = ("deep", "left", "long")


def shaped(shape: str, size: int) -> str:
    """A line with so many levels, levels of two branches, or words."""
    if shape == "deep":
        return "(X " * size + "(NN a)" + ")" * size + "\n"
    if shape == "left":
        return "(X " * size + "(NN a)" + " (NN b))" * size + "\n"
    return "(S " + "(NN a) " * size + ")\n"


def size_of(part: str) -> int:
    """50,000 of everything for what all runs go through, a tenth of that for one way of writing."""
    return 50_000 if part in ("text", "discontinuous", "-evalb") else 10_000


@pytest.mark.skipif(PURE, reason="minutes of interpreted steps")
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "options",
    [
        *(["--output", name] for name in ("text", "json", "csv", "tsv", "markdown", "latex", "html")),
        ["--by-label"],
        ["--view", "1"],
        ["--convention", "discontinuous"],
        ["-evalb"],
        ["--test", "none", "--confidence", "0.9"],
    ],
    ids=" ".join,
)
def test_50_000_of_everything(folder, shape, options, capsys):
    """Read, scored with all metrics and written in every way, in seconds and without recursion."""
    size = size_of(options[-1])
    (folder / "big").write_text(shaped(shape, size))
    begin = time.monotonic()
    done = jpevalb("big", "big", *options, cwd=folder)
    assert done.returncode == 0, done.stderr[-500:]
    assert b"100.00" in done.stdout or b"1.0" in done.stdout or options[-1] in ("1", "html")
    assert time.monotonic() - begin < 60 * size / 100_000 + 60


@not_traced
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("to", ["bracket", "discbracket", "discbracket-indices", "export"])
def test_averages_of_5_000_of_everything(folder, shape, to):
    """Fewer than elsewhere: the yields of a deep tree take the square of its size."""
    (folder / "big").write_text(shaped(shape, 5_000))
    assert average(["big", "big", "--to", to, "--out", "average"]) == 0
    [tree] = read("big")
    [found] = read("average")
    assert found.words == tree.words
    # Of a unary chain an average has the labels, in one chain or in one label.
    assert {*zip(found.starts, found.ends)} == {*zip(tree.starts, tree.ends)}


@not_traced
def test_unrelated_sentences_of_20_000_words_are_bounded(folder):
    """Metrics that would take too long are listed instead of computed."""
    gold = "(S " + " ".join(f"(NN {'ab'[k % 2] * (1 + k % 7)})" for k in range(20_000)) + ")\n"
    system = "(S " + " ".join(f"(NN {'cd'[k % 2] * (1 + k % 5)})" for k in range(33_000)) + ")\n"
    (folder / "gold").write_text(gold)
    (folder / "sys").write_text(system)
    begin = time.process_time()
    result = evaluate("gold", "sys", metrics="siou,nodes,concepts")
    assert time.process_time() - begin < 60
    nodes, concepts, siou = result.total["nodes"], result.total["concepts"], result.total["siou"]
    assert (nodes.nodes.undefined, concepts.words.undefined, concepts.concepts.undefined) == (1, 1, 1)
    assert siou.undefined == 1
    text = result.report()
    for what in ("Struct-IoU", "node accuracy", "word accuracy", "concept accuracy"):
        assert f"Too large for {what}" in text


# -- no end -----------------------------------------------------------------------


@not_traced
def test_a_bomb_of_short_lines_needs_no_memory(folder):
    """1.5 MB of sentences a kilobyte of xz; what is read is never there as a whole."""
    # With this preset the decompressor's own dictionary is 256 KB.
    (folder / "bomb.xz").write_bytes(lzma.compress(LINE.encode() * 150_000, preset=0))
    assert (folder / "bomb.xz").stat().st_size < 10_000
    tracemalloc.start()
    try:
        assert sum(1 for _ in read("bomb.xz")) == 150_000  # 6.6 MB
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()


def test_a_bomb_of_blank_lines_is_refused(folder, capsys):
    (folder / "blank.gz").write_bytes(gzip.compress(b"\n" * 4_300_000))
    for options in (["gold", "blank.gz"], ["blank.gz", "gold", "--on-error", "skip"]):
        assert main(options) == 1
        said = capsys.readouterr().err
        assert "blank.gz:4194305: more than 4 MiB of blank lines before this line" in said
    done = jpevalb("gold", "-", stdin=(folder / "blank.gz").read_bytes(), cwd=folder)
    assert b"<stdin>:4194305: more than 4 MiB" in done.stderr


def test_a_comment_of_a_million_lines_is_read_once():
    """Fed line by line, the XML parser would begin it anew with each line."""
    lines = ["<corpus><!--", *["\n"] * 1_000_000, "--></corpus>"]
    begin = time.process_time()
    assert list(read_tigerxml(lines)) == []
    assert time.process_time() - begin < 20


# -- places -----------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_file_without_permission(folder):
    """Root may read everything, so a copy of this process gives that up."""
    assert main(["gold", "sys", "--out", "/dev/null"]) == 0  # everything is imported from here on
    (folder / "sys").chmod(0)
    folder.chmod(0o755)
    with open("err", "wb") as err:
        child = os.fork()
        if child == 0:
            status = 99
            try:
                if os.getuid() == 0:
                    os.setgroups([])
                    os.setgid(65534)
                    os.setuid(65534)
                sys.stderr = open(err.fileno(), "w", closefd=False)  # noqa: SIM115
                status = main(["gold", "sys", "--out", "/dev/null"])
                sys.stderr.flush()
            finally:
                os._exit(status)
        _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 1
    assert (folder / "err").read_text() == "jpevalb: sys: cannot read the file: Permission denied\n"


def test_pipes_and_devices_are_read(folder):
    os.mkfifo(folder / "pipe")
    process = start(COMMAND, "gold", "pipe", "--quiet", cwd=folder)
    (folder / "pipe").write_text(LINE)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")
    assert b"Bracketing FMeasure       = 100.00" in out
    done = jpevalb("gold", "/dev/stdin", "--quiet", cwd=folder, stdin=LINE.encode())
    assert done.stdout == out
    done = jpevalb("/dev/null", "/dev/null", cwd=folder)
    assert done.stderr.startswith(b"jpevalb: /dev/null: no sentence of gold has words")


def test_a_parameter_file_by_a_pipe_is_read_once(folder):
    script = f"'{sys.executable}' -c '{COMMAND}' gold sys --quiet --prm <(echo DELETE_LABEL NP)"
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, env=dict(os.environ, PYTHONPATH=str(ROOT)), check=False
    )
    (folder / "p.prm").write_text("DELETE_LABEL NP\n")
    other = jpevalb("gold", "sys", "--quiet", "--prm", "p.prm", cwd=folder)
    digest = other.stdout.split(b"p.prm#")[1][:8]
    assert b"#" + digest in done.stdout, done.stderr
    assert done.stdout.splitlines()[:-1] == other.stdout.splitlines()[:-1]
    script = script.replace("--prm", "--exceptions")
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, env=dict(os.environ, PYTHONPATH=str(ROOT)), check=False
    )
    assert done.returncode == 2
    assert done.stderr == b"jpevalb: --exceptions: a pipe, which cannot be read twice; give a file\n"


def test_names_that_begin_with_a_dash(folder, capsys):
    (folder / "-dash").write_text(LINE)
    assert jpevalb("gold", "--", "-dash", cwd=folder).returncode == 0
    assert jpevalb("gold", "./-dash", "-evalb", cwd=folder).returncode == 0


# -- outputs ----------------------------------------------------------------------


def test_links_stay_and_permissions_too(folder):
    (folder / "report").write_text("old")
    (folder / "report").chmod(0o640)
    os.symlink("report", folder / "link")
    os.symlink("new", folder / "dangling")
    assert main(["gold", "sys", "--as", "text", "--out", "link"]) == 0
    assert os.readlink("link") == "report"
    assert (folder / "report").read_text().startswith("  Sent.")
    assert (folder / "report").stat().st_mode & 0o777 == 0o640
    assert main(["gold", "sys", "--as", "text", "--out", "dangling"]) == 0
    assert os.readlink("dangling") == "new"
    assert (folder / "new").read_bytes() == (folder / "report").read_bytes()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("no/such/folder", "No such file or directory"),
        ("sub", "Is a directory"),
        ("sub/", "Is a directory"),
        ("loop", "Too many levels of symbolic links"),
        ("gold/below", "Not a directory"),
        ("x" * 300, "File name too long"),
        ("a\0b", "embedded null"),
        ("/dev/full", "No space left on device"),
        ("/proc/version", ""),
    ],
)
@pytest.mark.parametrize("command", [main, average], ids=["jpevalb", "jpevalb-average"])
def test_unwritable_output(folder, name, reason, command, capsys):
    (folder / "sub").mkdir()
    os.symlink("loop", folder / "loop")
    # The default for a folder is a file for each table.
    form = ["--output", "text"] if command is main else []
    assert command(["gold", "sys", *form, "--out", name]) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert re.search(f"cannot write the file: .*{reason}", err)
    assert sorted(path.name for path in folder.iterdir()) == ["gold", "loop", "sub", "sys"]


def test_out_may_be_a_pipe(folder):
    os.mkfifo(folder / "pipe")
    process = start(COMMAND, "gold", "sys", "--quiet", "--out", "pipe", cwd=folder)
    assert "Bracketing FMeasure" in (folder / "pipe").read_text()
    assert process.communicate(timeout=60) == (b"", b"")
    for arguments in (["--out", "/dev/stdout"], ["--out", "/dev/fd/1"], ["--out", "-"], []):
        done = jpevalb("gold", "sys", "--quiet", *arguments, cwd=folder)
        assert b"Bracketing FMeasure       = 100.00" in done.stdout, arguments


@pytest.mark.parametrize("home", ["jpevalb.cli:run", AVERAGE])
def test_a_file_that_cannot_grow_leaves_the_old_one(folder, home):
    (folder / "gold").write_text(LINE * 2000)
    (folder / "report.txt").write_text("old")
    done = jpevalb("gold", "gold", "--out", "report.txt", cwd=folder, home=home, limit=4096)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.endswith(b"report.txt: cannot write the file: File too large\n")
    assert (folder / "report.txt").read_text() == "old"
    assert sorted(path.name for path in folder.iterdir()) == ["gold", "report.txt", "sys"]


FORMS = [
    ["--output", "text"],
    *(["--output", name] for name in ("json", "csv", "tsv", "markdown", "latex", "html")),
    ["--view", "1"],
    ["--convention", "discontinuous"],
    ["--convention", "discontinuous", "--output", "json"],
    ["gold"],
    ["gold", "--output", "latex"],
    ["-evalb"],
    ["-evalb", "-d"],
]


@pytest.mark.parametrize("options", FORMS, ids=" ".join)
def test_a_closed_output_pipe(folder, options):
    """As with ``| head``: no message."""
    (folder / "gold").write_text("".join(f"(S (NP (NN word{i}) (NN x)) (VP (VB y)))\n" for i in range(1500)))
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "wb") as gone:
        done = jpevalb("gold", "gold", *options, cwd=folder, stdout=gone)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize(
    "command", [*FORMS, ["gold", "--samples", "5"], ["--help"], ["--version"]], ids=" ".join
)
def test_a_closed_standard_output(folder, command):
    """As with ``>&-``: what cannot be written is an error."""
    words = command if command[0] in ("--help", "--version") else ["gold", "gold", *command]
    done = by_shell(folder, 'exec "$@" >&-', *words)
    assert (done.returncode, done.stderr) == (1, b"jpevalb: cannot write the output: Bad file descriptor\n")


def test_closed_streams_that_nobody_needs(folder):
    done = by_shell(folder, 'exec "$@" >&-', "gold", "gold", "--out", "report.json", "--output", "json")
    assert (done.returncode, done.stderr) == (0, b"")
    assert '"f1": 1.0' in (folder / "report.json").read_text()
    assert by_shell(folder, 'exec "$@" <&-', "gold", "gold", "--score-only").stdout == b"100.00\n"
    assert by_shell(folder, 'exec "$@" 2>&-', "gold", "none").returncode == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-", "gold"], "jpevalb: <stdin>: the standard input is closed; give the name of a file\n"),
        (["-", "gold", "-evalb"], "Can't open gold file (-)\n"),
    ],
    ids=" ".join,
)
def test_a_closed_standard_input(folder, words, message):
    done = by_shell(folder, 'exec "$@" <&-', *words)
    assert (done.returncode, done.stderr.decode()) == (1, message)


@pytest.mark.parametrize("most", [5, 8, 16, 24])
def test_few_files_may_be_open(folder, most):
    done = by_shell(folder, f'ulimit -n {most}; exec "$@"', "gold", "gold", "--jobs", "8")
    message = "jpevalb: cannot start 8 processes: Too many open files; use fewer jobs\n"
    assert (done.returncode, done.stderr.decode()) == (1, message)


def by_shell(folder: Path, shell: str, *words: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command by a line of the shell that has ``"$@"`` in its place."""
    command = ["sh", "-c", shell, "sh", sys.executable, "-c", COMMAND, *words]
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False, timeout=60)


# -- a copied folder --------------------------------------------------------------


@pytest.mark.parametrize(
    ("package", "arguments"),
    [
        ("rapidfuzz", ["gold", "other"]),
        ("tabulate", ["gold", "sys", "--output", "markdown"]),
        ("numpy", ["gold", "sys", "--confidence", "0.9"]),
    ],
)
def test_a_package_that_is_missing(folder, package, arguments):
    (folder / "other").write_text(LINE.replace("cat", "cats") * 2)
    code = COMMAND.replace("import sys;", f"import sys; sys.modules[{package!r}] = None;")
    process = start(code, *arguments, cwd=folder)
    _, err = process.communicate(timeout=60)
    said = (
        f"jpevalb: {sys.executable} does not have the package {package}, which is needed here; "
        f"install it: {sys.executable} -m pip install {package}\n"
    )
    assert (process.returncode, err) == (1, said.encode())


def test_the_packages_that_may_be_missing_are_those_that_are_required():
    project = (ROOT / "pyproject.toml").read_text()
    required = project.split("\ndependencies = [")[1].split("]")[0]
    assert tuple(sorted(re.findall(r'"([a-z0-9]+)>=', required))) == REQUIRED


# -- interrupted ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM), (signal.SIGHUP, -signal.SIGHUP)],
)
@pytest.mark.parametrize(
    ("code", "options"),
    [
        (COMMAND, []),
        (COMMAND, ["--output", "json"]),
        (COMMAND, ["--convention", "discontinuous"]),
        (COMMAND, ["gold"]),
        (AVERAGE_COMMAND, []),
        (AVERAGE_COMMAND, ["--jobs", "2"]),
    ],
)
def test_an_interrupted_run_leaves_nothing(folder, number, status, code, options):
    (folder / "report.txt").write_text("old")
    os.mkfifo(folder / "pipe")
    process = start(
        code,
        "gold",
        "pipe",
        *options,
        "--out",
        "report.txt",
        cwd=folder,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    )
    with open("pipe", "wb") as pipe:
        pipe.write(LINE.encode())
        pipe.flush()
        until_read(pipe)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (status, b"", b"")
    assert (folder / "report.txt").read_text() == "old"
    assert sorted(path.name for path in folder.iterdir()) == ["gold", "pipe", "report.txt", "sys"]


def until_read(pipe) -> None:
    """Waits until whoever reads the pipe has taken all that is in it, and waits for more."""
    left = array("i", [1])
    deadline = time.monotonic() + 30
    while left[0] and time.monotonic() < deadline:
        fcntl.ioctl(pipe, termios.FIONREAD, left)
        time.sleep(0.02)
    assert left[0] == 0


def test_workers_end_with_a_parent_that_is_killed(folder):
    (folder / "big").write_text(LINE * 60_000)
    os.mkfifo(folder / "pipe")
    # A process whose output nobody reads would stop to read the pipe.
    call = ["pipe", "big", "--metrics", "brackets", "--jobs", "2"]
    process = start(COMMAND, *call, cwd=folder, stdout=subprocess.DEVNULL)
    with open("pipe", "wb") as pipe:
        pipe.write(LINE.encode() * 50_000)
        pipe.flush()
        deadline = time.monotonic() + 20
        while not (workers := children(process.pid)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert workers
        process.kill()
        process.communicate(timeout=60)
    deadline = time.monotonic() + 20
    while any(map(alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(alive, workers))


def children(process: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        pytest.skip("no list of children here")


def alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_an_empty_gold_file_beside_answers_and_trees_with_gaps(tmp_path):
    write_files(tmp_path, {"gold": b"", "answers": b'{"output": "(S (NN a))"}\n', "gaps": b"(S (NN 0=a))\n"})
    done = jpevalb("gold", "answers", "gaps", "--on-error", "skip", cwd=tmp_path)
    message = b"jpevalb: gold: no sentence of gold has words, so there is nothing to score\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", message)


@pytest.mark.parametrize(
    ("option", "value", "where"),
    [
        ("--convention", f"jpevalb most-gaps:{'9' * 20}", "rule most-gaps of a convention: "),
        ("--encoding", "punycode", "--encoding: "),
        ("--encoding", "undefined", "--encoding: "),
    ],
)
def test_values_that_only_python_would_refuse(tmp_path, option, value, where):
    write_files(tmp_path, {"gold": b"(S (NN a))\n"})
    done = jpevalb("gold", "gold", "--on-error", "skip", option, value, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert where.encode() in done.stderr


@pytest.mark.parametrize("legacy", [True, False])
def test_a_deep_tree_against_a_long_label_takes_no_longer_than_against_a_short_one(tmp_path, legacy):
    """Each of 100,000 levels was compared with a label of 100,000 characters: 16.5 s for 0.12 s."""
    size = 100_000
    deep = b"(S " * size + b"(X a)" + b")" * size + b"\n"
    files = {"deep": deep, "short": b"(S (X a))\n", "long": b"(" + b"S" * size + b" (X a))\n"}
    write_files(tmp_path, files)
    times = []
    for name in ("short", "long"):
        begin = time.perf_counter()
        done = jpevalb("deep", name, *(["-p", "COLLINS.prm"] if legacy else []), cwd=tmp_path)
        times.append(time.perf_counter() - begin)
        assert done.returncode == 0
    assert times[1] < 4 * times[0] + 10
