"""Records: all counts of a sentence pair or of a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..base.counts import Counts, notebook

if TYPE_CHECKING:
    from .brackets import BracketCounts, GapCounts
    from .tags import TagCounts


@dataclass(frozen=True, slots=True)
class BeadCounts(Counts):
    """Sentences and beads."""

    beads: int = 0  #: number of beads, which reports count as sentences
    gold: int = 0  #: gold sentences
    system: int = 0  #: system sentences
    unaligned: int = 0  #: beads that have text on one side only, and no empty parse on the other
    gold_alone: int = 0  #: gold sentences with text that have no system sentence
    system_alone: int = 0  #: system sentences with text that have no gold sentence
    gold_unparsed: int = 0  #: gold sentences that could not be read
    system_unparsed: int = 0  #: system sentences that could not be read
    length: int = 0  #: length in units
    unlike: int = 0  #: beads with text on both sides whose edit distance exceeds ``align_ratio``


@dataclass(frozen=True, slots=True)
class Record(Counts):
    """The counts of one pair, or of a corpus, by metric; records add up.

    ``record["brackets"]`` has the counts of the metric of that name.  Every record of a run begins
    with ``"beads"``, ``"brackets"`` and ``"tags"``.

    Attributes:
        names: Names of the metrics, in the order of the run.
        counts: The record of each metric.
    """

    names: tuple[str, ...] = ()
    counts: tuple[Counts, ...] = ()

    def __repr__(self) -> str:
        if not self.names:
            return "<Record without metrics>"
        f1 = self.brackets.f1
        score = "undefined" if f1 is None else f"{f1:.4f}"
        return f"<Record: sentences {self.beads.beads}, F1 {score}; {', '.join(self.names)}>"

    def _repr_html_(self) -> str:
        """Return the counts and rates by metric, for notebooks."""
        return notebook(self)

    @classmethod
    def sum(cls, records: Iterable[Record]) -> Record:
        """Add up records of one run; a metric has the sum of the records that have it."""
        items = list(records)
        kinds = dict.fromkeys([item.names for item in items])
        if len(kinds) == 1:
            (names,) = kinds
            columns: list[Sequence[Counts]] = list(zip(*[item.counts for item in items]))
        else:
            by_name: dict[str, list[Counts]] = {name: [] for kind in kinds for name in kind}
            for item in items:
                for name, counts in zip(item.names, item.counts):
                    by_name[name].append(counts)
            names, columns = tuple(by_name), list(by_name.values())
        return cls(names, tuple([type(column[0]).sum(column) for column in columns]))

    def __getitem__(self, name: str) -> Any:
        """Return the record of a metric; a ``KeyError`` lists the metrics."""
        try:
            return self.counts[self.names.index(name)]
        except ValueError:
            from difflib import get_close_matches

            near = get_close_matches(name, self.names, n=1)
            advice = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(self.names)}"
            raise KeyError(f"unknown metric {name!r}, or not computed; {advice}") from None

    def __contains__(self, name: object) -> bool:
        """Return True if a metric was computed."""
        return name in self.names

    @property
    def beads(self) -> BeadCounts:
        """Sentences and beads."""
        return self.counts[0]  # type: ignore[return-value]

    @property
    def brackets(self) -> BracketCounts:
        """Brackets."""
        return self.counts[1]  # type: ignore[return-value]

    @property
    def tags(self) -> TagCounts:
        """Part-of-speech tags."""
        return self.counts[2]  # type: ignore[return-value]

    @property
    def gaps(self) -> GapCounts:
        """Brackets with gaps."""
        return self["gaps"]  # type: ignore[no-any-return]

    def to_dict(self) -> dict[str, Any]:
        """Return counts and rates by metric, ready for JSON."""
        return {name: counts.to_dict() for name, counts in zip(self.names, self.counts)}

    def of_bead(self) -> dict[str, Any]:
        """Return the JSON object of a single bead, by metric."""
        return {name: counts.of_bead() for name, counts in zip(self.names, self.counts)}
