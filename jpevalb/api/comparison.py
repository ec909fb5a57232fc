"""Comparisons of several systems: sources in, tables of scores and tests out, as data and as a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..comparison import Testing, compare_systems, result
from ..comparison.significance import SEED
from ..comparison.sources import AnySettings
from ..report import WORST, Shown, render_comparison
from ..trees.formats import Source
from .workers import workers

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ..score.workers import Team


class Comparison(result.Comparison):
    __doc__ = result.Comparison.__doc__
    __slots__ = ()

    @classmethod
    def of(cls, found: result.Comparison) -> Comparison:
        """The comparison with its reports."""
        return cls(*[getattr(found, name) for name in found.__match_args__])

    def _repr_html_(self) -> str:
        """What a notebook shows of it: the table."""
        from ..report.comparison import sheet
        from ..report.markup import html_of

        return html_of(sheet(self))

    def report(
        self,
        format: str = "text",
        *,
        width: int | None = None,
        gold_name: str | None = None,
        worst: int | None = WORST,
        columns: Sequence[str] = (),
        sort: str | None = None,
        verbose: bool = False,
    ) -> str:
        """The comparison as text of some format.

        Args:
            format: One of ``jpevalb.report.FORMATS``.
            width: Columns that the tables of the text may take; wider ones go on below.
            gold_name: What an HTML page calls the gold side, say the file's name.
            worst: How many sentences an HTML page lists, those where the systems' errors differ
                most; ``None`` for all.
            columns: The measures of the main tables by name (``f1``) or title (``F``); all if none is
                given, but for what the width of a text does not hold.
            sort: The measure by which the systems are sorted, the best first; as given if ``None``.
            verbose: Whether p-values and intervals have tables of their own, all of them, in place
                of a table of scores with half the interval and marks.

        Raises:
            SettingsError: an unknown format or measure.
        """
        how = Shown(tuple(columns), sort, verbose)
        return render_comparison(self, format, width=width, gold_name=gold_name, worst=worst, shown=how)


def compare(
    gold: Source,
    systems: Sequence[Source] | Mapping[str, Source],
    *,
    more_gold: Sequence[Source] = (),
    test: str | None = "bootstrap",
    seed: int = SEED,
    samples: int | None = None,
    confidence: float | None = 0.95,
    ties: str = "drop",
    groups: Mapping[str, Sequence[int]] | None = None,
    baseline: str | None = None,
    correction: str = "none",
    settings: AnySettings | None = None,
    jobs: int = 1,
    executor: Executor | Team | None = None,
    keep: bool = False,
    **options: Any,
) -> Comparison:
    """Scores several systems against one gold file and tests their differences from the first.

    Each figure (precision, recall, F, ...) is tested directly, over the gold
    sentences.  The p-values are not corrected for the number of figures, and for that of systems
    only if asked: with many some will be small by chance.

    Args:
        gold: A path, an open file, or an iterable of sentences.
        systems: The systems' sources, the baseline first, or a mapping of names
            to sources.
        more_gold: More references, as of :func:`jpevalb.evaluate`: each sentence of each system counts
            against the one that is nearest to it.
        test: ``"bootstrap"``, ``"permutation"`` or ``"sign"`` as
            ``jpevalb.comparison.significance`` defines them; ``None`` for no test.
        seed: Of the random numbers, at least 0; the same figures come out
            whatever the platform and whichever other systems are compared.
        samples: Number of resamples and shuffles; if not given 1,000 for a
            bootstrap (of the intervals too) and 10,000 for a permutation test.
        confidence: Of the bootstrap intervals of each system, in (0, 1);
            ``None`` for no intervals.
        ties: What the sign test does with sentences of equal figures: ``"drop"`` leaves
            them out, ``"split"`` counts half of them for either system.
        groups: Systems that are one system trained several times: for each name their places,
            from 1.  The result has mean, standard deviation and best of each.
        baseline: The name of the system that the others are compared with, which then comes first;
            the first one if not given.
        correction: ``"holm"`` corrects the p-values of each figure for the number of systems; ``"none"``.
        settings: ``Settings`` of the alignment mode (the default),
            or of the discontinuous one, ``Params`` for legacy mode.
        jobs: Processes that score; they end with the call.  The result is that of one process.
        executor: Where the scoring is done in place of ``jobs``: any
            ``concurrent.futures.Executor``.  The result is the same.
        keep: Whether to keep the sentences, which an HTML page shows one by one.
        **options: Single fields of the settings, on top of them; in legacy mode
            also ``dialect``.

    Raises:
        SettingsError: an unknown test, a test of one system, a number out of
            range, or an option that means nothing.
        JpevalbError: a file or a sentence that cannot be read; in legacy mode a
            system with another number of lines than gold.

    Cost: that of the evaluations, and O(samples * units) for each system.

    >>> gold = ["(S (NP (D the) (N cat)) (VP (V slept)))"] * 20
    >>> good = gold[:18] + ["(S (NP (D the)) (VP (N cat) (V slept)))"] * 2
    >>> poor = gold[:9] + ["(S (NP (D the)) (VP (N cat) (V slept)))"] * 11
    >>> result = compare(gold, {"poor": poor, "good": good}, test="permutation", metrics="brackets")
    >>> [round(system["f1"], 3) for system in result.systems]
    [0.633, 0.933]
    >>> 0.001 < result.p_values["good"]["f1"] < 0.01  # 2 of the 512 ways to swap nine sentences
    True
    """
    with workers(jobs, executor) as team:
        found = compare_systems(
            gold,
            systems,
            Testing(test, seed, samples, confidence, ties, correction),
            more_gold=more_gold,
            groups=groups or {},
            baseline=baseline,
            settings=settings,
            executor=team,
            keep=keep,
            options=options,
        )
    return Comparison.of(found)
