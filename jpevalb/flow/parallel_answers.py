"""What workers answer, and the results that are made of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ..alignment import Bead
from ..alignment.pair import Pair, Sentence, check_continuous
from ..model.labels import Labels
from ..model.record import Record
from .parallel_packing import RecordPacking
from .parallel_stretches import ITEMS, Place, Reading, Stretch
from .summary import Lines, SentenceResult, Unparsed
from .unaligned import part_of

if TYPE_CHECKING:
    from .run import Run

Row: TypeAlias = "tuple[int, int, bool, tuple[Any, ...], Any]"


class Answer(NamedTuple):
    """What a worker found.

    Numbers of sentences and beads count from the stretch's beginning.
    """

    rows: list[Row]
    """For each bead the numbers of its sentences, whether it is aligned, its record, packed,
    and what a report will ask for; none where only sums or lines are wanted."""
    lines: list[str]
    """The rows of the text report, but for their numbers, where that is what is wanted."""
    beads: int
    """The number of beads."""
    end: tuple[Place, Place]
    """Where the next bead begins."""
    how: str
    """``WHOLE``, ``ENDED`` or ``CUT_SHORT``."""
    total: tuple[Any, ...]
    """The sum of the records, packed."""
    short: tuple[Any, ...]
    """The sum of those up to the cut-off."""
    unaligned: list[tuple[int, int, int, int, int]]
    """The first stretches that have text on one side only: number, and ends of their sentences."""
    unparsed: list[tuple[int, str, int, str]]
    """The first sentences that could not be read: bead, side, number and error."""
    root: tuple[str | None, int, bool]
    """What :class:`jpevalb.flow.run.RootLabel` saw."""
    fired: bool
    """Whether a DELETE_LABEL was met."""


def sentences_of(reading: Reading, labels: Labels) -> Iterator[Sentence]:
    """The sentences from a place on, as :func:`jpevalb.alignment.pair.sentences` has them."""
    checked = reading.layout.kind == ITEMS
    for number, (tree, error) in enumerate(reading.sentences(), reading.start.sentence + 1):
        if checked:
            check_continuous(tree, number)
        pruned, outside = labels.prune(tree)
        yield Sentence(pruned, tree, outside, error)


class Accepted:
    """A worker's answer that stands, and where it is in the files."""

    def __init__(
        self,
        run: Run,
        stretches: tuple[Stretch, Stretch],
        answer: Answer,
        packing: RecordPacking,
        at: tuple[Place, Place],
        number: int,
    ) -> None:
        self.run = run
        self.packing = packing
        self.rows = answer.rows
        self._stretches = stretches
        self._answer = answer
        self._at = at
        self._number = number
        self._given = self._settled = 0
        self._beads = answer.beads
        self._read: list[tuple[Iterator[Sentence], list[Sentence]]] = []

    def results(self) -> Iterator[SentenceResult | Lines]:
        """One for each row, or the lines of all."""
        i, j = self._at[0].sentence, self._at[1].sentence
        if len(self.rows) < self._beads:
            self._given = self._beads
            if self._answer.lines:
                yield Lines(self._number + 1, self._answer.lines)
            return
        for place, row in enumerate(self.rows):
            self._given = place + 1
            yield RemoteResult(self._number + place + 1, self, place, i, j)
            i += row[0]
            j += row[1]

    def settle(self) -> None:
        """Adds up the rows handed out since the last time."""
        first, last = self._settled, self._given
        self._settled = last
        answer, run, unpack = self._answer, self.run, self.packing.unpack
        if first == last:
            return
        if last - first == self._beads:
            total, short = unpack(answer.total), unpack(answer.short)
        else:
            packed = [row[3] for row in self.rows[first:last]]
            total = unpack(self.packing.sum(packed))
            short = unpack(self.packing.sum([item for item in packed if item[0][-1] <= run.cutoff_length]))
        run.add_sums(
            total,
            short,
            [
                (self._number + stretch[0] + 1, stretch[1])
                for place, *item in answer.unaligned
                if (stretch := part_of((place, self._bead(item)), first, last))
            ],
            [
                Unparsed(side, number + self._at[side != "gold"].sentence, error)
                for place, side, number, error in answer.unparsed
                if first <= place < last
            ],
        )

    def _bead(self, bounds: list[int]) -> Bead:
        """Unaligned sentences in the numbers of the files."""
        i, j = self._at[0].sentence, self._at[1].sentence
        a, b, c, d = bounds
        return Bead((i + a, i + b), (j + c, j + d), False)

    def pair(self, bead: Bead) -> Pair:
        """The two sides of a bead, read once more.  Cost: O(bytes up to them), once."""
        sides = []
        for side, (begin, end) in enumerate((bead.gold, bead.system)):
            first = self._at[side].sentence
            sides.append(self._sentences(side, end - first)[begin - first : end - first])
        return Pair(bead, sides[0], sides[1], self.run.exceptions)

    def _sentences(self, side: int, number: int) -> list[Sentence]:
        if not self._read:
            resume = self.run.settings.on_error == "skip"
            for stretch in self._stretches:
                reading = stretch.reading(resume=resume)
                self._read.append((sentences_of(reading, self.run.labels), []))
        more, found = self._read[side]
        found.extend(islice(more, max(0, number - len(found))))
        return found


class RemoteResult(SentenceResult):
    """A result whose trees are here as text only, and are read when they are asked for."""

    __slots__ = ("_accepted", "_begin", "_place")

    def __init__(self, number: int, accepted: Accepted, place: int, gold: int, system: int) -> None:
        self.number = number
        self._accepted = accepted
        self._place = place
        self._begin = gold, system
        self._labels = accepted.run.labels
        self._comparison = None
        self._record = None
        self._pair = None

    @property
    def record(self) -> Record:
        if self._record is None:
            self._record = self._accepted.packing.unpack(self._accepted.rows[self._place][3])
        return self._record

    @property
    def bead(self) -> Bead:
        row = self._accepted.rows[self._place]
        i, j = self._begin
        return Bead((i, i + row[0]), (j, j + row[1]), row[2])

    @property
    def pair(self) -> Pair:
        if self._pair is None:
            self._pair = self._accepted.pair(self.bead)
        return self._pair

    @property
    def known(self) -> Any:
        return self._accepted.rows[self._place][4]
