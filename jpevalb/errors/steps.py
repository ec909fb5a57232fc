"""The steps of a correction: the tree is divided at matched nodes, and each part is corrected by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from .corrections import Child, ConstituentTree, Step
from .search import Node, Part

# Maximum number of masks processed per sentence, and in addition per word.
WORK = 1_000_000
WORK_A_WORD = 100

# Maximum size of a part, nodes times leaves, in which moves are tried.
MOST_BITS = 1 << 26

Units: TypeAlias = tuple[Sequence[int], Sequence[int]]


def steps(gold: ConstituentTree, system: ConstituentTree, units: Units | None) -> list[Step]:
    """Return steps that turn the system's constituents into gold's.

    ``units`` has the unit of each word of both sides, -1 for none; ``None`` if each unit has one word of
    each.
    """
    left = WORK + WORK_A_WORD * (len(gold.tree.words) + len(system.tree.words))
    made: list[Step] = []
    if units is None:
        system.find_homes()
        gold.find_homes(system.homes)
        _correct_parts(gold, system, left, made)
    elif (len(gold.names) + len(system.names)) * (max(units[1], default=0) + 1) <= MOST_BITS:
        _whole(gold, system, units, left).solve(made)
    missed = {node for step in made for node in step.missed}
    extra = {node for step in made for node in step.extra}
    # Errors that are left, and gold constituents that have no place among the system's words, are added and
    # removed as they are in their own trees.
    for kind, side, done in (("remove", system, extra), ("add", gold, missed)):
        made += [
            _alone(kind, side, index)
            for index, node in enumerate(side.nodes)
            if side.partners[index] < 0 and node not in done
        ]
    return made


def _alone(kind: str, side: ConstituentTree, index: int) -> Step:
    """Return the step that adds or removes a constituent of its tree without other changes."""
    name, node, parent, run = side.names[index], side.nodes[index], side.parents[index], side.below[index]
    group = side.below[parent]
    at = group.index(index)
    parts, beside = (
        tuple([Child(side.name_of(child), child < 0) for child in some])
        for some in (run, [*group[max(at - 1, 0) : at], *group[at + 1 : at + 2]])
    )
    return Step(
        kind,
        name,
        name,
        None if parent < 0 else side.names[parent],
        parts,
        beside,
        one_word=side.is_one_word(run),
        missed=(node,) if kind == "add" else (),
        extra=(node,) if kind == "remove" else (),
        run=tuple([side.node_of(child) for child in run]) if kind == "remove" else (),
    )


def _correct_parts(gold: ConstituentTree, system: ConstituentTree, left: int, made: list[Step]) -> None:
    """Correct each part between matched nodes that has errors."""
    missing: dict[int, list[int]] = {
        home: [] for home, partner in zip(system.homes, system.partners) if partner < 0
    }
    for index, (home, partner) in enumerate(zip(gold.homes, gold.partners)):
        if partner < 0:
            missing.setdefault(home, []).append(index)
    for home, indices in missing.items():
        part = Part(gold, system, left)
        leaves = _leaves(part, system, home)
        if (len(part.nodes) - 1 - len(leaves) + len(indices)) * len(leaves) > MOST_BITS:
            continue
        bits: dict[int, int] = {}
        for number, leaf in enumerate(leaves):
            assert leaf.index is not None
            bits[leaf.index if leaf.index < 0 else system.homes[leaf.index]] = 1 << number
            part.set_leaf(leaf, 1 << number)
        part.complete()
        masks: dict[int, int] = {}
        for index in reversed(indices):
            if gold.settled[index]:
                masks[index] = part.top.mask
                continue
            masks[index] = 0
            for child in gold.below[index]:
                if child < 0:
                    masks[index] |= bits[child]
                elif gold.partners[child] < 0 and gold.homes[child] == home:
                    masks[index] |= masks[child]
                else:
                    masks[index] |= bits[gold.homes[child]]
        for index in indices:
            part.add_missing(index, masks[index])
        part.solve(made)
        left = part.left


def _leaves(part: Part, system: ConstituentTree, home: int) -> list[Node]:
    """Add the nodes of a part in preorder, and return its leaves."""
    start = home
    leaves: list[Node] = []
    parent = part.top
    if home >= 0:
        parent.name = part.above = system.names[start]
        parent.index = start
        # Constituents with the yield of the whole part, in whichever order, hang from its top.
        while len(system.below[start]) == 1 and system.below[start][0] >= 0:
            start = system.below[start][0]
        first = start
        while system.parents[first] >= 0 and len(system.below[system.parents[first]]) == 1:
            first = system.parents[first]
        for index in range(first, start + 1):
            if system.partners[index] < 0:
                parent = part.add_node(parent, index, free=True)
    waiting = [(child, parent) for child in reversed(system.below[start])]
    while waiting:
        index, above = waiting.pop()
        is_leaf = index < 0 or system.partners[index] >= 0 or system.homes[index] != home
        node = part.add_node(above, index, free=not is_leaf)
        if is_leaf:
            leaves.append(node)
        else:
            waiting.extend([(child, node) for child in reversed(system.below[index])])
    return leaves


def _whole(gold: ConstituentTree, system: ConstituentTree, units: Units, left: int) -> Part:
    """Return the whole tree as one part, whose nodes have sets of units that may overlap."""
    part = Part(gold, system, left, overlap=True)
    nodes: dict[int, Node] = {}
    waiting = [(child, part.top) for child in reversed(system.below[-1])]
    while waiting:
        index, above = waiting.pop()
        if index >= 0:
            node = nodes[index] = part.add_node(above, index, free=True)
            waiting.extend([(other, node) for other in reversed(system.below[index])])
        elif (unit := units[1][~index]) >= 0:
            part.set_leaf(part.add_node(above, index, free=False), 1 << unit)
    part.complete(system.partners)
    masks = [0] * (len(gold.names) + 1)
    for index, children in enumerate(gold.below):
        for child in children:
            if child < 0 and (unit := units[0][~child]) >= 0:
                masks[index] |= 1 << unit
    for index in reversed(range(len(gold.names))):
        masks[gold.parents[index]] |= masks[index]
    for partner in gold.partners:
        if partner >= 0:
            part.balance[nodes[partner].key] -= 1
    for index, partner in enumerate(gold.partners):
        if partner < 0:
            part.add_missing(index, masks[index])
    return part
