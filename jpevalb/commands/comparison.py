"""Comparisons of systems, and tables of conventions, from the command line."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from ..base.errors import SettingsError
from ..settings.settings import OPTIONS, Settings
from . import progress, say, threshold
from .arguments import Namespace, at_terminal, is_folder, named_systems, output
from .options import ROWS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..comparison.sources import AnySettings
    from ..formats.read import Source

# Options of tables of conventions, and groups of options that say how to read files
_OF_CONVENTIONS = ("gold", "system", "output", "out", "convention", "published", "names")
_INPUT = ("input", "answers of a language model")


def run(
    options: Namespace,
    systems: Sequence[Source],
    settings: AnySettings,
    gold: Source | None = None,
    more_gold: Sequence[Source] = (),
    *,
    gold_name: str | None = None,
    **also: Any,
) -> int:
    """Compare systems, the baseline first, and write the report; ``also`` are arguments of ``compare``."""
    from ..comparison import compare
    from ..report import Shown, check_shown, render_comparison
    from ..score.workers import worker_pool

    test = options.test or ("permutation" if len(systems) > 1 else "none")
    given = {
        name: getattr(options, name)
        for name in ("samples", "seed", "confidence", "correction")
        if getattr(options, name) is not None
    }
    if options.against is not None:
        given["baseline"] = options.against
    if options.group is not None:
        from ..comparison.result import parse_groups

        given["groups"] = parse_groups(options.group)
    shown = Shown(options.columns or (), options.sort, bool(options.verbose))
    check_shown(options.output, shown)
    if options.score_only:
        given["confidence"] = None
        test = "none"
    systems = named_systems(options.names, systems)
    page = options.output == "html"
    if page and isinstance(settings, Settings):
        # The page compares the causes of errors.
        settings = settings.replace(analysis=True)
    watch = progress.Watch((), progress.terminal_bar())
    with worker_pool(options.jobs) as pool:
        result = compare(
            options.gold if gold is None else gold,
            systems,
            test=None if test == "none" else test,
            settings=settings,
            executor=pool,
            keep=page and not options.quiet and not options.more_gold,
            follow=watch.results,
            follow_tests=partial(watch.results, unit=" tests"),
            more_gold=more_gold,
            **given,
            **also,
        )
    figures = [figure for figure in result.measures if not figure.group]
    rates = [(one.name, {**one.rates, threshold.F1: result.f1[one.name]}) for one in result.systems]
    parts = [(one.excluded, one.unparsed) for one in result.systems]
    scores = threshold.Scores(figures, rates, parts=parts)
    threshold.check(options, figures)
    with output(options) as (write, how):
        width = None
        if at_terminal(options):
            from shutil import get_terminal_size

            width = max(40, get_terminal_size().columns)
        if options.score_only:
            write(threshold.lines(options, scores))
        else:
            how |= {"width": width, "gold_name": gold_name, "shown": shown}
            how["command"] = options.command if page else None
            write(render_comparison(result, options.output, **how))
    # Each warning once, with the first system that has it
    warnings: dict[str, str] = {}
    for system in result.systems:
        for warning in () if system.problem else system.warnings:
            warnings.setdefault(warning, system.name)
    for warning, name in warnings.items():
        say("jpevalb", f"warning: {name}: {warning}")
    problems = [one.problem for one in result.systems if one.problem]
    if problems:
        say("jpevalb", "; ".join(problems))
    return threshold.status(options, scores) or int(bool(problems))


def run_conventions(options: Namespace) -> int:
    """Score systems under conventions and write the table."""
    from ..score.conventions import chosen_conventions, conventions

    for name, row in ROWS.items():
        value = getattr(options, name, None)
        is_given = value not in (None, False, []) and not (name == "jobs" and value == 1)
        if is_given and name not in _OF_CONVENTIONS and row.group not in _INPUT:
            flag = f"--{name.replace('_', '-')}"
            raise SettingsError(f"{flag} does not go with a table of conventions; leave one of them out")
    if is_folder(options.out):
        raise SettingsError(f"--out {options.out}: a table of conventions is one file; name it, as table.csv")
    given = {name: value for name, value in vars(options).items() if name in OPTIONS and name != "convention"}
    systems = named_systems(options.names, options.system)
    names = tuple(filter(None, map(str.strip, getattr(options, "convention", "all").split(","))))
    table = conventions(
        options.gold,
        systems,
        chosen_conventions("all" if names == ("all",) else names),
        published=None if options.published is None else options.published / 100,
        settings=Settings(**given),
    )
    with output(options) as (write, _):
        write(table.report(options.output))
    return 0
