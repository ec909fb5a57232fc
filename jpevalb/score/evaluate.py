"""The library call that scores one system."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any

from ..base.files import reject_shared
from ..formats.read import Source
from ..settings.settings import Settings
from .evaluation import Evaluation
from .run import Outcome, Run
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
