"""Sheets: an evaluation as tables of ready cells, before any format writes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from ..flow.summary import Evaluation, SentenceResult
from ..metrics import Figure, Metric
from ..metrics.by_label import LabelCounts
from ..metrics.errors import Analysis
from ..model.record import Record
from .analysis import ROWS, in_order, label_counts, more, parent
from .text import left_out

Cell: TypeAlias = "str | None"
"""What a cell shows; ``None`` for a rate that is undefined."""

TOTAL = "total"
"""What stands for the sentence's number in the last row."""


class Field(NamedTuple):
    """A column."""

    name: str
    """Its name in CSV and TSV: lower case, one word."""
    title: str = ""
    """Its heading in Markdown and LaTeX; empty for a column that is not shown there."""
    text: bool = False
    """Whether its cells are text, possibly from the files, and not numbers."""


@dataclass(frozen=True, slots=True)
class Table:
    """Columns and rows of ready cells.

    Attributes:
        title: What it shows.
        fields: Its columns.
        rows: A cell a column each.
        total: Whether the last row is the sum of the others.
    """

    title: str
    fields: tuple[Field, ...]
    rows: Sequence[Sequence[Cell]]
    total: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything that a report in tables shows.

    Attributes:
        sentences: A row a sentence, then the totals.
        summary: The tables below it.
        notes: What was left out, a line each.
        signature: How it was made.
    """

    sentences: Table
    summary: tuple[Table, ...]
    notes: tuple[str, ...]
    signature: str


FIELDS = (
    Field("sentence", "Sentence"),
    Field("gold_from"),
    Field("gold_to"),
    Field("system_from"),
    Field("system_to"),
    Field("unaligned"),
    Field("unparsed"),
    Field("length", "Length"),
    Field("recall", "Recall"),
    Field("precision", "Precision"),
    Field("f1", "F1"),
    Field("matched", "Matched"),
    Field("gold", "Gold"),
    Field("system", "System"),
    Field("crossing", "Crossing"),
    Field("complete"),
    Field("words", "Words"),
    Field("correct_tags", "Correct tags"),
    Field("tag_accuracy", "Tag accuracy"),
)
SIGNATURE = Field("signature", text=True)


def sheet(evaluation: Evaluation, *, quiet: bool = False, rows: list[list[Cell]] | None = None) -> Sheet:
    """The tables of an evaluation; ``quiet`` leaves out the sentences.

    Args:
        evaluation: The evaluation.
        quiet: See above.
        rows: The rows of its sentences, where it has not kept them itself.

    Cost: O(sentences).
    """
    signature = evaluation.settings.signature()
    metrics = evaluation.metrics
    rows = [] if rows is None else rows
    if not quiet:
        rows += [result_row(result, metrics) for result in evaluation.sentences]
    total = evaluation.total
    numbers = [*_range(0, total.beads.gold), *_range(0, total.beads.system)]
    rows.append([TOTAL, *numbers, *_cells(total, metrics), signature])
    summary = [_summary(evaluation)]
    notes = [line.removeprefix("# ").rstrip("\n") for line in left_out(evaluation)]
    if "analysis" in total.names:
        found = Analysis.of(total["analysis"])
        summary += [_labels(total["analysis"].labels), *_errors(found)]
        for what, items in (("confusions", found.confusions), ("attachments", found.attachments)):
            if more(items):
                notes.append(f"{what}: {more(items)}")
    elif "labels" in total.names:
        summary.append(_labels(total["labels"]))
    fields = (*FIELDS, *_metric_fields(metrics), SIGNATURE)
    return Sheet(Table("Sentences", fields, rows, total=True), tuple(summary), tuple(notes), signature)


def result_row(result: SentenceResult, metrics: Sequence[Metric]) -> list[Cell]:
    """The row of one sentence."""
    numbers = [*_range(*result.bead.gold), *_range(*result.bead.system)]
    return [str(result.number), *numbers, *_cells(result.record, metrics), ""]


def percent(rate: float | None) -> Cell:
    """A rate times 100, as in the text report."""
    return None if rate is None else f"{100 * rate:.2f}"


def decimals(rate: float | None, places: int) -> Cell:
    """A rate as it is."""
    return None if rate is None else f"{rate:.{places}f}"


def _range(begin: int, end: int) -> list[Cell]:
    """First and last sentence, from 1; empty where there is none."""
    return [str(begin + 1), str(end)] if begin < end else ["", ""]


def _cells(record: Record, metrics: Sequence[Metric]) -> list[Cell]:
    beads, brackets, tags = record.beads, record.brackets, record.tags
    return [
        str(beads.unaligned),
        str(beads.gold_unparsed + beads.system_unparsed),
        str(beads.length),
        percent(brackets.recall),
        percent(brackets.precision),
        percent(brackets.f1),
        str(brackets.matched),
        str(brackets.gold),
        str(brackets.system),
        str(brackets.crossing),
        str(brackets.complete),
        str(tags.gold),
        str(tags.correct),
        percent(tags.accuracy),
        *[
            percent(column.value) if column.percent else decimals(column.value, 4)
            for metric, counts in zip(metrics, record.others)
            for column in metric.columns(counts)
        ],
    ]


def _metric_fields(metrics: Sequence[Metric]) -> Iterator[Field]:
    for metric in metrics:
        columns = metric.columns(metric.zero())
        for place, column in enumerate(columns):
            yield Field(metric.name if not place else f"{metric.name}_{place + 1}", column.header)


def _summary(evaluation: Evaluation) -> Table:
    """The figures of the text report's summary, over all sentences and over the short ones."""
    metrics = evaluation.metrics
    everything, short = (_figures(record, metrics) for record in (evaluation.total, evaluation.cutoff))
    # A figure that only one of the two has is one that is shown where it is not 0.
    names = [*everything, *[name for name in short if name not in everything]]
    rows = [[name, everything.get(name, "0"), short.get(name, "0")] for name in names]
    fields = (
        Field("figure", "Figure", text=True),
        Field("all", "All"),
        Field("short", f"Length up to {evaluation.cutoff_length}"),
    )
    return Table("Summary", fields, rows)


def _figures(record: Record, metrics: Sequence[Metric]) -> dict[str, Cell]:
    brackets, beads = record.brackets, record.beads
    found: dict[str, Cell] = {
        "Sentences": str(brackets.sentences),
        "Bracketing recall": percent(brackets.recall),
        "Bracketing precision": percent(brackets.precision),
        "Bracketing F1": percent(brackets.f1),
        "Sentence-mean F1": percent(brackets.sentence_f1),
        "Complete match": percent(brackets.complete_match),
        "Average crossing": decimals(brackets.average_crossing, 2),
        "No crossing": percent(brackets.no_crossing_share),
        "2 or less crossing": percent(brackets.two_or_less_crossing_share),
        "Tagging accuracy": percent(record.tags.accuracy),
    }
    for metric, counts in zip(metrics, record.others):
        found.update({figure.name: _figure(figure) for figure in metric.figures(counts)})
    found["Unaligned beads"] = str(beads.unaligned)
    unparsed = beads.gold_unparsed + beads.system_unparsed
    if unparsed:
        found["Unparsed sentences"] = str(unparsed)
    return found


def _figure(figure: Figure) -> Cell:
    if figure.form == "percent":
        return percent(figure.value)
    return decimals(figure.value, 4 if figure.form == "share" else 0)


def _labels(counts: LabelCounts) -> Table:
    rows: list[list[Cell]] = []
    confusions = counts.all_confusions()
    for label in in_order(counts):
        item = counts.labels[label]
        rates = [percent(rate) for rate in (item.recall, item.precision, item.f1)]
        confused = " ".join([f"{other}:{times}" for other, times in confusions.get(label, ())])
        rows.append([label, *label_counts(item), *rates, confused])
    fields = (
        Field("label", "Label", text=True),
        Field("gold", "Gold"),
        Field("system", "System"),
        Field("matched", "Matched"),
        Field("missed", "Missed"),
        Field("extra", "Extra"),
        Field("recall", "Recall"),
        Field("precision", "Precision"),
        Field("f1", "F1"),
        Field("confused", "Confused with", text=True),
    )
    return Table("Labels", fields, rows)


def _errors(found: Analysis) -> Iterator[Table]:
    """Confusions, attachments and scores by length; the first two as far as the text report has them."""
    yield Table(
        "Confusions",
        (
            Field("gold", "Gold", text=True),
            Field("system", "System", text=True),
            Field("count", "Constituents"),
        ),
        [[item.gold, item.system, str(item.count)] for item in found.confusions[:ROWS]],
    )
    yield Table(
        "Attachments",
        (
            Field("label", "Constituent", text=True),
            Field("gold_parent", "Gold parent", text=True),
            Field("system_parent", "System parent", text=True),
            Field("count", "Constituents"),
        ),
        [
            [item.label, parent(item.gold_parent), parent(item.system_parent), str(item.count)]
            for item in found.attachments[:ROWS]
        ],
    )
    rows: list[list[Cell]] = []
    for item in found.lengths:
        brackets = item.brackets
        counts = (brackets.sentences, brackets.gold, brackets.system, brackets.matched)
        rates = (brackets.recall, brackets.precision, brackets.f1)
        rows.append([item.name, *map(str, counts), *map(percent, rates)])
    yield Table(
        "Length of the sentence",
        (
            Field("length", "Length", text=True),
            Field("sentences", "Sentences"),
            Field("gold", "Gold"),
            Field("system", "System"),
            Field("matched", "Matched"),
            Field("recall", "Recall"),
            Field("precision", "Precision"),
            Field("f1", "F1"),
        ),
        rows,
    )
