"""The text report: rows of sentences and a summary."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..base.text import folded, visible, width_of
from ..claims.notes import main_figures, notes
from ..legacy.layout import block
from ..metrics.record import Record, numbers_of
from ..score.chunk import ChunkResult, Scoring
from ..score.evaluation import Evaluation
from ..score.run import Outcome
from ..score.sentence import SentenceResult
from . import Format, Write
from .analysis import text as analysis_text
from .figures import lines_in, sections
from .rows import Layout, layout_of
from .summary import summary_lines
from .table import number, text_table

_OF_ERRORS = "brackets.matched", "brackets.gold", "brackets.system"
MOST_ROWS = 50  # maximum number of rows on a terminal; of more, the worst ones are shown
WORST_ROWS, WORST_NAMED = 5, 3  # number of worst sentences among the rows, and in the last lines
LEAST_NOTES, LEAST_LABELS, MOST_LABELS = 2, 2, 5  # numbers of notes and rows by label on a small terminal
WIDTH = 100  # of the last lines in a file, if possible


class _TextBatch(NamedTuple):
    """Lines of consecutive sentences."""

    first: int  # assumed number of the first sentence; wrong after missing or added sentences
    size: int
    text: str
    worst: list[tuple[int, int]]  # minus the errors, and index, of the worst


def row_ends(results: Sequence[SentenceResult], run: Scoring) -> list[_TextBatch]:
    """Return the lines of sentences."""
    counts = numbers_of([one.record for one in results], *_OF_ERRORS)
    keyed = [(2 * matched - gold - system, index) for index, (matched, gold, system) in enumerate(counts)]
    text = layout_of(run).lines(results)
    return [_TextBatch(results[0].number, len(keyed), text, sorted(keyed)[:WORST_ROWS])]


class Text(Format):
    """One line per sentence, every figure as ``Name = number``, and the main figures last."""

    row_ends = staticmethod(row_ends)

    def comparison(self, comparison: Any, **how: Any) -> str:
        from .comparison import text

        return text(comparison, how.get("width"), how.get("shown"))

    def tables(self, content: Any) -> str:
        tables = [text_table(table).removeprefix("\n") for table in content.shown]
        return "\n".join(tables) + "".join([f"# {visible(line)}\n" for line in content.lines()])

    def write(self, run: Outcome, sentences: Any, write: Write, *, quiet: bool = False, **names: Any) -> None:
        """Write the report.

        ``names`` may have ``verbose`` (all counters), ``hints`` (options to try next), and ``screen``, width
        and height of a terminal, where many rows are replaced by the worst ones.
        """
        layout = layout_of(run)
        rows = _Rows(layout)
        screen = names.get("screen")
        # Nothing is written if the first sentence cannot be read.
        head = "" if quiet else layout.header()
        for chunk in sentences:
            text = rows.add(chunk)
            if screen is None:
                # An empty file is an error, without a header before it.
                waits = head and run.problem()
                if not waits:
                    write(head + text)
                head = head + text if waits else ""
        evaluation = run.evaluation()
        figures = (counters if names.get("verbose") else summary_lines)(evaluation)
        told = [f"# {visible(one.text)}" for one in notes(evaluation)]
        worst = rows.worst_numbers() if names.get("hints") and not quiet else None
        last = ["", *_last(evaluation, worst, screen[0] if screen else None)]
        if screen is not None:
            figures, told, last = [_folded(lines, screen[0]) for lines in (figures, told, last)]
        if screen is not None and rows.size > MOST_ROWS:
            for most in range(MOST_LABELS, LEAST_LABELS - 1, -1):
                below = [*_folded(_tables(evaluation, most), screen[0]), *last]
                lines = _fitted(rows, figures, told, below, screen)
                if _height(lines, screen[0]) < screen[1]:
                    break
        else:
            tables = _tables(evaluation)
            if screen is not None:
                tables = _folded(tables, screen[0])
                head += rows.first
            if not quiet:
                head += layout.totals(evaluation)
                if screen is not None:
                    table, hidden = _narrowed(head.splitlines(), screen[0])
                    more = [f" ... without {', '.join(hidden)}: -o r.txt"] if hidden else []
                    head = "".join([f"{line}\n" for line in (*table, *more)])
                write(f"{head}\n")
            lines = [*figures, *told, *tables, *last]
        write("".join([f"{line}\n" for line in lines]))


TEXT = Text()


class _Rows:
    """The first rows of a report, and the worst ones."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self.head = layout.header().splitlines()
        self.size = 0
        self.first = ""
        self._worst: list[tuple[int, int, str]] = []  # minus the errors, number and line

    def add(self, chunk: ChunkResult) -> str:
        """Add the next rows and return their text."""
        texts = []
        number = chunk.number
        for first, size, text, worst in chunk.rows:
            if first != number:
                text = _numbered(text, self._layout.number_place, first, number)
            for errors, index in worst:
                if len(self._worst) < WORST_ROWS or (errors, number + index) < self._worst[-1]:
                    self._worst.append((errors, number + index, text.split("\n")[index]))
                    self._worst = sorted(self._worst)[:WORST_ROWS]
            texts.append(text)
            number += size
        text = "".join(texts)
        if self.size < MOST_ROWS:
            self.first += text
        self.size += number - chunk.number
        return text

    def worst(self) -> list[str]:
        """Return the rows with most errors, worst first."""
        return [line for errors, _, line in self._worst if errors]

    def worst_numbers(self) -> list[int]:
        """Return the numbers of these rows."""
        return [number for errors, number, _ in self._worst if errors]

    def hint(self, shown: int, hidden: Sequence[str]) -> str:
        """Return the hint how to see all rows and columns."""
        worst = f"the {shown} worst of " if shown else ""
        also = f", without {', '.join(hidden)}:" if shown and hidden else "; all of them:"
        return f" ... {worst}{self.size} rows{also} --rows, or -o r.txt"


def _numbered(text: str, place: str, old: int, new: int) -> str:
    """Return lines numbered from ``old`` with numbers from ``new``."""
    lines = enumerate(text.splitlines())
    return "".join([f"{place % (new + k)}{line[len(place % (old + k)) :]}\n" for k, line in lines])


def _fitted(
    rows: _Rows, figures: list[str], notes: list[str], last: list[str], screen: tuple[int, int]
) -> list[str]:
    """Return the lines of a report on a terminal: as many worst rows and notes as it has room for."""
    width, height = screen
    table, hidden = _narrowed([*rows.head, *rows.worst()], width)
    head, worst = table[: len(rows.head)], table[len(rows.head) :]
    top = table if worst else []
    shown = [*top, rows.hint(len(worst), hidden), head[-1], "", *figures, *notes, *last]
    if _height(shown, width) < height:
        return shown
    figures, last = [list(filter(None, lines)) for lines in (figures, last)]
    room = height - 2 - _height([*figures, *last], width)  # the hint, and the prompt that follows
    if notes and _height(notes, width) > room:
        kept = max(0, min(LEAST_NOTES, room - 1))
        left = f"{len(notes) - kept} {'more ' if kept else ''}note{'s' if len(notes) - kept > 1 else ''}"
        notes = [*notes[:kept], f"# {'and ' if kept else ''}{left}: -o r.txt"]
    number = min(len(worst), max(0, room - _height([*notes, *head], width)))
    table = [*head, *worst[:number]] if number else []
    return [*table, rows.hint(number, hidden), *figures, *notes, *last]


def _height(lines: Sequence[str], width: int) -> int:
    """Return the number of lines of a terminal that some lines take."""
    return sum([max(1, -(-width_of(line) // width)) for line in lines])


def _folded(lines: Sequence[str], width: int) -> list[str]:
    return [piece for line in lines for piece in folded(line, width)]


def _narrowed(lines: list[str], width: int) -> tuple[list[str], list[str]]:
    """Return the lines of a table, without columns of blanks if too wide, and the titles that do not fit.

    >>> _narrowed(["ID     Len. S-IoU", "=" * 17, " 1        6   1.0"], 12)
    (['ID Len.', '=======', ' 1    6'], ['S-IoU'])
    """
    texts = [line for line in lines if not line.startswith("==")]
    size = max(map(len, texts))
    if size <= width:
        return lines, []
    blank = [all(not line[place : place + 1].strip() for line in texts) for place in range(size)]
    kept = [place for place in range(size) if not (place and blank[place] and blank[place - 1])]
    lines = ["".join([line[place : place + 1] for place in kept]) for line in lines]
    if len(kept) <= width:
        return lines, []
    # The line of sums is not below the columns, so columns are counted from the right.
    top = next(index for index, line in enumerate(lines) if line.startswith("=="))
    titles = lines[top - 1].split()
    for hidden in range(1, len(titles)):
        cut = [line.rsplit(None, hidden)[0] if line[:2] != "==" else "" for line in lines[top:]]
        end = max(map(len, cut))
        if end <= width:
            break
    below = [text or line[:end] for text, line in zip(cut, lines[top:])]
    return [*[line[:end].rstrip() for line in lines[:top]], *below], titles[-hidden:]


def _tables(evaluation: Evaluation, most_labels: int | None = None) -> list[str]:
    """Return the lines of the tables of references, labels and the error analysis."""
    record = evaluation.total
    lines = analysis_text(record, most_labels).splitlines()
    if "references" in record:
        from .references import reference_tables

        tables = reference_tables(evaluation.metrics, record)
        return [*"".join([text_table(table.titled()) for table in tables]).splitlines(), *lines]
    return lines


def _last(evaluation: Evaluation, worst: Sequence[int] | None, width: int | None) -> list[str]:
    """Return the main figures and the signature; with ``worst``, also what to do next."""
    hints = []
    lines: list[str] = []
    below: list[str] = []
    if worst is not None:
        named = ", ".join(map(str, worst[:WORST_NAMED]))
        hints = [f"worst: {named} (--view worst:{len(worst[:WORST_NAMED])})"] if named else []
        if "analysis" not in evaluation.total and evaluation.settings.has_trees:
            hints.append("causes: --analysis")
        below = [f"# {one.text}" for one in evaluation.claimed if one.place == "evalb"]
    for part in (*[one.text for one in main_figures(evaluation)], *hints):
        fits = not lines or len(lines[-1]) + 3 + len(part) <= (width or WIDTH)
        if not lines or (width and not fits):
            lines.append(part)
        elif fits or part not in hints:
            lines[-1] += f"   {part}"
    return [*lines, *below, f"# signature: {visible(evaluation.signature)}"]


def counters(evaluation: Evaluation) -> list[str]:
    """Return all counts and figures of an evaluation, evalb's in blocks, where 0/0 is 0.00."""
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
            name, value = item.text_name or item.line.name, number(item.line, item.line.value) or "-"
            parts.append(f"{name:<25} = {value:>6}\n")
    return "".join(parts).splitlines()


def _block(title: str, record: Record) -> str:
    """Return one part of evalb's summary, with no errors and no skipped sentences."""
    brackets, tags = record.brackets, record.tags
    matches = brackets.matched, brackets.gold, brackets.system, brackets.crossing
    shares = brackets.complete, brackets.no_crossing, brackets.two_or_less_crossing
    numbers = [brackets.sentences, 0, 0, *matches, tags.gold, tags.correct, *shares]
    text = block(title, numbers).decode()
    # evalb prints an F of 0/0 as -nan.
    return text.replace("= " + "-nan".rjust(6), f"= {0:6.2f}")
