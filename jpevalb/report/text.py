"""The text report: evalb's columns and summary, and what other metrics add."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence

from ..flow.summary import Evaluation, Lines, SentenceResult
from ..flow.unaligned import NAMED, beads_in
from ..legacy.layout import HEADER, RULE, block, rows_text
from ..metrics import TREES, Column, Figure, Metric
from ..model.counts import Counts
from ..model.record import Record
from .escape import visible

# Rates that are undefined print as 0.00, as evalb prints its own 0/0; the
# counts beside them tell the two apart, and JSON has null.
_UNDEFINED = 0.0

NUMBER_WIDTH = 4
"""Signs at the beginning of a line that a sentence's number has, if it has no more digits."""


def report(evaluation: Evaluation, *, quiet: bool = False) -> str:
    """The whole report; ``quiet`` leaves out the rows of the sentences.

    Cost: O(sentences).
    """
    pieces = []
    if not quiet:
        pieces.append(header(evaluation.metrics))
        pieces.append(rows(evaluation.sentences, evaluation.metrics))
        pieces.append(totals(evaluation))
    pieces.append(summary(evaluation))
    return "".join(pieces)


def header(metrics: Sequence[Metric]) -> str:
    """The three lines over the rows; columns of other metrics stand at the right."""
    lines = HEADER.decode().splitlines()
    added = _columns(metrics, [metric.zero() for metric in metrics])
    lines[1] += "".join([f" {column.header:>{_width(column)}}" for column in added])
    lines[2] += "".join(["=" * (_width(column) + 1) for column in added])
    return "\n".join(lines) + "\n"


def rows(results: Sequence[SentenceResult], metrics: Sequence[Metric]) -> str:
    """A line a sentence: evalb's twelve fields, then those of other metrics.

    ``Len.`` is in units, ``Words`` are gold tokens, and ``Stat.`` is always 0.

    Cost: O(sentences).
    """
    numbers = array("q")
    for result in results:
        record = result.record
        brackets, tags = record.brackets, record.tags
        numbers.extend(
            (
                result.number,
                record.beads.length,
                0,
                brackets.matched,
                brackets.gold,
                brackets.system,
                brackets.crossing,
                tags.gold,
                tags.correct,
            )
        )
    text = rows_text(memoryview(numbers)).decode()
    if not metrics:
        return text
    lines = text.splitlines()
    return "".join([f"{line}{_cells(metrics, result.record)}\n" for line, result in zip(lines, results)])


def numbered(lines: Lines) -> str:
    """The rows of which workers have made all but the numbers."""
    return "".join(
        [f"{number:{NUMBER_WIDTH}d}{line}" for number, line in enumerate(lines.lines, lines.number)]
    )


def totals(evaluation: Evaluation) -> str:
    """The rule and the line of sums below the rows."""
    record = evaluation.total
    rule = RULE.decode().rstrip("\n")
    added = _columns(evaluation.metrics, record.others)
    rule += "".join(["=" * (_width(column) + 1) for column in added])
    brackets, tags = record.brackets, record.tags
    # Unlike evalb's, this line is always whole.
    return (
        f"{rule}\n                {_rate(brackets.recall):6.2f} {_rate(brackets.precision):6.2f}"
        f" {brackets.matched:6d} {brackets.gold:5d} {brackets.system:5d}  {brackets.crossing:5d}"
        f"  {tags.gold:5d} {tags.correct:5d}   {_rate(tags.accuracy):6.2f}"
        f"{_cells(evaluation.metrics, record)}\n"
    )


def summary(evaluation: Evaluation) -> str:
    """Everything below the sums."""
    parts = [
        "=== Summary ===\n",
        _block("All", evaluation.total),
        _block(f"len<={evaluation.cutoff_length}", evaluation.cutoff),
        "\n-- Trees --\n",
        *[_figure(figure) for figure in _figures(evaluation)],
        *left_out(evaluation),
        *_other_parts(evaluation),
    ]
    names = evaluation.total.names
    if "analysis" in names:
        from .analysis import text as analysis_text

        parts.append(analysis_text(evaluation.total["analysis"]))
    elif "labels" in names:
        from .analysis import labels_text

        parts.append(labels_text(evaluation.total["labels"]))
    parts.append(f"# signature: {visible(evaluation.settings.signature())}\n")
    return "".join(parts)


def _rate(value: float | None) -> float:
    return _UNDEFINED if value is None else 100 * value


def _columns(metrics: Sequence[Metric], records: Iterable[Counts]) -> list[Column]:
    return [column for metric, record in zip(metrics, records) for column in metric.columns(record)]


def _width(column: Column) -> int:
    return max(6, len(column.header))


def _cells(metrics: Sequence[Metric], record: Record) -> str:
    if not metrics:
        return ""
    columns = _columns(metrics, record.others)
    return "".join([f" {_number(column.value, column.percent):>{_width(column)}}" for column in columns])


def _block(title: str, record: Record) -> str:
    """One part of evalb's summary; no sentence is an error or skipped."""
    brackets, tags = record.brackets, record.tags
    text = block(
        title,
        [
            brackets.sentences,
            0,
            0,
            brackets.matched,
            brackets.gold,
            brackets.system,
            brackets.crossing,
            tags.gold,
            tags.correct,
            brackets.complete,
            brackets.no_crossing,
            brackets.two_or_less_crossing,
        ],
    ).decode()
    # evalb's F of 0/0 is the one number that does not look like one.
    return text.replace("= " + "-nan".rjust(6), f"= {_UNDEFINED:6.2f}")


def _figures(evaluation: Evaluation) -> list[Figure]:
    found = [Figure("Sentence-mean F1", evaluation.total.brackets.sentence_f1)]
    for metric, record in zip(evaluation.metrics, evaluation.total.others):
        if metric.heading == TREES:
            found.extend(metric.figures(record))
    beads = evaluation.total.beads
    found.append(Figure("Unaligned beads", beads.unaligned, "count"))
    if evaluation.settings.on_error == "skip":
        found.append(Figure("Unparsed gold sentences", beads.gold_unparsed, "count"))
        found.append(Figure("Unparsed system sentences", beads.system_unparsed, "count"))
    return found


def _other_parts(evaluation: Evaluation) -> Iterator[str]:
    """The figures of metrics that have a heading of their own, where they have any."""
    for metric, record in zip(evaluation.metrics, evaluation.total.others):
        figures = metric.figures(record) if metric.heading != TREES else ()
        if figures:
            yield f"\n-- {metric.heading} --\n"
            yield from map(_figure, figures)


def _figure(figure: Figure) -> str:
    value = figure.value
    if figure.form == "count":
        return f"{figure.name:<25} = {value:6d}\n"
    return f"{figure.name:<25} = {_number(value, figure.form == 'percent')}\n"


def _number(value: float | None, percent: bool) -> str:
    """A rate as per cent with two decimals, or as it is with four, six wide."""
    return f"{_rate(value):6.2f}" if percent else f"{_UNDEFINED if value is None else value:6.4f}"


def left_out(evaluation: Evaluation) -> list[str]:
    """The first unaligned stretches and unparsed sentences by name, and how many more there are."""
    lines = []
    named = 0
    for number, bead in evaluation.unaligned:
        sides = [
            f"{side} {_range(*ends)}"
            for side, ends in (("gold", bead.gold), ("system", bead.system))
            if ends[0] < ends[1]
        ]
        count = beads_in(bead)
        named += count
        beads = f"bead {number}" if count == 1 else f"{count} beads, {number}-{number + count - 1}"
        lines.append(f"# unaligned: {beads} ({', '.join(sides)})\n")
    lines += _more("unaligned", evaluation.total.beads.unaligned - named)
    for item in evaluation.unparsed:
        lines.append(f"# unparsed: {item.side} sentence {item.number}: {visible(item.error)}\n")
    total = evaluation.total.beads
    lines += _more("unparsed", total.gold_unparsed + total.system_unparsed - NAMED)
    return lines


def _more(what: str, count: int) -> list[str]:
    return [f"# {what}: and {count} more\n"] if count > 0 else []


def _range(begin: int, end: int) -> str:
    """Sentence numbers from 1 of a half-open range from 0."""
    return f"sentence {end}" if end - begin == 1 else f"sentences {begin + 1}-{end}"
