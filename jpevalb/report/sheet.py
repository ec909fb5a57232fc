"""Tables of an evaluation: its summary, its labels and errors, and its references."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..alignment.pair import EXCLUDED, EXTRA, MISSING, NO_PARSE, SHORT, UNREADABLE
from ..claims.notes import notes
from ..metrics import TREES, Figure, Line, Metric
from ..metrics.brackets import COMPLETE, F1, PRECISION, RECALL, SENTENCE_F1, SUMMARY, TAGS
from ..metrics.record import Record
from ..score.evaluation import Evaluation
from ..settings.settings import IN_EVERY_RUN
from .table import Cell, Field, Sheet, Table, cells_of, fields_of, layout_of, matches_of, number, text_table

if TYPE_CHECKING:
    from ..comparison.result import Comparison
    from ..errors.analysis import Analysis
    from ..metrics.labels import LabelCounts
    from ..metrics.references import Agreement, ReferenceScores

TABLES, TEXT = frozenset({"tables"}), frozenset({"text"})
EVERYWHERE = TABLES | TEXT


class SummaryLine(NamedTuple):
    """A line of a summary, and the reports that show it."""

    line: Line
    reports: frozenset[str] = EVERYWHERE  # "text", and "tables" for Markdown and LaTeX
    text_name: str = ""  # name in the text report, if different


class Section(NamedTuple):
    """Some lines of a summary under a title."""

    title: str
    lines: tuple[SummaryLine, ...]
    constituents: bool = False  # True for figures of one kind of constituents, which are a row of a table
    evalb: bool = False  # True if the text report shows them in evalb's block


def sections(evaluation: Evaluation) -> tuple[Section, ...]:
    """Return the summary of an evaluation over all its sentences."""
    sections_of = _match_sections if evaluation.settings.identical_words else bracket_sections
    return tuple(sections_of(evaluation, evaluation.total))


def bracket_sections(evaluation: Evaluation, record: Record) -> Iterator[Section]:
    """Yield the figures of evalb's summary and of other metrics, for any record."""
    # The text report has the others in evalb's block.
    figures = [
        SummaryLine(one.line_of(record), EVERYWHERE if one == SENTENCE_F1 else TABLES) for one in SUMMARY
    ]
    yield Section("All", (_count("Sentences", record.brackets.sentences, TABLES), *figures), evalb=True)
    beads = record.sentences
    unparsed = beads.gold_unparsed + beads.system_unparsed
    sides = TEXT if evaluation.settings.on_error == "skip" else frozenset()
    trees, *others = _metric_sections(evaluation.metrics, record, TREES)
    left_out = (
        _count("Unaligned sentences", beads.unaligned),
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


CONFUSIONS = 3  # maximum number of confusions for a label in the text report

ROWS = 20  # maximum number of rows of the table of confusions; CSV, TSV and JSON have all

_TITLES = {
    "causes": "Causes: what errors come from, and F1 without them",
    "confusions": "Confusions: the same words, another label",
}
"""Titles of tables in the text report, if different."""


def analysis_tables(total: Any, confusions: int | None = None) -> list[Table]:
    """Return the tables of a sum of records, with a maximum number of confusions for each label."""
    if "analysis" not in total:
        return [_labels(total["labels"], confusions)] if "labels" in total else []
    # Imported only if needed: the import takes as long as scoring a small file.
    from ..errors.analysis import Analysis

    by_length = [counts for counts in total.by_name().values() if counts.length_column]
    return tables_of(Analysis.of(total["analysis"]), total["analysis"].labels, confusions, by_length)


def tables_of(
    analysis: Analysis, labels: LabelCounts, confusions: int | None = None, by_length: Sequence[Any] = ()
) -> list[Table]:
    """Return the tables of causes, labels, confusions, lengths, and constituents with gaps."""
    lengths = list(map(cells_of(_LENGTHS), analysis.lengths))
    columns = [
        Field(name, title, short=short) for name, title, short in [one.length_column for one in by_length]
    ]
    for counts in by_length:
        for cells, item in zip(lengths, analysis.lengths):
            mean = counts.of_lengths(item.shortest, item.longest).mean
            cells.append(None if mean is None else f"{mean:.4f}")
    kinds = list(map(cells_of(_CONFUSIONS), analysis.confusions))
    gaps = list(map(cells_of(_GAPS), analysis.gaps))
    return [
        Table("Causes", _CAUSES, list(map(cells_of(_CAUSES), analysis.causes)), name="causes"),
        _labels(labels, confusions),
        Table("Confusions", _CONFUSIONS, kinds, name="confusions", most=ROWS),
        Table("Length of the sentence", (*_LENGTHS, *columns), lengths, name="lengths"),
        *([Table("Constituents with gaps", _GAPS, gaps, name="gaps")] if gaps else []),
    ]


_RATED = (
    Field("gold", "Gold"),
    Field("system", "System"),
    Field("matched", "Matched"),
    Field("recall", "Recall", short=" Recal"),
    Field("precision", "Precision", short=" Prec."),
    Field("f1", "F1", short="FMeas."),
)
_CAUSES = (
    Field("cause", "Cause", text=True),
    Field("times", "Times"),
    Field("brackets", "Brackets"),
    Field("share", "% of errors", short="% of errors"),
    Field("corrected_f1", "F1 if corrected", short="F1 if corrected"),
)
_CONFUSIONS = (
    *[one._replace(text=True, short=one.name) for one in _RATED[:2]],
    Field("count", "Constituents"),
)
_LENGTHS = (
    Field("length", "Length", text=True, path="name"),
    Field("sentences", "Sentences", path="brackets.sentences"),
    *[one._replace(path=f"brackets.{one.name}") for one in _RATED],
)
_GAPS = (Field("label", "Label", text=True), *[one._replace(path=f"counts.{one.name}") for one in _RATED[:4]])
_OF_LABELS = (*_RATED[:3], Field("missed", "Missed"), Field("extra", "Extra"), *_RATED[3:])


def _labels(counts: LabelCounts, most: int | None) -> Table:
    """Return a table with a row for each label, the most frequent gold labels first."""
    rows: list[list[Cell]] = []
    confusions, cells = counts.all_confusions(), cells_of(_OF_LABELS)
    for label in sorted(counts.labels, key=lambda label: (-counts.labels[label].gold, label)):
        confused = " ".join([f"{other}:{times}" for other, times in confusions.get(label, [])[:most]])
        rows.append([label, *cells(counts.labels[label]), confused])
    other = Field("confused", "Confused with", text=True, short="confused with")
    return Table("Labels", (Field("label", "Label", text=True), *_OF_LABELS, other), rows, name="labels")


def analysis_text(total: Any, most_labels: int | None = None) -> str:
    """Return the tables as the text report prints them; without analysis ``most_labels`` rows of labels."""
    pieces: list[str] = []
    for table in analysis_tables(total, CONFUSIONS):
        columns = list(range(len(table.fields)))
        if table.name == "labels" and "analysis" in total:
            columns.pop()  # there is a table of confusions
        if table.name == "confusions":
            columns.insert(0, columns.pop())  # the count first
        titled = table._replace(title=_TITLES.get(table.name, table.title))
        note = table.more()
        if "analysis" not in total and most_labels and len(table.rows) > most_labels:
            titled = titled._replace(most=most_labels)
            note = f"and {len(table.rows) - most_labels} more labels: -o r.txt"
        pieces += [text_table(titled.with_columns(columns)), f"# {note}\n" * bool(note)]
    return "".join(pieces)


SCORES, AGREEMENT = "Scores by reference", "Agreement of the references, each scored against each other one"


def reference_tables(evaluation: Evaluation) -> list[Table]:
    """Return the tables of a run, if it has several references."""
    total = evaluation.total
    metric: Any = next((metric for metric in evaluation.metrics if metric.name == "references"), None)
    if metric is None:
        return []
    figures = [figure for figure in metric.measured if figure.shown(total) and not figure.group]
    fields = (Field("reference", "Reference", text=True), Field("nearest", "Nearest"), *fields_of(figures))
    rows = [[one.name, *_cells(figures, one)] for one in metric.scores(total)]
    return [Table(SCORES, fields, rows, name="references"), *_agreement(metric.agreement)]


def tables_of_systems(comparison: Comparison, measures: Sequence[Figure]) -> list[Table]:
    """Return the tables of a comparison, if it has several references."""
    if not comparison.references:
        return []
    rated = {name for scores in comparison.references.values() for one in scores for name in one.rates}
    known = [measure for measure in measures if measure.name in rated]
    rows = [
        [system, one.name, f"{system}, {'against ' * (one.taken is not None)}{one.name}", *_cells(known, one)]
        for system, scores in comparison.references.items()
        for one in scores
    ]
    fields = (*_names("system", "reference", "System"), Field("nearest", "Nearest"), *fields_of(known))
    return [Table(SCORES, fields, rows, name="references"), *_agreement(comparison.agreement)]


def _agreement(agreement: Agreement | None) -> list[Table]:
    """Return a table with a row for each ordered pair of references, and their mean."""
    if agreement is None:
        return []
    from ..metrics.references import MEAN

    figures = agreement.measures
    rows = [
        *[
            [pair.gold, pair.other, f"{pair.other} against {pair.gold}", *_values(figures, pair.rates)]
            for pair in agreement.pairs
        ],
        [MEAN, "", MEAN, *_values(figures, agreement.mean)],
    ]
    fields = (*_names("gold", "scored", "References"), *fields_of(figures))
    return [Table(AGREEMENT, fields, rows, name="agreement")]


def _names(first: str, second: str, both: str) -> list[Field]:
    """Return two columns of CSV and TSV, and one with both names for reading."""
    return [Field(first, text=True), Field(second, text=True), Field("", both, text=True)]


def _cells(figures: Sequence[Figure], scores: ReferenceScores) -> list[Cell]:
    return [None if scores.taken is None else str(scores.taken), *_values(figures, scores.rates)]


def _values(figures: Sequence[Figure], rates: Mapping[str, float | None]) -> list[Cell]:
    return [number(figure, rates[figure.name]) for figure in figures]


def sheet(evaluation: Evaluation, rows: Sequence[Sequence[Cell]] | None = None) -> Sheet:
    """Return the tables of an evaluation, given the rows of its sentences; ``None`` leaves these out."""
    layout = layout_of(evaluation)
    every = [*(rows or ()), layout.total(evaluation)]
    sentences = Table("Sentences", layout.fields, every, total=True, name="sentences")
    added, against = analysis_tables(evaluation.total), reference_tables(evaluation)
    more = [f"{table.name}: {note}" for table in added if (note := table.more())]
    return Sheet(
        (sentences, *against, *added),
        (*([] if rows is None else [sentences]), *_summary(evaluation), *against, *added),
        (*[one.text for one in notes(evaluation)], *more),
        evaluation.signature,
    )


def _summary(evaluation: Evaluation) -> list[Table]:
    """Return a table of the kinds of constituents if there are any, and one of all other figures."""
    every = sections(evaluation)
    tables = []
    kinds = [section for section in every if section.constituents]
    if kinds:
        columns = [Field(item.line.name.lower(), item.line.name) for item in kinds[0].lines]
        fields = (Field("constituents", "Constituents", text=True), *columns)
        rows = [[one.title, *[number(item.line, item.line.value) for item in one.lines]] for one in kinds]
        tables.append(Table("Constituents", fields, rows))
    # Trees with gaps have their cut-off in a section.
    cutoff = bracket_sections(evaluation, evaluation.cutoff) if every[0].evalb else ()
    values, short = (
        {
            item.line.name: number(item.line, item.line.value)
            for section in some
            if not section.constituents
            for item in section.lines
            if "tables" in item.reports
        }
        for some in (every, cutoff)
    )
    name = Field("figure", "Figure", text=True)
    if not short:
        return [*tables, Table("Summary", (name, Field("value", "Value")), list(values.items()))]
    # Some lines are omitted if they are 0.
    names = [*values, *[name for name in short if name not in values]]
    fields = (name, Field("all", "All"), Field("short", f"Length up to {evaluation.cutoff_length}"))
    both = [[name, values.get(name, "0"), short.get(name, "0")] for name in names]
    return [*tables, Table("Summary", fields, both)]
