"""Selections: which sentences of an evaluation a user wants to look at."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ..flow.summary import SentenceResult
from ..model.errors import JpevalbError, SettingsError

_PART = re.compile(r"(?:(gold|sys):)?([0-9]{1,18})(?:-([0-9]{1,18}))?")


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
                    "a range such as 5-9, or gold:3 or sys:5-9 for the sentences of one file"
                )
            found.append(cls(side, first, last))
        return found

    def of(self, result: SentenceResult) -> tuple[int, int]:
        """The half-open range of numbers that a result has on this side; may be empty."""
        if not self.side:
            return result.number, result.number + 1
        begin, end = result.bead.gold if self.side == "gold" else result.bead.system
        return begin + 1, end + 1


def select(results: Iterable[SentenceResult], wanted: Iterable[Selection]) -> list[SentenceResult]:
    """The results that are wanted, each once, in the order of the report.

    Args:
        results: In order; read only as far as needed.
        wanted: Which.

    Raises:
        JpevalbError: a wanted sentence does not exist.

    Cost: O(results up to the last one wanted * selections).
    """
    waiting = list(wanted)
    seen = {"": 0, "gold": 0, "sys": 0}
    found = []
    for result in results:
        taken = False
        for selection in waiting:
            begin, end = selection.of(result)
            seen[selection.side] = max(seen[selection.side], end - 1)
            taken = taken or (begin <= selection.last and selection.first < end)
        if taken:
            found.append(result)
        # Numbers grow on both sides, and every sentence is in some result.
        waiting = [selection for selection in waiting if seen[selection.side] < selection.last]
        if not waiting:
            return found
    first = waiting[0]
    what = {"": "the report", "gold": "the gold file", "sys": "the system's file"}[first.side]
    missing = max(first.first, seen[first.side] + 1)
    raise JpevalbError(f"there is no sentence {missing} in {what}, which has {seen[first.side]}")
