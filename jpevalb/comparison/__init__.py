"""Several systems side by side: their rates, confidence intervals, and which differences are significant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..formats import Source
from ..metrics import Measure
from ..model.counts import Counts, brief
from ..model.errors import SettingsError
from ..model.params import Params
from ..model.settings import Settings
from ..model.version import SCHEMA_VERSION
from . import significance
from .correction import CORRECTIONS, corrected
from .groups import SystemGroup, checked, group_of
from .significance import BOOTSTRAP_SAMPLES, PERMUTATION_SAMPLES, SignTest
from .sources import Again, AnySettings, Scored, baseline_first, mode_of, names_of, score, without_silent
from .units import Units, common_units

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ..flow.workers import Team

TESTS = "bootstrap", "permutation", "sign"


@dataclass(frozen=True, slots=True)
class SystemScores:
    """A system's row of a comparison.  All mappings are by the names of the measures.

    Attributes:
        name: What it is called.
        total: The sum of its records.
        rates: Its figures: rates in [0, 1], ``None`` where undefined; crossing
            constituents a sentence.
        intervals: Confidence intervals of these; empty if none were asked for.
        p_values: Of its difference from the baseline; empty for the baseline, or
            if no test was asked for.  ``None`` where undefined.
        outcomes: Of the sign test: wins over the baseline, losses and ties.
        units: Units of resampling: stretches of gold whose ends neither this
            system's alignment crosses nor the baseline's; single sentences as a rule.
        notes: What was left out of the scores, in words.
        warnings: What is likely to be wrong with the input or the settings.
        added: What was counted on demand beside ``total``, by the names of the metrics.
    """

    name: str
    total: Counts
    rates: Mapping[str, float | None]
    intervals: Mapping[str, tuple[float, float] | None]
    p_values: Mapping[str, float | None]
    outcomes: Mapping[str, SignTest]
    units: int
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    added: Mapping[str, Counts] = field(default_factory=dict)

    def __getitem__(self, measure: str) -> float | None:
        return self.rates[measure]


@dataclass(frozen=True, slots=True)
class Details:
    """The systems sentence by sentence.

    Attributes:
        settings: Of the run.
        units: The stretches of gold that no system's alignment crosses.
        scored: For each system its records and, in the alignment mode, its sentences.
    """

    settings: AnySettings
    units: Units
    scored: tuple[Scored, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Systems by measures.

    Attributes:
        measures: What was measured, in the order of the tables.
        systems: The systems as given; the first is the baseline.
        test: ``"bootstrap"``, ``"permutation"``, ``"sign"``, or ``None``.
        test_samples: Resamples or shuffles of the test; 0 for none.
        confidence: Of the intervals, in (0, 1), or ``None``.
        interval_samples: Resamples of the intervals; 0 for none.
        seed: Of the random numbers.
        gold_sentences: Sentences of gold.
        signature: Everything that a figure depends on beside the files.
        mode: ``"alignment"``, ``"discontinuous"`` or ``"legacy"``.
        details: The systems sentence by sentence, if they were kept.
        groups: Systems that are one system trained several times.
        unlabeled: Whether labels were not compared: a label then has a recall alone.
        correction: How p-values are corrected for the number of systems: ``"none"`` or ``"holm"``.
    """

    measures: tuple[Measure, ...]
    systems: tuple[SystemScores, ...]
    test: str | None
    test_samples: int
    confidence: float | None
    interval_samples: int
    seed: int
    gold_sentences: int
    signature: str
    mode: str
    details: Details | None = field(default=None, compare=False, repr=False)
    groups: tuple[SystemGroup, ...] = ()
    unlabeled: bool = False
    correction: str = "none"

    def __repr__(self) -> str:
        names = [measure.name for measure in self.measures]
        shown = "f1" if "f1" in names else names[0]
        systems = {system.name: system[shown] for system in self.systems}
        return brief(
            self,
            **{shown: {name: rate if rate is None else round(rate, 4) for name, rate in systems.items()}},
            test=self.test,
            gold_sentences=self.gold_sentences,
            signature=self.signature,
        )

    @property
    def baseline(self) -> SystemScores:
        """The first system."""
        return self.systems[0]

    @property
    def p_values(self) -> dict[str, Mapping[str, float | None]]:
        """For each system but the baseline its p-values by measure."""
        return {system.name: system.p_values for system in self.systems[1:]} if self.test else {}

    def to_dict(self) -> dict[str, Any]:
        """All counts, rates, intervals and p-values, JSON-ready."""
        return {
            "version": SCHEMA_VERSION,
            "mode": self.mode,
            "signature": self.signature,
            "test": self.test,
            "test_samples": self.test_samples,
            **({"correction": self.correction} if self.correction != "none" else {}),
            "confidence": self.confidence,
            "interval_samples": self.interval_samples,
            "seed": self.seed,
            "gold_sentences": self.gold_sentences,
            "measures": [measure._asdict() for measure in self.measures],
            "baseline": self.baseline.name,
            "systems": [
                {
                    "name": system.name,
                    "rates": dict(system.rates),
                    "intervals": {name: ends and list(ends) for name, ends in system.intervals.items()},
                    "p_values": dict(system.p_values),
                    "outcomes": {
                        name: {"wins": found.wins, "losses": found.losses, "ties": found.ties}
                        for name, found in system.outcomes.items()
                    },
                    "units": system.units,
                    "counts": {
                        **system.total.to_dict(),
                        **{name: counts.to_dict() for name, counts in system.added.items()},
                    },
                    "notes": list(system.notes),
                    "warnings": list(system.warnings),
                }
                for system in self.systems
            ],
            **({"groups": [group.to_dict() for group in self.groups]} if self.groups else {}),
        }


def compare_systems(
    gold: Source,
    systems: Sequence[Source] | Mapping[str, Source],
    *,
    test: str | None,
    seed: int,
    samples: int | None,
    confidence: float | None,
    ties: str,
    groups: Mapping[str, Sequence[int]],
    baseline: str | None,
    correction: str,
    settings: AnySettings | None,
    executor: Executor | Team | None,
    keep: bool,
    options: dict[str, Any],
) -> Comparison:
    """The work of :func:`jpevalb.compare`.

    Args:
        gold: A source of gold sentences.
        systems: The systems' sources, the baseline first, or a mapping of names to sources.
        test: One of :data:`TESTS`, or ``None``.
        seed: Of the random numbers.
        samples: Number of resamples and shuffles; ``None`` for that of the test.
        confidence: Of the intervals, in (0, 1), or ``None`` for no intervals.
        ties: ``"drop"`` or ``"split"``.
        groups: For each group of systems their places, from 1.
        baseline: The name of the baseline; ``None`` for the first system.
        correction: One of :data:`CORRECTIONS`.
        settings: Of the mode; ``None`` for ``Settings()``.
        executor: Where the scoring is done, if not here.
        keep: Whether to keep the sentences.
        options: Single fields of the settings, and in legacy mode the dialect.

    Raises:
        JpevalbError: the systems cannot be compared.

    Cost: that of the evaluations, and O(samples * units) for each system.
    """
    named = names_of(systems)
    settings, dialect = _settings(settings, options)
    _check(gold, named, test, settings)
    members = checked(groups, len(named))
    if correction not in CORRECTIONS:
        raise SettingsError(f"found correction={correction!r}; expected one of {', '.join(CORRECTIONS)}")
    if baseline is not None:
        named, members = baseline_first(baseline, named, members)
    if ties not in significance.TIES:
        raise SettingsError(f"found ties={ties!r}; expected one of {', '.join(significance.TIES)}")
    bootstrap_samples = BOOTSTRAP_SAMPLES if samples is None else samples
    test_samples = PERMUTATION_SAMPLES if test == "permutation" and samples is None else bootstrap_samples
    significance.check_samples(bootstrap_samples, seed)
    if confidence is not None:
        significance.check_confidence(confidence)

    source = Again(gold, getattr(settings, "encoding", None)) if len(named) > 1 else None
    scored = without_silent(
        [
            score(
                source.open() if source else gold,
                system,
                settings,
                name=name,
                dialect=dialect,
                executor=executor,
                keep=keep,
            )
            for name, system in named
        ]
    )
    units = common_units([one.gold for one in scored])
    rows = [
        _system(
            name,
            one,
            scored[0] if place else None,
            test=test,
            test_samples=test_samples,
            confidence=confidence,
            interval_samples=bootstrap_samples,
            seed=seed,
            ties=ties,
        )
        for place, ((name, _), one) in enumerate(zip(named, scored))
    ]
    if correction == "holm":
        rows = corrected(rows)
    test_samples = test_samples if test in ("bootstrap", "permutation") else 0
    interval_samples = bootstrap_samples if confidence is not None else 0
    measures = tuple(rate.measure for rate in scored[0].rates)
    return Comparison(
        measures,
        tuple(rows),
        test,
        test_samples,
        confidence,
        interval_samples,
        seed,
        units.gold,
        _signature(scored, test, test_samples, confidence, interval_samples, seed, ties, correction),
        mode_of(settings),
        Details(settings, units, tuple(scored)) if keep else None,
        tuple(
            group_of(name, [(rows[place - 1].name, rows[place - 1].rates) for place in places], measures)
            for name, places in members.items()
        ),
        isinstance(settings, Settings) and settings.unlabeled,
        correction if test is not None else "none",
    )


def _system(
    name: str,
    scored: Scored,
    baseline: Scored | None,
    *,
    test: str | None,
    test_samples: int,
    confidence: float | None,
    interval_samples: int,
    seed: int,
    ties: str,
) -> SystemScores:
    """A system's row; nothing in it depends on systems other than the baseline."""
    intervals: list[tuple[float, float] | None] = []
    p_values: list[float | None] = []
    outcomes: list[SignTest] = []
    units = common_units([scored.gold])
    if confidence is not None:
        table = _table(scored, units.of[0], len(units))
        intervals = significance.intervals(table, confidence=confidence, samples=interval_samples, seed=seed)
    if baseline is not None and test is not None:
        units = common_units([baseline.gold, scored.gold])
        first = _table(baseline, units.of[0], len(units))
        second = _table(scored, units.of[1], len(units))
        if test == "sign":
            outcomes = significance.sign(first, second, ties=ties)
            p_values = [found.p for found in outcomes]
        else:
            run = significance.bootstrap if test == "bootstrap" else significance.permutation
            p_values = run(first, second, samples=test_samples, seed=seed)
    keys = [rate.measure.name for rate in scored.rates]
    return SystemScores(
        name,
        scored.total,
        {rate.measure.name: scored.value(rate) for rate in scored.rates},
        dict(zip(keys, intervals)),
        dict(zip(keys, p_values)),
        dict(zip(keys, outcomes)),
        len(units),
        scored.notes,
        scored.warnings,
        scored.added,
    )


# -- tables -----------------------------------------------------------------------


def _table(scored: Scored, unit_of: Sequence[int], units: int) -> Any:
    """The measures' numerators and denominators in turn, summed by unit."""
    table = np.zeros((units, 2 * len(scored.rates)), dtype=np.int64)
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
    gold: Source, named: Sequence[tuple[str, Source]], test: str | None, settings: AnySettings
) -> None:
    if not named:
        raise SettingsError("found no system; expected one or more")
    if test is not None and test not in TESTS:
        raise SettingsError(f"found the test {test!r}; expected one of {', '.join(TESTS)}")
    if test is not None and len(named) == 1:
        raise SettingsError(f"the {test} test compares systems, and there is one only; give another")
    if sum(isinstance(source, str) and source == "-" for source in (gold, *dict(named).values())) > 1:
        raise SettingsError("several files are '-'; only one can be the standard input")
    if len(named) > 1 and getattr(settings, "sys_times", None):
        raise SettingsError(
            "the times of one system's words do not fit the other systems; compare without sys_times"
        )


def _signature(
    scored: Sequence[Scored],
    test: str | None,
    test_samples: int,
    confidence: float | None,
    interval_samples: int,
    seed: int,
    ties: str,
    correction: str,
) -> str:
    # What the systems' signatures differ in (how sentences were paired) is joined.
    words: dict[str, dict[str, None]] = {}
    for one in scored:
        for word in one.signature.split(" "):
            words.setdefault(word.partition(":")[0], {})[word] = None
    parts = ["|".join(word) for word in words.values()]
    if test is not None:
        parts.append(f"test:{test}")
    if test == "sign" and ties != "drop":
        parts.append(f"ties:{ties}")
    if test_samples:
        parts.append(f"samples:{test_samples}")
    if test is not None and correction != "none":
        parts.append(f"correction:{correction}")
    if confidence is not None:
        parts += [f"confidence:{confidence:g}", f"interval-samples:{interval_samples}"]
    if test_samples or interval_samples:
        parts.append(f"seed:{seed}")
    return " ".join(parts)
