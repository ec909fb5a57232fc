"""Records: everything counted of a pair, and of a corpus."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ..metrics.brackets import BracketCounts, TagCounts
from .counts import Counts


@dataclass(frozen=True, slots=True)
class BeadCounts(Counts):
    """Sentences and beads.

    Attributes:
        beads: Beads: what a report counts as sentences.
        gold: Gold sentences.
        system: The system's sentences.
        unaligned: Beads that have text on one side only.
        gold_alone: Gold sentences with text that have no system sentence beside them.
        system_alone: The same of the system's.
        gold_unparsed: Gold sentences that could not be read.
        system_unparsed: The system's sentences that could not be read.
        length: Units.
    """

    beads: int = 0
    gold: int = 0
    system: int = 0
    unaligned: int = 0
    gold_alone: int = 0
    system_alone: int = 0
    gold_unparsed: int = 0
    system_unparsed: int = 0
    length: int = 0


@dataclass(frozen=True, slots=True)
class Record(Counts):
    """Everything counted of one pair, or of a corpus: records of counts that add up.

    Attributes:
        beads: Sentences and beads.
        brackets: Brackets.
        tags: Part-of-speech tags.
        others: The records of other metrics, in the order of the run's metrics.
        names: The names of those metrics.
    """

    beads: BeadCounts = field(default_factory=BeadCounts)
    brackets: BracketCounts = field(default_factory=BracketCounts)
    tags: TagCounts = field(default_factory=TagCounts)
    others: tuple[Counts, ...] = ()
    names: tuple[str, ...] = ()

    def __add__(self, other: Record) -> Record:
        return Record.sum((self, other))

    @classmethod
    def sum(cls, records: Iterable[Record]) -> Record:
        """The sum of any number of records of one run.  Cost: O(number of records)."""
        items = list(records)
        named = [item for item in items if item.names]
        if not named:
            others: tuple[Counts, ...] = ()
        else:
            columns = zip(*[item.others for item in named])
            others = tuple(type(column[0]).sum(column) for column in columns)
        return cls(
            BeadCounts.sum([item.beads for item in items]),
            BracketCounts.sum([item.brackets for item in items]),
            TagCounts.sum([item.tags for item in items]),
            others,
            named[0].names if named else (),
        )

    def __getitem__(self, name: str) -> Any:
        """The record of a metric by its name; a ``KeyError`` tells which there are."""
        if name in ("beads", "brackets", "tags"):
            return getattr(self, name)
        try:
            return self.others[self.names.index(name)]
        except ValueError:
            there = ", ".join(["beads", "brackets", "tags", *self.names])
            raise KeyError(f"{name!r} was not computed; there are {there}") from None

    def to_dict(self) -> dict[str, Any]:
        """Counts and rates by metric, JSON-ready."""
        named = zip(
            ("beads", "brackets", "tags", *self.names), (self.beads, self.brackets, self.tags, *self.others)
        )
        return {name: counts.to_dict() for name, counts in named}
