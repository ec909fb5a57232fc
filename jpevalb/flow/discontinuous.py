"""Discontinuous mode: two treebanks over the same words, paired by id or by order, to counts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ..alignment.pair import Pair
from ..alignment.pair import Sentence as PairSentence
from ..formats import Source, read
from ..formats.files import input_name
from ..metrics.brackets import Comparison, compare_brackets
from ..metrics.gaps import DiscontinuousCounts
from ..model.counts import brief
from ..model.errors import TreeError
from ..model.ids import Names
from ..model.labels import Labels
from ..model.settings import DISCONTINUOUS, Settings
from ..model.tree import EMPTY, Tree
from ..model.version import SCHEMA_VERSION
from .run import BeadScorer

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from .workers import Team

NAMED = 5
"""How many of the sentences without a parse, or without gold, a report names."""

_CHUNK = 512

PARSED = ""
MISSING = "missing"
UNPARSED = "unparsed"
NO_GOLD = "no gold"


_Trees: TypeAlias = "tuple[Pair, Labels] | Callable[[], tuple[Pair, Labels]] | None"


class Sentence(NamedTuple):
    """A sentence of one side."""

    number: int
    """Its place in its file, from 1."""
    tree: Tree
    error: TreeError | None
    """Why it could not be read."""

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"sentence {self.number}" if self.tree.id is None else f"sentence {self.tree.id!r}"


@dataclass(frozen=True, slots=True)
class DiscontinuousSentence:
    """The result of one gold sentence.

    Attributes:
        number: Its place in the gold file, from 1.
        id: Its name, where the file has names.
        length: Gold words, less those of DELETE_LABEL_FOR_LENGTH.
        status: Empty where it was scored; ``"missing"`` where the system's file has no
            such sentence, ``"unparsed"`` where that has no usable tree: both count
            as missed; ``"no gold"`` where the gold tree could not be read: it counts nowhere.
        reason: Why there is no usable tree, where there is more to say.
        counts: What it adds to the sums.
    """

    number: int
    id: str | None
    length: int
    status: str
    reason: str | None
    counts: DiscontinuousCounts
    _trees: _Trees = field(default=None, compare=False, repr=False)

    @property
    def name(self) -> str:
        """Its id, or else its number."""
        return str(self.number) if self.id is None else self.id

    def compare(self) -> Comparison | None:
        """Its constituents matched, missed and extra; ``None`` where nothing was compared."""
        trees = self._trees() if callable(self._trees) else self._trees
        if trees is None:
            return None
        return compare_brackets(*trees)

    def to_dict(self) -> dict[str, Any]:
        """All but the trees, JSON-ready."""
        return {
            "number": self.number,
            "id": self.id,
            "length": self.length,
            "status": self.status,
            "reason": self.reason,
            **self.counts.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class DiscontinuousEvaluation:
    """The scores of a system's file against a gold file.

    Attributes:
        settings: How they were scored.
        sentences: The gold sentences in order; empty if they were not kept.
        total: The sum of their counts.
        n_missing: Gold sentences that the system's file does not have.
        n_unparsed: Gold sentences whose parse is empty, cannot be read, or has other words.
        n_no_gold: Gold sentences that cannot be read.
        n_extra: Sentences of the system that gold does not have; they count nowhere.
        paired_by: ``"id"`` or ``"order"``.
        left_out: The first five of each kind, as lines for the report.
        warnings: What is likely to be wrong with the files or settings.
    """

    settings: Settings
    sentences: tuple[DiscontinuousSentence, ...]
    total: DiscontinuousCounts
    n_missing: int
    n_unparsed: int
    n_no_gold: int
    n_extra: int
    paired_by: str
    left_out: tuple[str, ...]
    warnings: tuple[str, ...]

    def __repr__(self) -> str:
        total = self.total
        return brief(self, f1=total.overall.f1, sentences=total.sentences, signature=self.signature())

    def signature(self) -> str:
        """Everything that a score depends on beside the two files, in one line."""
        return self.settings.signature(self.paired_by)

    def to_dict(self) -> dict[str, Any]:
        """Signature, counts, rates and sentences, JSON-ready."""
        return {
            "version": SCHEMA_VERSION,
            "mode": "discontinuous",
            "signature": self.signature(),
            "total": self.total.to_dict(),
            "missing": self.n_missing,
            "unparsed": self.n_unparsed,
            "no_gold": self.n_no_gold,
            "extra": self.n_extra,
            "left_out": list(self.left_out),
            "warnings": list(self.warnings),
            "sentences": [sentence.to_dict() for sentence in self.sentences],
        }

    def report(self, format: str = "text", *, quiet: bool = False) -> str:
        """The evaluation as ``"text"`` or ``"json"``; ``quiet`` leaves out the sentences.

        Raises:
            SettingsError: an unknown format.
        """
        from ..report import render

        return render(self, format, quiet=quiet)


def evaluate_discontinuous(
    gold: Source,
    system: Source,
    *,
    settings: Settings | None = None,
    executor: Executor | Team | None = None,
    **options: Any,
) -> DiscontinuousEvaluation:
    """Scores a system's trees, discontinuous or not, against gold trees over the same words.

    Sentences pair up by id where both files have ids, else by order.  A gold sentence that
    the system has no tree of counts as missed; a sentence of the system that gold does
    not have counts nowhere.  The result names the first of both.

    Args:
        gold: A path, an open file, or an iterable of sentences, in any format.
        system: A path, an open file, or an iterable of sentences, in any format, which may be another.
        settings: What counts and how; ``Settings.preset("discontinuous")`` if not given.
        executor: Where the work is done, if not here: any
            ``concurrent.futures.Executor``.  The result is the same.  Files of discbracket,
            export or one bracket tree a line are divided; anything else is read and scored here.
        **options: Single fields of :class:`jpevalb.Settings`, on top of ``settings``.

    Returns:
        The evaluation with its sentences.

    Raises:
        JpevalbError: a file or a sentence that cannot be read, words that differ, ids
            of which none is in both files, or an option that means nothing.

    Cost: O(length), and memory for the sentences that wait for their partners.

    >>> gold = ["(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)))", "(S (NP 0=it) (VP 1=rains))"]
    >>> system = ["(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)))"]
    >>> result = evaluate_discontinuous(gold, system)
    >>> result.total.overall, result.n_missing, result.left_out
    (MatchCounts(tp=3, fp=0, fn=1), 1, ("missing: sentence 2 has no parse in the system's file",))
    """
    run = Run(gold, system, Settings.of(settings, options, DISCONTINUOUS), executor)
    return run.evaluation(list(run))


class Run:
    """One evaluation under way: iterate over it for the gold sentences in order, then ask for the sums.

    Memory does not grow with the files where their sentences come in the same order,
    unless the caller keeps what it yields.

    Args:
        gold: As for :func:`evaluate_discontinuous`.
        system: As for :func:`evaluate_discontinuous`.
        settings: As for :func:`evaluate_discontinuous`.
        executor: As for :func:`evaluate_discontinuous`.
    """

    def __init__(
        self,
        gold: Source,
        system: Source,
        settings: Settings,
        executor: Executor | Team | None = None,
    ) -> None:
        self.settings = settings
        self.scorer = BeadScorer(settings)
        self.paired_by = settings.pair
        self.gold = gold
        self.system = system
        self._executor = executor
        self._pending: list[DiscontinuousCounts] = []
        self._total = DiscontinuousCounts()
        self._numbers = {MISSING: 0, UNPARSED: 0, NO_GOLD: 0, "extra": 0}
        self._left_out: dict[str, list[str]] = {kind: [] for kind in self._numbers}

    def __iter__(self) -> Iterator[DiscontinuousSentence]:
        queue = Queue()
        if self._executor is not None:
            from .parallel_discontinuous import Divided
            from .workers import Team

            divided = Divided.of(self, Team.of(self._executor))
            if divided is not None:
                return divided.results(queue)
        gold, system = self.sentences(self.gold), self.sentences(self.system)
        return self.one_by_one(gold, system, Pairing(self), queue)

    def one_by_one(
        self, gold: Iterator[Sentence], system: Iterator[Sentence], pairing: Pairing, queue: Queue
    ) -> Iterator[DiscontinuousSentence]:
        """Scores the sentences of two sides from some place on."""
        for mine, other in pairing.pairs(gold, system):
            if mine is None:
                assert other is not None
                self.note_extra(other)
                continue
            queue.put(score_sentence(self.scorer, self.settings, self.system_name, mine, other))
            for result in queue.ready():
                self.add(result)
                yield result

    @property
    def gold_name(self) -> str:
        """What messages call the gold file."""
        return _name_of(self.gold, "gold")

    @property
    def system_name(self) -> str:
        """What messages call the system's file."""
        return _name_of(self.system, "system")

    def note_extra(self, sentence: Sentence) -> None:
        """Counts a sentence of the system that has no gold."""
        self._note("extra", f"{sentence.name} of the system's file has no gold")

    def evaluation(self, results: Sequence[DiscontinuousSentence] = ()) -> DiscontinuousEvaluation:
        """The sums over what has been iterated over."""
        self._fold()
        lines = []
        for kind, named in self._left_out.items():
            lines += [f"{kind}: {text}" for text in named]
            if self._numbers[kind] > NAMED:
                lines.append(f"{kind}: and {self._numbers[kind] - NAMED} more")
        return DiscontinuousEvaluation(
            self.settings,
            tuple(results),
            self._total,
            self._numbers[MISSING],
            self._numbers[UNPARSED],
            self._numbers[NO_GOLD],
            self._numbers["extra"],
            self.paired_by,
            tuple(lines),
            tuple(self.warnings()),
        )

    def warnings(self) -> Iterator[str]:
        """What is likely to be wrong with the files or the settings, a line each."""
        labels = self.scorer.labels
        if labels.deleted and not labels.fired and self._total.sentences:
            names = " ".join(sorted(labels.deleted))
            yield f"no label or tag of either file is one of those to leave out ({names})"

    def _note(self, kind: str, text: str) -> None:
        self._numbers[kind] += 1
        if self._numbers[kind] <= NAMED:
            self._left_out[kind].append(text)

    def add(self, result: DiscontinuousSentence) -> None:
        """Takes in the result of the next gold sentence."""
        if result.status:
            name = f"sentence {result.id!r}" if result.id is not None else f"sentence {result.number}"
            if result.status == MISSING:
                self._note(MISSING, f"{name} has no parse in the system's file")
            else:
                self._note(result.status, f"{name}: {result.reason}")
        self._pending.append(result.counts)
        if len(self._pending) >= _CHUNK:
            self._fold()

    def _fold(self) -> None:
        self._total = DiscontinuousCounts.sum([self._total, *self._pending])
        self._pending.clear()

    def sentences(self, source: Source) -> Iterator[Sentence]:
        """The sentences of one side."""
        settings = self.settings
        errors: list[TreeError] = []
        trees = read(
            source,
            settings.format,
            encoding=settings.encoding,
            on_error=errors.append if settings.on_error == "skip" else None,
        )
        for number, tree in enumerate(trees, 1):
            yield Sentence(number, tree, errors.pop() if errors else None)


class Queue:
    """Results that wait until those of all gold sentences before them have come."""

    def __init__(self) -> None:
        self._waiting: dict[int, DiscontinuousSentence] = {}
        self._following = 1

    def put(self, result: DiscontinuousSentence) -> None:
        """Takes in a result."""
        self._waiting[result.number] = result

    def ready(self) -> Iterator[DiscontinuousSentence]:
        """Gives out those whose turn it is."""
        while self._following in self._waiting:
            self._following += 1
            yield self._waiting.pop(self._following - 1)


class Pairing:
    """Finds the partners of sentences as they are read, in step, one of each side at a time.

    Attributes:
        left: Gold sentences that wait for a partner, by id.
        right: The system's sentences that wait for a partner, by id.
        seen: The ids met so far, of gold and of the system.
        paired: Whether any two were partners.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self.left: dict[str, Sentence] = {}
        self.right: dict[str, Sentence] = {}
        self.seen = Names(), Names()
        self.paired = False

    def pairs(
        self, gold: Iterator[Sentence], system: Iterator[Sentence]
    ) -> Iterator[tuple[Sentence | None, Sentence | None]]:
        """Each sentence from here on, and those that wait, once; alone where it has no partner."""
        run = self._run
        first, second = next(gold, None), next(system, None)
        if run.paired_by == "auto":
            named = all(side is not None and side.tree.id is not None for side in (first, second))
            run.paired_by = "id" if named else "order"
        if run.paired_by == "order":
            while first is not None or second is not None:
                yield first, second
                first, second = next(gold, None), next(system, None)
            return
        # In step, so that few wait where the order is about the same.
        while first is not None or second is not None:
            yield from self.step(first, second)
            first, second = next(gold, None), next(system, None)
        yield from self.rest()

    def step(self, first: Sentence | None, second: Sentence | None) -> Iterator[tuple[Sentence, Sentence]]:
        """Takes in the next sentence of each side; the pairs that they complete."""
        left, right = self.left, self.right
        for place, sentence in enumerate((first, second)):
            if sentence is None:
                continue
            name = self._id(sentence, place)
            partner = (right, left)[place].pop(name, None)
            if partner is None:
                (left, right)[place][name] = sentence
            else:
                self.paired = True
                yield (sentence, partner) if place == 0 else (partner, sentence)

    def rest(self) -> Iterator[tuple[Sentence | None, Sentence | None]]:
        """Those left alone at the end.

        Raises:
            TreeError: no two were partners.
        """
        left, right = self.left, self.right
        if left and right and not self.paired:
            raise TreeError(
                f"no sentence id is in both files: gold has {_some(left)}, the system {_some(right)}; "
                "pair='order' (--pair order) pairs sentences by their order"
            )
        for sentence in left.values():
            yield sentence, None
        for sentence in right.values():
            yield None, sentence

    def _id(self, sentence: Sentence, place: int) -> str:
        seen = self.seen[place]
        source = (self._run.gold_name, self._run.system_name)[place]
        name = sentence.tree.id
        if sentence.error is not None and (name is None or name in seen):
            return f"\0{sentence.number}"  # of no use as a name, so it has no partner
        if name is None:
            raise TreeError(
                f"sentence {sentence.number} has no id; expected one on each, "
                "or pair='order' (--pair order) to pair sentences by their order",
                source=source,
            )
        if not seen.add(name):
            raise TreeError(
                f"the sentence id {name!r} stands twice; each sentence needs one of its own",
                source=source,
            )
        return name


def score_sentence(
    scorer: BeadScorer,
    settings: Settings,
    system_name: str,
    gold: Sentence,
    system: Sentence | None,
) -> DiscontinuousSentence:
    """The result of one gold sentence.

    Raises:
        TreeError: the system's tree has other words, and the settings say to stop.
    """
    tree = gold.tree
    if gold.error is not None:
        reason = str(gold.error)
        return DiscontinuousSentence(gold.number, tree.id, 0, NO_GOLD, reason, DiscontinuousCounts())
    mine = PairSentence(tree, tree, 0, None)
    other = None if system is None else PairSentence(system.tree, system.tree, 0, system.error)
    status, why = PARSED, None
    if system is None:
        status = MISSING
    elif system.error is not None:
        status, why = UNPARSED, str(system.error)
    elif tree.words and not system.tree.words:
        status, why = UNPARSED, "the parse has no words"
    try:
        pair = Pair.of_same_words(mine, other, scorer.labels)
    except TreeError as error:
        assert system is not None
        told = TreeError(f"{system.name}: {error.message}", source=system_name)
        if settings.on_error == "stop":
            raise TreeError(
                told.message + "; on_error='skip' (--on-error skip) counts it as unparsed",
                source=told.source,
            ) from None
        status, why = UNPARSED, str(told)
        pair = Pair.of_same_words(mine, PairSentence(EMPTY, EMPTY, 0, told), scorer.labels)
    record = scorer.score(pair)
    counts = DiscontinuousCounts.of(record.brackets, record.tags, record["gaps"], int(status != PARSED))
    trees = None if status else (pair, scorer.labels)
    return DiscontinuousSentence(gold.number, tree.id, record.beads.length, status, why, counts, trees)


def _name_of(source: Source, side: str) -> str:
    """What messages call a side's file."""
    if isinstance(source, (str, os.PathLike)):
        return input_name(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else f"<{side}>"


def _some(names: dict[str, Sentence]) -> str:
    shown = [repr(name) for name in list(names)[:3]]
    return ", ".join(shown) + (", ..." if len(names) > 3 else "")
