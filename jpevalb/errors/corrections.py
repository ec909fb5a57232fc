"""The corrections of a pair: the tree is divided at matched nodes, and each part is corrected by itself."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress, count
from operator import lt
from typing import NamedTuple, TypeAlias

from ..alignment.pair import IN_UNITS, Pair
from ..kernels.counting import unmatched
from ..metrics.alignment import boundary_errors
from ..trees.tree import Constituent, Tree
from .causes import CAUSES, Classes, cause_of, load_classes
from .search import Child, ConstituentTree, Node, Part, Step

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
    left = WORK + WORK_A_WORD * (len(gold.tags) + len(system.tags))
    made: list[Step] = []
    if units is None:
        _correct_parts(gold, system, left, made)
    elif (len(gold.names) + len(system.names)) * (max(units[1], default=0) + 1) <= MOST_BITS:
        _whole(gold, system, units, left).solve(made)
    missed = {node for step in made for node in step.missed}
    extra = {node for step in made for node in step.extra}
    # Errors that are left, and gold constituents that have no place among the system's words, are added and
    # removed as they are in their own trees.
    for kind, side, done in (("remove", system, extra), ("add", gold, missed)):
        left_over = [index for index in unmatched(side.partners) if side.nodes[index] not in done]
        made += [_alone(kind, side, index) for index in left_over]
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
    above = None if parent < 0 else side.names[parent]
    missed, extra = ((node,), ()) if kind == "add" else ((), (node,))
    moved = tuple([side.node_of(child) for child in run]) if kind == "remove" else ()
    return Step(kind, name, name, above, parts, beside, side.is_one_word(index), missed, extra, moved)


def _correct_parts(gold: ConstituentTree, system: ConstituentTree, left: int, made: list[Step]) -> None:
    missing: dict[int, list[int]] = {system.homes[index]: [] for index in unmatched(system.partners)}
    for index in unmatched(gold.partners):
        missing.setdefault(gold.homes[index], []).append(index)
    for home, indices in missing.items():
        part = Part(gold, system, left)
        leaves = _leaves(part, system, home)
        if (len(part.nodes) - 1 - len(leaves) + len(indices)) * len(leaves) > MOST_BITS:
            continue
        bits: dict[int, int] = {}
        for number, (index, leaf) in enumerate(leaves):
            bits[index if index < 0 else system.homes[index]] = 1 << number
            part.set_leaf(leaf, 1 << number)
        part.complete()
        masks: dict[int, int] = {}
        for index in reversed(indices):
            if gold.settled[index]:
                masks[index] = part.top.mask
                continue
            masks[index] = 0
            for child in gold.below[index]:
                place = child if child < 0 else gold.homes[child]
                masks[index] |= masks[child] if child in masks else bits[place]
        for index in indices:
            part.add_missing(index, masks[index])
        part.solve(made)
        left = part.left


def _leaves(part: Part, system: ConstituentTree, home: int) -> list[tuple[int, Node]]:
    """Add the nodes of a part in preorder; return its leaves and their indices."""
    start = home
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
    return part.add_below(parent, start, system.below, system.homes, home)


def _whole(gold: ConstituentTree, system: ConstituentTree, units: Units, left: int) -> Part:
    """Return the whole tree as one part, whose nodes have sets of units that may overlap."""
    part = Part(gold, system, left, overlap=True)
    unit_of = [*reversed(units[1])]  # of word ~w
    below = [[child for child in some if child >= 0 or unit_of[child] >= 0] for some in system.below]
    homes = [-1] * len(system.names)  # all constituents are in this part
    for index, leaf in part.add_below(part.top, -1, below, homes, -1):
        part.set_leaf(leaf, 1 << unit_of[index])
    nodes = {node.index: node for node in part.nodes if node.free}
    part.complete(system.partners)
    masks = [0] * (len(gold.names) + 1)
    for index, children in enumerate(gold.below):
        for child in children:
            if child < 0 and (unit := units[0][~child]) >= 0:
                masks[index] |= 1 << unit
    for index in reversed(range(len(gold.names))):
        masks[gold.parents[index]] |= masks[index]
    for index, partner in enumerate(gold.partners):
        if partner < 0:
            part.add_missing(index, masks[index])
        else:
            part.balance[nodes[partner].key] -= 1
    return part


class Correction(NamedTuple):
    """One correction of a sentence, with the constituents that its step refers to."""

    cause: str  #: one of ``jpevalb.errors.causes.CAUSES``
    step: Step  #: the change of the tree
    missed: tuple[Constituent, ...]  #: gold constituents that it adds
    extra: tuple[Constituent, ...]  #: system constituents that it corrects or removes

    @property
    def nodes(self) -> tuple[int, ...]:
        """System nodes that move or are grouped; for a word its preterminal."""
        return self.step.run


_CODE_OF_CAUSE = {cause: number for number, cause in enumerate(CAUSES)}
_CODE_OF_KIND = {
    **{"relabel": "l", "add": "a", "remove": "r", "move": "m"},
    **{"alone": "n", "unparsed": "u", "unexpected": "x", "boundary": "b", "empty": "b", "unaligned": "w"},
}


def correction_codes(made: Sequence[Correction]) -> str:
    """Return corrections as compact text for pages.

    A correction is the index of its cause in ``CAUSES``, a letter for its kind, the system nodes that a move
    moves, ``-`` and the gold nodes that it adds, ``+`` and the system nodes that it corrects or removes.
    """
    codes = []
    for cause, step, *_ in made:
        run = step.run if step.kind == "move" else ()
        moved, added, wrong = [",".join(map(str, nodes)) for nodes in (run, step.missed, step.extra)]
        codes.append(f"{_CODE_OF_CAUSE[cause]}{_CODE_OF_KIND[step.kind]}{moved}-{added}+{wrong}")
    return ";".join(codes)


def corrections_of(pair: Pair, classes: Classes | None) -> list[Correction]:
    """Return the corrections of a pair, cached; each missed or extra constituent is in one of them."""
    classes = classes or load_classes()
    if pair.corrections is None or pair.corrections[0] is not classes:
        made = []
        if found := _steps(pair):
            match = pair.matching
            missed, extra = ({item.node: item for item in items} for items in (match.missed, match.extra))
            made = [
                Correction(
                    cause_of(step, classes),
                    step,
                    tuple([missed[node] for node in step.missed]),
                    tuple([extra[node] for node in step.extra]),
                )
                for step in found
            ]
        pair.corrections = classes, made
    return pair.corrections[1]  # type: ignore[no-any-return]


def _steps(pair: Pair) -> list[Step]:
    match = pair.matching
    missed, extra = match.missed, match.extra
    if not missed and not extra:
        return []
    sizes = len(match.partners), len(match.crossed)
    if len(missed) == sizes[0] and not all(sizes):
        kind = "unexpected" if extra else "unparsed"
        if not (pair.gold_sentences and pair.system_sentences):
            kind = "alone"
        return [_without_tree(kind, missed, extra)]
    if pair.rules.convention.least == 0:
        # The search needs brackets over words.
        return [_without_tree("empty", missed, extra)]
    made = []
    in_units = pair.counted[IN_UNITS]
    unaligned = in_units and (_unaligned(pair.gold, match.gold), _unaligned(pair.system, match.system))
    if unaligned and any(unaligned):
        made += [_without_tree("unaligned", nodes, ()) for nodes in unaligned[0]]
        made += [_without_tree("unaligned", (), nodes) for nodes in unaligned[1]]
        match = match.picked([compress(count(), map(lt, side.starts, side.ends)) for side in match.sides])
    if len(pair.gold_sentences) > 1 or len(pair.system_sentences) > 1:
        lost = boundary_errors(pair)
        if any(lost):
            made.append(_without_tree("boundary", *lost))
            gone = [{item.node for item in items} for items in lost]
            rest = [[node not in some for node in side.nodes] for side, some in zip(match.sides, gone)]
            match = match.picked([compress(count(), flags) for flags in rest])
    units: Units | None = None
    if in_units or pair.words[0] != pair.words[1]:
        gold_units, system_units, size = pair.unit_of_words()
        # Units with one word on each side need no translation.
        units = None if gold_units == system_units == [*range(size)] else (gold_units, system_units)
    (gold_items, system_items), name_of = match.sides, pair.rules.representative
    system = ConstituentTree(pair.system, system_items, match.system_partners, name_of)
    gold = ConstituentTree(pair.gold, gold_items, match.partners, name_of, system.homes)
    return made + steps(gold, system, units)


def _unaligned(tree: Tree, constituents: Sequence[Constituent]) -> list[list[Constituent]]:
    """Return the constituents over unaligned words, each with those below it."""
    groups: list[list[Constituent]] = []
    for item in constituents:
        if item.start == item.end and groups and tree.starts[item.node] < tree.ends[groups[-1][0].node]:
            groups[-1].append(item)
        elif item.start == item.end:
            groups.append([item])
    return groups


def _without_tree(kind: str, missed: Sequence[Constituent], extra: Sequence[Constituent]) -> Step:
    """Return a step for which no tree is searched."""
    nodes = [tuple([item.node for item in items]) for items in (missed, extra)]
    return Step(kind, missed=nodes[0], extra=nodes[1])
