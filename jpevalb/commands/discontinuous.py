"""The command line of the discontinuous mode: which calls are for it, its options, and its run."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from ..flow.workers import team_of
from ..formats import check_format
from ..formats.detect import BLOCK, detect_format
from ..formats.files import open_lines
from ..messages import say
from ..model.errors import InputError, SettingsError, TreeError
from ..model.settings import DISCONTINUOUS, Settings
from .arguments import whole_number
from .progress import watching

DEFAULTS: dict[str, object] = {
    "exclude_trivial": False,
    "max_fanout": None,
    "punctuation": (),
    "pair": "auto",
}
"""The settings of this mode that :func:`add_options` adds, as they are there."""

OPTIONS = ("discontinuous", *DEFAULTS)
"""Destinations of the options that :func:`add_options` adds."""

SHARED = ("prm", "unlabeled", "format", "encoding", "on_error")
"""Settings of this mode that the alignment mode has too."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options that only this mode has."""
    add = parser.add_argument_group("discontinuous trees").add_argument
    add("--discontinuous", action="store_true", help="this mode for plain brackets and for pipes")
    add("--exclude-trivial", action="store_true", help="leave out constituents of one word and of all words")
    add("--max-fanout", type=whole_number(), metavar="N", help="leave out constituents of more than N blocks")
    add(
        "--punctuation",
        default=DEFAULTS["punctuation"],
        metavar="TAGS",
        help="leave out words with these tags, blanks between them",
    )
    add(
        "--pair",
        choices=["auto", "id", "order"],
        default=DEFAULTS["pair"],
        metavar="HOW",
        help="pair sentences by id, order, or auto: ids if there",
    )


def wanted(options: argparse.Namespace) -> bool:
    """Whether a call is for this mode.

    It is with ``--discontinuous`` or another of its options, with a ``--format`` other than
    bracket, and where a file begins like one of those.  What can be read only once, a
    pipe, is not looked at.
    """
    if options.discontinuous or options.format not in ("auto", "bracket", "answers", "jsonl"):
        return True
    if any(getattr(options, name) != value for name, value in DEFAULTS.items()):
        return True
    return options.format == "auto" and any(
        file_format(path, options.encoding) not in ("bracket", "jsonl")
        for path in (options.gold, options.system)
    )


def file_format(path: str, encoding: str | None = None) -> str:
    """The format of a file by its beginning; ``bracket`` where that cannot be looked at.

    A file that cannot be read is told of where it is read.
    """
    if path == "-" or not os.path.isfile(path):
        return "bracket"
    sample: list[Any] = []
    size = 0
    try:
        with open_lines(path, encoding=encoding) as lines:
            for line in lines:
                sample.append(line)
                size += len(line)
                if size >= BLOCK:
                    break
        return detect_format(sample[0][:0].join(sample)) if sample else "bracket"
    except (InputError, TreeError):
        return "bracket"


def run(options: argparse.Namespace) -> int:
    """Scores the two files and writes the report; rows are written as they come.

    Raises:
        JpevalbError: the evaluation cannot be done.
    """
    from ..flow.discontinuous import Run
    from ..report import write_report

    settings = settings_of(options)
    if options.output == "html":
        raise SettingsError("--output html is not there for discontinuous trees; choose another")
    with ExitStack() as stack:
        team = stack.enter_context(team_of(options.jobs, options.dask))
        write: Callable[[str], Any] = sys.stdout.write
        if options.out is not None and options.out != "-":
            from ..formats.output import whole_file

            write = stack.enter_context(whole_file(options.out))
        watch = stack.enter_context(watching(options, [options.gold, options.system]))
        found = Run(watch.paths[0], watch.paths[1], settings, team)
        write_report(found, watch.results(found), options.output, write, quiet=options.quiet)
    for warning in found.warnings():
        say("jpevalb", f"warning: {warning}")
    return 0


def settings_of(options: argparse.Namespace) -> Settings:
    """The settings of a call.

    Raises:
        SettingsError: a value without meaning, or an option of the alignment mode.
    """
    alignment = Settings()
    metrics = ("metrics", "cutoff", "most_memory", "by_label", "analysis")
    for name in ("lang", "exceptions", "align_ratio", *metrics):
        if getattr(options, name, getattr(alignment, name)) != getattr(alignment, name):
            raise SettingsError(
                f"--{name.replace('_', '-')} means nothing for discontinuous trees, which are not aligned; "
                "leave it out"
            )
    names = (*SHARED, *DEFAULTS)
    settings = Settings.preset(DISCONTINUOUS, **{name: getattr(options, name) for name in names})
    if settings.format != "auto":
        check_format(settings.format)
    return settings
