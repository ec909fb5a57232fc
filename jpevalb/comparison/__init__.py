"""Comparison of systems: their scores, confidence intervals and significance tests."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from ..base.errors import SettingsError
from ..base.files import reject_shared, source_name
from ..base.values import OptionError
from ..formats.read import Source
from ..kernels.counting import F1_UNIT
from ..metrics import Figure, significance
from ..metrics.brackets import F1, SENTENCE_F1
from ..metrics.significance import INTERVAL_SAMPLES, LEAST_UNITS, SEED, TEST_SAMPLES, TIES, SignTest, check
from ..metrics.unit_table import Interval, UnitTable
from ..score.inputs import Input, Replayable, decide, names_of
from ..score.workers import WorkerPool, workers
from ..settings.params import Params
from ..settings.settings import Settings
from .result import (
    UNTESTED,
    Comparison,
    ComparisonDetails,
    Decision,
    SystemPair,
    SystemScores,
    check_groups,
    decisions,
    difference_of,
    make_group,
)
from .sources import SystemRows, Units, baseline_first, common_units, score_legacy, score_systems, settle

if TYPE_CHECKING:
    from ..score.references import NamedReferences

TESTS = ("bootstrap", "permutation", "sign")
CORRECTIONS = ("pairs", "baseline", "none")  # families of Holm's correction of F1
TESTS_OF_PAIR = 100  # resamples for each test, so that the smallest corrected p-value is below 0.01
CELLS = 1 << 23  # maximum number of sums of random samples in memory


class Testing(NamedTuple):
    """Options of the tests; see :func:`jpevalb.compare`."""

    test: str | None
    seed: int
    samples: int | None
    confidence: float | None
    ties: str
    correction: str

    def pairs(self, systems: int) -> list[tuple[int, int]]:
        """Return the pairs of systems whose F1 is tested, the baseline's first."""
        if self.correction == "pairs":
            return list(combinations(range(systems), 2))
        return [(0, system) for system in range(1, systems)]

    def test_samples(self, systems: int) -> int:
        """Return the number of resamples or shuffles of the test."""
        if self.test not in ("bootstrap", "permutation"):
            return 0
        tests = 1 if self.correction == "none" else len(self.pairs(systems))
        return self.samples or max(TEST_SAMPLES, TESTS_OF_PAIR * tests)

    def interval_samples(self, systems: int) -> int:
        """Return the number of resamples of the intervals, which are those of a bootstrap test."""
        if self.confidence is None:
            return 0
        if self.test == "bootstrap":
            return self.test_samples(systems)
        return self.samples or INTERVAL_SAMPLES

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
                self.correction != "pairs" and test is None,
                f"{correction} without a test; leave out correction, or use a test",
            ),
        ):
            if wrong:
                raise SettingsError(problem)
        check(self.confidence, TEST_SAMPLES if self.samples is None else self.samples, self.seed)


def compare(
    gold: Source,
    systems: Sequence[Source] | Mapping[str, Source],
    *,
    more_gold: Sequence[Source] = (),
    test: str | None = "permutation",
    seed: int = SEED,
    samples: int | None = None,
    confidence: float | None = 0.95,
    ties: str = "drop",
    groups: Mapping[str, Sequence[int]] | None = None,
    baseline: str | None = None,
    correction: str = "pairs",
    settings: Settings | Params | None = None,
    jobs: int = 1,
    executor: Executor | WorkerPool | None = None,
    keep: bool = False,
    follow: Callable[[Iterator[Any]], Iterable[Any]] = iter,
    follow_tests: Callable[[Iterator[Any]], Iterable[Any]] = iter,
    **options: Any,
) -> Comparison:
    """Score several systems against one gold file and test their differences.

    Each figure (precision, recall, F, ...) is tested directly, over the gold sentences.  Some of many
    p-values are small by chance, so they are corrected by Holm's method: those of F1 for all pairs of
    systems, those of the other measures, of the causes, the lengths and the labels for all tests of their
    table, which are against the baseline.  Intervals are not corrected.

    Systems may differ in format, such as a parser's trees beside a language model's answers.  A figure that
    one of them lacks is ``None`` for it.

    Args:
        gold: A path, an open file, or an iterable of sentences.
        systems: The systems' sources, the baseline first, or a mapping of names to sources.
        more_gold: Further references: each sentence of each system is scored against the nearest
            reference, as by :func:`jpevalb.evaluate`.
        test: ``"bootstrap"``, ``"permutation"`` or ``"sign"``, as defined in
            ``jpevalb.metrics.significance``; ``None`` for no test.  A test of fewer than 10 units (50 of
            a bootstrap) says nothing about who differs.
        seed: Seed of the random numbers, at least 0.  The figures do not depend on the platform.
        samples: Number of resamples and shuffles.  Default: 10,000 for a test or 100 for each pair, if
            that is more, and 1,000 for the intervals.
        confidence: Level of the bootstrap intervals of each system, in (0, 1); ``None`` for no intervals.
            With fewer than 10 units there are none.
        ties: Sentences with equal figures in the sign test: ``"drop"`` ignores them, ``"split"`` counts
            half of them for each system.
        groups: Several runs of one system: maps a name to the numbers of its runs, from 1.
            The result has mean, standard deviation and best of each group.
        baseline: Name of the system that the others are compared with, and that comes first.  Default:
            the first system.
        correction: Tests that the p-values of F1 are corrected for: ``"pairs"`` of systems; those against the
            ``"baseline"`` alone, which must have been chosen before; ``"none"`` corrects no p-value.
        settings: ``Settings``, or ``Params`` for the figures of evalb's report.
        jobs: Number of processes to start for the call.  The result does not depend on it.
        executor: Any ``concurrent.futures.Executor`` to score on, in place of ``jobs``.
        keep: Keep the sentences, for the list of an HTML page.
        follow: Passes on an iterator, such as ``tqdm``, to show the progress: it has an item for each
            sentence of each system, when that is scored.
        follow_tests: The same for the tests: an item for some figures of each pair.
        **options: Single fields of the settings, which override them; with ``Params`` also ``dialect``.

    Returns:
        The scores of each system and their differences from the baseline.

    Raises:
        SettingsError: an unknown test, a test of one system, a number out of range, or an unused option.
        JpevalbError: a file or a sentence that cannot be read; with ``Params`` a system whose number of
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
    dialect = options.pop("dialect", "evalb") if isinstance(settings, Params) else "evalb"
    settings = settings.replace(**options) if options else settings
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
                golds[0], inputs, settings, pool=pool, keep=keep, references=references, follow=follow
            )
        else:
            scored = []
            for name, one in named:
                lines = source.open() if source else gold
                scored.append(score_legacy(lines, one, settings, dialect, source_name(one) or name))
    unlabeled = isinstance(settings, Settings) and settings.unlabeled
    settle(scored, unlabeled=unlabeled)
    units = common_units([system.gold for system in scored])
    alike = units if all(one.gold == scored[0].gold for one in scored) else None
    own = [alike or common_units([system.gold]) for system in scored]
    measures = tuple(scored[0].columns)
    main = "sentence_f1" if isinstance(settings, Settings) and settings.is_mean else "f1"
    sampled = _Sampled(scored, own, how, [one.name for one in measures].index(main))
    for _ in follow_tests(sampled.run()):
        pass
    names = [name for name, _ in named]
    pairs, decided = sampled.decided()
    rows = [
        SystemScores(
            names[k],
            one.total,
            sampled.rates[k],
            sampled.intervals[k],
            {name: item.p_alone for name, item in sampled.tested[k].items() if how.test is not None},
            sampled.outcomes[k],
            next((item.units for item in sampled.tested[k].values()), len(own[k])),
            one.claimed,
            {name: item.interval for name, item in sampled.tested[k].items() if how.confidence},
            one.f1_sentences,
            one.format,
            decided[k],
            one.problem,
            one.excluded,
            one.no_parse,
        )
        for k, one in enumerate(scored)
    ]
    return Comparison(
        measures,
        tuple(rows),
        how.test,
        how.test_samples(len(rows)),
        how.confidence,
        how.interval_samples(len(rows)) if any(any(one.values()) for one in sampled.intervals) else 0,
        how.seed,
        units.gold,
        _signature(scored, how),
        dialect if isinstance(settings, Params) else str(settings.convention),
        ComparisonDetails(settings, units, tuple(scored)) if keep else None,
        tuple(
            make_group(name, [(rows[k - 1].name, rows[k - 1].rates) for k in numbers], measures)
            for name, numbers in members.items()
        ),
        unlabeled,
        how.correction,
        {name: one.references for (name, _), one in zip(named, scored)} if references else {},
        agreement,
        tuple([SystemPair((names[a], names[b]), one) for (a, b), one in pairs.items()]),
        isinstance(settings, Settings) and settings.is_mean,
    )


class _Sampled:
    """Intervals of systems and tests of their pairs, for some figures at a time.

    Each system has a table of its own units; ``main`` is the index of the figure tested for all pairs.
    """

    def __init__(self, systems: Sequence[SystemRows], own: Sequence[Units], how: Testing, main: int) -> None:
        self._systems, self._own, self._how, self._main = systems, own, how, main
        self._tables = [one.table(units.of[0], len(units)) for one, units in zip(systems, own)]
        self._figures = list(systems[0].columns)
        self.rates = [one.rates() for one in systems]
        count = len(systems)
        self._samples = how.test_samples(count), how.interval_samples(count)
        # For each system, by the names of the figures
        self.intervals: list[dict[str, Interval]] = [{} for _ in systems]
        #: differences from the baseline; empty without tests and intervals
        self.tested: list[dict[str, Decision]] = [{} for _ in systems]
        self.outcomes: list[dict[str, SignTest]] = [{} for _ in systems]
        self.pairs: dict[tuple[int, int], Decision] = {}  # tests of the main figure

    def run(self) -> Iterator[None]:
        """Sample and test; yield after each test."""
        how, count = self._how, len(self._systems)
        if how.test is None and how.confidence is None:
            return
        figures = len(self._tables[0].columns) // 2
        step = max(1, CELLS // max(1, 2 * count * max(self._samples)))
        for start in range(0, figures, step):
            some = slice(start, min(start + step, figures))
            names = [one.name for one in self._figures[some]]
            parts = self._parts(some)
            for table, found in zip(parts, self.intervals):
                if how.confidence is not None and table.units < LEAST_UNITS:
                    found |= dict.fromkeys(names)
                elif how.confidence is not None:
                    drawn = {"samples": self._samples[1], "seed": how.seed}
                    found |= zip(names, significance.intervals(table, confidence=how.confidence, **drawn))
            for other in range(1, count):
                tested, outcomes = self._test(0, other, some, parts)
                self.tested[other] |= zip(names, tested)
                self.outcomes[other] |= zip(names, outcomes)
                yield
            if start <= self._main < some.stop:
                of_main = [table.part(slice(self._main - start, self._main - start + 1)) for table in parts]
        if how.test is None or count < 2:
            return
        some = slice(self._main, self._main + 1)
        for a, b in how.pairs(count):
            if a:
                self.pairs[a, b] = self._test(a, b, some, of_main)[0][0]
                yield
            else:
                self.pairs[a, b] = self.tested[b][self._figures[self._main].name]

    def _parts(self, some: slice) -> list[UnitTable]:
        """Return the tables of some figures; those of the same units are sampled together."""
        how, (of_test, of_intervals) = self._how, self._samples
        parts = [table.part(some) for table in self._tables]
        if len({table.units for table in parts}) == 1 and (of_intervals or how.test != "sign"):
            from ..metrics.resampling import resample, shuffle

            if of_intervals or how.test == "bootstrap":
                resample(parts, of_intervals or of_test, how.seed)
            if how.test == "permutation":
                shuffle(parts, of_test, how.seed)
        return parts

    def _test(
        self, a: int, b: int, some: slice, parts: Sequence[UnitTable]
    ) -> tuple[list[Decision], list[SignTest]]:
        """Test some figures of two systems over the units of both.

        The result depends on other systems only in sentences without brackets.
        """
        how, systems = self._how, (self._systems[a], self._systems[b])
        of_first, of_second = self._own[a], self._own[b]
        shared = of_first if of_first is of_second else common_units([one.gold for one in systems])
        units = len(shared)
        tables = [
            part if part.units == units else one.table(of, units).part(some)
            for part, one, of in zip((parts[a], parts[b]), systems, shared.of)
        ]
        figures = self._figures[some]
        confidence = None if units < LEAST_UNITS else how.confidence
        rates = [(self.rates[a][one.name], self.rates[b][one.name]) for one in figures]
        found = [Decision(UNTESTED, difference_of(*one), units=units) for one in rates]
        outcomes: list[SignTest] = []
        of_test, of_intervals = self._samples
        if of_test or confidence is not None:
            run = significance.permutation if how.test == "permutation" else significance.bootstrap
            tests = run(*tables, confidence=confidence, samples=of_test or of_intervals, seed=how.seed)
            found = [
                one._replace(interval=_within(item.interval, figure), p_alone=item.p if of_test else None)
                for one, item, figure in zip(found, tests, figures)
            ]
        if how.test == "sign":
            filled = [_filled(own, one, of, some) for own, one, of in zip(tables, systems, shared.of)]
            outcomes = significance.sign(*filled, ties=how.ties)
            found = [
                one._replace(p_alone=item.p, won=item.wins - item.losses)
                for one, item in zip(found, outcomes)
            ]
        return found, outcomes

    def decided(self) -> tuple[dict[tuple[int, int], Decision], list[dict[str, Decision]]]:
        """Return the decisions on all pairs, and on each system's differences from the baseline.

        F1 is corrected for the pairs, other figures for all tests of their table.
        """
        how, main = self._how, self._figures[self._main].name

        def decide(family: dict[Any, Decision]) -> dict[Any, Decision]:
            corrected = how.correction != "none"
            return dict(
                zip(family, decisions([*family.values()], how.test, self._samples[0], corrected=corrected))
            )

        pairs = decide(self.pairs)
        found: list[dict[str, Decision]] = [{} for _ in self._systems]
        for (a, b), decision in pairs.items():
            if not a:
                found[b][main] = decision
        for group in dict.fromkeys([one.group for one in self._figures]) if how.test is not None else ():
            tests = {
                (system, one.name): tested[one.name]
                for one in self._figures
                if one.group == group and one.name != main
                for system, tested in enumerate(self.tested[1:], 1)
            }
            for (system, name), decision in decide(tests).items():
                found[system][name] = decision
        return pairs, found


def _within(interval: Interval, figure: Figure) -> Interval:
    """Return the interval of a difference; rates differ by 1 at most."""
    if interval is None or figure.form == "number":
        return interval
    return max(-1.0, interval[0]), min(1.0, interval[1])


def _filled(table: UnitTable, scored: SystemRows, unit_of: Sequence[int], some: slice) -> UnitTable:
    """Return a table where units without brackets that count in the sentence-mean F1 count in F1, too."""
    figures = list(scored.columns)[some]
    if F1 not in figures or SENTENCE_F1 not in scored.columns:
        return table
    at = 2 * figures.index(F1)
    mean = UnitTable.summed(scored.columns[SENTENCE_F1], unit_of, table.units).columns
    brackets = table.columns[at + 1]
    filled = [
        array("q", [own if count else other // F1_UNIT for own, other, count in zip(*columns, brackets)])
        for columns in zip(table.columns[at : at + 2], mean)
    ]
    return UnitTable(table.units, [*table.columns[:at], *filled, *table.columns[at + 2 :]])


def _signature(scored: Sequence[SystemRows], how: Testing) -> str:
    # Differing values of a key, such as the pairing, are joined by "|".
    words: dict[str, dict[str, None]] = {}
    for word in " ".join([one.signature for one in scored]).split(" "):
        words.setdefault(word.partition(":")[0], {})[word] = None
    samples, of_intervals = how.test_samples(len(scored)), how.interval_samples(len(scored))
    parts = (
        ("test", how.test),
        ("ties", how.ties if how.ties != "drop" else None),
        ("samples", samples or None),
        ("correction", how.correction if how.test and how.correction != "pairs" else None),
        ("confidence", how.confidence and f"{how.confidence:g}"),
        ("interval-samples", of_intervals or None),
        ("seed", how.seed if samples or of_intervals else None),
    )
    given = [f"{name}:{value}" for name, value in parts if value is not None]
    return " ".join([*map("|".join, words.values()), *given])
