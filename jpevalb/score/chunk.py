"""Chunks: independent pieces of both files, and their scoring, in this process or in a worker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, repeat, zip_longest
from typing import Any, NamedTuple, Protocol, TypeAlias

from ..alignment import Bead
from ..alignment.pair import EXTRA, Pair
from ..alignment.stream import TOGETHER, Stretch
from ..base.errors import JpevalbError, LeftOutError, TreeError
from ..formats.lines import LineBlock
from ..metrics import Metric
from ..settings.options import IDENTICAL_WORDS
from ..settings.rules import RunRules
from ..settings.settings import DISCONTINUOUS, Settings
from ..trees.sentence import Sentence
from ..trees.tree import EMPTY, Tree
from .evaluation import LeftOut
from .pairing import Side, pair_sides
from .scorer import Scorer
from .sentence import SentenceResult, State
from .tally import Tally
from .uses import used_by

# Lines with the same words at the end of a block, and maximum number of lines that are searched for them
LINES_ALIKE, LINES_BACK = 3, 24


class Scoring(Protocol):
    """Protocol: the settings and metrics of a run, which a run, its scorer and an evaluation have."""

    @property
    def settings(self) -> Settings: ...
    @property
    def metrics(self) -> tuple[Metric, ...]: ...


RowMaker: TypeAlias = "Callable[[Sequence[SentenceResult], Scoring], list[Any]]"
"""Makes the row of each result without its number; a function of a module, so that it can be pickled."""


def no_rows(results: Sequence[SentenceResult], run: Scoring) -> list[str]:
    """Return no rows, for reports that show sums only."""
    return []


def without_pairs(results: Sequence[SentenceResult], run: Scoring) -> list[tuple[Any, Bead, State]]:
    """Return the results without their pairs, for runs that need only the results."""
    return [(result.record, result.bead, result.state) for result in results]


class ChunkResult(NamedTuple):
    """Consecutive sentences, scored."""

    number: int  # of the first sentence; in a worker's result an estimate
    size: int  # number of sentences
    rows: list[Any]  # what the row maker returns for them
    tally: Tally | None = None  # their sums, in a worker's answer
    error: JpevalbError | None = None  # what ended the work after these sentences, in a worker's answer
    used: tuple[int, int] = (0, 0)  # numbers of sentences that are used up, in a worker's answer


def in_batches(parts: Iterable[Sequence[SentenceResult]]) -> Iterator[list[SentenceResult]]:
    """Yield results in larger parts; results before an error are yielded first."""
    batch: list[SentenceResult] = []
    try:
        for part in parts:
            batch += part
            if len(batch) >= TOGETHER:
                yield batch
                batch = []
    except JpevalbError:
        if batch:
            yield batch
        raise
    if batch:
        yield batch


def pairs_of(stretch: Stretch, job: Job, rules: RunRules) -> Iterator[Pair]:
    """Yield the pairs of a stretch; each sentence is in exactly one, in order.

    If words must agree, a system sentence without gold is in none, and words that differ raise a TreeError
    unless the settings say to skip them.
    """
    exceptions = job.exceptions
    same_words = job.settings.identical_words
    golds, systems = stretch.gold, stretch.system
    if same_words:
        for gold, system in zip_longest(golds, systems):
            yield _of_identical_words(gold, system, job, rules)
        return
    if stretch.in_step:
        for gold, system, counted in zip(golds, systems, stretch.compared or repeat(None)):
            i, j = gold.number, system.number
            aligned = counted is not None or _both_have_words(gold, system, rules)
            bead = Bead((i - 1, i), (j - 1, j), aligned)
            yield Pair(bead, (gold,), (system,), rules, exceptions, counted=counted)
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
    stretches: Iterator[Stretch], scorer: Scorer, job: Job, tally: Tally, together: int = TOGETHER
) -> Iterator[list[SentenceResult]]:
    """Score stretches in order; yield up to ``together`` results at a time, after they are added up."""
    for stretch in stretches:
        if scorer.same_words and not stretch.gold:
            for sentence in stretch.system:
                span = sentence.number - 1, sentence.number
                tally.leave_out(LeftOut(EXTRA, 0, (0, 0), span, sentence.source.id))
            continue
        tally.note(_rewritten(stretch))
        pairs = pairs_of(stretch, job, scorer.rules)
        changes = scorer.rules.has_changes
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


def _rewritten(stretch: Stretch) -> Iterator[tuple[tuple[str, str], int]]:
    """Yield what the readers have rewritten in the texts of each side, with counts."""
    for side, sentences in (("gold", stretch.gold), ("system", stretch.system)):
        for sentence in sentences:
            rewritten = sentence.source.columns.rewritten
            if rewritten:
                yield from [((side, what), count) for what, count in rewritten.items()]


class Chunk(NamedTuple):
    """Consecutive stretches in the form that is sent to a worker.

    The sides of a stretch are sentences, or blocks of lines.  A worker cuts blocks into stretches itself, up
    to a place where later lines decide.
    """

    stretches: Sequence[Stretch]

    @property
    def before(self) -> int:
        """The probable number of results before these."""
        return self.stretches[0].gold_start

    @property
    def sizes(self) -> tuple[int, int]:
        """The numbers of sentences of both sides."""
        gold, system, *_ = zip(*self.stretches)
        return sum(map(_size, gold)), sum(map(_size, system))

    def unpack(self, scorer: Scorer, job: Job) -> Iterator[Stretch]:
        """Yield the stretches of sentences."""
        for stretch in self.stretches:
            gold, system = stretch.gold, stretch.system
            if isinstance(gold, LineBlock) and isinstance(system, LineBlock):
                yield from stretches_of_lines(gold, system, scorer, job.settings)
            else:
                yield stretch


def _size(side: Any) -> int:
    return side.size if isinstance(side, LineBlock) else len(side)


def stretches_of_lines(
    gold: LineBlock, system: LineBlock, scorer: Scorer, settings: Settings
) -> Iterator[Stretch]:
    """Cut lines of both files into stretches, up to a place where later lines decide."""
    first, second = (
        Side([block], side, settings, scorer.rules, unread=True)
        for block, side in ((gold, "gold"), (system, "system"))
    )
    begin = gold.line, system.line  # each line before was a sentence
    return pair_sides(first, second, settings.pair, scorer.compare, begin, unfinished=True)[1]


def lines_in_step(gold: LineBlock, system: LineBlock, rules: RunRules) -> int:
    """Return the number of lines up to the last place where both sides are probably in step.

    There the last lines of both sides have the same words.  This finds no place after a missing sentence.
    """
    least = min(LINES_ALIKE, gold.size, system.size)
    both = [block.split(min(gold.size, system.size))[0] for block in (gold, system)]
    tails = [block.split(max(0, block.size - LINES_BACK))[1].lines() for block in both]
    alike = 0
    for back, pair in enumerate(zip(*map(reversed, tails))):
        first, second = [_tree(block, text) for block, text in zip(both, pair)]
        alike = alike + 1 if first.words and rules.agree(first, second) else 0
        if alike == least:
            return both[0].size - back + alike - 1
    return 0


def _tree(block: LineBlock, text: bytes) -> Tree:
    """Return the tree of a line; the empty one if it cannot be read."""
    try:
        return block.parse(text)
    except ValueError:
        return EMPTY


def score_chunk(job: Job, chunk: Chunk) -> ChunkResult:
    """Score a chunk, in a worker."""
    # The pairs themselves stay in the worker.
    scorer = Scorer(job.settings, node_pairs=job.node_pairs and job.rows is not without_pairs)
    tally = Tally(scorer, *job.cutoffs, before=chunk.before)
    rows: list[Any] = []
    error = None
    done = [(0, 0)]

    def stretches() -> Iterator[Stretch]:
        for stretch in chunk.unpack(scorer, job):
            yield stretch
            done.append((len(stretch.gold), len(stretch.system)))

    results = results_of(stretches(), scorer, job, tally)
    try:
        for batch in in_batches(results):
            rows += job.rows(batch, scorer)
    except JpevalbError as raised:
        error = raised
    tally.seen_deleted = scorer.rules.seen_deleted
    gold, system = map(sum, zip(*done))
    return ChunkResult(chunk.before + 1, tally.count, rows, tally, error, (gold, system))
