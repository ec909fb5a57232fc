"""The text report: rows of sentences and a summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from ..alignment.pair import EXCLUDED, EXTRA, MISSING, NO_PARSE, SHORT, UNREADABLE
from ..base.text import folded, visible, width_of
from ..claims.notes import main_figures, notes
from ..legacy.engine import block
from ..metrics import Figure
from ..metrics.brackets import COMPLETE, CROSSING, F1, PRECISION, RECALL, SENTENCE_F1, TAGS
from ..metrics.record import Record, picked_rows
from ..score.evaluation import Evaluation
from ..score.outcome import ChunkResult, Outcome, Scoring
from ..score.sentence import SentenceResult
from ..settings.settings import DEFAULT_METRICS
from . import Format, Write
from .sheet import analysis_text, reference_tables, sections
from .table import Layout, layout_of, matches_of, number, percent, text_table

_OF_ERRORS = "brackets.matched", "brackets.gold", "brackets.system"
MOST_ROWS = 50  # maximum number of rows on a terminal; of more, the worst ones are shown
WORST_ROWS, WORST_NAMED = 5, 3  # number of worst sentences among the rows, and in the last lines
LEAST_NOTES, LEAST_LABELS, MOST_LABELS = 2, 2, 5  # numbers of notes and rows by label on a small terminal
WIDTH = 100  # of the last lines in a file, if possible

TextBatch: TypeAlias = tuple[int, int, str, list[tuple[int, int]]]
"""Lines of consecutive sentences: the assumed number of the first one (wrong after missing or added ones),
how many there are, their text, and the negative number of errors and the index of the worst sentences."""


def row_ends(results: Sequence[SentenceResult], run: Scoring) -> list[TextBatch]:
    counts = picked_rows([one.record for one in results], _OF_ERRORS)
    errors = [2 * matched - gold - system for matched, gold, system in counts]
    order = sorted(range(len(errors)), key=errors.__getitem__)
    worst = [(errors[index], index) for index in order[:WORST_ROWS]]
    return [(results[0].number, len(errors), layout_of(run).lines(results), worst)]


class Text(Format):
    """One line per sentence, every figure as ``Name = number``, and the main figures last."""

    row_ends = staticmethod(row_ends)

    def comparison(self, comparison: Any, **how: Any) -> str:
        from .comparison import text

        return text(comparison, how.get("width"), how.get("shown"))

    def tables(self, content: Any, **how: Any) -> str:
        tables = [text_table(table).removeprefix("\n") for table in content.shown]
        return "\n".join(tables) + "".join([f"# {visible(line)}\n" for line in content.lines()])

    def write(self, run: Outcome, sentences: Any, write: Write, *, quiet: bool = False, **names: Any) -> None:
        """Write the report; ``names`` may have ``verbose`` (all counters), ``hints`` (options to try next),
        and ``screen``, width and height of a terminal, where many rows are replaced by the worst ones.
        """
        layout = layout_of(run)
        rows = _Rows(layout)
        screen = names.get("screen")
        width = screen[0] if screen else None
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
        worst = list(rows.worst()) if names.get("hints") and not quiet else None
        last = ["", *_last(evaluation, worst, width)]
        figures, told, last = [_folded(lines, width) for lines in (figures, told, last)]
        if screen is not None and rows.size > MOST_ROWS:
            for most in range(MOST_LABELS, LEAST_LABELS - 1, -1):
                below = [*_folded(_tables(evaluation, most), width), *last]
                lines = _fitted(rows, figures, told, below, screen)
                if _height(lines, screen[0]) < screen[1]:
                    break
        else:
            if width is not None and not quiet:
                every = f"{head}{rows.first}{layout.totals(evaluation)}"
                table, hidden = _narrowed(every.splitlines(), width)
                more = [f" ... without {', '.join(hidden)}: -o r.txt"] if hidden else []
                write("".join([f"{line}\n" for line in (*table, *more, "")]))
            elif not quiet:
                write(f"{head}{layout.totals(evaluation)}\n")
            lines = [*figures, *told, *_folded(_tables(evaluation), width), *last]
        write("".join([f"{line}\n" for line in lines]))


TEXT = Text()


class _Rows:
    """The first rows of a report, and the worst ones."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.size = 0
        self.first = ""
        self._worst: list[tuple[int, int, str]] = []  # minus the errors, number and line

    def add(self, chunk: ChunkResult) -> str:
        texts = []
        number = chunk.number
        for first, size, text, worst in chunk.rows:
            if first != number:
                # The lines get other numbers.
                place = self.layout.number_place
                lines = [line[len(place % k) :] for k, line in enumerate(text.splitlines(), first)]
                text = "".join([f"{place % k}{line}\n" for k, line in enumerate(lines, number)])
            lines = text.split("\n")
            found = [(errors, number + index, lines[index]) for errors, index in worst]
            self._worst = sorted([*self._worst, *found])[:WORST_ROWS]
            texts.append(text)
            number += size
        text = "".join(texts)
        if self.size < MOST_ROWS:
            self.first += text
        self.size += number - chunk.number
        return text

    def worst(self) -> dict[int, str]:
        """Return the rows with most errors by their numbers, worst first."""
        return {number: line for errors, number, line in self._worst if errors}

    def hint(self, shown: int, hidden: Sequence[str]) -> str:
        """Return the hint how to see all rows and columns."""
        worst = f"the {shown} worst of " if shown else ""
        also = f", without {', '.join(hidden)}:" if shown and hidden else "; all of them:"
        return f" ... {worst}{self.size} rows{also} --rows, or -o r.txt"


def _fitted(
    rows: _Rows, figures: list[str], notes: list[str], last: list[str], screen: tuple[int, int]
) -> list[str]:
    """Return the lines of a report on a terminal: as many worst rows and notes as it has room for."""
    width, height = screen
    head = rows.layout.header().splitlines()
    table, hidden = _narrowed([*head, *rows.worst().values()], width)
    head, worst = table[: len(head)], table[len(head) :]
    shown = [*(table if worst else ()), rows.hint(len(worst), hidden), head[-1], "", *figures, *notes, *last]
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


def _folded(lines: Sequence[str], width: int | None) -> list[str]:
    return [piece for line in lines for piece in ([line] if width is None else folded(line, width))]


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
    texts = [text_table(table.titled()) for table in reference_tables(evaluation)]
    return "".join([*texts, analysis_text(evaluation.total, most_labels)]).splitlines()


def _last(evaluation: Evaluation, worst: Sequence[int] | None, width: int | None) -> list[str]:
    """Return the main figures and the signature; with ``worst``, also what to do next."""
    hints, below = [], []
    lines: list[str] = []
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
        short = _block(f"len<={evaluation.cutoff_length}", evaluation.cutoff)
        parts += [_block("All", evaluation.total), short]
        # evalb's block lacks some of them.
        others[0] = others[0]._replace(lines=(*first.lines, *others[0].lines))
    else:
        others.insert(0, first)
    for section in others:
        parts.append(f"\n-- {section.title} --\n")
        for item in section.lines:
            if "text" in item.reports:
                value = number(item.line, item.line.value) or "-"
                parts.append(f"{item.text_name or item.line.name:<25} = {value:>6}\n")
    return "".join(parts).splitlines()


def _block(title: str, record: Record) -> str:
    """Return one part of evalb's summary, with no errors and no skipped sentences."""
    brackets, tags = record.brackets, record.tags
    matches = brackets.matched, brackets.gold, brackets.system, brackets.crossing
    shares = brackets.complete, brackets.no_crossing, brackets.two_or_less_crossing
    numbers = [brackets.sentences, 0, 0, *matches, tags.gold, tags.correct, *shares]
    # evalb prints an F of 0/0 as -nan.
    return block(title, numbers).decode().replace("= " + "-nan".rjust(6), f"= {0:6.2f}")


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
    cutoffs = [*evaluation.more_cutoffs, (evaluation.cutoff_length, evaluation.cutoff)]
    columns = [("All", evaluation.total), *[(f"len<={length}", record) for length, record in cutoffs]]
    records = [record for _, record in columns]
    widths = [max(6, len(title)) for title, _ in columns]
    rows = [*_answers(records), *_sizes(evaluation, records), *_figures(evaluation, records)]
    lines = [
        f"{'=== Summary ===':<{NAME + 3}}{_joined([title for title, _ in columns], widths)}",
        *[_line(row, widths) for row in rows],
    ]
    for title, heads, rows in _rated_tables(evaluation.total):
        widths = [9] * len(heads)
        head = f"-- {title} --".ljust(NAME + 3) + _joined(heads, widths)
        lines += ["", head, *[_line(row, widths) for row in rows]]
    return lines


def _line(row: Row, widths: Sequence[int]) -> str:
    name, cells, note = row
    return f"{name:<{NAME}} = {_joined(cells, widths)}{note and f'   {note}'}"


def _joined(cells: Sequence[str | None], widths: Sequence[int]) -> str:
    return "  ".join([f"{cell or '-':>{width}}" for cell, width in zip(cells, widths)])


def _of_answers(record: Record) -> bool:
    return "answers" in record and bool(record["answers"].asked)


def _figures(evaluation: Evaluation, records: Sequence[Record]) -> Iterator[Row]:
    """Yield the lines of brackets and tags, then those of other metrics."""
    of_brackets: tuple[Figure, ...] = (
        (SENTENCE_F1, RECALL, PRECISION, F1, COMPLETE)
        if any(metric.spans_only for metric in evaluation.metrics)
        else (RECALL, PRECISION, F1, SENTENCE_F1, COMPLETE, CROSSING, TAGS)
    )
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
        of_system = total["segmentation"].tokens.system if "segmentation" in total else words
        note = f"{of_system} of the system" if of_system != words else ""
        yield "Words", [str(record.tags.gold) for record in records], note


def _rated_tables(total: Record) -> Iterator[tuple[str, Sequence[str], list[Row]]]:
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
