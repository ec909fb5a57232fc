"""Runs: two files read, paired, scored here or on workers, and summed up."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from ..alignment.exceptions import exceptions_of
from ..alignment.pair import Pair
from ..alignment.stream import TOGETHER, Stretch
from ..base.errors import JpevalbError
from ..formats.read import Source
from ..metrics import Metric
from ..settings.choices import POSITION
from ..settings.labels import TRACE, with_equal_words
from ..settings.settings import DEFAULT_CUTOFF, Settings
from .chunk import (
    LINES_BACK,
    Chunk,
    ChunkResult,
    CompareWords,
    Job,
    LineChunk,
    RowMaker,
    in_batches,
    packed,
    pairs_of,
    results_of,
    score_chunk,
    sizes_in_step,
    without_pairs,
)
from .evaluation import Evaluation
from .inputs import Input, resolved
from .pairing import Side, have_same_words, pair_sides
from .scorer import Scorer
from .sentence import SentenceResult
from .tally import Tally
from .traces import alone_with_traces
from .uses import reject_unused
from .warnings import RunFacts, differs_from_evalb, warnings_of

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from .workers import WorkerPool

# Sentences of both sides in the first chunk for workers, and in the largest
FIRST_CHUNK, CHUNK = 128, 1024
# The same for chunks of lines: bytes of each side
FIRST_BLOCK, BLOCK = 1 << 15, 1 << 19
MOST_BLOCKS = 16  # largest chunk of lines that is searched for sentences in step, in BLOCKs

AnyChunk: TypeAlias = "Chunk | LineChunk"


class Outcome:
    """The results of a run as they arrive, and its sums so far."""

    paired_by: str  # "align", "order", "id", or "auto" until the files are read
    scorer: Scorer
    metrics: tuple[Metric, ...]
    tally: Tally

    @property
    def settings(self) -> Settings:
        """The settings, with everything decided that the files decide."""
        raise NotImplementedError

    def facts(self) -> RunFacts:
        """Return what is known of the run so far."""
        return RunFacts(self.settings, self.scorer, self.tally)

    def warnings(self) -> Iterator[str]:
        """Yield likely mistakes in the files or the settings, a line each."""
        return warnings_of(self.facts())

    def __iter__(self) -> Iterator[SentenceResult]:
        """Yield the results in order."""
        raise NotImplementedError

    def rows(self, make: RowMaker) -> Iterator[ChunkResult]:
        """Yield the rows of a report in order."""
        number = 1
        for batch in in_batches(self._results()):
            yield ChunkResult(number, len(batch), make(batch, self))
            number += len(batch)

    def _results(self) -> Iterator[Sequence[SentenceResult]]:
        """Yield the results in parts."""
        return ([result] for result in self)

    def evaluation(self, results: Sequence[SentenceResult] = ()) -> Evaluation:
        """Return the sums so far, with the results if they are to be kept."""
        tally, facts = self.tally, self.facts()
        *others, (cutoff, short) = tally.short
        return Evaluation(
            self.settings,
            self.paired_by,
            tally.total,
            short,
            cutoff,
            tuple(results),
            {state: count for state, (count, _) in tally.left_out.items()},
            tuple([item for _, first in tally.left_out.values() for item in first]),
            tuple(self.warnings()),
            self.metrics,
            facts.standardised,
            differs_from_evalb(facts),
            tuple(others),
        )


class EndedRun(Outcome):
    """A completed run: an evaluation with the sentences that were kept."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.metrics = evaluation.metrics
        self._evaluation = evaluation

    @property
    def settings(self) -> Settings:
        return self._evaluation.settings

    def __iter__(self) -> Iterator[SentenceResult]:
        return iter(self._evaluation.sentences)

    def evaluation(self, results: Sequence[SentenceResult] = ()) -> Evaluation:
        return replace(self._evaluation, sentences=tuple(results))


class Run(Outcome):
    """One system scored against one reference: iterate once over the results or the rows, then read the sums.

    Memory does not grow with the corpus unless the caller keeps the results.  The executor scores the chunks
    if one is given.  With ``node_pairs`` the report lists the nodes that Struct-IoU aligns.
    """

    def __init__(
        self,
        gold: Source | Input,
        system: Source | Input,
        settings: Settings,
        executor: Executor | WorkerPool | None = None,
        *,
        node_pairs: bool = False,
    ) -> None:
        first, second = inputs = tuple(
            source if isinstance(source, Input) else Input(source, side, settings)
            for source, side in ((gold, "gold"), (system, "sys"))
        )
        asked = settings = resolved(settings, first, second)
        reject_unused(settings, lambda: (first.used_format, second.used_format))
        # Files of times are read in the order of the sentences, by one process.
        timed = settings.gold_times or settings.sys_times
        self._pool: WorkerPool | None = None
        if executor is not None and not timed:
            from .workers import WorkerPool

            self._pool = WorkerPool.of(executor)
        traces: tuple[bool | None, bool | None] = (False, False)
        if settings.traces == "auto" and not settings.tool and TRACE not in settings.rules().drop_tags:
            traces = alone_with_traces(inputs, self._pool)
        if traces != (False, False):
            settings = settings.replace(traces="drop")
        params = settings.params()
        self._inputs = inputs
        # A pipe that may have traces has none yet.
        self._without_traces = asked if None in traces else settings
        self.paired_by = settings.pair
        self.scorer = Scorer(settings, node_pairs=node_pairs)
        self.metrics = self.scorer.metrics
        labels = self.scorer.labels
        aligned = not self.scorer.same_words
        exceptions = exceptions_of(settings.lang, settings.exceptions) if aligned else {}
        # The lists are sent as they are: a worker may have no such files.
        shipped = settings if settings.prm is None else settings.replace(prm=params)
        if settings.node_types != POSITION:
            from ..metrics.node_types import without_file

            shipped = without_file(shipped)
        given = settings.cutoff
        if given is None:
            given = DEFAULT_CUTOFF if settings.prm is None else params.cutoff
        cutoffs = given if isinstance(given, tuple) else (given,)
        self.job = Job(
            shipped.replace(exceptions=None),
            with_equal_words(exceptions, labels.equal_words),
            cutoffs,
            without_pairs,
            (first.name, second.name),
            node_pairs,
        )
        self.tally = Tally(self.scorer, *cutoffs)
        self.sides = tuple(
            Side(
                source,
                side,
                settings,
                labels,
                keep_text=self._pool is not None or settings.pair in ("id", "auto"),
                unread=(self._pool is not None or self.scorer.compares_texts) and settings.pair != "id",
                traces=has_traces,
            )
            for source, side, has_traces in zip(inputs, ("gold", "system"), traces)
        )

    @property
    def settings(self) -> Settings:
        # Traces of a pipe are dropped once it has some.
        has_traces = any(side.has_traces for side in self.sides)
        return self.scorer.settings if has_traces else self._without_traces

    def __iter__(self) -> Iterator[SentenceResult]:
        """Yield the results in order."""
        if self._pool is None:
            # The sums are always those of the results so far.
            for one in chain.from_iterable(self._results(together=1)):
                yield one
                one.pair.forget()
        else:
            for chunk, result in self._on_workers(self._pool):
                pairs = cache(partial(self._pairs, chunk))
                for index, (record, bead, state) in enumerate(result.rows):
                    pair = partial(lambda pairs, index: pairs()[index], pairs, index)
                    yield SentenceResult(result.number + index, record, self.scorer, pair, state, bead)
        self._finish()

    def rows(self, make: RowMaker) -> Iterator[ChunkResult]:
        """Yield the rows of a report in order; they are made by the process that scores."""
        self.job = self.job._replace(rows=make)
        if self._pool is None:
            yield from super().rows(make)
        else:
            for _, result in self._on_workers(self._pool):
                if result.size:
                    yield result
        self._finish()

    def _results(self, together: int = TOGETHER) -> Iterator[Sequence[SentenceResult]]:
        return results_of(self._stretches(), self.scorer, self.job, self.tally, together)

    def _stretches(self, begin: tuple[int, int] = (0, 0)) -> Iterator[Stretch]:
        compare = self.scorer.compare if self._pool is None else self._compare()
        gold, system = self.sides
        self.paired_by, stretches = pair_sides(gold, system, self.settings.pair, compare, begin)
        return stretches

    def _compare(self) -> CompareWords:
        """Return the function that compares words here if workers do the counting."""
        if self.scorer.labels.deletes_words:
            return partial(self.scorer.compare, tabulate=False)
        return have_same_words

    def facts(self) -> RunFacts:
        return RunFacts(self.settings, self.scorer, self.tally, self._inputs, self.sides)

    def _finish(self) -> None:
        for metric in self.metrics:
            metric.finish()

    def _on_workers(self, pool: WorkerPool) -> Iterator[tuple[AnyChunk, ChunkResult]]:
        """Yield the chunks and their results; results before an error come before it."""
        done, stuck = (0, 0), False
        goes_on = self.settings.pair in ("align", "order") and not any(side.watched for side in self.sides)
        while goes_on:
            goes_on = False
            sent: deque[LineChunk] = deque()  # the lines of the chunks that have no result yet
            for chunk, result in self._scored_on(pool, self._line_chunks(sent, stuck)):
                lines = sent.popleft()
                yield chunk, result
                used = result.used
                done = done[0] + used[0], done[1] + used[1]
                if used != chunk.sizes and result.error is None:
                    # The chunks after this one do not begin where it ends.
                    goes_on, stuck = True, used == (0, 0)
                    self._put_back(lines, *sent)
                    self._take(*used)
                    break
        yield from self._scored_on(pool, self._chunks(self._stretches(done)))

    def _scored_on(
        self, pool: WorkerPool, chunks: Iterator[AnyChunk]
    ) -> Iterator[tuple[AnyChunk, ChunkResult]]:
        """Yield chunks and their results, and add these to the sums."""
        for (_, chunk), result in pool.map_calls(score_chunk, ((self.job, chunk) for chunk in chunks)):
            assert result.tally is not None
            number = self.tally.count + 1
            self.tally.extend(result.tally)
            yield chunk, result._replace(number=number)
            if result.error is not None:
                raise result.error

    def _line_chunks(self, sent: deque[LineChunk], stuck: bool) -> Iterator[AnyChunk]:
        """Yield lines of both files while both have lines, and record which lines each chunk has.

        This process cuts lines that do not end in step, and the first lines if workers are ``stuck``.
        """
        least = FIRST_BLOCK
        while True:
            lines, in_step = self._next_lines(least)
            if not lines.gold:
                return
            chunks: list[AnyChunk] = [lines]
            if stuck or not in_step:
                chunks = []
                try:
                    chunks.extend(self._chunks(lines.unpack(self.scorer, self.job, self._compare())))
                except JpevalbError:
                    if not chunks:
                        raise
            self._put_back(lines)
            if not chunks and least > BLOCK:
                return
            sent.extend([self._take(*chunk.sizes) for chunk in chunks])
            yield from chunks
            stuck = stuck and not chunks
            # Small steps, so that all workers end at the same time
            least = min(least + least // 4, BLOCK) if chunks else MOST_BLOCKS * BLOCK

    def _next_lines(self, least: int) -> tuple[LineChunk, bool]:
        """Return the next lines, of gold about ``least`` bytes, and True if they end in step."""
        first = self.sides[0].take_blocks(least=least)
        lines = LineChunk(
            first, self.sides[1].take_blocks(most=sum([block.size for block in first]) + LINES_BACK)
        )
        by_order = self.settings.pair == "order"
        sizes = None if by_order else sizes_in_step(lines)
        self._put_back(lines)
        return self._take(*(sizes or [min(lines.sizes)] * 2)), by_order or sizes is not None

    def _take(self, gold: int, system: int) -> LineChunk:
        """Return the next ``gold`` lines of gold and ``system`` lines of the system."""
        return LineChunk(self.sides[0].take_blocks(most=gold), self.sides[1].take_blocks(most=system))

    def _put_back(self, *items: LineChunk) -> None:
        for side, blocks in zip(self.sides, zip(*items)):
            side.put_back(*chain.from_iterable(blocks))

    def _pairs(self, chunk: AnyChunk) -> list[Pair]:
        """Return the pairs of a chunk, read again."""
        stretches = chunk.unpack(self.scorer, self.job)
        return [pair for stretch in stretches for pair in pairs_of(stretch, self.job, self.scorer.labels)]

    def _chunks(self, stretches: Iterator[Stretch]) -> Iterator[Chunk]:
        """Yield the stretches in chunks; stretches before an error are yielded first."""
        packs: list[Stretch] = []
        size, most = 0, FIRST_CHUNK

        def chunk() -> Chunk:
            return Chunk([side.format for side in self.sides], packs)

        try:
            for stretch in stretches:
                packs.append(packed(stretch))
                size += len(stretch.gold) + len(stretch.system)
                if size >= most:
                    yield chunk()
                    packs, size, most = [], 0, min(2 * most, CHUNK)
        except JpevalbError:
            if packs:
                yield chunk()
            raise
        if packs:
            yield chunk()
