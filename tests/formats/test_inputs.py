"""Input files: names, compression, limits of line length, and protection against being overwritten."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import signal
import socket
import sys
import tracemalloc

import pytest

from jpevalb import Answer, JpevalbError, Params, Settings, Tree, TreeError, compare, evaluate, read
from jpevalb.base import files
from jpevalb.base.errors import InputError, ParamsError, SettingsError
from jpevalb.base.streams import beginning, is_pipe, open_binary, same_pipe
from jpevalb.cli import main as command_line
from jpevalb.commands.average import main as average
from jpevalb.commands.evaluate import main
from jpevalb.formats.conll import read_text
from jpevalb.formats.lines import Lines, sample_of
from jpevalb.formats.read import OpenedFile, as_tree, detect_format, format_of_lines
from jpevalb.score.inputs import Input
from jpevalb.trees.tree import EMPTY
from tests.support import commands
from tests.support.commands import jpevalb
from tests.support.files import write_files

LINE = "(S (NP (DT the) (NN cat)) (VP (VBD slept)))\n"
PACKERS = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


@pytest.fixture
def folder(folder):
    return write_files(folder, {"gold": LINE, "sys": LINE})


# -- no end ------------------------------------------------------------------------


@pytest.fixture
def short(monkeypatch):
    """A limit that a test can reach."""
    monkeypatch.setattr(files, "LONGEST", 10_000)


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz"])
def test_a_line_without_end(folder, short, suffix):
    """Compressed, a gigabyte of it is a few kilobytes."""
    data = b"(S (NN a))\n" + b"(" * 30_000
    (folder / f"bomb{suffix}").write_bytes(PACKERS.get(suffix, bytes)(data))
    with pytest.raises(InputError, match=rf"bomb{suffix}:2: the line that begins here is longer than"):
        list(read(f"bomb{suffix}"))


def test_a_line_just_short_enough(folder, short):
    line = "(S " + "(NN a) " * 1426 + ")"
    assert len(line) + 1 < 10_000
    (folder / "f").write_text(line + "\n" + line)
    assert len(list(read("f"))) == 2


@pytest.mark.parametrize(
    ("text", "format", "message"),
    [
        (
            "( (S (NN a) )\n)\n( (S\n" + " (NN b)\n" * 2_000,
            "bracket",
            "f:3: the tree that begins here is longer",
        ),
        (
            "1" + "\t_" * 9 + "\n\n" + ("1" + "\t_" * 9 + "\n") * 2_000,
            "tokens",
            "f:3: the sentence that begins",
        ),
        ("#BOS 1\n" + "a\tNN\t--\t--\t0\n" * 2_000, "export", "f:1: sentence '1' that begins here is longer"),
        ("<x><s id='1'><graph>" + "<t id='a'/>\n" * 8_000, "tigerxml", "the sentence, tag or comment that"),
        ("<x><!--" + "a\n" * 90_000, "tigerxml", "the sentence, tag or comment that"),
        ("<x><s id='" + "a" * 9_000 + "\n" + "a" * 90_000, "tigerxml", "longer than"),
    ],
)
def test_a_sentence_without_end(folder, short, text, format, message):
    (folder / "f").write_text(text)
    with pytest.raises(InputError, match=message):
        list(read("f", format))
    with pytest.raises(InputError, match=message):
        list(read("f", format, on_error=lambda _error: None))


def test_devices_without_end(folder):
    with pytest.raises(JpevalbError, match="/dev/zero: cannot read the exception list: it has more than 64"):
        evaluate("gold", "sys", exceptions="/dev/zero")
    with pytest.raises(ParamsError, match=r"/dev/zero: .*has more than 64 MiB"):
        Params.load("/dev/zero")


def test_the_message_names_the_limit_of_line_length():
    files.check_length(1 << 28, "the line", 3, "f")
    with pytest.raises(InputError) as caught:
        files.check_length((1 << 28) + 1, "the line", 3, "f")
    assert str(caught.value) == "f:3: the line that begins here is longer than 256 MiB; is this a treebank?"


# -- compressed --------------------------------------------------------------------


@pytest.mark.parametrize("suffix", PACKERS)
def test_members_one_behind_the_other_are_one_file(folder, suffix):
    pack = PACKERS[suffix]
    (folder / f"f{suffix}").write_bytes(pack(LINE.encode()) + pack(b"") + b"\0" * 8 + pack(LINE.encode() * 2))
    assert len(list(read(f"f{suffix}"))) == 3
    assert jpevalb(f"f{suffix}", f"f{suffix}", "-evalb", cwd=folder).stdout.count(b"100.00 100.00") == 4


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize("damage", ["cut", "garbage", "second", "inside", "empty"])
def test_damaged_files_are_never_read_as_shorter_ones(folder, suffix, damage):
    packed = PACKERS[suffix](LINE.encode() * 50)
    data = {
        "cut": packed[:-9],
        "garbage": packed + b"garbage",
        "second": packed + packed[:-9],
        "inside": packed[: len(packed) // 2] + b"\x55\xaa\x55\xaa" + packed[len(packed) // 2 + 4 :],
        "empty": b"",
    }[damage]
    (folder / f"f{suffix}").write_bytes(data)
    if suffix == ".gz" and damage == "empty":
        assert list(read(f"f{suffix}")) == []  # as gzip's own library has it
        return
    with pytest.raises(InputError, match=rf"f{suffix}: cannot read the file: "):
        list(read(f"f{suffix}"))
    (folder / "gold").write_text(LINE * 200)
    done = jpevalb("gold", f"f{suffix}", "-evalb", cwd=folder)
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)
    assert b"cannot read the file" in done.stderr


@pytest.mark.parametrize(("suffix", "module"), [(".gz", "gzip"), (".bz2", "bz2"), (".xz", "lzma")])
def test_a_python_without_a_decompressor_is_reported(folder, monkeypatch, suffix, module):
    (folder / f"f{suffix}").write_bytes(PACKERS[suffix](LINE.encode()))
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(InputError, match=rf"^f{suffix}: cannot read the file: this Python cannot decompress"):
        list(read(f"f{suffix}"))


def test_a_compressed_file_is_never_in_memory_as_a_whole(folder):
    data = random.Random(1).randbytes(400_000)
    small = {"id": lzma.FILTER_LZMA2, "dict_size": 4096, "mode": lzma.MODE_FAST, "mf": lzma.MF_HC3}
    (folder / "f.xz").write_bytes(lzma.compress(data, filters=[small]))
    tracemalloc.start()
    try:
        with open_binary("f.xz") as file:
            assert file.read(1000) == data[:1000]
        assert tracemalloc.get_traced_memory()[1] < 300_000
    finally:
        tracemalloc.stop()


# -- places ------------------------------------------------------------------------


@pytest.mark.parametrize("command", [main, average], ids=["jpevalb", "jpevalb-average"])
@pytest.mark.parametrize("name", ["nothing", ".", "/proc/self/mem", "gold/below", "a\0b", "x" * 300])
def test_unreadable_inputs(folder, command, name, capsys):
    is_folder = command is main and name == "."
    assert command(["gold", name]) == (2 if is_folder else 1)
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert ("give two folders or two files" if is_folder else "cannot read the file") in err
    if command is main:
        assert command_line(["-evalb", "gold", name]) == 1
        err = capsys.readouterr().err
        assert err.count("\n") == 1
        assert "cannot read the file" in err or err.startswith("Can't open test file")


def test_stdin_can_be_given_once(folder, capsys):
    for arguments in (["-", "-"], ["gold", "-", "-"]):
        assert main(arguments) == 2
        assert average(arguments) == 2
        assert capsys.readouterr().err.count("only one can be the standard input") == 2
    done = jpevalb("-", "-", "-evalb", cwd=folder, stdin=LINE.encode())
    assert done.returncode == 2
    assert b"both files are standard input, which can be read once" in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/stdin"), reason="no /dev/stdin")
def test_one_pipe_is_not_two_files(folder):
    """By any name: each of the two would get some of it."""
    once = "are one pipe, which is read once; give a file\n"
    for names in (["/dev/stdin", "/dev/stdin"], ["-", "/dev/fd/0"], ["/dev/stdin", "-"]):
        done = jpevalb(*names, cwd=folder, stdin=LINE.encode())
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr.decode() == f"jpevalb: {names[0]!r} and {names[1]!r} {once}"
        done = jpevalb(*names, "-evalb", cwd=folder, stdin=LINE.encode())
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr.startswith(
            b"jpevalb: both files are standard input, which can be read once; name a file"
        )
        done = jpevalb(
            *names, cwd=folder, stdin=LINE.encode(), program="jpevalb-average", home=commands.AVERAGE
        )
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr.decode() == f"jpevalb-average: {names[0]!r} and {names[1]!r} {once}"
    with open(folder / "gold", "rb") as file:
        # A file is opened anew by each name.
        done = jpevalb("/dev/stdin", "/dev/stdin", "--quiet", cwd=folder, stdin=file)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Sentences                 =      1 " in done.stdout


def test_inputs_that_can_be_read_only_once(folder):
    os.mkfifo("pipe")
    assert [name for name in ("pipe", "./pipe", "gold", ".", "nothing", "a\0b") if is_pipe(name)] == [
        "pipe",
        "./pipe",
    ]
    assert beginning("gold", 2) == b"(S"
    assert beginning("pipe", 2) == beginning("nothing", 2) == b""
    assert same_pipe(["pipe", "gold", "./pipe"]) == ("pipe", "./pipe")
    # Names that lead nowhere are told of where they are opened.
    assert same_pipe(["nothing", "a\0b", "pipe", "pipe"]) == ("pipe", "pipe")
    assert same_pipe(["gold", "gold", "pipe"]) is None
    assert same_pipe(["-", "gold", "-"]) == ("-", "-")
    assert same_pipe(["-", "+"]) is None
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        assert same_pipe(["socket", "pipe", "socket"]) == ("socket", "socket")


def test_the_format_of_a_file_by_its_beginning(folder):
    begins = {
        "bracket": LINE,
        "discbracket": "(S (VP 0=wake 2=up) (NP 1=me))\n",
        "export": "%% by hand\n#BOS 1\n",
        "tigerxml": "<corpus>\n",
        "jsonl": "{}\n",
    }
    for format, text in begins.items():
        (folder / "f").write_text(text)
        assert (OpenedFile("f").format, OpenedFile("f").read()) == (format, text.encode())
        (folder / "wide").write_text(text, encoding="utf-16")
        assert OpenedFile("wide", "utf-16").format == format
    # A run reads what cannot be looked at, or tells nothing, as bracket text, which raises the errors.
    (folder / "f.gz").write_bytes(b"no gzip")
    (folder / "empty").write_bytes(b"")
    for name in ("wide", "f.gz", "empty"):
        assert Input(name, "gold", Settings()).format == "bracket"
    for name in ("nothing", "."):
        assert Input(name, "gold", Settings()).format is None


def test_a_run_opens_each_file_once_and_detects_its_format_once(folder, monkeypatch):
    opened, detected = [], []

    def counted_open(path):
        opened.append(os.fspath(path))
        return open_binary(path)

    def counted_format(lines):
        detected.append("".join(line if isinstance(line, str) else line.decode() for line in lines))
        return format_of_lines(lines)

    monkeypatch.setattr("jpevalb.base.files.open_binary", counted_open)
    monkeypatch.setattr("jpevalb.formats.read.format_of_lines", counted_format)
    for name in ("g", "s", "t"):
        (folder / name).write_text(LINE.replace("(S", f"({name.upper()}", 1) + "\n")
    once = [(folder / name).read_text() for name in "gst"]
    evaluate("g", "s", traces="keep", chains="keep")
    assert (sorted(opened), sorted(detected)) == (["g", "s"], sorted(once[:2]))
    opened.clear()
    detected.clear()
    evaluate("g", "s")  # traces and chains are searched for in the whole file before it is scored
    assert (sorted(opened), sorted(detected)) == (["g", "g", "s", "s"], sorted(once[:2]))
    opened.clear()
    detected.clear()
    compare("g", ["s", "t"], traces="keep", chains="keep")
    assert (sorted(opened), sorted(detected)) == (["g", "s", "t"], sorted(once))
    opened.clear()
    detected.clear()
    assert main(["g", "s", "--traces", "keep", "--chains", "keep", "--out", "report.txt"]) == 0
    assert (sorted(opened), sorted(detected)) == (["g", "s"], sorted(once[:2]))
    opened.clear()
    detected.clear()
    with open("g") as gold, open("s", "rb") as system:
        evaluate(gold, system, traces="keep", chains="keep")
    assert (opened, sorted(detected)) == ([], sorted(once[:2]))


@pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xfe\xff"])
def test_detection_does_not_guess_at_utf16(mark):
    with pytest.raises(TreeError, match=r"UTF-16; try encoding='utf-16'$"):
        detect_format(mark + b"\0(\0")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_xml_declares_utf16(encoding, tmp_path):
    graph = "<graph><t id='w' word='yes' pos='UH'/></graph>"
    text = f"\ufeff<?xml version='1.0' encoding='utf-16'?><corpus><s id='1'>{graph}</s></corpus>"
    (tmp_path / "f").write_bytes(text.encode(encoding))
    assert [tree.words for tree in read(tmp_path / "f")] == [("yes",)]


def test_kinds_of_items_that_a_caller_passes():
    assert as_tree(Tree.parse(LINE)) == as_tree(LINE) == as_tree(LINE.encode()) == Tree.parse(LINE)
    wake = as_tree("(S (VP 0=wake 2=up) (NP 1=me))\n")
    assert (wake.words, wake.is_continuous) == (("wake", "me", "up"), False)
    export_text = "#BOS 1\nwake\tVB\t--\t--\t500\n#500\tS\t--\t--\t0\n#EOS 1\n"
    xml = "<s id='1'><graph><terminals><t id='a' word='up' pos='RP'/></terminals></graph></s>"
    assert (as_tree(export_text).words, as_tree(xml).words) == (("wake",), ("up",))
    for two in (export_text + export_text.replace("S 1", "S 2"), f"<c>{xml}{xml.replace('1', '2')}</c>"):
        with pytest.raises(TreeError, match=r"^got 2 sentences in the text; expected one tree$"):
            as_tree(two)
    with pytest.raises(TreeError, match="byte 0xe9 is not UTF-8; give a text instead of bytes") as caught:
        as_tree(b"(S (NN caf\xe9))")
    assert caught.value.column == 11
    with pytest.raises(TreeError, match="got an object of type int; expected a Tree"):
        as_tree(7)


def test_a_sample_ends_with_the_line_that_makes_it_long_enough():
    lines = iter(["abc"] * 9)
    assert sample_of(lines, 6) == ["abc"] * 2
    assert sample_of(lines, 7) == ["abc"] * 3
    assert len(list(lines)) == 4
    assert sample_of(["abc"], 7) == ["abc"]
    assert len(sample_of([""] * 2000, 7)) == 1000


def test_a_line_may_be_in_several_blocks(monkeypatch):
    monkeypatch.setattr(files, "_BUFFER", 4)
    lines = [b"abcdef\n", b"b\n", b"\n", b"cd"]
    assert list(files.lines_of(io.BytesIO(b"".join(lines)))) == lines


def test_numbered_lines():
    data = [b"\xef\xbb\xbfa\r\n", b"\xef\xbb\xbfb\n", b"c"]
    assert list(Lines(data, None, skips=False)) == [(1, "a"), (2, "\ufeffb"), (3, "c")]
    assert list(Lines(["\ufeffa\n", "b"], "latin-1", skips=False)) == [(1, "a"), (2, "b")]
    assert list(Lines([b"\xe9"], "latin-1", skips=False)) == [(1, "é")]
    with pytest.raises(TreeError, match=r"^f:2:4: byte 0xe9 is not UTF-8; try encoding='latin-1'$"):
        list(read_text([b"a\n", b"caf\xe9\n"], source="f"))
    lines = Lines([b"caf\xe9\n", b"\xe9b"], None, skips=True)
    assert list(lines) == [(1, "caf\ufffd"), (2, "\ufffdb")]
    damage = lines.damage()
    assert damage is not None
    assert (damage.line, damage.column) == (1, 4)
    assert lines.damage() is None


def test_sentences_given_as_objects_are_counted_from_1():
    tree = Tree.parse(LINE)
    errors: list[TreeError] = []
    assert list(read([tree, LINE, "(S", tree], on_error=errors.append)) == [tree, tree, EMPTY, tree]
    assert [str(error).partition(":")[0] for error in errors] == ["sentence 3"]
    with pytest.raises(TreeError, match=r"^sentence 1: "):
        list(read(["(S", tree]))
    answers: list[Answer] = []
    assert list(read([LINE], on_answer=answers.append)) == [tree]
    assert list(read([LINE, "no tree"], "answers", on_answer=answers.append)) == [tree, EMPTY]
    assert [answer.valid for answer in answers] == [True, False]


def test_encodings_in_which_a_line_feed_is_more_than_a_byte():
    wide = ("utf-16", "utf-16-le", "UTF_16_BE", "utf-32")
    assert [name for name in (None, "latin-1", "utf-8", "utf-8-sig", *wide) if files.is_wide(name)] == [*wide]
    with pytest.raises(InputError, match="the encoding 'no-such' is unknown; expected one that Python knows"):
        files.is_wide("no-such")


def test_lines_of_a_table(folder):
    (folder / "table").write_bytes(b"\xef\xbb\xbfA\tB\nC\n")
    assert files.table_lines("table", "the table") == ["A\tB", "C", ""]
    (folder / "table").write_bytes(b"\nB\n\xe4\n")
    with pytest.raises(InputError, match=r"^table:3: byte 0xe4 is not UTF-8; save the table as UTF-8$"):
        files.table_lines("table", "the table")
    with pytest.raises(InputError, match=r"^no: cannot read the table: No such file or directory$"):
        files.table_lines("no", "the table")
    with pytest.raises(InputError, match=r"^no: cannot read the table: .*; expected a file, or none$"):
        files.table_lines("no", "the table", "a file, or none")


def test_bracket_text_is_not_a_file_name():
    for text, shown in (("(S " + 36 * "a" + ")", 36 * "a" + ")"), ("(S " + 37 * "a" + ")", 34 * "a" + "...")):
        with pytest.raises(InputError, match="expected the name of a file") as caught:
            list(read(text))
        assert f"got the bracket text '(S {shown}', expected" in str(caught.value)


def test_errors_of_names_have_the_message_of_the_system(folder):
    for name, reason in (("nothing", "No such file or directory"), ("a\0b", "embedded null byte")):
        with pytest.raises(InputError) as caught:
            list(files.lines_of(name))
        assert str(caught.value) == f"{name}: cannot read the file: {reason}"


def test_an_output_that_is_not_a_file_overwrites_no_input(folder, monkeypatch):
    """A stream that a program has put in place of the standard output, or none at all."""
    closed = io.StringIO()
    closed.close()
    for stream in (None, io.StringIO(), closed):
        monkeypatch.setattr("sys.stdout", stream)
        files.reject_inputs(None, ["gold"])
    files.reject_inputs("a\0b", ["gold"])


def test_an_open_file_may_be_anything_with_lines(folder):
    """A stream whose ``readline`` takes no limit is read line by line."""

    class Lines(io.StringIO):
        pass

    class Broken:
        read = None

        def __iter__(self):
            raise RuntimeError("no line")

    assert len(list(read(Lines(LINE * 3)))) == 3
    with pytest.raises(RuntimeError, match="no line"):
        list(read(Broken()))
    with pytest.raises(SettingsError):
        files.reject_inputs("gold", ["gold"])
    files.reject_inputs("gold", [None, "nothing", "a\0b", "sys"])
    files.reject_inputs("/dev/null", ["/dev/null"])


# -- outputs -----------------------------------------------------------------------


@pytest.fixture
def names(folder):
    (folder / "sub").mkdir()
    os.symlink("gold", folder / "link")
    os.link(folder / "gold", folder / "hard")
    return {"gold", "./gold", "sub/../gold", "link", "hard", str(folder / "gold")}


@pytest.mark.parametrize(
    "options", [[], ["--convention", "discontinuous"], ["sys"], ["--view", "1"], ["--output", "html"]]
)
def test_no_output_over_an_input(folder, names, options, capsys):
    for name in names:
        assert main(["gold", "sys", *options, "--out", name]) == 2
        assert main(["sys", "gold", *options, "--out", name]) == 2
        expected = f"jpevalb: the output file {name!r} is the input file 'gold'; write to another file\n"
        assert capsys.readouterr().err == expected * 2
        assert average(["gold", "sys", "--out", name]) == 2
        assert "is the input file 'gold'" in capsys.readouterr().err
    assert (folder / "gold").read_text() == LINE
    assert sorted(path.name for path in folder.iterdir()) == ["gold", "hard", "link", "sub", "sys"]


def test_no_output_over_the_lists(folder, capsys):
    (folder / "p.prm").write_text("DELETE_LABEL TOP\n")
    (folder / "list").write_text("a\tb\n")
    (folder / "types").write_text("concept A\n")
    (folder / "t.ctm").write_text("u 1 0 1 the\nu 1 1 1 cat\nu 1 2 1 slept\n")
    for option, name in (
        ("--prm", "p.prm"),
        ("--exceptions", "list"),
        ("--node-types", "types"),
        ("--gold-times", "t.ctm"),
        ("--sys-times", "t.ctm"),
    ):
        before = (folder / name).read_bytes()
        assert main(["gold", "sys", option, name, "--out", name]) == 2
        assert (folder / name).read_bytes() == before
        assert main(["gold", "sys", option, name, "--out", "report.txt"]) == 0
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_no_output_behind_an_input(folder):
    """``>> gold`` would make a file grow that is being read."""
    for arguments in (["gold", "sys"], ["sys", "gold"], ["-", "sys"]):
        for home in ("jpevalb.cli:run", commands.AVERAGE):
            with open("gold", "ab") as out, open("gold", "rb") as stdin:
                done = jpevalb(*arguments, cwd=folder, stdout=out, stdin=stdin, home=home)
            assert done.returncode == 2
            assert b"the standard output is the " in done.stderr
    with open("gold", "rb") as stdin:
        done = jpevalb("-", "sys", "--out", "gold", cwd=folder, stdin=stdin)
    assert done.returncode == 2
    assert done.stderr == b"jpevalb: the output file 'gold' is the standard input; write to another file\n"
    assert (folder / "gold").read_text() == LINE


def test_a_text_of_many_trees_is_no_sentence():
    text = "(S (N a))\n\n(N b)\n"
    with pytest.raises(
        TreeError, match="sentence 1: the text has 2 trees, a line each; give each as an item"
    ):
        list(read([text]))
    assert [tree.words for tree in read(io.StringIO(text))] == [("a",), (), ("b",)]
    # Several trees on a line are one sentence, and one tree may be on several lines.
    assert [tree.words for tree in read(["(S (N a)) (S (N b))", "(S\n (N a)\n (N b))"])] == [("a", "b")] * 2
