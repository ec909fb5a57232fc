"""The commands, and what each of them does at its beginning and end: messages, interrupts, lost output."""

from __future__ import annotations

import io
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# What pip installs along with jpevalb, and a copied folder lacks.
REQUIRED = ("numpy", "rapidfuzz", "regex", "tabulate", "tqdm")


def guarded(program: str, work: Callable[[], int]) -> int:
    """Does a command's work and answers for what can end it from outside.

    Args:
        program: The command's name, for messages.
        work: Does it, and returns the exit status.

    Returns:
        That status; 1 where the output could not be written, memory ran out or a
        package that jpevalb needs is missing; 130 where the user interrupted.
    """
    _replace_closed_streams()
    # Made now: there may be no memory for it later, nor for an import.
    endless = f"{program}: the input does not fit into memory; is one of its sentences endless?\n"
    before = sys.stdout
    try:
        if isinstance(getattr(before, "buffer", None), io.RawIOBase):
            from ..trees.streams import unbuffered

            # PYTHONUNBUFFERED, python -u: a write may stop in the middle and say so to nobody.
            sys.stdout = unbuffered(before)
        return _answered(program, work)
    except MemoryError:
        # Handled below, where the frames that hold the memory are gone.
        pass
    finally:
        sys.stdout = before
        _flush_stderr()
    sys.stderr.write(endless)
    _flush_stderr()
    return 1


def _answered(program: str, work: Callable[[], int]) -> int:
    """The status of :func:`guarded`, or a MemoryError."""
    try:
        status = work()
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has gone, as in `jpevalb ... | head`: nothing to complain of.
        _drop_output()
        return 1
    except OSError as error:
        _drop_output()
        say(program, f"cannot write the output: {error.strerror or error}")
        return 1
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in REQUIRED:
            raise
        say(
            program,
            f"{sys.executable} does not have the package {package}, which is needed here; "
            f"install it: {sys.executable} -m pip install {package}",
        )
        return 1
    return status


def _drop_output() -> None:
    # What is left in the buffer must not be tried again at exit.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _flush_stderr() -> None:
    """Drops messages that stderr does not take: Python would try again at exit, and end with status 120."""
    try:
        sys.stderr.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def _replace_closed_streams() -> None:
    """Gives output a place to vanish to where the caller has closed it (``>&-``): there is no stream then."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def say(program: str, text: object) -> None:
    """Writes ``program: text`` as one line to stderr.

    Controls in it (an escape sequence in a word, a line feed in a file's name) are
    written out.  A stderr that takes nothing, on a full disk, loses the message
    and spoils nothing else.

    Raises:
        BrokenPipeError: whoever read stderr has gone.
    """
    from ..trees.text import visible

    try:
        print(f"{program}: {visible(str(text))}", file=sys.stderr, flush=True)
    except BrokenPipeError:
        raise
    except OSError:
        pass
