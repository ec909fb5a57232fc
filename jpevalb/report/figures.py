"""Sections of a summary, for text, tables and pages."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..alignment.pair import EXCLUDED, EXTRA, MISSING, NO_PARSE, SHORT, UNREADABLE
from ..metrics import TREES, Figure, Line, Metric
from ..metrics.figures import COMPLETE, F1, PRECISION, RECALL, SENTENCE_F1, SUMMARY, TAGS
from ..metrics.record import Record
from ..score.evaluation import Evaluation
from ..settings.registry import IN_EVERY_RUN
from .rows import matches_of

EVERYWHERE = frozenset({"text", "tables", "page"})
TABLES, TEXT = frozenset({"tables"}), frozenset({"text"})
OUTSIDE_EVALB = frozenset({"tables", "page"})  # the text report has these in evalb's block
NOT_ON_PAGES = frozenset({"text", "tables"})  # a page shows these with its list of sentences


class SummaryLine(NamedTuple):
    """A line of a summary, and the reports that show it."""

    line: Line
    reports: frozenset[str] = EVERYWHERE
    """Kinds of reports: ``"text"``, ``"tables"`` (Markdown, LaTeX) and ``"page"`` (HTML)."""
    text_name: str = ""  # name in the text report, if different


class Section(NamedTuple):
    """Some lines of a summary under a title."""

    title: str
    lines: tuple[SummaryLine, ...]
    constituents: bool = False
    """True for counts and rates of one kind of constituents, which are a row of a table."""
    evalb: bool = False  # True if the text report shows them in evalb's block


def sections(evaluation: Evaluation) -> tuple[Section, ...]:
    """Return the summary of an evaluation over all its sentences."""
    sections_of = _match_sections if evaluation.settings.identical_words else bracket_sections
    return tuple(sections_of(evaluation, evaluation.total))


def lines_in(section: Section, report: str) -> list[SummaryLine]:
    """Return the lines of a section that a kind of report shows."""
    return [item for item in section.lines if report in item.reports]


def bracket_sections(evaluation: Evaluation, record: Record) -> Iterator[Section]:
    """Yield the figures of evalb's summary and of other metrics, for any record."""
    reports = {SENTENCE_F1: EVERYWHERE}
    figures = [SummaryLine(one.line_of(record), reports.get(one, OUTSIDE_EVALB)) for one in SUMMARY]
    sentences = _count("Sentences", record.brackets.sentences, OUTSIDE_EVALB)
    yield Section("All", (sentences, *figures), evalb=True)
    beads = record.sentences
    unparsed = beads.gold_unparsed + beads.system_unparsed
    sides = TEXT if evaluation.settings.on_error == "skip" else frozenset()
    trees, *others = _metric_sections(evaluation.metrics, record, TREES)
    left_out = (
        _count("Unaligned sentences", beads.unaligned, NOT_ON_PAGES),
        _count("Unparsed gold sentences", beads.gold_unparsed, sides),
        _count("Unparsed system sentences", beads.system_unparsed, sides),
        _count("Unparsed sentences", unparsed, TABLES if unparsed else frozenset()),
    )
    yield trees._replace(lines=(*trees.lines, *left_out))
    yield from others


def _count(name: str, value: int, reports: frozenset[str] = EVERYWHERE, text_name: str = "") -> SummaryLine:
    return SummaryLine(Line(name, value, "count"), reports, text_name)


def _metric_sections(metrics: Iterable[Metric], record: Record, *first: str) -> list[Section]:
    """Return a section for each heading of metrics, in their order but beginning with some headings."""
    lines: dict[str, list[SummaryLine]] = {heading: [] for heading in first}
    for metric in metrics:
        counts = record[metric.name]
        if counts.shown and (added := metric.lines(counts)):
            lines.setdefault(metric.heading, []).extend(map(SummaryLine, added))
    return [Section(heading, tuple(items)) for heading, items in lines.items()]


def _match_sections(evaluation: Evaluation, record: Record) -> Iterator[Section]:
    """Yield the figures of trees with gaps: sentences by state, each kind of constituents, rates, metrics."""
    states = evaluation.states
    rare = (
        ("Short sentences", SHORT),
        ("Unreadable gold sentences", UNREADABLE),
        ("Excluded sentences", EXCLUDED),
    )
    yield Section(
        "All",
        (
            _count("Sentences", record.brackets.sentences, text_name="Number of sentence"),
            _count("Missing sentences", states[MISSING]),
            _count("Unparsed sentences", states[NO_PARSE]),
            _count("Extra system sentences", states[EXTRA]),
            *[_count(name, states[state]) for name, state in rare if states[state]],
        ),
    )
    kinds = matches_of(record)
    for title in ("Overall", "Continuous", "Discontinuous"):
        counts = getattr(kinds, title.lower())
        items = [
            SummaryLine(Line(name, getattr(counts, name.lower()), form), text_name=f"{title} {text_name}")
            for name, text_name, form in (
                *[(name, name, "count") for name in ("TP", "FP", "FN")],
                *[(name, name, "percent") for name in ("Recall", "Precision")],
                ("F1", "FMeasure", "percent"),
            )
        ]
        yield Section(title, tuple(items), constituents=True)
    names = {RECALL: "Recall", PRECISION: "Precision", F1: "FMeasure", COMPLETE: "Exact match"}

    def lines(counts: Record, figures: Iterable[Figure]) -> list[SummaryLine]:
        return [SummaryLine(figure.line_of(counts, names.get(figure, ""))) for figure in figures]

    yield Section("Sentences", tuple(lines(record, (SENTENCE_F1, COMPLETE, TAGS))))
    if evaluation.settings.cutoff is not None:
        short = evaluation.cutoff
        sentences = _count("Sentences", short.brackets.sentences, text_name="Number of sentence")
        rates = lines(short, (RECALL, PRECISION, F1, SENTENCE_F1, COMPLETE))
        yield Section(f"len<={evaluation.cutoff_length}", (sentences, *rates))
    metrics = [metric for metric in evaluation.metrics if metric.name not in IN_EVERY_RUN]
    yield from _metric_sections(metrics, record)
