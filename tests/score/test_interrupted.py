"""Interrupted calls: Ctrl-C, killed workers, a killed parent; and the progress bar."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time

import pytest

from jpevalb import write
from tests.support.commands import COMMAND, ROOT, start
from tests.support.terminal import in_terminal
from tests.support.treebanks import gapped_treebanks, noisy_treebanks

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks at processes in /proc"),
]

ENVIRONMENT = dict(os.environ, PYTHONPATH=str(ROOT))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("files")
    gold, system = noisy_treebanks(2, 2000, 0.02)
    for name, side in (("gold", gold), ("sys", system)):
        (made / name).write_text(("\n".join(side) + "\n") * 40)
    (made / "even").write_text(("\n".join(gold) + "\n").replace("(NP", "(VP") * 40)
    for name, side in zip(("gold.export", "sys.export"), gapped_treebanks(3, 30_000)):
        write(side, made / name, "export")
    return made


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    """Files that take a moment, not many seconds."""
    made = tmp_path_factory.mktemp("short")
    for name, side in zip(("gold", "sys"), noisy_treebanks(2, 2000, 0.02)):
        (made / name).write_text(("\n".join(side) + "\n") * 2)
    for name, side in zip(("gold.export", "sys.export"), gapped_treebanks(3, 3000)):
        write(side, made / name, "export")
    return made


def started(folder, *arguments, **streams):
    """Start a call in its own process group, as a shell does."""
    return start(
        COMMAND,
        *arguments,
        cwd=folder,
        start_new_session=True,
        # Whoever runs the tests in the background may have told them to ignore it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        **streams,
    )


def children(pid):
    """The processes of a call, but itself, by their process group; not those that have ended."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == pid and int(entry) != pid and fields[0] != "Z":
                found.append(int(entry))
    return found


def workers(process, number=2):
    """Wait until so many workers are busy, and return their process ids."""
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        found = children(process.pid)
        if len(found) >= number:
            return found
        time.sleep(0.01)
    raise AssertionError("no workers")


def gone(pid):
    """True if a process ends within ten seconds."""
    end = time.monotonic() + 10
    while children(pid) and time.monotonic() < end:
        time.sleep(0.05)
    return not children(pid)


CALLS = {
    "alignment": ["gold", "sys"],
    "json": ["gold", "sys", "--output", "json"],
    "discontinuous": ["gold.export", "sys.export"],
    "comparison": ["gold", "sys", "even"],
}


@pytest.mark.parametrize("call", CALLS)
def test_interrupt(folder, call):
    # Nobody reads what it writes: it cannot be done too early.
    process = started(folder, *CALLS[call], "--jobs", "2")
    workers(process)
    time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert (process.returncode, said) == (130, b"")
    assert gone(process.pid)


@pytest.mark.parametrize("call", CALLS)
def test_a_worker_killed(folder, call):
    process = started(folder, *CALLS[call], "--jobs", "2", stdout=subprocess.DEVNULL)
    os.kill(workers(process)[0], signal.SIGKILL)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert said == b"jpevalb: a worker process died, probably out of memory; use fewer jobs\n"
    assert gone(process.pid)


@pytest.mark.parametrize("moment", [0.0, *[random.Random(seed).uniform(0, 0.2) for seed in range(9)]])
def test_a_worker_killed_at_some_moment(folder, tmp_path, moment):
    """Killed while it works, waits, or writes: the run ends soon, and its file is not written."""
    target = tmp_path / "report.txt"
    process = started(folder, *CALLS["alignment"], "--jobs", "2", "--out", str(target))
    found = workers(process)
    time.sleep(moment)
    try:
        os.kill(found[-1], signal.SIGKILL)
    except ProcessLookupError:
        process.communicate(timeout=5)
        pytest.skip("the run ended before the kill")
    _, said = process.communicate(timeout=5)
    if process.returncode == 0:
        # All results had arrived.
        assert (target.read_bytes()[-1:], said) == (b"\n", b"")
        return
    assert (process.returncode, said.count(b"\n")) == (1, 1)
    assert said.startswith(b"jpevalb: a worker process died")
    assert not target.exists()
    assert gone(process.pid)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_their_parent(folder, number):
    process = started(
        folder, "gold", "sys", "--jobs", "2", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    workers(process)
    process.send_signal(number)
    process.wait(timeout=30)
    assert process.returncode == -number
    assert gone(process.pid)


def test_a_closed_output_ends_the_run(folder):
    process = started(folder, "gold", "sys", "--metrics", "brackets", "--jobs", "2")
    assert process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=30) == 1
    assert gone(process.pid)


# -- the progress bar ------------------------------------------------------------------------------


def terminal_of(folder, *arguments, stdout=subprocess.DEVNULL, wait="2.0") -> str:
    """Return what a call writes to a terminal that shows its stderr."""
    code = f"import jpevalb.commands.arguments; jpevalb.commands.arguments.PATIENCE = {wait}; {COMMAND}"
    status, text = in_terminal(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        environment=dict(ENVIRONMENT, TERM="xterm", COLUMNS="80"),
        stdout=stdout,
    )
    assert status == 0
    return text


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("call", [["gold", "sys"], ["gold.export", "sys.export"]], ids=" ".join)
def test_bar_of_bytes(short, call, jobs):
    text = terminal_of(short, *call, "--jobs", jobs, wait="0.01")
    assert "%|" in text
    assert "B/s" in text
    # It is wiped out in the end.
    assert text.rpartition("\r")[2].strip() == ""


def test_bar_of_counts(short, tmp_path):
    import gzip

    for name in ("gold", "sys"):
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress((short / name).read_bytes(), 1))
    text = terminal_of(tmp_path, "gold.gz", "sys.gz", "--metrics", "brackets", wait="0.01")
    assert "%|" not in text
    assert " sentences" in text


def test_the_bar_of_a_page(short, tmp_path):
    page = tmp_path / "page.html"
    text = terminal_of(short, "gold", "sys", "--out", str(page), wait="0.01")
    assert page.read_text(encoding="utf-8").rstrip().endswith("</html>")
    # Its trees are made as the files are read.
    assert "B/s" in text
    assert max(int(share) for share in re.findall(r"(\d+)%\|", text)) > 50
    assert text.rpartition("\r")[2].strip() == ""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_quiet_runs_and_comparisons_have_a_bar(short, jobs):
    call = ["--metrics", "brackets", "--jobs", jobs]
    assert "B/s" in terminal_of(short, "gold", "sys", *call, "--quiet", wait="0.01")
    text = terminal_of(short, "gold", "sys", "gold", *call, "--samples", "9", wait="0.01")
    assert " sentences" in text
    assert text.rpartition("\r")[2].strip() == ""


def test_no_bar_for_short_runs(short, tmp_path):
    (tmp_path / "gold").write_text("(S (X a))\n")
    assert terminal_of(tmp_path, "gold", "gold") == ""
    call = ["gold", "sys", "--metrics", "brackets"]
    # All rows on the same terminal show by themselves how far the run has come.
    text = terminal_of(tmp_path, "gold", "gold", "--rows", stdout="terminal", wait="0.0")
    assert "=== Summary ===" in text
    assert "%|" not in text
    process = started(short, *call, stdout=subprocess.DEVNULL)
    assert process.communicate(timeout=60)[1] == b""
