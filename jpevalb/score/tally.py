"""Tally: what the results of a run add up to, one result after the other or part by part."""

from __future__ import annotations

import re
from typing import TypeAlias

from ..alignment import Bead
from ..alignment.pair import EXTRA, MISSING, NO_PARSE, OK, SHORT, UNREADABLE
from ..metrics.record import Record
from ..trees.counts import NAMED, RunningSum
from ..trees.labels import cut
from ..trees.tree import Tree
from .sentence import SentenceResult, Unparsed
from .summary import Unlike

UnalignedStretch: TypeAlias = tuple[int, Bead]
"""The number of the first bead, and the sentences of all its beads; each has one a side at most."""


def beads_in(bead: Bead) -> int:
    """How many beads a stretch has.

    >>> beads_in(Bead((4, 4), (10, 13), False))
    3
    """
    return max(bead.gold[1] - bead.gold[0], bead.system[1] - bead.system[0])


def add_stretch(found: list[UnalignedStretch], number: int, bead: Bead) -> None:
    """Adds a bead or a stretch behind others; the last one goes on if nothing is between.

    Cost: O(1).

    >>> found = []
    >>> for number in (3, 4, 5, 9):
    ...     add_stretch(found, number, Bead((number - 1, number), (2, 2), False))
    >>> [(number, bead.gold) for number, bead in found]
    [(3, (2, 5)), (9, (8, 9))]
    """
    if found:
        first, last = found[-1]
        if (
            first + beads_in(last) == number
            and last.gold[1] == bead.gold[0]
            and last.system[1] == bead.system[0]
            and _sides(last) == _sides(bead)
        ):
            found[-1] = first, Bead((last.gold[0], bead.gold[1]), (last.system[0], bead.system[1]), False)
            return
    if len(found) < NAMED:
        found.append((number, bead))


def _sides(bead: Bead) -> tuple[bool, bool]:
    return bead.gold[1] > bead.gold[0], bead.system[1] > bead.system[0]


_NAME = re.compile(r"[\W_]*(?:s1|[a-z]?root|top)[\W_\d]*", re.IGNORECASE)

_PHRASES = frozenset(
    ["S", "SQ", "SINV", "SBARQ", "SBAR", "NP", "VP", "FRAG", "INTJ", "UCP", "IP", "CP", "SENT"]
)
"""Labels that a small corpus may have at every root by right, even with one child: imperatives are a VP."""


class RootLabel:
    """Notices a label that every tree has at its root and nowhere else, and that looks like a tool's.

    Such a root (``S1``, ``VROOT``) matches in every sentence and lifts the scores.  It
    is known by its name, or by a constituent that is all it has in every tree; the name
    of a phrase is no such name.

    Attributes:
        plain: Whether it is known that there is no such label.
    """

    _ENOUGH = 10

    def __init__(self) -> None:
        self._label = ""
        self._trees = 0
        self.plain = False
        self._named = False

    def see(self, tree: Tree) -> None:
        """Looks at a tree."""
        if not self.plain and tree.words:
            label = tree.labels[0]
            self._meet(label)
            if label in tree.labels[1:] or not (
                self._named or (cut(label) not in _PHRASES and _has_one_child(tree))
            ):
                self.plain = True
            self._trees += 1

    def _meet(self, label: str) -> None:
        """Takes in the label of the next root."""
        if label != self._label:
            self.plain = self.plain or self._trees > 0
            self._label = label
            self._named = _NAME.fullmatch(label) is not None

    def add(self, other: RootLabel) -> None:
        """Takes in what another has seen of other trees."""
        if other._trees:
            self._meet(other._label)
            self.plain = self.plain or other.plain
            self._trees += other._trees

    @property
    def suspect(self) -> str | None:
        """The label, if there is one."""
        return None if self.plain or self._trees < self._ENOUGH else self._label


def _has_one_child(tree: Tree) -> bool:
    """Whether the root has one child, which is a constituent."""
    parents, word_parents = tree.parents, tree.word_parents
    if parents.count(0) != 1 or 0 in word_parents:
        return False
    return 1 in parents or word_parents.count(1) > 1


class Tally:
    """What the results of a run add up to: the sums, and the first sentences that a report names.

    Tallies of results in a row make the tally of all of them, wherever they are cut.

    Args:
        zero: The record of no pair.
        cutoff: Longest pair of the second sum, in units.
        by_state: Whether sentences that were not compared are named by their state, as they are
            where both sides must have the same words.
    """

    def __init__(self, zero: Record, cutoff: int, *, by_state: bool) -> None:
        self.by_state = by_state
        self.left_out: dict[str, tuple[int, list[str]]] = {
            state: (0, []) for state in (MISSING, NO_PARSE, UNREADABLE, SHORT, EXTRA)
        }
        self._total, self._short = RunningSum(zero), RunningSum(zero)
        self.cutoff = cutoff
        self.count = 0
        self.unaligned: list[UnalignedStretch] = []
        self.no_parse: list[UnalignedStretch] = []
        self.unlike: list[Unlike] = []
        self.unparsed: list[Unparsed] = []
        self.root = RootLabel()
        self.seen_deleted = False

    @property
    def total(self) -> Record:
        """The sum over all results."""
        return self._total.total()

    @property
    def short(self) -> Record:
        """The sum over the results up to the cut-off."""
        return self._short.total()

    def add(self, result: SentenceResult, *, look: bool = True) -> None:
        """Takes in the next result.

        Args:
            result: The result.
            look: Whether its gold trees are looked at for a root that a tool has added.
        """
        record = result.record
        beads = record.beads
        self.count += 1
        self._total.add(record)
        if beads.length <= self.cutoff and beads.beads:
            self._short.add(record)
        if self.by_state:
            self._name(result)
            return
        if beads.unaligned:
            add_stretch(self.unaligned, result.number, result.bead)
        elif not result.bead.aligned:
            add_stretch(self.no_parse, result.number, result.bead)
        if beads.unlike and len(self.unlike) < NAMED:
            bead = result.bead
            share = result.pair.equal_share or 0.0
            self.unlike.append(Unlike(result.number, bead.gold, bead.system, share))
        if (beads.gold_unparsed or beads.system_unparsed) and len(self.unparsed) < NAMED:
            self.unparsed.extend(result.unparsed[: NAMED - len(self.unparsed)])
        if look and not self.root.plain:
            for sentence in result.pair.gold_sentences:
                self.root.see(sentence.tree)

    def _name(self, result: SentenceResult) -> None:
        """Names a sentence that was not compared."""
        state, reason, id = result.state
        if state == OK:
            return
        # A worker numbers results from 1; sentences keep the places that they have in their file.
        name = f"sentence {result.bead.gold[1]}" if id is None else f"sentence {id!r}"
        if state == MISSING:
            self.leave_out(state, f"{name} has no parse in the system's file")
        else:
            self.leave_out(state, f"{name}: {reason}")

    def leave_out(self, state: str, text: str) -> None:
        """Counts a sentence that is left out; the first ones of a state are named."""
        count, first = self.left_out[state]
        self.left_out[state] = count + 1, (first if count >= NAMED else [*first, text])

    def fold(self) -> None:
        """Adds up the records taken in so far, so that few travel."""
        self._total.total()
        self._short.total()

    def extend(self, other: Tally) -> None:
        """Takes in the tally of the results behind its own; those are numbered from 1 there.  Cost: O(1)."""
        self._total.add(other.total)
        self._short.add(other.short)
        for number, bead in other.unaligned:
            add_stretch(self.unaligned, number + self.count, bead)
        for number, bead in other.no_parse:
            add_stretch(self.no_parse, number + self.count, bead)
        later = [item._replace(number=item.number + self.count) for item in other.unlike]
        self.unlike = [*self.unlike, *later][:NAMED]
        self.unparsed = [*self.unparsed, *other.unparsed][:NAMED]
        for state in (MISSING, NO_PARSE, UNREADABLE, SHORT):
            self._leave_out_more(other, state)
        self.look(other)
        self.count += other.count

    def _leave_out_more(self, other: Tally, state: str) -> None:
        (count, first), (more, later) = self.left_out[state], other.left_out[state]
        self.left_out[state] = count + more, [*first, *later][:NAMED]

    def look(self, other: Tally) -> None:
        """Takes in what another tally has seen beside its results."""
        self._leave_out_more(other, EXTRA)
        self.root.add(other.root)
        self.seen_deleted = self.seen_deleted or other.seen_deleted
