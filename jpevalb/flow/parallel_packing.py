"""Packing: records of counts as plain tuples, which travel between processes at a tenth of the cost."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from ..model.counts import Counts, field_names
from ..model.record import Record


class Packing:
    """Packs records of one shape.

    Args:
        zero: Such a record; the fields of it that are records are packed in turn.

    >>> from jpevalb.metrics.gaps import DiscontinuousCounts
    >>> packing = Packing(DiscontinuousCounts())
    >>> packing.pack(DiscontinuousCounts(sentences=3))
    (3, 0, (0, 0, 0), (0, 0, 0), 0, 0, 0, 0, 0)
    >>> packing.unpack(_).sentences
    3
    """

    __slots__ = ("_get", "_kind", "_nested", "_plain")

    def __init__(self, zero: Counts) -> None:
        names = field_names(type(zero))
        values = [getattr(zero, name) for name in names]
        self._kind = type(zero)
        self._get = attrgetter(*names)
        self._plain = all(isinstance(value, (int, Counts)) for value in values)
        self._nested = [
            (place, Packing(value)) for place, value in enumerate(values) if isinstance(value, Counts)
        ]

    def pack(self, record: Any) -> tuple[Any, ...]:
        """The fields of a record.  Cost: O(fields)."""
        fields: tuple[Any, ...] = self._get(record)
        if not self._nested:
            return fields
        items = list(fields)
        for place, packing in self._nested:
            items[place] = packing.pack(items[place])
        return tuple(items)

    def unpack(self, fields: tuple[Any, ...]) -> Any:
        """The record that :meth:`pack` made this of."""
        if not self._nested:
            return self._kind(*fields)
        items = list(fields)
        for place, packing in self._nested:
            items[place] = packing.unpack(items[place])
        return self._kind(*items)

    def sum(self, packed: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
        """The sum of packed records, packed.  Cost: O(records * fields)."""
        columns = list(zip(*packed))
        if not columns:
            return self.pack(self._kind.zero())
        nested = dict(self._nested)
        if not self._plain:
            return self.pack(self._kind.sum([self.unpack(item) for item in packed]))
        return tuple(
            [nested[k].sum(column) if k in nested else sum(column) for k, column in enumerate(columns)]
        )


class RecordPacking:
    """Packs the records of one run of the alignment mode.

    Args:
        zero: The run's record of no pair.
    """

    __slots__ = ("_names", "_parts")

    def __init__(self, zero: Record) -> None:
        self._names = zero.names
        self._parts = [Packing(part) for part in zero.counts]

    def pack(self, record: Record) -> tuple[Any, ...]:
        """The parts of a record, packed."""
        return tuple([packing.pack(part) for packing, part in zip(self._parts, record.counts)])

    def unpack(self, packed: tuple[Any, ...]) -> Record:
        """The record that :meth:`pack` made this of."""
        counts = [packing.unpack(part) for packing, part in zip(self._parts, packed)]
        return Record(self._names, tuple(counts))

    def sum(self, packed: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
        """The sum of packed records, packed.  Cost: O(records * fields)."""
        return tuple([part.sum([item[k] for item in packed]) for k, part in enumerate(self._parts)])
