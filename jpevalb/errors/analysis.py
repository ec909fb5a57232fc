"""Error analysis: causes of errors, confused labels, missed and extra constituents, and where they are."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress, count
from typing import Any, ClassVar, NamedTuple, TypeAlias

from ..alignment.pair import Pair
from ..base.counts import Counts, RunningSum, f1, notebook
from ..metrics import CAUSES_GROUP, F1_COUNTS, LENGTHS_GROUP, Figure, Metric
from ..metrics.brackets import BracketCounts, counts_of, length
from ..metrics.labels import LabelCount, LabelCounts, label_counts
from ..settings.rules import RunRules
from ..settings.settings import Settings
from .causes import CAUSES, Classes, load_classes
from .corrections import Correction as Correction, corrections_of

F1_STEPS = 20  # Number of F1 classes below 1, each 1 / F1_STEPS wide; F1 = 1 is a class of its own

LENGTH_STEP = 10
LONGEST_STEP = 60
"""Length classes are 1-10, 11-20 and so on; sentences longer than LONGEST_STEP are one class."""


@dataclass(slots=True, eq=False, repr=False)
class CauseCount(Counts):
    """Errors of one cause."""

    times: int = 0  #: corrections
    missed: int = 0  #: unmatched gold constituents that the corrections add
    extra: int = 0  #: unmatched system constituents that they correct or remove

    @property
    def brackets(self) -> int:
        """Bracket errors of which they are the cause."""
        return self.missed + self.extra

    def corrected_f1(self, brackets: BracketCounts) -> float | None:
        """Return F1 in [0, 1] if only these errors were corrected; ``None`` without constituents.

        >>> round(CauseCount(1, 1, 1).corrected_f1(BracketCounts(1, 4, 4, 2)), 3)
        0.75
        """
        return f1(brackets.matched + self.missed, brackets.gold, brackets.system - self.extra + self.missed)


@dataclass(slots=True, eq=False, repr=False)
class AnalysisCounts(Counts):
    """Error analysis of some sentences; the causes together explain all missed and extra constituents."""

    in_order: ClassVar[bool] = False

    labels: LabelCounts = field(default_factory=LabelCounts)  #: counts by label
    causes: Mapping[str, CauseCount] = field(default_factory=dict)  #: counts by cause
    lengths: Mapping[int, BracketCounts] = field(default_factory=dict)  #: brackets by class of length
    f1: Mapping[int, int] = field(default_factory=dict)  #: number of sentences by class of F1
    without_f1: int = 0  #: sentences without constituents on either side
    gaps: Mapping[str, LabelCount] = field(default_factory=dict)  #: constituents with gaps, by label

    @property
    def brackets(self) -> BracketCounts:
        """Bracket counts of all sentences."""
        return BracketCounts.sum(self.lengths.values())

    def to_dict(self) -> dict[str, Any]:
        return Analysis.of(self).to_dict()


Numbers: TypeAlias = "Sequence[int]"  # Numbers of sentences, ascending


class Confusion(NamedTuple):
    """A system label in place of a gold label over the same span."""

    gold: str  #: gold label
    system: str  #: system label
    #: number of constituents
    count: int  # type: ignore[assignment]
    sentences: Numbers = ()  #: numbers of the sentences, from 1


class LabelErrors(NamedTuple):
    """Counts of the constituents of one label."""

    label: str  #: label
    counts: LabelCount  #: counts of its constituents
    missed_in: Numbers = ()  #: sentences in which such a constituent is missed
    extra_in: Numbers = ()  #: sentences in which such a constituent is extra

    @property
    def missed(self) -> int:
        """Unmatched gold constituents."""
        return self.counts.missed

    @property
    def extra(self) -> int:
        """Unmatched system constituents."""
        return self.counts.extra


class Cause(NamedTuple):
    """The errors of one cause."""

    cause: str  #: one of jpevalb.errors.causes.CAUSES
    counts: CauseCount  #: corrections, missed and extra constituents
    share: float  #: share of all bracket errors, in [0, 1]
    corrected_f1: float | None  #: F1 in [0, 1] if only these errors were corrected
    sentences: Numbers = ()  #: numbers of the sentences, from 1

    @property
    def times(self) -> int:
        """Number of corrections."""
        return self.counts.times

    @property
    def brackets(self) -> int:
        """Bracket errors, missed and extra constituents, that they explain."""
        return self.counts.brackets


class LengthClass(NamedTuple):
    """The sentences of some lengths in units; empty sentences are in the first class."""

    shortest: int  #: smallest length in units
    longest: int | None  #: largest length in units; None for no limit
    brackets: BracketCounts = BracketCounts()  #: bracket counts
    sentences: Numbers = ()  #: numbers of the sentences, from 1

    @property
    def name(self) -> str:
        """``11-20``, or ``61+`` for the last class."""
        return f"{self.shortest}+" if self.longest is None else f"{self.shortest}-{self.longest}"


LENGTHS = (
    *[LengthClass(end - LENGTH_STEP + 1, end) for end in range(LENGTH_STEP, LONGEST_STEP + 1, LENGTH_STEP)],
    LengthClass(LONGEST_STEP + 1, None),
)


class F1Class(NamedTuple):
    """The sentences with ``low`` <= F1 < ``high``, or with F1 = 1 if ``low`` is 1."""

    low: float  #: lower limit of F1
    high: float  #: upper limit of F1
    #: number of sentences
    count: int  # type: ignore[assignment]
    sentences: Numbers = ()  #: numbers of the sentences, from 1


class Analysis(NamedTuple):
    """Where the errors of an evaluation are.

    ``Evaluation.analysis()`` lists the numbers of the sentences; :meth:`of` leaves them empty.
    """

    labels: tuple[LabelErrors, ...]  #: one entry per label, the most frequent gold labels first
    confusions: tuple[Confusion, ...]  #: most frequent first, then by label
    causes: tuple[Cause, ...]  #: those with most brackets first; together they explain every error
    lengths: tuple[LengthClass, ...]  #: in order of length, without empty classes at the end
    f1: tuple[F1Class, ...]  #: in order of F1; the last class is F1 = 1
    without_f1: int  #: number of sentences without constituents on either side
    without_f1_in: Numbers  #: numbers of these sentences, ascending
    gaps: tuple[LabelErrors, ...]  #: constituents with gaps by label, as ``labels``

    def __repr__(self) -> str:
        errors = sum([item.brackets for item in self.causes])
        return (
            f"<Analysis: errors {errors}, causes {len(self.causes)}, labels {len(self.labels)}, "
            f"confusions {len(self.confusions)}>"
        )

    def _repr_html_(self) -> str:
        return notebook(self)

    @classmethod
    def of(cls, counts: AnalysisCounts, sentences: Callable[..., Numbers] | None = None) -> Analysis:
        """Return the analysis of summed counts; ``sentences`` returns the numbers of sentences by key."""
        sentences = sentences or (lambda *key: ())
        lengths, brackets = counts.lengths, counts.brackets
        errors = brackets.wrong()

        def by_label(labels: Mapping[str, LabelCount], of: str) -> tuple[LabelErrors, ...]:
            return tuple(
                LabelErrors(name, labels[name], sentences("missed" + of, name), sentences("extra" + of, name))
                for name in sorted(labels, key=lambda label: (-labels[label].gold, label))
            )

        confused = sorted(counts.labels.confused.items(), key=lambda item: (-item[1], item[0]))
        causes = sorted(counts.causes.items(), key=lambda item: (-item[1].brackets, -item[1].times, item[0]))
        return cls(
            by_label(counts.labels.labels, ""),
            tuple(Confusion(*pair, count, sentences("confused", pair)) for pair, count in confused),
            tuple(
                Cause(name, one, one.brackets / errors, one.corrected_f1(brackets), sentences("cause", name))
                for name, one in causes
            ),
            tuple(
                one._replace(brackets=lengths.get(k, BracketCounts()), sentences=sentences("length", k))
                for k, one in enumerate(LENGTHS[: max(lengths, default=-1) + 1])
            ),
            tuple(
                F1Class(
                    k / F1_STEPS, min(k + 1, F1_STEPS) / F1_STEPS, counts.f1.get(k, 0), sentences("f1", k)
                )
                for k in range(F1_STEPS + 1)
            ),
            counts.without_f1,
            sentences("f1", None),
            by_label(counts.gaps, "gap"),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return counts and rates, JSON-ready, without the numbers of the sentences."""
        return {
            "labels": {item.label: item.counts.to_dict() for item in self.labels},
            "confusions": [
                {"gold": item.gold, "system": item.system, "count": item.count} for item in self.confusions
            ],
            "causes": {
                item.cause: {**item.counts.to_dict(), "share": item.share, "corrected_f1": item.corrected_f1}
                for item in self.causes
            },
            "lengths": [
                {"shortest": item.shortest, "longest": item.longest, **item.brackets.to_dict()}
                for item in self.lengths
            ],
            "f1": [{"low": item.low, "high": item.high, "sentences": item.count} for item in self.f1],
            "without_f1": self.without_f1,
            "gaps": {item.label: item.counts.to_dict() for item in self.gaps},
        }


def analyse(sentences: Iterable[Any], classes: Classes | None = None) -> Analysis:
    """Analyse the errors of sentences that come in the order of their numbers; each is read once.

    A sentence has a ``number`` and ``analysis_counts``.

    >>> from jpevalb import evaluate
    >>> gold = ["(S (NP (PRP I)) (VP (VBP eat) (NP (NN fish)) (PP (IN with) (NP (NNS forks)))))"]
    >>> system = ["(S (NP (PRP I)) (VP (VBP eat) (NP (NP (NN fish)) (PP (IN with) (ADVP (NNS forks))))))"]
    >>> analysis = analyse(evaluate(gold, system).sentences)
    >>> [(item.gold, item.system, item.count) for item in analysis.confusions]
    [('NP', 'ADVP', 1)]
    >>> [(item.cause, item.times, item.brackets) for item in analysis.causes]
    [('different label', 1, 2), ('PP attachment', 1, 1)]
    """
    numbers: dict[tuple[Any, ...], array[int]] = {}
    classes = classes or load_classes()
    total = RunningSum(AnalysisCounts())
    for sentence in sentences:
        counts = sentence.analysis_counts(classes)
        total.add(counts)
        keys = [
            *[
                (name + of, label)
                for of, labels in (("", counts.labels.labels), ("gap", counts.gaps))
                for label, count in labels.items()
                for name, errors in (("missed", count.missed), ("extra", count.extra))
                if errors
            ],
            *[("confused", pair) for pair in counts.labels.confused],
            *[("cause", cause) for cause in counts.causes],
            *[("length", length) for length in counts.lengths],
            *[("f1", f1) for f1 in counts.f1],
            *([("f1", None)] if counts.without_f1 else []),
        ]
        for key in keys:
            numbers.setdefault(key, array("q")).append(sentence.number)
    return Analysis.of(total.total(), lambda *key: tuple(numbers.get(key, ())))


def _cause_figure(cause: str) -> Figure:
    """Return the cost of a cause's errors; the sum over all causes is 1 - F1."""

    def counts(record: AnalysisCounts) -> tuple[int, int]:
        errors = record.causes.get(cause)
        brackets = record.lengths.values()
        return errors.brackets if errors else 0, sum([item.gold + item.system for item in brackets])

    name = "cause_" + re.sub("[^a-z0-9]+", "_", cause.lower())
    return Figure(name, cause, larger_is_better=False, group=CAUSES_GROUP, counts=counts)


def length_class(length: int) -> int:
    """Return the class of a length in units; an empty sentence is in class 0."""
    return (min(length, LONGEST_STEP + 1) - 1) // LENGTH_STEP if length else 0


def _length_figure(length: LengthClass) -> Figure:
    index = length_class(length.shortest)
    return Figure(
        f"length_{length.shortest}",
        length.name,
        counts=lambda record: F1_COUNTS(record.lengths.get(index, BracketCounts())),
        group=LENGTHS_GROUP,
        shown=lambda record: index in record.lengths,
    )


class ErrorAnalysis(Metric):
    """The error analysis of ``--analysis``."""

    name = "analysis"
    has_table = True
    counts = AnalysisCounts
    settings = ("error_classes", "lang")
    figures = (*map(_cause_figure, CAUSES), *map(_length_figure, LENGTHS))

    def __init__(self, settings: Settings, rules: RunRules) -> None:
        super().__init__(settings, rules)
        self.classes = load_classes(settings.error_classes, lang=settings.lang)

    def count(self, pair: Pair) -> AnalysisCounts:
        return analysis_counts(pair, self.classes, length(pair))


def analysis_counts(pair: Pair, classes: Classes | None, length: int) -> AnalysisCounts:
    match = pair.matching
    brackets = counts_of(pair)
    causes: dict[str, list[int]] = {}
    for one in corrections_of(pair, classes):
        counts = causes.setdefault(one.cause, [0, 0, 0])
        counts[0] += 1
        counts[1] += len(one.missed)
        counts[2] += len(one.extra)
    f1 = f1_class(brackets)
    with_gaps = [compress(count(), side.gaps) for side in match.sides] if pair.has_gaps else []
    return AnalysisCounts(
        label_counts(match),
        {cause: CauseCount(*counts) for cause, counts in causes.items()},
        {length_class(length): brackets},
        {} if f1 is None else {f1: 1},
        int(f1 is None),
        label_counts(match.picked(with_gaps)).labels if with_gaps else {},
    )


def f1_class(counts: BracketCounts) -> int | None:
    """Return the class of a sentence's F1, ``F1_STEPS`` for F1 = 1, ``None`` without F1; exact."""
    total = counts.gold + counts.system
    return 2 * counts.matched * F1_STEPS // total if total else None
