"""Evaluations from the command line: arguments to settings, results to stdout."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import ExitStack
from typing import Any

from ..metrics import metric_of, signed
from ..report import FORMATS, used_by, write_report
from ..score.chunk import no_rows
from ..score.inputs import Input, decide
from ..score.pools import team_of
from ..score.run import Outcome, Run
from ..score.signature import signature_of
from ..score.uses import RESULTS, SettingsUser, reject_unused
from ..trees.errors import SettingsError
from ..trees.files import reject_inputs
from ..trees.params import Params
from ..trees.registry import IN_EVERY_RUN
from ..trees.settings import DISCONTINUOUS, NAMES, Settings
from ..trees.streams import is_pipe
from ..trees.text import visible
from . import comparison, headline, progress, say
from .arguments import output, refuse_one_pipe
from .options import parser

TOLD = 5
"""How many lines of what the reader of a .prm has to say are told."""


def main(argv: list[str]) -> int:
    """Runs a command line of any mode but legacy mode and returns its exit status.

    Args:
        argv: The arguments without the program's name.

    Returns:
        0 done; 1 the evaluation could not be done; 2 usage; 3 F1 is below ``--fail-under``.
    """
    return parser(argv).run(argv, _evaluate)


def _evaluate(options: argparse.Namespace) -> int:
    systems = options.system
    refuse_one_pipe([options.gold, *options.more_gold, *systems], "both")
    # Nothing is written over before it is read; a report appended to its own input has no end.
    names = ("prm", "exceptions", "error_classes", "node_types", "gold_times", "sys_times")
    lists = [getattr(options, name, None) for name in names]
    reject_inputs(options.out, (options.gold, *options.more_gold, *systems, *lists))
    choose_format(options)
    headline.check(options)
    _read_once(options)
    if options.details and options.output != "json":
        raise SettingsError("--details adds to the sentences of JSON; it goes with --output json")
    if hasattr(options, "worst") and options.output != "html":
        raise SettingsError("--worst chooses the sentences of a page; it goes with --output html")
    many = comparison.wanted(options, systems)
    if options.view is not None:
        _check_view(options, many)
    settings = settings_of(options)
    golds = [Input(path, "gold", settings) for path in (options.gold, *options.more_gold)]
    inputs = [Input(path, "sys", settings) for path in systems]
    settings = decide(settings, [*golds, *inputs])
    _check_shown(options, settings, many)
    if options.view is not None or options.score_only:
        # Brackets are all that is shown.
        settings = settings.replace(metrics=("brackets", "tags"), by_label=False, analysis=False)
    if many and options.details:
        raise SettingsError("--details is of one system's sentences; name one system, without a test")
    if many:
        gold, *more_gold = [item.source for item in golds]
        sources = [item.source for item in inputs]
        return comparison.run(options, sources, settings, gold=gold, more_gold=more_gold)
    return _run(options, golds, inputs[0], settings)


SUFFIXES = {
    ".html": "html",
    ".htm": "html",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".md": "markdown",
    ".tex": "latex",
}
"""The format of a report that is written to a file of such a name, if no other is asked for."""


def choose_format(options: argparse.Namespace) -> None:
    """Takes the format of the report from the name of the file that it is written to, else text.

    Raises:
        SettingsError: a page for a terminal.
    """
    out = None if options.out == "-" else options.out
    if options.output is None:
        suffix = os.path.splitext(out or "")[1].lower()
        plain = options.view is not None or options.score_only
        options.output = "text" if plain else SUFFIXES.get(suffix, "text")
    if options.output == "html" and out is None and sys.stdout.isatty():
        raise SettingsError(
            "a page is for a browser and not for the terminal; write it to a file: --out r.html"
        )


def _read_once(options: argparse.Namespace) -> None:
    """Reads the .prm here and now: it may come by a pipe, and is asked for again, by the signature too.

    What its reader has to say, of an unknown keyword or of a value that is missing, is told.

    Raises:
        SettingsError: the exception list, or the file of node types, is such a pipe.
        ParamsError: it cannot be read.
    """
    if getattr(options, "prm", None) is not None:
        name = options.prm
        options.prm = Params.load(name)
        said = options.prm.warnings
        for text in said[:TOLD]:
            say("jpevalb", f"warning: {name}: {text if len(text) <= 120 else text[:120] + '...'}")
        if len(said) > TOLD:
            say("jpevalb", f"warning: {name}: and {len(said) - TOLD} more such lines")
    for name, what in (("exceptions", "the exception list"), ("node_types", "the file of node types")):
        path = getattr(options, name, None)
        if path is not None and is_pipe(path):
            raise SettingsError(f"{what} comes by a pipe and is read twice; give a file")


def _check_shown(options: argparse.Namespace, settings: Settings, many: bool) -> None:
    """Makes sure that a report shows something of each option that was given.

    Raises:
        SettingsError: an option that it shows nothing of.
    """
    given = [name for name in RESULTS.settings if hasattr(options, name)]
    if options.score_only:
        # The name of a system stands in what is said of a score below the bar.
        of_tables = [name for name in comparison.OPTIONS if name != "names" or options.fail_under is None]
        given += [name for name in of_tables if getattr(options, name) is not None]
    added = [name for name in getattr(options, "metrics", ()) if name not in IN_EVERY_RUN]
    if not added and "metrics" in given:
        given.remove("metrics")
    if not given:
        return
    if options.score_only or options.view is not None:
        what, shown = "--score-only" if options.score_only else "--view", given[0].replace("_", "-")
        raise SettingsError(f"{what} shows nothing of --{shown}; leave one of them out")
    report = used_by(options.output)
    if many:
        silent = [name for name in added if not metric_of(name).rates]
        if silent and options.output != "json":
            raise SettingsError(
                f"found the metric {silent[0]!r}, of which tables of systems show nothing; leave it out, "
                "or take --output json, which has its counts"
            )
        # Systems are compared over all sentences.
        report = SettingsUser(
            "report", "of a comparison", [name for name in report.settings if name != "cutoff"]
        )
    reject_unused(settings, report=report, reports=lambda: map(used_by, FORMATS))


def _check_view(options: argparse.Namespace, many: bool) -> None:
    from .selection import chooser

    if many:
        raise SettingsError("--view shows one system's trees; name one system, without a test")
    chooser(options.view)
    if options.output != "text":
        raise SettingsError(f"--view writes text; leave out --output {options.output}")


def settings_of(options: argparse.Namespace) -> Settings:
    """Return the settings that a command line asks for; their mode may be undecided."""
    given = {name: value for name, value in vars(options).items() if name in NAMES}
    if options.discontinuous:
        given["mode"] = DISCONTINUOUS
    return Settings(**given) if options.preset is None else Settings.preset(options.preset, **given)


def _view(run: Outcome, options: argparse.Namespace) -> str:
    """The wanted sentences and how they were scored; nothing unless all of them are there."""
    from shutil import get_terminal_size

    from ..report.view import view
    from .selection import chooser

    terminal = options.out in (None, "-") and sys.stdout.isatty()
    color = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    width = get_terminal_size().columns if terminal else 80
    found = [view(result, width=width, color=color) for result in chooser(options.view)(run)]
    if not found:
        found = ["# there is no such sentence\n"]
    return "\n".join([*found, f"# signature: {visible(signed(signature_of(run.settings), run.metrics))}\n"])


def _run(options: argparse.Namespace, golds: list[Input], system: Input, settings: Settings) -> int:
    """Scores one system and writes the report."""
    if options.output == "html":
        from ..report.page import require_jinja2

        require_jinja2()
    with ExitStack() as stack:
        team = stack.enter_context(team_of(options.jobs, options.dask))
        write = stack.enter_context(output(options.out))
        if options.view is not None:
            text = _view(_run_of(golds, system, settings, team, options), options)
            if write == sys.stdout.write:
                from .pager import show

                show(text, environment=os.environ)
            else:
                write(text)
            return 0
        # Each reference is read once, the system's file by the run against each of them.
        inputs = [*golds, *([] if options.more_gold else [system])]
        watch = stack.enter_context(progress.watching(options, [item.source for item in inputs]))
        for item, path in zip(inputs, watch.paths):
            item.source = path
        run = _run_of(golds, system, settings, team, options)
        gold_name, system_name = _titles(options.gold, options.system[0])
        if options.score_only:
            for _ in watch.results(run.rows(no_rows)):
                pass
            write(headline.lines([run.evaluation().f1]))
        else:
            how = {name: getattr(options, name) for name in ("worst",) if hasattr(options, name)}
            how |= {"details": options.details, "follow": watch.results, "writing": watch.writing}
            how["gold_name"] = comparison.gold_title(options) if options.more_gold else gold_name
            write_report(run, options.output, write, quiet=options.quiet, system_name=system_name, **how)
    for warning in run.warnings():
        say("jpevalb", f"warning: {warning}")
    if options.fail_under is None:
        return 0
    return headline.status([(system_name, run.evaluation().f1)], options.fail_under)


def _run_of(
    golds: list[Input], system: Input, settings: Settings, team: Any, options: argparse.Namespace
) -> Outcome:
    """Return the run of a call.  A score alone and a view do not show how several references agree."""
    if not options.more_gold:
        return Run(golds[0], system, settings, team)
    from ..score.references import ReferencesRun, references_of

    references = references_of(golds[0].source, [gold.source for gold in golds[1:]], settings)
    agree = not options.score_only and options.view is None
    return ReferencesRun(references, system.source, settings, team, agree=agree)


def _titles(gold: str, system: str) -> list[str]:
    """What a page calls the two files: their names, or their paths where the names are one."""
    paths = ["standard input" if path == "-" else path for path in (gold, system)]
    names = [os.path.basename(path.rstrip(os.sep)) or path for path in paths]
    return paths if names[0] == names[1] else names
