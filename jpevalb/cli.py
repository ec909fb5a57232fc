"""The command line: sends each call to the mode it is for; nothing else exits."""

from __future__ import annotations

import io
import os
import sys


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
    _replace_closed_streams()
    try:
        status = _dispatch(program, arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has gone, as in `jpevalb ... | head`: nothing to complain of.
        # What is left in the buffer must not be tried again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        from .messages import say

        say("jpevalb", f"cannot write the output: {error.strerror or error}")
        return 1
    except MemoryError:
        from .messages import say

        say("jpevalb", "the input does not fit into memory; is one of its sentences endless?")
        return 1
    return status


def _replace_closed_streams() -> None:
    """Gives output a place to vanish to where the caller has closed it (``>&-``): there is no stream then."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def _dispatch(program: str, arguments: list[str]) -> int:
    if arguments == ["--version"]:
        from .version import version_line

        print(version_line())
        return 0
    # After --version, which is to cost no more than Python itself.
    from .legacy.options import is_legacy

    if is_legacy(program, arguments):
        from .legacy.command import main as legacy_main

        return legacy_main(program, arguments)
    from .commands.alignment import main as alignment_main

    if isinstance(sys.stdout, io.TextIOWrapper):
        # A label or a file name that the terminal cannot show must not end the run.
        sys.stdout.reconfigure(errors="backslashreplace")
    return alignment_main(arguments)


def run() -> int:
    """The entry point of the installed command."""
    status = main()
    if status == 130:
        from .parallel.workers import leave

        leave(status)
    return status
