"""Names met so far: sets of sentence ids that stay small where the ids are numbered through."""

from __future__ import annotations


class Names:
    """A set of texts.  Runs of names that count up, such as s1, s2, s3, take the room of one.

    >>> names = Names()
    >>> [names.add(name) for name in ("s9", "s10", "s11", "s10", "s010", "x")]
    [True, True, True, False, True, True]
    """

    __slots__ = ("_others", "_runs")

    def __init__(self) -> None:
        # For each text before a number the runs of numbers behind it: their first and last.
        self._runs: dict[str, list[list[int]]] = {}
        self._others: set[str] = set()

    def add(self, name: str) -> bool:
        """Takes in a name; whether it is new.  Cost: O(runs of numbers that begin like it)."""
        before = name.rstrip("0123456789")
        digits = name[len(before) :]
        # Two ways to write one number are two names.
        if not digits or len(digits) > 18 or (digits[0] == "0" and digits != "0"):
            new = name not in self._others
            self._others.add(name)
            return new
        number = int(digits)
        runs = self._runs.setdefault(before, [])
        if self._within(runs, number) or name in self._others:
            return False
        if runs and runs[-1][1] + 1 == number:
            runs[-1][1] = number
        elif len(runs) < _MOST_RUNS:
            runs.append([number, number])
        else:
            # In no order: one by one.
            self._others.add(name)
        return True

    def __contains__(self, name: str) -> bool:
        before = name.rstrip("0123456789")
        digits = name[len(before) :]
        if name in self._others:
            return True
        if not digits or len(digits) > 18 or (digits[0] == "0" and digits != "0"):
            return False
        return self._within(self._runs.get(before, []), int(digits))

    @staticmethod
    def _within(runs: list[list[int]], number: int) -> bool:
        return any(first <= number <= last for first, last in runs)


_MOST_RUNS = 16
