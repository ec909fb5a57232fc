"""Scoring of stretches: sentences to pairs, pairs to records and rows, here or in a worker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

from ..alignment import Bead
from ..alignment.pair import EXTRA, NO_PARSE, SHORT, UNREADABLE, Pair
from ..alignment.stream import TOGETHER, Stretch
from ..metrics import Metric, make_metrics
from ..metrics.brackets import length
from ..metrics.record import BeadCounts, Record
from ..trees.answer import Answer
from ..trees.errors import JpevalbError, TreeError
from ..trees.formats import PARSED_FROM_TEXT, text_parser
from ..trees.labels import LabelPolicy
from ..trees.sentence import Sentence
from ..trees.settings import Settings
from ..trees.tree import Tree
from .evaluation import LeftOut, Rows
from .sentence import SentenceResult, State
from .tally import Tally

RowMaker: TypeAlias = "Callable[[Sequence[SentenceResult], Scorer], list[Any]]"
"""Makes the row of each result, but for its number, which is known only once all before it are.

A function of a module, so that it can travel to a worker.
"""


def no_rows(results: Sequence[SentenceResult], scorer: Scorer) -> list[str]:
    """The row maker of reports that show sums only."""
    return []


def facts(results: Sequence[SentenceResult], scorer: Scorer) -> list[tuple[Record, Bead, State]]:
    """The row maker of runs whose results are wanted: what they are made of again, but for the pairs."""
    return [(result.record, result.bead, result.state) for result in results]


def in_rows(results: Iterable[SentenceResult], make: RowMaker, scorer: Scorer) -> Iterator[Rows]:
    """The rows of results, a few at once: trees live until then, and memory used again is fast."""
    waiting: list[SentenceResult] = []
    try:
        for result in results:
            waiting.append(result)
            if len(waiting) == TOGETHER:
                yield Rows(waiting[0].number, len(waiting), make(waiting, scorer))
                waiting.clear()
    except JpevalbError:
        if waiting:
            yield Rows(waiting[0].number, len(waiting), make(waiting, scorer))
        raise
    if waiting:
        yield Rows(waiting[0].number, len(waiting), make(waiting, scorer))


class Scorer:
    """Scores pairs one by one."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.labels = LabelPolicy.of(settings)
        self.metrics = tuple(make_metrics(settings, self.labels))
        self.same_words = settings.conventions.identical_words
        self._names = ("beads", *[metric.name for metric in self.metrics])
        self._last: Pair | None = None
        self.zero = Record(self._names, (BeadCounts(), *[metric.zero() for metric in self.metrics]))

    def with_metric(self, metric: Metric) -> Scorer:
        """The same with one more metric behind the others."""
        found = copy(self)
        found.metrics = (*self.metrics, metric)
        found._names = (*self._names, metric.name)
        found.zero = Record(found._names, (*self.zero.counts, metric.zero()))
        return found

    def score(self, pair: Pair) -> Record:
        """The record of one pair."""
        # What the metrics have found out serves a report that looks at the pair before the next one is
        # scored; pairs may be kept.
        if self._last is not None:
            self._last.matching = self._last.cuts = None
        self._last = pair
        if self.same_words and pair.status in (UNREADABLE, SHORT):
            return self.zero
        gold, system, aligned = pair.gold_sentences, pair.system_sentences, pair.bead.aligned
        beads = BeadCounts(
            1,
            len(gold),
            len(system),
            int(not aligned and not (gold and system and pair.status == NO_PARSE)),
            0 if aligned or system else len(gold),
            0 if aligned or gold else len(system),
            sum([sentence.error is not None for sentence in gold]),
            sum([sentence.error is not None for sentence in system]),
            length(pair, self.labels),
            int(pair.equal_share is not None),
        )
        return Record(self._names, (beads, *[metric.count(pair) for metric in self.metrics]))


def pairs_of(stretch: Stretch, job: Job, labels: LabelPolicy) -> Iterator[Pair]:
    """The pairs of a stretch; each sentence of it is in exactly one, in order.

    Where both sides must have the same words a system sentence without gold is in none.

    Raises:
        TreeError: words differ that must not, and the settings say to stop.

    Cost: O(1) for each sentence that stands beside its partner; else that of
    :func:`jpevalb.alignment.solve.solve`.
    """
    if job.settings.conventions.identical_words:
        for place, mine in enumerate(stretch.gold):
            yield _of_same_words(mine, stretch.system[place] if stretch.system else None, job, labels)
        return
    exceptions = job.exceptions
    if stretch.in_step:
        for mine, other in zip(stretch.gold, stretch.system):
            yield beside(mine, other, exceptions)
        return
    # Only where words differ: it takes as long to import as many a file to score.
    from ..alignment.similar import is_similar, share_of_equal
    from ..alignment.solve import solve

    i, j = stretch.gold_start, stretch.system_start
    words = [sentence.words for sentence in stretch.gold], [sentence.words for sentence in stretch.system]
    for found in solve(*words, exceptions, stretch.runs):
        (a, b), (c, d) = found.gold, found.system
        bead = Bead((i + a, i + b), (j + c, j + d), found.aligned)
        pair = Pair(bead, stretch.gold[a:b], stretch.system[c:d], exceptions, found.units)
        if a < b and c < d and found.aligned and found.equal is not None:
            sides = pair.gold.words, pair.system.words
            if sides[0] != sides[1] and not is_similar(
                *sides, job.settings.align_ratio, exceptions, found.equal, found.sizes
            ):
                if job.settings.unlike == "alone":
                    yield from _alone(bead, pair, exceptions)
                    continue
                pair.equal_share = share_of_equal(*sides, found.equal)
        yield pair


def beside(gold: Sentence, system: Sentence, exceptions: Mapping[str, str]) -> Pair:
    """A pair of two sentences that go together, whatever their words."""
    i, j = gold.number, system.number
    bead = Bead((i - 1, i), (j - 1, j), bool(gold.tree.words) == bool(system.tree.words))
    return Pair(bead, (gold,), (system,), exceptions)


def _alone(bead: Bead, pair: Pair, exceptions: Mapping[str, str]) -> Iterator[Pair]:
    """Each sentence of a bead by itself: first those of gold, then those of the system."""
    (begin, end), first = bead.gold, bead.system[0]
    for number, sentence in enumerate(pair.gold_sentences, begin):
        place = Bead((number, number + 1), (first, first), not sentence.words)
        yield Pair(place, (sentence,), (), exceptions)
    for number, sentence in enumerate(pair.system_sentences, first):
        place = Bead((end, end), (number, number + 1), not sentence.words)
        yield Pair(place, (), (sentence,), exceptions)


def _of_same_words(gold: Sentence, system: Sentence | None, job: Job, labels: LabelPolicy) -> Pair:
    """A gold sentence and its partner; one with other words is no usable parse."""
    i, j = gold.number, 0 if system is None else system.number
    bead = Bead((i - 1, i), (max(0, j - 1), j), True)
    try:
        pair = Pair.of_identical_words(gold, system, labels, bead)
    except TreeError as error:
        assert system is not None
        told = f"{system.name}: {error.message}"
        # What a language model writes may have any words: that is counted, and no mistake of the files.
        if job.settings.on_error == "stop" and system.answer is None:
            advice = (
                "; on_error='skip' (--on-error skip) counts it as unparsed, "
                "pair='align' (--pair align) aligns the words"
            )
            raise TreeError(told + advice, source=job.names[1]) from None
        other = system._replace(error=TreeError(told, source=job.names[1]))
        pair = Pair.of_identical_words(gold, other, labels, bead)
    pair.too_short = gold.error is None and len(pair.gold.words) < job.settings.least_words
    return pair


class Job(NamedTuple):
    """What all tasks of one run have in common.

    Attributes:
        settings: With the .prm itself in place of its name, since a worker may have no such file.
        exceptions: What tokens are read as.
        cutoff: Longest pair of the second sum, in units.
        rows: Makes the rows of the report.
        names: What messages call the two files.
    """

    settings: Settings
    exceptions: Mapping[str, str]
    cutoff: int
    rows: RowMaker
    names: tuple[str, str]


def results_of(
    stretches: Iterator[Stretch], scorer: Scorer, job: Job, tally: Tally
) -> Iterator[SentenceResult]:
    """Scores stretches one after the other."""
    labels = scorer.labels
    for stretch in stretches:
        if scorer.same_words and not stretch.gold:
            for sentence in stretch.system:
                span = sentence.number - 1, sentence.number
                tally.leave_out(LeftOut(EXTRA, 0, (0, 0), span, sentence.source.id))
            continue
        for pair in pairs_of(stretch, job, labels):
            result = SentenceResult(tally.count + 1, scorer.score(pair), pair.bead, labels, pair)
            tally.add(result)
            yield result


Packed: TypeAlias = "bytes | tuple[Tree, TreeError | None, Answer | None]"
"""A sentence as it travels: its text, or else what was read of it."""


class Part(NamedTuple):
    """The sentences of one side of a task."""

    format: str | None
    """What the texts are in."""
    numbers: list[int]
    """The places of the sentences in their file, from 1."""
    sentences: list[Packed]
    """The sentences themselves."""


class Task(NamedTuple):
    """Stretches as they travel to a worker."""

    gold: Part
    """The gold sentences of all stretches."""
    system: Part
    """The system sentences of all stretches."""
    stretches: list[tuple[int, int, bool, int, int]]
    """For each stretch how many sentences of both sides it has, and its other fields."""

    def add(self, stretch: Stretch) -> int:
        """Takes in the next stretch; how many sentences of both sides these are now.

        Of sentences that have texts these alone are kept, so that little memory is used again and again.
        """
        for part, sentences in ((self.gold, stretch.gold), (self.system, stretch.system)):
            part.numbers.extend([sentence.number for sentence in sentences])
            part.sentences.extend(
                [
                    (sentence.source, sentence.error, sentence.answer)
                    if sentence.text is None or sentence.error is not None
                    else sentence.text
                    for sentence in sentences
                ]
            )
        self.stretches.append((len(stretch.gold), len(stretch.system), *stretch[2:5]))
        return len(self.gold.numbers) + len(self.system.numbers)


class Scored(NamedTuple):
    """What a worker makes of a task."""

    size: int
    """How many results there are."""
    rows: list[Any]
    """What the job's row maker makes of them."""
    tally: Tally
    """What they add up to."""
    error: JpevalbError | None
    """What ended the work behind these results, if anything did."""


def unpacked(task: Task, labels: LabelPolicy, settings: Settings) -> Iterator[Stretch]:
    """The stretches of a task.  Cost: that of reading their sentences."""
    gold, system = (_sentences(part, labels, settings) for part in (task.gold, task.system))
    for n, m, in_step, i, j in task.stretches:
        yield Stretch(list(islice(gold, n)), list(islice(system, m)), in_step, i, j)


def _sentences(part: Part, labels: LabelPolicy, settings: Settings) -> Iterator[Sentence]:
    parse = text_parser(part.format) if part.format in PARSED_FROM_TEXT else None
    whole, prune = settings.conventions.gold_deletes, labels.prune
    for number, sentence in zip(part.numbers, part.sentences):
        if isinstance(sentence, bytes):
            assert parse is not None
            tree, error, answer = parse(sentence), None, None
        else:
            tree, error, answer = sentence
        scored, outside = (tree, 0) if whole else prune(tree)
        yield Sentence(number, scored, tree, outside, error, None, answer)


def score(job: Job, task: Task) -> Scored:
    """A worker's work.  Cost: that of reading and scoring the sentences."""
    scorer = Scorer(job.settings)
    tally = Tally(scorer.zero, job.cutoff, by_state=scorer.same_words)
    rows: list[Any] = []
    error = None
    results = results_of(unpacked(task, scorer.labels, job.settings), scorer, job, tally)
    try:
        for found in in_rows(results, job.rows, scorer):
            rows += found.lines
    except JpevalbError as raised:
        error = raised
    tally.seen_deleted = scorer.labels.seen_deleted
    tally.fold()
    return Scored(tally.count, rows, tally, error)
