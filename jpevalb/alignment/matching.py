"""Matching: the constituents of both sides of a pair that count, and which correspond."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from ..settings.labels import DUMMY_ROOT
from ..settings.rules import RunRules
from ..settings.scored import of_brackets, shortened, without_words
from ..trees.tree import Tree

ConstituentTable: TypeAlias = "tuple[list[str], list[int], list[int], list[int], list[int] | None]"
"""Constituents of one side: names, first units, last units + 1, nodes, and bit sets of those with gaps
(``None`` if there are none)."""


class Matching(NamedTuple):
    """The constituents of both sides of a pair and their matches."""

    gold: ConstituentTable
    system: ConstituentTable
    partners: list[int]  # for each gold constituent the index of its system constituent, or -1
    crossed: list[bool]  # for each system constituent True if it crosses a gold one
    size: int  # number of units


class ScoredPair(NamedTuple):
    """Both trees as scored, and their matched constituents."""

    gold: Tree
    system: Tree
    matching: Matching


def scored_tree(tree: Tree, kept: Sequence[bool] | None, rules: RunRules) -> tuple[Tree, list[int] | None]:
    """Return the tree of the words that stay, and the node that each node was if these have changed."""
    nodes = None
    if kept is not None and not all(kept):
        tree, nodes = without_words(tree, kept)
    return shortened(tree, rules.convention.cut_at), nodes


def scored_pair(
    trees: Sequence[Tree],
    kept: tuple[list[bool], list[bool]] | None,
    brackets: tuple[Any, Any, int],
    rules: RunRules,
) -> ScoredPair:
    """Return the scored trees of a pair, and its constituents by their nodes.

    Args:
        trees: The trees as read.
        kept: For each word of both sides True if it stays; ``None`` if all do.
        brackets: What the kernel's ``Rules.brackets`` returns.
        rules: The rules of the run.
    """
    *sides, size = brackets
    chosen, partners = [*range(len(sides[0][0]))], sides[0][4]
    if rules.convention.repeats == "any":
        chosen, partners = _repeated(*sides)
    made = [
        _scored_side(trees[side], kept and kept[side], sides[side], indices, rules)
        for side, indices in ((0, chosen), (1, range(len(sides[1][0]))))
    ]
    (gold, gold_table, order), (system, system_table, system_order) = made
    place = {index: new for new, index in enumerate(system_order)}
    return ScoredPair(
        gold,
        system,
        Matching(
            gold_table,
            system_table,
            [place.get(partners[index], -1) for index in order],
            [sides[1][5][index] for index in system_order],
            size,
        ),
    )


def _scored_side(
    tree: Tree, kept: Sequence[bool] | None, brackets: Any, chosen: Sequence[int], rules: RunRules
) -> tuple[Tree, ConstituentTable, list[int]]:
    """Return the scored tree of a side, its constituents, and the place in ``chosen`` of each."""
    # The bracket of a tree that is one tag has the node of the tag.
    bracket_nodes = [node for node, is_tag in enumerate(tree.preterminals) if not is_tag] or [0]
    sources = [bracket_nodes[brackets[0][index]] for index in chosen]
    old: list[int] | None  # the node that each node was, if these have changed
    if rules.standardises:
        flags = [True] * len(tree.words) if kept is None else kept
        scored, old = of_brackets(tree, flags, Counter(sources), rules.convention, rules.tag_name)
    else:
        scored, old = scored_tree(tree, kept, rules)
    nodes = sources
    if old is not None:
        numbers: dict[int, list[int]] = {}
        for node, source in enumerate(old):
            if scored.labels[node] is not DUMMY_ROOT:
                numbers.setdefault(source, []).append(node)
        seen: Counter[int] = Counter()
        nodes = []
        for source in sources:
            nodes.append(numbers[source][seen[source]])
            seen[source] += 1
    _, starts, ends, bits, *_ = brackets
    # In the order of the nodes, but brackets over dropped words only come last.
    last = not rules.convention.least
    order = sorted(
        range(len(chosen)),
        key=lambda place: (last and starts[chosen[place]] == ends[chosen[place]], nodes[place]),
    )
    indices = [chosen[place] for place in order]
    gaps = None if bits is None else [bits[index] for index in indices]
    table = (
        [rules.resolve(scored.labels[nodes[place]]) or "" for place in order],
        [starts[index] for index in indices],
        [ends[index] for index in indices],
        [nodes[place] for place in order],
        gaps if gaps and any(gaps) else None,
    )
    return scored, table, order


def _repeated(gold: Any, system: Any) -> tuple[list[int], list[int]]:
    """Return gold's constituents if each of the system that gold has is matched, and their matches, by index.

    The first of some equal ones that are matched is repeated as often as the system has it.
    """
    wanted: dict[int, list[int]] = {}
    for index, partner in enumerate(system[4]):
        if partner >= 0:
            wanted.setdefault(partner, []).append(index)
    chosen: list[int] = []
    partners: list[int] = []
    for index, partner in enumerate(gold[4]):
        mine = [-1] if partner < 0 else wanted.get(index, ())
        chosen += [index] * len(mine)
        partners += mine
    return chosen, partners
