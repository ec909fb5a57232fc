"""Sums over the sentences of one system that its page shows, and the sentences that its lists show first."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappush, heapreplace
from operator import add
from typing import Any

from ..base.counts import RunningSum
from ..comparison.labels import label_figure
from ..errors.analysis import LENGTHS, AnalysisCounts, analyse
from ..errors.causes import load_classes
from ..errors.metric import CAUSES_GROUP, ErrorAnalysis, length_class, repair_codes
from ..metrics import LENGTHS_GROUP, Figure, Metric
from ..metrics.brackets import BracketCounts
from ..metrics.significance import CONFIDENCE
from ..score.evaluation import WORST, Cells, figures_of
from ..score.sentence import SentenceResult
from ..settings.settings import Settings
from ..trees.answer import REPAIRS, Answer
from .rows import Row, row_of

STATES = {
    "valid": "tree as written",
    "around": "text around the tree",
    "brackets": "wrong brackets",
    "cut": "cut off",
    "none": "no tree",
    "words": "other words",
}
"""States of answers, with their names; an answer in the state ``valid`` has the words of gold, too."""

NO_TREE, OTHER_WORDS = "no tree at all", "other words than gold"  # defects that are no repairs

LISTED = 200  # sentences of each cause, length, label and defect that a page keeps at least

_AROUND = {"characters", "escapes", "fence", "end_mark", "prefix", "prose", "several"}


class _Counted:
    """A sentence whose counts are known."""

    def __init__(self, number: int, counts: AnalysisCounts) -> None:
        self.number, self.counts = number, counts

    def analysis_counts(self, classes: object = None) -> AnalysisCounts:
        return self.counts


class Kept:
    """The rows of the sentences that lists show first: the clearest of all, and of each group."""

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._heaps: dict[str, list[tuple[float, int]]] = {}
        self._uses: Counter[int] = Counter()
        self._rows: dict[int, Row] = {}

    def wants(self, number: int, length: int, groups: Mapping[str, int]) -> bool:
        """Return True if a sentence is among the first of a list so far.

        ``groups`` has its wrong brackets by list; the name of the list of all is empty.
        """
        for name, wrong in groups.items():
            most = self._most if not name else LISTED
            heap = self._heaps.setdefault(name, [])
            # Of equally clear sentences the first stays.
            entry = clearness(wrong, length), -number
            if most is None or len(heap) < most:
                heappush(heap, entry)
            elif most and entry > heap[0]:
                self._drop(-heapreplace(heap, entry)[1])
            else:
                continue
            self._uses[number] += 1
        return number in self._uses

    def _drop(self, number: int) -> None:
        self._uses[number] -= 1
        if not self._uses[number]:
            del self._uses[number]
            self._rows.pop(number, None)

    def keep(self, number: int, row: Row) -> None:
        """Keep the row of a sentence that is wanted."""
        self._rows[number] = row

    def rows(self) -> list[Row]:
        """Return the rows in the order of the sentences."""
        return [row for _, row in sorted(self._rows.items())]


def clearness(wrong: int, length: int) -> float:
    """Return the order of lists: wrong brackets for the length; those of fewer than five words come last."""
    return wrong / (length + 10) - (length < 5)


class Collected:
    """Sums over all sentences of a run, in one pass, and the sentences that are kept; ``None`` keeps all."""

    def __init__(
        self,
        sentences: Iterable[SentenceResult],
        settings: Settings,
        metrics: Sequence[Metric],
        worst: int | None = WORST,
    ) -> None:
        self._settings, self._metrics = settings, metrics
        self._classes = load_classes(settings.error_classes, lang=settings.lang)
        answers: list[Any] = [one for one in metrics if one.name == "answers" and settings.answers]
        self._answers = next(iter(answers), None)
        self.seen = 0  # all sentences, also those that count nowhere
        self._kept = Kept(worst) if worst != 0 else None
        self.figures = [figure for figure in figures_of(metrics, settings) if not figure.group]
        self._cells = Cells(self.figures)
        self._matched, self._constituents, self._lengths = array("q"), array("q"), array("b")
        # By kind and name: sentence, numerator and denominator in turn
        self._parts: dict[tuple[str, str], array[int]] = {}
        self.answers: list[tuple[int, str, Answer]] = []  # of each: sentence, state and answer
        self.defects: dict[str, list[int]] = {}  # sentences of each repair and of other defects
        # By length: answers by state, then gold and system constituents and matches of answers as written
        self.written: dict[int, Counter[str]] = {}
        sums = RunningSum(BracketCounts())
        self.analysis = analyse(self._counted(sentences, sums), self._classes)
        self.brackets = sums.total()  # of the sentences as shown
        self.rows = [] if self._kept is None else self._kept.rows()

    def _counted(
        self, sentences: Iterable[SentenceResult], sums: RunningSum[BracketCounts]
    ) -> Iterator[_Counted]:
        """Collect everything from each sentence; yield those that the analysis counts."""
        for written in sentences:
            self.seen += 1
            self._cells.add(written.record)
            # Of answers the page shows the repaired trees.
            sentence = self._repaired(written)
            record = sentence.record  # made on demand
            brackets = record.brackets
            sums.add(brackets)
            self._matched.append(2 * brackets.matched)
            self._constituents.append(brackets.gold + brackets.system)
            self._lengths.append(length_class(record.beads.length))
            wrong = brackets.wrong()
            groups = {"": wrong, f"length {self._lengths[-1]}": wrong}
            if self._answers and written.record["answers"].asked:
                groups |= dict.fromkeys(self._add_answers(written), wrong)
            # In discontinuous mode an unreadable gold sentence counts nowhere.
            if record.beads.beads:
                counts = sentence.analysis_counts(self._classes)
                total = brackets.gold + brackets.system
                for cause, errors in counts.causes.items():
                    self._add("cause", cause, errors.brackets, total)
                    groups[f"cause {cause}"] = errors.brackets
                for label, item in counts.labels.labels.items():
                    matched, both = item.matched + item.system_matched, item.gold + item.system
                    pair = (item.matched, item.gold) if self._settings.unlabeled else (matched, both)
                    self._add("label", label, *pair)
                    if matched < both:
                        groups[f"label {label}"] = both - matched
                yield _Counted(sentence.number, counts)
            if self._kept and self._kept.wants(sentence.number, record.beads.length, groups):
                codes = repair_codes(sentence.caused_steps(self._classes))
                self._kept.keep(sentence.number, row_of(sentence, codes))
            for one in (sentence, written):
                one.pair.forget()

    def _repaired(self, sentence: SentenceResult) -> SentenceResult:
        """Return the result of a sentence whose answers are repaired."""
        if self._answers is None:
            return sentence
        pair = self._answers.repaired(sentence.pair)
        return sentence if pair is sentence.pair else sentence.with_pair(pair)

    def _add_answers(self, written: SentenceResult) -> list[str]:
        """Collect the answers of a sentence; return their states and defects."""
        number, counts = written.number, written.record["answers"]
        sums = self.written.setdefault(self._lengths[-1], Counter())
        sums.update(gold=counts.strict.gold, system=counts.strict.system, matched=counts.strict.matched)
        for name, step in counts.steps.items():
            self._add("step", name, 2 * step.matched, step.gold + step.system)
        groups = []
        for one in written.pair.system_sentences:
            if one.answer is None:
                continue
            state = state_of(one.answer, counts.faithful)
            self.answers.append((number, state, one.answer))
            sums[state] += 1
            names = [name.replace("_", " ") for name in one.answer.repairs]
            if one.answer.reason is not None:
                names = [NO_TREE]
            elif not counts.faithful:
                names.append(OTHER_WORDS)
            for name in names:
                self.defects.setdefault(name, []).append(number)
            groups += [f"state {state}", *names]
        return groups

    def _add(self, kind: str, name: str, *counts: int) -> None:
        self._parts.setdefault((kind, name or "()"), array("q")).extend((self.seen - 1, *counts))

    def measures(self, total: Any) -> tuple[list[Figure], dict[str, float | None]]:
        """Return all figures and their values: those of the run, then causes, lengths and labels."""
        shown = [one for one in self.figures if one.title and one.shown(total)]
        values = {one.name: one.value(total) for one in shown}
        known = {(one.group, one.title): one for one in ErrorAnalysis.figures}
        wrong = self.brackets.gold + self.brackets.system
        for cause in self.analysis.causes:
            shown.append(known[CAUSES_GROUP, cause.cause])
            values[shown[-1].name] = cause.brackets / wrong if wrong else None
        for length in self.analysis.lengths:
            shown.append(known[LENGTHS_GROUP, length.name])
            values[shown[-1].name] = length.brackets.f1
        for item in self.analysis.labels:
            figure = label_figure(item.label, unlabeled=self._settings.unlabeled)
            shown.append(figure)
            values[figure.name] = item.counts.recall if self._settings.unlabeled else item.counts.f1
        return shown, values

    def intervals(
        self, figures: Sequence[Figure], confidence: float = CONFIDENCE
    ) -> dict[str, tuple[float, float] | None]:
        """Return the bootstrap intervals of figures, and of F1 after the repairs of answers.

        Empty with few sentences, or very many.
        """
        from ..metrics.significance import LEAST_UNITS, MOST_RESAMPLED, intervals
        from ..metrics.unit_table import UnitTable

        if not LEAST_UNITS <= self.seen <= MOST_RESAMPLED:
            return {}
        columns, bottoms = (
            {one.name: pair[k] for one, pair in self._cells.columns().items()} for k in (0, 1)
        )
        for wanted, length in enumerate(LENGTHS[: len(self.analysis.lengths)]):
            columns[f"length_{length.shortest}"], bottoms[f"length_{length.shortest}"] = (
                array("q", [number if of == wanted else 0 for number, of in zip(column, self._lengths)])
                for column in (self._matched, self._constituents)
            )
        named = {("cause" if one.group == CAUSES_GROUP else "label", one.title): one for one in figures}
        for (kind, title), cells in self._parts.items():
            figure = named.get((kind, title))
            if figure is None and kind != "step":
                continue
            name = f"step {title}" if figure is None else figure.name
            top, bottom = (array("q", bytes(8 * self.seen)) for _ in range(2))
            for unit, over, under in zip(cells[::3], cells[1::3], cells[2::3]):
                top[unit], bottom[unit] = over, under
            columns[name], bottoms[name] = top, self._constituents if kind == "cause" else bottom
        written = "strict_answer_f1"
        for step in [f"step {name}" for name in REPAIRS if f"step {name}" in columns]:
            for some in (columns, bottoms):
                some[step] = array("q", map(add, some[step], some[written]))
            written = step
        table = UnitTable(self.seen, [column for key in columns for column in (columns[key], bottoms[key])])
        return dict(zip(columns, intervals(table, confidence=confidence)))


def state_of(answer: Answer, faithful: int) -> str:
    """Return the state of an answer: one of :data:`STATES`."""
    if answer.reason is not None:
        return "none"
    if answer.truncated:
        return "cut"
    if answer.repairs:
        return "around" if _AROUND.intersection(answer.repairs) else "brackets"
    return "valid" if faithful else "words"


def pieces(raw: str, text: str) -> list[tuple[str, str]]:
    """Return what repairs keep (``=``), drop (``-``) and add (``+``) of an answer, in order.

    >>> pieces("Tree: (S (N a)", "(S (N a))")
    [('-', 'Tree: '), ('=', '(S (N a)'), ('+', ')')]
    """
    from difflib import SequenceMatcher

    sides = [re.findall(r"\s+|[()\[\]]|[^\s()\[\]]+", one) for one in (raw, text)]
    first_keys, second_keys = ([" " if one.isspace() else one for one in side] for side in sides)
    found: list[tuple[str, str]] = []
    for kind, *ends in SequenceMatcher(None, first_keys, second_keys, autojunk=False).get_opcodes():
        first, last, begin, end = ends
        parts = [("=" if kind == "equal" else "-", sides[0][first:last])]
        parts += [("+", sides[1][begin:end])] if kind != "equal" else []
        found += [(sign, "".join(tokens)) for sign, tokens in parts if tokens]
    return found
