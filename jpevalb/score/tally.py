"""Tally: the sums of a run's results, and the first sentences that were left out."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import compress
from operator import not_
from typing import Any

from ..alignment.pair import EXCLUDED, EXTRA, NO_PARSE, OK, UNREADABLE
from ..base.counts import RunningSum
from ..base.text import NAMED
from ..kernels.columns import Columns
from ..kernels.counting import EXCLUDING
from ..metrics.record import Record, numbers_of
from ..settings.labels import UNCOUNTED, cut
from ..trees.sentence import Sentence
from .evaluation import LEFT_OUT, UNALIGNED, UNLIKE, LeftOut
from .scorer import Scorer
from .sentence import SentenceResult

# Marks at which treebanks begin the suffixes of labels
_MARKS = ("##", "#", "_", "|", "^", "~", "*", ":", "-")

# Names of roots that tools add, such as S1, VROOT, -TOP- and Root2
_ROOT_NAME = re.compile(r"[\W_]*(?:s1|[a-z]?root|top)[\W_\d]*")

_PHRASES = frozenset(
    ["S", "SQ", "SINV", "SBARQ", "SBAR", "NP", "VP", "FRAG", "INTJ", "UCP", "IP", "CP", "SENT"]
)
"""Labels that a small corpus may have at every root by right, even with one child: imperatives are a VP."""


class RootLabel:
    """Finds a label that every tree has at its root and nowhere else, and that a tool seems to have added.

    Such a root (``S1``, ``VROOT``) matches in every sentence and raises the scores.  It is recognised by its
    name, or, unless it has the name of a phrase, by having a single constituent as its child in every tree.
    """

    _ENOUGH = 3  # trees, if the label does not have the name of a root

    def __init__(self) -> None:
        self._label = ""
        self._trees = 0
        self.plain = False  # True once it is known that there is no such label
        self._named = False

    def see(self, sentences: Sequence[Sentence]) -> None:
        """Check the roots of the next trees."""
        for sentence in sentences:
            if self.plain:
                return
            self._see(sentence.tree.columns)

    def _see(self, tree: Columns) -> None:
        """Check the root of the next tree."""
        if not tree.words:
            return
        texts, cells, n = tree.names.texts, tree.cells, tree.brackets
        below = cells[1:n] + cells[4 * n + tree.words : 4 * n + 2 * tree.words]  # labels and tags
        number = cells[0] if n else below[0]
        label = texts[number]
        self._meet(label)
        looks_added = self._named or (cut(label) not in _PHRASES and _has_one_child(tree))
        self.plain |= not looks_added or cut(label) in UNCOUNTED or below.count(number) > (n == 0)
        self._trees += 1

    def _meet(self, label: str) -> None:
        """Note the label of the next root."""
        if label != self._label:
            self.plain = self.plain or self._trees > 0
            self._label = label
            self._named = _ROOT_NAME.fullmatch(label.lower()) is not None

    def add(self, other: RootLabel) -> None:
        """Add the findings of another about other trees."""
        if other._trees:
            self._meet(other._label)
            self.plain = self.plain or other.plain
            self._trees += other._trees

    @property
    def suspect(self) -> str | None:
        """The label, if there is one."""
        enough = 1 if self._named else self._ENOUGH
        return None if self.plain or self._trees < enough else self._label


def _has_one_child(tree: Columns) -> bool:
    """Return True if the root has one child, which is a constituent."""
    n = tree.brackets
    homes = tree.cells[4 * n + 2 * tree.words :]
    return n > 1 and tree.cells[n : 2 * n].count(0) == 1 and 0 not in homes


def _suffix_mark(gold: str, system: str) -> str:
    """Return the mark of the suffix in which two labels alone differ, or an empty string.

    >>> _suffix_mark("NP_SBJ", "NP"), _suffix_mark("NN##a", "NN##b"), _suffix_mark("NP", "VP_X")
    ('_', '##', '')
    """
    for mark in _MARKS:
        stem = gold.partition(mark)[0]
        if stem and stem == system.partition(mark)[0]:
            return mark
    return ""


_OF_LABELS = "brackets.matched", "brackets.gold", "tags.correct", "tags.gold"
# Counts of beads that decide what a report lists as left out
_REPORTED = "beads.unaligned", "beads.unlike", "beads.gold_unparsed", "beads.system_unparsed"
_NONE = (0,) * len(_REPORTED)


LOOKED_AT = 50  # number of gold sentences, from the first, whose labels are compared


class Tally:
    """Sums of a run's results, and the first sentences that a report names.

    The tallies of consecutive parts add up to the tally of all results, in any division.
    """

    def __init__(self, scorer: Scorer, *cutoffs: int, before: int = 0) -> None:
        self._before = before  # number of results before the first
        # Sentences that were not compared are named by their state.
        self.by_state = scorer.same_words
        self.left_out: dict[str, tuple[int, list[LeftOut]]] = {state: (0, []) for state in LEFT_OUT}
        self._total = RunningSum(scorer.zero)
        # By the longest pair of each sum, in units
        self._short = {cutoff: RunningSum(scorer.zero) for cutoff in sorted(cutoffs)}
        self.count = 0
        self._looks = True  # while pairs are among the first
        self.roots = RootLabel(), RootLabel()  # of gold and of the system
        self.seen_deleted = False
        # Of a side: what the rules have changed
        self.done: defaultdict[tuple[str, str], int] = defaultdict(int)
        self.other_labels: list[list[tuple[str, str]]] = []  # of the first pairs
        self.excluded: Counter[str] = Counter()  # sentences that a convention left out for their words
        # Labels of constituents and tags of the first pairs, of gold and of the system
        self.constituents = Counter[str](), Counter[str]()
        self.tags = Counter[str](), Counter[str]()

    def __getstate__(self) -> dict[str, Any]:
        for running in (self._total, *self._short.values()):
            running.total()
        return vars(self)

    @property
    def total(self) -> Record:
        """The sum over all results."""
        return self._total.total()

    @property
    def short(self) -> list[tuple[int, Record]]:
        """The cut-offs in ascending order, with the sums over the results up to each."""
        return [(cutoff, running.total()) for cutoff, running in self._short.items()]

    def add(self, results: Sequence[SentenceResult], *, look: bool = True) -> None:
        """Add the next results; unless ``look``, do not check their trees for an added root."""
        records = [result.record for result in results]
        self.count += len(records)
        self._total.add(*records)
        rows = numbers_of(records, "beads.beads", "beads.length", *_REPORTED)
        for cutoff, running in self._short.items():
            running.add(
                *[one for one, (beads, length, *_) in zip(records, rows) if length <= cutoff and beads]
            )
        for result, row in zip(results, rows):
            if self.by_state or row[2:] != _NONE or not result.aligned:
                self._note_left_out(result, *row[2:])
        if look:
            for result in results:
                if not self._looks:
                    break
                self._compare_labels(result)
            gold, system = self.roots
            for result in results if not (gold.plain and system.plain) else ():
                gold.see(result.pair.gold_sentences)
                system.see(result.pair.system_sentences)

    def _note_left_out(self, result: SentenceResult, unaligned: int, unlike: int, *unread: int) -> None:
        """Note what is left out in a result."""
        if self.by_state:
            state, reason, id = result.state
            if state == EXCLUDED and reason in EXCLUDING:
                self.excluded[reason] += 1
            if state != OK:
                self.leave_out(_item(result, state, id=id, reason=reason or ""))
            return
        if not result.aligned:
            self.leave_out(_item(result, UNALIGNED if unaligned else NO_PARSE))
        if unlike:
            self.leave_out(_item(result, UNLIKE, equal=result.pair.equal_share))
        if any(unread):
            for item in result.unparsed:
                span, none = (item.number - 1, item.number), (0, 0)
                sides = (span, none) if item.side == "gold" else (none, span)
                self.leave_out(LeftOut(UNREADABLE, result.number, *sides, None, item.error))

    @property
    def next_number(self) -> int:
        """The number of the next result."""
        return self._before + self.count + 1

    def note(self, done: Iterable[tuple[tuple[str, str], int]]) -> None:
        """Add what the rules have changed."""
        for key, count in done:
            self.done[key] += count

    def leave_out(self, item: LeftOut) -> None:
        """Count sentences that are left out; keep the names of the first ones of each state."""
        count, first = self.left_out[item.state]
        merged = first[-1].joined(item) if first and not self.by_state else None
        if merged is not None:
            first = [*first[:-1], merged]
        elif len(first) < NAMED:
            first = [*first, item]
        self.left_out[item.state] = count + 1, first

    def _compare_labels(self, result: SentenceResult) -> None:
        """Note the labels that differ, if the next pair is among the first and has many."""
        self._looks = result.bead.gold[0] < LOOKED_AT
        if self._looks:
            matched, gold, correct, words = result.record.picked(_OF_LABELS)
            few = 5 * matched < 4 * gold or 2 * correct < words
            self.other_labels.append(result.other_labels if few else [])
            for side, tree in enumerate((result.pair.gold, result.pair.system)):
                tags = tree.preterminals
                self.constituents[side].update(compress(tree.labels, map(not_, tags)))
                self.tags[side].update(compress(tree.labels, tags))

    @property
    def labels(self) -> set[str]:
        """The labels and tags of the first pairs."""
        return set[str]().union(*self.constituents, *self.tags)

    def only(self, side: int) -> Counter[str]:
        """Return the labels of constituents that one side has and the other never has, 0 for gold."""
        other = self.constituents[1 - side]
        return Counter({label: n for label, n in self.constituents[side].items() if label not in other})

    @property
    def suffix(self) -> tuple[str, str, str] | None:
        """Most frequent gold and system label that differ by a suffix, and its mark, if most differ so."""
        pairs = Counter([pair for found in self.other_labels for pair in found])
        times = Counter({pair: count for pair, count in pairs.items() if _suffix_mark(*pair)})
        if pairs.total() < 2 or 2 * times.total() <= pairs.total():
            return None
        (first, _), *_ = times.most_common(1)
        return *first, _suffix_mark(*first)

    @property
    def foreign(self) -> tuple[list[str], list[str]] | None:
        """Labels of both sides' constituents, if there are several and no label is on both sides."""
        gold, system = [{cut(label) for label in labels} - UNCOUNTED for labels in self.constituents]
        if min(len(gold), len(system)) < 2 or not gold.isdisjoint(system):
            return None
        return sorted(gold), sorted(system)

    def extend(self, other: Tally) -> None:
        """Add the tally of the next results."""
        self._total.add(other.total)
        for cutoff, record in other.short:
            self._short[cutoff].add(record)
        for state in LEFT_OUT:
            if state != EXTRA:
                self._leave_out_more(other, state, self.next_number - other._before - 1)
        self.look(other)
        for own, more in zip((*self.constituents, *self.tags), (*other.constituents, *other.tags)):
            own.update(more)
        self.excluded.update(other.excluded)
        self.other_labels += other.other_labels
        self.count += other.count

    def _leave_out_more(self, other: Tally, state: str, before: int) -> None:
        count, items = other.left_out[state]
        total = self.left_out[state][0] + count
        for item in items:
            self.leave_out(item._replace(number=item.number + before))
        self.left_out[state] = total, self.left_out[state][1]

    def look(self, other: Tally) -> None:
        """Add another tally without its results."""
        self._leave_out_more(other, EXTRA, 0)
        for root, more in zip(self.roots, other.roots):
            root.add(more)
        self.seen_deleted = self.seen_deleted or other.seen_deleted
        self.note(other.done.items())


def _item(result: SentenceResult, state: str, **more: object) -> LeftOut:
    return LeftOut(state, result.number, result.bead.gold, result.bead.system, **more)  # type: ignore[arg-type]
