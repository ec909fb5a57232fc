"""The command line: sends each call to the mode it is for; nothing else exits."""

from __future__ import annotations

import io
import sys

from .commands import guarded


def main(argv: list[str] | None = None) -> int:
    """Runs a command line and returns its exit status.

    Args:
        argv: The arguments without the program's name; those of the process if
            not given.

    Returns:
        0 done; 1 the evaluation could not be done or was given up; 2 usage; 3 F1 is below ``--fail-under``;
        130 interrupted.
    """
    arguments = sys.argv[1:] if argv is None else list(argv)
    program = sys.argv[0] if argv is None else "jpevalb"
    return guarded("jpevalb", lambda: _dispatch(program, arguments))


def _dispatch(program: str, arguments: list[str]) -> int:
    if arguments == ["--version"]:
        from .trees.version import version_line

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
    import gc

    # Trees have no cycles; to look for some as often as Python does takes a tenth of a run and more.
    gc.set_threshold(100_000, 50, 50)
    status = main()
    # All memory goes with the process; else each tree that a page has kept would be visited and freed before.
    gc.freeze()
    if status == 130:
        from .score.workers import leave

        leave(status)
    return status
