"""Calls whose report is a table of systems, conventions or files."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from functools import partial, reduce
from operator import add
from typing import Any

from ..base.errors import InputError, SettingsError
from ..base.text import visible
from ..comparison import compare
from ..comparison.result import parse_groups
from ..comparison.sources import AnySettings
from ..formats.read import Source
from ..metrics import signed
from ..report import Choices, check_shown, format_named, render_comparison
from ..report.table import Cell, Field, Sheet, Table, fields_of, number
from ..score.evaluation import Evaluation, figures_of
from ..score.run import Run
from ..score.signature import signature_of
from ..score.workers import workers
from ..settings.settings import OPTIONS, Settings
from . import say, threshold
from .arguments import Namespace, gold_title, is_folder, named_systems, output, reject_given, screen, watching
from .options import OF_COMPARISONS, ROWS

# Options of tables of conventions, and groups of options that say how to read files
_OF_CONVENTIONS = ("gold", "system", "output", "out", "convention", "published", "names")
_INPUT = ("input", "answers of a language model")


def run_comparison(
    options: Namespace, gold: Source, systems: Sequence[Source], settings: AnySettings, **also: Any
) -> int:
    """Compare systems, the baseline first, and write the report; ``also`` are arguments of ``compare``."""
    test = options.test or ("permutation" if len(systems) > 1 else "none")
    given = {name: getattr(options, name) for name in ("samples", "seed", "confidence", "correction")}
    given |= {"baseline": options.against, "groups": options.group and parse_groups(options.group)}
    given = {name: value for name, value in given.items() if value is not None}
    shown = Choices(options.columns or (), options.sort, bool(options.verbose))
    check_shown(options.output, shown)
    if options.score_only:
        given["confidence"] = None
    systems = named_systems(options.names, systems)
    page = options.output == "html"
    if page and isinstance(settings, Settings):
        # The page compares the causes of errors.
        settings = settings.replace(analysis=True)
    watch = watching(options, ())
    given |= {"follow": watch.results, "follow_tests": partial(watch.results, unit=" tests"), **also}
    given["keep"] = page and not options.quiet and not options.more_gold
    given["test"] = None if options.score_only or test == "none" else test
    with workers(options.jobs) as pool:
        result = compare(gold, systems, settings=settings, executor=pool, **given)
    rates = [(one.name, {**one.rates, threshold.F1: result.f1[one.name]}) for one in result.systems]
    scores = threshold.Scores(rates, parts=[(one.excluded, one.unparsed) for one in result.systems])
    threshold.check(options, [figure for figure in result.measures if not figure.group])
    with output(options) as (write, how):
        if options.score_only:
            write(threshold.lines(options, scores))
        else:
            size = screen(options)
            how |= {"width": size and max(40, size[0]), "gold_name": gold_title(options), "shown": shown}
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
    # A comparison needs neither these nor the readers of answers that they import.
    from ..score.conventions import chosen_conventions, conventions

    known = (*_OF_CONVENTIONS, *(["jobs"] if options.jobs == 1 else []))
    others = [name for name, row in ROWS.items() if name not in known and row.group not in _INPUT]
    reject_given(options, others, "does not go with a table of conventions; leave one of them out")
    if is_folder(options.out):
        raise SettingsError(f"--out {options.out}: a table of conventions is one file; name it, as table.csv")
    given = {name: value for name, value in vars(options).items() if name in OPTIONS and name != "convention"}
    names = tuple(filter(None, map(str.strip, getattr(options, "convention", "all").split(","))))
    table = conventions(
        options.gold,
        named_systems(options.names, options.system),
        chosen_conventions("all" if names == ("all",) else names),
        published=None if options.published is None else options.published / 100,
        settings=Settings(**given),
    )
    with output(options) as (write, _):
        write(table.report(options.output))
    return 0


# Options whose results a table of files does not show
_NOT_SHOWN = (
    *("view", "score_only", "fail_under", "max_drop", "allow_excluded", "details", "rows", "verbose"),
    *("by_label", "analysis", "error_classes", "cutoff"),
    *OF_COMPARISONS,
)


def run_folders(options: Namespace, settings: Settings) -> int:
    """Score the files of two folders and write a row for each pair, and one for all."""
    paths = [options.gold, *options.more_gold, *options.system]
    folders = [path for path in paths if os.path.isdir(path)]
    if len(folders) < len(paths):
        other = next(path for path in paths if path not in folders)
        systems = f"for the systems in it write {os.path.join(folders[0], '*')}, or "
        advice = f"{systems * (folders[0] in options.system)}give two folders or two files"
        raise SettingsError(f"{folders[0]} is a folder and {other} is none; {advice}")
    if len(paths) > 2:
        raise SettingsError("several systems or references as folders; give the gold folder and one system's")
    reports = ("text", "json", "csv", "tsv", "markdown", "latex")
    if options.output not in reports:
        raise SettingsError(f"--as {options.output}: folders have a table; give {', '.join(reports)}")
    reject_given(options, _NOT_SHOWN, "needs two files; leave it out for folders")
    done: list[tuple[str, Evaluation]] = []
    with workers(options.jobs) as pool:
        for name in _paired(options.gold, options.system[0]):
            gold, system = [os.path.join(folder, name) for folder in (options.gold, options.system[0])]
            one = Run(gold, system, settings, pool)
            for _ in one:
                pass
            done.append((name, one.evaluation()))
            for warning in one.warnings():
                say("jpevalb", f"warning: {name}: {warning}")
    with output(options) as (write, _):
        write(_report(done, options.output))
    return 0


def _paired(gold: str, system: str) -> list[str]:
    """Return the names of the files, which both folders must have."""
    golds, systems = _names(gold), _names(system)
    for folder, names, other, others in ((gold, golds, system, systems), (system, systems, gold, golds)):
        missing = [name for name in others if name not in set(names)]
        if missing:
            more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            raise InputError(f"{folder}: no file {missing[0]}{more}, which {other} has; add or remove it")
    if not golds:
        raise InputError(f"{gold}: no files in the folder")
    return golds


def _names(folder: str) -> list[str]:
    """Return the paths of a folder's files relative to it, without hidden files."""
    found = []
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [
            os.path.relpath(os.path.join(place, name), folder) for name in files if not name.startswith(".")
        ]
    return sorted(found)


def _report(done: list[tuple[str, Evaluation]], format: str) -> str:
    first = done[0][1]
    every = figures_of(first.metrics, first.settings)
    signature = signed(signature_of(first.settings), first.metrics)
    total: Any = reduce(add, [one.total for _, one in done])
    # The files of another format may have other figures than the first; all together have the common ones.
    values = [{"sentences": one.total.sentences.groups, **one.figures} for _, one in done]
    common = [figure for figure in every if all(figure.name in one for one in values)]
    values.append({"sentences": total.sentences.groups, **{one.name: one.value(total) for one in common}})
    if format == "json":
        from ..report.json import text_of

        files = [{"file": name, **one} for (name, _), one in zip(done, values)]
        return text_of({"files": files, "total": values[-1], "signature": signature}) + "\n"
    figures = [figure for figure in every if not figure.group]
    names = [*[visible(name) for name, _ in done], "total"]
    rows: list[list[Cell]] = [
        [name, str(one["sentences"]), *[number(figure, one.get(figure.name)) for figure in figures]]
        for name, one in zip(names, values)
    ]
    fields = (Field("file", "File", text=True), Field("sentences", "Sentences"), *fields_of(figures))
    table = Table("Files", fields, rows, total=True, name="files")
    # Figures that no file has are left out.
    kept = [index for index in range(len(fields)) if any(row[index] is not None for row in rows)]
    table = table.with_columns(kept)
    changes = Counter[tuple[str, str]]()
    for _, one in done:
        changes.update({(item.side, item.what): item.count for item in one.standardised})
    notes = [f"standardised, {side}: {what}: {count:,}" for (side, what), count in changes.items()]
    return format_named(format).tables(Sheet((table,), (table,), tuple(notes), signature))
