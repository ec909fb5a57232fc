"""Evaluations of one system: two sources in, scores out, as data and as a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..report import WORST, render
from ..score import discontinuous, summary
from ..trees.formats import Source
from ..trees.settings import DISCONTINUOUS, Settings
from .workers import workers

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from typing_extensions import Self

    from ..score.workers import Team


class _Reported:
    """What an evaluation has of its reports, which stand above it."""

    __slots__ = ()

    @classmethod
    def of(cls, found: Any) -> Self:
        """The evaluation that a run gives, with its reports."""
        return cls(*[getattr(found, name) for name in found.__match_args__])

    def _repr_html_(self) -> str:
        """What a notebook shows of it: the figures."""
        from ..report.markup import html_of
        from ..report.sheet import sheet

        return html_of(sheet(self, quiet=True))

    def report(
        self,
        format: str = "text",
        *,
        quiet: bool = False,
        gold_name: str | None = None,
        system_name: str | None = None,
        worst: int | None = WORST,
        details: bool = False,
    ) -> str:
        """The evaluation as text of some format.

        Args:
            format: One of ``jpevalb.report.FORMATS``.
            quiet: Whether to leave out the sentences.
            gold_name: What an HTML page calls the gold side, say the file's name.
            system_name: What an HTML page calls the system's side.
            worst: How many sentences an HTML page lists, those with most errors; ``None`` for all.
            details: Whether the sentences of JSON have their words, units and constituents.

        Raises:
            SettingsError: an unknown format.
        """
        return render(
            self,
            format,
            quiet=quiet,
            gold_name=gold_name,
            system_name=system_name,
            worst=worst,
            details=details,
        )


class Evaluation(_Reported, summary.Evaluation):
    __doc__ = summary.Evaluation.__doc__
    __slots__ = ()


class DiscontinuousEvaluation(_Reported, discontinuous.DiscontinuousEvaluation):
    __doc__ = discontinuous.DiscontinuousEvaluation.__doc__
    __slots__ = ()


def evaluate(
    gold: Source,
    system: Source,
    *,
    more_gold: Sequence[Source] = (),
    settings: Settings | None = None,
    jobs: int = 1,
    executor: Executor | Team | None = None,
    **options: Any,
) -> Evaluation:
    """Scores a system's trees against gold trees; sentences and words are aligned first.

    Args:
        gold: A path, an open file, or an iterable of sentences: bracket texts,
            Trees or nltk trees.
        system: A path, an open file, or an iterable of the system's sentences.
        more_gold: More references, each with a tree for each sentence of ``gold``, at the same place:
            every sentence counts against the one with the best F1 over its brackets, of equals the first
            (``docs/metrics.md``).
        settings: How to align and score; ``Settings()`` if not given.
        jobs: Processes that score; they end with the call.  The result is that of one process.
        executor: Where the work is done in place of ``jobs``: any
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
    from ..score.references import run_of

    with workers(jobs, executor) as team:
        run = run_of(gold, system, Settings.of(settings, options), team, more_gold)
        return Evaluation.of(run.evaluation(list(run)))


def evaluate_discontinuous(
    gold: Source,
    system: Source,
    *,
    more_gold: Sequence[Source] = (),
    settings: Settings | None = None,
    jobs: int = 1,
    executor: Executor | Team | None = None,
    **options: Any,
) -> DiscontinuousEvaluation | Any:
    """Scores a system's trees, discontinuous or not, against gold trees over the same words.

    Sentences pair up by id where both files have ids, else by order.  A gold sentence that
    the system has no tree of counts as missed; a sentence of the system that gold does
    not have counts nowhere.  The result names the first of both.  With ``pair="align"`` the words
    may differ: sentences and words are aligned first.

    Args:
        gold: A path, an open file, or an iterable of sentences, in any format.
        system: A source of system sentences; its format may be another.
        more_gold: More references, as of :func:`evaluate`.
        settings: What counts and how; ``Settings.preset("discontinuous")`` if not given.
        jobs: Processes that score; they end with the call.  The result is that of one process.
        executor: Where the work is done in place of ``jobs``: any
            ``concurrent.futures.Executor``.  The result is the same.
        **options: Single fields of :class:`jpevalb.Settings`, on top of ``settings``.

    Returns:
        The evaluation with its sentences; with ``pair="align"`` it is an :class:`jpevalb.Evaluation`.

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
    from ..score.references import run_of

    with workers(jobs, executor) as team:
        run = run_of(gold, system, Settings.of(settings, options, DISCONTINUOUS), team, more_gold)
        found = run.evaluation(list(run))
        same_words = isinstance(found, discontinuous.DiscontinuousEvaluation)
        return DiscontinuousEvaluation.of(found) if same_words else Evaluation.of(found)
