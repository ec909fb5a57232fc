"""Brackets label by label, labels confused over the same span, and function tags."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..alignment.pair import Matching, Pair
from ..base.counts import Counts, Matched, Quotient, f1
from ..kernels.counting import by_label
from ..settings.rules import cut
from ..trees.tree import Constituent, Tree
from . import Metric, matched_figures
from .brackets import aligned_words, matches


@dataclass(slots=True, eq=False, repr=False)
class LabelCount(Counts):
    """Constituents with one label, and how many of them are matched on each side."""

    gold: int = 0  #: gold constituents
    system: int = 0  #: system constituents
    matched: int = 0  #: gold constituents that match
    #: system constituents that match; unlike ``matched`` only if labels are equated or ignored
    system_matched: int = 0

    @property
    def missed(self) -> int:
        """Gold constituents without a match."""
        return self.gold - self.matched

    @property
    def extra(self) -> int:
        """System constituents without a match."""
        return self.system - self.system_matched

    recall = Quotient("matched", "gold", "Share of gold constituents that matched.")
    precision = Quotient("system_matched", "system", "Share of system constituents that matched.")

    @property
    def f1(self) -> float | None:
        """F1; ``None`` without constituents."""
        if self.matched == self.system_matched:
            return f1(self.matched, self.gold, self.system)
        recall, precision = self.recall, self.precision
        if recall is None or precision is None:
            return 0.0
        return 2 * recall * precision / (recall + precision)


@dataclass(slots=True, eq=False, repr=False)
class LabelCounts(Counts):
    """Counts by label, and by (gold label, system label) of unmatched constituents over the same span."""

    labels: Mapping[str, LabelCount] = field(default_factory=dict)  #: counts by label
    #: number of unmatched pairs over the same span, by (gold label, system label)
    confused: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return counts, rates and confusions by label, JSON-ready."""
        confusions = self.all_confusions()
        return {
            label: {**self.labels[label].to_dict(), "confused": dict(confusions.get(label, ()))}
            for label in sorted(self.labels)
        }

    def all_confusions(self) -> dict[str, list[tuple[str, int]]]:
        """Return for each gold label the system labels it is confused with, most frequent first."""
        confusions: dict[str, list[tuple[str, int]]] = {}
        for (gold, system), times in sorted(self.confused.items(), key=lambda item: (-item[1], item[0])):
            confusions.setdefault(gold, []).append((system, times))
        return confusions


class ByLabel(Metric):
    """The table of ``--by-label``."""

    name = "labels"
    counts = LabelCounts
    has_table = True

    def count(self, pair: Pair) -> LabelCounts:
        return label_counts(pair.matching)


def label_counts(match: Matching) -> LabelCounts:
    """Count labels and confusions among some constituents of a pair.

    Missed and extra constituents over the same words pair up in preorder.
    """
    extra_over: dict[tuple[int, int, int], list[str]] = {}  # labels by words, the first one last
    for item in reversed(match.extra):
        if item.start < item.end:
            extra_over.setdefault(item.span, []).append(item.label)
    confused: dict[tuple[str, str], int] = {}
    for item in match.missed:
        if others := extra_over.get(item.span):
            key = item.label, others.pop()
            confused[key] = confused.get(key, 0) + 1
    counts = by_label(match.sides[0].labels, match.sides[1].labels, match.partners)
    return LabelCounts({label: LabelCount(*numbers) for label, numbers in counts.items()}, confused)


_TAG = re.compile("[-=]([^-=]+)")


@dataclass(slots=True, eq=False, repr=False)
class FunctionCounts(Counts):
    """Function tags of some sentences."""

    #: function tags of constituents that match, and of words with equal tags
    tags: Matched = field(default_factory=Matched)
    brackets: Matched = field(default_factory=Matched)  #: all constituents; function tags must match, too


def function_tags(label: str) -> tuple[str, ...]:
    """Return the function tags of a label in alphabetical order: parts after ``-`` or ``=`` except indices.

    >>> function_tags("NP-SBJ-TMP-1"), function_tags("NP=2"), function_tags("S-TPC=H")
    (('SBJ', 'TMP'), (), ('H', 'TPC'))
    """
    rest = label[len(cut(label)) :]
    return tuple(sorted([tag for tag in _TAG.findall(rest) if not tag.isdecimal()])) if rest else ()


def _tags_of(tree: Tree, nodes: Iterable[int]) -> list[tuple[str, ...]]:
    """Return the function tags of some nodes: in their labels, and at their edges."""
    found = [function_tags(tree.labels[node]) for node in nodes]
    if not tree.edges:
        return found
    edges = [tree.edges[node] for node in nodes]
    return [tuple(sorted([*tags, *filter(None, edge.split("-"))])) for tags, edge in zip(found, edges)]


def _of_words(pair: Pair) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the functions of gold and system for each word with the same tag."""
    if not (pair.gold.edges or pair.system.edges):
        return []
    sides = [_tags_of(tree, tree.word_parents) for tree in (pair.gold, pair.system)]
    gold, system = pair.gold.tags, pair.system.tags
    return [
        (sides[0][i], sides[1][j])
        for i, j in aligned_words(pair)
        if (tag := gold[i]) is not None
        and (system[j] == tag or system[j] in pair.rules.equal_tags.get(tag, ()))
    ]


def _equal_with_tags(
    sides: Sequence[Sequence[Constituent]], equal: dict[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """Map labels with function tags to labels of equal categories with the same tags."""
    return {
        name: tuple([other + name[len(cut(name)) :] for other in equal[cut(name)]])
        for name in {item.label for side in sides for item in side}
        if cut(name) in equal
    }


class Functions(Metric):
    """Function tags of constituents that match, and constituents that match with their function tags.

    Functions at edges (:attr:`jpevalb.Tree.edges`) count as well, those of words only in the first figure and
    if the words' tags are equal.

    Source: Blaheta & Charniak 2000, who score the function tags of otherwise correct constituents; they
    do not define which constituents of a unary chain correspond.  disco-dop counts edges of words so.
    """

    name = "functions"
    counts = FunctionCounts
    heading = "Function tags"
    figures = (
        *matched_figures("function_f1", "Func. F", "tags", line="Function tag {}", column="Func.F"),
        *matched_figures("function_bracket_f1", "F with func.", "brackets", line="{} with functions"),
    )

    def count(self, pair: Pair) -> FunctionCounts:
        trees, resolve = (pair.gold, pair.system), pair.rules.resolve
        gold, system = sides = [
            [item._replace(label=resolve(item.label) or "") for item in side]
            for side in (pair.matching.gold, pair.matching.system)
        ]
        gold_tags, system_tags = tags = [
            _tags_of(tree, [item.node for item in side]) for tree, side in zip(trees, sides)
        ]
        with_tags = first, second = [
            [item._replace(label="-".join((item.label, *own))) for item, own in zip(*both)]
            for both in zip(sides, tags)
        ]
        equal, least = pair.rules.equal_brackets, pair.rules.convention.least
        partners = matches(first, second, _equal_with_tags(with_tags, equal), least=least)
        by_category = matches(gold, system, equal, least=least, known=partners)
        tagged = [(gold_tags[i], system_tags[j]) for i, j in enumerate(by_category) if j >= 0]
        tagged += _of_words(pair)
        both = [(of_gold, of_system) for of_gold, of_system in tagged if of_gold and of_system]
        return FunctionCounts(
            Matched(
                sum([len(of_gold) for of_gold, _ in tagged]),
                sum([len(of_system) for _, of_system in tagged]),
                sum([(Counter(of_gold) & Counter(of_system)).total() for of_gold, of_system in both]),
            ),
            Matched(len(gold_tags), len(system_tags), len(partners) - partners.count(-1)),
        )
