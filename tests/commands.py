"""Runs the command line as a process of its own, as a user does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def jpevalb(*arguments, cwd=None, stdin=b"", pure=None, program="jpevalb", **kwargs):
    """Runs ``program arguments``; stdout, stderr and the exit status as bytes and int."""
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    if pure is not None:
        environment["JPEVALB_PURE"] = "1" if pure else "0"
    code = f"import sys; sys.argv[0] = {program!r}; from jpevalb.cli import run; sys.exit(run())"
    return subprocess.run(
        [sys.executable, "-c", code, *map(os.fspath, arguments)],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        env=environment,
        timeout=300,
        check=False,
        **kwargs,
    )
