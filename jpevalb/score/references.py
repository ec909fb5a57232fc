"""Runs against several references: each sentence counts against the one that is nearest to the system's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, zip_longest
from typing import TYPE_CHECKING, Any, TypeAlias

from ..metrics import Figure
from ..metrics.brackets import BracketCounts
from ..metrics.record import Record
from ..metrics.references import Agreed, Agreement, ReferenceCount, ReferenceCounts, References
from ..trees.errors import InputError, SettingsError
from ..trees.formats import Source
from ..trees.registry import ALWAYS_NAMED, IN_EVERY_RUN
from ..trees.settings import READING, Settings
from ..trees.values import PAIRINGS
from .evaluation import figures_of
from .inputs import Input, Replayable, decide, names_of
from .run import Outcome, Run
from .sentence import SentenceResult
from .signature import signature_of
from .tally import Tally
from .uses import OF_EVERY_RUN, OF_WORDS

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from .workers import WorkerPool

Named: TypeAlias = "Sequence[tuple[str, Replayable]]"
"""References with their names."""


def references_of(gold: Source, more_gold: Sequence[Source], settings: Any) -> list[tuple[str, Replayable]]:
    """The references of a run with their names, each of which can be read several times.

    Raises:
        SettingsError: one source in place of a list, or settings that do not go with several references.
        InputError: one that can be read only once cannot be read.
    """
    if isinstance(more_gold, Mapping):
        raise SettingsError("found a mapping as more_gold; expected a list of references")
    names_of(more_gold, "reference")  # refuses a single source
    if not isinstance(settings, Settings):
        raise SettingsError(
            "legacy mode scores against one gold file, as evalb does; leave out more_gold (--more-gold), "
            "or the mode"
        )
    if settings.gold_times:
        raise SettingsError(
            f"found gold_times={settings.gold_times!r} with several references; the times of the words "
            "of one do not fit the words of the others; leave it out"
        )
    encoding = settings.reading("gold")[1]
    named = names_of([gold, *more_gold], "reference")
    return [(name, Replayable(source, encoding)) for name, source in named]


def run_of(
    gold: Source,
    system: Source,
    settings: Settings,
    executor: Executor | WorkerPool | None = None,
    more_gold: Sequence[Source] = (),
) -> Run | ReferencesRun:
    """A run against one reference or several."""
    if not more_gold and isinstance(more_gold, (list, tuple)):
        return Run(gold, system, settings, executor)
    references = references_of(gold, more_gold, settings)
    return ReferencesRun(references, system, settings, executor, agree=True)


class ReferencesRun(Outcome):
    """A run against several references: iterate over it, or over its rows, once, then ask for the sums.

    The system is paired with each reference as in a :class:`Run` of its own, all of them in step.  Where
    sentences are aligned, both files are cut wherever a bead ends in all of these runs at once, which is
    after each sentence as a rule; else after each gold sentence.  Each such stretch counts against the
    reference with the best F1 over its brackets, of equals the first; F1 without any brackets on both
    sides is 1 here, and the stretch of a reference that cannot be read, or that is too short to count,
    comes last.  So each sentence of the system counts once.

    Args:
        references: The references; all must have a tree for each sentence, at the same place.
        system: The system's sentences.
        settings: How to pair and score.
        executor: Where the work is done, if not here.
        agree: Whether to score the references against each other as well.

    Cost: that of a run against each reference, and with ``agree`` of as many runs as there are ordered
    pairs of references; memory for the beads of one stretch.

    Source: Banerjee & Lavie 2005 (METEOR) and Snover et al. 2006 (TER) score a translation against the
    reference that is nearest to it; on trees no paper fixes the details, which are those above.
    """

    def __init__(
        self,
        references: Named,
        system: Source,
        settings: Settings,
        executor: Executor | WorkerPool | None = None,
        *,
        agree: bool = False,
    ) -> None:
        source = Replayable(system, settings.reading("sys")[1])
        golds = [Input(gold.open(), "gold", settings) for _, gold in references]
        settings = decide(settings, [*golds, Input(source.open(), "sys", settings)])
        self._references = references
        self._executor = executor
        self._agree = agree
        self._asked = settings
        self.runs = [Run(gold, source.open(), settings, executor) for gold in golds]
        first = self.runs[0]
        self.settings = first.settings
        self.paired_by = first.paired_by
        figures = figures_of(first.metrics, same_words=first.scorer.same_words)
        self._own = References([name for name, _ in references], figures)
        self.metrics = (*first.metrics, self._own)
        self.scorer = first.scorer.with_metric(self._own)
        self.tally = Tally(self.scorer.zero, first.job.cutoff, by_state=self.scorer.same_words)

    def __iter__(self) -> Iterator[SentenceResult]:
        """Yields the results in order, each against the nearest reference.

        Raises:
            InputError: a reference has other sentences.
            JpevalbError: a file or a sentence that cannot be read or scored.
        """
        number = 0
        parts = self._aligned() if self.settings.pair == "align" else self._in_step()
        for stretch in parts:
            taken = _nearest(stretch)
            for place, result in enumerate(stretch[taken]):
                number += 1
                result.number = number
                against = [[] if place else [one.record for one in part] for part in stretch]
                result.record = self._with_references(result.record, taken, against)
                self.tally.add(result, look=False)
                yield result
        self._finish()

    def _with_references(self, record: Record, taken: int, against: Sequence[Sequence[Record]]) -> Record:
        """A bead's record with what its stretch counts against each reference, if it is the first there."""
        each = [
            ReferenceCount(int(place == taken), _sum(records) if records else Record())
            for place, records in enumerate(against)
        ]
        return Record((*record.names, self._own.name), (*record.counts, ReferenceCounts(tuple(each))))

    def _in_step(self) -> Iterator[list[list[SentenceResult]]]:
        """The stretches where sentences are not aligned: a result of each run."""
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
                        f"sentence {number} has the id {result.id!r}, and in {names[0]} {first.id!r}; "
                        "every reference needs a tree for each sentence, at the same place",
                        source=name,
                    )
            yield [[result] for result in results]

    def _aligned(self) -> Iterator[list[list[SentenceResult]]]:
        """The stretches where sentences are aligned: those between places where beads of all runs end."""
        walks = [iter(run) for run in self.runs]
        ends = [(0, 0)] * len(walks)
        found: list[list[SentenceResult]] = [[] for _ in walks]
        while True:
            # The walks that are behind go on; where all are at one place all do.
            least = min(map(sum, ends))
            behind = [place for place, end in enumerate(ends) if sum(end) == least]
            ended = []
            for place in behind:
                result = next(walks[place], None)
                if result is None:
                    ended.append(place)
                else:
                    found[place].append(result)
                    ends[place] = result.bead.gold[1], result.bead.system[1]
            if ended:
                if len(ended) < len(walks):
                    raise _unequal(self._references[ended[0]][0])
                return
            if len(set(ends)) == 1:
                yield found
                found = [[] for _ in walks]

    def _finish(self) -> None:
        runs = self.runs
        self.settings = runs[0].settings
        self.paired_by = runs[0].paired_by
        self.tally.look(runs[0].tally)
        words = [signature_of(run.settings, run.paired_by).split(" ") for run in runs]
        other = [word for some in words for word in some if word not in words[0]]
        self._own.signature = " ".join([*dict.fromkeys(other), f"references:{len(runs)}"])
        if self._agree:
            self._own.agreement = agreement_of(self._references, self._asked, self._executor)

    def warnings(self) -> Iterator[str]:
        said = [list(run.warnings()) for run in self.runs]
        for text in dict.fromkeys([text for some in said for text in some]):
            where = [name for (name, _), some in zip(self._references, said) if text in some]
            yield text if len(where) == len(said) else f"against {', '.join(where)}: {text}"


def agreement_of(
    references: Named, settings: Settings, executor: Executor | WorkerPool | None = None
) -> Agreement:
    """Scores each reference against each other one.

    F1 is the same whichever of two is gold, and precision is then recall, unless the two leave out other
    words, as by the tags of gold in discontinuous mode.  Brackets and tags alone are compared.

    Cost: that of as many runs as there are ordered pairs.

    >>> gold = ["(S (A (N a) (N b)) (N c))"], ["(S (N a) (A (N b) (N c)))"]
    >>> named = references_of(gold[0], [gold[1]], Settings())
    >>> agreement_of(named, Settings.preset("alignment")).pairs[0].rates["f1"]
    0.5
    """
    own = _of_references(references, settings)
    pairs: list[Agreed] = []
    measures: dict[Figure, None] = {}
    for (gold, mine), (other, theirs) in permutations(references, 2):
        run = Run(mine.open(), theirs.open(), own, executor)
        for _ in run:
            pass
        run.tally.fold()
        total = run.tally.total
        counted = [metric for metric in run.metrics if metric.name in IN_EVERY_RUN]
        figures = figures_of(counted, same_words=run.scorer.same_words)
        measures |= dict.fromkeys([figure for figure in figures if figure.shown(total)])
        pairs.append(Agreed(gold, other, total, {figure.name: figure.value(total) for figure in figures}))
    return Agreement(tuple(measures), tuple(pairs))


def _of_references(references: Named, settings: Settings) -> Settings:
    """The settings of a run, as far as they say how references alone are read, paired and counted."""
    format, encoding = settings.reading("gold")
    names = {*OF_EVERY_RUN, *PAIRINGS[settings.pair], *OF_WORDS} - {*READING, "pair"}
    kept: dict[str, Any] = {name: value for name, value in settings.given().items() if name in names}
    if settings.pair != "auto":
        kept["pair"] = settings.pair
    if any(Input(gold.open(), "gold", settings).format == "jsonl" for _, gold in references):
        kept |= {"field": settings.gold_field or settings.field, "id_field": settings.id_field}
    return Settings.preset(settings.mode, format=format, encoding=encoding, metrics=ALWAYS_NAMED, **kept)


def _nearest(stretch: Sequence[Sequence[SentenceResult]]) -> int:
    """The place of the reference against which a stretch counts; of equals the first."""
    found = [_f1_of([result.record for result in part]) for part in stretch]
    return found.index(max(found))


def _f1_of(records: Sequence[Record]) -> float:
    """Bracketing F1 of a stretch; 1 without brackets, and below any F1 where nothing could be compared."""
    beads = [record.beads for record in records]
    if not any(one.beads for one in beads) or any(one.gold_unparsed for one in beads):
        return -1.0
    f1 = BracketCounts.sum([record.brackets for record in records]).f1
    return 1.0 if f1 is None else f1


def _sum(records: Sequence[Record]) -> Record:
    return records[0] if len(records) == 1 else Record.sum(records)


def _unequal(name: str) -> InputError:
    return InputError(
        "found fewer sentences than in another reference; every reference needs a tree for each sentence, "
        "at the same place",
        source=name,
    )
