"""Runs: two files read, paired, cut into chunks, scored here or on workers, and summed up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import islice, repeat, zip_longest
from typing import Any, NamedTuple

from ..alignment import Bead
from ..alignment.exceptions import exceptions_of
from ..alignment.pair import EXTRA, Pair
from ..alignment.stream import TOGETHER, Stretch
from ..base.errors import JpevalbError, LeftOutError, TreeError
from ..formats.read import Source
from ..settings.options import IDENTICAL_WORDS
from ..settings.rules import RunRules, with_equal_words
from ..settings.settings import DEFAULT_CUTOFF, DISCONTINUOUS, POSITION, Settings
from ..trees.sentence import Sentence
from .evaluation import LeftOut
from .inputs import Input, resolved
from .outcome import ChunkResult, Outcome, RowMaker, Scoring
from .pairing import BY_SHAPE, Side, pair_sides
from .prepared import decide_preparation
from .sentence import Scorer, SentenceResult, State
from .signature import reject_unused, used_by
from .tally import Tally
from .workers import WorkerPool


def without_pairs(results: Sequence[SentenceResult], run: Scoring) -> list[tuple[Any, Bead, State]]:
    """Return the results without their pairs, for runs that need only the results."""
    return [(result.record, result.bead, result.state) for result in results]


def pairs_of(stretch: Stretch, job: Job, rules: RunRules) -> Iterator[Pair]:
    """Yield the pairs of a stretch; each sentence is in exactly one, in order.

    If words must agree, a system sentence without gold is in none, and words that differ raise a TreeError
    unless the settings say to skip them.
    """
    exceptions = job.exceptions
    same_words = job.settings.identical_words
    golds, systems = stretch.gold, stretch.system
    if same_words:
        for gold, system in zip_longest(golds, systems) if golds else ():
            yield _of_identical_words(gold, system, job, rules)
        return
    if stretch.in_step:
        for gold, system, known in zip(golds, systems, stretch.compared or repeat((None, None, None))):
            i, j = gold.number, system.number
            aligned = known[0] is not None or _both_have_words(gold, system, rules)
            bead = Bead((i - 1, i), (j - 1, j), aligned)
            yield Pair(bead, (gold,), (system,), rules, exceptions, known=known)
        return
    # Imported only where words differ: it takes as long as scoring many files.
    from ..alignment.run import is_similar, share_of_equal
    from ..alignment.solve import solve

    i, j = stretch.gold_start, stretch.system_start
    words = [[rules.aligned_words(one.tree) for one in side] for side in (golds, systems)]
    for solved in solve(words[0], words[1], exceptions):
        (a, b), (c, d) = solved.gold, solved.system
        bead = Bead((i + a, i + b), (j + c, j + d), solved.aligned)
        both = golds[a:b], systems[c:d]
        share = None
        if a < b and c < d and solved.aligned and solved.equal is not None:
            first, second = (
                [word for one in side[begin:end] for word in one]
                for side, (begin, end) in zip(words, ((a, b), (c, d)))
            )
            # Sentences that agree without words that they drop are alike, as they are among others in step.
            alike = first == second or (b - a == d - c == 1 and rules.agree(golds[a].tree, systems[c].tree))
            if not alike and not is_similar(
                first, second, job.settings.align_ratio, exceptions, solved.equal, solved.sizes
            ):
                if job.settings.unlike == "alone":
                    yield from _alone(bead, both, exceptions, rules)
                    continue
                share = share_of_equal(first, second, solved.equal)
        yield Pair(bead, *both, rules, exceptions, solved.units, equal_share=share)


def _both_have_words(gold: Sentence, system: Sentence, rules: RunRules) -> bool:
    """Return True if the words of two corresponding sentences agree, or both have some, or none."""
    has_words = [any(rules.aligned(one.tree)) for one in (gold, system)]
    return has_words[0] == has_words[1] or rules.agree(gold.tree, system.tree)


def _alone(
    bead: Bead,
    both: tuple[Sequence[Sentence], Sequence[Sentence]],
    exceptions: Mapping[str, str],
    rules: RunRules,
) -> Iterator[Pair]:
    """Yield each sentence of a bead alone: first those of gold, then those of the system."""
    (begin, end), first = bead.gold, bead.system[0]
    for number, sentence in enumerate(both[0], begin):
        empty = not any(rules.aligned(sentence.tree))
        yield Pair(Bead((number, number + 1), (first, first), empty), (sentence,), (), rules, exceptions)
    for number, sentence in enumerate(both[1], first):
        empty = not any(rules.aligned(sentence.tree))
        yield Pair(Bead((end, end), (number, number + 1), empty), (), (sentence,), rules, exceptions)


def _of_identical_words(gold: Sentence, system: Sentence | None, job: Job, rules: RunRules) -> Pair:
    """Return the pair of a gold sentence and its partner, which has no usable parse if its words differ."""
    i, j = gold.number, 0 if system is None else system.number
    bead = Bead((i - 1, i), (max(0, j - 1), j), True)
    try:
        return Pair.of_identical_words(gold, system, rules, bead)
    except LeftOutError as error:
        return Pair(bead, [gold], [] if system is None else [system], rules, excluded=error.message)
    except TreeError as error:
        assert system is not None
        message = f"{system.name}: {error.message}"
        # A language model may write any words: that is counted, and is no mistake of the files.
        if job.settings.on_error == "stop" and system.answer is None:
            raise TreeError(
                message + _advice(gold, system, rules, job.settings), source=job.names[1]
            ) from None
        other = system._replace(error=TreeError(message, source=job.names[1]))
        return Pair.of_identical_words(gold, other, rules, bead)


def _advice(gold: Sentence, system: Sentence, rules: RunRules, settings: Settings) -> str:
    """Return what helps with sentences of other words."""
    advice = "; on_error='skip' counts it as unparsed"
    if len(gold.source.words) == len(system.source.words) and rules.convention.compare == "words":
        advice += ", convention='discontinuous compare:number' compares words by position"
    plain = settings.convention in (None, DISCONTINUOUS)
    if plain and settings.given().keys().isdisjoint(used_by(IDENTICAL_WORDS)):
        advice += ", pair='align' aligns the words"
    return advice


class Job(NamedTuple):
    """Parameters that all chunks of a run share."""

    settings: Settings  # with the .prm itself in place of its name, since a worker may have no such file
    exceptions: Mapping[str, str]  # the exception list of the word alignment
    cutoffs: tuple[int, ...]  # longest pairs of the sums over short ones, in units
    rows: RowMaker
    names: tuple[str, str]  # of the two files, in messages
    node_pairs: bool = False  # True if the report lists the nodes that Struct-IoU aligns


def results_of(
    stretches: Iterable[Stretch], scorer: Scorer, job: Job, tally: Tally, together: int = TOGETHER
) -> Iterator[list[SentenceResult]]:
    """Score and add up stretches; yield up to ``together`` results at a time, those before an error first."""
    pairs = _noted_pairs(stretches, scorer, job, tally)
    rules = scorer.rules
    changes = rules.standardises or rules.deletes_words or rules.convention.cut_at
    failure: JpevalbError | None = None
    while failure is None:
        results: list[SentenceResult] = []
        try:
            for number, pair in enumerate(islice(pairs, together), tally.next_number):
                results.append(SentenceResult(number, scorer.score(pair), scorer, pair))
                if changes:
                    tally.note(pair.done())
        except JpevalbError as error:
            failure = error
        if not results:
            break
        tally.add(results)
        yield results
    if failure is not None:
        raise failure


def _noted_pairs(stretches: Iterable[Stretch], scorer: Scorer, job: Job, tally: Tally) -> Iterator[Pair]:
    """Yield the pairs of some stretches; note rewritten texts, and system sentences without gold."""
    for stretch in stretches:
        if scorer.same_words and not stretch.gold:
            for sentence in stretch.system:
                span = sentence.number - 1, sentence.number
                tally.leave_out(LeftOut(EXTRA, 0, (0, 0), span, sentence.source.id))
            continue
        # What the readers have rewritten in the texts
        for side, sentences in (("gold", stretch.gold), ("system", stretch.system)):
            for sentence in sentences:
                if rewritten := sentence.source.columns.rewritten:
                    tally.note([((side, what), count) for what, count in rewritten.items()])
        yield from pairs_of(stretch, job, scorer.rules)


def score_chunk(job: Job, chunk: Sequence[Stretch]) -> ChunkResult:
    """Score consecutive stretches, in a worker."""
    # The pairs themselves stay in the worker.
    scorer = Scorer(job.settings, node_pairs=job.node_pairs and job.rows is not without_pairs)
    before = chunk[0].gold_start  # the probable number of results before these
    tally = Tally(scorer, *job.cutoffs, before=before)
    rows: list[Any] = []
    error = None
    try:
        for results in results_of(chunk, scorer, job, tally):
            rows += job.rows(results, scorer)
    except JpevalbError as raised:
        error = raised
    tally.seen_deleted = scorer.rules.seen_deleted
    return ChunkResult(before + 1, tally.count, rows, tally, error)


# Sentences of both sides in the first chunk for workers, and in the largest
FIRST_CHUNK, CHUNK = 128, 1024


class Run(Outcome):
    """One system scored against one reference: iterate once over the results or the rows, then read the sums.

    Memory does not grow with the corpus unless the caller keeps the results.  The workers score the chunks
    if a pool is given.  With ``node_pairs`` the report lists the nodes that Struct-IoU aligns.
    """

    def __init__(
        self,
        gold: Source | Input,
        system: Source | Input,
        settings: Settings,
        pool: WorkerPool | None = None,
        *,
        node_pairs: bool = False,
    ) -> None:
        first, second = inputs = tuple(
            source if isinstance(source, Input) else Input(source, side, settings)
            for source, side in ((gold, "gold"), (system, "sys"))
        )
        asked = settings = resolved(settings, first, second)
        reject_unused(settings, (first.used_format, second.used_format))
        # Files of times are read in the order of the sentences, by one process.
        timed = settings.gold_times or settings.sys_times
        self._pool = None if timed else pool
        preparations, traces = decide_preparation(settings, (first, second))
        if traces != (False, False):
            settings = settings.replace(traces="drop")
        params = settings.params()
        self.inputs = inputs
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
                keeps_lines=self._pool is not None,
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
        """Yield the results in order; the sums are always those of the results so far."""
        return self.results(together=1)

    def results(self, together: int = TOGETHER, *, kept: bool = True) -> Iterator[SentenceResult]:
        """Yield the results in order, which are ``kept`` or dropped by the caller.

        Without workers, up to ``together`` are added to the sums at a time.
        """
        if self._pool is None:
            for results in self._results(together):
                # Those that the caller has dropped take no memory while the run waits.
                results.reverse()
                while results:
                    one = results.pop()
                    yield one
                    if kept:
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

    def _results(self, together: int = TOGETHER) -> Iterator[list[SentenceResult]]:
        return results_of(self._stretches(), self.scorer, self.job, self.tally, together)

    def _stretches(self) -> Iterator[Stretch]:
        gold, system = self.sides
        self.paired_by, stretches = pair_sides(gold, system, self._pairing, self.scorer.compare)
        return stretches

    def _finish(self) -> None:
        for metric in self.metrics:
            metric.finish()

    def _on_workers(self, pool: WorkerPool) -> Iterator[tuple[list[Stretch], ChunkResult]]:
        """Yield the chunks and their results, which are added to the sums; an error comes after them."""
        for (_, chunk), result in pool.map_calls(
            score_chunk, ((self.job, chunk) for chunk in self._chunks())
        ):
            assert result.tally is not None
            number = self.tally.count + 1
            self.tally.extend(result.tally)
            yield chunk, result._replace(number=number)
            if result.error is not None:
                raise result.error

    def _pairs(self, chunk: Sequence[Stretch]) -> list[Pair]:
        return [pair for stretch in chunk for pair in pairs_of(stretch, self.job, self.scorer.rules)]

    def _chunks(self) -> Iterator[list[Stretch]]:
        """Yield the stretches in chunks; stretches before an error are yielded first."""
        chunk: list[Stretch] = []
        size, most = 0, FIRST_CHUNK
        try:
            for stretch in self._stretches():
                chunk.append(stretch)
                size += len(stretch.gold) + len(stretch.system)
                if size >= most:
                    yield chunk
                    chunk, size, most = [], 0, min(2 * most, CHUNK)
        except JpevalbError:
            if chunk:
                yield chunk
            raise
        if chunk:
            yield chunk
