"""Tally: the sums of a run's results, and the first sentences that were left out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from ..alignment.pair import EXCLUDED, EXTRA, NO_PARSE, OK, UNREADABLE
from ..base.counts import RunningSum
from ..base.text import NAMED
from ..kernels.counting import EXCLUDING
from ..metrics.record import Record, numbers_of
from .evaluation import LEFT_OUT, UNALIGNED, UNLIKE, LeftOut
from .inventory import LABEL, TAG, Inventory, items_of
from .scorer import Scorer
from .sentence import SentenceResult

# Counts of beads that decide what a report lists as left out
_REPORTED = "sentences.unaligned", "sentences.unlike", "sentences.gold_unparsed", "sentences.system_unparsed"
_NONE = (0,) * len(_REPORTED)


LOOKED_AT = 50  # number of gold sentences, from the first, whose labels are compared


class Tally:
    """Sums of a run's results, and the first sentences that a report names.

    The tallies of consecutive parts add up to the tally of all results, in any division.
    """

    def __init__(self, scorer: Scorer, *cutoffs: int, before: int = 0) -> None:
        self._before = before  # number of results before the first
        # Sentences that were not compared are named by their state.
        self.by_state, self._uncounted = scorer.same_words, scorer.uncounted
        self.left_out: dict[str, tuple[int, list[LeftOut]]] = {state: (0, []) for state in LEFT_OUT}
        self._total = RunningSum(scorer.zero)
        # By the longest pair of each sum, in units
        self._short = {cutoff: RunningSum(scorer.zero) for cutoff in sorted(cutoffs)}
        self.count = 0
        self._looks = True  # while pairs are among the first
        self._looks_at_all = scorer.settings.answers  # models make single labels up
        self.seen_deleted = False
        # Of a side: what the rules have changed
        self.done: defaultdict[tuple[str, str], int] = defaultdict(int)
        self.excluded: Counter[str] = Counter()  # sentences that a convention left out for their words
        # What the first trees of gold and of the system have
        self.inventories: tuple[Inventory, Inventory] = Counter(), Counter()

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
        """Add the next results; unless ``look``, do not note what their trees have."""
        records = [result.record for result in results]
        self.count += len(records)
        self._total.add(*records)
        rows = numbers_of(records, "sentences.groups", "sentences.length", *_REPORTED)
        for cutoff, running in self._short.items():
            running.add(
                *[one for one, (beads, length, *_) in zip(records, rows) if length <= cutoff and beads]
            )
        for result, row in zip(results, rows):
            if self.by_state or row[2:] != _NONE or not result.aligned:
                self._note_left_out(result, *row[2:])
        for result in results if look and self._looks else ():
            self._looks &= self._looks_at_all or result.bead.gold[0] < LOOKED_AT
            # The rules of a tool do not change trees that do not count.
            is_seen = self._looks and result.pair.status not in self._uncounted
            for seen, tree in zip(self.inventories, (result.pair.gold, result.pair.system)):
                if is_seen:
                    seen.update(items_of(tree))

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

    @property
    def labels(self) -> set[str]:
        """The labels and tags of the first pairs."""
        return {text for seen in self.inventories for of, text in seen if of in (LABEL, TAG)}

    def extend(self, other: Tally) -> None:
        """Add the tally of the next results."""
        self._total.add(other.total)
        for cutoff, record in other.short:
            self._short[cutoff].add(record)
        for state in LEFT_OUT:
            if state != EXTRA:
                self._leave_out_more(other, state, self.next_number - other._before - 1)
        self.look(other)
        for own, more in zip(self.inventories, other.inventories):
            own.update(more)
        self.excluded.update(other.excluded)
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
        self.seen_deleted = self.seen_deleted or other.seen_deleted
        self.note(other.done.items())


def _item(result: SentenceResult, state: str, **more: object) -> LeftOut:
    return LeftOut(state, result.number, result.bead.gold, result.bead.system, **more)  # type: ignore[arg-type]
