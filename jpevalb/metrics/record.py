"""Records: all counts of a sentence pair or of a corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import Any, TypeAlias

from ..base.counts import CountPlaces, Counts, columns_of, getter, notebook, total
from .brackets import BracketCounts, GapCounts, TagCounts

Kinds: TypeAlias = tuple[tuple[str, type[Counts]], ...]


@dataclass(slots=True, eq=False, repr=False)
class SentenceCounts(Counts):
    """Sentences of both sides, and the groups in which they are aligned."""

    groups: int = 0  #: groups of aligned sentences, the rows of a report
    gold: int = 0  #: gold sentences
    system: int = 0  #: system sentences
    unaligned: int = 0  #: groups that have text on one side only, and no empty parse on the other
    gold_alone: int = 0  #: gold sentences with text that have no system sentence
    system_alone: int = 0  #: system sentences with text that have no gold sentence
    gold_unparsed: int = 0  #: gold sentences that could not be read
    system_unparsed: int = 0  #: system sentences that could not be read
    length: int = 0  #: length in units
    unlike: int = 0  #: groups with text on both sides whose edit distance exceeds ``align_ratio``


class Schema(CountPlaces):
    """The columns of the records of a run: the numbers and tables of each metric."""

    def __init__(self, kinds: Kinds) -> None:
        super().__init__({name: kind.zero() for name, kind in kinds})
        self.kinds = kinds  # name of each metric, and class of its counts
        self.names = tuple(self.parts)
        self.places = {name: index for index, name in enumerate(self.numbers)}  # of each number in a row
        # Places of the tables whose keys are in the order of the sentences
        self.tables_in_order: list[int] = []
        for name, kind in kinds:
            if kind.in_order:
                self.tables_in_order += range(len(self.tables))[self.parts[name][2]]
        self._pickers: dict[tuple[str, ...], Callable[[tuple[int, ...]], tuple[int, ...]]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return schema_of, (self.kinds,)

    def record(
        self, counts: dict[str, Counts], numbers: tuple[int, ...] = (), tables: tuple[Any, ...] = ()
    ) -> Record:
        """Return the record of all metrics; the numbers and tables of the first ones may be known."""
        for one in counts.values():
            columns = columns_of(type(one))
            numbers += columns.numbers_of(one)
            if columns.tables:
                tables += columns.tables_of(one)
        return Record(self, numbers, tables, counts)

    def picker(self, names: tuple[str, ...]) -> Callable[[tuple[int, ...]], tuple[int, ...]]:
        """Return a function that returns the numbers of these names from a row."""
        return self._pickers.get(names) or self._pickers.setdefault(
            names, getter([self.places[name] for name in names], itemgetter)
        )


def picked_rows(records: Sequence[Record], names: tuple[str, ...]) -> Iterable[tuple[int, ...]]:
    """Return the numbers of these names from each record; all records have one schema."""
    return map(records[0].schema.picker(names), [one.numbers for one in records]) if records else ()


@cache
def schema_of(kinds: Kinds) -> Schema:
    """Return the schema of some metrics; equal schemas are one object."""
    return Schema(kinds)


class Record(Counts):
    """The counts of one pair, or of a corpus: a row of numbers, and tables of open-ended counts.

    Records add up.  ``record["brackets"]`` has the counts of the metric of that name.  Every record of a
    run begins with ``"sentences"``, ``"brackets"`` and ``"tags"``.
    """

    __slots__ = ("_views", "numbers", "schema", "tables")

    def __init__(
        self,
        schema: Schema | None = None,
        numbers: tuple[int, ...] = (),
        tables: tuple[Any, ...] = (),
        views: dict[str, Any] | None = None,
    ) -> None:
        self.schema = schema_of(()) if schema is None else schema  #: names of the numbers and tables
        self.numbers = numbers  #: whole numbers, at ``schema.places``
        self.tables = tables  #: dicts, and other values that add up
        self._views = views or {}  # counts of metrics by name, made when they are read

    @classmethod
    def of(cls, counts: Mapping[str, Counts]) -> Record:
        """Return the record of the counts of some metrics."""
        schema = schema_of(tuple([(name, type(one)) for name, one in counts.items()]))
        return schema.record(dict(counts))

    @classmethod
    def sum(cls, records: Iterable[Record]) -> Record:
        """Add up records of one run; a metric has the sum of the records that have it."""
        items = list(records)
        schemas = {item.schema for item in items}
        if not schemas:
            return cls()
        if len(schemas) > 1:
            kinds = dict.fromkeys([kind for item in items for kind in item.schema.kinds])
            zeros = {name: kind.zero() for name, kind in kinds}
            return cls.sum([cls.of({**zeros, **item.by_name()}) for item in items])
        (schema,) = schemas
        numbers = tuple(map(sum, zip(*[item.numbers for item in items])))
        # Tables are not added by schema: their keys keep the order of their first appearance.
        return cls(schema, numbers, tuple(map(total, schema.empty, zip(*[item.tables for item in items]))))

    def __reduce__(self) -> tuple[Any, ...]:
        return Record, (self.schema, self.numbers, self.tables)

    def __repr__(self) -> str:
        if not self.names:
            return "<Record without metrics>"
        f1 = self.brackets.f1
        score = "undefined" if f1 is None else f"{f1:.4f}"
        return f"<Record: sentences {self.sentences.groups}, F1 {score}; {', '.join(self.names)}>"

    _repr_html_ = notebook

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the metrics, in the order of the run."""
        return self.schema.names

    def picked(self, names: tuple[str, ...]) -> tuple[int, ...]:
        """Return numbers by name, such as ``"brackets.gold"``."""
        return self.schema.picker(names)(self.numbers)

    def by_name(self) -> dict[str, Counts]:
        """Return the counts of each metric."""
        return {name: self[name] for name in self.names}

    def __getitem__(self, name: str) -> Any:
        """Return the record of a metric; a ``KeyError`` lists the metrics."""
        if name in self._views:
            return self._views[name]
        if name not in self.names:
            from difflib import get_close_matches

            near = get_close_matches(name, self.names, n=1)
            advice = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(self.names)}"
            raise KeyError(f"unknown metric {name!r}, or not computed; {advice}")
        columns, numbers, tables = self.schema.parts[name]
        assert columns is not None
        self._views[name] = columns.record(self.numbers[numbers], self.tables[tables])
        return self._views[name]

    def __contains__(self, metric: object) -> bool:
        """Return True if a metric was computed."""
        return metric in self.names

    @property
    def sentences(self) -> SentenceCounts:
        """Sentences of both sides, and the groups in which they are aligned."""
        return self["sentences"]  # type: ignore[no-any-return]

    @property
    def brackets(self) -> BracketCounts:
        """Brackets."""
        return self["brackets"]  # type: ignore[no-any-return]

    @property
    def tags(self) -> TagCounts:
        """Part-of-speech tags."""
        return self["tags"]  # type: ignore[no-any-return]

    @property
    def gaps(self) -> GapCounts:
        """Brackets with gaps."""
        return self["gaps"]  # type: ignore[no-any-return]

    def to_dict(self) -> dict[str, Any]:
        """Return counts and rates by metric, ready for JSON."""
        return {name: counts.to_dict() for name, counts in self.by_name().items()}

    def of_bead(self) -> dict[str, Any]:
        """Return the JSON object of a single bead, by metric."""
        return {name: counts.of_bead() for name, counts in self.by_name().items()}
