"""The reports of the discontinuous mode in tables: CSV, TSV, Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..flow.discontinuous import DiscontinuousEvaluation, DiscontinuousSentence, Run
from ..metrics.discontinuous import DiscontinuousCounts, MatchCounts
from .sheet import TOTAL, Cell, Field, Sheet, Table, percent
from .table import csv_lines, csv_of, latex_of, markdown_of, tsv_lines, tsv_of

_PARTS = (("overall", "All"), ("continuous", "Cont."), ("discontinuous", "Disc."))

FIELDS = (
    Field("sentence", "Sentence"),
    Field("id", "ID", text=True),
    Field("status", "Status", text=True),
    Field("length", "Length"),
    *[
        Field(f"{part}_{name}", f"{title} {name.upper()}" if name in ("tp", "fp", "fn", "f1") else "")
        for part, title in _PARTS
        for name in ("tp", "fp", "fn", "recall", "precision", "f1")
    ],
    Field("tags", "Words"),
    Field("correct_tags", "Correct tags"),
    Field("tag_accuracy", "Tag accuracy"),
    Field("exact", "Exact"),
    Field("signature", text=True),
)


def csv(evaluation: DiscontinuousEvaluation, *, quiet: bool = False) -> str:
    """A header, a row a sentence, and the totals; ``quiet`` leaves out the sentences."""
    return csv_of(sheet(evaluation, quiet=quiet))


def tsv(evaluation: DiscontinuousEvaluation, *, quiet: bool = False) -> str:
    """The same with tabs between the cells, which are never quoted."""
    return tsv_of(sheet(evaluation, quiet=quiet))


def markdown(evaluation: DiscontinuousEvaluation, *, quiet: bool = False) -> str:
    """The sentences with their totals, and the summary, as pipe tables."""
    return markdown_of(sheet(evaluation, quiet=quiet), quiet=quiet)


def latex(evaluation: DiscontinuousEvaluation, *, quiet: bool = False) -> str:
    """The same as LaTeX tables with the lines of booktabs."""
    return latex_of(sheet(evaluation, quiet=quiet), quiet=quiet)


def write_table(
    run: Run, sentences: Iterable[DiscontinuousSentence], format: str, write: Callable[[str], Any]
) -> None:
    """Writes a report in tables; the rows of CSV and TSV as they come."""
    if format not in ("csv", "tsv"):
        rows = [_row(item) for item in sentences]
        content = sheet(run.evaluation(), rows=rows)
        write(markdown_of(content) if format == "markdown" else latex_of(content))
        return
    lines = csv_lines if format == "csv" else tsv_lines
    write(lines(FIELDS, [[field.name for field in FIELDS]]))
    for item in sentences:
        write(lines(FIELDS, [_row(item)]))
    write(lines(FIELDS, sheet(run.evaluation(), quiet=True).sentences.rows))


def _row(item: DiscontinuousSentence) -> list[Cell]:
    head: list[Cell] = [str(item.number), item.id or "", item.status or "ok", str(item.length)]
    return [*head, *_cells(item.counts), ""]


def sheet(
    evaluation: DiscontinuousEvaluation, *, quiet: bool = False, rows: list[list[Cell]] | None = None
) -> Sheet:
    """The tables of an evaluation; ``quiet`` leaves out the sentences.

    Args:
        evaluation: The evaluation.
        quiet: See above.
        rows: The rows of its sentences, where it has not kept them itself.

    Cost: O(sentences).
    """
    signature = evaluation.signature()
    rows = [] if rows is None else rows
    if not quiet:
        rows += [_row(item) for item in evaluation.sentences]
    total = evaluation.total
    # Lengths are not summed up: no figure is made of them.
    rows.append([TOTAL, "", "", "", *_cells(total), signature])
    return Sheet(
        Table("Sentences", FIELDS, rows, total=True),
        (_constituents(total), _summary(evaluation)),
        evaluation.left_out,
        signature,
    )


def _cells(counts: DiscontinuousCounts) -> list[Cell]:
    cells: list[Cell] = []
    for part, _ in _PARTS:
        found = getattr(counts, part)
        cells += [str(found.tp), str(found.fp), str(found.fn)]
        cells += [percent(found.recall), percent(found.precision), percent(found.f1)]
    accuracy = percent(counts.tag_accuracy)
    return [*cells, str(counts.tags), str(counts.correct_tags), accuracy, str(counts.exact)]


def _constituents(total: DiscontinuousCounts) -> Table:
    rows: list[list[Cell]] = []
    for name in ("overall", "continuous", "discontinuous"):
        found: MatchCounts = getattr(total, name)
        rates = [percent(rate) for rate in (found.recall, found.precision, found.f1)]
        rows.append([name.capitalize(), str(found.tp), str(found.fp), str(found.fn), *rates])
    fields = (
        Field("constituents", "Constituents", text=True),
        Field("tp", "TP"),
        Field("fp", "FP"),
        Field("fn", "FN"),
        Field("recall", "Recall"),
        Field("precision", "Precision"),
        Field("f1", "F1"),
    )
    return Table("Constituents", fields, rows)


def _summary(evaluation: DiscontinuousEvaluation) -> Table:
    total = evaluation.total
    rows: list[list[Cell]] = [
        ["Sentences", str(total.sentences)],
        ["Missing sentences", str(evaluation.n_missing)],
        ["Unparsed sentences", str(evaluation.n_unparsed)],
        ["Extra system sentences", str(evaluation.n_extra)],
        ["Sentence-mean F1", percent(total.sentence_f1)],
        ["Exact match", percent(total.exact_match)],
        ["Tagging accuracy", percent(total.tag_accuracy)],
    ]
    if evaluation.n_no_gold:
        rows.insert(4, ["Unreadable gold sentences", str(evaluation.n_no_gold)])
    return Table("Summary", (Field("figure", "Figure", text=True), Field("value", "Value")), rows)
