"""The command line of comparisons: which calls are for them, their options, and their run."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from .errors import SettingsError

if TYPE_CHECKING:
    from .scored import AnySettings

OPTIONS = ("test", "samples", "seed", "confidence")
"""Destinations of the options that :func:`add_options` adds; none is a setting of a mode."""

# The defaults are written out: to know them from their module would load numpy for every --help.
_TESTS = ("bootstrap", "permutation", "sign", "none")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options that only comparisons have."""
    add = parser.add_argument_group(
        "several systems",
        "One table of all systems; the first is the baseline that the others are tested against.",
    ).add_argument
    add(
        "--test",
        choices=_TESTS,
        help="test of the differences from the first system (default: bootstrap if there are several)",
    )
    add(
        "--samples",
        type=int,
        metavar="N",
        help="resamples of bootstraps and shuffles of a permutation test (default: 1000 and 10000)",
    )
    add("--seed", type=int, metavar="N", help="seed of the random numbers (default: 12345)")
    add(
        "--confidence",
        type=float,
        metavar="C",
        help="confidence of the bootstrap intervals, of one system too (default: 0.95)",
    )


def wanted(options: argparse.Namespace, systems: list[str]) -> bool:
    """Whether a call is for a comparison: several systems, or one and an option of :data:`OPTIONS`."""
    return len(systems) > 1 or any(getattr(options, name) is not None for name in OPTIONS)


def run(options: argparse.Namespace, systems: list[str], settings: AnySettings) -> int:
    """Compares the systems and writes the report.

    Raises:
        JpevalbError: the comparison cannot be done.
    """
    from .comparison import compare
    from .report.comparison import FORMATS

    if options.output not in FORMATS:
        raise SettingsError(
            f"--output {options.output} is not there for several systems; "
            f"expected one of {', '.join(FORMATS)}"
        )
    if getattr(settings, "by_label", False):
        raise SettingsError("--by-label is of one system's report; leave it out, or score one system")
    test = options.test or ("bootstrap" if len(systems) > 1 else "none")
    given = {
        name: getattr(options, name)
        for name in ("samples", "seed", "confidence")
        if getattr(options, name) is not None
    }
    from .workers import team_of

    with team_of(getattr(options, "jobs", 1), getattr(options, "dask", None)) as team:
        result = compare(
            options.gold,
            systems,
            test=None if test == "none" else test,
            settings=settings,
            executor=team,
            **given,
        )
    with ExitStack() as stack:
        write: Callable[[str], Any] = sys.stdout.write
        if options.out is not None and options.out != "-":
            from .output_file import whole_file

            write = stack.enter_context(whole_file(options.out))
        write(result.report(options.output))
    said = set()
    for system in result.systems:
        for warning in system.warnings:
            if warning not in said:
                said.add(warning)
                print(f"jpevalb: warning: {system.name}: {warning}", file=sys.stderr)
    return 0
