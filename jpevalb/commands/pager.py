"""Where text goes that is longer than a terminal: through the user's pager."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping

_PLAIN = {"LESS": "FRX"}
"""How less is asked to show colours, and to end at once where the text fits."""


def show(text: str, *, environment: Mapping[str, str]) -> None:
    """Writes text to standard output; on a terminal that it does not fit, by ``$PAGER`` (default: less).

    An empty ``$PAGER``, and a terminal that can do nothing (``TERM=dumb``), get the text as it is, and
    so does one without the pager.

    Args:
        text: What to show.
        environment: The variables of the process.
    """
    command = shlex.split(environment.get("PAGER", "less"))
    if not command or environment.get("TERM") == "dumb" or not _is_long(text):
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
        # The reader has seen enough.
        shown.wait()


def _is_long(text: str) -> bool:
    """Whether standard output is a terminal with fewer lines than the text; one may not know its size."""
    if not sys.stdout.isatty():
        return False
    lines = os.get_terminal_size(sys.stdout.fileno()).lines
    return 0 < lines <= text.count("\n")
