"""The metric of the error analysis: repairs of each pair by cause, labels, confusions, scores by length."""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from ..alignment.pair import Pair
from ..kernels.brackets import tags
from ..kernels.hanging import hanging
from ..metrics import Measure, Metric, Rate, quotient
from ..metrics.brackets import BracketCounts, BracketMatch, Constituent, compare_brackets, length
from ..metrics.by_label import label_counts
from ..trees.labels import LabelPolicy
from ..trees.settings import Settings
from ..trees.tree import Tree
from .analysis import F1_STEPS, LENGTH_STEP, LONGEST_STEP, AnalysisCounts, CauseCount
from .causes import CAUSES, Classes, cause_of, load_classes
from .repair_tree import Step
from .repairs import Side, repairs

CAUSES_GROUP = "Points of F1 lost by cause"
"""Heading of the causes in a comparison of systems."""


class ErrorAnalysis(Metric):
    """The metric behind ``--analysis``."""

    name = "analysis"
    counts = AnalysisCounts
    settings = ("error_classes", "lang")

    def __init__(self, settings: Settings, labels: LabelPolicy) -> None:
        self._labels = labels
        self._classes = load_classes(settings.error_classes, lang=settings.lang)

    def count(self, pair: Pair) -> AnalysisCounts:
        found = compare_brackets(pair, self._labels)
        made = repairs_of(found, pair, self._labels, self._classes)
        return analysis_counts(found, made, length(pair, self._labels))


def _cause_rate(cause: str) -> Rate:
    """What errors of a cause cost: 1 - F1 is the sum over all causes."""

    def counts(record: AnalysisCounts) -> tuple[int, int]:
        found = record.causes.get(cause)
        brackets = record.lengths.values()
        return found.brackets if found else 0, sum([item.gold + item.system for item in brackets])

    measure = Measure(
        "cause_" + re.sub("[^a-z0-9]+", "_", cause.lower()), cause, larger_is_better=False, group=CAUSES_GROUP
    )
    return quotient(measure, counts)


ErrorAnalysis.rates = tuple(map(_cause_rate, CAUSES))


def analysis_counts(found: BracketMatch, made: Sequence[Repair], length: int) -> AnalysisCounts:
    """The record of one pair.

    Cost: O(constituents).
    """
    matched = len(found.matched)
    brackets = BracketCounts.of_sentence(
        matched + len(found.missed), matched + len(found.extra), matched, len(found.crossing)
    )
    place = f1_class(brackets)
    return AnalysisCounts(
        label_counts(found),
        cause_counts(made),
        {length_class(length): brackets},
        {} if place is None else {place: 1},
        int(place is None),
    )


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


# -- repairs ----------------------------------------------------------------------


class Repair(NamedTuple):
    """One repair of a sentence.

    Attributes of ``step`` that are numbers of constituents are resolved here.
    """

    cause: str
    """One of ``jpevalb.errors.causes.CAUSES``."""
    step: Step
    """What is done, and where."""
    missed: tuple[Constituent, ...]
    """Gold constituents that are there then."""
    extra: tuple[Constituent, ...]
    """The system's constituents that are right then, or gone."""
    nodes: tuple[int, ...]
    """What moves or is grouped: nodes of the system's tree, the preterminal of a word."""


def repairs_of(found: BracketMatch, pair: Pair, labels: LabelPolicy, classes: Classes) -> list[Repair]:
    """The repairs of a pair, by the parts of the tree that they are in.

    Args:
        found: Its constituents, told apart.
        pair: The pair.
        labels: Which labels are equal.
        classes: What labels are.

    Returns:
        Repairs whose ``missed`` together are those of ``found``, each once, and so ``extra``.

    Cost: as :func:`jpevalb.errors.repairs.repairs`.
    """
    if not found.missed and not found.extra:
        return []
    gold = sorted([*[one for one, _ in found.matched], *found.missed], key=attrgetter("node"))
    system = sorted([*[other for _, other in found.matched], *found.extra], key=attrgetter("node"))
    partner = {one.node: other.node for one, other in found.matched}
    places = {item.node: place for place, item in enumerate(system)}
    partners = [places.get(partner.get(item.node, -1), -1) for item in gold], [-1] * len(system)
    for mine, its in enumerate(partners[0]):
        if its >= 0:
            partners[1][its] = mine
    gold_units, system_units, size = pair.unit_of_words()
    units = None
    # Units with one word of each side are like words.
    if (
        gold_units is not None
        and system_units is not None
        and not list(gold_units) == list(system_units) == list(range(size))
    ):
        units = gold_units, system_units
    steps = repairs(
        _side(pair.gold, gold, partners[0], labels), _side(pair.system, system, partners[1], labels), units
    )
    words = pair.system.word_parents
    return [
        Repair(
            cause_of(step, classes),
            step,
            tuple([gold[place] for place in step.missed]),
            tuple([system[place] for place in step.extra]),
            tuple([system[place].node if place >= 0 else words[~place] for place in step.run]),
        )
        for step in steps
    ]


def _side(tree: Tree, items: list[Constituent], partners: list[int], labels: LabelPolicy) -> Side:
    names, starts, ends, nodes, gaps = zip(*items) if items else ((), (), (), (), ())
    parents, word_parents, below = hanging(tree.parents, tree.word_parents, list(nodes))
    known = labels.representatives
    return Side(
        names,
        [known[name] if name in known else _same(name, labels) for name in names],
        parents,
        list(zip(starts, ends, gaps)),
        partners,
        word_parents,
        tags(tree.labels, tree.parents, tree.starts, tree.ends, tree.word_parents),
        below,
    )


def _same(label: str, labels: LabelPolicy) -> str:
    """One name for labels that are equal to one another."""
    equal = labels.equal_brackets
    group = {label, *equal.get(label, ())}
    found = label
    if labels.resolve(label) == "":
        found = ""
    # Equality need not be transitive; then labels stand for themselves.
    elif all({other, *equal.get(other, ())} == group for other in group):
        found = min(group)
    if len(labels.representatives) < _MOST_LABELS:
        labels.representatives[label] = found
    return found


_MOST_LABELS = 100_000


def cause_counts(found: Sequence[Repair]) -> dict[str, CauseCount]:
    """The repairs by cause.

    >>> cause_counts([])
    {}
    """
    table: dict[str, list[int]] = {}
    for repair in found:
        counts = table.setdefault(repair.cause, [0, 0, 0])
        counts[0] += 1
        counts[1] += len(repair.missed)
        counts[2] += len(repair.extra)
    return {cause: CauseCount(*counts) for cause, counts in table.items()}
