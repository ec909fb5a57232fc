"""Commands whose output is a terminal."""

from __future__ import annotations

import contextlib
import os
import struct
import subprocess

import pytest


def in_terminal(
    command, *, cwd=None, environment, stdout="terminal", stderr="terminal", columns=80
) -> tuple[int, str]:
    """Run a command in a terminal of 24 lines; return its status and what the terminal shows.

    Args:
        stdout: A file, if not the terminal.
        stderr: A file, if not the terminal.
    """
    pty, termios = pytest.importorskip("pty"), pytest.importorskip("termios")
    ours, theirs = pty.openpty()
    pytest.importorskip("fcntl").ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    stdout, stderr = (theirs if stream == "terminal" else stream for stream in (stdout, stderr))
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, cwd=cwd, env=environment
    ) as process:
        os.close(theirs)
        pieces = []
        # On Linux reading from a terminal that no process writes to any more is an error.
        with contextlib.suppress(OSError):
            while piece := os.read(ours, 1 << 16):
                pieces.append(piece)
    os.close(ours)
    return process.returncode, b"".join(pieces).decode().replace("\r\n", "\n")
