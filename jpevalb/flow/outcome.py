"""Outcomes: what a run has found so far, as an evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..metrics import Metric
from ..model.settings import Settings
from .score import RowMaker, Scorer, in_rows
from .sentence import SentenceResult
from .summary import Evaluation, Rows
from .tally import Tally


class Outcome:
    """What a run has found so far.

    Attributes:
        settings: Of the run.
        paired_by: How the sentences are paired.
        scorer: What scores the pairs.
        metrics: The metrics that are counted.
        tally: What the results add up to.
    """

    settings: Settings
    paired_by: str
    scorer: Scorer
    metrics: tuple[Metric, ...]
    tally: Tally

    def warnings(self) -> Iterator[str]:
        """What is likely to be wrong with the files or the settings, a line each."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[SentenceResult]:
        """Yields the results in order."""
        raise NotImplementedError

    def rows(self, make: RowMaker) -> Iterator[Rows]:
        """The rows of a report in order."""
        return in_rows(iter(self), make, self.scorer)

    def evaluation(self, results: Sequence[SentenceResult] = ()) -> Any:
        """The sums over what has been iterated over, and the results if the evaluation is to keep them.

        Returns:
            An ``Evaluation``, or the ``DiscontinuousEvaluation`` of sentences over the same words.
        """
        tally = self.tally
        tally.fold()
        if self.scorer.same_words:
            from .discontinuous import DiscontinuousEvaluation

            return DiscontinuousEvaluation.of_run(self, results)
        return Evaluation(
            self.settings,
            tally.total,
            tally.short,
            tally.cutoff,
            results,
            tuple(tally.unaligned),
            tuple(tally.no_parse),
            tuple(tally.unlike),
            tuple(tally.unparsed),
            tuple(self.warnings()),
            self.metrics,
        )
