"""The commands; this module decides which of them runs, and handles messages, interrupts and lost output."""

from __future__ import annotations

import errno
import io
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

# Installed by pip, but missing for a copied folder.
REQUIRED = ("numpy", "rapidfuzz", "regex", "tabulate", "tqdm")


def run_process(main: Callable[[], int]) -> int:
    """Run the main function of an installed command, with settings for the whole process."""
    import gc

    # Trees have no cycles; searching for them at Python's default rate takes a tenth of a run.
    gc.set_threshold(100_000, 50, 50)
    status = main()
    # The process ends now: freeing each tree of a page would only take time.
    gc.freeze()
    return status


def guarded(program: str, work: Callable[[], int]) -> int:
    """Run a command; return its exit status, or 1 or 130 if output, memory, packages or the user end it."""
    # A stream that the caller has closed (``>&-``) is None.  Writing to stdout then fails, since the file is
    # opened for reading; messages are lost.
    if sys.stdout is None:
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    # Built now: later there may be no memory for it, nor for an import.
    endless = f"{program}: the input does not fit into memory; is one of its sentences endless?\n"
    before = sys.stdout
    try:
        if isinstance(getattr(before, "buffer", None), io.RawIOBase):
            from ..base.streams import unbuffered

            # With PYTHONUNBUFFERED or python -u, a write may stop in the middle without an error.
            sys.stdout = unbuffered(before)
        status = work()
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has gone, as in `jpevalb ... | head`.
        _drop(sys.stdout)
        return 1
    except OSError as error:
        _drop(sys.stdout)
        if error.errno in (errno.EMFILE, errno.ENFILE):
            say(
                program,
                "this process may not open more files; raise the limit (ulimit -n), or use fewer jobs",
            )
        else:
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
    except MemoryError:
        # Handled below, after the frames that hold the memory are gone.
        pass
    finally:
        sys.stdout = before
        _flush_stderr()
    sys.stderr.write(endless)
    _flush_stderr()
    return 1


def _flush_stderr() -> None:
    """Flush stderr, or drop its messages: Python would try again at exit, and end with status 120."""
    try:
        sys.stderr.flush()
    except OSError:
        _drop(sys.stderr)


def _drop(stream: TextIO) -> None:
    """Discard what a stream holds: Python would write it again at exit, and since 3.13 report the error."""
    from contextlib import suppress

    with suppress(OSError):  # no more files may be open
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        stream.flush()


def say(program: str, text: object) -> None:
    """Flush stdout, then write ``program: text`` as one visible line to stderr, if it can be written."""
    from contextlib import suppress

    from ..base.text import visible

    with suppress(OSError, ValueError, AttributeError):  # reported at the end of the run
        sys.stdout.flush()
    try:
        print(f"{program}: {as_options(visible(str(text)))}", file=sys.stderr, flush=True)
    except BrokenPipeError:
        raise
    except OSError:
        pass


def as_options(text: str) -> str:
    """Return a message with settings as a command line spells them.

    >>> as_options("sys.mrg:1: no field 'output'; set sys_encoding='latin-1', or leave out more_gold")
    "sys.mrg:1: no field 'output'; set --sys-encoding latin-1, or leave out --more-gold"
    >>> as_options("give convention='jpevalb least:2' or tags='yes'")
    "give --convention 'jpevalb least:2' or --tags yes"
    """
    if "=" not in text and "_" not in text:
        return text
    import re
    from shlex import quote

    from .options import ROWS

    def spelled(match: re.Match[str]) -> str:
        name, value = match[1], match[2] or ""
        if name not in ROWS or (not value and "_" not in name):
            return match[0]
        value = value[1:].strip("'")
        return f"--{name.replace('_', '-')}{'' if value in ('', 'True') else f' {quote(value)}'}"

    return re.sub(r"(?<![\w/.'\"=-])([a-z]+(?:_[a-z]+)*)(='[^']*'|=True|=\d+)?(?![\w/.'=(-])", spelled, text)


def is_number_of_evalb(argument: str) -> bool:
    """Return True for evalb's ``-c`` or ``-e``, with or without its number."""
    return argument[:2] in ("-c", "-e") and not argument[2:].strip("+-=0123456789")


def is_legacy(program: str, arguments: list[str]) -> bool:
    """Return True if the name of the program, ``-evalb`` or a flag of evalb asks for evalb's report.

    Numbers behind ``-c`` and ``-e`` are not enough: ``-c 10`` might mean ``--cutoff 10``.
    """
    if program_dialect(program):
        return True
    for argument in arguments:
        if argument == "--":  # names of files follow
            return False
        is_flag = argument.startswith(("-p", "-d", "-D", "-c", "-e")) and not is_number_of_evalb(argument)
        if is_flag or argument.partition("=")[0] in ("--evalb", "--dialect"):
            return True
    return False


def program_dialect(program: str) -> str:
    """Return the dialect that the program's name selects, "" for none."""
    name = os.path.basename(program)
    name = name[:-4] if name.lower().endswith(".exe") else name
    return {"evalb": "evalb", "evalb_spmrl": "spmrl"}.get(name, "")
