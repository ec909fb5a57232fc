"""Error analysis: what is confused, missing, extra and wrongly attached, and where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ..metrics.brackets import BracketCounts, Comparison, Constituent
from ..metrics.by_label import LabelCount, label_counts
from ..records import Record
from ..results import SentenceResult
from ..tree import Tree

F1_STEPS = 20
"""Classes of sentence F1 below 1, each ``1 / F1_STEPS`` wide; F1 = 1 has a class of its own."""

LENGTH_STEP = 10
LONGEST_STEP = 60
"""Classes of sentence length are 1-10, 11-20 and so on; what is longer than this is one class."""


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
    sentences: tuple[int, ...]


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
    missed_in: tuple[int, ...]
    extra_in: tuple[int, ...]

    @property
    def missed(self) -> int:
        """Gold constituents without a match."""
        return self.counts.gold - self.counts.matched

    @property
    def extra(self) -> int:
        """The system's constituents without a match."""
        return self.counts.system - self.counts.system_matched


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
    sentences: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LengthClass:
    """The sentences of some lengths.

    Attributes:
        shortest: Least length, in units; sentences without any are in the first class.
        longest: Greatest length; ``None`` for no limit.
        record: The sum over its sentences.
        sentences: Their numbers, ascending.
    """

    shortest: int
    longest: int | None
    record: Record
    sentences: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Analysis:
    """Where the errors of an evaluation are.

    Attributes:
        labels: One entry a label, the most frequent gold labels first.
        confusions: Most frequent first, then by label.
        attachments: Most frequent first, then by label.
        lengths: In order of length, without empty classes at the end.
        f1: For each class of sentence F1 the numbers of its sentences: class
            ``i`` is [i, i + 1) / ``F1_STEPS``, the last one is F1 = 1.
        without_f1: Numbers of the sentences without constituents on either side.
    """

    labels: tuple[LabelErrors, ...]
    confusions: tuple[Confusion, ...]
    attachments: tuple[Attachment, ...]
    lengths: tuple[LengthClass, ...]
    f1: tuple[tuple[int, ...], ...]
    without_f1: tuple[int, ...]

    def to_dict(self) -> dict[str, Any]:
        """The counts, JSON-ready; without the numbers of the sentences."""
        return {
            "labels": {
                item.label: {**item.counts.to_dict(), "missed": item.missed, "extra": item.extra}
                for item in self.labels
            },
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
                {"shortest": item.shortest, "longest": item.longest, **item.record.to_dict()}
                for item in self.lengths
            ],
            "f1": [len(numbers) for numbers in self.f1],
            "without_f1": len(self.without_f1),
        }


_Key: TypeAlias = tuple["str | None", ...]


class _Tally:
    """Counts by labels, and the sentences they come from."""

    def __init__(self) -> None:
        self.counts: dict[_Key, int] = {}
        self.sentences: dict[_Key, list[int]] = {}

    def add(self, key: _Key, number: int, times: int = 1) -> None:
        self.counts[key] = self.counts.get(key, 0) + times
        numbers = self.sentences.setdefault(key, [])
        if not numbers or numbers[-1] != number:
            numbers.append(number)

    def numbers(self, *key: str) -> tuple[int, ...]:
        return tuple(self.sentences.get(key, ()))

    def ranked(self) -> Iterator[tuple[Any, int, tuple[int, ...]]]:
        """Keys, counts and sentences, most frequent first, then by label (``None`` before any label)."""
        order = sorted(
            self.counts,
            key=lambda key: (-self.counts[key], [(part is not None, part or "") for part in key]),
        )
        for key in order:
            yield key, self.counts[key], tuple(self.sentences[key])


def analyse(sentences: Iterable[SentenceResult]) -> Analysis:
    """Looks for the errors of some sentences.

    Args:
        sentences: Results in order of their numbers; each is looked at once.

    Returns:
        The analysis.

    Cost: O(nodes + tokens).

    >>> from jpevalb.corpus import evaluate
    >>> gold = ["(S (NP (PRP I)) (VP (VBP eat) (NP (NN fish)) (PP (IN with) (NP (NNS forks)))))"]
    >>> system = ["(S (NP (PRP I)) (VP (VBP eat) (NP (NP (NN fish)) (PP (IN with) (ADVP (NNS forks))))))"]
    >>> found = analyse(evaluate(gold, system).sentences)
    >>> [(item.gold, item.system, item.count) for item in found.confusions]
    [('NP', 'ADVP', 1)]
    >>> [(item.label, item.gold_parent, item.system_parent) for item in found.attachments]
    [('NP', 'VP', 'NP'), ('PP', 'VP', 'NP')]
    """
    table: dict[str, list[LabelCount]] = {}
    confused, attached, missed, extra = _Tally(), _Tally(), _Tally(), _Tally()
    lengths: dict[int, tuple[list[Record], list[int]]] = {}
    f1: list[list[int]] = [[] for _ in range(F1_STEPS + 1)]
    without_f1: list[int] = []
    for sentence in sentences:
        number, record = sentence.number, sentence.record
        place = f1_class(record.brackets)
        (without_f1 if place is None else f1[place]).append(number)
        records, numbers = lengths.setdefault(length_class(record.beads.length), ([], []))
        records.append(record)
        numbers.append(number)
        found = Comparison(sentence.matched, sentence.missed, sentence.extra, sentence.crossing)
        counts = label_counts(found)
        for label, count in counts.labels.items():
            table.setdefault(label, []).append(count)
            if count.gold > count.matched:
                missed.add((label,), number)
            if count.system > count.system_matched:
                extra.add((label,), number)
        for key, times in counts.confused.items():
            confused.add(key, number, times)
        for constituent, above, system_above in attachments(sentence):
            parents = (above and above.label, system_above and system_above.label)
            attached.add((constituent.label, *parents), number)
    labels = {label: LabelCount.sum(counts) for label, counts in table.items()}
    return Analysis(
        tuple(
            LabelErrors(label, labels[label], missed.numbers(label), extra.numbers(label))
            for label in sorted(labels, key=lambda label: (-labels[label].gold, label))
        ),
        tuple(Confusion(key[0], key[1], count, numbers) for key, count, numbers in confused.ranked()),
        tuple(
            Attachment(key[0], key[1], key[2], count, numbers) for key, count, numbers in attached.ranked()
        ),
        tuple(_lengths(lengths)),
        tuple(tuple(numbers) for numbers in f1),
        tuple(without_f1),
    )


def attachments(
    sentence: SentenceResult,
) -> list[tuple[Constituent, Constituent | None, Constituent | None]]:
    """The matched constituents of a sentence whose parents differ.

    The parent is the nearest constituent above, whatever stands between that is
    not counted.  Parents are the same if they span the same units: another
    label over them is a confusion, not an attachment.  A constituent without
    parent counts as hanging from the whole sentence.  An extra constituent
    thus takes all its children from their parent.

    Returns:
        Gold constituent, its gold parent, and the parent of its match in the
        system's tree; in preorder of the gold tree.

    Cost: O(nodes + tokens).
    """
    matched = sentence.matched
    if not sentence.missed and not sentence.extra:
        return []
    whole = (0, len(sentence.units))
    gold = _parents(sentence.gold, [*[pair[0] for pair in matched], *sentence.missed])
    system = _parents(sentence.system, [*[pair[1] for pair in matched], *sentence.extra])
    found = []
    for item, other in matched:
        above, system_above = gold[item.node], system[other.node]
        if _span(above, whole) != _span(system_above, whole):
            found.append((item, above, system_above))
    return found


def f1_class(counts: BracketCounts) -> int | None:
    """The class of a sentence's F1, ``F1_STEPS`` for F1 = 1, ``None`` where it has none; exact.

    >>> f1_class(BracketCounts.of_sentence(20, 20, 19, 0)), f1_class(BracketCounts.of_sentence(3, 3, 3, 0))
    (19, 20)
    """
    total = counts.gold + counts.system
    return 2 * counts.matched * F1_STEPS // total if total else None


def length_class(length: int) -> int:
    """The class of a length in units; 0 also for sentences without any."""
    return (min(length, LONGEST_STEP + 1) - 1) // LENGTH_STEP if length else 0


def _lengths(classes: dict[int, tuple[list[Record], list[int]]]) -> Iterator[LengthClass]:
    for place in range(max(classes, default=-1) + 1):
        records, numbers = classes.get(place, ([], []))
        longest = (place + 1) * LENGTH_STEP
        yield LengthClass(
            place * LENGTH_STEP + 1,
            longest if longest <= LONGEST_STEP else None,
            Record.sum(records),
            tuple(numbers),
        )


def _parents(tree: Tree, constituents: Sequence[Constituent]) -> list[Constituent | None]:
    """For each node the nearest of the constituents above it."""
    of_node = {item.node: item for item in constituents}
    above: list[Constituent | None] = []
    for parent in tree.parents:
        above.append(of_node.get(parent) or (above[parent] if parent >= 0 else None))
    return above


def _span(constituent: Constituent | None, whole: tuple[int, int]) -> tuple[int, int]:
    return whole if constituent is None else (constituent.start, constituent.end)
