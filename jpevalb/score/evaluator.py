"""The library calls that score: two files at once, or sentence by sentence in training loops."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from math import isnan, nan
from operator import or_
from threading import RLock
from typing import Any

from ..alignment.exceptions import exceptions_of
from ..alignment.pair import EXCLUDED
from ..alignment.stream import Stretch
from ..base.counts import RunningSum, brief
from ..base.errors import InputError, JpevalbError, SettingsError, TreeError
from ..base.files import reject_shared
from ..formats.answers import AnswerReader
from ..formats.read import Source, as_tree
from ..kernels.counting import EXCLUDING
from ..metrics import signed
from ..metrics.record import Record
from ..settings.rules import with_equal_words
from ..settings.settings import ALIGNED, DISCONTINUOUS, Settings
from ..trees.prepare import TRACE, chains_of, name_of
from ..trees.sentence import Answer, Sentence
from ..trees.tree import EMPTY, Tree, is_node
from .evaluation import Evaluation, figures_of
from .inputs import Input, decide, resolved
from .outcome import Outcome, excluded_problem, no_rows
from .run import Job, Run, pairs_of
from .sentence import Scorer
from .signature import SettingsUser, reject_unused, signature_of
from .workers import WorkerPool, workers


def evaluate(
    gold: Source,
    system: Source,
    *,
    more_gold: Sequence[Source] = (),
    settings: Settings | None = None,
    jobs: int = 1,
    executor: Executor | WorkerPool | None = None,
    **options: Any,
) -> Evaluation:
    """Score a system's trees against gold trees.

    The convention decides what counts and if words are aligned; without one, it is chosen once both inputs
    are open (:func:`jpevalb.score.inputs.decide`).  If words must agree, sentences pair up by id where both
    files have ids, else by order; a gold sentence without a system tree counts as missed.

    Args:
        gold: A path, an open file, or an iterable of sentences: texts of trees in any format, Trees or nltk
            trees.
        system: The system's sentences, in the same or another format.
        more_gold: More references, each with a tree for each sentence of ``gold``, in the same order.  Each
            sentence is scored against the reference with the best F1 over its brackets, the first of
            equals (``docs/metrics.md``).
        settings: How to read, align and score; ``Settings()`` by default.
        jobs: Number of worker processes; they end with the call.  The result does not depend on it.
        executor: A ``concurrent.futures.Executor`` to use in place of ``jobs``.  The result is the same.
        **options: Single fields of :class:`Settings`, on top of ``settings``.

    Returns:
        The evaluation with its sentences.

    Raises:
        JpevalbError: a file or a sentence cannot be read, or an option is invalid or unused.
        WorkerError: the executor's workers are gone.

    Sources: Jo et al. 2024 (alignment), Sekine & Collins 1997 (counts).  Unlike the published script,
    brackets match as multisets and no sentence is lost.

    >>> result = evaluate(["(S (NP (NN a) (NN b)) (VP (VB c)))"], ["(S (NP (NN ab)) (NP (NN c)))"])
    >>> result.total.brackets.f1
    0.6666666666666666
    >>> [tuple(unit) for unit in result.sentences[0].units]
    [(0, 2, 0, 1), (2, 3, 1, 2)]
    >>> [str(constituent) for constituent in result.sentences[0].missed]
    ['VP[1:2]']
    >>> gold = ["(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)))", "(S (NP 0=it) (VP 1=rains))"]
    >>> result = evaluate(gold, gold[:1])
    >>> result.settings.convention, round(result.f1, 4), result.states["missing"]
    ('discontinuous', 0.8571, 1)
    """
    with workers(jobs, executor) as pool:
        reject_shared([gold, system, *more_gold] if isinstance(more_gold, (list, tuple)) else [gold, system])
        chosen = Settings.of(settings, options)
        if not more_gold and isinstance(more_gold, (list, tuple)):
            run: Outcome = Run(gold, system, chosen, pool)
        else:
            from .references import ReferencesRun, references_of

            references = references_of(gold, more_gold, chosen)
            run = ReferencesRun(references, system, chosen, pool, agree=True)
        return run.evaluation(list(run))


_READ = ("pair", "separator", "nbest", "encoding", "gold_encoding", "sys_encoding")
_OF_FILES = (*_READ, "gold_times", "sys_times")
_COUNTED = SettingsUser("report", "of an evaluator", ("metrics", "by_label", "analysis"))


class Evaluator:
    """Counts sentences one by one or in batches, with the score of all of them available at any time.

    Evaluators of the same settings can be added, in any grouping, and pickled.  Threads may share an
    evaluator: they wait for each other.

    Args:
        settings: How to score; brackets and tags alone by default.  A missing convention is chosen by the
            first sentences, as :func:`jpevalb.evaluate` decides it.  Sentences pair up as they are given.
        **options: Single fields of :class:`jpevalb.Settings`, on top of ``settings``.

    Raises:
        SettingsError: an invalid option, or one for files.

    >>> evaluator = Evaluator()
    >>> evaluator.update("(S (NP (NN a) (NN b)) (VP (VB c)))", "(S (NP (NN a)) (VP (NN b) (VB c)))")
    >>> evaluator.update(["(S (NN a))", "(S (NN b))"], ["(S (NN a))", "(X (NN b))"])
    >>> found = evaluator.compute()
    >>> found["sentences"], found["f1"], found["tag_accuracy"]
    (3.0, 0.4, 1.0)
    """

    _count: int  # number of sentences
    _has_traces: tuple[bool, bool]  # True for gold, for the system, once a sentence has a trace

    def __init__(self, settings: Settings | None = None, **options: Any) -> None:
        default = {"metrics": ("brackets", "tags")} if settings is None else {}
        chosen = Settings.of(settings, {**default, **options})
        for name, value in chosen.given().items():
            if name in _OF_FILES:
                raise SettingsError(
                    f"{name}={value!r}, which says how files go together or are read; "
                    "an evaluator is given sentences; leave it out"
                )
        self._lock = RLock()
        self._start(chosen)

    def _start(self, settings: Settings) -> None:
        """Begin with these settings: make the parts that are not pickled."""
        decided = decide(settings, ())
        reject_unused(decided, ("bracket", "answers" if settings.answers else "bracket"), _COUNTED)
        self._scorer, self._job = _scorer_of(decided)
        decides = decided.traces == "auto" and not decided.tool and TRACE not in decided.rules().drop_tags
        # Counts without traces, if it is open whether both sides have some
        self._without_traces = _scorer_of(decided.replace(traces="drop")) if decides else None
        self._figures = figures_of(self._scorer.metrics, decided)
        self.settings = settings
        self.reset()

    def update(self, gold: Any, system: Any) -> None:
        """Count one sentence, or each of a batch.

        Args:
            gold: A tree, its text or a tree of nltk or Stanza, or an iterable of those.
            system: The system's sentence, or as many as there are gold ones.  With ``repair=True``, or
                another of the settings for answers, a text is the answer of a language model, and ``None``
                is an empty one.

        Raises:
            TreeError: A sentence cannot be parsed; nothing is counted then.
            JpevalbError: The batches differ in length.
        """
        one = _is_sentence(gold)
        if one != _is_sentence(system):
            sides = ("one sentence", "a batch") if one else ("a batch", "one sentence")
            raise JpevalbError(
                f"got {sides[0]} of gold but {sides[1]} of the system; give two sentences or two batches"
            )
        left, right = ([gold], [system]) if one else (list(gold), list(system))
        if len(left) != len(right):
            raise JpevalbError(
                f"got {len(left)} gold but {len(right)} system sentences; "
                "both batches must have the same length"
            )
        with self._lock:
            before = self.settings
            undecided = left and (before.convention is None or not self._count)
            if undecided:
                decided = resolved(before, Input(left, "gold", before), Input(right, "sys", before))
                if decided != before:
                    self._start(decided)
            try:
                scored = [
                    self._score("" if one else f" {index}", self._count + index, *pair)
                    for index, pair in enumerate(zip(left, right), 1)
                ]
            except JpevalbError:
                # Sentences that do not count do not choose the convention.
                if undecided:
                    self._start(before)
                raise
            for records, has, excluded in scored:
                for total, record in zip(self._sums, records):
                    total.add(record)
                self._has_traces = self._has_traces[0] or has[0], self._has_traces[1] or has[1]
                self._excluded.update(excluded)
            self._count += len(scored)

    def _score(
        self,
        index: str,  # in the batch, for messages
        number: int,  # among all sentences
        gold: Any,
        system: Any,
    ) -> tuple[tuple[Record, Record], tuple[bool, bool], list[str]]:
        """Score a pair with and without traces; return which sides have any, and why the pair is left out."""
        error = None
        answers: list[Answer] = []
        if self.settings.answers and (system is None or isinstance(system, str)):
            reader = AnswerReader(self.settings.repair, self.settings.several, answers.append)
            system_tree = reader.tree(system or "")
        else:
            try:
                system_tree = as_tree(system, self.settings.reading("sys")[0])
            except TreeError as raised:
                error = TreeError(f"system sentence{index}: {raised}; on_error='skip' counts it as no parse")
                if self.settings.on_error == "stop":
                    raise error from None
                system_tree = EMPTY
        try:
            gold_tree = as_tree(gold, self.settings.reading("gold")[0])
        except TreeError as raised:
            raise TreeError(f"gold sentence{index}: {raised}") from None
        trees = gold_tree, system_tree
        reply = answers[0] if answers else None
        labels = [set(tree.labels) for tree in trees]
        how = []
        for side, own, other in zip(("gold", "sys"), labels, labels[::-1]):
            plan = self.settings.preparation(side)
            if self.settings.of_side("chains", side) == "auto":
                plan = plan._replace(chains=defaultdict(tuple, chains_of(own, other)))
            how.append(plan)

        def scored(scorer: Scorer, job: Job) -> tuple[Record, list[str]]:
            first, second = [one.of(tree) for one, tree in zip(how, trees)]
            sides = [Sentence(number, first, first)], [Sentence(number, second, second, error, reply)]
            (pair,) = pairs_of(Stretch(*sides, True, number - 1, number - 1), job, scorer.rules)
            state, reason = pair.state
            return scorer.score(pair), [reason] if state == EXCLUDED and reason in EXCLUDING else []

        kept, excluded = scored(self._scorer, self._job)
        may_have = any(TRACE in tree.tags or any(word[:1] in "*0" for word in tree.words) for tree in trees)
        if self._without_traces is None or not may_have:
            return (kept, kept), (False, False), excluded
        phrases = frozenset([name_of(label) for one in labels for label in one])
        how = [one._replace(empties=phrases) for one in how]
        marked = [one.of(tree) for one, tree in zip(how, trees)]
        has = TRACE in marked[0].tags, TRACE in marked[1].tags
        return (kept, scored(*self._without_traces)[0] if any(has) else kept), has, excluded

    @property
    def record(self) -> Record:
        """The counts of all sentences so far, by metric; traces that only one side has are left out."""
        with self._lock:
            gold, system = self._has_traces
            return self._sums[gold != system].total()

    def compute(self) -> dict[str, float]:
        """Return the figures of all sentences so far by name: rates in [0, 1], and the number of sentences.

        The names are the same in every call.  An undefined rate, such as the F1 of no bracket at all, is NaN.

        Raises:
            InputError: a convention left out too many sentences.
        """
        with self._lock:
            convention = self._scorer.rules.convention
            total = self.record
            scored = total.sentences.groups
            if problem := excluded_problem(convention, self.settings, self._excluded, scored, "<system>"):
                raise InputError(problem)
            values = {figure.name: figure.value(total) for figure in self._figures}
        figures = {name: nan if value is None else float(value) for name, value in values.items()}
        return {"sentences": float(total.sentences.groups), **figures}

    def reset(self) -> None:
        """Forget all sentences."""
        with self._lock:
            self._sums = RunningSum(self._scorer.zero), RunningSum(self._scorer.zero)
            self._has_traces = False, False
            self._excluded: Counter[str] = Counter()
            self._count = 0

    def __add__(self, other: Evaluator) -> Evaluator:
        """Return an evaluator of the sentences of both; raise a SettingsError if their settings differ."""
        if not isinstance(other, Evaluator):
            return NotImplemented
        states = [self.__getstate__(), other.__getstate__()]
        settings = [state["settings"] for state in states]
        # An evaluator that has not chosen its convention has no sentences.
        chosen = {one.convention for one in settings} & {ALIGNED, DISCONTINUOUS} or {None}
        first, *others = {
            one.replace(convention=name) if one.convention is None else one
            for one in settings
            for name in chosen
        }
        if others:
            raise SettingsError("got evaluators of different settings; only equal settings can be added")
        total = Evaluator(first)
        for state in states:
            if state["_count"]:
                total._add(state)
        return total

    def _add(self, state: Mapping[str, Any]) -> None:
        for own, record in zip(self._sums, state["records"]):
            own.add(record)
        gold, system = map(or_, self._has_traces, state["traces"])
        self._has_traces = gold, system
        self._excluded.update(state["_excluded"])
        self._count += state["_count"]

    def __radd__(self, other: object) -> Evaluator:
        # The 0 that ``sum`` begins with.
        return Evaluator(self.settings) + self if other == 0 else NotImplemented

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {
                "settings": self.settings,
                "records": [one.total() for one in self._sums],
                "traces": self._has_traces,
                "_count": self._count,
                "_excluded": self._excluded,
            }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._lock = RLock()
        self._start(state["settings"])
        self._add(state)

    def __len__(self) -> int:
        """The number of sentences so far."""
        return self._count

    def __bool__(self) -> bool:
        """Return True, also without sentences: ``if evaluator:`` asks whether there is an evaluator."""
        return True

    @property
    def n_sentences(self) -> int:
        """The number of sentences so far."""
        return self._count

    @property
    def excluded(self) -> int:
        """Number of sentences that a convention left out: other words than gold, or no parse."""
        return self._excluded.total()

    @property
    def f1(self) -> float | None:
        """F1 over all brackets so far; ``None`` if undefined.  Raises as :meth:`compute`."""
        value = self.compute()["f1"]
        return None if isnan(value) else value

    @property
    def signature(self) -> str:
        """Signature: the settings that change how trees are scored, as reports print them."""
        return signed(signature_of(self._job.settings, "order"), self._scorer.metrics)

    def __repr__(self) -> str:
        f1 = None
        with suppress(InputError):  # too many sentences are left out
            f1 = self.f1
        return brief(self, n_sentences=self.n_sentences, f1=f1)


def _scorer_of(settings: Settings) -> tuple[Scorer, Job]:
    scorer = Scorer(settings)
    exceptions = exceptions_of(settings.lang, settings.exceptions)
    words = with_equal_words(exceptions, scorer.rules.equal_words)
    return scorer, Job(settings, words, (0,), no_rows, ("<gold>", "<system>"))


def _is_sentence(item: Any) -> bool:
    """Return True for a sentence, False for a batch; a tree of nltk is an iterable too."""
    return isinstance(item, (Tree, str, bytes)) or is_node(item) or not isinstance(item, Iterable)
