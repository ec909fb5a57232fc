"""Shows text that is longer than the terminal through the user's pager."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping

_PLAIN = {"LESS": "FRX"}  # options of less: show colours, and end at once if the text fits


def show(text: str, *, environment: Mapping[str, str]) -> None:
    """Write text to standard output, through ``$PAGER`` (default: less) if it is longer than the terminal.

    There is no pager if ``$PAGER`` is empty or missing on this machine, and on a dumb terminal.
    """
    command = shlex.split(environment.get("PAGER", "less"))
    # Unknown sizes are 0.
    lines = os.get_terminal_size(sys.stdout.fileno()).lines if sys.stdout.isatty() else 0
    if not command or environment.get("TERM") == "dumb" or not 0 < lines <= text.count("\n"):
        sys.stdout.write(text)
        return
    sys.stdout.flush()
    try:
        shown = subprocess.Popen(
            command, stdin=subprocess.PIPE, env={**_PLAIN, **environment}, encoding="utf-8"
        )
    except OSError:
        sys.stdout.write(text)
        return
    try:
        shown.communicate(text)
    except BrokenPipeError:
        # The user has left the pager.
        shown.wait()
