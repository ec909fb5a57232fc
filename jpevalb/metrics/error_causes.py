"""Errors by cause: the repairs of a pair, and how often and at what cost each cause occurs."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from .._core.brackets import tags
from .._core.hanging import hanging
from ..alignment.pair import Pair
from ..model.counts import Counts, f1
from ..model.frozen import frozen
from ..model.labels import Labels
from ..model.tree import Tree
from .brackets import BracketCounts, Comparison, Constituent
from .causes import Classes, cause_of
from .repair_tree import Step
from .repairs import Side, repairs


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


class Repair(NamedTuple):
    """One repair of a sentence.

    Attributes of ``step`` that are numbers of constituents are resolved here.
    """

    cause: str
    """One of ``jpevalb.metrics.causes.CAUSES``."""
    step: Step
    """What is done, and where."""
    missed: tuple[Constituent, ...]
    """Gold constituents that are there then."""
    extra: tuple[Constituent, ...]
    """The system's constituents that are right then, or gone."""
    nodes: tuple[int, ...]
    """What moves or is grouped: nodes of the system's tree, the preterminal of a word."""


def repairs_of(found: Comparison, pair: Pair, labels: Labels, classes: Classes) -> list[Repair]:
    """The repairs of a pair, by the parts of the tree that they are in.

    Args:
        found: Its constituents, told apart.
        pair: The pair.
        labels: Which labels are equal.
        classes: What labels are.

    Returns:
        Repairs whose ``missed`` together are those of ``found``, each once, and so ``extra``.

    Cost: as :func:`jpevalb.metrics.repairs.repairs`.
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


def _side(tree: Tree, items: list[Constituent], partners: list[int], labels: Labels) -> Side:
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


def _same(label: str, labels: Labels) -> str:
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
