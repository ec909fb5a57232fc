"""Function tags: SBJ in NP-SBJ, of constituents that match, and as a part of what has to match."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ..alignment.pair import Pair
from ..kernels.brackets import matches
from ..trees.counts import Counts, Matched
from ..trees.frozen import field, frozen
from ..trees.labels import cut
from ..trees.tree import Tree
from . import Column, Figure, Measure, Metric, f1_rate
from .brackets import Side, matching, picked

_PART = re.compile("[-=]([^-=]+)")


@frozen
class FunctionCounts(Counts):
    """Function tags of some sentences.

    Attributes:
        tags: Function tags of constituents that match in span and category.
        brackets: All constituents; a match has the same function tags too.
    """

    tags: Matched = field(default_factory=Matched)
    brackets: Matched = field(default_factory=Matched)


def function_tags(label: str) -> tuple[str, ...]:
    """The function tags of a label in alphabetical order: what stands behind ``-`` or ``=``, but for indices.

    >>> function_tags("NP-SBJ-TMP-1"), function_tags("NP=2"), function_tags("S-TPC=H")
    (('SBJ', 'TMP'), (), ('H', 'TPC'))
    """
    rest = label[len(cut(label)) :]
    return tuple(sorted([part for part in _PART.findall(rest) if not part.isdecimal()])) if rest else ()


def _tags(tree: Tree, found: Side) -> list[tuple[str, ...]]:
    return [function_tags(tree.labels[node]) for node in found[3]]


def _with_tags(found: Side, tags: Sequence[tuple[str, ...]]) -> Side:
    names = ["-".join((name, *own)) for name, own in zip(found[0], tags)]
    return names, *found[1:]


def _equal_with_tags(sides: Sequence[Side], equal: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """For labels with function tags those with the same tags and an equal category."""
    known = {}
    for name in {name for side in sides for name in side[0]}:
        category = cut(name)
        if category in equal:
            known[name] = tuple([one + name[len(category) :] for one in equal[category]])
    return known


class Functions(Metric):
    """Function tags of constituents that match, and constituents that match with their function tags."""

    name = "functions"
    counts = FunctionCounts
    heading = "Function tags"
    rates = (
        f1_rate(Measure("function_f1", "Func. F"), lambda record: record.tags),
        f1_rate(Measure("function_bracket_f1", "F with func."), lambda record: record.brackets),
    )

    def count(self, pair: Pair) -> FunctionCounts:
        """The counts of function tags of one pair.

        Constituents with the same span, category and function tags are matched first, and then what
        is left of one span and category, from the top down; of these matches the tags that both sides
        have are right.  The order of the tags of a label means nothing, nor do indices.

        Cost: O(nodes + tokens).

        Source: Blaheta & Charniak 2000, who score the function tags of constituents that are right
        otherwise.  They leave open which constituents of a unary chain are the same: see above.
        """
        gold, system, _, _ = matching(pair, self._labels)
        mine, other = _tags(pair.gold, gold), _tags(pair.system, system)
        with_tags = _with_tags(gold, mine), _with_tags(system, other)
        equal = self._labels.equal_brackets
        found = matches(*with_tags, _equal_with_tags(with_tags, equal) if equal else {})
        whole = len(found) - found.count(-1)
        taken = set(found)
        left = [k for k, place in enumerate(found) if place < 0]
        free = [k for k in range(len(system[0])) if k not in taken]
        rest = matches(picked(gold, left), picked(system, free), equal) if left and free else []
        pairs = [
            *[(k, place) for k, place in enumerate(found) if place >= 0],
            *[(left[k], free[place]) for k, place in enumerate(rest) if place >= 0],
        ]
        tagged = [(Counter(mine[i]), Counter(other[j])) for i, j in pairs if mine[i] and other[j]]
        return FunctionCounts(
            Matched(
                sum([len(mine[i]) for i, _ in pairs]),
                sum([len(other[j]) for _, j in pairs]),
                sum([(one & two).total() for one, two in tagged]),
            ),
            Matched(len(mine), len(other), whole),
        )

    def columns(self, record: FunctionCounts) -> Sequence[Column]:
        return [Column("Func.F", record.tags.f1)]

    def figures(self, record: FunctionCounts) -> Sequence[Figure]:
        tags, brackets = record.tags, record.brackets
        return [
            Figure("Function tag recall", tags.recall),
            Figure("Function tag precision", tags.precision),
            Figure("Function tag F1", tags.f1),
            Figure("Recall with functions", brackets.recall),
            Figure("Precision with functions", brackets.precision),
            Figure("F1 with functions", brackets.f1),
        ]
