"""Comparison of systems: their scores, confidence intervals and significance tests."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from ..base.counts import ratio
from ..base.errors import SettingsError
from ..base.files import reject_shared
from ..base.values import OptionError
from ..formats.read import Source, source_name
from ..metrics import significance
from ..metrics.brackets import F1_UNIT
from ..metrics.figures import F1, SENTENCE_F1
from ..metrics.significance import BOOTSTRAP_SAMPLES, PERMUTATION_SAMPLES, SEED, TIES, check
from ..metrics.unit_table import Interval, UnitTable
from ..score.inputs import Input, Replayable, decide, names_of
from ..score.pools import workers
from ..score.workers import WorkerPool
from ..settings.keywords import Options, Unpack
from ..settings.params import Params
from ..settings.settings import Settings
from .result import (
    Comparison,
    ComparisonDetails,
    SystemPair,
    SystemScores,
    check_groups,
    difference_of,
    make_group,
)
from .sources import (
    AnySettings,
    SystemRows,
    baseline_first,
    f1_of_units,
    score_legacy,
    score_systems,
    with_same_figures,
    with_sentence_f1,
)
from .units import common_units

if TYPE_CHECKING:
    from ..score.references import NamedReferences


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
CORRECTIONS = ("none", "holm")  # of p-values for the number of systems


class Testing(NamedTuple):
    """Options of the tests; see :func:`jpevalb.compare`."""

    test: str | None
    seed: int
    samples: int | None
    confidence: float | None
    ties: str
    correction: str

    @property
    def test_samples(self) -> int:
        """Number of resamples or shuffles of the test."""
        if self.test not in ("bootstrap", "permutation"):
            return 0
        return self.samples or (PERMUTATION_SAMPLES if self.test == "permutation" else BOOTSTRAP_SAMPLES)

    @property
    def interval_samples(self) -> int:
        """Number of resamples of the intervals."""
        return 0 if self.confidence is None else self.samples or BOOTSTRAP_SAMPLES

    @property
    def drawn_samples(self) -> int:
        """Number of resamples with replacement."""
        return self.interval_samples or (self.test_samples if self.test == "bootstrap" else 0)

    def check(self, systems: int) -> None:
        """Raise a SettingsError if a value is wrong, or unused for the number of systems."""
        test, ties, correction = self.test, f"ties={self.ties!r}", f"correction={self.correction!r}"
        for wrong, problem in (
            (not systems, "no system; expected one or more"),
            (test not in (None, *TESTS), f"unknown test {test!r}; expected one of {', '.join(TESTS)}"),
            (
                test is not None and systems == 1,
                f"one system with the {test} test; expected two or more, or leave out the test",
            ),
            (self.correction not in CORRECTIONS, f"{correction}; expected one of {', '.join(CORRECTIONS)}"),
            (self.ties not in TIES, f"{ties}; expected one of {', '.join(TIES)}"),
            (
                self.ties != "drop" and test != "sign",
                f"{ties}, which only the sign test uses; leave out ties, or use test='sign'",
            ),
            (
                self.correction != "none" and test is None,
                f"{correction} without a test; leave out correction, or use a test",
            ),
        ):
            if wrong:
                raise SettingsError(problem)
        check(self.confidence, BOOTSTRAP_SAMPLES if self.samples is None else self.samples, self.seed)


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
    follow: Callable[[Iterator[Any]], Iterable[Any]] = iter,
    **options: Unpack[CompareOptions],
) -> Comparison:
    """Score several systems against one gold file and test their differences.

    Each figure (precision, recall, F, ...) is tested directly, over the gold sentences.  P-values are not
    corrected for the number of figures, and for the number of systems only with ``correction="holm"``:
    some of many p-values are small by chance.  From three systems on, all pairs are tested, too; their
    p-values are also given with Holm's correction for the number of pairs.

    Systems may differ in format, such as a parser's trees beside a language model's answers.  A figure that
    one of them lacks is ``None`` for it.

    Args:
        gold: A path, an open file, or an iterable of sentences.
        systems: The systems' sources, the baseline first, or a mapping of names to sources.
        more_gold: Further references: each sentence of each system is scored against the nearest
            reference, as by :func:`jpevalb.evaluate`.
        test: ``"bootstrap"``, ``"permutation"`` or ``"sign"``, as defined in
            ``jpevalb.metrics.significance``; ``None`` for no test.
        seed: Seed of the random numbers, at least 0.  The figures do not depend on the platform, nor
            on the other systems.
        samples: Number of resamples and shuffles.  Default: 1,000 for a bootstrap and the intervals,
            10,000 for a permutation test.
        confidence: Level of the bootstrap intervals of each system, in (0, 1); ``None`` for no intervals.
        ties: Sentences with equal figures in the sign test: ``"drop"`` ignores them, ``"split"`` counts
            half of them for each system.
        groups: Several runs of one system: maps a name to the numbers of its runs, from 1.
            The result has mean, standard deviation and best of each group.
        baseline: Name of the system that the others are compared with, and that comes first.  Default:
            the first system.
        correction: ``"holm"`` corrects the p-values of each figure for the number of systems; ``"none"``.
        settings: ``Settings`` for alignment and discontinuous mode, ``Params`` for legacy mode.
        jobs: Number of processes to start for the call.  The result does not depend on it.
        executor: Any ``concurrent.futures.Executor`` to score on, in place of ``jobs``.
        keep: Keep the sentences, for the list of an HTML page.
        follow: Passes on an iterator, such as ``tqdm``, to show the progress: it has an item for each
            sentence of each system, when that is scored.
        **options: Single fields of the settings, which override them; in legacy mode also ``dialect``.

    Returns:
        The scores of each system and their differences from the baseline.

    Raises:
        SettingsError: an unknown test, a test of one system, a number out of range, or an unused option.
        JpevalbError: a file or a sentence that cannot be read; in legacy mode a system whose number of
            lines differs from that of gold.

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
    how = Testing(test, seed, samples, confidence, ties, correction)
    settings = Settings() if settings is None else settings
    if not isinstance(settings, (Settings, Params)):
        raise SettingsError(f"settings={settings!r}; expected Settings(...) or Params")
    given: dict[str, Any] = {**options}
    dialect = given.pop("dialect", "evalb") if isinstance(settings, Params) else "evalb"
    settings = settings.replace(**given) if given else settings
    how.check(len(named))
    more = more_gold if isinstance(more_gold, (list, tuple)) else ()
    reject_shared([gold, *more, *dict(named).values()], "several")
    if len(named) > 1 and getattr(settings, "sys_times", None):
        raise SettingsError(
            "sys_times with several systems; word times belong to one system, leave out sys_times"
        )
    if isinstance(settings, Settings) and settings.cutoff is not None:
        raise OptionError.of(
            "cutoff", settings.cutoff, ", but systems are compared over all sentences; leave it out"
        )
    members = check_groups(groups or {}, len(named))
    if baseline is not None:
        named, members = baseline_first(baseline, named, members)

    with workers(jobs, executor) as pool:
        references: NamedReferences = ()
        agreement = source = None
        if more_gold or not isinstance(more_gold, (list, tuple)):
            from ..score.references import agreement_of, references_of

            if keep:
                raise SettingsError(
                    "keep=True with several references; expected one reference, or leave out keep"
                )
            references = references_of(gold, more_gold, settings)
        elif len(named) > 1:
            # A pipe is read once, for all systems.
            source = Replayable(gold, settings.reading("gold")[1] if isinstance(settings, Settings) else None)
        if isinstance(settings, Settings):
            inputs = [Input(system, "sys", settings) for _, system in named]
            golds = [Input(one.open(), "gold", settings) for _, one in references]
            if not references:
                golds = [Input(source.open() if source else gold, "gold", settings)]
            settings = decide(settings, [*golds, *inputs])
            if references:
                agreement = agreement_of(references, settings, pool)
            scored = score_systems(
                golds[0], inputs, settings, executor=pool, keep=keep, references=references, follow=follow
            )
        else:
            scored = []
            for name, one in named:
                lines = source.open() if source else gold
                scored.append(score_legacy(lines, one, settings, dialect, source_name(one) or name))
    unlabeled = isinstance(settings, Settings) and settings.unlabeled
    scored = with_sentence_f1(with_same_figures(scored, unlabeled=unlabeled))
    units = common_units([system.gold for system in scored])
    own = [common_units([system.gold]) for system in scored]
    tables = [system.table(alone.of[0], len(alone)) for system, alone in zip(scored, own)]
    if len({table.units for table in tables}) == 1:
        _sample(tables, how)
    measures = tuple(scored[0].columns)
    counted = list(zip(scored, tables))
    against_baseline = [_Tests(0), *[_tests_of(counted[0], other, how) for other in counted[1:]]]
    rows = [
        _scores_of(name, one, table, tests, how)
        for (name, _), (one, table), tests in zip(named, counted, against_baseline)
    ]
    pairs = _pairs_of(rows, counted, against_baseline, how, keep=keep)
    if how.correction == "holm":
        for key in rows[-1].p_values:
            # The baseline has none.
            corrected = holm([row.p_values[key] for row in rows[1:]])
            rows[1:] = [
                replace(row, p_values={**row.p_values, key: p}) for row, p in zip(rows[1:], corrected)
            ]
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
        ComparisonDetails(settings, units, tuple(scored)) if keep else None,
        tuple(
            make_group(name, [(rows[k - 1].name, rows[k - 1].rates) for k in numbers], measures)
            for name, numbers in members.items()
        ),
        unlabeled,
        how.correction,
        {name: one.references for (name, _), one in zip(named, scored)} if references else {},
        agreement,
        pairs,
        isinstance(settings, Settings) and settings.is_mean,
    )


def _sample(tables: Sequence[UnitTable], how: Testing) -> None:
    """Draw the resamples and shuffles of all tables at once, which have the same units."""
    if how.drawn_samples:
        from ..metrics.resampling import resample

        resample(tables, how.drawn_samples, how.seed)
    if how.test == "permutation":
        from ..metrics.resampling import shuffle

        shuffle(tables, how.test_samples, how.seed)


class _Tests(NamedTuple):
    """Tests of two systems, for each of some figures."""

    units: int  # that are the same for both systems; 0 without a test
    differences: Sequence[Interval] = ()  # intervals of the second's figures minus the first's
    p_values: Sequence[float | None] = ()
    outcomes: Sequence[significance.SignTest] = ()


def _tests_of(
    first: tuple[SystemRows, UnitTable],
    second: tuple[SystemRows, UnitTable],
    how: Testing,
    count: int | None = None,
) -> _Tests:
    """Test the first ``count`` figures of two systems; each system has the table of its own units.

    The result depends on other systems only in sentences without brackets.
    """
    if how.test is None and how.confidence is None:
        return _Tests(0)
    systems = first[0], second[0]
    shared = common_units([one.gold for one in systems])
    tables = [
        (own if own.units == len(shared) else one.table(of, len(shared))).first(count)
        for (one, own), of in zip((first, second), shared.of)
    ]
    found = _Tests(len(shared) if how.test is not None else 0)
    if how.test_samples or how.confidence is not None:
        run = significance.permutation if how.test == "permutation" else significance.bootstrap
        samples = how.test_samples or how.interval_samples
        tests = run(*tables, confidence=how.confidence, samples=samples, seed=how.seed)
        if how.test_samples:
            found = found._replace(p_values=[item.p for item in tests])
        if how.confidence is not None:
            found = found._replace(differences=[item.interval for item in tests])
    if how.test == "sign":
        filled = [_filled(own, one, of) for own, one, of in zip(tables, systems, shared.of)]
        outcomes = significance.sign(*filled, ties=how.ties)
        found = found._replace(outcomes=outcomes, p_values=[outcome.p for outcome in outcomes])
    return found


def _pairs_of(
    rows: Sequence[SystemScores],
    systems: Sequence[tuple[SystemRows, UnitTable]],
    against_baseline: Sequence[_Tests],
    how: Testing,
    *,
    keep: bool,
) -> tuple[SystemPair, ...]:
    """Test all pairs of three or more systems; empty without a test."""
    if len(systems) < 3 or how.test is None:
        return ()
    measures = list(systems[0][0].columns)
    # Only a page, which shows any two systems, needs all pairs by cause and by label.
    count = len(measures) if keep else sum([not measure.group for measure in measures])
    names = [measure.name for measure in measures[:count]]
    chosen = list(combinations(range(len(systems)), 2))
    tests = [_tests_of(systems[a], systems[b], how, count) if a else against_baseline[b] for a, b in chosen]
    # Holm's correction of each figure
    corrected = list(zip(*map(holm, zip(*[one.p_values[:count] for one in tests]))))
    return tuple(
        [
            SystemPair(
                (rows[a].name, rows[b].name),
                {name: difference_of(rows[a][name], rows[b][name]) for name in names},
                dict(zip(names, one.differences)),
                dict(zip(names, one.p_values)),
                dict(zip(names, together)),
            )
            for (a, b), one, together in zip(chosen, tests, corrected)
        ]
    )


def _scores_of(name: str, scored: SystemRows, table: UnitTable, tests: _Tests, how: Testing) -> SystemScores:
    """Return the scores of a system, whose table has its own units, with its tests against the baseline."""
    intervals: Sequence[Interval] = ()
    if how.confidence is not None:
        intervals = significance.intervals(
            table, confidence=how.confidence, samples=how.interval_samples, seed=how.seed
        )
    # A figure that only other systems have has denominators of 0, and is not in the total.
    rates = {
        figure.name: figure.value(scored.total) if any(denominators) else None
        for figure, (_, denominators) in scored.columns.items()
    }
    sentences = None
    if SENTENCE_F1 in scored.columns:
        # Other systems decide which sentences without brackets count.
        total, counted = map(sum, scored.columns[SENTENCE_F1])
        sentences = counted // F1_UNIT
        rates[SENTENCE_F1.name] = ratio(total / F1_UNIT, sentences)
    return SystemScores(
        name,
        scored.total,
        rates,
        dict(zip(rates, intervals)),
        dict(zip(rates, tests.p_values)),
        dict(zip(rates, tests.outcomes)),
        tests.units or table.units,
        scored.notes,
        scored.warnings,
        dict(zip(rates, tests.differences)),
        sentences,
        scored.format,
    )


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Correct p-values for the number of tests: return the smallest level at which each is rejected.

    Undefined p-values (``None``) are not counted as tests.

    Source: Holm 1979, A simple sequentially rejective multiple test procedure.

    >>> holm([0.01, 0.04, None, 0.03])
    [0.03, 0.06, None, 0.06]
    """
    corrected: list[float | None] = [None] * len(p_values)
    tests = sorted([(p, index) for index, p in enumerate(p_values) if p is not None])
    level = 0.0
    for rank, (p, index) in enumerate(tests):
        level = max(level, min(1.0, (len(tests) - rank) * p))
        corrected[index] = level
    return corrected


def _filled(table: UnitTable, scored: SystemRows, unit_of: Sequence[int]) -> UnitTable:
    """Return a table where units without brackets that count in the sentence-mean F1 count in F1, too."""
    if not table.units or F1 not in scored.columns:
        return table
    at = 2 * list(scored.columns).index(F1)
    filled = [array("q", numbers) for numbers in zip(*f1_of_units(scored, unit_of, table.units))]
    return UnitTable(table.units, [*table.columns[:at], *filled, *table.columns[at + 2 :]])


def _signature(scored: Sequence[SystemRows], how: Testing) -> str:
    # Differing values of a key, such as the pairing, are joined by "|".
    words: dict[str, dict[str, None]] = {}
    for word in " ".join([one.signature for one in scored]).split(" "):
        words.setdefault(word.partition(":")[0], {})[word] = None
    parts = (
        ("test", how.test),
        ("ties", how.ties if how.ties != "drop" else None),
        ("samples", how.test_samples or None),
        ("correction", how.correction if how.correction != "none" else None),
        ("confidence", how.confidence and f"{how.confidence:g}"),
        ("interval-samples", how.interval_samples or None),
        ("seed", how.seed if how.test_samples or how.interval_samples else None),
    )
    given = [f"{name}:{value}" for name, value in parts if value is not None]
    return " ".join([*map("|".join, words.values()), *given])
