"""Error analysis: what errors come from, what is confused, missing and extra, and in which sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol, TypeAlias

from ..metrics.brackets import BracketCounts
from ..metrics.by_label import LabelCount, LabelCounts
from ..trees.counts import Counts, RunningSum, f1
from ..trees.frozen import field, frozen
from .causes import Classes, load_classes

F1_STEPS = 20
"""Classes of sentence F1 below 1, each ``1 / F1_STEPS`` wide; F1 = 1 has a class of its own."""

LENGTH_STEP = 10
LONGEST_STEP = 60
"""Classes of sentence length are 1-10, 11-20 and so on; what is longer than this is one class."""


@frozen
class CauseCount(Counts):
    """Errors of one cause.

    Attributes:
        times: Repairs.
        missed: Gold constituents without a match that these put in.
        extra: The system's constituents without a match that these mend or take out.
    """

    times: int = 0
    missed: int = 0
    extra: int = 0

    @property
    def brackets(self) -> int:
        """Bracket errors that are gone with these repairs."""
        return self.missed + self.extra

    def repaired_f1(self, brackets: BracketCounts) -> float | None:
        """F1, in [0, 1], if these errors, and no others, were repaired; ``None`` without constituents.

        >>> round(CauseCount(1, 1, 1).repaired_f1(BracketCounts.of_sentence(4, 4, 2, 0)), 3)
        0.75
        """
        return f1(brackets.matched + self.missed, brackets.gold, brackets.system - self.extra + self.missed)


@frozen
class AnalysisCounts(Counts):
    """Where the errors of some sentences are.

    Attributes:
        labels: Brackets label by label, and which labels are confused.
        causes: For each cause of errors (``jpevalb.errors.causes.CAUSES``) its
            repairs; together they explain every missed and every extra constituent.
        lengths: For each class of length (:func:`length_class`) the brackets of
            its sentences.
        f1: For each class of sentence F1 (:func:`f1_class`) how many sentences.
        without_f1: Sentences without constituents on either side.
    """

    labels: LabelCounts = field(default_factory=LabelCounts)
    causes: Mapping[str, CauseCount] = field(default_factory=dict)
    lengths: Mapping[int, BracketCounts] = field(default_factory=dict)
    f1: Mapping[int, int] = field(default_factory=dict)
    without_f1: int = 0

    @property
    def brackets(self) -> BracketCounts:
        """The brackets of all sentences."""
        return BracketCounts.sum(self.lengths.values())

    def to_dict(self) -> dict[str, Any]:
        """Counts and rates, JSON-ready, most frequent first."""
        return Analysis.of(self).to_dict()

    def of_bead(self) -> dict[str, Any]:
        """All but the classes, which say nothing of one bead that its own length and F1 do not."""
        classes = ("lengths", "f1", "without_f1")
        return {name: value for name, value in self.to_dict().items() if name not in classes}


class Analysed(Protocol):
    """A result that an analysis looks at."""

    number: int

    def analysis_counts(self, classes: Classes | None = None) -> AnalysisCounts:
        """What it adds to an error analysis, given the classes of labels."""


@frozen
class Confusion:
    """A label that stands for another over the same span.

    Attributes:
        gold: Label of the missed gold constituents.
        system: Label of the extra system constituents.
        count: How many.
        sentences: Numbers of the sentences that have one, ascending.
    """

    gold: str
    system: str
    count: int
    sentences: tuple[int, ...] = ()


@frozen
class LabelErrors:
    """How well the constituents of one label are found.

    Attributes:
        label: The label.
        counts: Gold, system and matched constituents.
        missed_in: Numbers of the sentences that miss one, ascending.
        extra_in: Numbers of the sentences with one too many.
    """

    label: str
    counts: LabelCount
    missed_in: tuple[int, ...] = ()
    extra_in: tuple[int, ...] = ()

    @property
    def missed(self) -> int:
        """Gold constituents without a match."""
        return self.counts.missed

    @property
    def extra(self) -> int:
        """The system's constituents without a match."""
        return self.counts.extra


@frozen
class Cause:
    """The errors of one cause.

    Attributes:
        cause: One of ``jpevalb.errors.causes.CAUSES``.
        counts: Repairs, and the constituents that they put in, mend or take out.
        share: The part of all bracket errors that these are, in [0, 1].
        repaired_f1: F1, in [0, 1], if these errors, and no others, were repaired.
        sentences: Numbers of the sentences that have one, ascending.
    """

    cause: str
    counts: CauseCount
    share: float
    repaired_f1: float | None
    sentences: tuple[int, ...] = ()

    @property
    def times(self) -> int:
        """Repairs."""
        return self.counts.times

    @property
    def brackets(self) -> int:
        """Bracket errors, missed and extra constituents, that they explain."""
        return self.counts.brackets


@frozen
class LengthClass:
    """The sentences of some lengths.

    Attributes:
        shortest: Least length, in units; sentences without any are in the first class.
        longest: Greatest length; ``None`` for no limit.
        brackets: The sum over its sentences.
        sentences: Their numbers, ascending.
    """

    shortest: int
    longest: int | None
    brackets: BracketCounts
    sentences: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """``11-20``, or ``61+`` for the last class."""
        return f"{self.shortest}+" if self.longest is None else f"{self.shortest}-{self.longest}"


@frozen
class F1Class:
    """The sentences whose F1 lies in some range.

    Attributes:
        low: Least F1, in [0, 1].
        high: F1 below this; 1 where ``low`` is 1.
        count: How many.
        sentences: Their numbers, ascending.
    """

    low: float
    high: float
    count: int
    sentences: tuple[int, ...] = ()


_Where: TypeAlias = "Callable[..., tuple[int, ...]]"


@frozen
class Analysis:
    """Where the errors of an evaluation are.

    The numbers of the sentences are there if the sentences were looked at; the
    sums alone (:meth:`of`) leave them empty.

    Attributes:
        labels: One entry a label, the most frequent gold labels first.
        confusions: Most frequent first, then by label.
        causes: Those with most brackets first; together they explain every error.
        lengths: In order of length, without empty classes at the end.
        f1: In order of F1; the last class is F1 = 1.
        without_f1: Sentences without constituents on either side.
        without_f1_in: Their numbers, ascending.
    """

    labels: tuple[LabelErrors, ...]
    confusions: tuple[Confusion, ...]
    causes: tuple[Cause, ...]
    lengths: tuple[LengthClass, ...]
    f1: tuple[F1Class, ...]
    without_f1: int
    without_f1_in: tuple[int, ...]

    @classmethod
    def of(cls, counts: AnalysisCounts) -> Analysis:
        """What can be said of the sums.  Cost: O(their entries), sorted."""
        return _ordered(counts, lambda *key: ())

    def to_dict(self) -> dict[str, Any]:
        """The counts and rates, JSON-ready; without the numbers of the sentences."""
        return {
            "labels": {item.label: item.counts.to_dict() for item in self.labels},
            "confusions": [
                {"gold": item.gold, "system": item.system, "count": item.count} for item in self.confusions
            ],
            "causes": {
                item.cause: {
                    **item.counts.to_dict(),
                    "share": item.share,
                    "repaired_f1": item.repaired_f1,
                }
                for item in self.causes
            },
            "lengths": [
                {"shortest": item.shortest, "longest": item.longest, **item.brackets.to_dict()}
                for item in self.lengths
            ],
            "f1": [{"low": item.low, "high": item.high, "sentences": item.count} for item in self.f1],
            "without_f1": self.without_f1,
        }


def analyse(sentences: Iterable[Analysed], classes: Classes | None = None) -> Analysis:
    """Looks for the errors of some sentences.

    Args:
        sentences: Results in order of their numbers; each is looked at once.
        classes: What labels are, for the causes; the Penn Treebank's if not given.

    Returns:
        The analysis, with the numbers of the sentences.

    Cost: O(nodes + tokens).

    >>> from jpevalb import evaluate
    >>> gold = ["(S (NP (PRP I)) (VP (VBP eat) (NP (NN fish)) (PP (IN with) (NP (NNS forks)))))"]
    >>> system = ["(S (NP (PRP I)) (VP (VBP eat) (NP (NP (NN fish)) (PP (IN with) (ADVP (NNS forks))))))"]
    >>> found = analyse(evaluate(gold, system).sentences)
    >>> [(item.gold, item.system, item.count) for item in found.confusions]
    [('NP', 'ADVP', 1)]
    >>> [(item.cause, item.times, item.brackets) for item in found.causes]
    [('different label', 1, 2), ('PP attachment', 1, 1)]
    """
    numbers: dict[tuple[Any, ...], list[int]] = {}

    def note(*key: Any) -> None:
        numbers.setdefault(key, []).append(sentence.number)

    classes = classes or load_classes()
    total = RunningSum(AnalysisCounts())
    for sentence in sentences:
        counts = sentence.analysis_counts(classes)
        total.add(counts)
        for label, count in counts.labels.labels.items():
            if count.missed:
                note("missed", label)
            if count.extra:
                note("extra", label)
        for kind, table in (
            ("confused", counts.labels.confused),
            ("cause", counts.causes),
            ("length", counts.lengths),
            ("f1", counts.f1),
        ):
            for key in table:
                note(kind, key)
        if counts.without_f1:
            note("f1", None)
    return _ordered(total.total(), lambda *key: tuple(numbers.get(key, ())))


def _ordered(counts: AnalysisCounts, where: _Where) -> Analysis:
    labels = counts.labels.labels
    brackets = counts.brackets
    errors = brackets.wrong()
    return Analysis(
        tuple(
            LabelErrors(label, labels[label], where("missed", label), where("extra", label))
            for label in sorted(labels, key=lambda label: (-labels[label].gold, label))
        ),
        tuple(
            Confusion(gold, system, count, where("confused", (gold, system)))
            for (gold, system), count in sorted(
                counts.labels.confused.items(), key=lambda item: (-item[1], item[0])
            )
        ),
        tuple(
            Cause(cause, found, found.brackets / errors, found.repaired_f1(brackets), where("cause", cause))
            for cause, found in sorted(
                counts.causes.items(), key=lambda item: (-item[1].brackets, -item[1].times, item[0])
            )
        ),
        tuple(_lengths(counts.lengths, where)),
        tuple(
            F1Class(
                place / F1_STEPS,
                min(place + 1, F1_STEPS) / F1_STEPS,
                counts.f1.get(place, 0),
                where("f1", place),
            )
            for place in range(F1_STEPS + 1)
        ),
        counts.without_f1,
        where("f1", None),
    )


def _lengths(classes: Mapping[int, BracketCounts], where: _Where) -> Iterator[LengthClass]:
    for place in range(max(classes, default=-1) + 1):
        longest = (place + 1) * LENGTH_STEP
        yield LengthClass(
            place * LENGTH_STEP + 1,
            longest if longest <= LONGEST_STEP else None,
            classes.get(place, BracketCounts()),
            where("length", place),
        )
