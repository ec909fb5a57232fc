"""Sentences of a page: sums of one system, those that lists show first, and their rows for the script."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from heapq import heappush, heapreplace
from operator import add, lt
from typing import Any, NamedTuple

from ..base.counts import RunningSum
from ..base.text import right_to_left
from ..comparison.sources import label_figure
from ..errors.analysis import LENGTHS, Analysis, AnalysisCounts, ErrorAnalysis, length_class
from ..errors.causes import load_classes
from ..errors.corrections import correction_codes
from ..kernels.columns import Columns, bracket_text
from ..metrics import CAUSES_GROUP, Figure, Metric
from ..metrics.brackets import BracketCounts
from ..metrics.significance import CONFIDENCE, LEAST_UNITS, MOST_RESAMPLED, intervals
from ..metrics.unit_table import UnitTable
from ..score.evaluation import Cells, figures_of
from ..score.sentence import SentenceResult
from ..settings.settings import Settings
from ..trees.sentence import REPAIRS, Answer

FIELDS = (
    *("number", "goldFirst", "goldEnd", "systemFirst", "systemEnd", "length", "gold", "system", "matched"),
    *("goldTree", "systemTree", "goldWords", "corrections", "rightToLeft", "pairs", "systemWords", "units"),
    *("notes", "id"),
)
"""The fields of a sentence's row, in order; zeros at its end are left out.

- ``goldWords``: the words joined by blanks, or a list if a word contains a blank; ``goldTree``: text of
  :func:`tree_text`.  ``systemWords`` and ``systemTree`` are 0 if they equal those of gold.
- ``units``: numbers of gold and system tokens in turn; 0 if all are one.
- ``pairs``: matching nodes as runs of gold node, system node and length; 0 if the k-th matched constituent
  of gold belongs to the k-th one of the system, and tags to the words that are aligned one to one.
- ``notes``: why a sentence has no parse; 0 for none.
- ``corrections``: text of :func:`jpevalb.errors.corrections.correction_codes`; 0 for none.
- ``id``: the id of gold, or else of the system; 0 for none.
"""

_GOLD_TREE = FIELDS.index("goldTree")
_NUMBERS = ("sentences.length", "brackets.gold", "brackets.system", "brackets.matched")


class SentenceRow(NamedTuple):
    """A sentence's row without the texts of its trees, for which the labels of all rows are numbered."""

    cells: list[Any]
    trees: list[tuple[Columns, tuple[str, ...], dict[int, str]]]  # both trees, their labels and marks

    def complete(self, numbers: defaultdict[str, str]) -> list[Any]:
        """Return the cells with the texts of the trees; ``numbers`` gives a new label the next number."""
        gold, system = [
            tree_text(tree, [numbers[label] for label in labels], marks) for tree, labels, marks in self.trees
        ]
        row = list(self.cells)
        row[_GOLD_TREE : _GOLD_TREE + 2] = gold, 0 if gold == system else system
        while row[-1] == 0:
            row.pop()
        return row


def tree_text(tree: Columns, labels: list[str], marks: Mapping[int, str]) -> str:
    """Return a tree as brackets without blanks: the label of each node, its mark, and a dot for each word.

    In a tree with gaps, a colon and the index of the word stand before the dot.  ``labels`` gets the marks.
    """
    for node, mark in marks.items():
        labels[node] += mark
    words = [f":{index}." for index in range(tree.words)] if tree.gaps else ["."] * tree.words
    return str(bracket_text(tree, words, labels, ""))


def row_of(sentence: SentenceResult, corrections: str) -> SentenceRow:
    """Return the row of a sentence, given the codes of its corrections."""
    gold, system, bead = sentence.gold, sentence.system, sentence.bead
    numbers = sentence.record.picked(_NUMBERS)
    same_words = gold.words == system.words
    sizes = [
        size
        for unit in (() if same_words else sentence.pair.all_units)
        for size in (unit.gold_end - unit.gold_start, unit.system_end - unit.system_start)
    ]
    notes = [
        # Errors in a file name it and the line, those of a list the side and the sentence.
        item.error
        if item.error.startswith(item.side)
        else f"{item.side} sentence {item.number}: {item.error}"
        for item in sentence.unparsed
    ]
    cells = [
        *(sentence.number, *bead.gold, *bead.system, *numbers),
        *("", ""),  # the trees
        *(_words(gold.words), corrections or 0, int(right_to_left(gold.words or system.words))),
        *(_pairs(sentence), 0 if same_words else _words(system.words)),
        *(0 if all(size == 1 for size in sizes) else sizes, notes or 0),
        next((one.id for one in (gold, system) if one.id is not None), 0),
    ]
    trees = [(tree.columns, tree.labels, of_tree) for tree, of_tree in zip((gold, system), sentence.marks())]
    return SentenceRow(cells, trees)


def _words(words: Sequence[str]) -> str | list[str]:
    text = " ".join(words)
    return text if text.split(" ") == list(words) else list(words)


def _pairs(sentence: SentenceResult) -> int | list[int]:
    """Return the matching nodes as runs of gold node, system node and length."""
    match = sentence.pair.matching
    of_gold, of_system = [side.nodes for side in match.sides]
    columns = [of_gold, of_system, [partner for partner in match.partners if partner >= 0]]
    if columns == list(map(sorted, columns)):
        return 0
    pairs = zip(of_gold, match.partners)
    matched = sorted([(node, of_system[partner]) for node, partner in pairs if partner >= 0])
    others = [other for _, other in matched]
    if all(map(lt, others, others[1:])):
        return 0
    gold, system = sentence.gold, sentence.system
    gold_tags, system_tags = gold.preterminals, system.preterminals
    for unit in sentence.units:
        if unit.gold_end - unit.gold_start == unit.system_end - unit.system_start == 1:
            pair = gold.word_parents[unit.gold_start], system.word_parents[unit.system_start]
            if gold_tags[pair[0]] and system_tags[pair[1]]:
                matched.append(pair)
    runs: list[int] = []
    following = None
    for node, other in sorted(matched):
        if (node, other) == following:
            runs[-1] += 1
        else:
            runs += node, other, 1
        following = node + 1, other + 1
    return runs


NO_TREE, OTHER_WORDS = "no tree at all", "other words than gold"  # defects that are no repairs

LISTED = 200  # sentences of each cause, length, label and defect that a page keeps at least

_NAMES = {one.title: one.name for one in ErrorAnalysis.figures if one.group == CAUSES_GROUP}


class Kept:
    """What pages keep of the sentences that lists show first: the clearest of all, and of each group.

    The list of all keeps ``most`` sentences; with ``None`` it keeps all.
    """

    def __init__(self, most: int | None) -> None:
        self._most = most
        # By list: clearness, minus the number of the sentence, and what is kept of it
        self._heaps: dict[str, list[tuple[float, int, Any]]] = {}

    def add(self, number: int, length: int, groups: Mapping[str, int], make: Callable[[], Any]) -> None:
        """Keep the data of a sentence, if the sentence is among the first of a list so far.

        ``groups`` has its wrong brackets by list; the name of the list of all is empty.
        """
        made = None
        for name, wrong in groups.items():
            most = LISTED if name else self._most
            heap = self._heaps.setdefault(name, [])
            # Of equally clear sentences the first stays.
            order = clearness(wrong, length), -number
            is_full = most is not None and len(heap) >= most
            if not is_full or (heap and order > heap[0][:2]):
                made = made or make()
                (heapreplace if is_full else heappush)(heap, (*order, made))

    def rows(self) -> list[Any]:
        """Return what is kept, in the order of the sentences."""
        kept = {-minus: made for heap in self._heaps.values() for _, minus, made in heap}
        return [kept[number] for number in sorted(kept)]


def clearness(wrong: int, length: int) -> float:
    """Return the order of lists: wrong brackets for the length; those of fewer than five words come last."""
    return wrong / (length + 10) - (length < 5)


class Collected:
    """Sums over all sentences of a run, in one pass, and the rows of the sentences that are kept.

    The list of all keeps the ``worst`` sentences, with ``None`` all; with 0 the page has no lists.
    """

    def __init__(
        self,
        sentences: Iterable[SentenceResult],
        settings: Settings,
        metrics: Sequence[Metric],
        worst: int | None,
    ) -> None:
        self._settings = settings
        self._classes = load_classes(settings.error_classes, lang=settings.lang)
        known: Any = {one.name: one for one in metrics} if settings.answers else {}
        self._answers = known.get("answers")
        self.seen = 0  # all sentences, also those that count nowhere
        self._kept = Kept(worst)
        self.figures = [figure for figure in figures_of(metrics, settings) if not figure.group]
        self._cells = Cells(self.figures)
        self._brackets = array("q")  # of gold and the system, for each sentence
        # By the name of a figure: sentence, numerator and denominator in turn
        self._parts: defaultdict[str, list[int]] = defaultdict(list)
        self.causes: Counter[str] = Counter()  # sentences of each cause
        self.answers: list[tuple[int, str, Answer]] = []  # of each: sentence, state and answer
        self.defects: dict[str, list[int]] = {}  # sentences of each repair and of other defects
        # By length: answers by state, then gold and system constituents and matches of answers as written
        self.written: dict[int, Counter[str]] = {}
        numbers = tuple([f"brackets.{name}" for name in BracketCounts.__match_args__])
        sums, analyses = [0] * len(numbers), RunningSum(AnalysisCounts())
        for written in sentences:
            # Of answers the page shows the repaired trees.
            pair = self._answers.repaired(written.pair) if self._answers else written.pair
            sentence = written if pair is written.pair else written.with_pair(pair)
            self._cells.add(written.record)
            sums = list(map(add, sums, sentence.record.picked(numbers)))
            groups = self._groups(sentence, written, analyses)
            if worst != 0:
                self._kept.add(sentence.number, sentence.length, groups, partial(self._row, sentence))
            sentence.pair.forget()
            self.seen += 1
        self.brackets = BracketCounts(*sums)  # of the sentences as shown
        self.analysis = Analysis.of(analyses.total())
        self.rows: list[SentenceRow] = self._kept.rows()

    def _row(self, sentence: SentenceResult) -> SentenceRow:
        return row_of(sentence, correction_codes(sentence.corrections(self._classes)))

    def _groups(
        self, sentence: SentenceResult, written: SentenceResult, analyses: RunningSum[AnalysisCounts]
    ) -> dict[str, int]:
        """Count a sentence; return its wrong brackets in each list that it belongs to."""
        words, gold, system, matched = sentence.record.picked(_NUMBERS)
        wrong, every, length = gold + system - 2 * matched, gold + system, length_class(words)
        self._brackets.append(every)
        self._add(f"length_{LENGTHS[length].shortest}", 2 * matched, every)
        groups = {"": wrong, f"length {length}": wrong}
        if self._answers and written.record["answers"].asked:
            groups |= dict.fromkeys(self._add_answers(written, length), wrong)
        # Where words must agree, an unreadable gold sentence counts nowhere.
        if sentence.record.picked(("sentences.groups",))[0]:
            counts = sentence.analysis_counts(self._classes)
            analyses.add(counts)
            for cause, errors in counts.causes.items():
                self.causes[cause] += 1
                self._add(_NAMES[cause], errors.brackets, every)
                groups[f"cause {cause}"] = errors.brackets
            for label, item in counts.labels.labels.items():
                matched, both = item.matched + item.system_matched, item.gold + item.system
                self._add(
                    f"label_{label}",
                    *((item.matched, item.gold) if self._settings.unlabeled else (matched, both)),
                )
                if matched < both:
                    groups[f"label {label}"] = both - matched
        return groups

    def _add_answers(self, written: SentenceResult, length: int) -> list[str]:
        """Count the answers of a sentence; return their states and defects."""
        number, counts = written.number, written.record["answers"]
        sums = self.written.setdefault(length, Counter())
        sums.update(gold=counts.strict.gold, system=counts.strict.system, matched=counts.strict.matched)
        for name, step in counts.steps.items():
            self._add(f"step {name}", 2 * step.matched, step.gold + step.system)
        groups = []
        for one in written.pair.system_sentences:
            if one.answer is None:
                continue
            state = one.answer.state(counts.faithful)
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

    def _add(self, name: str, *counts: int) -> None:
        self._parts[name] += self.seen, *counts

    def measures(self, total: Any) -> tuple[list[Figure], dict[str, float | None]]:
        """Return all figures, and their values with F1 after each repair of answers."""
        known = {one.name: one for one in ErrorAnalysis.figures}
        lost = self.brackets.gold + self.brackets.system
        unlabeled = self._settings.unlabeled
        every: list[tuple[Figure, float | None]] = [
            *[(one, one.value(total)) for one in self.figures if one.title and one.shown(total)],
            *[(known[_NAMES[one.cause]], one.brackets / lost) for one in self.analysis.causes],
            *[(known[f"length_{one.shortest}"], one.brackets.f1) for one in self.analysis.lengths],
            *[
                (label_figure(label, unlabeled=unlabeled), counts.recall if unlabeled else counts.f1)
                for label, counts, *_ in self.analysis.labels
            ],
        ]
        values = {figure.name: value for figure, value in every}
        if self._answers:
            values |= {f"step {step.repair}": step.f1 for step in total["answers"].ladder}
        return [figure for figure, _ in every], values

    def intervals(self, confidence: float = CONFIDENCE) -> dict[str, tuple[float, float] | None]:
        """Return the bootstrap intervals of all figures and steps; empty with few sentences, or very many."""
        if not LEAST_UNITS <= self.seen <= MOST_RESAMPLED:
            return {}
        columns = {one.name: pair for one, pair in self._cells.columns().items()}
        for name, cells in self._parts.items():
            parts, wholes = columns[name] = [array("q", bytes(8 * self.seen)) for _ in range(2)]
            for unit, part, whole in zip(cells[::3], cells[1::3], cells[2::3]):
                parts[unit], wholes[unit] = part, whole
        for name in columns.keys() & {*_NAMES.values()}:
            columns[name][1] = self._brackets
        before = "strict_answer_f1"
        for step in [f"step {name}" for name in REPAIRS if f"step {name}" in columns]:
            columns[step] = [array("q", map(add, *pair)) for pair in zip(columns[step], columns[before])]
            before = step
        table = UnitTable(self.seen, [column for pair in columns.values() for column in pair])
        return dict(zip(columns, intervals(table, confidence=confidence)))
