"""The benchmarks run on a few sentences; their timings are not checked."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.benchmarks import instructions, modes, peers, processes
from tests.benchmarks.growth import WORK, exponent
from tests.benchmarks.modes import MODES
from tests.benchmarks.processes import Time
from tests.benchmarks.treebank import make_trees
from tests.support.commands import AVERAGE, jpevalb

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


CODE = "import sys; from {} import run; sys.exit(run())"
HOMES = {"jpevalb": "jpevalb.cli", "jpevalb-average": "jpevalb.commands.average"}


@pytest.fixture
def uninstalled(monkeypatch):
    """Run the commands of the checkout in place of installed ones."""
    monkeypatch.chdir(ROOT)
    for module in (instructions, peers):
        monkeypatch.setattr(module, "installed", lambda: Path(sys.executable).parent)
        monkeypatch.setattr(
            module, "installed_command", lambda name: [sys.executable, "-c", CODE.format(HOMES[name])]
        )


@pytest.fixture
def forked(monkeypatch):
    """Commands without the start of Python: the real command is called, in a fork of what has imported it."""
    calls = []

    def run(command, **environment):
        calls.append(command)
        begin = time.perf_counter()
        if command[0] in ("jpevalb", "jpevalb-average"):
            home = AVERAGE if command[0] == "jpevalb-average" else "jpevalb.cli:run"
            done = jpevalb(*command[1:], pure=environment.get("JPEVALB_PURE") == "1", home=home)
            assert done.returncode == 0, command
            assert done.stdout, command
        else:
            done = None
        return Time(time.perf_counter() - begin, 0.25 if done else 0.125, 20.0)

    monkeypatch.setattr(modes, "run", run)
    monkeypatch.setattr(modes, "installed_command", lambda name: [name])
    return calls


def test_every_mode_is_timed(forked, monkeypatch) -> None:
    def lines_of(*arguments):
        lines = []
        monkeypatch.setattr(sys, "argv", ["modes", "--runs", "1", *arguments])
        modes.main(lines.append)
        return lines

    lines = lines_of("--sentences", "10", "--copies", "1")
    assert lines[0] == ("python -c pass 0.1250 s of processor time; jpevalb --version 2.00 times that")
    assert [line[:28].strip() for line in lines[2:]] == [mode.name for mode in MODES]
    # Each mode is timed on one sentence and on its files, beside the yardstick.
    assert sum("md5sum" in command[0] for command in forked) == len(MODES)
    assert len(forked) == 11 + 11 + 3 * len(MODES)
    some = [mode for mode in MODES if mode.name.startswith("full report, ")]
    assert {mode.most < 3 for mode in some} == {True, False}
    more = lines_of("--sentences", "5", "--copies", "3", "--only", "full report, ")
    assert [line[:28].strip() for line in more[2:]] == [mode.name for mode in some if mode.most >= 3]
    for line in lines[2:]:
        copies, seconds, processor, *rest = [float(figure.replace(",", "")) for figure in line[28:].split()]
        assert seconds > 0
        assert processor == 0.25
        assert len(rest) == 5
        assert (copies, rest[-2]) == (1, 2.0)


def test_a_process_is_timed() -> None:
    took = processes.run([sys.executable, "-S", "-c", "sum(range(10**6))"])
    assert took.seconds > 0
    assert took.processor > 0
    assert took.memory > 1
    with pytest.raises(SystemExit, match="ended with 3"):
        processes.run([sys.executable, "-S", "-c", "raise SystemExit(3)"])


def test_exponent_of_power_laws() -> None:
    assert exponent([1, 2, 4], [3, 12, 48]) == pytest.approx(2)
    assert exponent([10, 20, 40], [5, 10, 20]) == pytest.approx(1)


@pytest.mark.parametrize("name", WORK)
def test_work_is_done(name: str) -> None:
    trees = make_trees(12, 3, 1)
    assert WORK[name](trees, trees)()


def test_peers_that_are_not_there_are_named(uninstalled, monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "argv", ["peers", "--sentences", "3", "--runs", "1"])
    peers.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line[:28].strip() for line in lines[1:]] == [
        "md5sum",
        "read both files: jpevalb",
        "read both files: nltk",
        "score: jpevalb -evalb",
        "score: PYEVALB",
    ]


def test_instructions_are_counted_for_each_row(uninstalled, monkeypatch, tmp_path, capsys) -> None:
    """The commands run in the environment of the tests; valgrind, and the counts, are left out."""
    asked = []

    def counted(command, folder):
        asked.append(command)
        variables = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
        subprocess.run(command, check=True, env=variables, stdout=subprocess.DEVNULL)
        return 10.0 * len(asked)

    monkeypatch.setattr(instructions, "instructions", counted)
    monkeypatch.setattr(instructions, "PLAIN_OF_CEILINGS", 10)
    monkeypatch.setattr(instructions.shutil, "which", lambda name: name)
    monkeypatch.setattr(sys, "argv", ["instructions", "--sentences", "12", "--write"])
    monkeypatch.delenv("EVALB_SOURCE", raising=False)
    (tmp_path / "docs").mkdir()
    for name in ("README.md", "docs/speed.md"):
        page = (ROOT / name).read_text("utf-8")
        assert page.count(instructions.BEGIN) == page.count(instructions.END) == 1
        (tmp_path / name).write_text(page, "utf-8")
    monkeypatch.setattr(instructions, "ROOT", tmp_path)
    with pytest.raises(
        SystemExit, match="above the ceiling: evalb's report, a pair; brackets and tags, a pair"
    ):
        instructions.main()
    lines = capsys.readouterr().out.splitlines()
    end = lines.index("")
    assert [line.split(" | ")[0][2:] for line in lines[2:end]] == [run.name for run in instructions.RUNS]
    assert lines[2:4] == [
        "| reading both files with plain Python | 10 |  |  | 1.00 |",
        "| evalb's report | 20 | 160 |  | 2.00 |",
    ]
    # Ten million instructions more for four copies of twelve pairs.
    assert lines[end + 3 :][:2] == ["| evalb's report | 208 | 40 |", "| brackets and tags | 208 | 130 |"]
    assert "\n".join(lines) in (tmp_path / "docs" / "speed.md").read_text("utf-8")
    assert (tmp_path / "README.md").read_text("utf-8").count("\n| default report | ") == 1


def test_without_valgrind_one_line_says_so(monkeypatch, capsys) -> None:
    monkeypatch.setattr(instructions.shutil, "which", lambda name: None)
    monkeypatch.setattr(sys, "argv", ["instructions"])
    instructions.main()
    assert capsys.readouterr().out == "instructions are not counted: valgrind is not installed\n"
