"""Frozen records of additive counts: what a sentence pair yields and a corpus sums up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, ClassVar, Generic, TypeVar

from .frozen import frozen

C = TypeVar("C", bound="Counts")

NAMED = 5
"""How many sentences, beads or stretches of a kind a report names."""


class Counts:
    """Base of frozen dataclasses whose fields are all counts, records of counts, or tables of these by key.

    ``+`` adds field by field, ``zero()`` is neutral, and so a corpus is the sum
    of its sentences in any grouping: chunks, processes, machines and resamples
    give the same figures.  Rates are properties of the subclass, never fields.
    """

    __slots__ = ()

    __match_args__: ClassVar[tuple[str, ...]]

    @property
    def shown(self) -> bool:
        """Whether reports show the record; False where it says nothing that others do not."""
        return True

    @classmethod
    def zero(cls: type[C]) -> C:
        """The record of no sentence at all."""
        return cls()

    def __add__(self: C, other: C) -> C:
        if type(other) is not type(self):
            return NotImplemented
        return type(self).sum((self, other))

    @classmethod
    def sum(cls: type[C], records: Iterable[C]) -> C:
        """The sum of any number of records.  Cost: O(number of records, and entries of their tables)."""
        names = cls.__match_args__
        zero = cls.zero()
        if len(names) == 1:
            rows: Any = [(getattr(record, names[0]),) for record in records]
        else:
            rows = map(attrgetter(*names), records)
        columns = list(zip(*rows)) or [()] * len(names)
        return cls(*[_total(getattr(zero, name), column) for name, column in zip(names, columns)])

    def __reduce__(self) -> tuple[Any, ...]:
        """A record travels between processes as its fields, at a tenth of the usual cost."""
        return type(self), tuple([getattr(self, name) for name in self.__match_args__])

    def to_dict(self) -> dict[str, Any]:
        """Counts and rates by name, JSON-ready: the fields, then the properties."""
        found = {name: getattr(self, name) for name in self.__match_args__}
        for kind in reversed(type(self).__mro__):
            for name, value in vars(kind).items():
                if isinstance(value, property) and name != "shown":
                    found[name] = getattr(self, name)
        return {
            name: value.to_dict() if isinstance(value, Counts) else value for name, value in found.items()
        }

    def of_bead(self) -> dict[str, Any]:
        """What JSON has of a single bead: :meth:`to_dict`, where a record does not say it in another way."""
        return self.to_dict()


class RunningSum(Generic[C]):
    """Adds up records one by one, a corpus of any length, a few at once.

    Args:
        zero: The record of no sentence.

    Cost: O(entries) of each record, and O(distinct entries so far) for every 128 records; memory for the
    last 128 records and their sum.

    >>> from jpevalb.metrics.tags import TagCounts
    >>> running = RunningSum(TagCounts())
    >>> for correct in range(1000):
    ...     running.add(TagCounts(1000, 1000, correct))
    >>> running.total().correct
    499500
    """

    __slots__ = ("_records", "_zero")

    def __init__(self, zero: C) -> None:
        self._zero = zero
        # The sum of all but the last ones, and those.
        self._records = [zero]

    def add(self, record: C) -> None:
        """Adds a record, of one sentence or of many."""
        self._records.append(record)
        if len(self._records) > _TOGETHER:
            self.total()

    def total(self) -> C:
        """The sum of all records so far."""
        if len(self._records) > 1:
            self._records = [type(self._zero).sum(self._records)]
        return self._records[0]


_TOGETHER = 128
"""Records that are added up at once."""


def _total(zero: Any, column: Sequence[Any]) -> Any:
    if isinstance(zero, Counts):
        return type(zero).sum(column)
    return by_key(column) if isinstance(zero, dict) else sum(column, zero)


def by_key(tables: Iterable[Mapping[Any, Any]]) -> dict[Any, Any]:
    """Tables added up key by key; the keys are in the order in which they first come."""
    first, *others = [table for table in tables if table] or [{}]
    total = dict(first)
    # Most records of a long tail stand in one table only; the others are added up at once.
    records: dict[Any, list[Counts]] = {}
    for table in others:
        known = [(key, total[key]) for key in total.keys() & table.keys()]
        # An update asks no key for its hash.
        total.update(table)
        for key, value in known:
            if isinstance(value, Counts):
                records.setdefault(key, [value]).append(table[key])
            else:
                total[key] = value + table[key]
    for key, values in records.items():
        total[key] = type(values[0]).sum(values)
    return total


def ratio(numerator: float, denominator: float) -> float | None:
    """``numerator / denominator``, or ``None`` where the denominator is 0.

    >>> ratio(3, 4), ratio(0, 0)
    (0.75, None)
    """
    return numerator / denominator if denominator else None


def f1(matched: int, gold: int, system: int) -> float | None:
    """The balanced F measure 2 * matched / (gold + system), in [0, 1].

    ``None`` where neither side has anything to find; 0 where something was to be
    found and nothing matched.

    >>> f1(3, 4, 6), f1(0, 4, 0), f1(0, 0, 0)
    (0.6, 0.0, None)
    """
    return ratio(2 * matched, gold + system)


class MatchedCounts(Counts):
    """What gold has, what the system has, and pairs of both: they have recall, precision and F1."""

    __slots__ = ()

    gold: int
    system: int
    matched: int

    @property
    def recall(self) -> float | None:
        """Matched of gold's; ``None`` if there are none."""
        return ratio(self.matched, self.gold)

    @property
    def precision(self) -> float | None:
        """Matched of the system's; ``None`` if there are none."""
        return ratio(self.matched, self.system)

    @property
    def f1(self) -> float | None:
        """Micro F1; ``None`` if there is nothing on either side."""
        return f1(self.matched, self.gold, self.system)

    def wrong(self) -> int:
        """What of gold is missed and what of the system is extra, together."""
        return self.gold + self.system - 2 * self.matched


@frozen
class Matched(MatchedCounts):
    """Counts of anything that can match, and their rates.

    Attributes:
        gold: What gold has.
        system: What the system has.
        matched: Pairs of both.

    >>> Matched(4, 2, 2).recall, Matched(4, 2, 2).precision, Matched().f1
    (0.5, 1.0, None)
    """

    gold: int = 0
    system: int = 0
    matched: int = 0


class Headline:
    """Precision, recall and F1 over all constituents of an evaluation."""

    __slots__ = ()

    @property
    def _headline(self) -> Any:
        raise NotImplementedError

    @property
    def precision(self) -> float | None:
        """Precision over all constituents; ``None`` if the system has none."""
        return self._headline.precision  # type: ignore[no-any-return]

    @property
    def recall(self) -> float | None:
        """Recall over all constituents; ``None`` if gold has none."""
        return self._headline.recall  # type: ignore[no-any-return]

    @property
    def f1(self) -> float | None:
        """F1 over all constituents, the headline; ``None`` if there is none on either side."""
        return self._headline.f1  # type: ignore[no-any-return]


def brief(result: object, **said: object) -> str:
    """What ``repr`` gives of a result: some figures, rates with four decimals.

    >>> brief([], f1=2 / 3, sentences=3)
    'list(f1=0.6667, sentences=3)'
    """
    shown = [
        f"{name}={value:.4f}" if isinstance(value, float) else f"{name}={value!r}"
        for name, value in said.items()
    ]
    return f"{type(result).__name__}({', '.join(shown)})"
