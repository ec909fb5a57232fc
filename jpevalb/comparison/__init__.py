"""Several systems side by side: their rates, confidence intervals, and which differences are significant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..flow.references import Named, agreement_of, references_of
from ..flow.sources import Again, names_of
from ..formats import Source
from ..model.errors import SettingsError
from ..model.params import Params
from ..model.settings import Settings
from . import significance
from .correction import CORRECTIONS, corrected
from .groups import checked, group_of
from .result import Comparison as Comparison
from .result import Details as Details
from .result import SystemScores as SystemScores
from .significance import BOOTSTRAP_SAMPLES, PERMUTATION_SAMPLES, SignTest
from .sources import AnySettings, Scored, baseline_first, mode_of, score, with_labels, without_silent
from .units import common_units

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ..flow.workers import Team

TESTS = ("bootstrap", "permutation", "sign")


def compare_systems(
    gold: Source,
    systems: Sequence[Source] | Mapping[str, Source],
    *,
    more_gold: Sequence[Source] = (),
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
        more_gold: More references.
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

    references: Named = ()
    agreement = None
    if more_gold or not isinstance(more_gold, (list, tuple)):
        if keep:
            raise SettingsError(
                "found keep with several references; the sentences of systems are kept beside one gold tree"
            )
        references = references_of(gold, more_gold, settings)
        assert isinstance(settings, Settings)
        agreement = agreement_of(references, settings, executor)
    source = Again(gold, getattr(settings, "encoding", None)) if len(named) > 1 and not references else None
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
                references=references,
            )
            for name, system in named
        ]
    )
    unlabeled = isinstance(settings, Settings) and settings.unlabeled
    scored = with_labels(scored, unlabeled=unlabeled)
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
        unlabeled,
        correction if test is not None else "none",
        {name: one.references for (name, _), one in zip(named, scored)} if references else {},
        agreement,
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
    differences: list[tuple[float, float] | None] = []
    units = common_units([scored.gold])
    if confidence is not None:
        table = _table(scored, units.of[0], len(units))
        intervals = significance.intervals(table, confidence=confidence, samples=interval_samples, seed=seed)
    if baseline is not None and (test is not None or confidence is not None):
        shared = common_units([baseline.gold, scored.gold])
        first = _table(baseline, shared.of[0], len(shared))
        second = _table(scored, shared.of[1], len(shared))
        if confidence is not None:
            differences = significance.intervals_of_differences(
                first, second, confidence=confidence, samples=interval_samples, seed=seed
            )
    if baseline is not None and test is not None:
        units = shared
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
        dict(zip(keys, differences)),
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
