"""The text report: rows and a summary for reading, in evalb's columns or in those of trees with gaps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any

from ..legacy.layout import block
from ..metrics.record import Record
from ..score.chunk import Scorer
from ..score.sentence import SentenceResult
from ..trees.text import visible
from . import Format, Write
from .analysis import text as analysis_text
from .figures import Listed, left_out, sections, shown, text_of
from .rows import layout_of, rate


def row_ends(results: Sequence[SentenceResult], scorer: Scorer) -> list[str]:
    """The line of each sentence behind its number, which is known only once all before it are scored."""
    return layout_of(scorer).lines(results)


class Text(Format):
    """A line a sentence, the sums, and every figure as ``Name = number``."""

    row_ends = staticmethod(row_ends)

    def comparison(self, comparison: Any, **how: Any) -> str:
        from .comparison import text

        return text(comparison, how.get("width"), how.get("shown"))

    def write(
        self, run: Any, sentences: Iterable[Any], write: Write, *, quiet: bool = False, **names: Any
    ) -> None:
        if quiet:
            write(summary(run.evaluation()))
            return
        layout = layout_of(run)
        # Nothing is written before something could be read.
        head = layout.header()
        for chunk in sentences:
            write(head + "".join(map(layout.numbered, count(chunk.number), chunk.rows)))
            head = ""
        evaluation = run.evaluation()
        write(head + layout.totals(evaluation))
        write(summary(evaluation))


TEXT = Text()


def summary(evaluation: Any) -> str:
    """Everything below the sums.

    Rates that are undefined, 0 of 0, print as 0.00.
    """
    first, *others = sections(evaluation)
    parts = ["=== Summary ===\n"]
    if first.evalb:
        parts.append(_block("All", evaluation.total))
        parts.append(_block(f"len<={evaluation.cutoff_length}", evaluation.cutoff))
        # What evalb does not have of them stands with the other figures that it does not have.
        others[0] = others[0]._replace(figures=(*first.figures, *others[0].figures))
    else:
        others.insert(0, first)
    for section in others:
        parts.append(f"\n-- {section.title} --\n")
        parts += [_line(item) for item in shown(section.figures, "text")]
    parts += [f"# {line}\n" for line in left_out(evaluation)]
    record = evaluation.total
    if "references" in record:
        from .references import text as references_text

        parts.append(references_text(evaluation.metrics, record))
    parts.append(analysis_text(record))
    parts.append(f"# signature: {visible(evaluation.signature)}\n")
    return "".join(parts)


def _line(item: Listed) -> str:
    figure = item.figure
    return f"{item.line or figure.name:<25} = {text_of(figure._replace(value=figure.value or 0)):>6}\n"


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
    return text.replace("= " + "-nan".rjust(6), f"= {rate(None):6.2f}")
