"""Repairs: turning the system's tree into gold's, step by step.

Source: Kummerfeld, Hall, Curran & Klein 2012 (Parser Showdown at the Wall Street Corral, EMNLP, section 3).
An error is whatever one operation on the tree repairs, however many brackets that takes, so a single
misplaced prepositional phrase is one error and not five.  Each step is the operation that leaves
fewest bracket errors:

- *relabel* a node;
- *add* a missing node over some children of one node, or *remove* an extra node;
- *move* a run of children, but not all children of a node: out of extra nodes at whose edge it is,
  into extra nodes next to it, or both, at any depth.  A missing
  node may be put around the run and some of its new sisters, and a node that is left
  with one child and is still extra is removed.

Unlike there, operations work on the system's own words, and constituents are equal
to gold's by units alone, so the two sides may differ in words and in sentences; trees
may have gaps; a matched node is never touched.  So every part of the tree between
matched nodes is repaired by itself, and no step makes a new error.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from ..trees.frozen import NamedTuple
from .repair_moves import Node, Work
from .repair_tree import Child, RepairTree, Step

WORK = 1_000_000
WORK_A_WORD = 100
"""Maximum number of masks processed per sentence, and in addition per word: about 0.1 microseconds each."""

MOST_BITS = 1 << 26
"""Maximum size of a part, nodes times leaves, in which moves are tried."""


class ConstituentTree(NamedTuple):
    """The constituents of one side in preorder, and the tree that they form."""

    names: Sequence[str]
    """Their labels."""
    labels: Sequence[str]
    """Names under which they count: labels are equal where these are."""
    parents: Sequence[int]
    """The nearest constituent above, or -1."""
    yields: Sequence[Hashable]
    """Their units, as any value that is the same on both sides if and only if the units are."""
    partners: Sequence[int]
    """The matching constituent of the other side, or -1."""
    word_parents: Sequence[int]
    """For each word the lowest constituent that has it, or -1."""
    tags: Sequence[str | None]
    below: Sequence[Sequence[int]]
    """For each constituent its children by first word: constituents, ``~w`` for word ``w``; a last
    list for those without a parent.  See :mod:`jpevalb.kernels.hanging`."""


def repairs(
    gold: ConstituentTree,
    system: ConstituentTree,
    units: tuple[Sequence[int], Sequence[int]] | None = None,
) -> list[Step]:
    """Return steps that turn the system's constituents into gold's.

    Each unmatched gold constituent is in ``missed`` of one step, each unmatched system constituent in
    ``extra`` of one.  ``units`` is the unit of each word of both sides; ``None`` if word ``i`` is unit ``i``
    on both sides, or each unit has one word of each.
    """
    missed = [index for index, partner in enumerate(gold.partners) if partner < 0]
    extra = [index for index, partner in enumerate(system.partners) if partner < 0]
    if not missed and not extra:
        return []
    work = Work(WORK + WORK_A_WORD * (len(gold.word_parents) + len(system.word_parents)))
    steps: list[Step] = []
    if units is None:
        for of_part in _parts(gold, system, missed, extra, work):
            steps += of_part
    elif (len(gold.labels) + len(system.labels)) * (max(units[1], default=0) + 1) <= MOST_BITS:
        steps += _whole(gold, system, units, missed, extra, work).solve()
    # Errors that are left, and gold constituents that have no place among the system's words, are added and
    # removed as they are in their own trees.
    for kind, tree, errors in (("remove", system, extra), ("add", gold, missed)):
        left = set(errors)
        for step in steps:
            left.difference_update(step.extra if kind == "remove" else step.missed)
        steps += [_alone(kind, tree, index) for index in sorted(left)]
    return steps


def _alone(kind: str, tree: ConstituentTree, index: int) -> Step:
    """Return the step that adds or removes a constituent as it is in its own tree."""

    def child_of(child: int) -> Child:
        return Child(tree.names[child], False) if child >= 0 else Child(tree.tags[~child] or "", True)

    name, parent, run = tree.names[index], tree.parents[index], tree.below[index]
    group = tree.below[parent]
    at = group.index(index)
    return Step(
        kind,
        name,
        name,
        None if parent < 0 else tree.names[parent],
        tuple(map(child_of, run)),
        tuple(map(child_of, (*group[max(at - 1, 0) : at], *group[at + 1 : at + 2]))),
        None,
        len(run) == 1 and _one_word(tree.below, run[0]),
        (index,) if kind == "add" else (),
        (index,) if kind == "remove" else (),
        tuple(run) if kind == "remove" else (),
    )


def _one_word(below: Sequence[Sequence[int]], child: int) -> bool:
    while child >= 0 and len(below[child]) == 1:
        child = below[child][0]
    return child < 0


def _parts(
    gold: ConstituentTree, system: ConstituentTree, missed: list[int], extra: list[int], work: Work
) -> Iterator[list[Step]]:
    """Yield the steps of each part between matched nodes that has errors."""
    gold_homes, homes = _homes(gold), _homes(system)
    missing: dict[Hashable, list[int]] = {homes[index]: [] for index in extra}
    for index in missed:
        missing.setdefault(gold_homes[index], []).append(index)
    yields, partners = system.yields, system.partners
    # The first matched constituent of a unary chain.
    top = {yields[index]: index for index in reversed(range(len(partners))) if partners[index] >= 0}
    top[None] = -1
    for home, indices in missing.items():
        nodes = _nodes(system, top[home], homes, home)
        leaves = sum([leaf for _, _, leaf in nodes])
        if (len(nodes) - leaves + len(indices)) * leaves > MOST_BITS:
            continue
        tree, bits = _part_tree(system, top[home], nodes, work)
        masks = _masks(gold, indices, gold_homes, home, bits, tree.top.mask)
        for index in indices:
            tree.add_missing(index, gold.labels[index], gold.names[index], masks[index])
        yield tree.solve()


def _nodes(
    system: ConstituentTree, start: int, homes: list[Hashable], home: Hashable
) -> list[tuple[int, int, bool]]:
    """Return a part's nodes in preorder: constituent or ``~w``, number of its parent here, is a leaf."""
    nodes: list[tuple[int, int, bool]] = []
    below = system.below
    top = 0
    if home is not None:
        # Constituents with the yield of the whole part, in whichever order, hang from its top.
        while len(below[start]) == 1 and below[start][0] >= 0:
            start = below[start][0]
        first = start
        while system.parents[first] >= 0 and system.yields[system.parents[first]] == home:
            first = system.parents[first]
        for index in range(first, start + 1):
            if system.partners[index] < 0:
                nodes.append((index, top, False))
                top = len(nodes)
    waiting = [(child, top) for child in reversed(below[start])]
    while waiting:
        child, parent = waiting.pop()
        leaf = child < 0 or system.partners[child] >= 0 or homes[child] != home
        nodes.append((child, parent, leaf))
        if not leaf:
            number = len(nodes)
            waiting.extend([(other, number) for other in reversed(below[child])])
    return nodes


def _part_tree(
    system: ConstituentTree, start: int, nodes: list[tuple[int, int, bool]], work: Work
) -> tuple[RepairTree, dict[Hashable, int]]:
    """Return a part with its nodes, and the bit of each leaf by yield (of a word by ``~w``)."""
    tree = RepairTree(*(() if start < 0 else (system.names[start], start)), work=work)
    bits: dict[Hashable, int] = {}
    names, yields, below = system.names, system.yields, system.below
    made = [tree.top]
    bit = 1
    for child, parent, leaf in nodes:
        above = made[parent]
        if not leaf:
            made.append(tree.add_node(above, system.labels[child], names[child], child))
            continue
        if child < 0:
            bits[child] = bit
            made.append(tree.add_leaf(above, system.tags[~child] or "", bit, child, single=True))
        else:
            bits[yields[child]] = bit
            made.append(tree.add_leaf(above, names[child], bit, child, single=_one_word(below, child)))
        bit <<= 1
    tree.complete()
    return tree, bits


_MATCHED: Hashable = ()


def _homes(tree: ConstituentTree) -> list[Hashable]:
    """Return for each unmatched constituent the yield of the part that it is in, ``None`` for the top part.

    That is the smallest matched yield that contains its own or equals it, so the order of the labels in a
    unary chain does not matter.
    """
    parents, yields, partners = tree.parents, tree.yields, tree.partners
    n = len(partners)
    homes: list[Hashable] = [_MATCHED] * n
    # True if a constituent, or one below it with the same yield, is matched.
    settled = [False] * (n + 1)
    for index in range(n - 1, -1, -1):
        child = index + 1
        settled[index] = partners[index] >= 0 or (
            settled[child] and parents[child] == index and yields[child] == yields[index]
        )
    for index in range(n):
        if partners[index] < 0:
            parent = parents[index]
            if settled[index]:
                homes[index] = yields[index]
            elif parent < 0:
                homes[index] = None
            else:
                homes[index] = yields[parent] if partners[parent] >= 0 else homes[parent]
    return homes


def _masks(
    gold: ConstituentTree,
    indices: list[int],
    homes: list[Hashable],
    home: Hashable,
    bits: dict[Hashable, int],
    whole: int,
) -> dict[int, int]:
    """Return the leaves that each missing constituent of a part has."""
    masks: dict[int, int] = {}
    yields = gold.yields
    for index in reversed(indices):
        if yields[index] == home:
            masks[index] = whole
            continue
        mask = 0
        for child in gold.below[index]:
            if child < 0:
                mask |= bits[child]
            elif gold.partners[child] < 0 and homes[child] == home:
                mask |= masks[child]
            else:
                mask |= bits[yields[child]]
        masks[index] = mask
    return masks


def _whole(
    gold: ConstituentTree,
    system: ConstituentTree,
    units: tuple[Sequence[int], Sequence[int]],
    missed: list[int],
    extra: list[int],
    work: Work,
) -> RepairTree:
    """Return the whole tree as one part, whose nodes have sets of units that may overlap."""
    tree = RepairTree(work=work, overlap=True)
    nodes: dict[int, Node] = {}
    waiting = [(child, tree.top) for child in reversed(system.below[-1])]
    while waiting:
        child, parent = waiting.pop()
        if child < 0:
            tree.add_leaf(parent, system.tags[~child] or "", 1 << units[1][~child], child, single=True)
        else:
            node = nodes[child] = tree.add_node(parent, system.labels[child], system.names[child], child)
            waiting.extend([(other, node) for other in reversed(system.below[child])])
    tree.complete(extra)
    masks = [0] * (len(gold.labels) + 1)
    for word, parent_index in enumerate(gold.word_parents):
        masks[parent_index] |= 1 << units[0][word]
    for index in range(len(gold.labels) - 1, -1, -1):
        masks[gold.parents[index]] |= masks[index]
    for partner in gold.partners:
        if partner >= 0:
            tree.add_matched(nodes[partner])
    for index in missed:
        tree.add_missing(index, gold.labels[index], gold.names[index], masks[index])
    return tree
