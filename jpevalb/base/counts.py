"""Records of additive counts: one per sentence pair, summed over a corpus."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import prod
from operator import add, attrgetter, mul
from struct import pack
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from .plugins import late


class Fields:
    """Base class of dataclasses with ``eq=False``: they compare and hash by what is pickled.

    Dataclasses would compile these methods for each class, in every run.
    """

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the fields only, at a tenth of the usual cost."""
        return type(self), tuple([getattr(self, name) for name in self.__match_args__])

    def __eq__(self, other: object) -> bool:
        return self.__reduce__() == other.__reduce__() if isinstance(other, Fields) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.__reduce__())

    def __repr__(self) -> str:
        fields = zip(self.__match_args__, self.__reduce__()[1])
        return f"{type(self).__qualname__}({', '.join([f'{name}={value!r}' for name, value in fields])})"


C = TypeVar("C", bound="Counts")

_BATCH = 512  # records that are added up at once


class Counts(Fields):
    """Base class of dataclasses whose fields are counts, other ``Counts``, or dicts of these.

    ``+`` adds field by field and ``zero()`` is neutral.  A corpus is the sum of its sentences in any
    grouping, so chunks, processes, machines and resamples give the same figures.  Rates are properties
    of the subclass, never fields.  Do not change a record: others may share it.
    """

    __slots__ = ()
    # Name, title and short title of its mean in the table of lengths, for counts with ``of_lengths``
    length_column: ClassVar[tuple[str, str, str] | None] = None
    #: False if no report depends on the order of the keys of its tables
    in_order: ClassVar[bool] = True
    # Keys of the JSON object and their attributes; by default the fields, then the properties.
    json_keys: ClassVar[Mapping[str, str]] = {}
    # Names that JSON lacks: sums in a scale that only this package uses; JSON has their means.
    _internal: ClassVar[Sequence[str]] = ("shown",)

    @property
    def shown(self) -> bool:
        """True if reports show the record; False if it only repeats other records."""
        return True

    def __contains__(self, metric: object) -> bool:
        """Return True if the record has the counts of a metric; only a ``Record`` has any."""
        return False

    @classmethod
    def zero(cls: type[C]) -> C:
        """Return the record of no sentence, which ``sum`` starts from."""
        return cls()

    def __add__(self: C, other: C) -> C:
        if type(other) is not type(self):
            return NotImplemented
        return type(self).sum((self, other))

    @classmethod
    def sum(cls: type[C], records: Iterable[C]) -> C:
        """Add up any number of records, faster than ``+`` one by one."""
        items = list(records) or [cls.zero()]
        columns = columns_of(cls)
        numbers = map(sum, zip(*map(columns.numbers_of, items)))
        tables = map(total, columns.empty, zip(*map(columns.tables_of, items))) if columns.tables else ()
        return columns.record(numbers, tables)  # type: ignore[return-value]

    def picked(self, names: tuple[str, ...]) -> tuple[int, ...]:
        """Return some numbers by their names; those of inner counts have names such as ``"tokens.gold"``."""
        return _getter(names)(self)

    def to_dict(self) -> dict[str, Any]:
        """Return counts and rates by name, ready for JSON."""
        columns = columns_of(type(self))
        values = zip(columns.keys, columns.values_of(self))
        return {key: one.to_dict() if isinstance(one, Counts) else one for key, one in values}

    def of_bead(self) -> dict[str, Any]:
        """Return the JSON object of a single bead; :meth:`to_dict` unless a subclass overrides it."""
        return self.to_dict()


class CountPlaces:
    """The numbers and tables of some named values, those of inner counts in their place."""

    def __init__(self, zeros: Mapping[str, Any]) -> None:
        self.numbers: list[str] = []  # names of the whole numbers, such as ``"gold"`` or ``"tokens.gold"``
        self.tables: list[str] = []  # names of dicts, and of other values that add up
        self.empty: list[Any] = []  # empty tables
        # Of each value the columns of inner counts, and the places of its numbers and tables
        self.parts: dict[str, tuple[CountColumns | None, slice, slice]] = {}
        for name, zero in zeros.items():
            inner = None
            first = len(self.numbers), len(self.tables)
            # The record of a whole run is not a dataclass, and has its own ``sum``.
            if isinstance(zero, Counts) and hasattr(zero, "__match_args__"):
                inner = columns_of(type(zero))
                self.numbers += [f"{name}.{column}" for column in inner.numbers]
                self.tables += [f"{name}.{table}" for table in inner.tables]
                self.empty += inner.empty
            elif isinstance(zero, int):
                self.numbers.append(name)
            else:
                self.tables.append(name)
                self.empty.append(zero)
            self.parts[name] = inner, slice(first[0], len(self.numbers)), slice(first[1], len(self.tables))


class CountColumns(CountPlaces):
    """The columns of a class of counts."""

    def __init__(self, kind: type[Counts]) -> None:
        zero = kind.zero()
        super().__init__({name: getattr(zero, name) for name in kind.__match_args__})
        self.kind = kind
        keys = dict.fromkeys(kind.__match_args__)
        for base in reversed(kind.__mro__):
            keys |= {name: None for name, value in vars(base).items() if isinstance(value, property)}
        named = kind.json_keys or {name: name for name in keys if name not in kind._internal}
        # Keys of the JSON object, and a function that returns their values
        self.keys, self.values_of = tuple(named), getter([*named.values()])
        # Functions that return the numbers and the tables of a record
        self.numbers_of, self.tables_of = getter(self.numbers), getter(self.tables)
        self.is_flat = self.numbers == [*kind.__match_args__]
        self.json_has_fields_only = kind.to_dict is Counts.to_dict and self.keys == kind.__match_args__

    def record(self, numbers: Iterable[int], tables: Iterable[Any]) -> Counts:
        """Return the record of some numbers and tables."""
        if self.is_flat:
            return self.kind(*numbers)
        numbers, tables = tuple(numbers), tuple(tables)
        values: list[Any] = []
        for inner, of_numbers, of_tables in self.parts.values():
            if inner is None:
                values += numbers[of_numbers] or tables[of_tables]
            else:
                values.append(inner.record(numbers[of_numbers], tables[of_tables]))
        return self.kind(*values)


columns_of: Callable[[type[Counts]], CountColumns] = cache(CountColumns)  # type: ignore[assignment]
"""Returns the columns of a class of counts."""


def getter(keys: Sequence[Any], make: Callable[..., Any] = attrgetter) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that returns some attributes as a tuple, or items if ``make`` is ``itemgetter``."""
    if len(keys) > 1:
        return make(*keys)  # type: ignore[no-any-return]
    each = list(map(make, keys))
    return lambda record: tuple([one(record) for one in each])


_getter = lru_cache(getter)


class RunningSum(Generic[C]):
    """Sum of the records of a corpus of any length, added in batches since ``sum`` is faster."""

    __slots__ = ("_records",)

    def __init__(self, zero: C) -> None:
        self._records = [zero]  # the sum so far and the records of the current batch

    def add(self, *records: C) -> None:
        """Add records."""
        self._records += records
        if len(self._records) > _BATCH:
            self.total()

    def total(self) -> C:
        """Return the sum of all records so far."""
        if len(self._records) > 1:
            self._records = [type(self._records[0]).sum(self._records)]
        return self._records[0]


def total(zero: Any, column: Sequence[Any]) -> Any:
    """Add up a column of numbers, records or tables."""
    if isinstance(zero, Counts):
        return type(zero).sum(column)
    return type(zero)(by_key(column)) if isinstance(zero, dict) else sum(column, zero)


def by_key(tables: Iterable[Mapping[Any, Any]]) -> dict[Any, Any]:
    """Add up dicts key by key; keys keep the order of their first appearance."""
    columns: dict[Any, list[Any]] = {}
    for table in filter(None, tables):
        for key, value in table.items():
            columns.setdefault(key, []).append(value)
    return {
        key: type(first).sum([first, *rest]) if rest and isinstance(first, Counts) else sum(rest, first)
        for key, (first, *rest) in columns.items()
    }


def rounded(numerator: int, denominator: int) -> int:
    """Return a quotient rounded half up; sums of integers do not depend on their order, unlike floats."""
    return (2 * numerator + denominator) // (2 * denominator)


def ratio(numerator: float, denominator: float) -> float | None:
    """Return ``numerator / denominator``, or ``None`` if the denominator is 0.

    >>> ratio(3, 4), ratio(0, 0)
    (0.75, None)
    """
    return numerator / denominator if denominator else None


def f1(matched: int, gold: int, system: int) -> float | None:
    """Return the balanced F measure 2 * matched / (gold + system), in [0, 1].

    It is ``None`` if both sides are empty, and 0 if at least one is not and nothing matched.

    >>> f1(3, 4, 6), f1(0, 4, 0), f1(0, 0, 0)
    (0.6, 0.0, None)
    """
    return ratio(2 * matched, gold + system)


class Sums:
    """The numerator and the denominator of a rate: sums of numbers of a record, made by :func:`sums`."""

    def __init__(self, names: Sequence[str], *factors: Sequence[int]) -> None:
        self.names = tuple(names)  # names of the numbers, as attributes of the record
        self._factors = factors  # of each sum, a factor for each name

    def of(self, part: str) -> Sums:
        """Return the same sums of the numbers of a part of a record; of the whole if ``part`` is empty."""
        names = [f"{part}.{name}" for name in self.names] if part else self.names
        return Sums(names, *self._factors)

    def __call__(self, record: Any) -> tuple[int, int]:
        """Return the sums of a record."""
        numbers, (tops, bottoms) = record.picked(self.names), self._factors
        return sum(map(mul, tops, numbers)), sum(map(mul, bottoms, numbers))

    def of_columns(self, columns: Mapping[str, array[int]]) -> list[array[int]]:
        """Return the sums of columns by name, row by row."""
        summed = []
        for factors in self._factors:
            column: Any = None
            for factor, name in zip(factors, self.names):
                if not factor:
                    continue
                more: Any = columns[name]
                more = more if factor == 1 else [factor * number for number in more]
                column = more if column is None else list(map(add, column, more))
            # The array's own constructor takes ten times as long for a list.
            summed.append(
                array("q", column if isinstance(column, array) else pack(f"{len(column)}q", *column))
            )
        return summed


def sums(numerator: str, denominator: str) -> Sums:
    """Return two sums of numbers that are named by their attributes, with factors; the second may be empty.

    >>> sums("2 * matched", "gold + system")(Matched(gold=4, system=6, matched=3))
    (6, 10)
    """
    parts: list[dict[str, int]] = []  # the factor of each name
    for text in (numerator, denominator):
        terms = [term.split(" * ") for term in text.replace(" - ", " + -1 * ").split(" + ") if term]
        parts.append({name: prod(map(int, factors)) for *factors, name in terms})
    names = dict.fromkeys([*parts[0], *parts[1]])
    return Sums([*names], *[[part.get(name, 0) for name in names] for part in parts])


class Quotient(property):
    """Rate of a record: an attribute, in units of 1 / ``unit``, over another; ``None`` if that one is 0."""

    def __init__(self, part: str, whole: str, doc: str, unit: int = 1) -> None:
        both = attrgetter(part, whole)

        def value(record: Any) -> float | None:
            top, bottom = both(record)
            return top / unit / bottom if bottom else None

        value.__doc__ = doc
        super().__init__(value)

    if TYPE_CHECKING:

        def __get__(self, record: Any, kind: type | None = None) -> float | None: ...  # type: ignore[override]


class MatchedCounts(Counts):
    """Base class of counts with ``gold``, ``system`` and ``matched``, which have recall, precision and F1."""

    __slots__ = ()

    gold: int  #: gold items
    system: int  #: system items
    matched: int  #: pairs of matching items

    recall = Quotient("matched", "gold", "Share of gold items that matched; ``None`` if gold has none.")
    precision = Quotient(
        "matched", "system", "Share of system items that matched; ``None`` if the system has none."
    )

    @property
    def f1(self) -> float | None:
        """Micro F1; ``None`` if both sides are empty."""
        return f1(self.matched, self.gold, self.system)

    def wrong(self) -> int:
        """Return the number of missed and extra items together."""
        return self.gold + self.system - 2 * self.matched


@dataclass(slots=True, eq=False, repr=False)
class Matched(MatchedCounts):
    """Numbers of gold items, system items and matched pairs, and their rates."""

    gold: int = 0  #: gold items
    system: int = 0  #: system items
    matched: int = 0  #: pairs of both


def brief(result: object, **figures: object) -> str:
    """Return a ``repr`` with some figures, rates with four decimals."""
    shown = [
        f"{name}={value:.4f}" if isinstance(value, float) else f"{name}={value!r}"
        for name, value in figures.items()
    ]
    return f"{type(result).__name__}({', '.join(shown)})"


def notebook(result: object) -> str:
    return late("notebook")(result)  # type: ignore[no-any-return]
