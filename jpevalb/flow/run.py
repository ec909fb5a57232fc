"""Corpus evaluation: pairs of sentences to records, records to sums."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from ..alignment.exceptions import load_exceptions, read_exceptions
from ..alignment.pair import Pair, Sentence, pairs, sentences
from ..formats import Source
from ..metrics import make_metrics
from ..metrics.brackets import length
from ..model.labels import Labels, cut, with_equal_words
from ..model.params import Params
from ..model.record import BeadCounts, Record
from ..model.roots import RootLabel
from ..model.settings import DEFAULT_CUTOFF, Settings
from .summary import Evaluation, SentenceResult, Unparsed
from .unaligned import NAMED, UnalignedStretch, add_stretch

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from .parallel_alignment import Divided
    from .workers import Team

RESULTS, TEXT, JSON, SUMS = "results", "text", "json", "sums"
"""What the results of a run may be wanted for."""

_CHUNK = 128


def evaluate(
    gold: Source,
    system: Source,
    *,
    settings: Settings | None = None,
    executor: Executor | Team | None = None,
    **options: Any,
) -> Evaluation:
    """Scores a system's trees against gold trees; sentences and words are aligned first.

    Args:
        gold: A path, an open file, or an iterable of sentences: bracket texts,
            Trees or nltk trees.
        system: The same.
        settings: How to align and score; ``Settings()`` if not given.
        executor: Where the work is done, if not here: any
            ``concurrent.futures.Executor``.  The result is the same.
        **options: Single fields of :class:`Settings`, on top of ``settings``.

    Returns:
        The evaluation with its sentences.

    Raises:
        JpevalbError: a file or a sentence that cannot be read, or an option that
            means nothing.
        WorkerError: the executor's workers are gone.

    Cost: O(length) where the texts agree.

    Source: Jo et al. 2024 (alignment), Sekine & Collins 1997 (counts).  Unlike
    the published script, brackets match as multisets and no sentence is lost.

    >>> result = evaluate(["(S (NP (NN a) (NN b)) (VP (VB c)))"], ["(S (NP (NN ab)) (NP (NN c)))"])
    >>> result.total.brackets.f1
    0.6666666666666666
    >>> [tuple(unit) for unit in result.sentences[0].units]
    [(0, 2, 0, 1), (2, 3, 1, 2)]
    >>> [str(constituent) for constituent in result.sentences[0].missed]
    ['VP[1:2]']
    """
    run = Run(gold, system, Settings.of(settings, options), executor)
    results = list(run)
    return run.evaluation(results)


class BeadScorer:
    """Scores pairs one by one: brackets, tags and the other metrics of the settings."""

    def __init__(self, settings: Settings) -> None:
        self.labels = Labels.of(settings)
        self.metrics = tuple(make_metrics(settings, self.labels))
        self._names = ("beads", *[metric.name for metric in self.metrics])

    @property
    def zero(self) -> Record:
        """The record of no pair."""
        return Record(self._names, (BeadCounts(), *[metric.zero() for metric in self.metrics]))

    def score(self, pair: Pair) -> Record:
        """The record of one pair.

        Raises:
            JpevalbError: as the metrics.
        """
        labels = self.labels
        beads = BeadCounts(
            1,
            len(pair.gold_sentences),
            len(pair.system_sentences),
            int(not pair.bead.aligned),
            0 if pair.bead.aligned or pair.system_sentences else len(pair.gold_sentences),
            0 if pair.bead.aligned or pair.gold_sentences else len(pair.system_sentences),
            _unreadable(pair.gold_sentences),
            _unreadable(pair.system_sentences),
            length(pair, labels),
        )
        found = Record(self._names, (beads, *[metric.count(pair) for metric in self.metrics]))
        # Of no more use, and pairs may be kept.
        pair.matching = None
        return found


class Run:
    """One evaluation under way: iterate over it for the sentences, then ask for the sums.

    Memory does not grow with the corpus unless the caller keeps what it yields.

    Args:
        gold: As for :func:`evaluate`; files are opened when the iteration begins.
        system: The same.
        settings: The same.
        executor: The same.
        wanted: What the results are for, so that workers do that part as well: ``RESULTS``
            for anything, ``JSON`` for that report, ``TEXT`` for that one, when workers' results
            come as :class:`jpevalb.flow.summary.Lines`, ``SUMS`` where they are not looked at: then
            not all are handed out.
    """

    def __init__(
        self,
        gold: Source,
        system: Source,
        settings: Settings,
        executor: Executor | Team | None = None,
        *,
        wanted: str = RESULTS,
    ) -> None:
        params = settings.params()
        self.settings = settings
        self.cutoff_length = _cutoff(settings, params)
        self.scorer = BeadScorer(settings)
        self.metrics = self.scorer.metrics
        self.labels = self.scorer.labels
        self.exceptions = with_equal_words(_exceptions(settings), self.labels.equal_words)
        self.wanted = wanted
        self.root = RootLabel()
        self.gold = gold
        self.system = system
        self._executor = executor
        self._divided: Divided | None = None
        self._pending: list[Record] = []
        self._pending_short: list[Record] = []
        self._total = self._short = self.scorer.zero
        self._unaligned: list[UnalignedStretch] = []
        self._unparsed: list[Unparsed] = []

    def __iter__(self) -> Iterator[SentenceResult]:
        if self._executor is not None and not (self.settings.gold_times or self.settings.sys_times):
            # Files of times are read in the order of the sentences, by one process.
            from .parallel_alignment import Divided
            from .workers import Team

            self._divided = Divided(self, Team.of(self._executor))
            # Lines among them are only for whoever asked for TEXT.
            return cast("Iterator[SentenceResult]", iter(self._divided))
        return self._one_by_one()

    def _one_by_one(self) -> Iterator[SentenceResult]:
        labels = self.labels
        gold = self.root.watch(sentences(self.gold, labels, self.settings))
        system = sentences(self.system, labels, self.settings)
        aligned = pairs(gold, system, exceptions=self.exceptions, ratio=self.settings.align_ratio)
        for number, pair in enumerate(aligned, 1):
            result = SentenceResult(number, self.scorer.score(pair), pair, labels)
            self.add(result)
            yield result
        for metric in self.metrics:
            metric.finish()

    def add(self, result: SentenceResult) -> None:
        record = result.record
        beads = record.beads
        self._pending.append(record)
        if beads.length <= self.cutoff_length:
            self._pending_short.append(record)
        if len(self._pending) >= _CHUNK:
            self._fold()
        if beads.unaligned:
            add_stretch(self._unaligned, result.number, result.bead)
        if (beads.gold_unparsed or beads.system_unparsed) and len(self._unparsed) < NAMED:
            self._unparsed.extend(result.unparsed[: NAMED - len(self._unparsed)])

    def add_sums(
        self,
        total: Record,
        short: Record,
        unaligned: Iterable[UnalignedStretch],
        unparsed: Iterable[Unparsed],
    ) -> None:
        """Adds what :meth:`add` would of some results in a row.

        Args:
            total: The sum of their records.
            short: The sum of those up to the cut-off.
            unaligned: The first stretches of them that have text on one side only.
            unparsed: The first of their sentences that could not be read.
        """
        self._pending.append(total)
        self._pending_short.append(short)
        self._fold()
        for number, bead in unaligned:
            add_stretch(self._unaligned, number, bead)
        self._unparsed = [*self._unparsed, *unparsed][:NAMED]

    def _fold(self) -> None:
        self._total = Record.sum([self._total, *self._pending])
        self._short = Record.sum([self._short, *self._pending_short])
        self._pending.clear()
        self._pending_short.clear()

    def evaluation(self, results: Sequence[SentenceResult] = ()) -> Evaluation:
        """The sums over what has been iterated over."""
        if self._divided is not None:
            self._divided.settle()
        self._fold()
        return Evaluation(
            self.settings,
            self._total,
            self._short,
            self.cutoff_length,
            results,
            tuple(self._unaligned),
            tuple(self._unparsed),
            tuple(self.warnings()),
            self.metrics,
        )

    def warnings(self) -> Iterator[str]:
        """What is likely to be wrong with the files or the settings, a line each."""
        labels = self.labels
        if labels.deleted and not labels.fired and self._total.beads.beads:
            names = " ".join(sorted(labels.deleted))
            yield f"no label or tag of either file is a DELETE_LABEL of the .prm ({names})"
        yield from _unlike(self._total.beads)
        for metric in self.metrics:
            if hasattr(metric, "warnings"):
                yield from metric.warnings()
        name = self.root.suspect
        if name and labels.resolve(name) is not None:
            yield (
                f"every gold tree has the root {cut(name)}, which counts as a constituent; "
                f"to leave it out give a .prm with DELETE_LABEL {cut(name)}"
            )


def _unlike(beads: BeadCounts) -> Iterator[str]:
    """Says that most of a file has no counterpart in the other, if it is so."""
    sides = [
        f"{alone} of {count} {side} sentences"
        for side, alone, count in (
            ("gold", beads.gold_alone, beads.gold),
            ("system", beads.system_alone, beads.system),
        )
        if 2 * alone > count
    ]
    if len(sides) == 2:
        yield f"{' and '.join(sides)} stand alone; the files are probably not of the same text"
    elif sides:
        yield f"{sides[0]} stand alone; the files may be of different texts, or one is incomplete"


def _unreadable(group: Sequence[Sentence]) -> int:
    return sum([sentence.error is not None for sentence in group])


def _cutoff(settings: Settings, params: Params) -> int:
    if settings.cutoff is not None:
        return settings.cutoff
    return params.cutoff if settings.prm is not None else DEFAULT_CUTOFF


def _exceptions(settings: Settings) -> Mapping[str, str]:
    if settings.exceptions is not None:
        return read_exceptions(settings.exceptions)
    return load_exceptions(settings.lang)
