"""The command line: sends each call to the mode it is for; nothing else exits."""

from __future__ import annotations

import io
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# What pip installs along with jpevalb, and a copied folder lacks.
REQUIRED = ("numpy", "rapidfuzz", "regex", "tabulate", "tqdm")


def main(argv: list[str] | None = None) -> int:
    """Runs a command line and returns its exit status.

    Args:
        argv: The arguments without the program's name; those of the process if
            not given.

    Returns:
        0 done; 1 the evaluation could not be done or was given up; 2 usage;
        130 interrupted.
    """
    arguments = sys.argv[1:] if argv is None else list(argv)
    program = sys.argv[0] if argv is None else "jpevalb"
    return guarded("jpevalb", lambda: _dispatch(program, arguments))


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
            from .model.streams import unbuffered

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
        from .messages import say

        say(program, f"cannot write the output: {error.strerror or error}")
        return 1
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in REQUIRED:
            raise
        from .messages import say

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


def _dispatch(program: str, arguments: list[str]) -> int:
    if arguments == ["--version"]:
        from .model.version import version_line

        print(version_line())
        return 0
    # After --version, which is to cost no more than Python itself.
    from .commands.evalb_options import is_legacy

    if is_legacy(program, arguments):
        from .commands.evalb import main as legacy_main

        return legacy_main(program, arguments)
    from .commands.evaluate import main as evaluate_main

    if isinstance(sys.stdout, io.TextIOWrapper):
        # A label or a file name that the terminal cannot show must not end the run.
        sys.stdout.reconfigure(errors="backslashreplace")
    return evaluate_main(arguments)


def run() -> int:
    """The entry point of the installed command."""
    status = main()
    if status == 130:
        from .flow.workers import leave

        leave(status)
    return status
