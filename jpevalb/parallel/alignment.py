"""Alignment mode on workers: stretches of both files out, packed records back, in order.

The beads from a place on depend on nothing before it, if no step is open there
(:class:`jpevalb.alignment.sentences.Step`).  So a worker reads, aligns and scores a stretch from
a place where a bead is likely to begin, up to the first such place at or behind its end,
and says where that is.  If the next stretch was begun there its records are those of one
process; if not, or where a worker met an error or the end of what it had been given, the
same is done here, on the spot, by the code that one process runs.  What comes out is the
same in any case, errors and their places included.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ..alignment import Bead
from ..alignment.sentences import Step
from ..corpus import JSON, SUMS, TEXT, BeadScorer
from ..errors import JpevalbError
from ..labels import Labels
from ..pairs import Pair, Sentence, check_continuous, pairs
from ..records import Record
from ..report.json import sentence_end
from ..report.text import NUMBER_WIDTH
from ..report.text import rows as text_rows
from ..results import SentenceResult, Unparsed
from ..roots import RootLabel
from ..settings import Settings
from ..unaligned import NAMED, UnalignedStretch, add_stretch, part_of
from .division import Cuts, Feed, feed_of, lines_of
from .packing import RecordPacking
from .stretches import FAR, ITEMS, NeedMoreError, Place, Reading, Stretch
from .workers import Team

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ..corpus import Run


_SHOWN = 16

WHOLE, ENDED, CUT_SHORT = "whole", "ended", "cut short"
"""How a stretch was read: up to its end, up to the files' end, or only so far."""


@dataclass(frozen=True, slots=True)
class Job:
    """What all stretches of one evaluation have in common.

    Attributes:
        settings: With the .prm itself in place of its name.
        exceptions: What tokens are read as.
        cutoff_length: Longest bead of the second sum.
        wanted: What is made of the results, as for :class:`jpevalb.corpus.Run`.
    """

    settings: Settings
    exceptions: Mapping[str, str]
    cutoff_length: int
    wanted: str


_Row: TypeAlias = "tuple[int, int, bool, tuple[Any, ...], Any]"


class Answer(NamedTuple):
    """What a worker found.

    Numbers of sentences and beads count from the stretch's beginning.
    """

    rows: list[_Row]
    """For each bead the numbers of its sentences, whether it is aligned, its record, packed,
    and what a report will ask for; nothing where only sums are wanted."""
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
    """What :class:`jpevalb.corpus.RootLabel` saw."""
    fired: bool
    """Whether a DELETE_LABEL was met."""


def score_stretch(job: Job, gold: Stretch, system: Stretch) -> Answer | None:
    """A worker's task; ``None`` if the files are not to be had here.

    Cost: that of reading, aligning and scoring.
    """
    scorer = BeadScorer(job.settings)
    resume = job.settings.on_error == "skip"
    try:
        left, right = gold.reading(resume=resume), system.reading(resume=resume)
    except OSError:
        return None
    step = Step()
    found = _Found(job, scorer)
    how = CUT_SHORT
    try:
        for pair in _pairs(left, right, scorer.labels, job, step):
            found.add(pair, scorer.score(pair))
            i, j = pair.bead.gold[1], pair.bead.system[1]
            if not step.open and left.is_place(i) and right.is_place(j):
                found.keep()
                if i >= left.end and j >= right.end:
                    how = WHOLE
                    break
        else:
            found.keep()
            how = ENDED
    except (NeedMoreError, JpevalbError):
        # Whoever asked has the rest of the file, and will find the same error at the same place.
        pass
    return found.answer(left, right, how)


def _pairs(left: Reading, right: Reading, labels: Labels, job: Job, step: Step) -> Iterator[Pair]:
    return pairs(
        _sentences(left, labels),
        _sentences(right, labels),
        exceptions=job.exceptions,
        ratio=job.settings.align_ratio,
        step=step,
    )


def _sentences(reading: Reading, labels: Labels) -> Iterator[Sentence]:
    """The sentences from a place on, as :func:`jpevalb.pairs.sentences` has them."""
    checked = reading.layout.kind == ITEMS
    for number, (tree, error) in enumerate(reading.sentences(), reading.start.sentence + 1):
        if checked:
            check_continuous(tree, number)
        pruned, outside = labels.prune(tree)
        yield Sentence(pruned, tree, outside, error)


class _Found:
    """What a worker has found, up to the last place where another could go on."""

    def __init__(self, job: Job, scorer: BeadScorer) -> None:
        self._job = job
        self._scorer = scorer
        self._packing = RecordPacking(scorer.zero)
        self._root = RootLabel()
        self._new: list[tuple[Pair, Record]] = []
        self._rows: list[_Row] = []
        self._packed: list[tuple[Any, ...]] = []
        self._extras: list[Any] = []
        self._shown: list[SentenceResult] = []
        self._unaligned: list[UnalignedStretch] = []
        self._unparsed: list[tuple[int, str, int, str]] = []
        self._end = 0, 0

    def add(self, pair: Pair, record: Record) -> None:
        """Takes in a pair."""
        self._new.append((pair, record))

    def keep(self) -> None:
        """Says that another can go on behind the pairs so far."""
        for pair, record in self._new:
            bead, beads = pair.bead, record.beads
            place = len(self._packed)
            packed = self._packing.pack(record)
            self._packed.append(packed)
            if self._job.wanted != SUMS:
                self._rows.append((beads.gold, beads.system, bead.aligned, packed, None))
            if self._job.wanted == TEXT:
                self._shown.append(SentenceResult(0, record, pair, self._scorer.labels))
                if len(self._shown) == _SHOWN:
                    self._show()
            elif self._job.wanted == JSON:
                result = SentenceResult(0, record, pair, self._scorer.labels)
                self._extras.append(sentence_end(result, self._scorer.metrics))
            for sentence in pair.gold_sentences:
                self._root.see(sentence.tree)
            if beads.unaligned:
                add_stretch(self._unaligned, place, bead)
            if (beads.gold_unparsed or beads.system_unparsed) and len(self._unparsed) < NAMED:
                result = SentenceResult(place, record, pair, self._scorer.labels)
                self._unparsed += [(place, item.side, item.number, item.error) for item in result.unparsed]
            self._end = bead.gold[1], bead.system[1]
        self._new.clear()

    def answer(self, left: Reading, right: Reading, how: str) -> Answer:
        """What there is to say."""
        self._show()
        rows = self._rows
        if self._extras:
            rows = [(*row[:4], extra) for row, extra in zip(rows, self._extras)]
        packed = self._packed
        # The first part of a record counts beads; its last field is the length.
        short = [item for item in packed if item[0][-1] <= self._job.cutoff_length]
        return Answer(
            rows,
            len(packed),
            (left.place(self._end[0]), right.place(self._end[1])),
            how,
            self._packing.sum(packed),
            self._packing.sum(short),
            [(place, *bead.gold, *bead.system) for place, bead in self._unaligned],
            self._unparsed,
            self._root.state,
            self._scorer.labels.fired,
        )

    def _show(self) -> None:
        """Makes the lines of the text report, for a few results at once, but for their numbers."""
        if self._shown:
            lines = text_rows(self._shown, self._scorer.metrics).splitlines(keepends=True)
            self._extras += [line[NUMBER_WIDTH:] for line in lines]
            self._shown.clear()


class Divided:
    """The results of a run whose stretches workers score; iterate over it once.

    Args:
        run: The run.
        team: The workers.
    """

    def __init__(self, run: Run, team: Team) -> None:
        self._run = run
        self._team = team
        settings = run.settings
        if settings.prm is not None:
            settings = settings.replace(prm=settings.params())
        # Workers may have no such files.
        settings = settings.replace(exceptions=None)
        self._job = Job(settings, run.exceptions, run.cutoff_length, run.wanted)
        self._packing = RecordPacking(run.scorer.zero)
        self._number = 0
        self._at = Place(), Place()
        self._waiting: deque[_Task] = deque()
        self._ended = False
        self._open: _Accepted | None = None

    def __iter__(self) -> Iterator[SentenceResult]:
        run, waiting = self._run, self._waiting
        settings = run.settings
        resume = settings.on_error == "skip"
        with ExitStack() as stack:
            feeds = [
                feed_of(source, settings.format, settings.encoding, resume=resume, stack=stack)
                for source in (run.gold, run.system)
            ]
            cuts = Cuts(feeds[0], feeds[1])
            stack.callback(self._cancel)
            seen = [feed.path is not None and self._team.sees(feed.path) for feed in feeds]
            more = True
            while not self._ended:
                while more and len(waiting) < self._team.in_flight:
                    stretches = cuts.next()
                    if stretches is None:
                        more = False
                        break
                    waiting.append(self._given_out(stretches, feeds, seen))
                    if waiting[0].future.done():
                        break
                if not waiting:
                    break
                yield from self._settled(waiting.popleft(), feeds)
            if not self._ended:
                yield from self._here(None, feeds)

    def _cancel(self) -> None:
        for task in self._waiting:
            task.future.cancel()

    def _given_out(self, stretches: tuple[Stretch, Stretch], feeds: list[Feed], seen: list[bool]) -> _Task:
        sent = [
            stretch.in_file(feed.path) if visible and feed.path is not None else stretch
            for stretch, feed, visible in zip(stretches, feeds, seen)
        ]
        return _Task(stretches, self._team.submit(score_stretch, self._job, sent[0], sent[1]))

    def _settled(self, task: _Task, feeds: list[Feed]) -> Iterator[SentenceResult]:
        """The results up to the end of a task's stretches, at least."""
        starts = [stretch.start.offset for stretch in task.stretches]
        if starts == [place.offset for place in self._at]:
            answer = self._team.result(task.future)
            if answer is not None:
                yield from self._accepted(task, answer)
        else:
            task.future.cancel()
        targets = [stretch.target for stretch in task.stretches]
        if not self._ended and any(place.offset < target for place, target in zip(self._at, targets)):
            yield from self._here(task, feeds)

    # -- what workers have found ---------------------------------------------------------------

    def _accepted(self, task: _Task, answer: Answer) -> Iterator[SentenceResult]:
        run = self._run
        run.root.add(answer.root)
        run.labels.fired = run.labels.fired or answer.fired
        accepted = _Accepted(run, task.stretches, answer, self._packing, self._at, self._number)
        self._open = accepted
        yield from accepted.results()
        self.settle()
        self._number += answer.beads
        self._at = (
            answer.end[0]._replace(sentence=self._at[0].sentence + answer.end[0].sentence),
            answer.end[1]._replace(sentence=self._at[1].sentence + answer.end[1].sentence),
        )
        for source, place in zip((run.gold, run.system), self._at):
            if hasattr(source, "advance"):
                source.advance(place.offset)
        self._ended = answer.how == ENDED

    def settle(self) -> None:
        """Adds to the run's sums what has been handed out since the last time."""
        if self._open is not None:
            self._open.settle()

    # -- what is done here ---------------------------------------------------------------------

    def _here(self, task: _Task | None, feeds: list[Feed]) -> Iterator[SentenceResult]:
        """Goes on up to the end of a task's stretches, or to the very end, in this process."""
        run = self._run
        base = self._at
        readings = []
        for side, feed in enumerate(feeds):
            held = [one.stretches[side] for one in ([] if task is None else [task, *self._waiting])]
            lines = _replayed(held, feed, base[side].offset, keep=task is not None)
            target = FAR if task is None else task.stretches[side].target
            resume = run.settings.on_error == "skip"
            readings.append(Reading(feed.layout, base[side], lines, target, last=True, resume=resume))
        left, right = readings
        step = Step()
        i, j = base[0].sentence, base[1].sentence
        for pair in _pairs(left, right, run.labels, self._job, step):
            n, m = pair.bead.gold[1], pair.bead.system[1]
            bead = pair.bead
            pair.bead = Bead((bead.gold[0] + i, n + i), (bead.system[0] + j, m + j), bead.aligned)
            self._number += 1
            result = SentenceResult(self._number, run.scorer.score(pair), pair, run.labels)
            for sentence in pair.gold_sentences:
                run.root.see(sentence.tree)
            run.add(result)
            yield result
            if task is None or step.open or n < left.end or m < right.end:
                continue
            if left.is_place(n) and right.is_place(m):
                self._at = left.place(n), right.place(m)
                for place, feed in zip(self._at, feeds):
                    feed.skip_to(place.offset)
                return
        self._ended = True


def _replayed(held: list[Stretch], feed: Feed, offset: int, *, keep: bool) -> Iterator[Any]:
    """The lines or items of a file from a place on: those that workers have, and then the feed's."""
    for stretch in held:
        begin, end = max(0, offset - stretch.start.offset), stretch.target - stretch.start.offset
        if begin < end:
            data: Any = stretch.data
            yield from lines_of(data[begin:end]) if isinstance(data, bytes) else data[begin:end]
    yield from feed.rest(max(0, offset - feed.start.offset), keep=keep)


class _Task(NamedTuple):
    stretches: tuple[Stretch, Stretch]
    future: Future[Answer | None]


class _Accepted:
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

    def results(self) -> Iterator[SentenceResult]:
        """One for each row."""
        i, j = self._at[0].sentence, self._at[1].sentence
        if len(self.rows) < self._beads:
            self._given = self._beads
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
                self._read.append((_sentences(reading, self.run.labels), []))
        more, found = self._read[side]
        found.extend(islice(more, max(0, number - len(found))))
        return found


class RemoteResult(SentenceResult):
    """A result whose trees are here as text only, and are read when they are asked for."""

    __slots__ = ("_accepted", "_begin", "_place")

    def __init__(self, number: int, accepted: _Accepted, place: int, gold: int, system: int) -> None:
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
