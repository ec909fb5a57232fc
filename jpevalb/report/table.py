"""Tables of formatted cells, which each format writes in its own way, and rows of sentences."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from operator import attrgetter
from struct import pack
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ..alignment.pair import EXCLUDED, EXTRA, MISSING, NO_PARSE, OK, SHORT, UNREADABLE
from ..base.text import counted, padded, visible, width_of
from ..kernels.evalb import format_rows
from ..legacy.engine import HEADER
from ..metrics import Figure, Line, Metric, row_figures
from ..metrics.record import Record, picked_rows
from ..score.evaluation import Evaluation
from ..score.outcome import Scoring
from ..score.sentence import SentenceResult
from ..settings.convention import FOR_GAPS

if TYPE_CHECKING:
    from ..metrics.discontinuous import DiscontinuousCounts

TOTAL = "total"  # first cell of a row of totals


class MarkedNumber(NamedTuple):
    """A number with half its confidence interval and marks of significance."""

    text: str
    marks: str
    interval: str = ""  # half the confidence interval; empty for none
    best: bool = False  # True for the best number of its column

    @property
    def plain(self) -> str:
        """The number with its interval."""
        return f"{self.text} ± {self.interval}" if self.interval else self.text


Cell: TypeAlias = "str | MarkedNumber | None"  # a formatted cell; ``None`` for an undefined rate


class Field(NamedTuple):
    """A column of a table."""

    name: str  # name in CSV and TSV: lower case, one word; empty for a column that they do not show
    title: str = ""  # heading in Markdown and LaTeX; empty for a column that they do not show
    text: bool = False  # True if cells hold text, possibly from the files; False if they hold numbers
    short: str = ""  # heading in the text report; by default the name, or for text the title
    path: str = ""  # of the attribute that :func:`cells_of` shows; by default the name


class Table(NamedTuple):
    """Columns, and rows of formatted cells."""

    title: str
    fields: tuple[Field, ...]
    rows: Sequence[Sequence[Cell]]
    total: bool = False  # True if the last row is the sum of the others
    name: str = ""  # first cell of each row in CSV and TSV if they hold several tables
    most: int | None = None  # maximum number of rows shown for reading; CSV and TSV have all of them
    heads: int = 1  # number of first columns that say what a row is about; each piece of a table has them

    def split(self, size: int) -> "list[Table]":
        """Return pieces with at most ``size`` columns behind the head columns, which each of them repeats."""
        columns = range(len(self.fields))
        heads, others = columns[: self.heads], columns[self.heads :]
        starts = range(0, len(others), size)
        return [self.with_columns([*heads, *others[start : start + size]]) for start in starts] or [self]

    def with_columns(self, columns: Sequence[int]) -> "Table":
        rows = [[row[index] for index in columns] for row in self.rows]
        return self._replace(fields=tuple([self.fields[index] for index in columns]), rows=rows)

    def titled(self) -> "Table":
        """Return the columns that have a title, with the rows shown for reading."""
        kept = [index for index, field in enumerate(self.fields) if field.title]
        return self._replace(rows=self.rows[: self.most]).with_columns(kept)

    def more(self) -> str:
        """Return a note on the rows that are not shown for reading, or an empty text."""
        # The last column of tables with a maximum counts constituents.
        rest = [row[-1] for row in self.rows[self.most :]] if self.most is not None else []
        if not rest:
            return ""
        times = counted(sum(map(int, map(str, rest))), "constituent")
        return f"and {len(rest)} more kind{'s' * (len(rest) > 1)}, {times}"


class Sheet(NamedTuple):
    """The content of a report in tables."""

    plain: tuple[Table, ...]  # tables of CSV and TSV
    shown: tuple[Table, ...]  # tables of Markdown, LaTeX and notebooks
    notes: tuple[str, ...]  # notes on the tables, one line each
    signature: str = ""  # empty if the notes have it
    headings: bool = True  # True if the titles of the tables are headings, False for plain lines

    def lines(self) -> list[str]:
        return [*self.notes, *([f"signature: {self.signature}"] if self.signature else [])]


def percent(rate: float | None) -> str | None:
    """Format a rate as per cent with two decimals.

    >>> percent(0.5), percent(None)
    ('50.00', None)
    """
    return None if rate is None else f"{100 * rate:.2f}"


def fields_of(figures: Iterable[Figure]) -> list[Field]:
    return [Field(figure.name, figure.title, short=figure.title) for figure in figures]


def cells_of(fields: Iterable[Field]) -> Callable[[Any], list[Cell]]:
    """Return a function that formats an item's attributes; rates become per cent."""
    values = attrgetter(*[field.path or field.name for field in fields])
    return lambda item: [
        str(one) if type(one) is int else one if type(one) is str else percent(one) for one in values(item)
    ]


def number(figure: Figure | Line, value: float | None) -> str | None:
    """Format a value of a figure or line.

    >>> number(Figure("f1"), 0.5), number(Line("Beads", None, "count"), 3)
    ('50.00', '3')
    """
    if value is None or figure.form == "percent":
        return percent(value)
    return _FORMATS[figure.form] % value


_FORMATS = {"share": "%.4f", "number": "%.2f", "count": "%.0f"}


def widths_of(rows: Sequence[Sequence[str]]) -> list[int]:
    """Return the width of each column of a table, on a terminal."""
    return [max(map(width_of, column)) for column in zip(*rows)]


def aligned(
    head: Sequence[str], rows: Sequence[Sequence[str]], sides: str, gap: str = " ", end: str = ""
) -> list[str]:
    """Return the lines of a table, heading first; ``sides`` has ``l`` or ``r`` for each column.

    >>> print("\\n".join(aligned(["Label", "gold"], [["NP", "12"], ["ADVP", "3"]], "lr")))
    Label gold
    NP      12
    ADVP     3
    """
    widths = widths_of([head, *rows])
    lines = [
        gap.join([padded(cell, width, right=side == "r") for cell, width, side in zip(row, widths, sides)])
        for row in (head, *rows)
    ]
    return [line + end if end else line.rstrip() for line in lines]


def text_table(table: Table) -> str:
    """Return a table of the text report with its title."""

    def shown(field: Field, cell: Cell) -> str:
        if field.text:
            return visible(str(cell)) or ("()" if field.name != "confused" else "")
        if isinstance(cell, MarkedNumber):
            return cell.plain + cell.marks
        return "-" if cell is None else cell

    head = [field.short or visible(field.title if field.text else field.name) for field in table.fields]
    sides = "".join(["l" if field.text else "r" for field in table.fields])
    rows = [list(map(shown, table.fields, row)) for row in table.rows[: table.most]]
    return "\n".join(["", f"-- {table.title} --", *(aligned(head, rows, sides) if rows else ["none"])]) + "\n"


class _SentenceRows:
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
        orders = [names[:index].count(name) for index, name in enumerate(names)]
        added = [
            Field(f"{name}_{order + 1}" if order else name, figure.column)
            for order, (name, figure) in zip(orders, self._columns)
        ]
        self.fields = (*self.head_fields, *self.counted, *added, Field("signature", text=True))

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
        cells = [number(figure, figure.value(record[name])) or "-" for name, figure in self._columns]
        return "".join([f" {cell.rjust(width)}" for cell, width in zip(cells, self._widths)])


def layout_of(run: Scoring) -> "Layout":
    if not run.settings.identical_words:
        return EvalbRows(run.metrics)
    name = str(run.settings.convention).partition(" ")[0]
    return MatchRows(run.metrics, gaps=not run.settings.tool or name in FOR_GAPS)


_OF_LINES = (
    "sentences.length",
    *[f"brackets.{name}" for name in ("matched", "gold", "system", "crossing")],
    *("tags.gold", "tags.correct"),
)
"""Numbers of a line of the text report; evalb's other columns are 0."""
_OF_GAPS = ("brackets.complete", "gaps.matched", "gaps.gold", "gaps.system")
"""Numbers of a line of trees with gaps after these."""


class EvalbRows(_SentenceRows):
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
        picked = picked_rows([one.record for one in results], _OF_LINES)
        for result, (length, *others) in zip(results, picked):
            numbers += (result.number, length, 0, *others)
        # An array converts its numbers one by one, at three times the cost.
        text = format_rows(memoryview(pack(f"{len(numbers)}q", *numbers)).cast("q")).decode()
        if not self._columns:
            return text
        rows = zip(text.splitlines(), results)
        return "".join([f"{row}{self._metric_text(one.record)}\n" for row, one in rows])

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


class MatchRows(_SentenceRows):
    """Matched, extra and missed constituents; of those with gaps, with ``gaps``; and tags, if they count."""

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
    number_place = "%5d"

    def __init__(self, metrics: Sequence[Metric], *, gaps: bool) -> None:
        self._tags = not any(metric.spans_only for metric in metrics)
        self._gaps = gaps and self._tags
        if self._tags and not gaps:
            self.counted = tuple([one for one in self.counted if not one.name.startswith(("cont", "disc"))])
        groups = f"{'':26} -------- Overall --------{' ----- Discontinuous -----' * gaps} -- Tags --\n"
        counts = "    TP    FP    FN  FMeas." * (1 + self._gaps) + " Words Corr." * self._tags
        names = f"Sent. ID             Len. {counts} Exact Status"
        self.head = f"{groups * self._tags}{names}\n{'=' * len(names)}\n"
        super().__init__(metrics)

    def cells(self, result: Any) -> list[Cell]:
        head = str(result.number), result.id or "", STATES[result.status], str(result.length)
        return self._row(head, matches_of(result.record), result.record, "")

    def total(self, evaluation: Evaluation) -> list[Cell]:
        # Lengths are not added up: no figure needs them.
        record = evaluation.total
        return self._row((TOTAL, "", "", ""), matches_of(record), record, evaluation.signature)

    def lines(self, results: Sequence[Any]) -> str:
        lines = []
        for result in results:
            numbers = result.record.picked((*_OF_LINES, *_OF_GAPS))
            length, matched, gold, system, _, tags, correct_tags, exact, *gaps = numbers
            state, _, id = result.state
            # Blanks separate fields, and an id may contain terminal escapes.
            name = "".join([char if char.isprintable() and char != " " else "_" for char in id or "-"])
            more = f" {_matches(*gaps)}" * self._gaps + f" {tags:5d} {correct_tags:5d}" * self._tags
            lines.append(
                f"{result.number:5d} {name:<14} {length:5d}"
                f" {_matches(matched, gold, system)}{more} {exact:5d}"
                f"{self._metric_text(result.record)} {STATES[state].replace(' ', '_')}\n"
            )
        return "".join(lines)


Layout: TypeAlias = "EvalbRows | MatchRows"


def matches_of(record: Record) -> "DiscontinuousCounts":
    """Return the counts of a record by kind of constituent."""
    from ..metrics.discontinuous import DiscontinuousCounts

    return DiscontinuousCounts.of(record.brackets, record.tags, record["gaps"])


def _rate(value: float | None) -> str:
    return f"{percent(value) or '-':>6}"


@lru_cache(10_000)
def _matches(matched: int, gold: int, system: int) -> str:
    rate = f"{100 * (2 * matched / (gold + system)):7.2f}" if gold + system else "      -"
    return f"{matched:5d} {system - matched:5d} {gold - matched:5d} {rate}"
