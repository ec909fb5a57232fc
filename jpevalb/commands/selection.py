"""Selects the sentences that ``--view`` shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from heapq import nsmallest
from typing import NamedTuple, TypeAlias

from ..base.errors import JpevalbError, SettingsError
from ..base.text import counted
from ..score.sentence import SentenceResult

# The results of a run in order; reading stops when all selected sentences are found.
Results: TypeAlias = Iterable[SentenceResult]

_PART = re.compile(r"(?:(gold|sys):)?([0-9]{1,18})(?:-([0-9]{1,18}))?")


def chooser(text: str) -> Callable[[Results], list[SentenceResult]]:
    """Return the function that selects sentences by a text: ranges, ``worst:N`` or ``GOLD/SYSTEM`` labels."""
    size = re.fullmatch(r"worst:([0-9]{1,9})", text.strip())
    if size is not None and int(size[1]):
        return partial(worst, size=int(size[1]))
    gold, _, system = text.strip().partition("/")
    if gold and system:
        return partial(confused, gold=gold, system=system)
    return partial(numbered, wanted=ranges_of(text))


def worst(results: Results, size: int) -> list[SentenceResult]:
    """Return the sentences with the most missed and extra constituents, worst first; ties by number.

    Error-free sentences are excluded.
    """
    wrong = (result for result in results if result.record.brackets.wrong())
    return nsmallest(size, wrong, key=lambda result: (-result.record.brackets.wrong(), result.number))


def confused(results: Results, gold: str, system: str) -> list[SentenceResult]:
    """Return the sentences with a missed ``gold`` label and an extra ``system`` label over one span."""
    selected = []
    for result in results:
        missed = {item.span for item in result.missed if item.label == gold}
        if any(item.span in missed for item in result.extra if item.label == system):
            selected.append(result)
    return selected


class Range(NamedTuple):
    """A range of sentence numbers, from 1, with its last."""

    side: str  # ``gold`` or ``sys`` for sentences of one file; empty for rows of the report
    first: int
    last: int

    def of(self, result: SentenceResult) -> tuple[int, int]:
        """Return the half-open range of a result's numbers on this side; may be empty."""
        if not self.side:
            return result.number, result.number + 1
        begin, end = result.bead.gold if self.side == "gold" else result.bead.system
        return begin + 1, end + 1


def ranges_of(text: str) -> list[Range]:
    """Read numbers and ranges with commas between them; raise a SettingsError for other texts.

    >>> [tuple(one) for one in ranges_of("3, 5-9,sys:12")]
    [('', 3, 3), ('', 5, 9), ('sys', 12, 12)]
    """
    ranges = []
    for part in text.split(","):
        match = _PART.fullmatch(part.strip())
        if match is not None:
            side, first, last = match[1] or "", int(match[2]), int(match[3] or match[2])
        if match is None or not 1 <= first <= last:
            raise SettingsError(
                f"got the selection {part.strip()!r}; expected a number from 1 such as 3, "
                "a range such as 5-9, or gold:3 or sys:5-9 for the sentences of one file; "
                "or worst:10, or NP/S for gold's NP where the system has S"
            )
        ranges.append(Range(side, first, last))
    return ranges


def numbered(results: Results, wanted: Iterable[Range]) -> list[SentenceResult]:
    """Return the sentences in the ranges, each once, in the order of the report; all must exist."""
    # Numbers of the ranges that are still to come: if ids pair sentences, the system's are in any order.
    waiting = {selection: selection.last - selection.first + 1 for selection in wanted}
    seen = {"": 0, "gold": 0, "sys": 0}
    selected = []
    for result in results:
        wanted_here = False
        for selection, number in [*waiting.items()]:
            begin, end = selection.of(result)
            seen[selection.side] = max(seen[selection.side], end - 1)
            if begin <= selection.last and selection.first < end:
                wanted_here = True
                waiting[selection] = number - (min(end - 1, selection.last) - max(begin, selection.first) + 1)
                if not waiting[selection]:
                    del waiting[selection]
        if wanted_here:
            selected.append(result)
        if not waiting:
            return selected
    first = next(iter(waiting))
    side = f"{first.side}:" if first.side else ""
    where = {"": "the report", "gold": "the gold file", "sys": "the system's file"}[first.side]
    missing = max(first.first, seen[first.side] + 1)
    raise JpevalbError(f"--view {side}{missing}: {where} has {counted(seen[first.side], 'sentence')}")
