"""A server process that has imported the package and forks a process for each call of a command.

A call is a process of its own still, with its own streams, folder, variables, limits and exit status;
only the start of Python and the imports are shared.  They take a fifth of a second each time otherwise,
which was a large part of what the tests take.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import io
import json
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
import warnings
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# What Python itself, the locale and the kernels are started with cannot be changed afterwards.
AT_START = ("PYTHON", "JPEVALB", "LC_", "LANG")

POSSIBLE = sys.platform == "linux"


class Nursery:
    """The caller's end.

    Args:
        environment: The variables that it starts with.
    """

    def __init__(self, environment: dict[str, str]) -> None:
        self.line, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with other:
            self.process = subprocess.Popen(
                [sys.executable, "-c", f"from tests.support.nursery import serve; serve({other.fileno()})"],
                cwd=ROOT,
                env=environment,
                pass_fds=[other.fileno()],
                stdin=subprocess.DEVNULL,
            )

    def run(self, home, argv, *, cwd, environment, stdin, stdout=None, stderr=None, limit, imports, timeout):
        """Runs the function ``home`` ("module:function") with ``argv``, as ``subprocess.run`` does.

        Args:
            stdin: Bytes, by a pipe, or a file.
            stdout: A file; a pipe that is read if not given.
            stderr: A file; a pipe that is read if not given.
            limit: The size in bytes beyond which no file may grow; None for as before.
            imports: Modules that are imported for this call and for those that follow.
        """
        found, threads, made, theirs = {}, [], [], []

        def give(descriptor):
            # It need not read all of it.
            with suppress(BrokenPipeError), open(descriptor, "wb", buffering=0) as stream:
                rest = memoryview(stdin)
                while rest:
                    rest = rest[stream.write(rest) :]

        def take(descriptor, name):
            with open(descriptor, "rb") as stream:
                found[name] = stream.read()

        if isinstance(stdin, bytes):
            reader, writer = os.pipe()
            made.append(reader)
            theirs.append(reader)
            threads.append(threading.Thread(target=give, args=(writer,)))
        else:
            theirs.append(stdin.fileno())
        for name, file in (("stdout", stdout), ("stderr", stderr)):
            if file is None:
                reader, writer = os.pipe()
                made.append(writer)
                theirs.append(writer)
                threads.append(threading.Thread(target=take, args=(reader, name)))
            else:
                theirs.append(file.fileno())
        call = {
            "home": home,
            "argv": argv,
            "cwd": cwd,
            "environment": environment,
            "limit": limit,
            "imports": imports,
        }
        socket.send_fds(self.line, [json.dumps(call).encode()], theirs)
        for descriptor in made:
            os.close(descriptor)
        pid = int(self.line.recv(64))
        for thread in threads:
            thread.start()
        end = time.monotonic() + timeout
        for thread in threads:
            thread.join(max(0, end - time.monotonic()))
        if any(thread.is_alive() for thread in threads):
            os.kill(pid, signal.SIGKILL)
            self.line.recv(64)
            raise subprocess.TimeoutExpired(argv, timeout)
        status = int(self.line.recv(64))
        return subprocess.CompletedProcess(argv, status, found.get("stdout"), found.get("stderr"))

    def close(self):
        """Lets the process end."""
        self.line.close()
        self.process.wait()


def serve(descriptor):
    """The process itself, until its line is closed."""
    import jpevalb

    for module in pkgutil.walk_packages(jpevalb.__path__, "jpevalb."):
        # Kernels come with what needs them.
        if ".kernels." not in module.name and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    gc.collect()
    gc.freeze()
    line = socket.socket(fileno=descriptor)
    while True:
        data, streams, _, _ = socket.recv_fds(line, 1 << 20, 3)
        if not data:
            return
        call = json.loads(data)
        for name in call["imports"]:
            importlib.import_module(name)
        with warnings.catch_warnings():
            # Libraries have threads, which a fork leaves behind.
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
        if not pid:
            line.close()
            leave(called(call, streams))
        for stream in streams:
            os.close(stream)
        line.send(str(pid).encode())
        line.send(str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())


def called(call, streams):
    """A call, in the process that was made for it: the status that it ends with."""
    for place, descriptor in enumerate(streams):
        os.dup2(descriptor, place)
        os.close(descriptor)
    os.chdir(call["cwd"])
    os.environ.clear()
    os.environ.update(call["environment"])
    for place, name in enumerate(("stdin", "stdout", "stderr")):
        stream = opened(place, getattr(sys, name))
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    if call["limit"] is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (call["limit"],) * 2)
    sys.argv[:] = call["argv"]
    module, function = call["home"].split(":")
    try:
        return getattr(importlib.import_module(module), function)()
    except SystemExit as error:
        return error.code
    except BaseException:
        traceback.print_exc()
        return 1


def opened(place, like):
    """A standard stream as Python opens it at its start, with the encoding of another."""
    raw = io.FileIO(place, "w" if place else "r", closefd=False)
    through = bool(place and os.environ.get("PYTHONUNBUFFERED"))
    if not through:
        raw = io.BufferedWriter(raw) if place else io.BufferedReader(raw)
    return io.TextIOWrapper(
        raw, like.encoding, like.errors, line_buffering=place == 2 and not through, write_through=through
    )


def leave(status):
    """End the process as Python does, without tearing down modules."""
    threading._shutdown()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            status = 120
    os._exit(status or 0)
