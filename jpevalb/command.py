"""The command line of the alignment mode: arguments to settings, results to stdout."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from . import comparison_command as comparison
from . import discontinuous_command as discontinuous
from . import progress
from .corpus import JSON, RESULTS, SUMS, TEXT, Run
from .errors import JpevalbError, SettingsError
from .options import parser
from .report.stream import write_report
from .settings import Settings
from .workers import team_of

# Options that are no settings: they change what is shown, not what is computed.
_HERE = {
    "gold",
    "system",
    "output",
    "out",
    "quiet",
    "view",
    *discontinuous.OPTIONS,
    *comparison.OPTIONS,
    "jobs",
    "dask",
}


def main(argv: list[str]) -> int:
    """Runs a command line of the alignment mode and returns its exit status.

    Args:
        argv: The arguments without the program's name.

    Returns:
        0 done; 1 the evaluation could not be done; 2 usage.
    """
    try:
        options = parser().parse_args(argv)
    except SystemExit as end:
        return int(end.code or 0)
    try:
        systems = options.system
        if [options.gold, *systems].count("-") > 1:
            raise SettingsError("both files are '-'; only one can be the standard input")
        # The first system says which mode it is.
        options.system = systems[0]
        many = comparison.wanted(options, systems)
        if options.view is not None:
            if many:
                raise SettingsError("--view shows one system's trees; name one system, without a test")
            _check_view(options)
        if discontinuous.wanted(options):
            if many:
                return comparison.run(options, systems, discontinuous.settings_of(options))
            return discontinuous.run(options)
        if options.by_label and options.output in ("csv", "tsv"):
            raise SettingsError(
                f"--by-label makes a table of its own, and --output {options.output} is one table; "
                "choose markdown, latex or json, or leave it out"
            )
        settings = Settings(**{name: value for name, value in vars(options).items() if name not in _HERE})
        return comparison.run(options, systems, settings) if many else _run(options, settings)
    except JpevalbError as error:
        print(f"jpevalb: {error}", file=sys.stderr)
        return 2 if isinstance(error, SettingsError) else 1


def _check_view(options: argparse.Namespace) -> None:
    from .selection import Selection

    Selection.parse(options.view)
    if options.output != "text":
        raise SettingsError(f"--view writes text; leave out --output {options.output}")
    if discontinuous.wanted(options):
        raise SettingsError("--view is not there for discontinuous trees; leave it out")


def _view(run: Run, options: argparse.Namespace) -> str:
    """The wanted sentences and how they were scored; nothing unless all of them are there."""
    from shutil import get_terminal_size

    from .report.view import view
    from .selection import Selection, select

    terminal = options.out in (None, "-") and sys.stdout.isatty()
    color = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    width = get_terminal_size().columns if terminal else 80
    found = [view(result, width=width, color=color) for result in select(run, Selection.parse(options.view))]
    return "\n".join([*found, f"# signature: {run.settings.signature()}\n"])


def _run(options: argparse.Namespace, settings: Settings) -> int:
    if options.view is not None:
        # Brackets are all that is shown.
        settings = settings.replace(metrics=("brackets", "tags"), by_label=False)
        settings = settings.replace(gold_times=None, sys_times=None, remove_silence=False)
    wanted = {"text": TEXT, "json": JSON}.get(options.output, RESULTS)
    if options.quiet and options.output != "html":
        wanted = SUMS
    with ExitStack() as stack:
        team = stack.enter_context(team_of(options.jobs, options.dask))
        write: Callable[[str], Any] = sys.stdout.write
        if options.out is not None and options.out != "-":
            from .output_file import whole_file

            write = stack.enter_context(whole_file(options.out))
        elif isinstance(sys.stdout, io.TextIOWrapper):
            # A label or a file name that the terminal cannot show must not end the run.
            sys.stdout.reconfigure(errors="backslashreplace")
        if options.view is not None:
            write(_view(Run(options.gold, options.system, settings, team), options))
            return 0
        watch = stack.enter_context(progress.watching(options, [options.gold, options.system]))
        run = Run(watch.paths[0], watch.paths[1], settings, team, wanted=wanted)
        write_report(run, watch.results(run), options.output, write, quiet=options.quiet)
    for warning in run.warnings():
        print(f"jpevalb: warning: {warning}", file=sys.stderr)
    return 0
