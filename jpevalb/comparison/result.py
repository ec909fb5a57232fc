"""What a comparison of systems finds: their rates, intervals, and which differences are significant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from math import sqrt
from typing import Any

from ..metrics import Figure
from ..metrics.references import Agreement, ReferenceScores
from ..score.evaluation import WORST
from ..trees.counts import REPORT, Counts, brief, notebook
from ..trees.errors import SettingsError
from ..trees.frozen import field, frozen
from ..trees.version import SCHEMA_VERSION
from .resampling import Units
from .significance import SignTest
from .sources import AnySettings, Scored


@frozen
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
        differences: Confidence intervals of its differences from the baseline, over the same units for
            both; empty for the baseline, or if no intervals were asked for.
        f1_sentences: Sentences in the mean of sentence F1: those with a constituent in gold or in any
            system of the comparison; ``None`` in legacy mode.
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
    differences: Mapping[str, tuple[float, float] | None] = field(default_factory=dict)
    f1_sentences: int | None = None

    def __getitem__(self, measure: str) -> float | None:
        return self.rates[measure]


@frozen
class Details:
    """The systems sentence by sentence.

    Attributes:
        settings: Of the run.
        units: The stretches of gold that no system's alignment crosses.
        scored: For each system its records and, but in legacy mode, its sentences.
    """

    settings: AnySettings
    units: Units
    scored: tuple[Scored, ...]


@frozen
class SystemGroup:
    """Systems that are one system trained several times, and their figures by the names of the measures.

    Attributes:
        name: What the group is called.
        systems: The names of its systems.
        mean: The mean of their figures; ``None`` where one of them has none.
        deviation: The standard deviation of the sample, with n - 1 below the sum of squares; ``None``
            where there is no mean, or one system only.
        best: The largest figure, or the smallest where less is better.
    """

    name: str
    systems: tuple[str, ...]
    mean: Mapping[str, float | None]
    deviation: Mapping[str, float | None]
    best: Mapping[str, float | None]

    def to_dict(self) -> dict[str, Any]:
        """All of it, JSON-ready."""
        return {
            "name": self.name,
            "systems": list(self.systems),
            "mean": dict(self.mean),
            "deviation": dict(self.deviation),
            "best": dict(self.best),
        }


@frozen
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
        references: With several references for each system its scores against each of them, their mean
            and those against the nearest of each sentence, which the other figures are of.
        agreement: With several references each of them scored against each other one.
    """

    measures: tuple[Figure, ...]
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
    references: Mapping[str, tuple[ReferenceScores, ...]] = field(default_factory=dict)
    agreement: Agreement | None = None

    def __repr__(self) -> str:
        return brief(
            self,
            f1={name: rate if rate is None else round(rate, 4) for name, rate in self.f1.items()},
            test=self.test,
            gold_sentences=self.gold_sentences,
            signature=self.signature,
        )

    def _repr_html_(self) -> str:
        """Return the table of systems, for notebooks."""
        return notebook(self)

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
        """Return the comparison as text.

        Args:
            format: One of ``jpevalb.report.FORMATS``.
            width: Maximum width of the text tables, in columns; wider ones continue below.
            gold_name: Name of the gold side on an HTML page, such as the name of the file.
            worst: Number of sentences that an HTML page lists, those where the systems' errors differ
                most; ``None`` for all.
            columns: Figures of the main tables by name (``f1``) or title (``F``); all by default, as far as
                the width of a text allows.
            sort: The figure by which the systems are sorted, the best first; in the given order if ``None``.
            verbose: Print p-values and intervals in tables of their own, in place of one table of scores
                with half the interval and marks.

        Raises:
            SettingsError: an unknown format or figure.
        """
        report = import_module(REPORT)
        shown = report.Shown(tuple(columns), sort, verbose)
        names = {"width": width, "gold_name": gold_name, "worst": worst}
        text: str = report.render_comparison(self, format, shown=shown, **names)
        return text

    @property
    def f1(self) -> dict[str, float | None]:
        """For each system its F1; ``None`` if there is no bracket."""
        return {system.name: system["f1"] for system in self.systems}

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
            "measures": [measure.to_dict() for measure in self.measures],
            "baseline": self.baseline.name,
            "systems": [
                {
                    "name": system.name,
                    "rates": dict(system.rates),
                    "intervals": {name: ends and list(ends) for name, ends in system.intervals.items()},
                    "differences": {name: ends and list(ends) for name, ends in system.differences.items()},
                    "p_values": dict(system.p_values),
                    "outcomes": {
                        name: {"wins": found.wins, "losses": found.losses, "ties": found.ties}
                        for name, found in system.outcomes.items()
                    },
                    "units": system.units,
                    **({} if system.f1_sentences is None else {"f1_sentences": system.f1_sentences}),
                    "counts": system.total.to_dict(),
                    "notes": list(system.notes),
                    "warnings": list(system.warnings),
                    **self._references_of(system.name),
                }
                for system in self.systems
            ],
            **({"agreement": self.agreement.to_dict()} if self.agreement is not None else {}),
            **({"groups": [group.to_dict() for group in self.groups]} if self.groups else {}),
        }

    def _references_of(self, name: str) -> dict[str, Any]:
        """The scores of a system by reference, where there are several."""
        if name not in self.references:
            return {}
        return {"references": {"scores": [one.to_dict() for one in self.references[name]]}}


# -- groups of systems ----------------------------------------------------------


def group_of(
    name: str, systems: Sequence[tuple[str, Mapping[str, float | None]]], measures: Sequence[Figure]
) -> SystemGroup:
    """A group and its figures.

    >>> measure = Figure("f1", "F")
    >>> group = group_of("ours", [("a", {"f1": 0.5}), ("b", {"f1": 0.75})], [measure])
    >>> group.mean["f1"], round(group.deviation["f1"], 4), group.best["f1"]
    (0.625, 0.1768, 0.75)
    """
    mean: dict[str, float | None] = {}
    deviation: dict[str, float | None] = {}
    best: dict[str, float | None] = {}
    for measure in measures:
        key = measure.name
        known = [value for _, rates in systems if (value := rates[key]) is not None]
        whole = len(known) == len(systems)
        centre = sum(known) / len(known) if whole else None
        mean[key], deviation[key] = centre, None
        if centre is not None and len(known) > 1:
            deviation[key] = sqrt(sum([(value - centre) ** 2 for value in known]) / (len(known) - 1))
        best[key] = (max if measure.larger_is_better else min)(known) if known else None
    return SystemGroup(name, tuple([system for system, _ in systems]), mean, deviation, best)


def checked(groups: Mapping[str, Iterable[int]], systems: int) -> dict[str, tuple[int, ...]]:
    """Groups as places from 1.

    Raises:
        SettingsError: a place that no system has, or that a group has twice, or a group of none.
    """
    found = {}
    for name, given in groups.items():
        places = tuple(given)
        for place in places:
            if not isinstance(place, int) or not 1 <= place <= systems:
                raise SettingsError(
                    f"found the place {place!r} in the group {name!r}; expected the places of its systems, "
                    f"from 1 to {systems}"
                )
        if not places or len(set(places)) < len(places):
            raise SettingsError(
                f"found {list(places)} as the group {name!r}; expected one system or more, each once"
            )
        found[name] = places
    return found


def parsed(texts: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Groups as a command line has them.

    Args:
        texts: For each group its name, ``=`` and the places of its systems with commas between them.

    Raises:
        SettingsError: another text, or a name twice.

    >>> parsed(["ours=1,2,3", "base=4"])
    {'ours': (1, 2, 3), 'base': (4,)}
    """
    found: dict[str, tuple[int, ...]] = {}
    for text in texts:
        name, _, places = text.rpartition("=")
        numbers = [part.strip() for part in places.split(",")]
        if not name or not all(part.isascii() and part.isdigit() and len(part) < 10 for part in numbers):
            raise SettingsError(
                f"found the group {text!r}; expected a name and places of systems, such as ours=1,2,3"
            )
        if name in found:
            raise SettingsError(f"found the group {name!r} twice; give all its systems at once")
        found[name] = tuple(map(int, numbers))
    return found
