"""The rows of the sentences: evalb's twelve columns, and the fifteen of trees with gaps."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..alignment.pair import EXTRA, MISSING, NO_PARSE, OK, SHORT, UNREADABLE
from ..legacy.layout import HEADER, rows_text
from ..metrics import Column, Metric
from ..metrics.record import Record
from .table import TOTAL, Cell, Field, decimals, percent

if TYPE_CHECKING:
    from ..metrics.discontinuous import DiscontinuousCounts, MatchCounts

SIGNATURE = Field("signature", text=True)


class Layout:
    """The columns of a run's sentences, in tables and in the text report.

    Args:
        metrics: The metrics of the run; brackets and tags have no columns beside the layout's own.
    """

    own: tuple[Field, ...]
    """The columns of the tables before those of other metrics."""
    head: str
    """The three lines over the rows of the text report."""
    number_width: int
    """Signs at the beginning of a line that a sentence's number has, if it has no more digits."""

    def __init__(self, metrics: Sequence[Metric]) -> None:
        self._metrics = [metric for metric in metrics if metric.columns(metric.zero())]
        self.fields = (*self.own, *_metric_fields(metrics), SIGNATURE)

    def cells(self, result: Any) -> list[Cell]:
        """A sentence as a row of a table."""
        raise NotImplementedError

    def total(self, evaluation: Any) -> list[Cell]:
        """The last row of a table."""
        raise NotImplementedError

    def header(self) -> str:
        """The three lines over the rows of the text report; a status comes last of all."""
        lines = self.head.splitlines()
        status = " Status" if lines[1].endswith(" Status") else ""
        added = _columns(self._metrics)
        names = "".join([f" {column.header:>{_width(column)}}" for column in added])
        lines[1] = f"{lines[1].removesuffix(status)}{names}{status}"
        lines[2] += "".join(["=" * (_width(column) + 1) for column in added])
        return "\n".join(lines) + "\n"

    def lines(self, results: Sequence[Any]) -> list[str]:
        """For each sentence its line of text behind its number.  Cost: O(sentences)."""
        raise NotImplementedError

    def numbered(self, number: int, line: str) -> str:
        """A line with its number."""
        return f"{number:{self.number_width}d}{line}"

    def totals(self, evaluation: Any) -> str:
        """The rule below the lines, and the line of sums where the layout has one."""
        return self.header().splitlines()[2] + "\n"


def layout_of(run: Any) -> Layout:
    """The layout of a run, or of an evaluation: trees over the same words have that of trees with gaps."""
    kind = MatchRows if run.settings.conventions.identical_words else EvalbRows
    return kind(getattr(run, "metrics", ()))


EVALB_FIELDS = (
    Field("sentence", "Sentence"),
    *map(Field, ("gold_from", "gold_to", "system_from", "system_to", "unaligned", "unparsed")),
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


class EvalbRows(Layout):
    """evalb's twelve columns, then those of other metrics."""

    own = EVALB_FIELDS
    head = HEADER.decode()
    number_width = 4

    def cells(self, result: Any) -> list[Cell]:
        numbers = [*_range(*result.bead.gold), *_range(*result.bead.system)]
        return [str(result.number), *numbers, *self._counted(result.record), ""]

    def total(self, evaluation: Any) -> list[Cell]:
        beads = evaluation.total.beads
        numbers = [*_range(0, beads.gold), *_range(0, beads.system)]
        return [TOTAL, *numbers, *self._counted(evaluation.total), evaluation.signature]

    def _counted(self, record: Record) -> list[Cell]:
        beads, brackets, tags = record.beads, record.brackets, record.tags
        numbers = (brackets.matched, brackets.gold, brackets.system, brackets.crossing, brackets.complete)
        return [
            *map(str, (beads.unaligned, beads.gold_unparsed + beads.system_unparsed, beads.length)),
            *map(percent, (brackets.recall, brackets.precision, brackets.f1)),
            *map(str, (*numbers, tags.gold, tags.correct)),
            percent(tags.accuracy),
            *_metric_cells(self._metrics, record),
        ]

    def lines(self, results: Sequence[Any]) -> list[str]:
        """For each sentence its line of text behind its number.

        ``Len.`` is in units, ``Words`` are gold tokens, and ``Stat.`` is always 0.
        """
        numbers = array("q")
        for result in results:
            beads, brackets, tags = result.record.counts[:3]
            numbers.extend((0, beads.length, 0, brackets.matched, brackets.gold, brackets.system))
            numbers.extend((brackets.crossing, tags.gold, tags.correct))
        text = rows_text(memoryview(numbers)).decode()
        lines = [line[self.number_width :] for line in text.splitlines(keepends=True)]
        if not self._metrics:
            return lines
        return [
            f"{line[:-1]}{_metric_text(self._metrics, result.record)}\n"
            for line, result in zip(lines, results)
        ]

    def totals(self, evaluation: Any) -> str:
        record = evaluation.total
        brackets, tags = record.brackets, record.tags
        # Unlike evalb's, this line is always whole.
        return (
            f"{super().totals(evaluation)}"
            f"                {rate(brackets.recall):6.2f} {rate(brackets.precision):6.2f}"
            f" {brackets.matched:6d} {brackets.gold:5d} {brackets.system:5d}  {brackets.crossing:5d}"
            f"  {tags.gold:5d} {tags.correct:5d}   {rate(tags.accuracy):6.2f}"
            f"{_metric_text(self._metrics, record)}\n"
        )


STATES = {
    OK: "ok",
    MISSING: "missing",
    NO_PARSE: "unparsed",
    UNREADABLE: "no gold",
    SHORT: "short",
    EXTRA: "extra",
}
"""Names of the states of a sentence in the columns of discontinuous mode, which programs read."""

MATCH_PARTS = (("overall", "All"), ("continuous", "Cont."), ("discontinuous", "Disc."))


class MatchRows(Layout):
    """Fifteen columns: matched, extra and missed constituents, all and those with gaps."""

    own = (
        Field("sentence", "Sentence"),
        Field("id", "ID", text=True),
        Field("status", "Status", text=True),
        Field("length", "Length"),
        *[
            Field(f"{part}_{name}", f"{title} {name.upper()}" if name in ("tp", "fp", "fn", "f1") else "")
            for part, title in MATCH_PARTS
            for name in ("tp", "fp", "fn", "recall", "precision", "f1")
        ],
        Field("tags", "Words"),
        Field("correct_tags", "Correct tags"),
        Field("tag_accuracy", "Tag accuracy"),
        Field("exact", "Exact"),
    )
    head = """\
                           -------- Overall -------- ----- Discontinuous ----- -- Tags --
Sent. ID             Len.     TP    FP    FN  FMeas.    TP    FP    FN  FMeas. Words Corr. Exact Status
=======================================================================================================
"""
    number_width = 5

    def cells(self, result: Any) -> list[Cell]:
        head: list[Cell] = [str(result.number), result.id or "", STATES[result.status], str(result.length)]
        return [*head, *self._counted(result.record), ""]

    def total(self, evaluation: Any) -> list[Cell]:
        # Lengths are not summed up: no figure is made of them.
        return [*(TOTAL, "", "", ""), *self._counted(evaluation.total), evaluation.signature]

    def _counted(self, record: Record) -> list[Cell]:
        counts = matches_of(record)
        cells: list[Cell] = []
        for part, _ in MATCH_PARTS:
            found: MatchCounts = getattr(counts, part)
            cells += map(str, (found.tp, found.fp, found.fn))
            cells += map(percent, (found.recall, found.precision, found.f1))
        accuracy = percent(counts.tag_accuracy)
        cells += [str(counts.tags), str(counts.correct_tags), accuracy, str(counts.exact)]
        return [*cells, *_metric_cells(self._metrics, record)]

    def lines(self, results: Sequence[Any]) -> list[str]:
        """For each sentence its line of text behind its number, its fields without blanks in them.

        An F-measure is ``-`` where neither side has such a constituent.
        """
        return [self._line(result) for result in results]

    def _line(self, result: Any) -> str:
        counts = matches_of(result.record)
        # An id may hold anything; a field has no blanks, and a terminal is sent no escapes.
        id = "" if result.id is None else result.id
        name = "".join([sign if sign.isprintable() and sign != " " else "_" for sign in id]) or "-"
        return (
            f" {name:<14} {result.length:5d} {_matches(counts.overall)}"
            f" {_matches(counts.discontinuous)} {counts.tags:5d} {counts.correct_tags:5d} {counts.exact:5d}"
            f"{_metric_text(self._metrics, result.record)} {STATES[result.status].replace(' ', '_')}\n"
        )


def matches_of(record: Record) -> DiscontinuousCounts:
    """Return the counts of a record by kind of constituent."""
    from ..metrics.discontinuous import DiscontinuousCounts

    return DiscontinuousCounts.of(record.brackets, record.tags, record["gaps"])


def rate(value: float | None) -> float:
    """A rate times 100 for the text report; 0 where it is undefined, as evalb prints its own 0/0.

    The counts beside it tell the two apart, and JSON has ``null``.
    """
    return 0.0 if value is None else 100 * value


def number(value: float | None, percents: bool) -> str:
    """A rate of the text report, six wide: as per cent with two decimals, or as it is with four."""
    return f"{rate(value):6.2f}" if percents else f"{0.0 if value is None else value:6.4f}"


def _range(begin: int, end: int) -> list[Cell]:
    """First and last sentence, from 1; empty where there is none."""
    return [str(begin + 1), str(end)] if begin < end else ["", ""]


def _matches(counts: MatchCounts) -> str:
    shown = percent(counts.f1) or "-"
    return f"{counts.tp:5d} {counts.fp:5d} {counts.fn:5d} {shown:>7}"


def _metric_fields(metrics: Sequence[Metric]) -> Iterator[Field]:
    for metric in metrics:
        for place, column in enumerate(metric.columns(metric.zero())):
            yield Field(metric.name if not place else f"{metric.name}_{place + 1}", column.header)


def _metric_cells(metrics: Sequence[Metric], record: Record) -> Iterator[Cell]:
    for column in _columns(metrics, record):
        yield percent(column.value) if column.percent else decimals(column.value, 4)


def _metric_text(metrics: Sequence[Metric], record: Record) -> str:
    if not metrics:
        return ""
    columns = _columns(metrics, record)
    return "".join([f" {number(column.value, column.percent):>{_width(column)}}" for column in columns])


def _columns(metrics: Sequence[Metric], record: Record | None = None) -> list[Column]:
    """The columns of metrics with the rates of a record, or for their headers."""
    counts = [metric.zero() if record is None else record[metric.name] for metric in metrics]
    return [column for metric, item in zip(metrics, counts) for column in metric.columns(item)]


def _width(column: Column) -> int:
    return max(6, len(column.header))
