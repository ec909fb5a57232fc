"""Workers of a Dask scheduler, as local processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

import pytest

from jpevalb import JpevalbError, Settings, __version__, write
from jpevalb.cli import run
from jpevalb.score import dask
from jpevalb.score.run import Run
from tests.support.commands import COMMAND, ROOT, jpevalb, start
from tests.support.treebanks import gapped_treebanks, noisy_treebanks

if not os.environ.get("CI"):
    pytest.importorskip("distributed", exc_type=ImportError)

HASTY = f"{__name__}:hasty"
CLIENT = ("distributed",)

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="signals")]


class Cluster:
    """A scheduler and its workers; ended by their process ids."""

    def __init__(self, folder):
        self.folder = folder
        self.processes = []
        file = folder / "scheduler.json"
        self.start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
        end = time.monotonic() + 60
        self.address = ""
        while not self.address and time.monotonic() < end:
            time.sleep(0.1)
            try:
                self.address = json.loads(file.read_text())["address"]
            except (OSError, ValueError):
                continue
        assert self.address

    def start(self, what, *arguments, path=()):
        environment = {name: value for name, value in os.environ.items() if name != "CI"}
        environment["PYTHONPATH"] = os.pathsep.join([*map(str, path), str(ROOT)])
        module = f"distributed.cli.dask_{what}"
        with open(self.folder / f"{what}{len(self.processes)}.log", "wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", module, *arguments, "--no-dashboard"],
                env=environment,
                cwd=self.folder,
                stdout=log,
                stderr=log,
            )
        self.processes.append(process)
        return process

    def worker(self, path=()):
        options = ["--nthreads", "1", "--no-nanny", "--host", "127.0.0.1", "--local-directory", "."]
        return self.start("worker", self.address, *options, path=path)

    def end(self):
        for process in reversed(self.processes):
            process.kill()
            process.wait()

    def end_workers(self):
        """Lets the workers take their leave, so that the scheduler knows of none."""
        for process in self.processes[1:]:
            process.terminate()
        for process in self.processes[1:]:
            process.wait()
        del self.processes[1:]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A scheduler; its workers begin and end with the tests, in their order."""
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        yield made
    finally:
        made.end()


@pytest.fixture
def two(cluster):
    """Two workers, which those tests that come first share."""
    while len(cluster.processes) < 3:
        cluster.worker()
    return cluster


@pytest.fixture
def lone(cluster):
    """A scheduler without workers."""
    cluster.end_workers()
    yield cluster
    cluster.end_workers()


@pytest.fixture
def mortal(tmp_path):
    """A scheduler of the test's own."""
    made = Cluster(tmp_path)
    try:
        yield made
    finally:
        made.end()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("files")
    gold, system = noisy_treebanks(2, 2000, 0.02)
    (made / "gold").write_text("\n".join(gold) + "\n")
    (made / "sys").write_text("\n".join(system) + "\n")
    (made / "even").write_text("\n".join(gold).replace("(NP", "(VP") + "\n")
    for name, side in zip(("gold.export", "sys.export"), gapped_treebanks(3, 400)):
        write(side, made / name, "export")
    return made


@pytest.mark.parametrize(
    "arguments",
    [
        ["gold", "sys"],
        ["gold", "sys", "--output", "json", "--metrics", "siou"],
        ["gold", "even", "-evalb"],
        ["gold.export", "sys.export"],
        ["gold", "sys", "even", "--metrics", "brackets", "--samples", "100"],
        ["-", "sys", "--quiet"],
    ],
    ids=" ".join,
)
def test_same_output(two, folder, arguments):
    stdin = (folder / "gold").read_bytes()
    alone = jpevalb(*arguments, cwd=folder, stdin=stdin)
    shared = jpevalb(*arguments, "--dask", two.address, cwd=folder, stdin=stdin, imports=CLIENT)
    assert (shared.stdout, shared.stderr, shared.returncode) == (alone.stdout, alone.stderr, alone.returncode)
    assert alone.returncode == 0
    assert alone.stdout


def run_here(function, *arguments):
    """Return the output of a function of this module, run in a separate process."""
    done = jpevalb(*arguments, home=f"{__name__}:{function.__name__}", imports=CLIENT)
    assert done.stderr == b""
    return done.stdout.decode()


def lose_a_worker():
    address, gold, system, victim = sys.argv[1:]
    expected = [result.record for result in Run(gold, system, Settings())]
    with dask.dask_pool(address) as pool:
        pool._client.wait_for_workers(2, timeout=60)
        found = []
        for result in Run(gold, system, Settings(), pool):
            if not found:
                os.kill(int(victim), signal.SIGKILL)
            found.append(result.record)
    print(found == expected, len(found))


def test_a_worker_killed_in_the_middle_loses_nothing(two, folder):
    victim = two.processes.pop()
    printed = run_here(lose_a_worker, two.address, folder / "gold", folder / "sys", str(victim.pid))
    assert printed.startswith("True ")
    assert victim.wait(timeout=10) == -signal.SIGKILL


def lose_all_workers():
    dask.CHECK_AFTER = 0.5
    address, gold, system, victim = sys.argv[1:]
    with dask.dask_pool(address) as pool:
        try:
            for number, _ in enumerate(Run(gold, system, Settings(), pool)):
                if not number:
                    os.kill(int(victim), signal.SIGKILL)
            print("done")
        except JpevalbError as error:
            print(error)


def test_all_workers_gone(cluster, folder):
    """The one that is left of two, or a new one where this test runs alone."""
    worker = cluster.processes[-1] if len(cluster.processes) == 2 else cluster.worker()
    printed = run_here(lose_all_workers, cluster.address, folder / "gold", folder / "sys", str(worker.pid))
    assert printed in (
        f"all workers of the Dask scheduler at {cluster.address} stopped; start some\n",
        "done\n",
    )


def hasty():
    dask.TIMEOUT = 1
    return run()


def told(
    cluster_address,
    folder,
    status=1,
    arguments=("gold", "sys", "--metrics", "brackets"),
    home="jpevalb.cli:run",
):
    """The one line that a call fails with."""
    done = jpevalb(*arguments, "--dask", cluster_address, cwd=folder, home=home, imports=CLIENT)
    assert done.stdout == b""
    assert done.returncode == status
    lines = done.stderr.decode().splitlines()
    assert len(lines) == 1, lines
    return lines[0]


def test_no_scheduler(folder):
    line = told("tcp://127.0.0.1:1", folder, home=HASTY)
    assert line.startswith("jpevalb: cannot reach a Dask scheduler at 'tcp://127.0.0.1:1': ")
    assert "expected the address of a running one, such as tcp://host:8786" in line
    assert "expected an address such as" in told("nonsense", folder, 2)


def test_no_workers(lone, folder):
    assert told(lone.address, folder, home=HASTY).endswith("has no workers; start some")


def test_a_worker_without_jpevalb(lone, folder, tmp_path):
    package = tmp_path / "without" / "jpevalb"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(
        "raise ModuleNotFoundError(\"No module named 'jpevalb'\", name='jpevalb')\n"
    )
    lone.worker(path=[package.parent])
    line = told(lone.address, folder)
    assert "cannot import jpevalb" in line
    assert f"install jpevalb {__version__} on its machine" in line


def test_a_worker_of_another_version(lone, folder, tmp_path):
    site = tmp_path / "other"
    site.mkdir()
    (site / "sitecustomize.py").write_text(
        "import jpevalb.base.version as home\nhome.__version__ = '0.0.9'\n"
    )
    lone.worker(path=[site])
    line = told(lone.address, folder)
    assert f"has jpevalb 0.0.9; expected {__version__}, install jpevalb {__version__} on its machine" in line


def test_a_scheduler_that_dies_is_one_line(mortal, folder):
    mortal.worker()
    lines = (folder / "gold").read_bytes().splitlines(keepends=True) * 40
    for name in ("sys", "even"):
        (mortal.folder / name).write_bytes((folder / name).read_bytes() * 40)
    dead = threading.Event()

    def give(stream):
        # The calls wait for the last lines, and cannot end before these come.
        with suppress(BrokenPipeError), stream:
            stream.write(b"".join(lines[:-1000]))
            stream.flush()
            dead.wait(60)
            stream.write(b"".join(lines[-1000:]))

    calls = [
        start(COMMAND, "-", *arguments, "--dask", mortal.address, cwd=mortal.folder, stdin=subprocess.PIPE)
        for arguments in (["sys"], ["even", "--metrics", "brackets"])
    ]
    givers = [threading.Thread(target=give, args=(process.stdin,)) for process in calls]
    for giver in givers:
        giver.start()
    for process in calls:
        assert process.stdout.read(100)
        process.stdin = None
    mortal.processes[0].kill()
    dead.set()
    for process, giver in zip(calls, givers):
        _, said = process.communicate(timeout=60)
        giver.join()
        assert process.returncode == 1
        assert said.decode() == f"jpevalb: the Dask scheduler at {mortal.address} stopped; start it again\n"
