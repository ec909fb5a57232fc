"""Reports: from a result to text; each format is a module, and a line of :data:`FORMATS`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias

from ..score.evaluation import WORST
from ..score.run import Outcome
from ..score.score import RowMaker, no_rows
from ..score.uses import SettingsUser
from ..trees.errors import SettingsError
from ..trees.plugins import REPORTS, load_plugin, plugin_names

FORMATS = {
    "text": ("jpevalb.report.text", "TEXT"),
    "json": ("jpevalb.report.json", "JSON"),
    "csv": ("jpevalb.report.delimited", "CSV"),
    "tsv": ("jpevalb.report.delimited", "TSV"),
    "markdown": ("jpevalb.report.markup", "MARKDOWN"),
    "latex": ("jpevalb.report.markup", "LATEX"),
    "html": ("jpevalb.report.html", "HTML"),
}
"""For each format its module and the :class:`Format` in it; a module is imported when it writes.  Other
packages may have more, as entry points of the group ``jpevalb.reports``."""

Write: TypeAlias = Callable[[str], Any]
"""Takes text, piece by piece."""


class Format:
    """A way to write results of every kind as text."""

    keeps_sentences = False
    """Whether the summary alone is made of the sentences too."""

    settings: Sequence[str] = ("metrics", "by_label", "analysis", "cutoff")
    """The settings of a run that it shows something of; one that nothing in a run looks at is refused."""

    choices: Sequence[str] = ("columns", "sort", "verbose")
    """What may be chosen of :class:`Shown` for its comparisons; what it has in any case is refused."""

    row_ends: RowMaker | None = None
    """Makes the sentences' rows where they are scored, if the format can be written from such rows."""

    def evaluation(self, evaluation: Any, *, quiet: bool = False, **names: Any) -> str:
        """The report of one system.

        Args:
            evaluation: Its evaluation, of any mode.
            quiet: Whether to leave out the sentences.
            **names: ``gold_name`` and ``system_name``: what a page calls the two sides.

        Raises:
            SettingsError: the format is for comparisons alone.
        """
        raise SettingsError("this output format is for comparisons; choose another for one system")

    def detailed(self) -> Format:
        """The format with what the figures of the sentences are made of.

        Raises:
            SettingsError: it has no place for that.
        """
        raise SettingsError("the details of sentences are for JSON; choose that format, or leave them out")

    def comparison(self, comparison: Any, **how: Any) -> str:
        """The report of several systems.

        Args:
            comparison: Their comparison.
            **how: ``width``: columns that tables of text may take; ``gold_name``: what a page
                calls the gold side; ``shown``: what the tables show.

        Raises:
            SettingsError: the format is for single systems alone.
        """
        raise SettingsError("this output format is for one system; choose another for a comparison")

    def stream(
        self, run: Any, results: Iterable[Any], write: Write, *, quiet: bool = False, **names: Any
    ) -> None:
        """Writes the report of a run as its results come, as far as the format allows it.

        Args:
            run: The run.
            results: Its results, or its rows where the format makes rows; iterated over once, to the end.
            write: Takes the text.
            quiet: Whether to leave out the sentences; asked only of formats that keep them.
            **names: ``gold_name`` and ``system_name``: what a page calls the two sides; ``worst``: how
                many sentences a page has.
        """
        write(self.evaluation(run.evaluation(list(results)), quiet=quiet, **names))


def format_named(name: str) -> Format:
    """A format, of jpevalb or of another package.

    Raises:
        SettingsError: there is none of that name, or it cannot be loaded.
    """
    found: Format
    if name in FORMATS:
        module, item = FORMATS[name]
        found = getattr(import_module(module), item)
        return found
    installed = plugin_names(REPORTS)
    if name not in installed:
        known = ", ".join([*FORMATS, *installed])
        raise SettingsError(f"found the output format {name!r}; expected one of {known}")
    found = load_plugin(REPORTS, name)
    return found


def used_by(name: str) -> SettingsUser:
    """Which settings a report looks at.

    Args:
        name: One of :data:`FORMATS`.

    Raises:
        SettingsError: an unknown format.
    """
    return SettingsUser("report", name, format_named(name).settings)


def render(evaluation: Any, format: str, *, quiet: bool = False, details: bool = False, **names: Any) -> str:
    """The evaluation in a format.

    Args:
        evaluation: What to report, of any mode.
        format: One of :data:`FORMATS`.
        quiet: Whether to leave out the sentences.
        details: Whether the sentences of JSON have their words, units and constituents.
        **names: ``gold_name`` and ``system_name``: what a page calls the two sides; ``worst``: how many
            sentences it lists, those with most errors; ``None`` for all.

    Raises:
        SettingsError: an unknown format, or details in one that has none.
    """
    kind = format_named(format)
    return (kind.detailed() if details else kind).evaluation(evaluation, quiet=quiet, **_given(names))


def _given(how: dict[str, Any]) -> dict[str, Any]:
    """What is not as by default; formats of other packages need not know the rest.

    Raises:
        SettingsError: a number of sentences that a page cannot have.
    """
    worst = how.get("worst")
    if worst is not None and not (isinstance(worst, int) and worst > 0):
        raise SettingsError(f"found worst={worst!r}; expected a whole number from 1 on, or None for all")
    return {name: value for name, value in how.items() if value != (WORST if name == "worst" else None)}


def notebook(result: Any) -> str:
    """Return the tables that a notebook shows of an evaluation or a comparison, as bare HTML."""
    from . import comparison, sheet
    from .markup import html_of

    many = hasattr(result, "systems")
    return html_of(comparison.sheet(result) if many else sheet.sheet(result, quiet=True))


class Shown(NamedTuple):
    """What the tables of a comparison show."""

    columns: tuple[str, ...] = ()
    """The measures, by name or title; none for all of them."""
    sort: str | None = None
    """The measure that the systems are sorted by, the best first; ``None`` for their own order."""
    verbose: bool = False
    """Whether p-values and intervals have tables of their own."""


def render_comparison(comparison: Any, format: str = "text", **how: Any) -> str:
    """The comparison in a format.

    Args:
        comparison: What to report.
        format: One of :data:`FORMATS`.
        **how: As for :meth:`Format.comparison`, and ``worst``: how many sentences a page lists, those
            where the systems' errors differ most; ``None`` for all.

    Raises:
        SettingsError: an unknown format or measure, or a choice of measures for a format that has all.
    """
    check_shown(format, how.get("shown") or Shown())
    return format_named(format).comparison(comparison, **_given(how))


def check_shown(format: str, shown: Shown) -> None:
    """Makes sure that the comparisons of a format leave to choose what was chosen.

    Raises:
        SettingsError: an unknown format, or a choice that it does not leave.
    """
    for name, value in shown._asdict().items():
        if value and name not in format_named(format).choices:
            raise SettingsError(
                f"found {name}={value!r}, which {format} cannot use: as it is it has all measures, p-values "
                "and intervals; leave it out"
            )


def write_report(
    run: Outcome,
    format: str,
    write: Write,
    *,
    quiet: bool = False,
    details: bool = False,
    follow: Callable[[Iterable[Any]], Iterable[Any]] = iter,
    writing: Callable[[Sequence[Any]], Iterable[Any]] = iter,
    **names: Any,
) -> None:
    """Writes what ``run.evaluation(list(run)).report(format)`` would return, as the results come.

    JSON has its sums before its sentences, so the sentences wait in a file.  Markdown and LaTeX
    need the widths of all cells, and so the cells of all rows; HTML needs the trees of the worst sentences.

    Args:
        run: The run, of any mode; it is iterated over.
        format: One of :data:`FORMATS`.
        write: Takes the text, piece by piece.
        quiet: Whether to leave out the sentences.
        details: Whether the sentences of JSON have their words, units and constituents.
        follow: Gets the results or rows and hands them on, to show how far the run has come.
        writing: Gets the sentences whose trees a page has and hands them on, to show how far it is written.
        **names: What the two sides are called, as for :func:`render`; ``worst``, for HTML: how many
            sentences the page has, those with most errors (``None``: all of them).

    Raises:
        JpevalbError: as iterating over the run.
        SettingsError: an unknown format.

    Cost: that of the run; memory for a few results, but for Markdown and LaTeX the cells of
    all rows, and for HTML the worst results.
    """
    kind = format_named(format)
    if details:
        kind = kind.detailed()
    if kind.keeps_sentences:
        names["writing"] = writing
    if quiet and not kind.keeps_sentences:
        for _ in follow(run.rows(no_rows)):
            pass
        write(kind.evaluation(run.evaluation(), quiet=True, **names))
    elif quiet:
        kind.stream(run, follow(run), write, quiet=True, **names)
    else:
        results = run if kind.row_ends is None else run.rows(kind.row_ends)
        kind.stream(run, follow(results), write, **names)
