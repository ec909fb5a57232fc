"""Entry point of the command: dispatches to evalb's command line or to jpevalb's own."""

from __future__ import annotations

import io
import os
import sys

from .commands import guarded, is_legacy, run_process


def main(argv: list[str] | None = None) -> int:
    """Run a command line (default: that of the process) and return its exit status.

    0 is success, 1 a failed run, 2 an invalid command line, 3 F1 below ``--fail-under``, 130 an interrupt.
    """
    program, *arguments = sys.argv if argv is None else ["jpevalb", *argv]
    return guarded("jpevalb", lambda: _dispatch(program, arguments))


def _dispatch(program: str, arguments: list[str]) -> int:
    if arguments == ["--version"]:
        from .base.version import version_line

        print(version_line())
        return 0
    # The threads of NumPy's matrix products wait for each other longer than the product takes.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if is_legacy(program, arguments):
        from .commands.evalb import main as legacy_main

        return legacy_main(program, arguments)
    # Imported after --version, which should take no longer than Python itself.
    from .commands.evaluate import main as evaluate_main

    if isinstance(sys.stdout, io.TextIOWrapper):
        # Labels and file names may have characters that the terminal cannot show.
        sys.stdout.reconfigure(errors="backslashreplace")
    if not arguments:
        from .commands.options import parser

        # A script whose list of files is empty has to fail, with nothing in its output.
        print(f"usage: {parser().usage}\n\n{parser().epilog}", file=sys.stderr)
        print("options: jpevalb --help, and all of them: jpevalb --help all", file=sys.stderr)
        return 2
    return evaluate_main(arguments)


def run() -> int:
    """Run the installed command."""
    return run_process(main)
