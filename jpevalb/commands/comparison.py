"""Comparisons of systems from the command line."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from ..trees.errors import SettingsError
from . import headline, say
from .arguments import output
from .options import COMPARISON, ROWS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..comparison.sources import AnySettings
    from ..trees.formats import Source

OPTIONS = tuple([name for name, row in ROWS.items() if row.group == COMPARISON])
"""Options that only comparisons have; none is a setting of a mode."""


def wanted(options: argparse.Namespace, systems: list[str]) -> bool:
    """Whether a call is for a comparison: several systems, or one and an option of :data:`OPTIONS`."""
    return len(systems) > 1 or any(getattr(options, name) is not None for name in OPTIONS)


def run(
    options: argparse.Namespace,
    systems: Sequence[Source],
    settings: AnySettings,
    gold: Source | None = None,
    more_gold: Sequence[Source] = (),
    **also: Any,
) -> int:
    """Compares the systems and writes the report.

    Args:
        options: The command line's.
        systems: The systems' sources, the baseline first.
        settings: Of the mode.
        **also: What else :func:`jpevalb.compare` takes.

    Raises:
        JpevalbError: the comparison cannot be done.
    """
    from ..comparison import compare
    from ..report import Shown, check_shown
    from ..trees.settings import Settings

    test = options.test or ("bootstrap" if len(systems) > 1 else "none")
    given = {
        name: getattr(options, name)
        for name in ("samples", "seed", "confidence", "ties", "baseline", "correction")
        if getattr(options, name) is not None
    }
    if options.group is not None:
        from ..comparison.result import parsed

        given["groups"] = parsed(options.group)
    from ..score.pools import team_of

    shown = Shown(options.columns or (), options.sort, bool(options.verbose))
    check_shown(options.output, shown)
    if options.score_only:
        given["confidence"] = None
        test = "none"
    page = options.output == "html"
    if page:
        from ..report.page import require_jinja2

        require_jinja2()
        if isinstance(settings, Settings):
            # The page has the causes of errors, with differences and intervals.
            settings = settings.replace(analysis=True)
    with team_of(options.jobs, options.dask) as team:
        result = compare(
            options.gold if gold is None else gold,
            _named(systems, options.names),
            test=None if test == "none" else test,
            settings=settings,
            executor=team,
            keep=page and not options.quiet and not options.more_gold,
            more_gold=more_gold,
            **given,
            **also,
        )
    with ExitStack() as stack:
        write = stack.enter_context(output(options.out))
        width = _terminal_width() if options.out in (None, "-") else None
        name = gold_title(options)
        how = {"worst": options.worst} if hasattr(options, "worst") else {}
        if options.score_only:
            write(headline.lines([system["f1"] for system in result.systems]))
        else:
            write(result.report(options.output, width=width, gold_name=name, **shown._asdict(), **how))
    said = set()
    for system in result.systems:
        for warning in system.warnings:
            if warning not in said:
                said.add(warning)
                say("jpevalb", f"warning: {system.name}: {warning}")
    scores = [(system.name, system["f1"]) for system in result.systems]
    return headline.status(scores, options.fail_under)


def _named(systems: Sequence[Source], names: tuple[str, ...] | None) -> Any:
    """The systems, by the names that are given for them.

    Raises:
        SettingsError: another number of names, or one name twice.
    """
    if names is None:
        return systems
    if len(names) != len(systems) or len(set(names)) < len(names):
        raise SettingsError(
            f"found --names {','.join(names)} for {len(systems)} systems; expected a name of its own for each"
        )
    return dict(zip(names, systems))


def gold_title(options: argparse.Namespace) -> str:
    """What a page calls the gold side: the name of the file, or the names of several references."""
    if not options.more_gold:
        return "standard input" if options.gold == "-" else os.path.basename(options.gold) or options.gold
    from ..score.inputs import names_of

    return " or ".join([name for name, _ in names_of([options.gold, *options.more_gold], "reference")])


def _terminal_width() -> int | None:
    """The columns of the terminal that standard output is, if it is one."""
    from shutil import get_terminal_size

    return max(40, get_terminal_size().columns) if sys.stdout.isatty() else None
