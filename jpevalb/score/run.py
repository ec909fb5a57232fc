"""Runs: two files read, paired, scored here or on workers, and summed up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import chain
from typing import TYPE_CHECKING

from ..alignment.exceptions import exceptions_of
from ..alignment.pair import Pair
from ..alignment.stream import TOGETHER, Stretch
from ..base.claims import Claim
from ..base.errors import InputError, JpevalbError
from ..formats.read import Source
from ..metrics import Metric
from ..settings.rules import with_equal_words
from ..settings.settings import DEFAULT_CUTOFF, POSITION, Settings
from .chunk import (
    LINES_BACK,
    Chunk,
    ChunkResult,
    Job,
    RowMaker,
    in_batches,
    lines_in_step,
    pairs_of,
    results_of,
    score_chunk,
    stretches_of_lines,
    without_pairs,
)
from .evaluation import Evaluation
from .inputs import Input, resolved
from .pairing import BY_SHAPE, Side, pair_sides
from .prepared import decide_preparation
from .scorer import Scorer
from .sentence import SentenceResult
from .tally import Tally
from .uses import reject_unused
from .warnings import RunFacts, differs_from_evalb, problem_of, warnings_of

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ..formats.lines import LineBlock
    from .workers import WorkerPool

# Sentences of both sides in the first chunk for workers, and in the largest
FIRST_CHUNK, CHUNK = 128, 1024
# The same for blocks of lines that workers cut, and for lines that this process cuts: bytes of gold
FIRST_BLOCK, BLOCK = 1 << 15, 1 << 19
FIRST_CUT, CUT = 1 << 17, 1 << 20


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

    def warnings(self) -> list[Claim]:
        """Return claims about likely mistakes in the files or the settings."""
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

    def problem(self) -> str:
        """Return why there is no figure; empty if there is one."""
        return problem_of(self.facts())

    def evaluation(self, results: Sequence[SentenceResult] = (), *, check: bool = True) -> Evaluation:
        """Return the sums so far, with the results if they are to be kept.

        Raises:
            InputError: there is nothing to score, or a convention leaves out too many sentences.
        """
        tally, facts = self.tally, self.facts()
        if check and (problem := self.problem()):
            raise InputError(problem)
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
            (*self.warnings(), *differs_from_evalb(facts)),
            self.metrics,
            facts.standardised,
            tuple(others),
            tally.excluded.total(),
            facts.unparsed,
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

    def problem(self) -> str:
        return ""

    def evaluation(self, results: Sequence[SentenceResult] = (), *, check: bool = True) -> Evaluation:
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
        *preparations, traces = decide_preparation(settings, (first, second), self._pool)
        if traces != (False, False):
            settings = settings.replace(traces="drop")
        params = settings.params()
        self._inputs = inputs
        # A pipe that may have traces has none yet.
        self._without_traces = asked if None in traces else settings
        self.paired_by = settings.pair
        self._pairing = settings.pair
        if settings.pair == "align" and first.hides_words(settings) != second.hides_words(settings):
            self._pairing = BY_SHAPE
        self.scorer = Scorer(settings, node_pairs=node_pairs)
        self.metrics = self.scorer.metrics
        rules = self.scorer.rules
        aligned = not self.scorer.same_words
        exceptions = exceptions_of(settings.lang, settings.exceptions) if aligned else {}
        # The lists are sent as they are: a worker may have no such files.
        shipped = settings if settings.prm is None else settings.replace(prm=params)
        if settings.node_types != POSITION:
            from ..metrics.node_accuracy import without_file

            shipped = without_file(shipped)
        given = settings.cutoff
        if given is None:
            given = DEFAULT_CUTOFF if settings.prm is None else params.cutoff
        cutoffs = given if isinstance(given, tuple) else (given,)
        self.job = Job(
            shipped.replace(exceptions=None),
            with_equal_words(exceptions, rules.equal_words),
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
                rules,
                unread=self._pairing in ("align", "order"),
                traces=has_traces,
                preparation=preparation,
            )
            for source, side, has_traces, preparation in zip(inputs, ("gold", "system"), traces, preparations)
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
        gold, system = self.sides
        self.paired_by, stretches = pair_sides(gold, system, self._pairing, self.scorer.compare, begin)
        return stretches

    def facts(self) -> RunFacts:
        return RunFacts(self.settings, self.scorer, self.tally, self._inputs, self.sides)

    def _finish(self) -> None:
        for metric in self.metrics:
            metric.finish()

    def _on_workers(self, pool: WorkerPool) -> Iterator[tuple[Chunk, ChunkResult]]:
        """Yield the chunks and their results; results before an error come before it."""
        place, is_in_step = (0, 0), True
        has_lines = self._pairing in ("align", "order") and not any(side.watched for side in self.sides)
        while has_lines:
            has_lines = False
            for chunk, result in self._scored_on(pool, self._line_chunks(place, is_in_step)):
                yield chunk, result
                place = _after(place, result.used)
                for side, begin in zip(self.sides, place):
                    side.drop(begin)
                if result.used != chunk.sizes and result.error is None:
                    # The chunks after this one do not begin where it ends, so their lines are read again.
                    has_lines, is_in_step = True, False
                    break
        yield from self._scored_on(pool, self._chunks(self._stretches(place)))

    def _scored_on(self, pool: WorkerPool, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, ChunkResult]]:
        """Yield chunks and their results, and add these to the sums."""
        for (_, chunk), result in pool.map_calls(score_chunk, ((self.job, chunk) for chunk in chunks)):
            assert result.tally is not None
            number = self.tally.count + 1
            self.tally.extend(result.tally)
            yield chunk, result._replace(number=number)
            if result.error is not None:
                raise result.error

    def _line_chunks(self, place: tuple[int, int], is_in_step: bool) -> Iterator[Chunk]:
        """Yield the lines of both files from a place on, as far as they can be cut.

        Workers cut the lines of blocks that end in step.  This process cuts other lines, and those at a
        place that is not in step.
        """
        least, here = FIRST_BLOCK, FIRST_CUT
        while True:
            begin, block = place, self._block(place, least) if is_in_step else None
            for chunk in [block] if block else self._cut_here(place, here):
                yield chunk
                place = _after(place, chunk.sizes)
            if place == begin and here == CUT:
                return
            is_in_step = place != begin
            # Small steps, so that all workers end at the same time
            least = min(least + least // 4, BLOCK) if block else FIRST_BLOCK
            here = FIRST_CUT if block else min(2 * here, CUT) if is_in_step else CUT

    def _lines(self, place: tuple[int, int], least: int, more: int = 0) -> tuple[LineBlock, LineBlock] | None:
        """Return lines of both files: of gold about ``least`` bytes, of the system as many lines and more."""
        gold = self.sides[0].lines(place[0], least=least)
        system = gold and self.sides[1].lines(place[1], most=gold.size + more)
        return (gold, system) if gold and system else None

    def _block(self, place: tuple[int, int], least: int) -> Chunk | None:
        """Return a chunk of as many lines of both files, which end in step, or ``None``."""
        lines = self._lines(place, least)
        if lines is None:
            return None
        by_order = self.settings.pair == "order"
        count = min(block.size for block in lines) if by_order else lines_in_step(*lines, self.scorer.rules)
        gold, system = [block.split(count)[0] for block in lines]
        return Chunk([Stretch(gold, system, False, *place)]) if count else None

    def _cut_here(self, place: tuple[int, int], least: int) -> Iterator[Chunk]:
        """Cut the next lines into stretches, up to a place where later lines decide."""
        lines = self._lines(place, least, LINES_BACK)
        if lines is None:
            return iter(())
        return self._chunks(stretches_of_lines(*lines, self.scorer, self.settings))

    def _pairs(self, chunk: Chunk) -> list[Pair]:
        """Return the pairs of a chunk, read again."""
        stretches = chunk.unpack(self.scorer, self.job)
        return [pair for stretch in stretches for pair in pairs_of(stretch, self.job, self.scorer.rules)]

    def _chunks(self, stretches: Iterator[Stretch]) -> Iterator[Chunk]:
        """Yield the stretches in chunks; stretches before an error are yielded first."""
        packs: list[Stretch] = []
        size, most = 0, FIRST_CHUNK

        def chunk() -> Chunk:
            return Chunk(packs)

        try:
            for stretch in stretches:
                packs.append(stretch._replace(compared=None))
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


def _after(place: tuple[int, int], sizes: tuple[int, int]) -> tuple[int, int]:
    """Return the place after some sentences of both files."""
    return place[0] + sizes[0], place[1] + sizes[1]
