"""Messages on stderr: a line each, harmless to a terminal, and never the end of a run."""

from __future__ import annotations

import sys

from .model.text import visible


def say(program: str, text: object) -> None:
    """Writes ``program: text`` as one line to stderr.

    Controls in it (an escape sequence in a word, a line feed in a file's name) are
    written out.  A stderr that takes nothing, on a full disk, loses the message
    and spoils nothing else.

    Raises:
        BrokenPipeError: whoever read stderr has gone.
    """
    try:
        print(f"{program}: {visible(str(text))}", file=sys.stderr, flush=True)
    except BrokenPipeError:
        raise
    except OSError:
        pass
