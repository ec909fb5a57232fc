"""Error analysis: what is confused, missing, extra and wrongly attached, and in which sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from ..model.counts import RunningSum
from .analysis import F1_STEPS, LENGTH_STEP, LONGEST_STEP, AnalysisCounts
from .brackets import BracketCounts
from .by_label import LabelCount

if TYPE_CHECKING:
    from ..flow.summary import SentenceResult


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Attachment:
    """Constituents that were found but hang from another parent.

    Attributes:
        label: Label of the gold constituent.
        gold_parent: Label of the nearest gold constituent above it; ``None``
            where there is none.
        system_parent: The same of the system's.
        count: How many.
        sentences: Numbers of the sentences that have one, ascending.
    """

    label: str
    gold_parent: str | None
    system_parent: str | None
    count: int
    sentences: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Analysis:
    """Where the errors of an evaluation are.

    The numbers of the sentences are there if the sentences were looked at; the
    sums alone (:meth:`of`) leave them empty.

    Attributes:
        labels: One entry a label, the most frequent gold labels first.
        confusions: Most frequent first, then by label.
        attachments: Most frequent first, then by label.
        lengths: In order of length, without empty classes at the end.
        f1: In order of F1; the last class is F1 = 1.
        without_f1: Sentences without constituents on either side.
        without_f1_in: Their numbers, ascending.
    """

    labels: tuple[LabelErrors, ...]
    confusions: tuple[Confusion, ...]
    attachments: tuple[Attachment, ...]
    lengths: tuple[LengthClass, ...]
    f1: tuple[F1Class, ...]
    without_f1: int = 0
    without_f1_in: tuple[int, ...] = ()

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
            "attachments": [
                {
                    "label": item.label,
                    "gold_parent": item.gold_parent,
                    "system_parent": item.system_parent,
                    "count": item.count,
                }
                for item in self.attachments
            ],
            "lengths": [
                {"shortest": item.shortest, "longest": item.longest, **item.brackets.to_dict()}
                for item in self.lengths
            ],
            "f1": [{"low": item.low, "high": item.high, "sentences": item.count} for item in self.f1],
            "without_f1": self.without_f1,
        }


def analyse(sentences: Iterable[SentenceResult]) -> Analysis:
    """Looks for the errors of some sentences.

    Args:
        sentences: Results in order of their numbers; each is looked at once.

    Returns:
        The analysis, with the numbers of the sentences.

    Cost: O(nodes + tokens).

    >>> from jpevalb import evaluate
    >>> gold = ["(S (NP (PRP I)) (VP (VBP eat) (NP (NN fish)) (PP (IN with) (NP (NNS forks)))))"]
    >>> system = ["(S (NP (PRP I)) (VP (VBP eat) (NP (NP (NN fish)) (PP (IN with) (ADVP (NNS forks))))))"]
    >>> found = analyse(evaluate(gold, system).sentences)
    >>> [(item.gold, item.system, item.count) for item in found.confusions]
    [('NP', 'ADVP', 1)]
    >>> [(item.label, item.gold_parent, item.system_parent) for item in found.attachments]
    [('NP', 'VP', 'NP'), ('PP', 'VP', 'NP')]
    """
    numbers: dict[tuple[Any, ...], list[int]] = {}

    def note(*key: Any) -> None:
        numbers.setdefault(key, []).append(sentence.number)

    total = RunningSum(AnalysisCounts())
    for sentence in sentences:
        counts = sentence.analysis_counts()
        total.add(counts)
        for label, count in counts.labels.labels.items():
            if count.missed:
                note("missed", label)
            if count.extra:
                note("extra", label)
        for kind, table in (
            ("confused", counts.labels.confused),
            ("attached", counts.attached),
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
    return Analysis(
        tuple(
            LabelErrors(label, labels[label], where("missed", label), where("extra", label))
            for label in sorted(labels, key=lambda label: (-labels[label].gold, label))
        ),
        tuple(
            Confusion(gold, system, count, where("confused", (gold, system)))
            for (gold, system), count in _ranked(counts.labels.confused)
        ),
        tuple(
            Attachment(label, above, other, count, where("attached", (label, above, other)))
            for (label, above, other), count in _ranked(counts.attached)
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


def _ranked(counts: Mapping[Any, int]) -> list[tuple[Any, int]]:
    """Keys and counts, most frequent first, then by label (``None`` before any label)."""

    def order(key: Sequence[str | None]) -> tuple[int, list[tuple[bool, str]]]:
        return -counts[key], [(part is not None, part or "") for part in key]

    return [(key, counts[key]) for key in sorted(counts, key=order)]


def _lengths(classes: Mapping[int, BracketCounts], where: _Where) -> Iterator[LengthClass]:
    for place in range(max(classes, default=-1) + 1):
        longest = (place + 1) * LENGTH_STEP
        yield LengthClass(
            place * LENGTH_STEP + 1,
            longest if longest <= LONGEST_STEP else None,
            classes.get(place, BracketCounts()),
            where("length", place),
        )
