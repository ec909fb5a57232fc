"""What a comparison of systems finds: their rates, intervals, and which differences are significant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..metrics import Measure
from ..metrics.references import Agreement, ReferenceScores
from ..model.counts import Counts, brief
from ..model.frozen import field, frozen
from ..model.version import SCHEMA_VERSION
from .groups import SystemGroup
from .significance import SignTest
from .sources import AnySettings, Scored
from .units import Units


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
        added: What was counted on demand beside ``total``, by the names of the metrics.
        differences: Confidence intervals of its differences from the baseline, over the same units for
            both; empty for the baseline, or if no intervals were asked for.
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
    differences: Mapping[str, tuple[float, float] | None] = field(default_factory=dict)

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
            "measures": [measure._asdict() for measure in self.measures],
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
                    "counts": {
                        **system.total.to_dict(),
                        **{name: counts.to_dict() for name, counts in system.added.items()},
                    },
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
