"""Runs against several references: each sentence is scored against the nearest one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, zip_longest
from typing import Any, TypeAlias

from ..base.claims import Claim
from ..base.errors import InputError, SettingsError
from ..formats.read import Source
from ..metrics import Figure
from ..metrics.brackets import BracketCounts
from ..metrics.record import Record
from ..metrics.references import (
    Agreed,
    Agreement,
    ReferenceCount,
    ReferenceCounts,
    References,
    ReferenceScores,
)
from ..settings.settings import ALWAYS_NAMED, IN_EVERY_RUN, PAIRINGS, READING, Settings
from .evaluation import figures_of
from .inputs import Input, Replayable, decide, names_of
from .outcome import Outcome
from .run import Run
from .sentence import SentenceResult
from .signature import OF_EVERY_RUN, OF_WORDS, signature_of
from .tally import Tally
from .workers import WorkerPool

NamedReferences: TypeAlias = "Sequence[tuple[str, Replayable]]"

# For each reference the results of its run, over the same sentences
Stretch: TypeAlias = "list[list[SentenceResult]]"


def references_of(gold: Source, more_gold: Sequence[Source], settings: Any) -> list[tuple[str, Replayable]]:
    """Check and name the references of a run."""
    if isinstance(more_gold, Mapping):
        raise SettingsError("got a mapping as more_gold; expected a list of references")
    names_of(more_gold, "reference")  # rejects a single source
    if not isinstance(settings, Settings):
        raise SettingsError(
            "more_gold with Params, which score as evalb does, against one gold file; "
            "leave out more_gold, or give Settings"
        )
    if settings.gold_times:
        raise SettingsError(
            f"gold_times={settings.gold_times!r} with several references; word times belong to one "
            "reference, leave out gold_times"
        )
    encoding = settings.reading("gold")[1]
    named = names_of([gold, *more_gold], "reference")
    return [(name, Replayable(source, encoding)) for name, source in named]


class ReferencesRun(Outcome):
    """A run against several references, which all have a tree for each sentence, in the same order.

    A stretch ends after each gold sentence, or, if sentences are aligned, wherever a bead ends in all runs.
    It is scored against the reference with the best bracketing F1, the first of equals.  F1 is 1 here
    without any brackets; references that are unreadable or too short come last.

    Source: Banerjee & Lavie 2005 (METEOR) and Snover et al. 2006 (TER), who score translations so.
    """

    def __init__(
        self,
        references: NamedReferences,
        system: Source,
        settings: Settings,
        pool: WorkerPool | None = None,
        *,
        agree: bool = False,
    ) -> None:
        source = Replayable(system, settings.reading("sys")[1])
        golds = [Input(gold.open(), "gold", settings) for _, gold in references]
        settings = decide(settings, [*golds, Input(source.open(), "sys", settings)])
        self._references = references
        self._pool = pool
        self._agree = agree
        self._asked = settings
        self.runs = [Run(gold, source.open(), settings, pool) for gold in golds]
        first = self.runs[0]
        self.sides = first.sides
        self.paired_by = first.paired_by
        figures = figures_of(first.metrics, first.settings)
        self._own = References([name for name, _ in references], figures)
        self.metrics = (*first.metrics, self._own)
        self.scorer = first.scorer.with_metric(self._own)
        self.tally = Tally(self.scorer, *first.job.cutoffs)

    @property
    def settings(self) -> Settings:
        return self.runs[0].settings

    def __iter__(self) -> Iterator[SentenceResult]:
        """Yield the results in order, each against the nearest reference."""
        number = 0
        for stretch in self._aligned() if self.settings.pair == "align" else self._in_step():
            nearest = _nearest(stretch)
            for index, result in enumerate(stretch[nearest]):
                number += 1
                # The first bead of a stretch has the counts of all of it, against each reference.
                each = {
                    k: ReferenceCount(
                        int(k == nearest), Record() if index else Record.sum([one.record for one in results])
                    )
                    for k, results in enumerate(stretch)
                }
                record = Record.of({**result.record.by_name(), self._own.name: ReferenceCounts(each)})
                scored = result.counted_as(number, record)
                self.tally.add([scored], look=False)
                yield scored
        runs = self.runs
        self.paired_by = runs[0].paired_by
        self.tally.look(runs[0].tally)
        words = [signature_of(run.settings, run.paired_by).split(" ") for run in runs]
        differing = [word for signature in words for word in signature if word not in words[0]]
        agreement = agreement_of(self._references, self._asked, self._pool) if self._agree else None
        own = self._own
        self._own = References(own.names, own.measured, list(dict.fromkeys(differing)), agreement)
        self.metrics = (*runs[0].metrics, self._own)

    def _in_step(self) -> Iterator[Stretch]:
        """Yield stretches of one sentence."""
        names = [name for name, _ in self._references]
        for number, results in enumerate(zip_longest(*self.runs), 1):
            missing = [name for name, result in zip(names, results) if result is None]
            if missing:
                raise _unequal(missing[0])
            first = results[0]
            by_id = all(run.paired_by == "id" for run in self.runs)
            for name, result in zip(names, results):
                if result.bead.gold != first.bead.gold:
                    raise _unequal(name)
                if by_id and result.id != first.id:
                    raise InputError(
                        f"sentence {number} has the id {result.id!r}; expected {first.id!r}, as in "
                        f"{names[0]}, since all references need the same sentences in the same order",
                        source=name,
                    )
            yield [[result] for result in results]

    def _aligned(self) -> Iterator[Stretch]:
        """Yield stretches that end where beads of all runs end."""
        runs = [iter(run) for run in self.runs]
        ends = [(0, 0)] * len(runs)
        stretch: Stretch = [[] for _ in runs]
        while True:
            # Advance the runs that are behind, or all if none is.
            least = min(map(sum, ends))
            ended = []
            for index in [index for index, end in enumerate(ends) if sum(end) == least]:
                result = next(runs[index], None)
                if result is None:
                    ended.append(index)
                else:
                    stretch[index].append(result)
                    ends[index] = result.bead.gold[1], result.bead.system[1]
            if ended:
                if len(ended) < len(runs):
                    raise _unequal(self._references[ended[0]][0])
                return
            if len(set(ends)) == 1:
                yield stretch
                stretch = [[] for _ in runs]

    def scores(self) -> tuple[ReferenceScores, ...]:
        """Return the scores so far against each reference, their mean, and those against the nearest."""
        return self._own.scores(self.tally.total)

    def problem(self) -> str:
        return next(filter(None, [run.problem() for run in self.runs]), "")

    def warnings(self) -> list[Claim]:
        every: dict[str, tuple[Claim, list[str]]] = {}
        for run, (name, _) in zip(self.runs, self._references):
            for one in run.warnings():
                every.setdefault(one.text, (one, []))[1].append(name)
        return [
            one if len(names) == len(self.runs) else Claim("against", {"names": names, "text": text})
            for text, (one, names) in every.items()
        ]


def agreement_of(
    references: NamedReferences, settings: Settings, pool: WorkerPool | None = None
) -> Agreement:
    """Score each reference against each other one, by brackets and tags only.

    Both orders are scored, since words may be deleted by the tags of gold.

    >>> gold = ["(S (A (N a) (N b)) (N c))"], ["(S (N a) (A (N b) (N c)))"]
    >>> named = references_of(gold[0], [gold[1]], Settings())
    >>> agreement_of(named, Settings(convention="jpevalb")).pairs[0].rates["f1"]
    0.5
    """
    settings = _between_references(references, settings)
    pairs: list[Agreed] = []
    measures: dict[Figure, None] = {}
    for (gold, gold_source), (other, other_source) in permutations(references, 2):
        run = Run(gold_source.open(), other_source.open(), settings, pool)
        for _ in run:
            pass
        total = run.tally.total
        counted = [metric for metric in run.metrics if metric.name in IN_EVERY_RUN]
        figures = figures_of(counted, run.settings)
        measures |= dict.fromkeys([figure for figure in figures if figure.shown(total)])
        pairs.append(Agreed(gold, other, total, {figure.name: figure.value(total) for figure in figures}))
    return Agreement(tuple(measures), tuple(pairs))


def _between_references(references: NamedReferences, settings: Settings) -> Settings:
    """Return the settings for scoring references against each other, without those of the system."""
    format, encoding = settings.reading("gold")
    names = {*OF_EVERY_RUN, *PAIRINGS[settings.pair], *OF_WORDS} - {*READING, "pair", "nbest"}
    kept: dict[str, Any] = {name: value for name, value in settings.given().items() if name in names}
    if settings.pair != "auto":
        kept["pair"] = settings.pair
    if any(Input(gold.open(), "gold", settings).format == "jsonl" for _, gold in references):
        kept |= {"field": settings.gold_field or settings.field, "id_field": settings.id_field}
    kept["convention"] = settings.convention
    return Settings(format=format, encoding=encoding, metrics=ALWAYS_NAMED, **kept)


def _nearest(stretch: Stretch) -> int:
    """Return the index of the nearest reference, the first of equals."""
    scores = []
    for results in stretch:
        beads = [result.record.sentences for result in results]
        if not any(one.groups for one in beads) or any(one.gold_unparsed for one in beads):
            scores.append(-1.0)
        else:
            f1 = BracketCounts.sum([result.record.brackets for result in results]).f1
            scores.append(1.0 if f1 is None else f1)
    return scores.index(max(scores))


def _unequal(name: str) -> InputError:
    return InputError(
        "got fewer sentences than in another reference; all references need the same sentences in the "
        "same order",
        source=name,
    )
