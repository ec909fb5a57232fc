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
from typing import TYPE_CHECKING, Any, NamedTuple

from ..alignment import Bead
from ..alignment.pair import Pair, pairs
from ..alignment.sentences import Step
from ..model.errors import JpevalbError
from ..model.labels import Labels
from ..model.record import Record
from ..model.roots import RootLabel
from ..model.settings import Settings
from ..report.json import sentence_end
from ..report.rows import NUMBER_WIDTH, EvalbRows
from .parallel_answers import Accepted, Answer, Row, sentences_of
from .parallel_division import Cuts, Feed, feed_of, lines_of
from .parallel_packing import RecordPacking
from .parallel_stretches import FAR, NeedMoreError, Place, Reading, Stretch
from .run import JSON, SUMS, TEXT, BeadScorer
from .summary import Lines, SentenceResult
from .unaligned import NAMED, UnalignedStretch, add_stretch
from .workers import Team

if TYPE_CHECKING:
    from concurrent.futures import Future

    from .run import Run


_AT_ONCE = 16
"""Pairs that something is done with at once."""
_FOLDED = 128
"""Records added up at once."""

WHOLE, ENDED, CUT_SHORT = "whole", "ended", "cut short"
"""How a stretch was read: up to its end, up to the files' end, or only so far."""


@dataclass(frozen=True, slots=True)
class Job:
    """What all stretches of one evaluation have in common.

    Attributes:
        settings: With the .prm itself in place of its name.
        exceptions: What tokens are read as.
        cutoff_length: Longest bead of the second sum.
        wanted: What is made of the results, as for :class:`jpevalb.flow.run.Run`.
    """

    settings: Settings
    exceptions: Mapping[str, str]
    cutoff_length: int
    wanted: str


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
        sentences_of(left, labels),
        sentences_of(right, labels),
        exceptions=job.exceptions,
        ratio=job.settings.align_ratio,
        step=step,
    )


class _Found:
    """What a worker has found, up to the last place where another could go on."""

    def __init__(self, job: Job, scorer: BeadScorer) -> None:
        self._job = job
        self._scorer = scorer
        self._packing = RecordPacking(scorer.zero)
        self._root = RootLabel()
        # Pairs behind the last place, and pairs before it that nothing has been done with yet.
        self._open: list[tuple[Pair, Record]] = []
        self._kept: list[tuple[Pair, Record]] = []
        self._beads = 0
        self._rows: list[Row] = []
        self._lines: list[str] = []
        self._records: list[Record] = []
        self._total = self._short = scorer.zero
        self._unaligned: list[UnalignedStretch] = []
        self._unparsed: list[tuple[int, str, int, str]] = []
        self._end = 0, 0

    def add(self, pair: Pair, record: Record) -> None:
        """Takes in a pair."""
        self._open.append((pair, record))

    def keep(self) -> None:
        """Says that another can go on behind the pairs so far."""
        self._kept += self._open
        self._open.clear()
        if len(self._kept) >= _AT_ONCE:
            self._work_in()

    def _work_in(self) -> None:
        """Makes of the pairs what was asked for.

        Of a few at once: their trees live until then, and memory that is used again is fast.
        """
        kept, wanted = self._kept, self._job.wanted
        if not kept:
            return
        for place, (pair, record) in enumerate(kept, self._beads):
            beads = record.beads
            for sentence in pair.gold_sentences:
                self._root.see(sentence.tree)
            if beads.unaligned:
                add_stretch(self._unaligned, place, pair.bead)
            if (beads.gold_unparsed or beads.system_unparsed) and len(self._unparsed) < NAMED:
                found = SentenceResult(place, record, pair, self._scorer.labels).unparsed
                self._unparsed += [(place, item.side, item.number, item.error) for item in found]
        if wanted == TEXT:
            results = [SentenceResult(0, record, pair, self._scorer.labels) for pair, record in kept]
            text = EvalbRows(self._scorer.metrics).lines(results)
            self._lines += [line[NUMBER_WIDTH:] for line in text.splitlines(keepends=True)]
        elif wanted != SUMS:
            self._rows += [self._row(pair, record) for pair, record in kept]
        self._beads += len(kept)
        bead = kept[-1][0].bead
        self._end = bead.gold[1], bead.system[1]
        self._records += [record for _, record in kept]
        if len(self._records) >= _FOLDED:
            self._fold()
        kept.clear()

    def _row(self, pair: Pair, record: Record) -> Row:
        beads = record.beads
        known = None
        if self._job.wanted == JSON:
            result = SentenceResult(0, record, pair, self._scorer.labels)
            known = sentence_end(result, self._scorer.metrics)
        return beads.gold, beads.system, pair.bead.aligned, self._packing.pack(record), known

    def _fold(self) -> None:
        records, cutoff = self._records, self._job.cutoff_length
        self._total = Record.sum([self._total, *records])
        self._short = Record.sum([self._short, *[item for item in records if item.beads.length <= cutoff]])
        records.clear()

    def answer(self, left: Reading, right: Reading, how: str) -> Answer:
        """What there is to say."""
        self._work_in()
        self._fold()
        return Answer(
            self._rows,
            self._lines,
            self._beads,
            (left.place(self._end[0]), right.place(self._end[1])),
            how,
            self._packing.pack(self._total),
            self._packing.pack(self._short),
            [(place, *bead.gold, *bead.system) for place, bead in self._unaligned],
            self._unparsed,
            self._root.state,
            self._scorer.labels.fired,
        )


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
        self._open: Accepted | None = None

    def __iter__(self) -> Iterator[SentenceResult | Lines]:
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

    def _settled(self, task: _Task, feeds: list[Feed]) -> Iterator[SentenceResult | Lines]:
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

    def _accepted(self, task: _Task, answer: Answer) -> Iterator[SentenceResult | Lines]:
        run = self._run
        run.root.add(answer.root)
        run.labels.fired = run.labels.fired or answer.fired
        accepted = Accepted(run, task.stretches, answer, self._packing, self._at, self._number)
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

    def _here(self, task: _Task | None, feeds: list[Feed]) -> Iterator[SentenceResult | Lines]:
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
