"""Several systems side by side: their rates, confidence intervals, and which differences are significant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..metrics.brackets import F1_UNIT
from ..metrics.measures import F1, SENTENCE_F1
from ..score.inputs import Input, Replayable, decide, names_of
from ..score.pools import workers
from ..score.references import Named, agreement_of, references_of
from ..trees.counts import ratio
from ..trees.errors import SettingsError
from ..trees.files import reject_shared
from ..trees.formats import Source
from ..trees.frozen import replace
from ..trees.params import Params
from ..trees.settings import Settings
from ..trees.values import OptionError
from . import significance
from .resampling import common_units
from .result import Comparison, Details, SystemScores, checked, group_of
from .significance import BOOTSTRAP_SAMPLES, PERMUTATION_SAMPLES, SEED, SignTest
from .sources import (
    AnySettings,
    Scored,
    baseline_first,
    column_of,
    f1_of_units,
    fill_sentence_f1,
    score,
    with_labels,
    without_silent,
)

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from typing_extensions import Unpack

    from ..score.workers import WorkerPool
    from ..trees.settings import Options

    class CompareOptions(Options, total=False):
        """Fields of :class:`jpevalb.Settings`; in legacy mode those of :class:`jpevalb.Params`."""

        dialect: str
        delete_labels: Sequence[str]
        delete_labels_for_length: Sequence[str]
        quote_labels: Sequence[str]
        eq_labels: Sequence[tuple[str, str]]
        eq_words: Sequence[tuple[str, str]]
        labeled: bool
        max_error: int
        debug: int
        delete_words: Sequence[str]
        delete_root_preterms: bool
        disc_only: bool


TESTS = ("bootstrap", "permutation", "sign")

CORRECTIONS = ("none", "holm")
"""What may be done about the number of tests of a figure, one for each system but the baseline."""


class Testing(NamedTuple):
    """How systems are tested: arguments of :func:`jpevalb.compare`, which says what they mean."""

    test: str | None
    seed: int
    samples: int | None
    confidence: float | None
    ties: str
    correction: str

    @property
    def test_samples(self) -> int:
        """Resamples or shuffles of the test; 0 for none."""
        if self.test not in ("bootstrap", "permutation"):
            return 0
        return self.samples or (PERMUTATION_SAMPLES if self.test == "permutation" else BOOTSTRAP_SAMPLES)

    @property
    def interval_samples(self) -> int:
        """Resamples of the intervals; 0 for none."""
        return 0 if self.confidence is None else self.samples or BOOTSTRAP_SAMPLES


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
    executor: Executor | WorkerPool | None = None,
    keep: bool = False,
    **options: Unpack[CompareOptions],
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
    named = names_of(systems)
    groups = groups or {}
    how = Testing(test, seed, samples, confidence, ties, correction)
    settings, dialect = _settings(settings, {**options})
    _check(gold, more_gold, named, how.test, settings)
    members = checked(groups, len(named))
    if how.correction not in CORRECTIONS:
        raise SettingsError(f"found correction={how.correction!r}; expected one of {', '.join(CORRECTIONS)}")
    if baseline is not None:
        named, members = baseline_first(baseline, named, members)
    if how.ties not in significance.TIES:
        raise SettingsError(f"found ties={how.ties!r}; expected one of {', '.join(significance.TIES)}")
    if how.ties != "drop" and how.test != "sign":
        raise SettingsError(
            f"found ties={how.ties!r}, which only the sign test can use; leave it out, or test='sign'"
        )
    if how.correction != "none" and how.test is None:
        raise SettingsError(
            f"found correction={how.correction!r}, but no test whose p-values it corrects; leave it out"
        )
    if isinstance(settings, Settings) and settings.cutoff is not None:
        raise OptionError.of(
            "cutoff", settings.cutoff, ", but systems are compared over all sentences; leave it out"
        )
    significance.check_samples(BOOTSTRAP_SAMPLES if how.samples is None else how.samples, how.seed)
    if how.confidence is not None:
        significance.check_confidence(how.confidence)

    with workers(jobs, executor) as pool:
        references: Named = ()
        agreement = None
        inputs: list[Any] = [system for _, system in named]
        source: Replayable | None = None
        if more_gold or not isinstance(more_gold, (list, tuple)):
            if keep:
                raise SettingsError(
                    "found keep=True with several references; sentences are kept for one only; leave it out"
                )
            references = references_of(gold, more_gold, settings)
        elif len(named) > 1:
            source = Replayable(gold, settings.reading("gold")[1] if isinstance(settings, Settings) else None)
        if isinstance(settings, Settings):
            inputs = [Input(system, "sys", settings) for _, system in named]
            golds = [Input(one.open(), "gold", settings) for _, one in references]
            if not references:
                first = Input(source.open() if source else gold, "gold", settings)
                gold, golds = first.source, [first]
            settings = decide(settings, [*golds, *inputs])
            if references:
                inputs = [one.source for one in inputs]
                agreement = agreement_of(references, settings, pool)
        scored = without_silent(
            [
                score(
                    source.open() if source else gold,
                    system,
                    settings,
                    name=name,
                    dialect=dialect,
                    executor=pool,
                    keep=keep,
                    references=references,
                )
                for (name, _), system in zip(named, inputs)
            ]
        )
    fill_sentence_f1(scored)
    unlabeled = isinstance(settings, Settings) and settings.unlabeled
    scored = with_labels(scored, unlabeled=unlabeled)
    units = common_units([one.gold for one in scored])
    rows = [
        _system(name, one, scored[0] if place else None, how)
        for place, ((name, _), one) in enumerate(zip(named, scored))
    ]
    if how.correction == "holm":
        rows = corrected(rows)
    measures = tuple(scored[0].figures)
    return Comparison(
        measures,
        tuple(rows),
        how.test,
        how.test_samples,
        how.confidence,
        how.interval_samples,
        how.seed,
        units.gold,
        _signature(scored, how),
        "legacy" if isinstance(settings, Params) else settings.mode,
        Details(settings, units, tuple(scored)) if keep else None,
        tuple(
            group_of(name, [(rows[place - 1].name, rows[place - 1].rates) for place in places], measures)
            for name, places in members.items()
        ),
        unlabeled,
        how.correction if how.test is not None else "none",
        {name: one.references for (name, _), one in zip(named, scored)} if references else {},
        agreement,
    )


def _system(name: str, scored: Scored, baseline: Scored | None, how: Testing) -> SystemScores:
    """A system's row; but for sentences without brackets it depends on the baseline only."""
    intervals: list[tuple[float, float] | None] = []
    p_values: list[float | None] = []
    outcomes: list[SignTest] = []
    differences: list[tuple[float, float] | None] = []
    units = common_units([scored.gold])
    of_intervals: Any = {"confidence": how.confidence, "samples": how.interval_samples, "seed": how.seed}
    if how.confidence is not None:
        intervals = significance.intervals(_table(scored, units.of[0], len(units)), **of_intervals)
    if baseline is not None and (how.test is not None or how.confidence is not None):
        shared = common_units([baseline.gold, scored.gold])
        first = _table(baseline, shared.of[0], len(shared))
        second = _table(scored, shared.of[1], len(shared))
        if how.test is not None:
            units = shared
        if how.test_samples or how.confidence is not None:
            run = significance.permutation if how.test == "permutation" else significance.bootstrap
            samples = how.test_samples or how.interval_samples
            tests = run(first, second, confidence=how.confidence, samples=samples, seed=how.seed)
            if how.test_samples:
                p_values = [found.p for found in tests]
            if how.confidence is not None:
                differences = [found.interval for found in tests]
        if how.test == "sign":
            # Sentences without brackets that count in the sentence-mean F1 count in F1, too.
            for table, one, of in zip((first, second), (baseline, scored), shared.of):
                if len(shared) and (at := column_of(one, F1.name)) is not None:
                    table[:, at : at + 2] = f1_of_units(one, of, len(shared))
            outcomes = significance.sign(first, second, ties=how.ties)
            p_values = [found.p for found in outcomes]
    keys = [figure.name for figure in scored.figures]
    rates = {figure.name: figure.value(scored.total) for figure in scored.figures}
    sentences = None
    column = column_of(scored, SENTENCE_F1.name)
    if column is not None:
        # Other systems decide which sentences without brackets count.
        sentences = sum([row[column + 1] for row in scored.rows]) // F1_UNIT
        rates[SENTENCE_F1.name] = ratio(sum([row[column] for row in scored.rows]) / F1_UNIT, sentences)
    return SystemScores(
        name,
        scored.total,
        rates,
        dict(zip(keys, intervals)),
        dict(zip(keys, p_values)),
        dict(zip(keys, outcomes)),
        len(units),
        scored.notes,
        scored.warnings,
        dict(zip(keys, differences)),
        sentences,
    )


# -- corrections -----------------------------------------------------------------


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """The p-values of several tests, adjusted so that none of them is significant by their number alone.

    Args:
        p_values: Of the tests; ``None`` for one that is undefined, which counts for none.

    Returns:
        For each test the smallest level at which the step-down procedure rejects it, at most 1.

    Cost: O(tests * log(tests)).

    Source: Holm 1979, A simple sequentially rejective multiple test procedure.

    >>> holm([0.01, 0.04, None, 0.03])
    [0.03, 0.06, None, 0.06]
    """
    found: list[float | None] = [None] * len(p_values)
    tests = sorted([(p, place) for place, p in enumerate(p_values) if p is not None])
    least = 0.0
    for rank, (p, place) in enumerate(tests):
        least = max(least, min(1.0, (len(tests) - rank) * p))
        found[place] = least
    return found


def corrected(rows: Sequence[SystemScores]) -> list[SystemScores]:
    """The systems with p-values corrected for their number, figure by figure."""
    tested = [row for row in rows if row.p_values]
    keys = list(tested[0].p_values) if tested else []
    columns = {key: holm([row.p_values[key] for row in tested]) for key in keys}
    places = {row.name: place for place, row in enumerate(tested)}
    return [
        replace(row, p_values={key: columns[key][places[row.name]] for key in keys}) if row.p_values else row
        for row in rows
    ]


# -- tables -----------------------------------------------------------------------


def _table(scored: Scored, unit_of: Sequence[int], units: int) -> Any:
    """The measures' numerators and denominators in turn, summed by unit."""
    table = np.zeros((units, 2 * len(scored.figures)), dtype=np.int64)
    if scored.rows:
        np.add.at(table, np.array(unit_of), np.array(scored.rows, dtype=np.int64))
    return table


# -- settings ---------------------------------------------------------------------


def _settings(settings: AnySettings | None, options: dict[str, Any]) -> tuple[AnySettings, str]:
    given: AnySettings = Settings() if settings is None else settings
    if not isinstance(given, (Settings, Params)):
        raise SettingsError(f"found settings={given!r}; expected Settings(...) or Params")
    dialect = options.pop("dialect", "evalb") if isinstance(given, Params) else "evalb"
    return (given.replace(**options) if options else given), dialect


def _check(
    gold: Source,
    more_gold: Sequence[Source],
    named: Sequence[tuple[str, Source]],
    test: str | None,
    settings: AnySettings,
) -> None:
    if not named:
        raise SettingsError("found no system; expected one or more")
    if test is not None and test not in TESTS:
        raise SettingsError(f"found the test {test!r}; expected one of {', '.join(TESTS)}")
    if test is not None and len(named) == 1:
        raise SettingsError(f"the {test} test compares systems, and there is one only; give another")
    more = more_gold if isinstance(more_gold, (list, tuple)) else ()
    reject_shared([gold, *more, *dict(named).values()], "several")
    if len(named) > 1 and getattr(settings, "sys_times", None):
        raise SettingsError(
            "the times of one system's words do not fit the other systems; compare without sys_times"
        )


def _signature(scored: Sequence[Scored], how: Testing) -> str:
    # What the systems' signatures differ in (how sentences were paired) is joined.
    words: dict[str, dict[str, None]] = {}
    for one in scored:
        for word in one.signature.split(" "):
            words.setdefault(word.partition(":")[0], {})[word] = None
    parts = ["|".join(word) for word in words.values()]
    if how.test is not None:
        parts.append(f"test:{how.test}")
    if how.test == "sign" and how.ties != "drop":
        parts.append(f"ties:{how.ties}")
    if how.test_samples:
        parts.append(f"samples:{how.test_samples}")
    if how.test is not None and how.correction != "none":
        parts.append(f"correction:{how.correction}")
    if how.confidence is not None:
        parts += [f"confidence:{how.confidence:g}", f"interval-samples:{how.interval_samples}"]
    if how.test_samples or how.interval_samples:
        parts.append(f"seed:{how.seed}")
    return " ".join(parts)
