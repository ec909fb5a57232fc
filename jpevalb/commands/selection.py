"""Selections: which sentences of an evaluation a user wants to look at."""

from __future__ import annotations

import re
from collections.abc import Iterable
from heapq import nsmallest
from typing import NamedTuple, TypeAlias

from ..flow.sentence import SentenceResult
from ..model.errors import JpevalbError, SettingsError

_PART = re.compile(r"(?:(gold|sys):)?([0-9]{1,18})(?:-([0-9]{1,18}))?")


class Worst(NamedTuple):
    """The sentences with most constituents missed and extra, those first; of equals the first.

    >>> Worst.parse("worst:10")
    Worst(size=10)
    """

    size: int
    """How many of them; those without errors are none of them."""

    @classmethod
    def parse(cls, text: str) -> Worst | None:
        """Reads ``worst:N``; ``None`` for anything else."""
        match = re.fullmatch(r"worst:([0-9]{1,9})", text.strip())
        return cls(int(match[1])) if match is not None and int(match[1]) else None

    def of(self, results: Iterable[SentenceResult]) -> list[SentenceResult]:
        """Those of some results.  Cost: O(results * log(size)), and memory for that many."""
        wrong = (result for result in results if result.record.brackets.wrong())
        return nsmallest(
            self.size, wrong, key=lambda result: (-result.record.brackets.wrong(), result.number)
        )


class Confusion(NamedTuple):
    """Sentences in which a constituent that is missed has another label in the system's tree.

    >>> Confusion.parse("NP/S")
    Confusion(gold='NP', system='S')
    """

    gold: str
    """Its label in gold."""
    system: str
    """The label of one of the system's that is extra over the same span."""

    @classmethod
    def parse(cls, text: str) -> Confusion | None:
        """Reads labels of gold and of the system with a slash between them; ``None`` for anything else."""
        gold, slash, system = text.strip().partition("/")
        return cls(gold, system) if slash and gold and system else None

    def of(self, results: Iterable[SentenceResult]) -> list[SentenceResult]:
        """Those of some results, in their order.  Cost: O(constituents)."""
        found = []
        for result in results:
            missed = {item.span for item in result.missed if item.label == self.gold}
            if any(item.span in missed for item in result.extra if item.label == self.system):
                found.append(result)
        return found


class Selection(NamedTuple):
    """A range of sentence numbers.

    >>> [tuple(selection) for selection in Selection.parse("3, 5-9,sys:12")]
    [('', 3, 3), ('', 5, 9), ('sys', 12, 12)]
    """

    side: str
    """``gold`` or ``sys`` for sentences of one file; empty for rows of the report."""
    first: int
    """The first, from 1."""
    last: int
    """The last."""

    @classmethod
    def parse(cls, text: str) -> list[Selection]:
        """Reads numbers and ranges with commas between them.

        Raises:
            SettingsError: anything else.
        """
        found = []
        for part in text.split(","):
            match = _PART.fullmatch(part.strip())
            if match is not None:
                side, first, last = match[1] or "", int(match[2]), int(match[3] or match[2])
            if match is None or not 1 <= first <= last:
                raise SettingsError(
                    f"found the selection {part.strip()!r}; expected a number from 1 such as 3, "
                    "a range such as 5-9, or gold:3 or sys:5-9 for the sentences of one file; "
                    "or worst:10, or NP/S for gold's NP where the system has S"
                )
            found.append(cls(side, first, last))
        return found

    def of(self, result: SentenceResult) -> tuple[int, int]:
        """The half-open range of numbers that a result has on this side; may be empty."""
        if not self.side:
            return result.number, result.number + 1
        begin, end = result.bead.gold if self.side == "gold" else result.bead.system
        return begin + 1, end + 1


Wanted: TypeAlias = "list[Selection] | Worst | Confusion"
"""What a user wants to look at."""


def parse(text: str) -> Wanted:
    """Reads what is wanted: numbers and ranges, ``worst:N``, or ``GOLD/SYSTEM``, a label of either side.

    Raises:
        SettingsError: anything else.
    """
    return Worst.parse(text) or Confusion.parse(text) or Selection.parse(text)


def chosen(results: Iterable[SentenceResult], wanted: Wanted) -> list[SentenceResult]:
    """The results that are wanted; ranges of numbers are read only as far as needed.

    Args:
        results: In order.
        wanted: Which.

    Raises:
        JpevalbError: a wanted sentence does not exist.
    """
    return select(results, wanted) if isinstance(wanted, list) else wanted.of(results)


def select(results: Iterable[SentenceResult], wanted: Iterable[Selection]) -> list[SentenceResult]:
    """The results that are wanted, each once, in the order of the report.

    Args:
        results: In order; read only as far as needed.
        wanted: Which.

    Raises:
        JpevalbError: a wanted sentence does not exist.

    Cost: O(results up to the last one wanted * selections).
    """
    # Every sentence is in some result; where ids pair them up, those of the system come in any order.
    waiting = {selection: selection.last - selection.first + 1 for selection in wanted}
    seen = {"": 0, "gold": 0, "sys": 0}
    found = []
    for result in results:
        taken = False
        for selection, number in [*waiting.items()]:
            begin, end = selection.of(result)
            seen[selection.side] = max(seen[selection.side], end - 1)
            if begin <= selection.last and selection.first < end:
                taken = True
                waiting[selection] = number - (min(end - 1, selection.last) - max(begin, selection.first) + 1)
                if not waiting[selection]:
                    del waiting[selection]
        if taken:
            found.append(result)
        if not waiting:
            return found
    first = next(iter(waiting))
    what = {"": "the report", "gold": "the gold file", "sys": "the system's file"}[first.side]
    missing = max(first.first, seen[first.side] + 1)
    raise JpevalbError(f"there is no sentence {missing} in {what}, which has {seen[first.side]}")
