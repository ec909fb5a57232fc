"""Reports of the discontinuous mode: text, with a line for each sentence, and the others by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

from ..flow.discontinuous import DiscontinuousEvaluation, DiscontinuousSentence, Run
from ..metrics.discontinuous import MatchCounts
from ..model.errors import SettingsError
from .escape import visible

HEADER = """\
                           -------- Overall -------- ----- Discontinuous ----- -- Tags --
Sent. ID             Len.     TP    FP    FN  FMeas.    TP    FP    FN  FMeas. Words Corr. Exact Status
=======================================================================================================
"""
RULE = HEADER.splitlines()[2] + "\n"


def report(evaluation: DiscontinuousEvaluation, *, quiet: bool = False) -> str:
    """The text report; ``quiet`` leaves out the lines of the sentences.

    Cost: O(sentences).
    """
    pieces = []
    if not quiet:
        pieces.append(HEADER)
        pieces.extend(row(sentence) for sentence in evaluation.sentences)
        pieces.append(RULE)
    pieces.append(summary(evaluation))
    return "".join(pieces)


def row(sentence: DiscontinuousSentence) -> str:
    """The line of one gold sentence: 15 fields without blanks in them.

    An F-measure is ``-`` where neither side has such a constituent.
    """
    counts = sentence.counts
    # An id may hold anything; a field has no blanks, and a terminal is sent no escapes.
    id = "" if sentence.id is None else sentence.id
    name = "".join([sign if sign.isprintable() and sign != " " else "_" for sign in id]) or "-"
    return (
        f"{sentence.number:5d} {name:<14} {sentence.length:5d} {_matches(counts.overall)}"
        f" {_matches(counts.discontinuous)} {counts.tags:5d} {counts.correct_tags:5d} {counts.exact:5d}"
        f" {sentence.status.replace(' ', '_') or 'ok'}\n"
    )


def summary(evaluation: DiscontinuousEvaluation) -> str:
    """All figures as ``Name = number``, the sentences left out, and the signature.

    Rates are times 100; one that is undefined (0 of 0) prints as 0.00, and the
    counts tell it from a true 0.
    """
    total = evaluation.total
    lines = ["=== Summary ===\n\n-- All --\n"]
    lines += [
        _number("Number of sentence", total.sentences),
        _number("Missing sentences", evaluation.n_missing),
        _number("Unparsed sentences", evaluation.n_unparsed),
        _number("Extra system sentences", evaluation.n_extra),
    ]
    if evaluation.n_no_gold:
        lines.append(_number("Unreadable gold sentences", evaluation.n_no_gold))
    for title, counts in (
        ("Overall", total.overall),
        ("Continuous", total.continuous),
        ("Discontinuous", total.discontinuous),
    ):
        lines.append(f"\n-- {title} --\n")
        lines += [_number(f"{title} {name.upper()}", getattr(counts, name)) for name in ("tp", "fp", "fn")]
        lines += [
            _rate(f"{title} Recall", counts.recall),
            _rate(f"{title} Precision", counts.precision),
            _rate(f"{title} FMeasure", counts.f1),
        ]
    lines.append("\n-- Sentences --\n")
    lines += [
        _rate("Sentence-mean F1", total.sentence_f1),
        _rate("Exact match", total.exact_match),
        _rate("Tagging accuracy", total.tag_accuracy),
    ]
    lines += [f"# {visible(line)}\n" for line in evaluation.left_out]
    lines.append(f"# signature: {visible(evaluation.signature())}\n")
    return "".join(lines)


FORMATS = {
    "text": ("jpevalb.report.discontinuous", "report"),
    "json": ("jpevalb.report.json", "report"),
    "csv": ("jpevalb.report.discontinuous_tables", "csv"),
    "tsv": ("jpevalb.report.discontinuous_tables", "tsv"),
    "markdown": ("jpevalb.report.discontinuous_tables", "markdown"),
    "latex": ("jpevalb.report.discontinuous_tables", "latex"),
}
"""For each format its module and function ``report(evaluation, *, quiet) -> str``."""


def render(evaluation: DiscontinuousEvaluation, format: str, *, quiet: bool = False) -> str:
    """The evaluation in a format of :data:`FORMATS`.

    Raises:
        SettingsError: an unknown format.
    """
    if format not in FORMATS:
        raise SettingsError(f"found the output format {format!r}; expected one of {', '.join(FORMATS)}")
    module, function = FORMATS[format]
    text: str = getattr(import_module(module), function)(evaluation, quiet=quiet)
    return text


def write_report(
    run: Run,
    sentences: Iterable[DiscontinuousSentence],
    format: str,
    write: Callable[[str], Any],
    *,
    quiet: bool = False,
) -> None:
    """Writes what :func:`render` would return, as the sentences come where the format allows it.

    JSON has its sums first, so its sentences wait in a file; of Markdown and LaTeX the cells
    of all rows wait.

    Args:
        run: The evaluation.
        sentences: Its results; iterated over once, to the end.
        format: One of :data:`FORMATS`.
        write: Takes the text, piece by piece.
        quiet: Whether to leave out the sentences.

    Raises:
        JpevalbError: as iterating over the run.
    """
    if format not in FORMATS:
        render(run.evaluation(), format)
    if quiet:
        for _ in sentences:
            pass
        write(render(run.evaluation(), format, quiet=True))
    elif format == "text":
        # Nothing is written before something could be read.
        head = HEADER
        for sentence in sentences:
            write(head + row(sentence))
            head = ""
        write(head + RULE + summary(run.evaluation()))
    elif format == "json":
        from .json import line_of
        from .stream import write_json

        pieces = (line_of(sentence.to_dict()) for sentence in sentences)
        write_json(pieces, lambda: run.evaluation().to_dict(), write)
    else:
        from .discontinuous_tables import write_table

        write_table(run, sentences, format, write)


def _matches(counts: MatchCounts) -> str:
    value = counts.f1
    shown = "-" if value is None else f"{100 * value:.2f}"
    return f"{counts.tp:5d} {counts.fp:5d} {counts.fn:5d} {shown:>7}"


def _number(name: str, value: int) -> str:
    return f"{name:<25} = {value:6d}\n"


def _rate(name: str, value: float | None) -> str:
    return f"{name:<25} = {0.0 if value is None else 100 * value:6.2f}\n"
