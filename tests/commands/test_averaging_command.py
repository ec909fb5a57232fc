"""The command jpevalb-average."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from jpevalb import Tree, read
from jpevalb.averaging import average
from jpevalb.commands import arguments
from jpevalb.commands.average import main
from jpevalb.formats.writers import write
from jpevalb.score.workers import WorkerPool
from tests.benchmarks.averaging import corpus
from tests.support.commands import AVERAGE, AVERAGE_COMMAND, ROOT, jpevalb, start
from tests.support.files import write_files

LEFT = "(S (X (A a) (B b)) (C c))"
RIGHT = "(S (A a) (Y (B b) (C c)))"
GAP = "(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)))"
FLAT = "(S (VB 0=wake) (PRP 1=me) (RP 2=up))"
LAST = "(S (VB 0=wake) (VP (PRP 1=me) (RP 2=up)))"


def command(*arguments, **options):
    return jpevalb(*arguments, program="jpevalb-average", home=AVERAGE, **options)


@pytest.fixture
def files(folder):
    """Return a function that writes files to the working directory: ``files(a="...", b="...")``."""
    return lambda **contents: write_files(folder, contents)


def run(capfd, *arguments):
    """Exit status, stdout and stderr of a call."""
    status = main(list(map(str, arguments)))
    out, err = capfd.readouterr()
    return status, out, err


def test_brackets(files, capfd):
    files(a=[LEFT, RIGHT], b=[LEFT, RIGHT], c=[RIGHT, LEFT])
    assert run(capfd, "a", "b", "c") == (0, f"{LEFT}\n{RIGHT}\n", "")
    assert run(capfd, "a", "b", "c", "--weights", "1,1,2.5") == (0, f"{RIGHT}\n{LEFT}\n", "")
    assert run(capfd, "a", "c", "--weights", "1, 0") == (0, f"{LEFT}\n{RIGHT}\n", "")


def test_binary(files, capfd):
    files(a=["(S (A a) (B b) (C c))"])
    assert run(capfd, "a", "--binary") == (0, "(S (A a) (S (B b) (C c)))\n", "")


@pytest.mark.parametrize("jobs", [1, 2])
def test_labelled(files, capfd, jobs):
    """{a b} as NP and as VP of two systems, {b c} as Y of two others."""
    files(a=["(S (NP (A a) (B b)) (C c))", LEFT], b=["(S (VP (A a) (B b)) (C c))", LEFT], c=[RIGHT, RIGHT])
    arguments = ["a", "b", "c", "c", "--jobs", jobs]
    assert run(capfd, *arguments) == (0, f"(S (NP (A a) (B b)) (C c))\n{LEFT}\n", "")
    assert run(capfd, *arguments, "--labeled") == (0, f"{RIGHT}\n{LEFT}\n", "")


@pytest.mark.parametrize(
    ("to", "expected"),
    [
        (None, f"{GAP}\n"),
        ("discbracket-indices", "(S (VP (VB 0) (RP 2)) (NP (PRP 1)))\twake me up\n"),
        (
            "export",
            "#FORMAT 4\n#BOS 1\n"
            "wake\t--\tVB\t--\t--\t500\nme\t--\tPRP\t--\t--\t501\nup\t--\tRP\t--\t--\t500\n"
            "#500\t--\tVP\t--\t--\t502\n#501\t--\tNP\t--\t--\t502\n#502\t--\tS\t--\t--\t0\n#EOS 1\n",
        ),
    ],
)
def test_gaps(files, capfd, to, expected):
    files(a=[GAP], b=[LAST], c=[GAP])
    assert run(capfd, "a", "b", "c", *(["--to", to] if to else [])) == (0, expected, "")


def test_formats_are_detected_and_kept(files, capfd):
    """The output has the format of the first file that is not plain bracket text."""
    continuous = "(S (VP (VB wake) (PRP me)) (RP up))"
    files(plain=[continuous], disc=[GAP])
    write(["(S (VP (VB 0=wake) (RP 2=up)) (PRP 1=me))"], "export", "export")
    xml = (
        "<corpus><body><s id='s1'><graph root='r'><terminals><t id='a' word='wake' pos='VB'/>"
        "<t id='b' word='me' pos='PRP'/><t id='c' word='up' pos='RP'/></terminals><nonterminals>"
        "<nt id='v' cat='VP'><edge idref='a'/><edge idref='c'/></nt>"
        "<nt id='r' cat='S'><edge idref='v'/><edge idref='b'/></nt></nonterminals></graph></s>"
        "</body></corpus>"
    )
    files(xml=xml)
    assert run(capfd, "plain", "plain")[1] == continuous + "\n"
    assert run(capfd, "plain", "disc", "export")[1].startswith("(S (VP (VB 0=wake) (RP 2=up))")
    assert run(capfd, "plain", "export", "disc")[1].startswith("#FORMAT 4\n#BOS 1\n")
    status, out, err = run(capfd, "plain", "xml", "xml")
    assert (status, err) == (0, "")
    assert out.startswith("#FORMAT 4\n#BOS s1\n")
    assert run(capfd, "xml", "--format", "tigerxml", "--to", "discbracket")[1] == (
        "(S (VP (VB 0=wake) (RP 2=up)) (PRP 1=me))\n"
    )
    # What a language model wrote is read, and written as trees.
    Path("answers").write_text(f'{{"output": "{continuous}"}}\n')
    assert run(capfd, "answers", "plain") == (0, continuous + "\n", "")
    assert run(capfd, "plain", "--format", "answers") == (0, continuous + "\n", "")
    assert run(capfd, "answers", "export")[1].startswith("#FORMAT 4\n")


def test_standard_input_and_pipes(files, tmp_path):
    files(a=[GAP], b=[GAP])
    Path("c.gz").write_bytes(gzip.compress(LAST.encode()))
    done = command("-", "a", "c.gz", cwd=tmp_path, stdin=GAP.encode())
    assert (done.returncode, done.stdout, done.stderr) == (0, GAP.encode() + b"\n", b"")
    if os.path.exists("/bin/bash"):
        done = subprocess.run(
            ["/bin/bash", "-c", f"{sys.executable} -c '{AVERAGE_COMMAND}' <(cat a) <(cat b) c.gz"],
            capture_output=True,
            env=dict(os.environ, PYTHONPATH=str(ROOT)),
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, GAP.encode() + b"\n", b"")


def test_the_format_of_pipes_and_compressed_files_is_detected(files, capfd):
    write([GAP], "export", "export")
    data = Path("export").read_bytes()
    Path("export.gz").write_bytes(gzip.compress(data))
    os.mkfifo("pipe")
    writer = threading.Thread(target=lambda: Path("pipe").write_bytes(data))
    writer.start()
    piped = run(capfd, "pipe")
    writer.join()
    assert piped == run(capfd, "export.gz") == (0, data.decode(), "")


def test_a_closed_output_pipe(files):
    files(a=[LEFT] * 20_000)
    with start(AVERAGE_COMMAND, "a", "a") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().decode() == LEFT + "\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 1


def test_output_file(files, capfd):
    files(a=[LEFT], b=[LEFT, RIGHT], out="as it was")
    status, out, err = run(capfd, "a", "b", "-o", "out")
    assert (status, out) == (1, "")
    assert "ends after 1 sentence" in err
    assert Path("out").read_text() == "as it was"
    assert run(capfd, "b", "b", "--out", "out.gz") == (0, "", "")
    assert gzip.decompress(Path("out.gz").read_bytes()).decode() == f"{LEFT}\n{RIGHT}\n"
    assert sorted(os.listdir()) == ["a", "b", "out", "out.gz"]


def test_encoding(files, capfd):
    Path("a").write_bytes("(S (A é))\n".encode("latin-1"))
    status = main(["a", "a", "--encoding", "latin-1", "-o", "out"])
    assert status == 0
    assert Path("out").read_bytes() == "(S (A é))\n".encode("latin-1")
    status, _, err = run(capfd, "a")
    assert status == 1
    assert err.startswith("jpevalb-average: a:1:7: byte 0xe9 ")


@pytest.mark.slow
@pytest.mark.parametrize("to", ["discbracket", "export"])
def test_jobs_change_nothing(files, tmp_path, to):
    files()
    sentences = list(corpus(150, 4))
    for k in range(4):
        write([trees[k] for trees in sentences], f"s{k}", "discbracket")
    outputs = []
    for jobs in (1, 3):
        done = command("s0", "s1", "s2", "s3", "--jobs", str(jobs), "--to", to, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, b"")
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]
    found = list(read(io.BytesIO(outputs[0]), to))
    assert found == [average(trees) for trees in sentences]


def test_an_error_in_a_worker(files, capfd):
    files(a=[LEFT] * 100, b=[*[LEFT] * 99, "(S (A a))"])
    status, _, err = run(capfd, "a", "b", "--jobs", "2")
    assert status == 1
    assert err == (
        "jpevalb-average: sentence 100: the number of words is 1 in b and 3 in a; "
        "expected the same words; leave one of them out\n"
    )


class TestParsesThatAreMissing:
    def test_are_skipped_and_reported(self, files, capfd):
        files(a=[LEFT, RIGHT, LEFT, LEFT], b=[RIGHT, "(())", "", RIGHT], c=[RIGHT, LEFT, "(())", RIGHT])
        status, out, err = run(capfd, "a", "b", "c", "--weights", "1,2,3")
        assert (status, out.splitlines()) == (0, [RIGHT, LEFT, LEFT, RIGHT])
        assert err.splitlines() == [
            "jpevalb-average: warning: b has no parse for 2 sentences (sentences 2, 3); "
            "averaged without it there",
            "jpevalb-average: warning: c has no parse for 1 sentence (sentence 3); averaged without it there",
        ]

    def test_in_all_files(self, files, capfd):
        files(a=["(())"] * 7 + [LEFT], b=["(())"] * 7 + [LEFT])
        status, out, err = run(capfd, "a", "b")
        assert (status, out.splitlines()) == (0, ["(())"] * 7 + [LEFT])
        assert "b has no parse for 7 sentences (sentences 1, 2, 3, 4, 5, ...)" in err

    def test_but_that_of_a_system_of_weight_0(self, files, capfd):
        files(a=["(())", LEFT], b=[LEFT, RIGHT])
        assert run(capfd, "a", "b", "--weights", "1,0")[:2] == (0, f"(())\n{LEFT}\n")

    def test_because_they_cannot_be_read(self, files, capfd, monkeypatch):
        files(a=[LEFT, RIGHT], b=["(S (A a)", RIGHT])
        status, out, err = run(capfd, "a", "b", "--on-error", "skip")
        assert (status, out) == (0, f"{LEFT}\n{RIGHT}\n")
        # A progress bar, where there is one, is written by tqdm.
        monkeypatch.delitem(sys.modules, "tqdm", raising=False)
        assert run(capfd, "a", "b", "--on-error", "skip") == (status, out, err)
        first, second = err.splitlines()
        assert first.startswith("jpevalb-average: warning: b:1:1: the tree that begins here is not closed")
        assert first.endswith("; it counts as a sentence without a parse")
        assert second.startswith("jpevalb-average: warning: b has no parse for 1 sentence (sentence 1)")


class TestLimit:
    @pytest.fixture(autouse=True)
    def never_done(self, monkeypatch):
        def out_of_time(*_):
            raise TimeoutError

        monkeypatch.setattr("jpevalb.averaging.heaviest.Component.above", out_of_time)

    @pytest.mark.parametrize(
        ("to", "expected"),
        [
            ("discbracket", GAP),
            ("discbracket-indices", "(S (VP (VB 0) (RP 2)) (NP (PRP 1)))\twake me up"),
        ],
    )
    def test_marks(self, files, capfd, to, expected):
        other = "(S (VP (VB 0=wake) (PRP 1=me)) (NP (RP 2=up)))"
        files(a=[GAP, GAP], b=[other, GAP])
        status, out, err = run(capfd, "a", "b", "--limit", "3", "--to", to)
        assert status == 0
        marked, plain = out.splitlines()
        assert marked.endswith("\t%% best tree found in 3 s")
        assert plain == expected
        assert err == (
            "jpevalb-average: sentence 1 takes longer than 3 s; its tree is the best found so far\n"
        )
        first, second = read(io.BytesIO(out.encode()))
        assert first.words == second.words == ("wake", "me", "up")

    def test_marks_in_export(self, files, capfd):
        write([GAP, GAP], "a", "export")
        write(["(S (VP (VB 0=wake) (PRP 1=me)) (NP (RP 2=up)))", GAP], "b", "export")
        status, out, err = run(capfd, "a", "b", "--limit", "0.5")
        assert status == 0
        assert out.split("\n")[:3] == ["#FORMAT 4", "%% best tree found in 0.5 s", "#BOS 1"]
        assert out.count("%%") == 1
        assert err.startswith("jpevalb-average: sentence 1 (id '1') takes longer than 0.5 s")
        assert len(list(read(io.BytesIO(out.encode())))) == 2


class TestErrors:
    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            ([], "no files to average; expected one or more (--help shows how)"),
            (["-", "-"], "several files are '-'; only one can be the standard input"),
            (
                ["a", "--jobs", "0"],
                "--jobs: got '0'; expected a whole number from 1",
            ),
            (["a", "--limit", "0"], "--limit: got '0'; expected a number of seconds above 0"),
            (["a", "--limit", "nan"], "--limit: got 'nan'; expected a number of seconds above 0"),
            (
                ["a", "b", "--binary", "--labeled"],
                "got both binary and labeled; labelled F1 counts the constituents that complete a binary "
                "average as errors: leave one of the two out",
            ),
            (["a", "b", "--weights", "1"], "weights: got 1 for 2 systems; expected one for each"),
            (["a", "b", "--weights", "1,-2"], "weight 2 is '-2'; expected a number, 0 or more"),
            (["a", "b", "--weights", "1,nan"], "weight 2 is 'nan'; expected a number, 0 or more"),
            (["a", "b", "--weights", "0,0"], "all weights are 0; expected one or more above 0"),
        ],
    )
    def test_usage(self, files, capfd, arguments, expected):
        files(a=[LEFT], b=[LEFT])
        assert run(capfd, *arguments) == (2, "", f"jpevalb-average: {expected}\n")

    def test_options(self, capfd):
        status, out, err = run(capfd, "a", "--colour")
        assert (status, out) == (2, "")
        assert err == (
            "jpevalb-average: unknown option --colour; jpevalb-average --help all lists all options\n"
        )

    @pytest.mark.parametrize(
        ("texts", "expected"),
        [
            (
                {"a": [LEFT, LEFT], "b": [LEFT, "(S (A a) (B x) (C c))"]},
                "sentence 2: word 2 is 'x' in b and 'b' in a; expected the same words; leave one of them out",
            ),
            (
                {"a": ["(())", LEFT], "b": [LEFT, "(S (A a) (B b))"]},
                "sentence 2: the number of words is 2 in b and 3 in a; expected the same words",
            ),
            (
                {"a": [LEFT, LEFT, LEFT], "b": [LEFT, LEFT]},
                "b: the file ends after 2 sentences, but a goes on; expected the same sentences in all files",
            ),
            (
                {"a": [], "b": [LEFT]},
                "a: the file ends after 0 sentences, but b goes on; expected the same sentences in all files",
            ),
            ({"a": [LEFT], "b": ["(S (A a)))"]}, "b:1:10: ')' outside a tree"),
        ],
    )
    def test_files(self, files, capfd, texts, expected):
        files(**texts)
        status, _, err = run(capfd, "a", "b")
        assert status == 1
        assert err.startswith(f"jpevalb-average: {expected}")
        assert err.count("\n") == 1

    def test_ids_are_reported(self, files, capfd):
        write([Tree.build(["S"], [-1], ["a"], [0], "s17")], "a", "export")
        write([Tree.build(["S"], [-1], ["b"], [0], "s17")], "b", "export")
        assert run(capfd, "a", "b")[2].startswith(
            "jpevalb-average: sentence 1 (id 's17'): word 1 is 'b' in b"
        )

    def test_trees_that_the_format_cannot_express(self, files, capfd):
        files(a=[GAP])
        status, _, err = run(capfd, "a", "--to", "bracket")
        assert status == 1
        assert err.startswith("jpevalb-average: tree 1: a discontinuous tree has no bracket notation")


def test_nothing_to_average(files, capfd):
    files(a="", b="")
    message = "jpevalb-average: no tree in a and in b; check that the right files were given\n"
    assert run(capfd, "a", "b") == (1, "", message)


def test_version(capfd):
    status, out, _ = run(capfd, "--version")
    assert status == 0
    assert out.startswith("jpevalb ")


def test_the_field_of_json_lines(files, capfd):
    files(a=[f'{{"reply": {{"tree": "{LEFT}"}}}}'], b=[LEFT])
    status, _, err = run(capfd, "a", "b")
    assert (status, err) == (
        1,
        "jpevalb-average: a:1: no field 'output', but 'reply'; set --field reply.tree; "
        "use --on-error skip to skip such sentences\n",
    )
    assert run(capfd, "a", "b", "--field", "reply.tree") == (0, f"{LEFT}\n", "")


class Terminal(io.StringIO):
    def isatty(self):
        return True

    def fileno(self):
        return 1


def test_processes_are_started_for_two_jobs(files, capfd, monkeypatch):
    files(a=[LEFT] * 3)
    started = []

    @contextmanager
    def pool(jobs):
        started.append(jobs)
        with ThreadPoolExecutor(jobs) as executor:
            yield WorkerPool.of(executor)

    monkeypatch.setattr("jpevalb.score.workers.process_pool", pool)
    for jobs in (1, 2):
        assert run(capfd, "a", "a", "--jobs", jobs) == (0, f"{LEFT}\n" * 3, "")
    assert started == [2]


def test_the_progress_bar_appears_after_a_while(files, monkeypatch):
    files(a=[LEFT] * 40)
    monkeypatch.setattr(os, "get_terminal_size", lambda number: os.terminal_size((0, 0)))
    for patience, shown in ((2.0, False), (0.0, True)):
        terminal = Terminal()
        monkeypatch.setattr(arguments, "PATIENCE", patience)
        monkeypatch.setattr(sys, "stderr", terminal)
        assert main(["a", "a", "-o", "out"]) == 0
        assert ("B/s]" in terminal.getvalue()) == shown
    assert Path("out").read_text() == f"{LEFT}\n" * 40
