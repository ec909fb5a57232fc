"""The command of runs that do not print evalb's report."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ..base.errors import InputError, JpevalbError, SettingsError
from ..base.files import reject_inputs, reject_shared
from ..base.streams import is_pipe
from ..base.text import visible
from ..base.values import FILE
from ..metrics import metric_of, signed
from ..metrics.brackets import ALIGNMENT, DISCONTINUOUS
from ..report import FORMATS as REPORTS, format_named, used_by, write_report
from ..score.evaluation import figures_of
from ..score.inputs import Input, decide
from ..score.outcome import Outcome, no_rows
from ..score.run import Run
from ..score.signature import RESULTS, SettingsUser, reject_unused, signature_of
from ..score.workers import WorkerPool, workers
from ..settings.params import Params
from ..settings.settings import FILES, IN_EVERY_RUN, OPTIONS, READING, TYPES, Settings
from . import is_number_of_evalb, say, threshold
from .arguments import MEANT, Namespace, Watch, gold_title, is_folder, output, screen, watching
from .options import OF_COMPARISONS, parser

if TYPE_CHECKING:
    from ..score.conventions import ConventionTable, RunConventions

MOST_WARNINGS = 5  # maximum number of .prm warnings printed
MOST_OF_CONVENTIONS = 4_000_000  # maximum number of bytes of both files for a page with all conventions
_READING = {*READING, "on_error", "tags"}  # settings that decide how the sentences are read
# With these alone, the sentences and the counts of brackets and tags are those of the table of conventions.
_AS_READ = _READING | {"metrics", "cutoff", "by_label", "analysis", "error_classes"}


def main(argv: list[str]) -> int:
    for word in argv[: argv.index("--") if "--" in argv else None]:
        # argparse would take -e for the beginning of -evalb.
        if is_number_of_evalb(word):
            say("jpevalb", f"unknown option {word}; {MEANT[word[:2]]}")
            return 2
    return parser().run(threshold.with_figures(argv), _evaluate)


def _evaluate(options: Namespace) -> int:
    systems = options.system
    for name in (options.gold, *systems):
        if name.endswith(".prm"):
            raise SettingsError(
                f"{name} is a parameter file, not a file of trees; give it with --prm {name}, "
                f"or with -evalb {name} for evalb's report"
            )
    paths: Any = [options.gold, *options.more_gold, *systems]
    reject_shared(paths)
    # Nothing is written over before it is read; a report appended to its own input would have no end.
    files = [getattr(options, name, None) for name, row in OPTIONS.items() if row.values in FILES]
    reject_inputs(options.out, (*paths, *files))
    choose_format(options)
    folders_given = [path for path in paths if os.path.isdir(path)]
    convention = getattr(options, "convention", "")
    # The values of rules behind one name may have commas.
    several = convention == "all" or ("," in convention and ":" not in convention)
    if several or options.published is not None:
        if folders_given:
            raise SettingsError(f"{folders_given[0]} is a folder; a table of conventions needs files")
        from .tables import run_conventions

        return run_conventions(options)
    many = compares(options)
    check_together(options, many)
    _read_prm(options)
    settings = Settings.of(None, {name: value for name, value in vars(options).items() if name in OPTIONS})
    if folders_given:
        from .tables import run_folders

        return run_folders(options, settings)
    # Several references: each is read once, but the system's file again for each, so it is not followed.
    followed = 0 if many or options.view is not None else len(paths) - bool(options.more_gold)
    watch = watching(options, paths[:followed])
    paths[:followed] = watch.paths
    golds = [Input(path, "gold", settings) for path in paths[: -len(systems)]]
    inputs = [Input(path, "sys", settings) for path in paths[-len(systems) :]]
    settings = decide(settings, [*golds, *inputs])
    _check_shown(options, settings, many)
    if options.view is not None or (options.score_only and _are_of_brackets(options)):
        # Only brackets are shown.
        settings = settings.replace(metrics=("brackets", "tags"), by_label=False, analysis=False)
    if many:
        from .tables import run_comparison

        gold, *more_gold = [item.source for item in golds]
        return run_comparison(options, gold, [item.source for item in inputs], settings, more_gold=more_gold)
    return _run(options, golds, inputs[0], settings, watch)


def compares(options: Namespace) -> bool:
    """Return True for several systems, or one with an option that only comparisons have."""
    # The HTML page of one system has intervals, too.
    names = [name for name in OF_COMPARISONS if name != "confidence" or options.output != "html"]
    return len(options.system) > 1 or any(getattr(options, name) is not None for name in names)


# Default format of a report by the suffix of its file
SUFFIXES = {
    **{f".{name}": name for name in ("html", "json", "csv", "tsv")},
    **{".htm": "html", ".md": "markdown", ".tex": "latex", ".txt": "text"},
}


def choose_format(options: Namespace) -> None:
    """Set the report's default format by the suffix of its file; reject what it cannot write."""
    out = None if options.out == "-" else options.out
    if options.output is None:
        suffix = ".csv" if is_folder(out) else os.path.splitext(out or "")[1].lower()
        # A device or a pipe, such as /dev/stdout, has no suffix.
        special = out and os.path.exists(out) and not (os.path.isfile(out) or os.path.isdir(out))
        plain = options.view is not None or options.score_only or not out or special
        if not plain and suffix not in SUFFIXES:
            raise SettingsError(
                f"--out {out}: no format has this suffix; name a file that ends in {', '.join(SUFFIXES)}, "
                "or give the format with --as"
            )
        options.output = "text" if plain else SUFFIXES[suffix]
    if options.output == "html" and screen(options):
        raise SettingsError("HTML is not for the terminal; write it to a file, such as --out r.html")
    format_named(options.output)


def check_together(options: Namespace, many: bool) -> None:
    """Raise a SettingsError for options that do not go together."""
    view, output = options.view is not None, options.output
    if view:
        from ..report.view import chooser

        chooser(options.view)
    alone = ("rows", "details", "view", "max_drop")
    single = next((name for name in alone if many and getattr(options, name)), "")
    hidden = next((name for name in threshold.OPTIONS if view and getattr(options, name)), "")
    for wrong, message in (
        (options.details and output != "json", "--details needs --as json"),
        (options.verbose and not many and output != "text", "--verbose of one system needs --as text"),
        (
            options.allow_excluded is not None and not (options.fail_under or options.max_drop),
            "--allow-excluded needs --fail-under or --max-drop",
        ),
        (options.rows and output != "text", "--rows needs --as text"),
        (single, f"--{single.replace('_', '-')} needs one system, without a test"),
        (hidden, f"--view shows trees; leave out --{hidden.replace('_', '-')}"),
        (view and output != "text", f"--view writes text; leave out --as {output}"),
        (options.score_only and output != "text", f"--score-only: leave out --as {output}"),
        (
            many and output == "html" and len(options.system) == 1,
            "of the options for several systems, an HTML page of one system takes --confidence only",
        ),
        (
            options.baseline is not None and options.max_drop is None,
            "--baseline FILE is an earlier report for --max-drop; to compare with a system give --against",
        ),
        (
            options.max_drop is not None and options.baseline is None,
            "--max-drop needs --baseline FILE, a JSON report",
        ),
    ):
        if wrong:
            raise SettingsError(message)


def _read_prm(options: Namespace) -> None:
    """Read the .prm, which may be a pipe, and print its warnings; reject other files that are pipes."""
    convention = getattr(options, "convention", "")
    if convention.endswith(".prm"):
        if hasattr(options, "prm"):
            raise SettingsError(f"--convention {convention} and --prm {options.prm}; give one parameter file")
        options.prm = convention
        del options.convention
    if getattr(options, "prm", None) is not None:
        name = options.prm
        options.prm = Params.load(name)
        warnings = options.prm.warnings
        for text in warnings[:MOST_WARNINGS]:
            say("jpevalb", f"warning: {name}: {text if len(text) <= 120 else text[:120] + '...'}")
        if len(warnings) > MOST_WARNINGS:
            say("jpevalb", f"warning: {name}: and {len(warnings) - MOST_WARNINGS} more such lines")
    for name, row in OPTIONS.items():
        path = getattr(options, name, None)
        if row.values in (FILE, TYPES) and path is not None and is_pipe(path):
            # The signature has a digest of it.
            raise SettingsError(
                f"--{name.replace('_', '-')}: a pipe, which cannot be read twice; give a file"
            )


def _check_shown(options: Namespace, settings: Settings, many: bool) -> None:
    """Raise a SettingsError for an option that the report does not show."""
    given = [name for name in RESULTS.settings if hasattr(options, name)]
    if options.score_only:
        # --fail-under prints the names of systems.
        unshown = [name for name in OF_COMPARISONS if name != "names" or options.fail_under is None]
        given += [name for name in unshown if getattr(options, name) is not None]
    added = [name for name in getattr(options, "metrics", ()) if name not in IN_EVERY_RUN]
    of_brackets = not options.score_only or _are_of_brackets(options)
    if "metrics" in given and not (added and of_brackets):
        given.remove("metrics")
    if not given:
        return
    if options.score_only or options.view is not None:
        shown = "--score-only" if options.score_only else "--view"
        raise SettingsError(f"{shown} does not show --{given[0].replace('_', '-')}; leave one of them out")
    report = used_by(options.output)
    if many:
        without_rates = [name for name in added if not metric_of(name).figures]
        if without_rates and options.output != "json":
            raise SettingsError(
                f"the metric {without_rates[0]!r}, which tables of systems do not show; leave it out, "
                "or give --as json, which has its counts"
            )
        # Systems are compared over all sentences.
        shown_settings = [name for name in report.settings if name != "cutoff"]
        report = SettingsUser("report", "of a comparison", shown_settings)
    reject_unused(settings, report=report, reports=lambda: map(used_by, REPORTS))


def _view(run: Outcome, options: Namespace) -> str:
    """Return both trees of the selected sentences."""
    from ..errors.causes import load_classes
    from ..report.view import chooser, view

    size = screen(options)
    color = size is not None and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    classes = load_classes(run.settings.error_classes, lang=run.settings.lang)
    how: Any = {"width": size[0] if size else 80, "color": color, "classes": classes}
    texts = [view(result, **how) for result in chooser(options.view)(run)] or [
        "# there is no such sentence\n"
    ]
    return "\n".join([*texts, f"# signature: {visible(signed(signature_of(run.settings), run.metrics))}\n"])


def _run(options: Namespace, golds: list[Input], system: Input, settings: Settings, watch: Watch) -> int:
    """Score one system and write the report, or show some of its sentences."""
    with workers(options.jobs) as pool, output(options) as (write, how):
        run = _run_of(golds, system, settings, pool, options)
        if options.view is not None:
            write(_view(run, options))
            return 0
        threshold.check(options, figures_of(run.metrics, run.settings))
        # The names of both files, or their paths if the names are equal
        paths = ["standard input" if path == "-" else path for path in (options.gold, options.system[0])]
        names = [os.path.basename(path.rstrip(os.sep)) or path for path in paths]
        gold_name, system_name = paths if names[0] == names[1] else names
        if options.score_only:
            for _ in watch.results(run.rows(no_rows)):
                pass
            scores = _scores(run, system_name)
            without = [item.name for item in (golds[0], system) if item.lacks_trees]
            if without and (undefined := threshold.undefined(options, scores)):
                problem = f"words and no trees, so {undefined[0][0]} has no value; give a file of trees"
                raise InputError(problem, source=without[0])
            write(threshold.lines(options, scores))
        else:
            page = options.output == "html"
            how |= {"details": options.details, "follow": watch.results, "confidence": options.confidence}
            how["gold_name"] = gold_title(options) if options.more_gold else gold_name
            how["command"] = options.command if page else None
            if page and _shows_conventions(options, run.settings):
                from ..score.conventions import RunConventions

                counts = RunConventions(system_name)
                how["follow"] = lambda results: watch.results(counts.follow(results))
                how["conventions"] = lambda: _conventions(options, run, counts)
            if options.output == "text":
                how |= {"verbose": options.verbose, "hints": True}
                how["screen"] = None if options.rows else screen(options)
            write_report(run, options.output, write, quiet=options.quiet, system_name=system_name, **how)
    for warning in run.warnings():
        say("jpevalb", f"warning: {warning}")
    if not threshold.wanted(options):
        return 0
    return threshold.status(options, _scores(run, system_name))


def _shows_conventions(options: Namespace, settings: Settings) -> bool:
    """Return True if a page has the figures under all conventions; large files and other runs have none."""
    files = options.gold, options.system[0]
    if options.quiet or options.more_gold or settings.answers or settings.nbest:
        return False
    if "convention" in settings.given() or not all(map(os.path.isfile, files)):
        return False
    return sum(map(os.path.getsize, files)) <= MOST_OF_CONVENTIONS


def _conventions(options: Namespace, run: Outcome, counts: RunConventions) -> ConventionTable | None:
    """Return the figures under all conventions; ``counts`` are those of the run's sentences."""
    settings, given = run.settings, run.settings.given()
    plain = settings.has_trees and not settings.discontinuous
    if counts.in_order and plain and given.keys() <= _AS_READ:
        return counts.table(run.tally.total)
    from ..score.conventions import conventions

    reading = {key: value for key, value in given.items() if key in _READING}
    try:
        return conventions(options.gold, {counts.name: options.system[0]}, settings=Settings(**reading))
    except JpevalbError:
        return None


def _are_of_brackets(options: Namespace) -> bool:
    """Return True if options ask for figures of brackets and tags only."""
    known = {key.lower() for one in (*ALIGNMENT, *DISCONTINUOUS) for key in (one.name, one.title)}
    return {name.lower() for name in threshold.wanted(options)} <= known


def _scores(run: Outcome, name: str) -> threshold.Scores:
    evaluation = run.evaluation()
    rates = {**evaluation.figures, threshold.F1: evaluation.f1}
    parts = [(evaluation.excluded_share, evaluation.unparsed)]
    return threshold.Scores([(name, rates)], evaluation.signature, parts)


def _run_of(
    golds: list[Input], system: Input, settings: Settings, pool: WorkerPool | None, options: Namespace
) -> Outcome:
    """Return the run of a call.  A score alone and a view do not show how several references agree."""
    if not options.more_gold:
        node_pairs = format_named(options.output).node_pairs and not options.quiet
        return Run(golds[0], system, settings, pool, node_pairs=node_pairs)
    from ..score.references import ReferencesRun, references_of

    references = references_of(golds[0].source, [gold.source for gold in golds[1:]], settings)
    agree = not options.score_only and options.view is None
    return ReferencesRun(references, system.source, settings, pool, agree=agree)
