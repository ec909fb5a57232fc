"""Function tags, such as SBJ in NP-SBJ: those of matched constituents, and as part of the label."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..alignment.pair import Pair
from ..base.counts import Counts, Matched
from ..kernels.brackets import matches
from ..settings.labels import cut
from . import Metric, matched_figures
from .brackets import ConstituentTable, matching, picked

_TAG = re.compile("[-=]([^-=]+)")


@dataclass(frozen=True, slots=True)
class FunctionCounts(Counts):
    """Function tags of some sentences."""

    tags: Matched = field(default_factory=Matched)  #: function tags of constituents that match
    brackets: Matched = field(default_factory=Matched)  #: all constituents; function tags must match, too


def function_tags(label: str) -> tuple[str, ...]:
    """Return the function tags of a label in alphabetical order: parts after ``-`` or ``=`` except indices.

    >>> function_tags("NP-SBJ-TMP-1"), function_tags("NP=2"), function_tags("S-TPC=H")
    (('SBJ', 'TMP'), (), ('H', 'TPC'))
    """
    rest = label[len(cut(label)) :]
    return tuple(sorted([tag for tag in _TAG.findall(rest) if not tag.isdecimal()])) if rest else ()


def _with_tags(table: ConstituentTable, tags: Sequence[tuple[str, ...]]) -> ConstituentTable:
    return ["-".join((name, *own)) for name, own in zip(table[0], tags)], *table[1:]


def _equal_with_tags(
    sides: Sequence[ConstituentTable], equal: dict[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """Map labels with function tags to labels of equal categories with the same tags."""
    with_tags = {}
    for name in {name for side in sides for name in side[0]}:
        category = cut(name)
        if category in equal:
            with_tags[name] = tuple([other + name[len(category) :] for other in equal[category]])
    return with_tags


class Functions(Metric):
    """Function tags of constituents that match, and constituents that match with their function tags.

    Source: Blaheta & Charniak 2000, who score the function tags of otherwise correct constituents; they
    do not define which constituents of a unary chain correspond.
    """

    name = "functions"
    counts = FunctionCounts
    heading = "Function tags"
    figures = (
        *matched_figures(
            "function_f1", "Func. F", lambda record: record.tags, line="Function tag {}", column="Func.F"
        ),
        *matched_figures(
            "function_bracket_f1", "F with func.", lambda record: record.brackets, line="{} with functions"
        ),
    )

    def count(self, pair: Pair) -> FunctionCounts:
        gold, system, _, _ = matching(pair, self._labels)
        gold_tags = [function_tags(pair.gold.labels[node]) for node in gold[3]]
        system_tags = [function_tags(pair.system.labels[node]) for node in system[3]]
        with_tags = _with_tags(gold, gold_tags), _with_tags(system, system_tags)
        equal = self._labels.equal_brackets
        partners = matches(*with_tags, _equal_with_tags(with_tags, equal) if equal else {})
        taken = set(partners)
        left = [index for index, partner in enumerate(partners) if partner < 0]
        free = [index for index in range(len(system[0])) if index not in taken]
        rest = matches(picked(gold, left), picked(system, free), equal) if left and free else []
        pairs = [
            *[(index, partner) for index, partner in enumerate(partners) if partner >= 0],
            *[(left[index], free[partner]) for index, partner in enumerate(rest) if partner >= 0],
        ]
        tagged = [(gold_tags[i], system_tags[j]) for i, j in pairs if gold_tags[i] and system_tags[j]]
        return FunctionCounts(
            Matched(
                sum([len(gold_tags[i]) for i, _ in pairs]),
                sum([len(system_tags[j]) for _, j in pairs]),
                sum([(Counter(of_gold) & Counter(of_system)).total() for of_gold, of_system in tagged]),
            ),
            Matched(len(gold_tags), len(system_tags), len(partners) - len(left)),
        )
