"""Sums over all sentences that a page shows, and the sentences with most errors, collected in one pass."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from heapq import heappush, heapreplace
from operator import add
from typing import Any, TypeAlias

from ..base.counts import Matched, RunningSum
from ..errors.analysis import LENGTHS, AnalysisCounts, Confusion, analyse
from ..errors.causes import load_classes
from ..errors.metric import length_class, repair_codes
from ..metrics import Metric
from ..metrics.alignment import kind_of
from ..metrics.brackets import BracketCounts
from ..score.evaluation import WORST, Cells, figures_of
from ..score.sentence import SentenceResult
from ..settings.settings import Settings
from ..trees.answer import REPAIRS, Answer
from .html_data import COLUMNS, Row, row_of
from .verdict import NO_TREE, OTHER_WORDS, spelled

NOTHING = "∅"  # stands for the missing side of a word without counterpart

Interval: TypeAlias = "tuple[float, float] | None"

SHARE = 0.01  # of the gold constituents that a label needs to be drawn

ANSWER_STATES = ("valid", "around", "brackets", "cut", "none", "words")
"""Valid and faithful; text around the tree; other repairs; cut off inside its tree; no tree; other words."""

LISTED = 30  # maximum number of rows of a table of confusions

_Confusions: TypeAlias = "dict[tuple[str, str], array[int]]"
"""For each pair of a gold and a system text the number of the sentence, once for each occurrence."""


class _Counted:
    """A sentence whose counts are known."""

    def __init__(self, number: int, counts: AnalysisCounts) -> None:
        self.number, self.counts = number, counts

    def analysis_counts(self, classes: object = None) -> AnalysisCounts:
        return self.counts


class Findings:
    """Sums over all sentences of a run, and the ``worst`` of them; ``None`` keeps all."""

    def __init__(
        self,
        sentences: Iterable[SentenceResult],
        settings: Settings,
        metrics: Sequence[Metric],
        worst: int | None = WORST,
    ) -> None:
        self._classes = load_classes(settings.error_classes, lang=settings.lang)
        self._metrics = metrics
        answers: list[Any] = [one for one in metrics if one.name == "answers" and settings.answers]
        self._answers = next(iter(answers), None)
        self.seen = 0  # all sentences, also those that count nowhere
        self._worst = worst
        self._heap: list[tuple[int, int, Row]] = []
        self._tags: _Confusions = {}
        self._words: _Confusions = {}
        self._fan_outs: dict[int, list[int]] = {}
        self.figures = [figure for figure in figures_of(metrics, settings) if not figure.group]
        self._cells = Cells(self.figures)
        self._matched, self._constituents, self._lengths = array("q"), array("q"), array("b")
        self.brackets = BracketCounts()  # of the sentences as shown
        # By kind and name: sentence, numerator and denominator in turn
        self._parts: dict[tuple[str, str], array[int]] = {}
        self.kinds: dict[str, array[int]] = {}  # sentences by the kind of their bead
        self.answers: list[tuple[int, str, Answer]] = []  # of each: sentence, state and answer
        self.other_words: list[int] = []  # sentences whose answers have other words than gold
        # By length: answers by state, then gold and system constituents and matches of answers as written
        self.written: dict[int, Counter[str]] = {}
        self.analysis = analyse(self._counted(sentences), self._classes, lambda numbers: numbers)
        self.shown = [row for _, _, row in sorted(self._heap, key=lambda entry: -entry[1])]
        self.tags, self.words = _ranked(self._tags), _ranked(self._words)
        fan_outs = [(blocks, Matched(*counts)) for blocks, counts in sorted(self._fan_outs.items())]
        self.fan_outs = fan_outs if max(self._fan_outs, default=1) > 1 else []

    def _counted(self, sentences: Iterable[SentenceResult]) -> Iterator[_Counted]:
        """Collect everything from each sentence; yield those that the analysis counts."""
        sums = RunningSum(self.brackets)
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
            count_fan_outs(sentence, self._fan_outs)
            for gold, system in sentence.other_tags:
                self._tags.setdefault((gold[1], system[1]), array("q")).append(sentence.number)
            if "alignment" in record:
                self.kinds.setdefault(kind_of(sentence.pair), array("q")).append(sentence.number)
                for (gold_text, system_text), times in record["alignment"].differing.items():
                    key = gold_text or NOTHING, system_text or NOTHING
                    self._words.setdefault(key, array("q")).extend([sentence.number] * times)
            if self._answers and record["answers"].asked:
                self._add_answers(written)
            # In discontinuous mode an unreadable gold sentence counts nowhere.
            if record.beads.beads:
                counts = sentence.analysis_counts(self._classes)
                total = brackets.gold + brackets.system
                for cause, errors in counts.causes.items():
                    self._add("cause", cause, errors.brackets, total)
                for label, item in counts.labels.labels.items():
                    self._add("label", label, item.matched + item.system_matched, item.gold + item.system)
                yield _Counted(sentence.number, counts)
            self._keep(sentence, written)
            for one in (sentence, written):
                one.pair.forget()
        self.brackets = sums.total()

    def _repaired(self, sentence: SentenceResult) -> SentenceResult:
        """Return the result of a sentence whose answers are repaired."""
        if self._answers is None:
            return sentence
        pair = self._answers.repaired(sentence.pair)
        return sentence if pair is sentence.pair else sentence.with_pair(pair)

    def _add_answers(self, written: SentenceResult) -> None:
        sums = self.written.setdefault(self._lengths[-1], Counter())
        counts = written.record["answers"].strict
        sums.update(gold=counts.gold, system=counts.system, matched=counts.matched)
        for name, step in written.record["answers"].steps.items():
            self._add("step", name, 2 * step.matched, step.gold + step.system)
        for one in written.pair.system_sentences:
            if one.answer is not None:
                state = state_of(one.answer, written.record["answers"].faithful)
                self.answers.append((written.number, state, one.answer))
                if one.answer.reason is None and not written.record["answers"].faithful:
                    self.other_words.append(written.number)
                sums[state] += 1

    def _keep(self, sentence: SentenceResult, written: SentenceResult) -> None:
        """Keep the row of a sentence if it is one of the worst so far."""
        # Of sentences with equally many errors the first is the greatest in the heap, and stays.
        order = sentence.record.brackets.wrong(), -sentence.number
        full = self._worst is not None and len(self._heap) >= self._worst
        if full and (not self._worst or order < self._heap[0][:2]):
            return
        row = row_of(sentence, self._metrics, repair_codes(sentence.caused_steps(self._classes)))
        if self._answers:
            f1 = written.record["answers"].strict.f1
            row.cells[COLUMNS] = [*(row.cells[COLUMNS] or ()), None if f1 is None else round(10_000 * f1)]
        (heapreplace if full else heappush)(self._heap, (*order, row))

    def _add(self, kind: str, name: str, *counts: int) -> None:
        self._parts.setdefault((kind, name), array("q")).extend((self.seen - 1, *counts))

    def intervals(self, confidence: float) -> dict[tuple[str, str], Interval]:
        """Return the bootstrap intervals by kind and name; empty with one sentence, or very many.

        The kinds are ``figure``, ``length`` (F1 of a length class), ``cause`` (points of F1 lost, in [0, 1]),
        ``label`` (F1 of a label that has ``SHARE`` of the gold constituents), and ``step`` (F1 of answers
        after a repair and those before it).
        """
        if self.seen < 2:
            return {}
        from ..metrics.significance import MOST_RESAMPLED, intervals
        from ..metrics.unit_table import UnitTable

        if self.seen > MOST_RESAMPLED:
            return {}
        counts = {("figure", one.name): pair for one, pair in self._cells.columns().items()}
        columns, bottoms = [{key: pair[k] for key, pair in counts.items()} for k in (0, 1)]
        for wanted, length in enumerate(LENGTHS[: len(self.analysis.lengths)]):
            columns["length", length.name], bottoms["length", length.name] = (
                array("q", [number if of == wanted else 0 for number, of in zip(column, self._lengths)])
                for column in (self._matched, self._constituents)
            )
        gold = sum([item.counts.gold for item in self.analysis.labels])
        frequent = {item.label for item in self.analysis.labels if item.counts.gold >= SHARE * gold}
        for (kind, name), cells in self._parts.items():
            if kind == "label" and name not in frequent:
                continue
            top, bottom = (array("q", bytes(8 * self.seen)) for _ in range(2))
            for unit, over, under in zip(cells[::3], cells[1::3], cells[2::3]):
                top[unit], bottom[unit] = over, under
            columns[kind, name], bottoms[kind, name] = top, self._constituents if kind == "cause" else bottom
        written: Any = ("figure", "strict_answer_f1")
        for step in [("step", name) for name in REPAIRS if ("step", name) in columns]:
            for some in (columns, bottoms):
                some[step] = array("q", map(add, some[step], some[written]))
            written = step
        table = UnitTable(self.seen, [column for key in columns for column in (columns[key], bottoms[key])])
        return dict(zip(columns, intervals(table, confidence=confidence)))

    def defects(self) -> dict[str, list[int]]:
        """Return the sentences of each defect of the answers, by its name in :func:`.verdict.defects`."""
        found: dict[str, list[int]] = {name: [] for name in (*map(spelled, REPAIRS), NO_TREE, OTHER_WORDS)}
        for number, _, answer in self.answers:
            for name in [*map(spelled, answer.repairs)] if answer.reason is None else [NO_TREE]:
                found[name].append(number)
        found[OTHER_WORDS] = self.other_words
        return {name: numbers for name, numbers in found.items() if numbers}

    def wrong(self) -> list[int]:
        """Return the number of missed and extra constituents of each sentence."""
        return [total - matched for matched, total in zip(self._matched, self._constituents)]

    def median_f1(self) -> float | None:
        """Return the median of the sentences' own F1; ``None`` without constituents."""
        known = sorted([top / bottom for top, bottom in zip(self._matched, self._constituents) if bottom])
        return known[len(known) // 2] if known else None


_AROUND = {"characters", "escapes", "fence", "end_mark", "prefix", "prose", "several"}


def state_of(answer: Answer, faithful: int) -> str:
    """Return the state of an answer: one of ``ANSWER_STATES``."""
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


def _ranked(confusions: _Confusions) -> list[Confusion]:
    """Return the confusions, most frequent first, then by gold."""
    ranked = [
        Confusion(gold, system, len(numbers), array("q", dict.fromkeys(numbers)))
        for (gold, system), numbers in confusions.items()
    ]
    return sorted(ranked, key=lambda item: (-item.count, item.gold, item.system))


def count_fan_outs(sentence: SentenceResult, fan_outs: dict[int, list[int]]) -> None:
    """Add a sentence to the numbers of gold, system and matched constituents by number of blocks."""
    brackets = sentence.record.brackets
    sizes = [(1, (brackets.gold, brackets.system, brackets.matched))]
    if sentence.pair.has_gaps:
        sizes = [
            *[(len(item.blocks), (1, 1, 1)) for item, _ in sentence.matched],
            *[(len(item.blocks), (1, 0, 0)) for item in sentence.missed],
            *[(len(item.blocks), (0, 1, 0)) for item in sentence.extra],
        ]
    for blocks, numbers in sizes:
        counts = fan_outs.setdefault(blocks, [0, 0, 0])
        for index, number in enumerate(numbers):
            counts[index] += number
