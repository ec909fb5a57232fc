"""Reports: from a result to text; each format is a module, and a line of :data:`FORMATS`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from ..base.errors import SettingsError
from ..base.plugins import REPORTS, imported, load_plugin, plugin_names
from ..score.evaluation import WORST, Evaluation
from ..score.outcome import EndedRun, Outcome, RowMaker, no_rows
from ..score.signature import SettingsUser

FORMATS = {
    "text": "jpevalb.report.text:TEXT",
    "json": "jpevalb.report.json:JSON",
    "csv": "jpevalb.report.writers:CSV",
    "tsv": "jpevalb.report.writers:TSV",
    "markdown": "jpevalb.report.writers:MARKDOWN",
    "latex": "jpevalb.report.writers:LATEX",
    "html": "jpevalb.page.report:HTML",
}
"""For each format its module and the :class:`Format` in it; the module is imported when it writes.  Other
packages may have more, as entry points of the group ``jpevalb.reports``."""

Write: TypeAlias = Callable[[str], Any]  # takes text, piece by piece


class Format:
    """A report format.  A format is an object of a subclass; one method writes the report of one system."""

    needs_sentences = False  #: True if the summary alone is made from the sentences, too
    #: settings of a run that the report depends on; an option that nothing uses is rejected
    settings: Sequence[str] = ("metrics", "by_label", "analysis", "cutoff")
    #: fields of :class:`Choices` that its comparisons take; others are rejected
    choices: Sequence[str] = ("columns", "sort", "verbose")
    separate = False  #: True if the format has tables that can be written alone, or each to a file
    #: makes the sentences' rows where they are scored, if the format can be written from such rows
    row_ends: RowMaker | None = None
    node_pairs: bool = False  #: True if the sentences list the nodes that Struct-IoU aligns

    def write(
        self, run: Outcome, sentences: Iterable[Any], write: Write, *, quiet: bool = False, **names: Any
    ) -> None:
        """Write the report of one system.

        Args:
            run: The run, or an evaluation that is reported later.  Once ``sentences`` has ended,
                ``run.evaluation()`` returns the sums.
            sentences: Its results in order, or their rows if the format has ``row_ends``; none if the report
                is quiet, unless the format needs them.
            write: Takes the text, piece by piece.
            quiet: Leave out the sentences.
            **names: ``gold_name`` and ``system_name``, the names of the sides on a page; ``worst``, the
                number of sentences that a page lists.  If the format is ``separate``: ``table``, the name
                of the only table to write; ``opened``, which returns the ``write`` of a table, by name.

        Raises:
            SettingsError: the format is for comparisons only.
        """
        raise SettingsError("this output format is for comparisons; choose another for one system")

    def detailed(self) -> Format:
        """Return the format with the words, units and constituents of each sentence.

        Raises:
            SettingsError: it has no place for them.
        """
        raise SettingsError("details of sentences are for JSON; choose that format, or leave out details")

    def comparison(self, comparison: Any, **how: Any) -> str:
        """Return the report of several systems.

        Args:
            comparison: Their comparison.
            **how: ``width``: maximum width of text tables; ``gold_name``: name of the gold side on a page;
                ``shown``: what the tables show; ``table`` and ``opened`` as for :meth:`write`.

        Raises:
            SettingsError: the format is for single systems only.
        """
        raise SettingsError("this output format is for one system; choose another for a comparison")

    def tables(self, content: Any, **how: Any) -> str:
        """Return a sheet of tables and notes; ``how`` is as for :meth:`comparison`.

        Raises:
            SettingsError: the format has no tables of conventions.
        """
        raise SettingsError("this output format has no table of conventions; choose text or another")


def format_named(name: str, table: str | None = None) -> Format:
    """Return a format, of jpevalb or of another package, that can write ``table`` alone."""
    found: Format
    if name in FORMATS:
        found = imported(FORMATS[name])
    elif name in (installed := plugin_names(REPORTS)):
        found = load_plugin(REPORTS, name)
    else:
        known = ", ".join([*FORMATS, *installed])
        raise SettingsError(f"unknown output format {name!r}; expected one of {known}")
    if table is not None and not found.separate:
        raise SettingsError(
            f"the table {table!r} for the output format {name}, which cannot write one table; "
            "choose csv or tsv, or leave it out"
        )
    return found


def used_by(name: str) -> SettingsUser:
    """Return the settings that a report depends on."""
    return SettingsUser("report", name, format_named(name).settings)


def render(evaluation: Evaluation, format: str, **how: Any) -> str:
    """Return an evaluation in a format; ``how`` is as for :func:`write_report`."""
    pieces: list[str] = []
    write_report(EndedRun(evaluation), format, pieces.append, **how)
    return "".join(pieces)


def _given(how: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments that are not defaults: formats of other packages may lack the rest."""
    worst = how.get("worst")
    if worst is not None and not (isinstance(worst, int) and worst > 0):
        raise SettingsError(f"worst={worst!r}; expected a whole number from 1, or None for all")
    return {name: value for name, value in how.items() if value != (WORST if name == "worst" else None)}


class Choices(NamedTuple):
    """Contents of the tables of a comparison."""

    columns: tuple[str, ...] = ()  # figures by name or title; empty for all
    sort: str | None = None
    """The figure by which systems are sorted, best first: F1 if ``None``; ``"none"`` for their own order."""
    verbose: bool = False  # True if p-values and intervals have tables of their own


def render_comparison(comparison: Any, format: str = "text", **how: Any) -> str:
    """Return a comparison in a format; ``how`` is as for :meth:`Format.comparison`, and ``worst``."""
    check_shown(format, how.get("shown") or Choices())
    return format_named(format, how.get("table")).comparison(comparison, **_given(how))


def check_shown(format: str, shown: Choices) -> None:
    """Raise a SettingsError for a choice that the comparisons of a format do not offer."""
    for name, value in shown._asdict().items():
        if value and name not in format_named(format).choices:
            raise SettingsError(
                f"{name}={value!r}, which {format} cannot use: it always has all figures, p-values "
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
    **names: Any,
) -> None:
    """Write the report of a run as its results arrive; ``follow`` passes them on and shows the progress."""
    kind = format_named(format, names.get("table"))
    names = _given(names)
    if details:
        kind = kind.detailed()
    if kind.needs_sentences:
        kind.write(run, follow(run), write, quiet=quiet, **names)
    elif quiet:
        for _ in follow(run.rows(no_rows)):
            pass
        kind.write(run, (), write, quiet=True, **names)
    else:
        rows = run if kind.row_ends is None else run.rows(kind.row_ends)
        kind.write(run, follow(rows), write, **names)
