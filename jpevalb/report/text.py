"""The text report: rows of sentences and a summary."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

from ..base.text import visible
from ..legacy.layout import block
from ..metrics.record import Record
from ..score.scorer import Scorer
from ..score.sentence import SentenceResult
from . import Format, Write
from .analysis import text as analysis_text
from .figures import left_out, lines_in, sections
from .rows import layout_of, rate
from .table import number, text_table


def row_ends(results: Sequence[SentenceResult], scorer: Scorer) -> list[str]:
    """Return the line of each sentence without its number, which depends on the sentences before."""
    return layout_of(scorer).lines(results)


class Text(Format):
    """One line per sentence, the sums, and every figure as ``Name = number``."""

    row_ends = staticmethod(row_ends)

    def comparison(self, comparison: Any, **how: Any) -> str:
        from .comparison import text

        return text(comparison, how.get("width"), how.get("shown"))

    def tables(self, content: Any) -> str:
        tables = [text_table(table, "-").removeprefix("\n") for table in content.shown]
        return "\n".join(tables) + "".join([f"# {visible(line)}\n" for line in content.lines()])

    def write(self, run: Any, sentences: Any, write: Write, *, quiet: bool = False, **names: Any) -> None:
        if quiet:
            write(summary(run.evaluation()))
            return
        layout = layout_of(run)
        # Nothing is written if the first sentence cannot be read.
        head = layout.header()
        for chunk in sentences:
            write(head + "".join(map(layout.numbered, count(chunk.number), chunk.rows)))
            head = ""
        evaluation = run.evaluation()
        write(head + layout.totals(evaluation))
        write(summary(evaluation))


TEXT = Text()


def summary(evaluation: Any) -> str:
    """Return everything below the sums; an undefined rate is printed as 0.00."""
    first, *others = sections(evaluation)
    parts = ["=== Summary ===\n"]
    if first.evalb:
        parts.append(_block("All", evaluation.total))
        parts.append(_block(f"len<={evaluation.cutoff_length}", evaluation.cutoff))
        # evalb's block lacks some of them.
        others[0] = others[0]._replace(lines=(*first.lines, *others[0].lines))
    else:
        others.insert(0, first)
    for section in others:
        parts.append(f"\n-- {section.title} --\n")
        for item in lines_in(section, "text"):
            name, value = item.text_name or item.line.name, number(item.line, item.line.value or 0)
            parts.append(f"{name:<25} = {value:>6}\n")
    parts += [f"# {line}\n" for line in left_out(evaluation)]
    record = evaluation.total
    if "references" in record:
        from .references import text as references_text

        parts.append(references_text(evaluation.metrics, record))
    parts.append(analysis_text(record))
    parts.append(f"# signature: {visible(evaluation.signature)}\n")
    return "".join(parts)


def _block(title: str, record: Record) -> str:
    """Return one part of evalb's summary; no sentence is an error or skipped."""
    brackets, tags = record.brackets, record.tags
    matches = brackets.matched, brackets.gold, brackets.system, brackets.crossing
    shares = brackets.complete, brackets.no_crossing, brackets.two_or_less_crossing
    numbers = [brackets.sentences, 0, 0, *matches, tags.gold, tags.correct, *shares]
    text = block(title, numbers).decode()
    # evalb prints an F of 0/0 as -nan.
    return text.replace("= " + "-nan".rjust(6), f"= {rate(None):6.2f}")
