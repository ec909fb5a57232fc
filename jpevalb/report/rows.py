"""Rows of sentences: evalb's twelve columns, or the fifteen of trees with gaps, then those of metrics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from struct import pack
from typing import TYPE_CHECKING, Any, TypeAlias

from ..alignment.pair import EXCLUDED, EXTRA, MISSING, NO_PARSE, OK, SHORT, UNREADABLE
from ..kernels.evalb import format_rows
from ..legacy.engine import HEADER
from ..metrics import Metric, row_figures
from ..metrics.record import Record, numbers_of
from ..score.chunk import Scoring
from ..score.evaluation import Evaluation
from ..score.sentence import SentenceResult
from ..settings.convention import FOR_GAPS
from .table import TOTAL, Cell, Field, cells_of, number, percent

if TYPE_CHECKING:
    from ..metrics.discontinuous import DiscontinuousCounts


class _Columns:
    """Columns of the sentences of a run, in tables and in the text report."""

    head_fields: tuple[Field, ...]  # first columns of tables
    counted: tuple[Field, ...]  # the columns after them
    head: str  # the lines above the rows of the text report
    number_place: str  # the conversion of a sentence number

    def __init__(self, metrics: Sequence[Metric]) -> None:
        self._columns = row_figures(metrics)
        self._widths = [max(6, len(figure.column)) for _, figure in self._columns]
        names = [name for name, _ in self._columns]
        self._cells = cells_of(self.counted)
        fields = list(self.counted)
        for index, (name, figure) in enumerate(self._columns):
            order = names[:index].count(name)
            fields.append(Field(f"{name}_{order + 1}" if order else name, figure.column))
        self.fields = (*self.head_fields, *fields, Field("signature", text=True))

    def header(self) -> str:
        """Return the lines above the rows of the text report, a rule last; the status column comes last."""
        lines = self.head.splitlines()
        status = " Status" if lines[-2].endswith(" Status") else ""
        names = [f" {figure.column:>{width}}" for (_, figure), width in zip(self._columns, self._widths)]
        lines[-2] = f"{lines[-2].removesuffix(status)}{''.join(names)}{status}"
        lines[-1] += "=" * (sum(self._widths) + len(self._widths))
        return "\n".join(lines) + "\n"

    def totals(self, evaluation: Evaluation) -> str:
        """Return the rule below the lines, and the line of sums if the layout has one."""
        return self.header().splitlines()[-1] + "\n"

    def _row(self, head: Iterable[Cell], counts: Any, record: Record, last: str) -> list[Cell]:
        of_metrics = [number(one, one.value(record[name])) for name, one in self._columns]
        return [*head, *self._cells(counts), *of_metrics, last]

    def _metric_text(self, record: Record | SentenceResult) -> str:
        return "".join(
            [
                f" {number(figure, figure.value(record[name])) or '-':>{width}}"
                for (name, figure), width in zip(self._columns, self._widths)
            ]
        )


def layout_of(run: Scoring) -> Layout:
    """Return the layout of a run or an evaluation."""
    kind: type[Layout] = EvalbRows
    if run.settings.identical_words:
        name = str(run.settings.convention).partition(" ")[0]
        plain = ToolRows if run.settings.tool and name not in FOR_GAPS else MatchRows
        kind = SpanRows if spans_only(run.metrics) else plain
    return kind(run.metrics)


def spans_only(metrics: Iterable[Metric]) -> bool:
    """Return True if a run leaves out tags, labels and gaps, as grammar induction does."""
    return any(metric.spans_only for metric in metrics)


_OF_LINES = (
    "sentences.length",
    *[f"brackets.{name}" for name in ("matched", "gold", "system", "crossing")],
    *("tags.gold", "tags.correct"),
)
"""Numbers of a line of the text report; evalb's other columns are 0."""
_OF_GAPS = ("brackets.complete", "gaps.matched", "gaps.gold", "gaps.system")
"""Numbers of a line of trees with gaps after these."""


class EvalbRows(_Columns):
    """evalb's twelve columns, then those of metrics."""

    head_fields = (
        Field("sentence", "Sentence"),
        *map(Field, ("gold_from", "gold_to", "system_from", "system_to", "unaligned", "unparsed")),
    )
    counted = (
        Field("length", "Length", path="sentences.length"),
        *[
            Field(name, name.title(), path=f"brackets.{name}")
            for name in ("recall", "precision", "f1", "matched", "gold", "system", "crossing")
        ],
        Field("complete", path="brackets.complete"),
        Field("words", "Words", path="tags.gold"),
        Field("correct_tags", "Correct tags", path="tags.correct"),
        Field("tag_accuracy", "Tag accuracy", path="tags.accuracy"),
    )
    head = HEADER.decode()
    number_place = "%4d"

    def cells(self, result: Any) -> list[Cell]:
        """Return a sentence as a row of a table."""
        bead = result.bead
        return self._of(result.number, (bead.gold, bead.system), result.record, "")

    def total(self, evaluation: Evaluation) -> list[Cell]:
        """Return the last row of a table."""
        beads = evaluation.total.sentences
        return self._of(TOTAL, ((0, beads.gold), (0, beads.system)), evaluation.total, evaluation.signature)

    def _of(self, name: object, sides: Sequence[Any], record: Any, last: str) -> list[Cell]:
        beads = record.sentences
        gold, system = [(begin + 1, end) if begin < end else ("", "") for begin, end in sides]
        unparsed = beads.gold_unparsed + beads.system_unparsed
        return self._row(map(str, (name, *gold, *system, beads.unaligned, unparsed)), record, record, last)

    def lines(self, results: Sequence[Any]) -> str:
        """Return the lines of sentences in the text report."""
        # "Len." is in units, "Words" are gold tokens, and "Stat." is always 0.
        numbers: list[int] = []
        records = [result.record for result in results]
        for result, (length, *others) in zip(results, numbers_of(records, *_OF_LINES)):
            numbers += (result.number, length, 0, *others)
        # An array converts its numbers one by one, at three times the cost.
        packed = memoryview(pack(f"{len(numbers)}q", *numbers))
        text = format_rows(packed.cast("q")).decode()
        if not self._columns:
            return text
        return "".join(
            [f"{line}{self._metric_text(record)}\n" for line, record in zip(text.splitlines(), records)]
        )

    def totals(self, evaluation: Evaluation) -> str:
        record = evaluation.total
        brackets, tags = record.brackets, record.tags
        # Unlike evalb's, this line is always complete.
        return (
            f"{super().totals(evaluation)}"
            f"                {_rate(brackets.recall)} {_rate(brackets.precision)}"
            f" {brackets.matched:6d} {brackets.gold:5d} {brackets.system:5d}  {brackets.crossing:5d}"
            f"  {tags.gold:5d} {tags.correct:5d}   {_rate(tags.accuracy)}"
            f"{self._metric_text(record)}\n"
        )


STATES = {
    OK: "ok",
    MISSING: "missing",
    NO_PARSE: "unparsed",
    UNREADABLE: "no gold",
    SHORT: "short",
    EXCLUDED: "excluded",
    EXTRA: "extra",
}
"""Names of the states of a sentence in the columns of trees with gaps, which programs read."""


class MatchRows(_Columns):
    """Fifteen columns: matched, extra and missed constituents, all and those with gaps."""

    head_fields = (
        Field("sentence", "Sentence"),
        Field("id", "ID", text=True),
        Field("status", "Status", text=True),
        Field("length", "Length"),
    )
    counted = (
        *[
            Field(f"{part}_{name}", f"{title} {name.upper()}" * (len(name) == 2), path=f"{part}.{name}")
            for part, title in (("overall", "All"), ("continuous", "Cont."), ("discontinuous", "Disc."))
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
    number_place = "%5d"
    gaps = tags = True  # True if the lines have their columns

    def cells(self, result: Any) -> list[Cell]:
        head = str(result.number), result.id or "", STATES[result.status], str(result.length)
        return self._row(head, matches_of(result.record), result.record, "")

    def total(self, evaluation: Evaluation) -> list[Cell]:
        # Lengths are not added up: no figure needs them.
        record = evaluation.total
        return self._row((TOTAL, "", "", ""), matches_of(record), record, evaluation.signature)

    def lines(self, results: Sequence[Any]) -> str:
        lines = []
        records = [result.record for result in results]
        for result, numbers in zip(results, numbers_of(records, *_OF_LINES, *_OF_GAPS)):
            length, matched, gold, system, _, tags, correct_tags, exact, *gaps = numbers
            state, _, id = result.state
            # Blanks separate fields, and an id may contain terminal escapes.
            shown = [char if char.isprintable() and char != " " else "_" for char in id or "-"]
            name = "".join(shown)
            more = f" {_matches(*gaps)}" * self.gaps + f" {tags:5d} {correct_tags:5d}" * self.tags
            lines.append(
                f"{result.number:5d} {name:<14} {length:5d}"
                f" {_matches(matched, gold, system)}{more} {exact:5d}"
                f"{self._metric_text(result.record)} {STATES[state].replace(' ', '_')}\n"
            )
        return "".join(lines)


class SpanRows(MatchRows):
    """The columns of unlabelled trees without gaps: tags, labels and gaps do not count."""

    head = """\
Sent. ID             Len.     TP    FP    FN  FMeas. Exact Status
=================================================================
"""
    gaps = tags = False


class ToolRows(MatchRows):
    """The columns of tools that know no gaps."""

    counted = tuple([one for one in MatchRows.counted if not one.name.startswith(("cont", "disc"))])
    head = """\
                           -------- Overall -------- -- Tags --
Sent. ID             Len.     TP    FP    FN  FMeas. Words Corr. Exact Status
=============================================================================
"""
    gaps = False


Layout: TypeAlias = "EvalbRows | MatchRows"


def matches_of(record: Record) -> DiscontinuousCounts:
    """Return the counts of a record by kind of constituent."""
    from ..metrics.discontinuous import DiscontinuousCounts

    return DiscontinuousCounts.of(record.brackets, record.tags, record["gaps"])


def _rate(value: float | None) -> str:
    return f"{percent(value) or '-':>6}"


@lru_cache(10_000)
def _matches(matched: int, gold: int, system: int) -> str:
    rate = f"{100 * (2 * matched / (gold + system)):7.2f}" if gold + system else "      -"
    return f"{matched:5d} {system - matched:5d} {gold - matched:5d} {rate}"
