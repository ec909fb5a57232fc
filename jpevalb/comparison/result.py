"""Results of a comparison: scores, intervals and decisions about differences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, NamedTuple

from ..base.claims import Claim, texts
from ..base.counts import Counts, Fields, brief, notebook
from ..base.errors import SettingsError
from ..base.plugins import late
from ..base.version import SCHEMA_VERSION
from ..metrics import Figure
from ..metrics.references import Agreement, ReferenceScores
from ..metrics.significance import SignTest
from ..metrics.unit_table import Interval
from ..score.evaluation import LEVEL, WORST, listed_intervals
from .sources import AnySettings, SystemRows, Units

LEAST = {"bootstrap": 50, "permutation": 10, "sign": 10}
"""Minimum number of units of each test: with fewer, more than 7 of 100 pairs of equal systems differ."""

DIFFERS, ALIKE = "differs", "alike"
UNTESTED, UNDEFINED, FEW, REACH, MIXED = "untested", "undefined", "few", "reach", "mixed"


class Decision(NamedTuple):
    """The difference of two systems in a figure, with the result of its test."""

    #: ``"differs"`` or ``"alike"``; otherwise the reason for neither: ``"untested"``; ``"undefined"``, no
    #: figure; ``"few"`` units for the test or for the number of tests; ``"reach"``, too few resamples for the
    #: number of tests; ``"mixed"``, a sign test that points the other way than the difference
    outcome: str
    #: the second system's figure minus the first's, in [-1, 1] for a rate; ``None`` if one is undefined
    points: float | None
    interval: Interval = None  #: confidence interval of the difference, not corrected
    p: float | None = None  #: p-value, corrected for the tests of its family
    tests: int = 1  #: number of tests of its family
    units: int = 0  #: number of units that were resampled
    p_alone: float | None = None  #: p-value of this test alone
    won: int | None = None  #: of a sign test: wins of the second system minus its losses

    @property
    def real(self) -> bool:
        """True if the systems differ beyond chance."""
        return self.outcome == DIFFERS

    def turned(self) -> Decision:
        """Return the decision on the first system minus the second."""
        ends = self.interval
        return self._replace(
            points=None if self.points is None else -self.points,
            interval=None if ends is None else (-ends[1], -ends[0]),
        )


def decisions(
    family: Sequence[Decision], test: str | None, samples: int, *, corrected: bool = True
) -> list[Decision]:
    """Decide on differences; Holm's method corrects for their number, since a report may name any of them.

    ``samples`` is the number of resamples of the test, 0 for a test without resamples.
    """
    p_values = [one.p_alone for one in family]
    tests = sum([p is not None for p in p_values]) if corrected else 1
    if corrected:
        p_values = holm(p_values)

    def outcome(one: Decision, p: float | None) -> str:
        if test is None:
            return UNTESTED
        if one.points is None or p is None:
            return UNDEFINED
        # With n units, swaps and signs give no p-value below 2 / 2 ** n.
        least = 0.0 if test == "bootstrap" else 2.0 ** (1 - one.units)
        if one.units < LEAST[test] or tests * least >= LEVEL:
            return FEW
        if samples and not reaches(tests, samples):
            return REACH
        if p >= LEVEL:
            return ALIKE
        # The sign test counts sentences: most may be lost by the system with the larger figure.
        return MIXED if one.won is not None and one.won * one.points <= 0 else DIFFERS

    return [one._replace(outcome=outcome(one, p), p=p, tests=tests) for one, p in zip(family, p_values)]


def reaches(tests: int, samples: int) -> bool:
    """Return True if a number of resamples suffices for a corrected p-value below 0.05."""
    return tests / (samples + 1) < LEVEL


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


def letters_of(names: Sequence[str], apart: Sequence[frozenset[str]]) -> list[tuple[str, ...]]:
    """Return sets of systems that are not distinguished: two share a set unless their pair is in ``apart``.

    The sets are in the order of the names.  No set could be left out.

    Source: Piepho 2004, An algorithm for a letter-based representation of all-pairwise comparisons: insert,
    absorb and sweep.

    >>> letters_of(["a", "b", "c"], [frozenset("ac")])
    [('a', 'b'), ('b', 'c')]
    """
    sets = [frozenset(names)]
    for pair in apart:
        split = [one - {name} for one in sets if one >= pair for name in pair]
        sets = [one for one in sets if not one >= pair]
        sets += [one for one in split if not any(one < other for other in [*sets, *split])]
        sets = list(dict.fromkeys(sets))
    # Sweep: leave out a set whose systems and pairs are all in other sets.
    shared = {one: [(a, b) for a in one for b in one] for one in sets}
    for one in sorted(sets, key=len):
        others = [other for other in sets if other != one]
        if all(any(a in other and b in other for other in others) for a, b in shared[one]):
            sets = others
    return sorted(
        [tuple([name for name in names if name in one]) for one in sets],
        key=lambda one: [names.index(name) for name in one],
    )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SystemScores(Fields):
    """Scores of one system in a comparison.  All mappings are by the names of the measures."""

    name: str  #: name of the system
    total: Counts  #: sum of its records
    #: its figures, rates in [0, 1] and crossing constituents per sentence; ``None`` if undefined
    rates: Mapping[str, float | None]
    #: confidence intervals of the figures; empty without ``confidence``
    intervals: Mapping[str, tuple[float, float] | None]
    #: p-values of its differences from the baseline, each of one test alone, ``None`` if undefined; empty for
    #: the baseline and without a test
    p_values: Mapping[str, float | None]
    outcomes: Mapping[str, SignTest]  #: wins over the baseline, losses and ties of the sign test
    #: number of units of resampling, usually single sentences, else ranges of gold sentences that no bead of
    #: this system or of the baseline crosses
    units: int
    claimed: tuple[Claim, ...]  #: notes and warnings as claims
    #: confidence intervals of its differences from the baseline, over the same units for both; empty for the
    #: baseline and without ``confidence``
    differences: Mapping[str, tuple[float, float] | None] = field(default_factory=dict)
    #: sentences in the mean of sentence F1, which have a constituent in gold or in any system of the
    #: comparison; ``None`` of evalb's report
    f1_sentences: int | None = None
    #: format of its file, as in ``jpevalb.read``; ``None`` for sentences given as objects
    format: str | None = None
    #: results of the tests of its differences from the baseline, with corrected p-values; empty for the
    #: baseline and without a test
    decisions: Mapping[str, Decision] = field(default_factory=dict)
    problem: str = ""  #: why it has no figures; empty if it has some
    excluded: float = 0.0  #: share of the gold sentences that a convention left out for their words
    unparsed: bool = False  #: True if none of its sentences has a parse

    def __getitem__(self, measure: str) -> float | None:
        return self.rates[measure]

    @property
    def notes(self) -> tuple[str, ...]:
        """Numbers of the sentences left out of the scores, in words."""
        return texts(self.claimed, "note")

    @property
    def warnings(self) -> tuple[str, ...]:
        """Likely mistakes in the input or the settings."""
        return texts(self.claimed, "warning")


class SystemPair(NamedTuple):
    """Test of F1 of two systems."""

    systems: tuple[str, str]  #: names of both systems, in the order of the comparison
    decision: Decision  #: the second system's F1 minus the first's, with the result of the test

    def to_dict(self) -> dict[str, Any]:
        """Return the test, JSON-ready."""
        one = self.decision
        return {
            "systems": list(self.systems),
            "units": one.units,
            "difference": one.points,
            "interval": one.interval and list(one.interval),
            "p": one.p_alone,
            "p_holm": one.p,
            **({} if one.won is None else {"won": one.won}),
            "outcome": one.outcome,
        }


class ComparisonDetails(NamedTuple):
    """The systems sentence by sentence."""

    settings: AnySettings  #: settings of the runs
    units: Units  #: ranges of gold sentences that no bead of any system crosses
    systems: tuple[SystemRows, ...]  #: counts of each system, sentence by sentence


class SystemGroup(NamedTuple):
    """Several runs of one system.  All mappings are by the names of the figures."""

    name: str  #: name of the group
    systems: tuple[str, ...]  #: names of the systems
    mean: Mapping[str, float | None]  #: means of the figures; None if one of them is undefined
    #: standard deviations with denominator n - 1; None without a mean, and for one system
    deviation: Mapping[str, float | None]
    best: Mapping[str, float | None]  #: the largest figures, or the smallest if less is better

    def to_dict(self) -> dict[str, Any]:
        """Return the group, JSON-ready."""
        figures = {name: dict(getattr(self, name)) for name in ("mean", "deviation", "best")}
        return {"name": self.name, "systems": list(self.systems), **figures}


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """Result of :func:`jpevalb.compare`: systems by measures."""

    measures: tuple[Figure, ...]  #: the measures, in the order of the tables
    systems: tuple[SystemScores, ...]  #: scores of the systems in the given order; the first is the baseline
    test: str | None  #: ``"bootstrap"``, ``"permutation"``, ``"sign"``, or ``None``
    test_samples: int  #: number of resamples or shuffles of the test
    confidence: float | None  #: level of the intervals, in (0, 1), or ``None``
    interval_samples: int  #: number of resamples of the intervals
    seed: int  #: seed of the random numbers
    gold_sentences: int  #: number of gold sentences
    signature: str  #: everything that the figures depend on, except for the files
    convention: str  #: what counts, such as ``"jpevalb"``; that of evalb's report is its dialect
    #: the systems sentence by sentence, with ``keep=True``
    details: ComparisonDetails | None = field(default=None, compare=False, repr=False)
    groups: tuple[SystemGroup, ...] = ()  #: several runs of one system, as one group
    unlabeled: bool = False  #: True if labels were not compared; a label then has a recall only
    #: family of F1's p-values for Holm's correction: ``"pairs"``, ``"baseline"`` or ``"none"``
    correction: str = "pairs"
    #: with several references, the scores of each system against each reference, the mean of these, and the
    #: scores against the nearest reference of each sentence
    references: Mapping[str, tuple[ReferenceScores, ...]] = field(default_factory=dict)
    #: with several references, the scores of each reference against every other
    agreement: Agreement | None = None
    #: tests of F1 of all pairs of systems, or of those with the baseline if only they are corrected for
    pairs: tuple[SystemPair, ...] = ()
    is_mean: bool = False  #: True under a convention whose F1 is the mean of the sentences' F1

    def __repr__(self) -> str:
        return brief(
            self,
            f1={name: rate if rate is None else round(rate, 4) for name, rate in self.f1.items()},
            test=self.test,
            gold_sentences=self.gold_sentences,
            signature=self.signature,
        )

    _repr_html_ = notebook

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
        table: str | None = None,
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
            sort: The figure by which the systems are sorted, the best first (default: F1); ``"none"`` keeps
                their order.
            verbose: Print p-values and intervals in tables of their own, in place of one table of scores
                with half the interval and marks.
            table: The only table of CSV or TSV, such as ``labels``; ``None`` for all of them.

        Raises:
            SettingsError: an unknown format, figure or table.
        """
        report = late("report")
        shown = report.Choices(tuple(columns), sort, verbose)
        names = {"width": width, "gold_name": gold_name, "worst": worst, "table": table}
        return report.render_comparison(self, format, shown=shown, **names)  # type: ignore[no-any-return]

    @property
    def f1(self) -> dict[str, float | None]:
        """F1 of each system, or under some conventions the mean of its sentences' F1; ``None`` without it."""
        return {system.name: system["sentence_f1" if self.is_mean else "f1"] for system in self.systems}

    @property
    def baseline(self) -> SystemScores:
        """The first system."""
        return self.systems[0]

    @property
    def p_values(self) -> dict[str, Mapping[str, float | None]]:
        """P-values of each system except the baseline, by measure."""
        return {system.name: system.p_values for system in self.systems[1:]} if self.test else {}

    @property
    def ranked(self) -> list[SystemScores]:
        """The systems by F1, the best first; those without F1 come last."""
        f1 = self.f1
        return sorted(self.systems, key=lambda system: (f1[system.name] is None, -(f1[system.name] or 0)))

    @property
    def tests(self) -> int:
        """Number of tests that F1 is corrected for."""
        return self.pairs[0].decision.tests if self.pairs else 0

    @property
    def reaches(self) -> bool:
        """True if the resamples suffice to distinguish systems in F1."""
        return not self.test_samples or reaches(self.tests, self.test_samples)

    @property
    def undistinguished(self) -> list[tuple[str, ...]]:
        """The largest sets of three or more systems whose F1 is not distinguished, the best systems first.

        Two systems share a set unless the test distinguishes them.  A system that is distinguished from all
        others is a set of its own.  Empty unless the test decides on every pair.
        """
        count, outcomes = len(self.systems), {pair.decision.outcome for pair in self.pairs}
        if count < 3 or len(self.pairs) < count * (count - 1) // 2 or not outcomes <= {DIFFERS, ALIKE}:
            return []
        apart = [frozenset(pair.systems) for pair in self.pairs if pair.decision.real]
        return letters_of([system.name for system in self.ranked], apart)

    @property
    def letters(self) -> dict[str, str]:
        """Letters of the systems: two share a letter if F1 does not distinguish them; ``a`` is best."""
        sets = self.undistinguished
        letters = [chr(ord("a") + k) if k < 26 else f"({k + 1})" for k in range(len(sets))]
        return {
            system.name: "".join([letter for letter, one in zip(letters, sets) if system.name in one])
            for system in self.systems
        }

    @property
    def samples_needed(self) -> int | None:
        """Number of resamples to ask for if no p-value of a pair can be below 0.05; otherwise ``None``."""
        return None if self.reaches else int(10 ** len(str(int(self.tests / LEVEL))))

    def to_dict(self) -> dict[str, Any]:
        """Return all counts, rates, intervals and p-values, JSON-ready."""
        return {
            "version": SCHEMA_VERSION,
            "convention": self.convention,
            "signature": self.signature,
            "test": self.test,
            "test_samples": self.test_samples,
            **({"correction": self.correction} if self.test else {}),
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
                    "intervals": listed_intervals(system.intervals),
                    "differences": listed_intervals(system.differences),
                    "p_values": dict(system.p_values),
                    "p_holm": {name: one.p for name, one in system.decisions.items()},
                    "decisions": {name: one.outcome for name, one in system.decisions.items()},
                    "outcomes": {
                        name: {"wins": outcome.wins, "losses": outcome.losses, "ties": outcome.ties}
                        for name, outcome in system.outcomes.items()
                    },
                    "units": system.units,
                    **({} if system.f1_sentences is None else {"f1_sentences": system.f1_sentences}),
                    "counts": system.total.to_dict(),
                    "notes": list(system.notes),
                    "warnings": list(system.warnings),
                    **({"problem": system.problem} if system.problem else {}),
                    **({"excluded": system.excluded} if system.excluded else {}),
                    **({} if system.format is None else {"format": system.format}),
                    **(
                        {"references": {"scores": [one.to_dict() for one in self.references[system.name]]}}
                        if system.name in self.references
                        else {}
                    ),
                }
                for system in self.systems
            ],
            **(
                {
                    "pairs": [pair.to_dict() for pair in self.pairs],
                    "undistinguished": list(map(list, self.undistinguished)),
                }
                if self.pairs
                else {}
            ),
            **({"agreement": self.agreement.to_dict()} if self.agreement is not None else {}),
            **({"groups": [group.to_dict() for group in self.groups]} if self.groups else {}),
            "claims": late("claims")(self),
        }


def difference_of(first: float | None, second: float | None) -> float | None:
    """Return the second figure minus the first; ``None`` if one of them is undefined."""
    return None if first is None or second is None else second - first


def make_group(
    name: str, systems: Sequence[tuple[str, Mapping[str, float | None]]], measures: Sequence[Figure]
) -> SystemGroup:
    """Summarise the figures of a group.

    >>> measure = Figure("f1", "F")
    >>> group = make_group("ours", [("a", {"f1": 0.5}), ("b", {"f1": 0.75})], [measure])
    >>> group.mean["f1"], round(group.deviation["f1"], 4), group.best["f1"]
    (0.625, 0.1768, 0.75)
    """
    mean: dict[str, float | None] = {}
    deviation: dict[str, float | None] = {}
    best: dict[str, float | None] = {}
    for measure in measures:
        key = measure.name
        known = [value for _, rates in systems if (value := rates[key]) is not None]
        centre = sum(known) / len(known) if len(known) == len(systems) else None
        mean[key], deviation[key] = centre, None
        if centre is not None and len(known) > 1:
            deviation[key] = sqrt(sum([(value - centre) ** 2 for value in known]) / (len(known) - 1))
        best[key] = (max if measure.larger_is_better else min)(known) if known else None
    return SystemGroup(name, tuple([system for system, _ in systems]), mean, deviation, best)


def check_groups(groups: Mapping[str, Iterable[int]], systems: int) -> dict[str, tuple[int, ...]]:
    """Return the groups as tuples; raise a SettingsError if one is empty or a number is wrong."""
    checked = {name: tuple(numbers) for name, numbers in groups.items()}
    for name, numbers in checked.items():
        for number in numbers:
            if not isinstance(number, int) or not 1 <= number <= systems:
                raise SettingsError(
                    f"got {number!r} in the group {name!r}; expected the numbers of its systems, "
                    f"from 1 to {systems}"
                )
        if not numbers or len(set(numbers)) < len(numbers):
            raise SettingsError(
                f"got {list(numbers)} as the group {name!r}; expected at least one system, each once"
            )
    return checked


def parse_groups(texts: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Parse the groups of a command line.

    >>> parse_groups(["ours=1,2,3", "base=4"])
    {'ours': (1, 2, 3), 'base': (4,)}
    """
    groups: dict[str, tuple[int, ...]] = {}
    for text in texts:
        name, _, listed = text.rpartition("=")
        numbers = [number.strip() for number in listed.split(",")]
        if not name or not all(one.isascii() and one.isdigit() and len(one) < 10 for one in numbers):
            raise SettingsError(
                f"got the group {text!r}; expected a name and numbers of systems, such as ours=1,2,3"
            )
        if name in groups:
            raise SettingsError(f"the group {name!r} twice; list all its systems in one option")
        groups[name] = tuple(map(int, numbers))
    return groups
