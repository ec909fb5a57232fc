"""The summary of the text report: one line a figure, short sentences beside all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from ..alignment.pair import EXCLUDED, EXTRA, MISSING, NO_PARSE, SHORT, UNREADABLE
from ..metrics import Figure
from ..metrics.figures import COMPLETE, CROSSING, F1, PRECISION, RECALL, SENTENCE_F1, TAGS
from ..metrics.record import Record
from ..score.evaluation import Evaluation
from ..settings.registry import DEFAULT_METRICS
from .rows import matches_of, spans_only
from .table import number, percent

NAME = 25  # width of the name of a line
# Metrics with separate tables or lines
_TABLED = ("alignment", "gaps", "segmentation", "answers", "baselines", "references")
_BEADS = {
    "one_to_one": "one to one",
    "many_to_one": "joined",
    "one_to_many": "split",
    "many_to_many": "regrouped",
    "gold_only": "of gold unaligned",
    "system_only": "of the system unaligned",
    "no_parse": "without a parse",
}
_STATES = {
    MISSING: "missing",
    NO_PARSE: "without a parse",
    EXTRA: "of the system without gold",
    UNREADABLE: "unreadable",
    SHORT: "too short",
    EXCLUDED: "excluded",
}


Row: TypeAlias = "tuple[str, list[str | None], str]"
"""Name, formatted values and a note."""


def summary_lines(evaluation: Evaluation) -> list[str]:
    """Return the figures of an evaluation; an empty line is before each table."""
    short = [(f"len<={length}", record) for length, record in _cutoffs(evaluation)]
    columns = [("All", evaluation.total), *short]
    records = [record for _, record in columns]
    widths = [max(6, len(title)) for title, _ in columns]
    rows = [*_answers(records), *_sizes(evaluation, records), *_figures(evaluation, records)]
    lines = [
        f"{'=== Summary ===':<{NAME + 3}}{_cells([title for title, _ in columns], widths)}",
        *[_line(row, widths) for row in rows],
    ]
    for title, heads, rows in _tables(evaluation.total):
        widths = [9] * len(heads)
        lines += ["", f"-- {title} --".ljust(NAME + 3) + _cells(heads, widths)]
        lines += [_line(row, widths) for row in rows]
    return lines


def _line(row: Row, widths: Sequence[int]) -> str:
    name, cells, note = row
    return f"{name:<{NAME}} = {_cells(cells, widths)}{note and f'   {note}'}"


def _cells(cells: Sequence[str | None], widths: Sequence[int]) -> str:
    return "  ".join([f"{cell or '-':>{width}}" for cell, width in zip(cells, widths)])


def _cutoffs(evaluation: Evaluation) -> list[tuple[int, Record]]:
    return [*evaluation.more_cutoffs, (evaluation.cutoff_length, evaluation.cutoff)]


def _of_answers(record: Record) -> bool:
    return "answers" in record and bool(record["answers"].asked)


def _figures(evaluation: Evaluation, records: Sequence[Record]) -> Iterator[Row]:
    """Yield the lines of brackets and tags, then those of other metrics."""
    of_brackets: tuple[Figure, ...] = (RECALL, PRECISION, F1, SENTENCE_F1, COMPLETE, CROSSING, TAGS)
    if spans_only(evaluation.metrics):
        of_brackets = (SENTENCE_F1, RECALL, PRECISION, F1, COMPLETE)
    for figure in of_brackets:
        yield figure.evalb or figure.line, [number(figure, figure.value(record)) for record in records], ""
    for metric in evaluation.metrics:
        counts = [record[metric.name] for record in records]
        if metric.name in _TABLED or not counts[0].shown:
            continue
        every, *others = [{line.name: line for line in metric.lines(one)} for one in counts]
        # Of the default metrics, the figures by which systems are compared
        brief = {figure.line for figure in metric.figures if figure.title}
        for name, line in every.items():
            if line.value if line.form == "count" else name in brief or metric.name not in DEFAULT_METRICS:
                values = [line.value, *[one[name].value if name in one else 0 for one in others]]
                yield name, [number(line, value) for value in values], ""


def _answers(records: Sequence[Record]) -> Iterator[Row]:
    """Yield the lines of the answers of a language model, which come first."""
    if not _of_answers(records[0]):
        return
    every = [record["answers"] for record in records]
    note = f"{every[0].valid} of {every[0].answers}"
    yield "Usable answers", [percent(one.valid_share) for one in every], note
    if every[0].valid < every[0].answers:
        broken = {**every[0].repairs, "no tree": every[0].invalid}
        kinds = [f"{times} {kind.replace('_', ' ')}" for kind, times in broken.items() if times]
        yield "Broken answers", [str(one.answers - one.valid) for one in every], ", ".join(kinds)
    for name, reading in (
        ("F1 as written", "strict"),
        ("F1 repaired", "with_repairs"),
        ("F1 usable only", "valid_only"),
    ):
        yield name, [percent(getattr(one, reading).f1) for one in every], ""


def _sizes(evaluation: Evaluation, records: Sequence[Record]) -> Iterator[Row]:
    """Yield the numbers of gold sentences and words, with what differs in the system's."""
    total, beads = records[0], records[0].sentences
    notes = []
    if evaluation.settings.identical_words:
        sizes = [record.brackets.sentences for record in records]
        notes = [
            f"{count:,} {_STATES[state]}"
            for state, count in evaluation.states.items()
            if count and state in _STATES
        ]
    else:
        sizes = [record.sentences.gold for record in records]
        kinds = total["alignment"].kinds if "alignment" in total else {}
        found = [
            f"{kinds[name].groups:,} {title}"
            for name, title in _BEADS.items()
            if name in kinds and kinds[name].groups
        ]
        if len(found) > 1 or beads.gold != beads.system:
            notes = [f"{beads.system:,} of the system: {', '.join(found)}"]
        elif "segmentation" in total and not total["segmentation"].shown:
            notes = ["words and sentence boundaries agree"]
    yield "Sentences", list(map(str, sizes)), ", ".join(notes)
    if words := total.tags.gold:
        tokens = total["segmentation"].tokens if "segmentation" in total else None
        differ = tokens is not None and tokens.system != words
        yield (
            "Words",
            [str(record.tags.gold) for record in records],
            f"{tokens.system} of the system" if tokens is not None and differ else "",
        )


def _tables(total: Record) -> Iterator[tuple[str, Sequence[str], list[Row]]]:
    """Yield the tables that apply: title, headings and rows."""
    rated = ("recall", "precision", "F1")

    def row(name: str, matched: Any, note: str = "") -> Row:
        return name, [percent(matched.recall), percent(matched.precision), percent(matched.f1)], note

    if "baselines" in total:
        names = ("Left-branching", "Right-branching", "Random", "Oracle binary")
        kinds = [getattr(total["baselines"], kind) for kind in ("left", "right", "random", "oracle")]
        rows = [(name, [percent(one.sentence_f1), percent(one.f1)], "") for name, one in zip(names, kinds)]
        yield "Baselines", ("sent. mean", "F1"), rows
    if total.gaps.shown:
        counts = matches_of(total)
        both = ("Continuous", counts.continuous), ("Discontinuous", counts.discontinuous)
        sizes = [f"{one.tp:,} matched, {one.fn:,} missed, {one.fp:,} extra" for _, one in both]
        yield "Constituents", rated, [row(name, one, note) for (name, one), note in zip(both, sizes)]
    if "segmentation" in total and total["segmentation"].shown and not _of_answers(total):
        segments = total["segmentation"]
        strict = row(
            "Strict brackets", segments.brackets, "(brackets that begin and end with the same tokens)"
        )
        tokens, ends = row("Tokens", segments.tokens), row("Sentence boundaries", segments.sentences)
        yield "Words and sentences", rated, [tokens, ends, strict]
